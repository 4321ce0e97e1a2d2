"""The geometry of the dot charts."""

from __future__ import annotations

import pytest

from datasets.web.charts import Series, dot_chart

LEVELS = ("O0", "O1", "O2", "O3", "Oz")
FULL = {"O0": 400, "O1": 200, "O2": 220, "O3": 420, "Oz": 100}


def test_dots_stand_at_their_share_of_o0() -> None:
    chart = dot_chart([Series("a", "/a/", FULL)], levels=LEVELS, unit="bytes", width=524, left=100)
    assert chart is not None
    full = next(tick.x for tick in chart.ticks if tick.label == "100%")
    xs = [dot.x for dot in chart.rows[0].dots]
    assert xs[0] == pytest.approx(full, abs=0.2)
    assert xs[4] - chart.left == pytest.approx((full - chart.left) / 4, abs=0.2)
    assert (chart.rows[0].x_min, chart.rows[0].x_max) == (min(xs), max(xs))


@pytest.mark.parametrize("highest", [400, 401, 800, 900, 4_000, 40_000, 4_000_000])
def test_every_dot_lies_inside_the_drawing_and_ticks_stay_few(highest: int) -> None:
    chart = dot_chart(
        [Series("a", "/a/", {**FULL, "O3": highest})], levels=LEVELS, unit="bytes", width=360, left=96
    )
    assert chart is not None
    assert all(96 <= dot.x <= 360 - 5 for dot in chart.rows[0].dots)
    assert 2 <= len(chart.ticks) <= 8
    assert chart.ticks[-1].x <= 360


def test_benchmarks_without_values_are_left_out() -> None:
    chart = dot_chart(
        [Series("a", "/a/", {}), Series("b", "/b/", FULL)], levels=LEVELS, unit="bytes", width=360, left=96
    )
    assert chart is not None
    assert [row.label for row in chart.rows] == ["b"]
    assert dot_chart([Series("a", "/a/", {})], levels=LEVELS, unit="bytes", width=360, left=96) is None


def test_a_missing_level_has_no_dot() -> None:
    chart = dot_chart(
        [Series("a", "/a/", {"O0": 4, "Oz": 2})], levels=LEVELS, unit="bytes", width=360, left=96
    )
    assert chart is not None
    assert [dot.css for dot in chart.rows[0].dots] == ["s1", "s5"]
