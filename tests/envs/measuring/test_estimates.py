"""The errors of measured means, beside a library's own and beside simulations."""

from __future__ import annotations

import math
import random
import statistics
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.measuring.estimates import (
    LEAST_ERROR,
    Estimate,
    mean_of,
    of_blocks,
    of_measurement,
    spread_interval,
)

if TYPE_CHECKING:
    from collections.abc import Callable

ratios = st.lists(st.floats(0.1, 10.0), min_size=3, max_size=15)


@pytest.fixture(scope="module")
def students_interval() -> Callable[..., tuple[float, float]]:
    """A library's own; it takes a second to load, which not every process that collects tests must wait."""
    from scipy import stats  # noqa: PLC0415 - as above

    interval: Callable[..., tuple[float, float]] = stats.t.interval
    return interval


@given(found=ratios)
def test_an_interval_is_that_of_students_distribution(
    students_interval: Callable[..., tuple[float, float]], found: list[float]
) -> None:
    logs = [math.log(one) for one in found]
    estimate = of_blocks(found)
    assert estimate.ratio == pytest.approx(statistics.geometric_mean(found))
    low, high = estimate.interval
    assert low <= estimate.ratio <= high
    if statistics.variance(logs) > LEAST_ERROR**2:
        error = statistics.stdev(logs) / math.sqrt(len(logs))
        expected = students_interval(0.95, len(logs) - 1, loc=statistics.fmean(logs), scale=error)
        assert (math.log(low), math.log(high)) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    "found", [[], [1.0], [1.0, 1.1], [1.0, 0.0, 1.0], [1.0, -1.0, 1.0], [1.0, math.nan, 1.0]]
)
def test_too_few_or_impossible_ratios_have_no_estimate(found: list[float]) -> None:
    with pytest.raises(ValueError, match=r"ratio|blocks"):
        of_blocks(found)


def test_equal_readings_are_not_believed_without_end() -> None:
    estimate = of_blocks([2.0] * 5)
    assert estimate.variance == pytest.approx(LEAST_ERROR**2 / 5)
    low, high = estimate.interval
    assert low < 2.0 < high


@given(found=ratios, others=ratios)
def test_the_mean_of_two_benchmarks_has_welchs_degrees_of_freedom(
    found: list[float], others: list[float]
) -> None:
    one, two = of_blocks(found), of_blocks(others)
    both = mean_of([one, two], total=2)
    assert both is not None
    assert both.mean == pytest.approx((one.mean + two.mean) / 2)
    assert both.variance == pytest.approx((one.variance + two.variance) / 4)
    assert min(one.freedom, two.freedom) * 0.999 <= both.freedom <= (one.freedom + two.freedom) * 1.001


def test_a_benchmark_without_an_estimate_counts_as_the_reference() -> None:
    one = of_blocks([2.0, 2.1, 1.9])
    assert mean_of([one], total=4) == Estimate(one.mean / 4, one.variance / 16, one.freedom)
    assert mean_of([], total=4) is None


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    draw = random.Random(1)  # noqa: S311 # a simulation
    covered = expected = 0
    for _ in range(2_000):
        blocks = [math.exp(draw.gauss(0.1, 0.02)) for _ in range(6)]
        low, high = of_blocks(blocks[:5]).interval
        covered += low <= math.exp(0.1) <= high
        low, high = spread_interval(blocks[:5])
        expected += low <= blocks[5] <= high
    assert 0.93 < covered / 2_000 < 0.97
    assert 0.93 < expected / 2_000 < 0.97


@pytest.mark.parametrize(
    ("details", "count"),
    [
        ({}, 0),
        ({"blocks": 3}, 0),
        ({"blocks": [{"ratio": 1.0}, {"ratio": 1.1}]}, 0),
        ({"blocks": [{"ratio": 1.0}, {"ratio": 1.1}, {"ratio": "x"}, {"ratio": -1}, 7]}, 0),
        ({"blocks": [{"ratio": 1.0}, {"ratio": 1.1}, {"ratio": 1.2}, {"ratio": 9, "discarded": "off"}]}, 3),
    ],
)
def test_a_stored_measurement_has_an_estimate_if_enough_blocks_count(
    details: dict[str, object], count: int
) -> None:
    found = of_measurement(details)
    assert (found is not None) == bool(count)
    if found:
        assert found.freedom == count - 1
