"""Values of several series as dots, on a line for each row, as a share of one of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from datasets.site.charts.scales import AxisScale, Frame, Tick, colour, steps
from datasets.site.formats import percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ROW: Final = 30
_RIGHT: Final = 24
_TOP: Final = 8
_AXIS: Final = 30
_GAP: Final = 12
"""Between a name and the first value, in user units, as drawn."""
_LETTER: Final = 7
"""The width of a letter of a name, in user units."""


@dataclass(frozen=True, slots=True)
class Dot:
    """One value: its x in user units, the class that colours it, and its text."""

    x: float
    css: str
    title: str


@dataclass(frozen=True, slots=True)
class Row:
    """One line: its name as far as there is space, its height, and its dots from left to right."""

    label: str
    y: float
    x_min: float
    x_max: float
    dots: tuple[Dot, ...]


@dataclass(frozen=True, slots=True)
class DotChart:
    """Rows below each other, and labelled places on their axis."""

    frame: Frame
    rows: tuple[Row, ...]
    ticks: tuple[Tick, ...]


@dataclass(frozen=True, slots=True)
class Values:
    """The data of one row: its name, and its value in each series."""

    label: str
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """The meaning of a dot chart's values.

    Attributes:
        series: Names of the series in the order of their colours.
        whole: The series that is 100 %.
        unit: The unit of the values, for the texts.
    """

    series: Sequence[str]
    whole: str
    unit: str


def dot_chart(rows: Sequence[Values], axis: Axis, *, width: int, left: int) -> DotChart | None:
    """Draw the rows that have a whole; None where none has. A share that is not finite has no dot.

    Args:
        rows: The rows, from top to bottom.
        axis: The meaning of the values.
        width: The drawing's width, in user units.
        left: The space for names, in user units.
    """
    drawn = [Values(one.label, _finite(one.values, axis.whole)) for one in rows if one.values.get(axis.whole)]
    if not drawn:
        return None
    shown = steps(max(value / one.values[axis.whole] for one in drawn for value in one.values.values()))
    bottom = _TOP + _ROW * len(drawn)
    frame = Frame(
        width=width, height=bottom + _AXIS, left=left, right=width - _RIGHT, top=_TOP, bottom=bottom
    )
    x = AxisScale(0, shown[-1], frame.left, frame.right)
    lines = tuple(_row(one, axis, x, y=_TOP + _ROW * (n + 0.5)) for n, one in enumerate(drawn))
    return DotChart(frame, lines, x.ticks(shown, percent))


def _finite(values: Mapping[str, float], whole: str) -> dict[str, float]:
    """The values whose share of the whole is a finite number."""
    return {name: value for name, value in values.items() if math.isfinite(value / values[whole])}


def _row(one: Values, axis: Axis, x: AxisScale, *, y: float) -> Row:
    whole = one.values[axis.whole]
    dots = tuple(
        Dot(x(one.values[name] / whole), colour(number), _title(one, name, axis))
        for number, name in enumerate(axis.series)
        if name in one.values
    )
    places = [dot.x for dot in dots]
    return Row(_shortened(one.label, x.start), y, min(places), max(places), dots)


def _shortened(label: str, left: float) -> str:
    most = int(left - _GAP) // _LETTER
    return label if len(label) <= most else f"{label[: most - 1]}…"


def _title(one: Values, name: str, axis: Axis) -> str:
    value = one.values[name]
    share = value / one.values[axis.whole]
    return f"{one.label} at {name}: {value:,} {axis.unit}, {share:.0%} of {axis.whole}"
