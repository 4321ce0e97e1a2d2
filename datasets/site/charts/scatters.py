"""Dots by two numbers, the first on a logarithmic axis, with an optional level to compare with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from datasets.site.charts.scales import AxisScale, Frame, Tick, halves

if TYPE_CHECKING:
    from collections.abc import Sequence

_HEIGHT: Final = 240
_LEFT: Final = 64
_RIGHT: Final = 24
_TOP: Final = 14
_AXIS: Final = 34
_MARGIN: Final = 0.06
"""Of the range of values, above and below."""
_MOST_TICKS: Final = 8


@dataclass(frozen=True, slots=True)
class Point:
    """One dot: its number on the logarithmic axis, its height, and its text."""

    number: float
    height: float
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScatterChart:
    """Dots.

    Attributes:
        frame: The drawing.
        dots: Where each dot is, with its text.
        y_ticks: Labelled heights.
        x_ticks: Labelled powers of ten.
        level: Height of the level to compare with, where there is one.
    """

    frame: Frame
    dots: tuple[tuple[float, float, str], ...]
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    level: float | None


def scatter_chart(points: Sequence[Point], *, width: int, level: float | None = None) -> ScatterChart | None:
    """Draw dots; None where there are fewer than two. A number below 1 is drawn at 1.

    Args:
        points: The dots.
        width: The drawing's width, in user units.
        level: A height to compare with.
    """
    if len(points) < 2:  # noqa: PLR2004 - one dot relates nothing
        return None
    heights = [point.height for point in points] + ([] if level is None else [level])
    low, high = min(heights), max(heights)
    room = _MARGIN * (high - low) or _MARGIN * abs(high) or 1.0
    last = max(1, math.ceil(math.log10(max(point.number for point in points) or 1)))
    frame = Frame(
        width=width, height=_HEIGHT, left=_LEFT, right=width - _RIGHT, top=_TOP, bottom=_HEIGHT - _AXIS
    )
    x = AxisScale(0, last, frame.left + 10, frame.right)
    y = AxisScale(low - room, high + room, frame.bottom, frame.top)
    stride = -(-(last + 1) // _MOST_TICKS)
    return ScatterChart(
        frame=frame,
        dots=tuple((x(math.log10(max(1, one.number))), y(one.height), one.title) for one in points),
        y_ticks=y.ticks(halves(low, high) if low < high else (low,), lambda value: f"{value:.4f}"),
        x_ticks=x.ticks(range(0, last + 1, stride), lambda power: _power(int(power))),
        level=None if level is None else y(level),
    )


def _power(power: int) -> str:
    return f"{10**power:,}" if power < 4 else f"1e{power}"  # noqa: PLR2004 - thousands are still short
