"""How figures, effort classes and charts come out."""

from __future__ import annotations

import pytest

from leaderboard.effort import effort_class
from leaderboard.models import Board
from leaderboard.selectors.export import spreadsheet_safe
from leaderboard.templatetags import boards
from leaderboard.web.charts import HEIGHT, LEFT, MAX_POINTS, NARROW, TOP, WIDE, line_chart, pair_chart


@pytest.mark.parametrize(
    ("compilations", "expected"),
    [
        (None, "not reported"),
        (0, "zero-shot"),
        (1, "zero-shot"),
        (2, "≤ 50"),
        (50, "≤ 50"),
        (51, "≤ 1000"),
        (1000, "≤ 1000"),
        (1001, "unlimited"),
    ],
)
def test_effort_has_four_classes_and_one_for_silence(compilations: int | None, expected: str) -> None:
    assert effort_class(compilations) == expected


@pytest.mark.parametrize("name", ["score", "signed_percent", "number", "duration", "level"])
def test_what_does_not_exist_is_a_dash(name: str) -> None:
    assert getattr(boards, name)(None) == boards.NOTHING


def test_figures_are_written_for_people() -> None:
    assert boards.score(1.23456) == "1.2346"
    assert boards.signed_percent(0.051) == "+5.10 %"
    assert boards.signed_percent(-0.051) == "\N{MINUS SIGN}5.10 %"
    assert boards.number(12345.0) == "12,345"
    assert boards.number(1.5) == "1.5"
    assert [boards.duration(s) for s in (0.5, 12, 120, 7200, 172800)] == [
        "500 ms",
        "12.0 s",
        "2 min",
        "2.0 h",
        "2.0 days",
    ]
    assert [boards.level(name) for name in ("Oz", "O2", "Ofast", "LPT", "Optimal")] == [
        "-Oz",
        "-O2",
        "-Ofast",
        "LPT",
        "Optimal",
    ]
    assert boards.get({"a": 1}, "a") == 1
    assert boards.get(None, "a") == ""


@pytest.mark.parametrize("text", ["=cmd()", "+1", "-1", "@x"])
def test_a_name_that_a_spreadsheet_would_run_is_defused(text: str) -> None:
    assert spreadsheet_safe(text) == f"'{text}"
    assert spreadsheet_safe("greedy") == "greedy"


def test_a_chart_of_broken_numbers_is_labelled_with_them() -> None:
    chart = line_chart([1.25, 0.75])
    assert chart is not None
    assert [tick.label for tick in chart.y_ticks] == ["0.75", "1", "1.25"]


def test_a_chart_spans_its_frame() -> None:
    chart = line_chart([100.0, 50.0, 75.0])
    assert chart is not None
    points = [tuple(map(float, pair.split(","))) for pair in chart.points.split()]
    assert points[0] == (LEFT, TOP)
    assert points[1][1] == chart.bottom
    assert points[2][0] == chart.right
    assert chart.right < WIDE
    assert chart.bottom < HEIGHT


def test_a_narrow_chart_stays_inside_its_width() -> None:
    chart = line_chart([100.0, 50.0, 75.0], width=NARROW)
    assert chart is not None
    assert chart.right < chart.width == NARROW
    assert chart.points.split()[-1].startswith(f"{chart.right:.1f},")


def test_a_chart_needs_two_values_and_survives_equal_ones() -> None:
    assert line_chart([1.0]) is None
    assert line_chart([5.0, 5.0]) is not None


def test_a_level_is_inside_the_chart_whatever_the_values() -> None:
    chart = line_chart([100.0, 90.0], level=10.0)
    assert chart is not None
    assert chart.level == chart.bottom


def test_a_long_run_is_thinned_and_keeps_its_end() -> None:
    chart = line_chart([float(n) for n in range(10_001)])
    assert chart is not None
    points = chart.points.split()
    assert len(points) <= MAX_POINTS + 1
    assert points[-1].startswith(f"{chart.right:.1f},")


def test_pairs_are_drawn_from_zero_on_and_inside_the_frame() -> None:
    chart = pair_chart([(1.0, 2.0), (4.0, 3.0)], width=NARROW)
    assert chart is not None
    assert [pair.label for pair in chart.pairs] == ["1", "2"]
    assert [tick.label for tick in chart.ticks] == ["0", "2", "4"]
    first, second = chart.pairs
    assert LEFT < first.reference < first.value < second.value < second.reference < chart.right < NARROW
    assert first.value == pytest.approx(chart.ticks[1].at)
    assert TOP < first.y < second.y < chart.bottom < chart.height


def test_pairs_have_the_names_they_are_given() -> None:
    chart = pair_chart([(1.0, 2.0), (4.0, 3.0)], labels=["2", "5"])
    assert chart is not None
    assert [pair.label for pair in chart.pairs] == ["2", "5"]


@pytest.mark.parametrize("pairs", [[], [(0.0, 0.0)], [(-1.0, -2.0)], [(-1.0, 2.0)]])
def test_without_pairs_on_the_axis_there_is_nothing_to_draw(pairs: list[tuple[float, float]]) -> None:
    assert pair_chart(pairs) is None


@pytest.mark.parametrize("end", [5e-324, 1e-300, 1e308])
def test_pairs_of_any_size_stay_inside_the_frame(end: float) -> None:
    chart = pair_chart([(0.0, end)])
    assert chart is not None
    assert LEFT == chart.pairs[0].reference < chart.pairs[0].value < chart.right


def test_a_ratio_of_one_stands_for_a_level_or_for_the_reference() -> None:
    assert boards.yardstick(Board(baseline_level="Oz")) == "-Oz"
    assert boards.yardstick(Board(baseline_level="", reference_metric="reference_gflops")) == "the reference"
