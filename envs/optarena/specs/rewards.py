"""Reward formulas over a cost that an observation space measures; the one place they are written.

With ``c_t`` the cost after action ``t`` and ``c_0`` the cost of the benchmark as given (level O0):

* ``DIFFERENCE``: r_t = c_{t-1} - c_t
* ``INCREASE``:   r_t = c_t - c_{t-1}, for costs that are better the larger they are, such as flops
* ``NORMALISED``: r_t = (c_{t-1} - c_t) / max(c_0, 1)
* ``BASELINE``:   r_t = (c_{t-1} - c_t) / max(c_0 - c_baseline, 1); the sum is 1.0 when equal to the baseline
* ``LOG_RATIO``:  r_t = log(max(c_{t-1}, 1) / max(c_t, 1)), where c_0 is the baseline's cost: the sum is
  log(c_baseline / c), whose mean over a board's benchmarks is the logarithm of its score. The first step
  includes how far the program is from the baseline before any action.
* ``LOG_STEP``:   r_t = log(c_{t-1} / c_t), for costs that may be far below 1, such as seconds

Pure arithmetic: no service and no gymnasium.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from optarena.errors import InvalidAnswer

UNOPTIMISED = "O0"
# The least cost of which logarithms are taken by ``LOG_STEP``: far below any time that can be measured.
SHORTEST = 1e-12


class Scale(Enum):
    """What a difference of costs is divided by."""

    DIFFERENCE = "difference"
    INCREASE = "increase"
    NORMALISED = "normalised"
    BASELINE = "baseline"
    LOG_RATIO = "log-ratio"
    LOG_STEP = "log-step"


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardSpec:
    """One reward space.

    Attributes:
        name: ``IrInstructionCountOz``.
        cost: The observation space that measures the cost; its baselines are ``cost`` + level.
        metric: The metric of the manifest's baselines for the same cost; empty where none records them.
        scale: The formula.
        level: The baseline's level (``Oz``), for ``Scale.BASELINE`` and ``Scale.LOG_RATIO`` only.
        deterministic: Whether the same actions always earn the same reward.
    """

    name: str
    cost: str
    metric: str
    scale: Scale
    level: str = ""
    deterministic: bool = True

    @property
    def levels(self) -> tuple[str, ...]:
        """The baseline levels that the formula needs."""
        if self.scale is Scale.LOG_RATIO:
            return (self.level,)
        return (UNOPTIMISED, self.level) if self.scale is Scale.BASELINE else (UNOPTIMISED,)

    def divisor(self, initial: float, baseline: float) -> float:
        """What cost differences are divided by, never below one: of the costs as given and at ``level``."""
        if self.scale is Scale.NORMALISED:
            return max(initial, 1)
        return max(initial - baseline, 1) if self.scale is Scale.BASELINE else 1

    def at(self, costs: Mapping[str, float]) -> RewardFunction:
        """The reward function of one benchmark, from its costs at ``levels``."""
        first = costs[self.levels[0]]
        if self.scale is Scale.LOG_RATIO:
            return RewardFunction(initial=first, divisor=1, logarithmic=True)
        if self.scale is Scale.LOG_STEP:
            return RewardFunction(initial=first, divisor=1, logarithmic=True, least=SHORTEST)
        if self.scale is Scale.INCREASE:
            return RewardFunction(initial=first, divisor=-1)
        return RewardFunction(initial=first, divisor=self.divisor(first, costs.get(self.level, 0)))


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardFunction:
    """A reward formula with one benchmark's constants filled in.

    Attributes:
        initial: The cost that the first reward is counted from.
        divisor: What differences are divided by; negative where an increase is rewarded.
        logarithmic: Whether ratios count, instead of differences.
        least: What a cost counts as at least where ratios count.
    """

    initial: float
    divisor: float
    logarithmic: bool = False
    least: float = 1.0

    def between(self, before: float, after: float) -> float:
        """The reward for a change of the cost from ``before`` to ``after``."""
        if self.logarithmic:
            return math.log(max(before, self.least)) - math.log(max(after, self.least))
        return float((before - after) / self.divisor) + 0.0  # never -0.0

    def total(self, cost: float) -> float:
        """The reward of a whole episode that ends at ``cost``, without the rounding errors of a sum."""
        return self.between(self.initial, cost)


def reward_on_error(episode_reward: float) -> float:
    """The reward of a step that ended in an error: it takes back what the episode had won.

    An episode that crashes never ends above zero, and crashing never makes up for a loss.
    """
    return min(-episode_reward, 0.0) + 0.0  # never -0.0


@dataclass(slots=True)
class RewardMeter:
    """One reward space during one episode.

    Attributes:
        spec: The reward space.
        function: Its formula with the benchmark's constants.
        cost: The cost at the last reading.
        latest: The cost that was seen last, whether or not the reward was read.
        penalty: Reward taken back by an error.
        named: Reward of the readings that a step asked for by name.
    """

    spec: RewardSpec
    function: RewardFunction
    cost: float
    latest: float
    penalty: float = 0.0
    named: float = 0.0

    def read(self, cost: float) -> float:
        """The reward since the last reading, now that the cost is ``cost``."""
        reward = self.function.between(self.cost, cost)
        self.cost = self.latest = cost
        return reward

    def fail(self) -> float:
        """The reward of a step that ended in an error."""
        self.latest = self.cost  # what has not been given yet never will be
        self.named = 0.0
        self.penalty = reward_on_error(self.total)
        return self.penalty

    @property
    def given(self) -> float:
        """The sum of the rewards that were given without being asked for by name."""
        return self.function.total(self.cost) + self.penalty - self.named

    @property
    def total(self) -> float:
        """The reward of all actions so far, whether or not it was given."""
        return self.function.total(self.latest) + self.penalty


def checked_cost(name: str, cost: object) -> float:
    """A cost that rewards can be computed from, as the service says it.

    Raises:
        InvalidAnswer: It is not a finite number; the message names the observation space.
    """
    if type(cost) is int:  # as most are
        return float(cost)
    if isinstance(cost, bool) or not isinstance(cost, (int, float)) or not math.isfinite(cost):
        raise InvalidAnswer(f"The service's value of {name}, {cost!r:.100}, is not a finite number.")
    return float(cost)


# Of a compiler, or of the tool that is named before; an attribute of the functions may follow.
_LEVEL: Final = re.compile(r"((?:[A-Z][a-z]+)?)(O(?:[0-9]+|fast|[a-z]))(minsize|optsize|)")


def level_order(levels: Iterable[str]) -> tuple[str, ...]:
    """Levels as they are shown: the program as given first, then another tool's, then the compiler's own."""
    return tuple(sorted(set(levels), key=lambda level: (level != UNOPTIMISED, level)))


def level_text(level: str) -> str:
    """A level as people write it: ``-O2``, ``-O2 minsize``, ``clang -Oz`` for ``ClangOz``, but ``LPT``."""
    found = _LEVEL.fullmatch(level)
    return f"{found[1].lower()} -{found[2]} {found[3]}".strip() if found else level


def cost_rewards(
    prefix: str, *, cost: str, metric: str, levels: Sequence[str] = ("O3", "Oz")
) -> dict[str, RewardSpec]:
    """The reward spaces of one cost, by name.

    They are ``cost`` itself (the difference), ``prefix`` + ``Norm``, ``prefix`` + each level, and
    ``prefix`` + ``Log`` + the last level.

    Args:
        prefix: The stem of the names. The plain difference has the name of the cost itself.
        cost: Observation space of the cost.
        metric: Metric of the cost's baselines.
        levels: The levels to compare with. A benchmark without a recorded baseline needs an observation space
            named ``cost`` + level.
    """
    forms = [
        (cost, Scale.DIFFERENCE, ""),
        (f"{prefix}Norm", Scale.NORMALISED, ""),
        *((f"{prefix}{level}", Scale.BASELINE, level) for level in levels),
        *((f"{prefix}Log{level}", Scale.LOG_RATIO, level) for level in levels[-1:]),
    ]
    return {
        name: RewardSpec(name=name, cost=cost, metric=metric, scale=scale, level=level)
        for name, scale, level in forms
    }
