"""What agents and evaluators exchange: sequences, objectives and outcomes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from optarena.actions import is_structured
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from optarena.specs import EnvironmentSpec, Metric

Sequence: TypeAlias = tuple[int, ...]
"""Actions of an environment's first action space, by index."""


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """What evaluating a sequence gave.

    Attributes:
        actions: The sequence as it was asked for.
        costs: The environment's cost before any action, and after each action that ran.
        effects: Whether each action that ran had an effect.
        loss: What a search minimises: the objective's value where lower is better, else its negative;
            infinite for a sequence that failed, or is too far from the best to be measured.
        length: How many of the actions the loss belongs to: those up to the best prefix.
        error: Why an action failed; empty if none did. The sequence is then worth nothing.
    """

    actions: Sequence
    costs: tuple[float, ...]
    effects: tuple[bool, ...]
    loss: float
    length: int
    error: str = ""

    @property
    def prefix(self) -> Sequence:
        """The actions up to the best prefix, as they were asked for."""
        return self.actions[: self.length]

    @property
    def effective(self) -> Sequence:
        """The prefix without the actions that had no effect.

        It mostly leads to the same program. That it does must be seen by evaluating it: an action without
        effect may still change the order of a program's use lists.
        """
        pairs = zip(self.actions[: self.length], self.effects, strict=False)
        return tuple(action for action, had_effect in pairs if had_effect)


@dataclass(frozen=True, slots=True)
class Objective:
    """What a search optimises: an exact metric of an environment.

    Attributes:
        metric: The metric.
        cost: The metric that is the environment's cost, which is known after each action. Another one is
            measured at the end of a sequence, which may take as long as all its actions.
        near: Another metric is measured if the cost is worse than that of the best sequence by at most this
            share.
    """

    metric: Metric
    cost: Metric
    near: float = 0.05

    @classmethod
    def of(cls, environment: EnvironmentSpec, metric: str = "") -> Objective:
        """The objective of an environment's metric; of its cost if no name is given.

        Raises:
            UnknownName: The environment does not measure it.
            InvalidInput: It is not exact, so that sequences cannot be compared by one value, or the
                environment has no cost that is known after each action, or actions of several parts.
        """
        if not environment.traces_costs:
            message = f"{environment.slug} does not know its cost after each action, which searches go by."
            remedy = "Search it by a program of your own: see the environment's documentation."
            raise InvalidInput(message, field="env", value=environment.slug, remedy=remedy)
        cost = environment.cost_metric
        found = environment.metric(metric) if metric else cost
        if cost is None or found is None or not found.exact:
            what = f"the metric {found.name}" if found else "any metric"
            message = f"{environment.slug} does not measure {what} exactly, so that results can be compared."
            remedy = "Choose a board or a metric whose value is exact."
            raise InvalidInput(message, field="metric", value=metric or environment.slug, remedy=remedy)
        if is_structured(environment.action_table):
            message = f"Agents cannot search {environment.slug}: its actions have several parts."
            remedy = "Choose an environment whose actions are single numbers."
            raise InvalidInput(message, field="env", value=environment.slug, remedy=remedy)
        return cls(found, cost)

    @property
    def is_cost(self) -> bool:
        """Whether the metric is the cost."""
        return self.metric.name == self.cost.name

    def cost_loss(self, cost: float) -> float:
        """A cost as what a search minimises."""
        return cost if self.cost.lower_is_better else -cost

    def still_near(self, cost: float) -> float:
        """The greatest loss at which another metric is measured if the best sequence has this cost."""
        return self.cost_loss(cost) + abs(cost) * self.near

    def loss(self, value: float) -> float:
        """A value of the metric as what a search minimises."""
        return value if self.metric.lower_is_better else -value

    def value(self, loss: float) -> float | None:
        """The metric's value that a loss stands for; None for one that is worth nothing."""
        return None if math.isinf(loss) else self.loss(loss)
