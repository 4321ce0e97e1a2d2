"""A line of values that each hold from a moment on until the next, with an optional level to compare with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from datasets.site.charts.scales import AxisScale, Frame, Tick, halves

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

_HEIGHT: Final = 200
_LEFT: Final = 64
_RIGHT: Final = 44
_TOP: Final = 14
_AXIS: Final = 34
_MARGIN: Final = 0.06
"""Of the range of values, above and below."""
_DOTS: Final = 40
"""The most dots that can be told apart; a line of more steps has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepChart:
    """A line of steps.

    Attributes:
        frame: The drawing.
        points: The ``points`` of a polyline: the ends of each step.
        dots: Where each value begins, with its text; none where they would be too many.
        marks: Further values, each at its moment, with its text.
        y_ticks: Labelled heights.
        x_ticks: The first and the last moment.
        level: Height of the level to compare with, where there is one.
    """

    frame: Frame
    points: str
    dots: tuple[tuple[float, float, str], ...]
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    level: float | None
    marks: tuple[tuple[float, float, str], ...] = ()


def step_chart(
    values: Sequence[tuple[datetime, float]],
    *,
    until: datetime,
    width: int,
    level: float | None = None,
    marks: Sequence[tuple[datetime, float, str]] = (),
) -> StepChart | None:
    """Draw values over time; None where there are none.

    Args:
        values: Moments, in order, and the value from each of them on.
        until: Where the last step ends.
        width: The drawing's width, in user units.
        level: A value to compare with.
        marks: Further values that hold for a moment only, not before the first and not after ``until``.
    """
    if not values:
        return None
    shown = [*(value for _, value in values), *(value for _, value, _ in marks)]
    shown += [] if level is None else [level]
    low, high = min(shown), max(shown)
    room = _MARGIN * (high - low) or _MARGIN * abs(high) or 1.0
    first, last = values[0][0].timestamp(), max(until, values[-1][0]).timestamp()
    frame = Frame(
        width=width, height=_HEIGHT, left=_LEFT, right=width - _RIGHT, top=_TOP, bottom=_HEIGHT - _AXIS
    )
    x = AxisScale(first, max(last, first + 1), frame.left, frame.right)
    y = AxisScale(low - room, high + room, frame.bottom, frame.top)
    places = [(x(at.timestamp()), y(value)) for at, value in values]
    return StepChart(
        frame=frame,
        points=_line(places, x(last)),
        dots=tuple(_dots(places, values)) if len(places) <= _DOTS else (),
        y_ticks=y.ticks(halves(low, high) if low < high else (low,), lambda value: f"{value:.4f}"),
        x_ticks=_ends(x, values[0][0], until),
        level=None if level is None else y(level),
        marks=tuple((x(at.timestamp()), y(value), text) for at, value, text in marks),
    )


def _dots(
    places: Sequence[tuple[float, float]], values: Sequence[tuple[datetime, float]]
) -> Iterator[tuple[float, float, str]]:
    for (left, top), (at, value) in zip(places, values, strict=True):
        yield left, top, f"{at:%Y-%m-%d}: {value:.4f}"


def _ends(x: AxisScale, first: datetime, last: datetime) -> tuple[Tick, Tick]:
    """The ends of the axis as days, or as times of one day."""
    form = "%Y-%m-%d" if first.date() < last.date() else "%H:%M UTC"
    return Tick(x.start, f"{first:{form}}"), Tick(x.end, f"{last:{form}}")


def _line(places: Sequence[tuple[float, float]], last: float) -> str:
    """The points of a line that holds each height until the next place, and the last one until the end."""
    ends = [*(left for left, _ in places[1:]), last]
    return " ".join(f"{left},{top} {right},{top}" for (left, top), right in zip(places, ends, strict=True))
