"""Shared by all kinds of charts: scales, ticks, frames, and one chart in two widths."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Chart = TypeVar("Chart")
Size = TypeVar("Size")

WIDE: Final = "for-wide"
NARROW: Final = "for-narrow"
_COLOURS: Final = 6
_STEPS: Final = (0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 5.0)
_MAX_STEPS: Final = 6


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled place on an axis."""

    at: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The size of a drawing, and where inside it the values are: labels stand around them.

    Attributes:
        width: The width of the whole drawing; all values are in user units.
        height: The height of the whole drawing.
        left: The x of the first value.
        right: The x of the last value.
        top: The y of the highest value.
        bottom: The y of the axis.
    """

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int


@dataclass(frozen=True, slots=True)
class AxisScale:
    """Maps values from ``low`` to ``high`` to positions from ``start`` to ``end``, in tenths of a unit."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The position of a value."""
        return round(self.start + (self.end - self.start) * ((value - self.low) / (self.high - self.low)), 1)

    def ticks(self, values: Iterable[float], form: Callable[[float], str]) -> tuple[Tick, ...]:
        """Labelled places of some values.

        Args:
            values: The values.
            form: Writes one.
        """
        return tuple(Tick(self(value), form(value)) for value in values)


def halves(low: float, high: float) -> tuple[float, float, float]:
    """The ends of an axis and its middle."""
    return low, (low + high) / 2, high


def steps(highest: float) -> tuple[float, ...]:
    """Round values from zero to the first that is not below ``highest``; few enough to label each."""
    step = next(size for size in (*_STEPS, highest) if highest / size <= _MAX_STEPS)
    return tuple(n * step for n in range(math.ceil(round(highest / step, 6)) + 1))


def colour(number: int) -> str:
    """The class that colours the series at this place, counted from 0."""
    return f"s{number % _COLOURS + 1}"


def for_screens(draw: Callable[[Size], Chart | None], *, wide: Size, narrow: Size) -> dict[str, Chart]:
    """A chart for wide and for narrow screens, by the class that shows it; empty where there is none.

    Args:
        draw: Draws the chart in a given size, which it may refuse.
        wide: The size on wide screens.
        narrow: The size on narrow ones.
    """
    drawn = ((css, draw(size)) for css, size in ((WIDE, wide), (NARROW, narrow)))
    return {css: chart for css, chart in drawn if chart is not None}
