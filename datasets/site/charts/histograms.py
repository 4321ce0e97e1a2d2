"""Histograms: bars for the number of values in each range, and the same ranges for a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from datasets.site.charts.scales import AxisScale, Frame, Tick, halves

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_HEIGHT: Final = 210
_TOP: Final = 12
_LEFT: Final = 46
_RIGHT: Final = 24
"""Room for half a label at the end."""
_AXIS: Final = 28
_LABEL: Final = 46
"""Room for a label below a bar, in user units."""


@dataclass(frozen=True, slots=True)
class Bin:
    """The values from ``low`` on and below ``high``: how many there are, and the range in words.

    ``high`` is empty where all larger values are in the bin.
    """

    label: str
    low: str
    high: str
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
class Histogram:
    """Bars beside each other, and labelled places on both axes."""

    frame: Frame
    bars: tuple[Bar, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]


def bins_of(
    rows: Sequence[Sequence[float]], form: Callable[[float], str], *, open_from: float = math.inf
) -> tuple[Bin, ...]:
    """Bins of ``[low, high, count]`` rows.

    Args:
        rows: In order, without gaps.
        form: Writes an end of a bin.
        open_from: The bin that begins here has all larger values too.
    """
    return tuple(
        Bin(f"{form(low)} or more", form(low), "", int(count))
        if low >= open_from
        else Bin(f"{form(low)} to {form(high)}", form(low), form(high), int(count))
        for low, high, count in rows
    )


def histogram(bins: Sequence[Bin], *, width: int) -> Histogram | None:
    """Bars with the heights of the bins' counts; None if there is nothing to count.

    Args:
        bins: In order.
        width: The drawing's width, in user units.
    """
    most = max((one.count for one in bins), default=0)
    if not most:
        return None
    frame = Frame(
        width=width, height=_HEIGHT, left=_LEFT, right=width - _RIGHT, top=_TOP, bottom=_HEIGHT - _AXIS
    )
    x, y = AxisScale(0, len(bins), frame.left, frame.right), AxisScale(0, most, frame.bottom, frame.top)
    counts = sorted({round(count) for count in halves(0, most)})
    return Histogram(
        frame=frame,
        bars=tuple(_bar(one, n, x, y) for n, one in enumerate(bins)),
        x_ticks=_ends(bins, x),
        y_ticks=y.ticks(counts, lambda count: f"{count:,}"),
    )


def _bar(one: Bin, number: int, x: AxisScale, y: AxisScale) -> Bar:
    """A bin's bar, a little narrower than the bin."""
    width = round(max((x.end - x.start) / x.high - 2, 1), 1)
    top = y(one.count)
    return Bar(round(x(number) + 1, 1), top, width, round(y.start - top, 1), f"{one.label}: {one.count:,}")


def _ends(bins: Sequence[Bin], x: AxisScale) -> tuple[Tick, ...]:
    """As many ends of bins as there is space for."""
    every = max(1, -(-_LABEL * len(bins) // int(x.end - x.start)))
    ends = [*(one.low for one in bins), bins[-1].high]
    return tuple(Tick(x(n), end) for n, end in enumerate(ends) if n % every == 0 and end)
