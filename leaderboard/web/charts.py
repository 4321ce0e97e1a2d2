"""Server-rendered charts: plain numbers in, coordinates of an SVG out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDE: Final = 720
NARROW: Final = 360
HEIGHT: Final = 220
LEFT: Final = 64
RIGHT: Final = 16
TOP: Final = 14
BOTTOM: Final = 34
ROW: Final = 26
MAX_POINTS: Final = 600
"""More points than pixels say nothing; of a longer run every n-th is drawn, and the last."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled place on an axis."""

    at: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart:
    """A line of values by step, with an optional level to compare with.

    Attributes:
        points: The ``points`` of a polyline.
        y_ticks: Labelled heights.
        x_ticks: Labelled steps.
        level: Height of the level, where it lies inside the chart.
    """

    points: str
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    level: float | None
    width: int
    height: int = HEIGHT
    left: int = LEFT
    bottom: int = HEIGHT - BOTTOM

    @property
    def right(self) -> int:
        """Where the frame ends."""
        return self.width - RIGHT


def line_chart(values: Sequence[float], *, level: float | None = None, width: int = WIDE) -> LineChart | None:
    """Draw values by step; None where there are fewer than two."""
    if len(values) < 2:  # noqa: PLR2004 - a line has two ends
        return None
    everything = [*values, *([] if level is None else [level])]
    low, high = min(everything), max(everything)
    if low == high:
        low, high = low - 1, high + 1
    form = ",.0f" if all(float(value).is_integer() for value in everything) else ",.4g"
    last = len(values) - 1
    steps = _thinned(last)
    points = " ".join(f"{_x(step, last, width):.1f},{_y(values[step], low, high):.1f}" for step in steps)
    return LineChart(
        points=points,
        y_ticks=tuple(Tick(_y(value, low, high), format(value, form)) for value in _ticks(low, high)),
        x_ticks=tuple(Tick(_x(step, last, width), str(step)) for step in sorted({0, last // 2, last})),
        level=None if level is None else _y(level, low, high),
        width=width,
    )


def _thinned(last: int) -> list[int]:
    stride = max(1, -(-(last + 1) // MAX_POINTS))
    return sorted({*range(0, last + 1, stride), last})


def _ticks(low: float, high: float) -> tuple[float, float, float]:
    return low, (low + high) / 2, high


def _x(step: int, last: int, width: int) -> float:
    return LEFT + (width - LEFT - RIGHT) * step / last


def _y(value: float, low: float, high: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)


@dataclass(frozen=True, slots=True)
class Pair:
    """One block's height, and where its reference and its value stand."""

    label: str
    y: float
    reference: float
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairChart:
    """A value beside its reference, on a line for each block, from zero on.

    Attributes:
        pairs: The blocks.
        ticks: Labelled places on the axis.
    """

    pairs: tuple[Pair, ...]
    ticks: tuple[Tick, ...]
    width: int
    height: int
    left: int = LEFT
    bottom: int = 0

    @property
    def right(self) -> int:
        """Where the frame ends."""
        return self.width - RIGHT


def pair_chart(
    pairs: Sequence[tuple[float, float]], *, labels: Sequence[str] = (), width: int = WIDE
) -> PairChart | None:
    """Draw pairs of a reference and a value, none negative; None where there is nothing to draw.

    Args:
        pairs: The blocks.
        labels: What each is called; without any, its number.
        width: Of the chart.
    """
    end = max((max(pair) for pair in pairs), default=0.0)
    if end <= 0 or min(min(pair) for pair in pairs) < 0:
        return None

    def at(value: float) -> float:
        # Room for half a dot and half a label at the end.
        return LEFT + (width - LEFT - 2 * RIGHT) * (value / end)

    named = labels or [str(number) for number in range(1, len(pairs) + 1)]
    bottom = TOP + ROW * len(pairs)
    return PairChart(
        pairs=tuple(
            Pair(label, TOP + ROW * (row + 0.5), at(reference), at(value))
            for row, (label, (reference, value)) in enumerate(zip(named, pairs, strict=True))
        ),
        ticks=tuple(Tick(at(value), format(value, ",.3g")) for value in (0.0, end / 2, end)),
        width=width,
        height=bottom + BOTTOM,
        bottom=bottom,
    )
