"""Charts as plain numbers, which the templates draw as SVG. Sizes are in user units."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from datasets.site.formats import percent

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime


Chart = TypeVar("Chart")
Size = TypeVar("Size")

WIDE: Final = "for-wide"
NARROW: Final = "for-narrow"
_COLOURS: Final = 6
_STEPS: Final = (0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 5.0)
_MAX_STEPS: Final = 6


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    label: str


# The size of a drawing, and where inside it the values are: labels stand around them.
@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int


# Maps values from `low` to `high` to positions from `start` to `end`, in tenths of a unit.
@dataclass(frozen=True, slots=True)
class AxisScale:
    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return round(self.start + (self.end - self.start) * ((value - self.low) / (self.high - self.low)), 1)

    def ticks(self, values: Iterable[float], form: Callable[[float], str]) -> tuple[Tick, ...]:
        return tuple(Tick(self(value), form(value)) for value in values)


def halves(low: float, high: float) -> tuple[float, float, float]:
    return low, (low + high) / 2, high


# Round values from zero to the first that is not below `highest`; few enough to label each.
def steps(highest: float) -> tuple[float, ...]:
    step = next(size for size in (*_STEPS, highest) if highest / size <= _MAX_STEPS)
    return tuple(n * step for n in range(math.ceil(round(highest / step, 6)) + 1))


# The class of the series at this place, counted from 0.
def colour(number: int) -> str:
    return f"s{number % _COLOURS + 1}"


# By the class that shows it. `draw` may refuse a size.
def for_screens(draw: Callable[[Size], Chart | None], *, wide: Size, narrow: Size) -> dict[str, Chart]:
    drawn = ((css, draw(size)) for css, size in ((WIDE, wide), (NARROW, narrow)))
    return {css: chart for css, chart in drawn if chart is not None}


_DOT_ROW: Final = 30
_DOT_RIGHT: Final = 24
_DOT_TOP: Final = 8
_DOT_AXIS: Final = 30
_DOT_GAP: Final = 12  # Between a name and the first value, as drawn.
_DOT_LETTER: Final = 7  # The width of a letter of a name.


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    css: str
    title: str


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    y: float
    x_min: float
    x_max: float
    dots: tuple[Dot, ...]


@dataclass(frozen=True, slots=True)
class DotChart:
    frame: Frame
    rows: tuple[Row, ...]
    ticks: tuple[Tick, ...]


@dataclass(frozen=True, slots=True)
class Values:
    label: str
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    series: Sequence[str]  # In the order of their colours.
    whole: str  # The series that is 100 %.
    unit: str


# None where no row has a whole. A share that is not finite has no dot. `left` is the space for names.
def dot_chart(rows: Sequence[Values], axis: Axis, *, width: int, left: int) -> DotChart | None:
    drawn = [Values(one.label, _finite(one.values, axis.whole)) for one in rows if one.values.get(axis.whole)]
    if not drawn:
        return None
    shown = steps(max(value / one.values[axis.whole] for one in drawn for value in one.values.values()))
    bottom = _DOT_TOP + _DOT_ROW * len(drawn)
    frame = Frame(
        width=width,
        height=bottom + _DOT_AXIS,
        left=left,
        right=width - _DOT_RIGHT,
        top=_DOT_TOP,
        bottom=bottom,
    )
    x = AxisScale(0, shown[-1], frame.left, frame.right)
    lines = tuple(_row(one, axis, x, y=_DOT_TOP + _DOT_ROW * (n + 0.5)) for n, one in enumerate(drawn))
    return DotChart(frame, lines, x.ticks(shown, percent))


# The values whose share of the whole is a finite number.
def _finite(values: Mapping[str, float], whole: str) -> dict[str, float]:
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
    most = int(left - _DOT_GAP) // _DOT_LETTER
    return label if len(label) <= most else f"{label[: most - 1]}…"


def _title(one: Values, name: str, axis: Axis) -> str:
    value = one.values[name]
    share = value / one.values[axis.whole]
    return f"{one.label} at {name}: {value:,} {axis.unit}, {share:.0%} of {axis.whole}"


_BIN_HEIGHT: Final = 210
_BIN_TOP: Final = 12
_BIN_LEFT: Final = 46
_BIN_RIGHT: Final = 24  # Room for half a label at the end.
_BIN_AXIS: Final = 28
_BIN_LABEL: Final = 46  # Room for a label below a bar.


# `high` is empty where all larger values are in the bin.
@dataclass(frozen=True, slots=True)
class Bin:
    label: str
    low: str
    high: str
    count: int


@dataclass(frozen=True, slots=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    title: str


@dataclass(frozen=True, slots=True)
class Histogram:
    frame: Frame
    bars: tuple[Bar, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]


# Of `[low, high, count]` rows in order, without gaps. The bin at `open_from` has all larger values too.
def bins_of(
    rows: Sequence[Sequence[float]], form: Callable[[float], str], *, open_from: float = math.inf
) -> tuple[Bin, ...]:
    return tuple(
        Bin(f"{form(low)} or more", form(low), "", int(count))
        if low >= open_from
        else Bin(f"{form(low)} to {form(high)}", form(low), form(high), int(count))
        for low, high, count in rows
    )


def histogram(bins: Sequence[Bin], *, width: int) -> Histogram | None:
    most = max((one.count for one in bins), default=0)
    if not most:
        return None
    frame = Frame(
        width=width,
        height=_BIN_HEIGHT,
        left=_BIN_LEFT,
        right=width - _BIN_RIGHT,
        top=_BIN_TOP,
        bottom=_BIN_HEIGHT - _BIN_AXIS,
    )
    x, y = AxisScale(0, len(bins), frame.left, frame.right), AxisScale(0, most, frame.bottom, frame.top)
    counts = sorted({round(count) for count in halves(0, most)})
    return Histogram(
        frame=frame,
        bars=tuple(_bar(one, n, x, y) for n, one in enumerate(bins)),
        x_ticks=_bin_ends(bins, x),
        y_ticks=y.ticks(counts, lambda count: f"{count:,}"),
    )


# A little narrower than the bin.
def _bar(one: Bin, number: int, x: AxisScale, y: AxisScale) -> Bar:
    width = round(max((x.end - x.start) / x.high - 2, 1), 1)
    top = y(one.count)
    return Bar(round(x(number) + 1, 1), top, width, round(y.start - top, 1), f"{one.label}: {one.count:,}")


# As many ends of bins as there is space for.
def _bin_ends(bins: Sequence[Bin], x: AxisScale) -> tuple[Tick, ...]:
    every = max(1, -(-_BIN_LABEL * len(bins) // int(x.end - x.start)))
    ends = [*(one.low for one in bins), bins[-1].high]
    return tuple(Tick(x(n), end) for n, end in enumerate(ends) if n % every == 0 and end)


_LINE_HEIGHT: Final = 220
_LINE_LEFT: Final = 64
_LINE_RIGHT: Final = 16
_LINE_TOP: Final = 14
_LINE_AXIS: Final = 34
# More points than pixels are useless; of a longer run every n-th point is drawn, and the last.
MAX_POINTS: Final = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart:
    frame: Frame
    points: str  # Of a polyline, as `idle`: the parts of the line at steps without effect.
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    level: float | None
    band: tuple[float, float] | None = None  # Heights of the upper and the lower limit.
    idle: tuple[str, ...] = ()
    chosen: tuple[float, float] | None = None


# Values by step; None where there are fewer than two. `level` is a value to compare with, `band` the
# limits.
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
        width=width,
        height=_LINE_HEIGHT,
        left=_LINE_LEFT,
        right=width - _LINE_RIGHT,
        top=_LINE_TOP,
        bottom=_LINE_HEIGHT - _LINE_AXIS,
    )


# A whole number, or the middle between two of them.
def _count(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


# Apart even where all values are equal.
def _limits(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    return (low, high) if low < high else (low - 1, high + 1)


# The first and the last of each run of steps that follow each other; a run's values are equal.
def _runs(steps: Collection[int]) -> list[tuple[int, int]]:
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


_PAIR_ROW: Final = 26
_PAIR_LEFT: Final = 64
_PAIR_RIGHT: Final = 32  # Room for half a dot and half a label at the end.
_PAIR_TOP: Final = 14
_PAIR_AXIS: Final = 34


@dataclass(frozen=True, slots=True)
class Pair:
    label: str
    y: float
    reference: float
    value: float


@dataclass(frozen=True, slots=True)
class PairChart:
    frame: Frame
    pairs: tuple[Pair, ...]
    ticks: tuple[Tick, ...]


# Pairs of a reference and a value, none negative.
def pair_chart(
    pairs: Sequence[tuple[float, float]], *, labels: Sequence[str], width: int
) -> PairChart | None:
    highest = max((max(pair) for pair in pairs), default=0.0)
    if highest <= 0 or min(min(pair) for pair in pairs) < 0:
        return None
    bottom = _PAIR_TOP + _PAIR_ROW * len(pairs)
    frame = Frame(
        width=width,
        height=bottom + _PAIR_AXIS,
        left=_PAIR_LEFT,
        right=width - _PAIR_RIGHT,
        top=_PAIR_TOP,
        bottom=bottom,
    )
    x = AxisScale(0, highest, frame.left, frame.right)
    drawn = tuple(
        Pair(label, _PAIR_TOP + _PAIR_ROW * (row + 0.5), x(reference), x(value))
        for row, (label, (reference, value)) in enumerate(zip(labels, pairs, strict=True))
    )
    return PairChart(frame, drawn, x.ticks(halves(0.0, highest), lambda value: format(value, ",.3g")))


_SCATTER_HEIGHT: Final = 240
_SCATTER_LEFT: Final = 64
_SCATTER_RIGHT: Final = 24
_SCATTER_TOP: Final = 14
_SCATTER_AXIS: Final = 34
_SCATTER_MARGIN: Final = 0.06  # Of the range of values, above and below.
_SCATTER_MOST_TICKS: Final = 8


# `number` is on the logarithmic axis.
@dataclass(frozen=True, slots=True)
class Point:
    number: float
    height: float
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScatterChart:
    frame: Frame
    dots: tuple[tuple[float, float, str], ...]
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    level: float | None


# None where there are fewer than two points. A number below 1 is drawn at 1.
def scatter_chart(points: Sequence[Point], *, width: int, level: float | None = None) -> ScatterChart | None:
    if len(points) < 2:  # noqa: PLR2004 - one dot relates nothing
        return None
    heights = [point.height for point in points] + ([] if level is None else [level])
    low, high = min(heights), max(heights)
    room = _SCATTER_MARGIN * (high - low) or _SCATTER_MARGIN * abs(high) or 1.0
    last = max(1, math.ceil(math.log10(max(point.number for point in points) or 1)))
    frame = Frame(
        width=width,
        height=_SCATTER_HEIGHT,
        left=_SCATTER_LEFT,
        right=width - _SCATTER_RIGHT,
        top=_SCATTER_TOP,
        bottom=_SCATTER_HEIGHT - _SCATTER_AXIS,
    )
    x = AxisScale(0, last, frame.left + 10, frame.right)
    y = AxisScale(low - room, high + room, frame.bottom, frame.top)
    stride = -(-(last + 1) // _SCATTER_MOST_TICKS)
    return ScatterChart(
        frame=frame,
        dots=tuple((x(math.log10(max(1, one.number))), y(one.height), one.title) for one in points),
        y_ticks=y.ticks(halves(low, high) if low < high else (low,), lambda value: f"{value:.4f}"),
        x_ticks=x.ticks(range(0, last + 1, stride), lambda power: _power(int(power))),
        level=None if level is None else y(level),
    )


def _power(power: int) -> str:
    return f"{10**power:,}" if power < 4 else f"1e{power}"  # noqa: PLR2004 - thousands are still short


_STEP_HEIGHT: Final = 200
_STEP_LEFT: Final = 64
_STEP_RIGHT: Final = 44
_STEP_TOP: Final = 14
_STEP_AXIS: Final = 34
_STEP_MARGIN: Final = 0.06  # Of the range of values, above and below.
_STEP_DOTS: Final = 40  # The most dots that can be told apart; a line of more steps has none.


@dataclass(frozen=True, slots=True, kw_only=True)
class StepChart:
    frame: Frame
    points: str  # Of a polyline: the ends of each step.
    # Where each value begins, with its text; none where they would be too many.
    dots: tuple[tuple[float, float, str], ...]
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    level: float | None
    marks: tuple[tuple[float, float, str], ...] = ()  # Further values, each at its moment, with its text.


# Each value holds from its moment on, the last until `until`; `marks` hold for a moment only. None without
# values.
def step_chart(
    values: Sequence[tuple[datetime, float]],
    *,
    until: datetime,
    width: int,
    level: float | None = None,
    marks: Sequence[tuple[datetime, float, str]] = (),
) -> StepChart | None:
    if not values:
        return None
    shown = [*(value for _, value in values), *(value for _, value, _ in marks)]
    shown += [] if level is None else [level]
    low, high = min(shown), max(shown)
    room = _STEP_MARGIN * (high - low) or _STEP_MARGIN * abs(high) or 1.0
    first, last = values[0][0].timestamp(), max(until, values[-1][0]).timestamp()
    frame = Frame(
        width=width,
        height=_STEP_HEIGHT,
        left=_STEP_LEFT,
        right=width - _STEP_RIGHT,
        top=_STEP_TOP,
        bottom=_STEP_HEIGHT - _STEP_AXIS,
    )
    x = AxisScale(first, max(last, first + 1), frame.left, frame.right)
    y = AxisScale(low - room, high + room, frame.bottom, frame.top)
    places = [(x(at.timestamp()), y(value)) for at, value in values]
    return StepChart(
        frame=frame,
        points=_line(places, x(last)),
        dots=tuple(_dots(places, values)) if len(places) <= _STEP_DOTS else (),
        y_ticks=y.ticks(halves(low, high) if low < high else (low,), lambda value: f"{value:.4f}"),
        x_ticks=_time_ends(x, values[0][0], until),
        level=None if level is None else y(level),
        marks=tuple((x(at.timestamp()), y(value), text) for at, value, text in marks),
    )


def _dots(
    places: Sequence[tuple[float, float]], values: Sequence[tuple[datetime, float]]
) -> Iterator[tuple[float, float, str]]:
    for (left, top), (at, value) in zip(places, values, strict=True):
        yield left, top, f"{at:%Y-%m-%d}: {value:.4f}"


def _time_ends(x: AxisScale, first: datetime, last: datetime) -> tuple[Tick, Tick]:
    form = "%Y-%m-%d" if first.date() < last.date() else "%H:%M UTC"
    return Tick(x.start, f"{first:{form}}"), Tick(x.end, f"{last:{form}}")


# Each height holds until the next place, and the last one until the end.
def _line(places: Sequence[tuple[float, float]], last: float) -> str:
    ends = [*(left for left, _ in places[1:]), last]
    return " ".join(f"{left},{top} {right},{top}" for (left, top), right in zip(places, ends, strict=True))
