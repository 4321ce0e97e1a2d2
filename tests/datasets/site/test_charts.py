"""The geometry of the charts, and the scales that they share."""

from __future__ import annotations

import itertools
import math
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from hypothesis import given
from hypothesis import strategies as st

from datasets.site.charts import (
    MAX_POINTS,
    NARROW,
    WIDE,
    Axis,
    AxisScale,
    DotChart,
    LineChart,
    PairChart,
    Point,
    ReferenceLine,
    Values,
    bins_of,
    dot_chart,
    for_screens,
    histogram,
    line_chart,
    pair_chart,
    roofline_chart,
    scatter_chart,
    step_chart,
    steps,
)

LEVELS = ("O0", "O1", "O2", "O3", "Oz")
FULL = {"O0": 400, "O1": 200, "O2": 220, "O3": 420, "Oz": 100}
AXIS = Axis(series=LEVELS, whole="O0", unit="bytes")
RADIUS = 5.5
NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def dots(*rows: Values, width: int = 360, left: int = 96) -> DotChart | None:
    return dot_chart(rows, AXIS, width=width, left=left)


def drawn_line(*values: float, level: float | None = None, width: int = 720) -> LineChart:
    chart = line_chart(values, level=None if level is None else ReferenceLine(level, "-Oz"), width=width)
    assert chart is not None
    return chart


def drawn_pairs(*pairs: tuple[float, float], width: int = 720) -> PairChart:
    labels = [f"block {n}" for n in range(1, len(pairs) + 1)]
    chart = pair_chart(pairs, labels=labels, width=width)
    assert chart is not None
    return chart


def test_a_scale_leads_its_ends_to_its_ends_in_tenths_of_a_unit() -> None:
    scale = AxisScale(10, 30, 64, 704)
    assert [scale(10), scale(20), scale(30)] == [64, 384, 704]
    assert AxisScale(0, 3, 0, 1)(1) == 0.3
    assert [tick.label for tick in scale.ticks((10, 30), str)] == ["10", "30"]


@given(st.floats(0.001, 1e12))
def test_steps_are_few_and_end_at_the_highest_value_or_above(highest: float) -> None:
    found = steps(highest)
    assert found[0] == 0
    assert found[-1] >= highest or math.isclose(found[-1], highest, rel_tol=1e-5, abs_tol=1e-5)
    assert 2 <= len(found) <= 8


def test_a_chart_is_drawn_for_wide_and_for_narrow_screens() -> None:
    charts = for_screens(lambda width: line_chart([1.0, 2.0], width=width), wide=720, narrow=360)
    assert {css: chart.frame.width for css, chart in charts.items()} == {WIDE: 720, NARROW: 360}
    assert for_screens(lambda width: line_chart([], width=width), wide=720, narrow=360) == {}


def test_dots_stand_at_their_share_of_o0() -> None:
    chart = dots(Values("a", FULL), width=524, left=100)
    full = next(tick.at for tick in chart.ticks if tick.label == "100 %")
    xs = [dot.x for dot in chart.rows[0].dots]
    assert xs[0] == pytest.approx(full, abs=0.2)
    assert xs[4] - chart.frame.left == pytest.approx((full - chart.frame.left) / 4, abs=0.2)
    assert (chart.rows[0].x_min, chart.rows[0].x_max) == (min(xs), max(xs))
    assert chart.rows[0].dots[4].title == "a at -Oz: 100 bytes, 25 % of -O0"


@pytest.mark.parametrize("highest", [400, 401, 800, 900, 4_000, 40_000, 4_000_000])
def test_every_dot_lies_inside_the_drawing_and_ticks_stay_few(highest: int) -> None:
    chart = dots(Values("a", {**FULL, "O3": highest}))
    assert all(96 <= dot.x <= 360 - RADIUS for dot in chart.rows[0].dots)
    assert 2 <= len(chart.ticks) <= 8
    assert chart.ticks[-1].at <= 360


def test_rows_without_values_are_left_out() -> None:
    chart = dots(Values("a", {}), Values("b", FULL))
    assert [row.label for row in chart.rows] == ["b"]
    assert dots(Values("a", {})) is None


def test_a_name_is_shortened_to_the_space_beside_its_dots() -> None:
    names = ("matrix-product", "small-inverses", "a-name-that-is-far-too-long")
    chart = dots(*(Values(name, FULL) for name in names), left=120)
    assert [row.label for row in chart.rows] == ["matrix-product", "small-inverses", "a-name-that-is…"]
    assert chart.rows[2].dots[0].title.startswith("a-name-that-is-far-too-long at -O0")


def test_a_missing_level_or_a_share_that_is_not_finite_has_no_dot() -> None:
    chart = dots(Values("a", {"O0": 1e-320, "O1": 1e-321, "O2": 2.0**53}))
    assert [dot.css for dot in chart.rows[0].dots] == ["s1", "s2"]
    chart = dots(Values("a", {"O0": 4, "Oz": 2}))
    assert [dot.css for dot in chart.rows[0].dots] == ["s1", "s5"]


def test_the_middle_of_a_line_is_written_as_it_is() -> None:
    assert [tick.label for tick in drawn_line(1.25, 0.75).y_ticks] == ["0.75", "1", "1.25"]
    assert [tick.label for tick in drawn_line(4, 3).y_ticks] == ["3", "4"], "counts are whole"
    assert [tick.label for tick in drawn_line(1994, 851).y_ticks] == ["851", "1,422", "1,994"]
    assert [tick.label for tick in drawn_line(3000, 5000).y_ticks] == ["3,000", "4,000", "5,000"]


def test_each_of_six_levels_has_a_colour_of_its_own() -> None:
    levels = (*LEVELS[:4], "Os", "Oz")
    axis = Axis(series=levels, whole="O0", unit="bytes")
    chart = dot_chart([Values("a", dict.fromkeys(levels, 4))], axis, width=360, left=96)
    classes = [dot.css for dot in chart.rows[0].dots]
    styles = Path(str(finders.find("site/site.css"))).read_text()
    colours = [re.findall(rf"--{css}: (#[0-9a-f]{{6}});", styles) for css in classes]
    assert all(f".{css} {{ fill: var(--{css}); }}" in styles for css in classes)
    assert [len(set(theme)) for theme in zip(*colours, strict=True)] == [6, 6], "in light and in dark colours"


def test_bars_stand_on_the_axis_and_the_highest_reaches_the_top() -> None:
    bins = bins_of([[0, 1, 3], [1, 2, 0], [2, 4, 6]], str)
    chart = histogram(bins, width=520)
    assert [bar.title for bar in chart.bars] == ["0 to 1: 3", "1 to 2: 0", "2 to 4: 6"]
    assert [bar.y + bar.height for bar in chart.bars] == [chart.frame.bottom] * 3
    assert chart.bars[2].y == chart.frame.top
    assert [tick.label for tick in chart.x_ticks] == ["0", "1", "2", "4"]
    assert [tick.label for tick in chart.y_ticks] == ["0", "3", "6"]
    assert chart.x_ticks[-1].at == chart.frame.right


def test_ends_of_many_bins_are_thinned() -> None:
    chart = histogram(bins_of([[n, n + 1, 1] for n in range(40)], str), width=330)
    places = [tick.at for tick in chart.x_ticks]
    assert len(places) < 8
    assert min(after - before for before, after in itertools.pairwise(places)) > 40
    for width in (330, 520):
        chart = histogram(bins_of([[1.0, 1.0208, 3], [1.0208, 1.0417, 1]], "{:.4f}".format), width=width)
        assert chart.x_ticks[-1].label == "1.0417"
        assert chart.x_ticks[-1].at + 22 <= width, "half of six digits of twelve pixels"
    assert histogram([], width=520) is None
    assert histogram(bins_of([[0, 1, 0]], str), width=520) is None


def test_a_bin_of_all_larger_values_says_so() -> None:
    bins = bins_of([[1.95, 2.0, 1], [2.0, 2.05, 2]], "{:.2f}".format, open_from=2.0)
    assert [one.label for one in bins] == ["1.95 to 2.00", "2.00 or more"]
    chart = histogram(bins, width=330)
    assert [tick.label for tick in chart.x_ticks] == ["1.95", "2.00"]


def test_a_line_spans_its_frame() -> None:
    chart = drawn_line(100.0, 50.0, 75.0)
    points = [tuple(map(float, pair.split(","))) for pair in chart.points.split()]
    assert points[0] == (chart.frame.left, chart.frame.top)
    assert points[1][1] == chart.frame.bottom
    assert points[2][0] == chart.frame.right
    assert chart.frame.right < chart.frame.width
    assert chart.frame.bottom < chart.frame.height


def test_a_narrow_line_stays_inside_its_width() -> None:
    chart = drawn_line(100.0, 50.0, 75.0, width=360)
    assert chart.frame.right < chart.frame.width == 360
    assert chart.points.split()[-1].startswith(f"{chart.frame.right:.1f},")


def test_a_line_needs_two_values_and_survives_equal_ones() -> None:
    assert line_chart([1.0], width=720) is None
    assert line_chart([5.0, 5.0], width=720) is not None
    chart = drawn_line(100.0, 90.0, level=10.0)
    assert chart.level.at == chart.frame.bottom, "a level is inside the chart whatever the values"


@pytest.mark.parametrize(
    ("values", "level", "ends"),
    [
        ((1994, 1200, 900, 870, 851), 881, ("851", "926")),  # the room is a twentieth where they are close
        ((1994, 1200, 700), 881, ("700", "1,062")),  # or as much as they are apart
        ((2.0, 0.5, 1.0), 1.0, ("0.95", "1.05")),
        ((1994, 1500), 881, None),  # which is most of the range
        ((1994, 851), None, None),
    ],
)
def test_a_close_chart_shows_what_is_around_the_level_and_the_end(
    values: tuple[float, ...], level: float | None, ends: tuple[str, str] | None
) -> None:
    wanted = None if level is None else ReferenceLine(level, "-Oz")
    chart = line_chart(values, level=wanted, width=720, is_close=True)
    assert (None if chart is None else (chart.y_ticks[0].label, chart.y_ticks[-1].label)) == ends
    if chart is not None:
        heights = [float(point.split(",")[1]) for point in chart.points.split()]
        left, top, width, height = chart.frame.inside
        assert heights[0] < top, "what is further away is cut"
        assert top < heights[-1] < top + height
        assert (left, left + width) == (chart.frame.left - 6, chart.frame.right + 6)


def test_the_label_of_a_level_has_a_place_where_no_point_is() -> None:
    for label in ("-Oz", "reference"):
        charts = (
            line_chart([2.0, 1.0], level=ReferenceLine(1.0, label), width=360),
            scatter_chart([Point(1, 1.0, ""), Point(9, 2.0, "")], level=ReferenceLine(1.0, label), width=360),
            step_chart([(NOON, 1.5)], until=NOON, level=ReferenceLine(1.0, label), width=360),
        )
        for chart in charts:
            assert chart.level.label == label
            assert chart.frame.right + RADIUS + 7 * len(label) < chart.frame.width


def test_a_long_run_is_thinned_and_keeps_its_end() -> None:
    chart = drawn_line(*map(float, range(10_001)))
    points = chart.points.split()
    assert len(points) <= MAX_POINTS + 1
    assert points[-1].startswith(f"{chart.frame.right:.1f},")


def test_pairs_are_drawn_from_zero_on_and_inside_the_frame() -> None:
    chart = drawn_pairs((1.0, 2.0), (4.0, 3.0), width=360)
    assert [pair.label for pair in chart.pairs] == ["block 1", "block 2"]
    assert [tick.label for tick in chart.ticks] == ["0", "2", "4"]
    first, second = chart.pairs
    left, right = chart.frame.left, chart.frame.right
    assert left < first.reference < first.value < second.value < second.reference == right < 360 - RADIUS
    assert first.value == pytest.approx(chart.ticks[1].at)
    assert chart.frame.top < first.y < second.y < chart.frame.bottom < chart.frame.height


@pytest.mark.parametrize("pairs", [[], [(0.0, 0.0)], [(-1.0, -2.0)], [(-1.0, 2.0)]])
def test_without_pairs_on_the_axis_there_is_nothing_to_draw(pairs: list[tuple[float, float]]) -> None:
    assert pair_chart(pairs, labels=[str(n) for n in range(len(pairs))], width=720) is None


@pytest.mark.parametrize("end", [5e-324, 1e-300, 1e308])
def test_pairs_of_any_size_stay_inside_the_frame(end: float) -> None:
    chart = drawn_pairs((0.0, end))
    [pair] = chart.pairs
    assert chart.frame.left == pair.reference < pair.value <= chart.frame.right < 720 - RADIUS


def test_a_step_holds_until_the_next_one_begins() -> None:
    day = datetime(2026, 11, 1, tzinfo=UTC)
    values = [(day, 1.0), (day + timedelta(days=1), 1.5), (day + timedelta(days=3), 2.0)]
    chart = step_chart(values, until=day + timedelta(days=4), width=720, level=ReferenceLine(1.0, "-Oz"))
    points = [tuple(map(float, point.split(","))) for point in chart.points.split()]
    left, right = chart.frame.left, chart.frame.right
    quarter = (right - left) / 4
    assert [x for x, _ in points] == pytest.approx(
        [left, left + quarter, left + quarter, left + 3 * quarter, left + 3 * quarter, right], abs=0.1
    )
    heights = [y for _, y in points]
    assert heights[::2] == heights[1::2]
    assert heights[0] > heights[2] > heights[4], "higher values stand higher"
    assert chart.level.at == heights[0]
    assert [title for *_, title in chart.dots] == [
        "2026-11-01: 1.0000",
        "2026-11-02: 1.5000",
        "2026-11-04: 2.0000",
    ]
    assert [tick.label for tick in chart.x_ticks] == ["2026-11-01", "2026-11-05"]


def test_steps_that_are_too_many_for_dots_are_a_line() -> None:
    day = datetime(2026, 1, 1, tzinfo=UTC)
    for number, dots in ((40, 40), (41, 0)):
        values = [(day + timedelta(hours=hour), 1 + hour / 100) for hour in range(number)]
        chart = step_chart(values, until=day + timedelta(days=4), width=720)
        assert (len(chart.dots), len(chart.points.split())) == (dots, 2 * number)


@pytest.mark.parametrize(
    ("worst", "labels"), [(0.9, ["0.9000", "1.0000", "1.1000"]), (0.99, ["0.9900", "1.1000"])]
)
def test_a_level_is_labelled_unless_another_label_is_near(worst: float, labels: list[str]) -> None:
    values = [(NOON, worst), (NOON + timedelta(days=1), 1.1)]
    chart = step_chart(values, until=NOON, width=720, level=ReferenceLine(1.0, "-Oz"))
    assert [tick.label for tick in chart.y_ticks] == labels


def test_a_step_chart_of_one_value_is_a_line_and_of_none_is_none() -> None:
    morning = datetime(2026, 11, 1, 8, 30, tzinfo=UTC)
    assert step_chart([], until=morning, width=360) is None
    chart = step_chart([(morning, 1.0)], until=morning, width=360)
    assert len(chart.points.split()) == 2
    assert len(chart.y_ticks) == 1
    chart = step_chart([(morning, 1.0)], until=morning + timedelta(hours=2), width=360)
    assert [tick.label for tick in chart.x_ticks] == ["08:30 UTC", "10:30 UTC"]


def test_a_scatter_chart_puts_powers_of_ten_at_equal_distances() -> None:
    points = [Point(number, 1.0, "") for number in (1, 10, 100, 0)]
    chart = scatter_chart(points, width=720)
    first, second, third, nothing = (x for x, *_ in chart.dots)
    assert second - first == pytest.approx(third - second, abs=0.2)
    assert nothing == first
    assert [tick.label for tick in chart.x_ticks] == ["1", "10", "100"]
    assert scatter_chart(points[:1], width=720) is None


@given(st.floats(1e-3, 1e5), st.lists(st.floats(1e-6, 1), min_size=1, max_size=6))
def test_a_roofline_chart_has_each_value_below_its_roof(intensity: float, shares: list[float]) -> None:
    slope, flat = 4.2e12, 61.3e12
    limit = min(slope * intensity, flat)
    values = [(share * limit, f"{share:.0%}") for share in shares]
    chart = roofline_chart(values, intensity=intensity, slope=slope, flat=flat, width=360)
    frame = chart.frame
    corners = [tuple(map(float, corner.split(","))) for corner in chart.roof.split()]
    assert [x for x, _ in corners] == sorted(x for x, _ in corners)
    assert corners[-2][1] == corners[-1][1] == min(y for _, y in corners)
    for (x, y, text, _), (_, wanted) in zip(chart.dots, values, strict=True):
        assert text == wanted
        assert frame.left <= x <= frame.right
        assert frame.top <= y <= frame.bottom
        roof = next(
            y1 + (y2 - y1) * (x - x1) / (x2 - x1)
            for (x1, y1), (x2, y2) in itertools.pairwise(corners)
            if x <= x2
        )
        assert y >= roof - 0.5
