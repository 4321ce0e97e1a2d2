"""Geometry of the dot charts that compare a compiler's own levels; a template turns it into SVG.

Pure arithmetic on numbers: no markup, no queries.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_COLOURS: Final = 5
_ROW: Final = 30
_TOP: Final = 8
_AXIS: Final = 30
_STEPS: Final = (0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 5.0)
_MAX_TICKS: Final = 6


@dataclass(frozen=True, slots=True)
class Tick:
    """A vertical guide: its x in user units and its label."""

    x: float
    label: str


@dataclass(frozen=True, slots=True)
class Dot:
    """One value: its x in user units, the class that colours it, and its text."""

    x: float
    css: str
    title: str


@dataclass(frozen=True, slots=True)
class Row:
    """One benchmark: its name, height, and its dots from left to right."""

    label: str
    url: str
    y: float
    x_min: float
    x_max: float
    dots: tuple[Dot, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything a template needs, in user units of the SVG."""

    width: int
    height: int
    left: int
    axis_y: int
    rows: tuple[Row, ...]
    ticks: tuple[Tick, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """One benchmark's values by level."""

    label: str
    url: str
    values: Mapping[str, float]


def colour(number: int) -> str:
    """The class that colours the level at this place, counted from 0."""
    return f"s{number % _COLOURS + 1}"


def dot_chart(
    series: Sequence[Series], *, levels: Sequence[str], unit: str, width: int, left: int
) -> Chart | None:
    """Values of every level as a share of O0; None where no benchmark has values.

    Args:
        series: One entry for each benchmark.
        levels: The levels in the order of their colours.
        unit: What the values count, for the texts.
        width: Width of the drawing, in user units.
        left: Room for the names, in user units.
    """
    drawn = [one for one in series if one.values.get("O0")]
    if not drawn:
        return None
    highest = max(value / one.values["O0"] for one in drawn for value in one.values.values())
    step = next(size for size in (*_STEPS, highest) if highest / size <= _MAX_TICKS)
    top = step * math.ceil(round(highest / step, 6))
    scale = (width - left - 24) / top
    axis_y = _TOP + _ROW * len(drawn)
    count = round(top / step)
    return Chart(
        width=width,
        height=axis_y + _AXIS,
        left=left,
        axis_y=axis_y,
        rows=tuple(
            _row(one, y=_TOP + _ROW * (n + 0.5), unit=unit, levels=levels, left=left, scale=scale)
            for n, one in enumerate(drawn)
        ),
        ticks=tuple(Tick(round(left + n * step * scale, 1), f"{n * step:.0%}") for n in range(count + 1)),
    )


def _row(  # noqa: PLR0913 - a row is one of a drawing, whose measures it shares
    one: Series, *, y: float, unit: str, levels: Sequence[str], left: int, scale: float
) -> Row:
    base = one.values["O0"]
    dots = tuple(
        Dot(
            x=round(left + one.values[level] / base * scale, 1),
            css=colour(number),
            title=_title(one, level, unit),
        )
        for number, level in enumerate(levels)
        if level in one.values
    )
    places = [dot.x for dot in dots]
    return Row(one.label, one.url, y, min(places), max(places), dots)


def _title(one: Series, level: str, unit: str) -> str:
    value = one.values[level]
    return f"{one.label} at {level}: {value:,} {unit}, {value / one.values['O0']:.0%} of O0"
