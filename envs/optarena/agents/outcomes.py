"""What agents and evaluators exchange: sequences, objectives and outcomes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from optarena.actions import is_structured
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from optarena.agents.evaluator import Evaluator
    from optarena.specs import EnvironmentSpec, Metric

# Actions of an environment's first action space, by index.
Sequence: TypeAlias = tuple[int, ...]


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
            remedy = "Search it by a program of your own: the folder examples has one for such environments."
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


@dataclass(slots=True)
class Budget:
    """A number of evaluations, or a time.

    Attributes:
        evaluations: How many sequences may be evaluated; None for any number.
        seconds: How long it may take; a search that is limited by time cannot be repeated exactly.
        spent: How many were evaluated.
        started: The monotonic time from which ``seconds`` count.

    Raises:
        InvalidInput: It allows nothing, or is not limited at all.
    """

    evaluations: int | None = None
    seconds: float = math.inf
    spent: int = 0
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        if self.evaluations is None and math.isinf(self.seconds):
            remedy = "Give a number of evaluations or of seconds."
            raise InvalidInput("A search needs a budget.", field="evaluations", remedy=remedy)
        if self.evaluations is not None and self.evaluations < 1:
            message = f"A budget of {self.evaluations} evaluations allows nothing."
            raise InvalidInput(
                message, field="evaluations", value=self.evaluations, remedy="Give at least 1."
            )
        if not self.seconds > 0:
            message = f"A budget of {self.seconds:g} seconds allows nothing."
            raise InvalidInput(message, field="seconds", value=self.seconds, remedy="Give more than 0.")

    def start(self) -> None:
        """Count the time from now on."""
        self.started = time.monotonic()

    @property
    def is_timed(self) -> bool:
        """Whether it is a time."""
        return self.evaluations is None

    @property
    def is_late(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() - self.started >= self.seconds

    @property
    def left(self) -> int:
        """How many more sequences may be evaluated: 2**31 in a budget of time, 0 when it is up."""
        if self.is_late:
            return 0
        return _MANY if self.evaluations is None else min(_MANY, max(0, self.evaluations - self.spent))

    def part(self, share: float) -> Budget:
        """A budget of its own of what is left: this share of it, but at least one evaluation."""
        if self.evaluations is None:
            now = time.monotonic()
            rest = self.seconds - (now - self.started)
            return Budget(seconds=max(rest * share, 1e-9), started=now)
        return Budget(max(1, round(self.left * share)))


_MANY = 2**31


Agent: TypeAlias = Callable[["Evaluator", "Budget", "np.random.Generator"], Iterator[SearchOutcome]]
"""An agent: yields the outcomes that it found, each better than those before.

It evaluates sequences with ``evaluator.evaluate``, which spends the budget, until ``budget.left`` is 0 or it
knows no more to do. All its random choices come from the generator, and it must not depend on the time: then
the same seed and the same number of evaluations give the same outcomes.
"""

Proposer: TypeAlias = Callable[["Evaluator", Sequence], list[np.ndarray[Any, np.dtype[np.float64]]]]
"""Gives probabilities of all actions for each place of a sequence: before its first action, between its
actions, and behind the last one. It spends one evaluation, and gives nothing if there is none left.
"""
