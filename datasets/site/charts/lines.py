"""A line of values by step, with an optional level to compare with, and limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from datasets.site.charts.scales import AxisScale, Frame, Tick, halves

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

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
        idle: The ``points`` of the parts of the line at steps without effect.
        chosen: Where the chosen step is, if there is one.
    """

    frame: Frame
    points: str
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    level: float | None
    band: tuple[float, float] | None = None
    idle: tuple[str, ...] = ()
    chosen: tuple[float, float] | None = None


def line_chart(  # noqa: PLR0913 - all but the first by keyword
    values: Sequence[float],
    *,
    width: int,
    level: float | None = None,
    band: tuple[float, float] | None = None,
    labels: Sequence[str] = (),
    idle: Collection[int] = (),
    chosen: int | None = None,
) -> LineChart | None:
    """Draw values by step; None where there are fewer than two.

    Args:
        values: The value of each step, from 0.
        width: The drawing's width, in user units.
        level: A value to compare with.
        band: The least and the greatest value within some limits.
        labels: The name of each step, such as a date; its number where there is none.
        idle: Steps without effect, whose parts of the line are drawn apart.
        chosen: A step to mark.
    """
    if len(values) < 2:  # noqa: PLR2004 - a line has two ends
        return None
    shown = [*values, *([] if level is None else [level]), *(band or ())]
    low, high = _limits(shown)
    form = _count if all(float(value).is_integer() for value in shown) else "{:,.4g}".format
    frame, last = _frame(width), len(values) - 1
    x, y = AxisScale(0, last, frame.left, frame.right), AxisScale(low, high, frame.bottom, frame.top)
    return LineChart(
        frame=frame,
        points=" ".join(f"{x(step)},{y(values[step])}" for step in _thinned(last)),
        y_ticks=y.ticks(halves(low, high), form),
        x_ticks=x.ticks(
            sorted({0, last // 2, last}), lambda step: labels[int(step)] if labels else str(step)
        ),
        level=None if level is None else y(level),
        band=None if band is None else (y(band[1]), y(band[0])),
        idle=tuple(f"{x(one - 1)},{y(values[one])} {x(end)},{y(values[end])}" for one, end in _runs(idle)),
        chosen=None if chosen is None else (x(chosen), y(values[chosen])),
    )


def _frame(width: int) -> Frame:
    return Frame(
        width=width, height=_HEIGHT, left=_LEFT, right=width - _RIGHT, top=_TOP, bottom=_HEIGHT - _AXIS
    )


def _count(value: float) -> str:
    """A whole number, or the middle between two of them."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def _limits(values: Sequence[float]) -> tuple[float, float]:
    """The least and the greatest value, apart even where all are equal."""
    low, high = min(values), max(values)
    return (low, high) if low < high else (low - 1, high + 1)


def _runs(steps: Collection[int]) -> list[tuple[int, int]]:
    """The first and the last of each run of steps that follow each other; a run's values are equal."""
    runs: list[tuple[int, int]] = []
    for step in sorted(steps):
        if runs and step == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], step)
        else:
            runs.append((step, step))
    return runs


def _thinned(last: int) -> list[int]:
    stride = max(1, -(-(last + 1) // MAX_POINTS))
    return sorted({*range(0, last + 1, stride), last})
