"""Control limits: how far a level may be off its peers, from how much these spread."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_AS_DEVIATION: Final = 1.4826
"""The standard deviation of a normal distribution, in median absolute deviations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlRule:
    """How limits follow from a spread; all in logarithms, so 0.05 is about 5 %.

    Attributes:
        spreads: How many spreads (median absolute deviations, as standard deviations) a level may be off.
        least: A level that is less off is always within its limits: a few levels do not tell a smaller
        spread.
        most: A level that is further off is never within its limits, however much all of them spread.
    """

    spreads: float
    least: float
    most: float

    def limits(self, levels: Sequence[float]) -> ControlLimits:
        """The limits around the median of some levels, which are logarithms; at least one."""
        middle = statistics.median(levels)
        deviation = _AS_DEVIATION * statistics.median(abs(level - middle) for level in levels)
        return ControlLimits(middle, min(max(self.spreads * deviation, self.least), self.most))


@dataclass(frozen=True, slots=True)
class ControlLimits:
    """What is within limits: at most ``limit`` off ``middle``, in logarithms."""

    middle: float
    limit: float

    def off(self, level: float) -> float:
        """By how much a level is off the middle."""
        return level - self.middle

    def includes(self, level: float) -> bool:
        """Whether a level is within the limits."""
        return abs(self.off(level)) <= self.limit
