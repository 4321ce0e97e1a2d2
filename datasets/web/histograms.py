"""Geometry of histograms; a template turns it into SVG, and the same bins into a table.

Pure arithmetic on numbers: no markup, no queries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HEIGHT: Final = 210
_TOP: Final = 12
_LEFT: Final = 46
_RIGHT: Final = 14
_BOTTOM: Final = 28
_LABEL: Final = 46
"""Room for a label below a bar, in user units."""


@dataclass(frozen=True, slots=True)
class Bin:
    """The values from ``low`` on and below ``high``: how many there are, and the range in words."""

    label: str
    low: str
    count: int


@dataclass(frozen=True, slots=True)
class Bar:
    """One bin as a rectangle, in user units, and its text."""

    x: float
    y: float
    width: float
    height: float
    title: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A labelled place on an axis."""

    at: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """Everything a template needs, in user units of the SVG."""

    bars: tuple[Bar, ...]
    x_marks: tuple[Mark, ...]
    y_marks: tuple[Mark, ...]
    width: int
    height: int = HEIGHT
    left: int = _LEFT
    right: int = 0
    bottom: int = HEIGHT - _BOTTOM


def bins_of(rows: Sequence[Sequence[float]], form: Callable[[float], str]) -> tuple[Bin, ...]:
    """Bins of ``[low, high, count]`` rows, as a version's statistics have them.

    Args:
        rows: In order, without gaps.
        form: Writes an end of a bin.
    """
    return tuple(Bin(f"{form(low)} to {form(high)}", form(low), int(count)) for low, high, count in rows)


def histogram(bins: Sequence[Bin], *, width: int, last: str = "") -> Histogram | None:
    """Bars as high as the bins' counts; None where there are no bins.

    Args:
        bins: In order.
        width: Of the drawing, in user units.
        last: Where the last bin ends, in words.
    """
    most = max((one.count for one in bins), default=0)
    if not most:
        return None
    room = width - _LEFT - _RIGHT
    step = room / len(bins)
    scale = (HEIGHT - _TOP - _BOTTOM) / most
    bottom = HEIGHT - _BOTTOM
    bars = tuple(
        Bar(
            x=round(_LEFT + n * step + 1, 1),
            y=round(bottom - one.count * scale, 1),
            width=round(max(step - 2, 1), 1),
            height=round(one.count * scale, 1),
            title=f"{one.label}: {one.count:,}",
        )
        for n, one in enumerate(bins)
    )
    every = max(1, -(-_LABEL * len(bins) // int(room)))
    ends = [*(one.low for one in bins), last]
    return Histogram(
        bars=bars,
        x_marks=tuple(
            Mark(round(_LEFT + n * step, 1), end) for n, end in enumerate(ends) if n % every == 0 and end
        ),
        y_marks=tuple(Mark(round(bottom - count * scale, 1), f"{count:,}") for count in _heights(most)),
        width=width,
        right=width - _RIGHT,
    )


def _heights(most: int) -> tuple[int, ...]:
    """Some counts to draw lines at, the largest among them."""
    return tuple(sorted({0, round(most / 2), most}))


def short(value: float) -> str:
    """A number in few characters: ``512``, ``16k``, ``4M``."""
    for size, unit in ((2**30, "G"), (2**20, "M"), (2**10, "k")):
        if value >= size:
            return f"{value / size:.4g}{unit}"
    return f"{value:.4g}"


def percent(value: float) -> str:
    """A share as a percentage."""
    return f"{value:.0%}"
