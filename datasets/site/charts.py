"""Charts as plain numbers, which the templates draw as SVG. Sizes are in user units."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar

from datasets.site.formats import percent
from optarena.specs.rewards import level_text

Chart = TypeVar("Chart")

WIDE: Final = "for-wide"
NARROW: Final = "for-narrow"
_COLOURS: Final = 6
_STEPS: Final = (0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 5.0)
_MAX_STEPS: Final = 6
_MARGIN: Final = 0.06  # Of the range of values, above and below.
_LABELS_APART: Final = 0.12  # Labels at least, as a share of the range of values.
_LETTER: Final = 7  # The width of a letter of a label.
_LEVEL_GAP: Final = 18  # Beside the label of a level.
_POINT: Final = 6  # The radius of a point.


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    label: str


@dataclass(frozen=True, slots=True)
class ReferenceLine:
    # A value to compare with. Its label stands beside the drawing, where no point is.
    value: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    # The size of a drawing, and where inside it the values are: labels and titles stand around them.
    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int

    @property
    def inside(self) -> tuple[int, int, int, int]:
        # Left, top, width and height of what is drawn, with room for half of a point at each side.
        return (
            self.left - _POINT,
            self.top - _POINT,
            self.right - self.left + 2 * _POINT,
            self.bottom - self.top + 2 * _POINT,
        )


def _frame(  # noqa: PLR0913 - all but the size by keyword
    width: int,
    height: int,
    *,
    right: int,
    left: int = 64,
    top: int = 30,
    axis: int = 48,
    level: ReferenceLine | None = None,
) -> Frame:
    # `right` and `axis` are the room beside and below the values, `top` that of a title.
    room = right if level is None else max(right, _LEVEL_GAP + _LETTER * len(level.label))
    return Frame(width=width, height=height, left=left, right=width - room, top=top, bottom=height - axis)


@dataclass(frozen=True, slots=True)
class AxisScale:
    # Maps values from `low` to `high` to positions from `start` to `end`, in tenths of a unit.
    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return round(self.start + (self.end - self.start) * ((value - self.low) / (self.high - self.low)), 1)

    def ticks(self, values: Iterable[float], form: Callable[[float], str]) -> tuple[Tick, ...]:
        return tuple(Tick(self(value), form(value)) for value in values)


def _roomy_scale(
    values: Sequence[float], frame: Frame, level: ReferenceLine | None
) -> tuple[AxisScale, tuple[Tick, ...]]:
    # The vertical scale of some values and a level with room around them. Labelled are the least, the most,
    # and the level, unless its label would touch theirs.
    shown = [*values, *([] if level is None else [level.value])]
    low, high = min(shown), max(shown)
    near = _LABELS_APART * (high - low)
    between = [] if level is None or not low + near < level.value < high - near else [level.value]
    room = _MARGIN * (high - low) or _MARGIN * abs(high) or 1.0
    y = AxisScale(low - room, high + room, frame.bottom, frame.top)
    return y, y.ticks(sorted({low, *between, high}), lambda value: f"{value:.4f}")


def halves(low: float, high: float) -> tuple[float, float, float]:
    return low, (low + high) / 2, high


def steps(highest: float) -> tuple[float, ...]:
    # Round values from zero to the first that is not below `highest`; few enough to label each.
    step = next(size for size in (*_STEPS, highest) if highest / size <= _MAX_STEPS)
    return tuple(n * step for n in range(math.ceil(round(highest / step, 6)) + 1))


def colour(number: int) -> str:
    # The class of the series at this place, counted from 0.
    return f"s{number % _COLOURS + 1}"


def for_screens(
    draw: Callable[[int], Chart | None], *, wide: int = 1080, narrow: int = 360
) -> dict[str, Chart]:
    # Return charts by the class that shows them; `draw` may refuse a size.
    drawn = ((css, draw(size)) for css, size in ((WIDE, wide), (NARROW, narrow)))
    return {css: chart for css, chart in drawn if chart is not None}


_DOT_ROW, _DOT_TOP, _DOT_AXIS = 30, 8, 44
_DOT_GAP: Final = 12  # Between a name and the first value, as drawn.


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


def dot_chart(rows: Sequence[Values], axis: Axis, *, width: int, left: int) -> DotChart | None:
    # None where no row has a whole. A share that is not finite has no dot. `left` is the space for names.
    drawn = [
        (
            one.label,
            {
                name: (value, value / whole)
                for name, value in one.values.items()
                if math.isfinite(value / whole)
            },
        )
        for one in rows
        if (whole := one.values.get(axis.whole))
    ]
    if not drawn:
        return None
    shown = steps(max(share for _, values in drawn for _, share in values.values()))
    height = _DOT_TOP + _DOT_ROW * len(drawn) + _DOT_AXIS
    frame = _frame(width, height, left=left, right=24, top=_DOT_TOP, axis=_DOT_AXIS)
    x = AxisScale(0, shown[-1], frame.left, frame.right)
    letters = (left - _DOT_GAP) // _LETTER
    lines = []
    for n, (label, values) in enumerate(drawn):
        dots = tuple(
            Dot(
                x(share),
                colour(number),
                f"{label} at {level_text(name)}: {value:,} {axis.unit}, "
                f"{percent(share)} of {level_text(axis.whole)}",
            )
            for number, name in enumerate(axis.series)
            if name in values
            for value, share in (values[name],)
        )
        places = [dot.x for dot in dots]
        name = label if len(label) <= letters else f"{label[: letters - 1]}…"
        lines.append(Row(name, _DOT_TOP + _DOT_ROW * (n + 0.5), min(places), max(places), dots))
    return DotChart(frame, tuple(lines), x.ticks(shown, percent))


_BIN_LABEL: Final = 46  # Room for a label below a bar.


@dataclass(frozen=True, slots=True)
class Bin:
    # `high` is empty where all larger values are in the bin.
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


def bins_of(
    rows: Sequence[Sequence[float]], form: Callable[[float], str], *, open_from: float = math.inf
) -> tuple[Bin, ...]:
    # Of `[low, high, count]` rows in order, without gaps. The bin at `open_from` has all larger values too.
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
    frame = _frame(width, 240, left=46, right=24, axis=42)
    x, y = AxisScale(0, len(bins), frame.left, frame.right), AxisScale(0, most, frame.bottom, frame.top)
    broad = round(max((x.end - x.start) / x.high - 2, 1), 1)  # A little narrower than the bin.
    bars = (
        Bar(
            round(x(n) + 1, 1),
            y(one.count),
            broad,
            round(y.start - y(one.count), 1),
            f"{one.label}: {one.count:,}",
        )
        for n, one in enumerate(bins)
    )
    # As many ends of bins are labelled as there is space for.
    every = max(1, -(-_BIN_LABEL * len(bins) // int(x.end - x.start)))
    ends = [*(one.low for one in bins), bins[-1].high]
    counts = sorted({round(count) for count in halves(0, most)})
    return Histogram(
        frame=frame,
        bars=tuple(bars),
        x_ticks=tuple(Tick(x(n), end) for n, end in enumerate(ends) if n % every == 0 and end),
        y_ticks=y.ticks(counts, lambda count: f"{count:,}"),
    )


# More points than pixels are useless; of a longer run every n-th point is drawn, and the last.
MAX_POINTS: Final = 600
_CLOSE: Final = 0.05  # The least room around what a close chart shows, as a share of it.
_WORTH: Final = 0.5  # A close chart of more than this share of the whole range shows nothing more.


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart:
    frame: Frame
    points: str  # Of a polyline, as `idle`: the parts of the line at steps without effect.
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    level: Tick | None
    band: tuple[float, float] | None = None  # Heights of the upper and the lower limit.
    idle: tuple[str, ...] = ()
    chosen: tuple[float, float] | None = None


def line_chart(  # noqa: PLR0913 - all but the first by keyword
    values: Sequence[float],
    *,
    width: int,
    level: ReferenceLine | None = None,
    band: tuple[float, float] | None = None,
    labels: Sequence[str] = (),
    idle: Collection[int] = (),
    chosen: int | None = None,
    is_close: bool = False,
) -> LineChart | None:
    # Values by step; None where there are fewer than two. `level` is to compare with, `band` has the limits.
    # A close chart shows what is around the level and the last value; None where that is most of the range.
    if len(values) < 2:  # noqa: PLR2004 - a line has two ends
        return None
    shown = [*values, *([] if level is None else [level.value]), *(band or ())]
    are_counts = all(float(value).is_integer() for value in shown)
    ends = _close_range(shown, values[-1], level) if is_close else (min(shown), max(shown))
    if ends is None:
        return None
    low, high = (math.floor(ends[0]), math.ceil(ends[1])) if are_counts else ends
    if low == high:
        low, high = low - 1, high + 1
    frame, last = _frame(width, 250, right=16, level=level), len(values) - 1
    x, y = AxisScale(0, last, frame.left, frame.right), AxisScale(low, high, frame.bottom, frame.top)
    drawn = sorted({*range(0, last + 1, max(1, -(-(last + 1) // MAX_POINTS))), last})
    middle = sorted({0, last // 2, last})
    ticks = sorted({low, (low + high) // 2, high}) if are_counts else halves(low, high)
    return LineChart(
        frame=frame,
        points=" ".join(f"{x(step)},{y(values[step])}" for step in drawn),
        y_ticks=y.ticks(ticks, "{:,.0f}".format if are_counts else "{:,.4g}".format),
        x_ticks=x.ticks(middle, lambda step: labels[int(step)] if labels else str(step)),
        level=None if level is None else Tick(y(level.value), level.label),
        band=None if band is None else (y(band[1]), y(band[0])),
        idle=tuple(f"{x(one - 1)},{y(values[one])} {x(end)},{y(values[end])}" for one, end in _runs(idle)),
        chosen=None if chosen is None else (x(chosen), y(values[chosen])),
    )


def _close_range(
    shown: Sequence[float], last: float, level: ReferenceLine | None
) -> tuple[float, float] | None:
    # None without a level, and where the range is not much less than that of all values.
    if level is None:
        return None
    low, high = min(last, level.value), max(last, level.value)
    room = max(high - low, _CLOSE * max(abs(low), abs(high)))
    low, high = max(min(shown), low - room), min(max(shown), high + room)
    return (low, high) if high - low < _WORTH * (max(shown) - min(shown)) else None


def _runs(steps: Collection[int]) -> list[tuple[int, int]]:
    # The first and the last of each run of steps that follow each other; a run's values are equal.
    runs: list[tuple[int, int]] = []
    for step in sorted(steps):
        if runs and step == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], step)
        else:
            runs.append((step, step))
    return runs


_PAIR_ROW, _PAIR_TOP, _PAIR_AXIS = 26, 14, 44


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


def pair_chart(
    pairs: Sequence[tuple[float, float]], *, labels: Sequence[str], width: int
) -> PairChart | None:
    # Pairs of a reference and a value, none negative.
    highest = max((max(pair) for pair in pairs), default=0.0)
    if highest <= 0 or min(min(pair) for pair in pairs) < 0:
        return None
    height = _PAIR_TOP + _PAIR_ROW * len(pairs) + _PAIR_AXIS
    frame = _frame(width, height, right=32, top=_PAIR_TOP, axis=_PAIR_AXIS)
    x = AxisScale(0, highest, frame.left, frame.right)
    drawn = tuple(
        Pair(label, _PAIR_TOP + _PAIR_ROW * (row + 0.5), x(reference), x(value))
        for row, (label, (reference, value)) in enumerate(zip(labels, pairs, strict=True))
    )
    return PairChart(frame, drawn, x.ticks(halves(0.0, highest), lambda value: format(value, ",.3g")))


_SCATTER_MOST_TICKS: Final = 8


@dataclass(frozen=True, slots=True)
class Point:
    # `number` is on the logarithmic axis.
    number: float
    height: float
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScatterChart:
    frame: Frame
    dots: tuple[tuple[float, float, str], ...]
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    level: Tick | None


def scatter_chart(
    points: Sequence[Point], *, width: int, level: ReferenceLine | None = None
) -> ScatterChart | None:
    # None where there are fewer than two points. A number below 1 is drawn at 1.
    if len(points) < 2:  # noqa: PLR2004 - one dot relates nothing
        return None
    last = max(1, math.ceil(math.log10(max(point.number for point in points) or 1)))
    frame = _frame(width, 270, right=24, level=level)
    x = AxisScale(0, last, frame.left + 10, frame.right)
    y, y_ticks = _roomy_scale([one.height for one in points], frame, level)
    powers = range(0, last + 1, -(-(last + 1) // _SCATTER_MOST_TICKS))
    return ScatterChart(
        frame=frame,
        dots=tuple((x(math.log10(max(1, one.number))), y(one.height), one.title) for one in points),
        y_ticks=y_ticks,
        x_ticks=tuple(
            Tick(x(power), f"{10**power:,}" if power < 4 else f"1e{power}")  # noqa: PLR2004 - thousands are still short
            for power in powers
        ),
        level=None if level is None else Tick(y(level.value), level.label),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RooflineChart:
    frame: Frame
    roof: str  # Of a polyline.
    dots: tuple[tuple[float, float, str, str], ...]  # Each with its text and its class.
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]


def roofline_chart(
    values: Sequence[tuple[float, str]], *, intensity: float, slope: float, flat: float, width: int
) -> RooflineChart:
    # Positive values at one place `intensity`, below a roof that rises with `slope` until it is `flat`; both
    # axes are logarithmic.
    ridge = math.log10(flat / slope)
    low = math.floor(min(math.log10(intensity), ridge))
    high = math.floor(max(math.log10(intensity), ridge)) + 1 + 1
    heights = [math.log10(value) for value, _ in values]
    bottom, top = math.floor(min(*heights, math.log10(flat) - 1)), math.ceil(max(*heights, math.log10(flat)))
    frame = _frame(width, 270, right=24)
    x, y = AxisScale(low, high, frame.left, frame.right), AxisScale(bottom, top, frame.bottom, frame.top)
    first = max(low, bottom - math.log10(slope))
    corners = ((first, first + math.log10(slope)), (ridge, math.log10(flat)), (high, math.log10(flat)))
    at = x(math.log10(intensity))
    return RooflineChart(
        frame=frame,
        roof=" ".join(f"{x(one)},{y(other)}" for one, other in corners),
        dots=tuple(
            (at, y(height), text, colour(n))
            for n, (height, (_, text)) in enumerate(zip(heights, values, strict=True))
        ),
        y_ticks=y.ticks(range(bottom, top + 1), lambda power: f"{10 ** (power - 12):g}"),
        x_ticks=x.ticks(range(low, high + 1), lambda power: f"{10**power:,g}"),
    )


_STEP_DOTS: Final = 40  # The most dots that can be told apart; a line of more steps has none.


@dataclass(frozen=True, slots=True, kw_only=True)
class StepChart:
    frame: Frame
    points: str  # Of a polyline: the ends of each step.
    # Where each value begins, with its text; none where they would be too many.
    dots: tuple[tuple[float, float, str], ...]
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    level: Tick | None
    marks: tuple[tuple[float, float, str], ...] = ()  # Further values, each at its moment, with its text.


def step_chart(
    values: Sequence[tuple[datetime, float]],
    *,
    until: datetime,
    width: int,
    level: ReferenceLine | None = None,
    marks: Sequence[tuple[datetime, float, str]] = (),
) -> StepChart | None:
    # Each value holds from its moment on, the last until `until`; `marks` hold for a moment only.
    if not values:
        return None
    shown = [*(value for _, value in values), *(value for _, value, _ in marks)]
    first, last = values[0][0].timestamp(), max(until, values[-1][0]).timestamp()
    frame = _frame(width, 230, right=44, level=level)
    x = AxisScale(first, max(last, first + 1), frame.left, frame.right)
    y, y_ticks = _roomy_scale(shown, frame, level)
    dots = [(x(at.timestamp()), y(value), f"{at:%Y-%m-%d}: {value:.4f}") for at, value in values]
    ends = [*(left for left, _, _ in dots[1:]), x(last)]
    form = "%Y-%m-%d" if values[0][0].date() < until.date() else "%H:%M UTC"
    return StepChart(
        frame=frame,
        points=" ".join(f"{at},{top} {end},{top}" for (at, top, _), end in zip(dots, ends, strict=True)),
        dots=tuple(dots) if len(dots) <= _STEP_DOTS else (),
        y_ticks=y_ticks,
        x_ticks=(Tick(x.start, f"{values[0][0]:{form}}"), Tick(x.end, f"{until:{form}}")),
        level=None if level is None else Tick(y(level.value), level.label),
        marks=tuple((x(at.timestamp()), y(value), text) for at, value, text in marks),
    )
