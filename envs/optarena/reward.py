"""Reward formulas over a cost that an observation space measures; the one place they are written.

With ``c_t`` the cost after action ``t`` and ``c_0`` the cost of the benchmark as given (level O0):

* ``DIFFERENCE``: r_t = c_{t-1} - c_t
* ``NORMALISED``: r_t = (c_{t-1} - c_t) / max(c_0, 1)
* ``BASELINE``:   r_t = (c_{t-1} - c_t) / max(c_0 - c_baseline, 1); the sum is 1.0 when equal to the baseline

Pure arithmetic: no service and no gymnasium.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

UNOPTIMISED = "O0"


class Scale(Enum):
    """What a difference of costs is divided by."""

    DIFFERENCE = "difference"
    NORMALISED = "normalised"
    BASELINE = "baseline"


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardSpec:
    """One reward space.

    Attributes:
        name: ``IrInstructionCountOz``.
        cost: The observation space that measures the cost; its baselines are ``cost`` + level.
        metric: The metric of the manifest's baselines for the same cost.
        scale: The formula.
        level: The baseline's level (``Oz``), for ``Scale.BASELINE`` only.
    """

    name: str
    cost: str
    metric: str
    scale: Scale
    level: str = ""

    @property
    def levels(self) -> tuple[str, ...]:
        """The baseline levels that the formula needs."""
        return (UNOPTIMISED, self.level) if self.scale is Scale.BASELINE else (UNOPTIMISED,)

    def divisor(self, initial: float, baseline: float | None) -> float:
        """What cost differences are divided by; never below one.

        Args:
            initial: Cost of the benchmark as given.
            baseline: Cost at ``level``; only used by ``Scale.BASELINE``.
        """
        if self.scale is Scale.DIFFERENCE:
            return 1
        if self.scale is Scale.NORMALISED or baseline is None:
            return max(initial, 1)
        return max(initial - baseline, 1)

    def at(self, *, initial: float, baseline: float | None) -> RewardFunction:
        """The reward function of one benchmark."""
        return RewardFunction(initial=initial, divisor=self.divisor(initial, baseline))


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardFunction:
    """A reward formula with one benchmark's constants filled in."""

    initial: float
    divisor: float

    def between(self, before: float, after: float) -> float:
        """The reward for a change of the cost from ``before`` to ``after``."""
        return float((before - after) / self.divisor)

    def total(self, cost: float) -> float:
        """The reward of a whole episode that ends at ``cost``: free of the rounding of a sum."""
        return self.between(self.initial, cost)


def reward_on_error(episode_reward: float) -> float:
    """The reward of a step that ended in an error: it takes back what the episode had won.

    An episode that crashes never ends above zero, and crashing never makes up for a loss.
    """
    return -max(episode_reward, 0.0)


def level_order(levels: Iterable[str]) -> tuple[str, ...]:
    """Levels as they are shown: the program as given first, then the compiler's own by name."""
    return tuple(sorted(set(levels), key=lambda level: (level != UNOPTIMISED, level)))


def cost_rewards(
    prefix: str, *, cost: str, metric: str, levels: Sequence[str] = ("O3", "Oz")
) -> dict[str, RewardSpec]:
    """The reward spaces of one cost, by name: ``cost`` itself, ``prefix`` + Norm, ``prefix`` + each level.

    Args:
        prefix: The stem of the names. The plain difference is called as the cost itself is.
        cost: Observation space of the cost.
        metric: Metric of the cost's baselines.
        levels: The levels to compare with. A benchmark without a recorded baseline needs an observation space
            called ``cost`` + level.
    """
    specs = (
        RewardSpec(name=cost, cost=cost, metric=metric, scale=Scale.DIFFERENCE),
        RewardSpec(name=f"{prefix}Norm", cost=cost, metric=metric, scale=Scale.NORMALISED),
        *(
            RewardSpec(name=f"{prefix}{level}", cost=cost, metric=metric, scale=Scale.BASELINE, level=level)
            for level in levels
        ),
    )
    return {spec.name: spec for spec in specs}
