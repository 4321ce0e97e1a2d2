"""A line of values by step, with an optional level to compare with, and limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from datasets.site.charts.scales import AxisScale, Frame, Tick, halves

if TYPE_CHECKING:
    from collections.abc import Sequence

_HEIGHT: Final = 220
_LEFT: Final = 64
_RIGHT: Final = 16
_TOP: Final = 14
_AXIS: Final = 34
MAX_POINTS: Final = 600
"""More points than pixels are useless; of a longer run every n-th point is drawn, and the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart:
    """A line of values by step.

    Attributes:
        frame: The drawing.
        points: The ``points`` of a polyline.
        y_ticks: Labelled heights.
        x_ticks: Labelled steps.
        level: Height of the level to compare with, where there is one.
        band: Heights of the upper and the lower limit, where there are any.
    """

    frame: Frame
    points: str
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    level: float | None
    band: tuple[float, float] | None = None


def line_chart(
    values: Sequence[float],
    *,
    width: int,
    level: float | None = None,
    band: tuple[float, float] | None = None,
    labels: Sequence[str] = (),
) -> LineChart | None:
    """Draw values by step; None where there are fewer than two.

    Args:
        values: The value of each step, from 0.
        width: The drawing's width, in user units.
        level: A value to compare with.
        band: The least and the greatest value within some limits.
        labels: The name of each step, such as a date; its number where there is none.
    """
    if len(values) < 2:  # noqa: PLR2004 - a line has two ends
        return None
    shown = [*values, *([] if level is None else [level]), *(band or ())]
    low, high = min(shown), max(shown)
    if low == high:
        low, high = low - 1, high + 1
    form = ",.0f" if all(float(value).is_integer() for value in shown) else ",.4g"
    last = len(values) - 1
    frame = Frame(
        width=width, height=_HEIGHT, left=_LEFT, right=width - _RIGHT, top=_TOP, bottom=_HEIGHT - _AXIS
    )
    x, y = AxisScale(0, last, frame.left, frame.right), AxisScale(low, high, frame.bottom, frame.top)
    return LineChart(
        frame=frame,
        points=" ".join(f"{x(step)},{y(values[step])}" for step in _thinned(last)),
        y_ticks=y.ticks(halves(low, high), lambda value: format(value, form)),
        x_ticks=x.ticks(
            sorted({0, last // 2, last}), lambda step: labels[int(step)] if labels else str(step)
        ),
        level=None if level is None else y(level),
        band=None if band is None else (y(band[1]), y(band[0])),
    )


def _thinned(last: int) -> list[int]:
    stride = max(1, -(-(last + 1) // MAX_POINTS))
    return sorted({*range(0, last + 1, stride), last})
