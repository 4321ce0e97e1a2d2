"""Blocks of pairs in turns, the control chart, and the errors of measured means."""

from __future__ import annotations

import itertools
import math
import pickle
import random
import re
import statistics
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.errors import InfrastructureFault
from optarena.measuring.blocks import (
    MeasuredBlock,
    Metrics,
    apply_control_chart,
    measure,
    pool_measurements,
    read_in_turns,
)
from optarena.measuring.estimates import (
    LEAST_ERROR,
    of_blocks,
    of_measurement,
    spread_interval,
)
from optarena.specs.results import MeasurementPlan

METRICS = Metrics(value="seconds", reference="reference_seconds", ratio="speedup")


def block(reference: float, ratio: float = 1.1, **machine: object) -> MeasuredBlock:
    return MeasuredBlock(
        candidate={"seconds": reference / ratio},
        reference={"seconds": reference},
        pairs=(ratio,),
        level=reference,
        machine={"device": "a processor", **machine},
    )


def measured(blocks: Iterable[MeasuredBlock]) -> tuple[dict[str, float], list[dict[str, object]]]:
    waiting = iter(blocks)
    found = measure(lambda: next(waiting), MeasurementPlan(), METRICS)
    return dict(found.metrics), found.details["blocks"]


def test_a_plan_can_be_handed_to_another_process() -> None:
    plan = MeasurementPlan(blocks=3)
    assert pickle.loads(pickle.dumps(plan)) == plan  # noqa: S301 # made here


def test_the_order_changes_with_each_pair() -> None:
    told: list[str] = []

    def reading(name: str) -> str:
        told.append(name)
        return name

    pairs = read_in_turns(lambda: reading("A"), lambda: reading("B"), pairs=4)
    assert "".join(told) == "ABBAABBA"
    assert pairs == [("A", "B")] * 4


def test_a_blocks_ratio_is_the_median_of_its_pairs() -> None:
    assert replace(block(1.0), pairs=(1.0, 4.0, 9.0)).ratio == pytest.approx(4.0)
    assert replace(block(1.0), pairs=(1.0, 4.0)).ratio == pytest.approx(2.0)


def test_the_ratio_is_the_mean_of_the_blocks_and_the_middle_block_gives_the_figures() -> None:
    metrics, blocks = measured(block(1.0, ratio) for ratio in (1.0, 1.2, 1.1, 1.3, 1.15))
    assert metrics["speedup"] == pytest.approx((1.0 * 1.2 * 1.1 * 1.3 * 1.15) ** (1 / 5))
    assert (metrics["seconds"], metrics["reference_seconds"]) == (1.0 / 1.15, 1.0)
    assert [one["ratio"] for one in blocks] == pytest.approx([1.0, 1.2, 1.1, 1.3, 1.15])
    assert all("discarded" not in one for one in blocks)


def test_a_block_whose_reference_is_far_off_is_measured_again() -> None:
    levels = (1.0, 1.01, 1.5, 0.99, 1.0, 1.02)
    metrics, blocks = measured(block(level, 7.0 if level > 1.1 else 1.1) for level in levels)
    assert ["discarded" in one for one in blocks] == [False, False, True, False, False, False]
    assert str(blocks[2]["discarded"]).startswith("the reference is +")
    assert metrics["speedup"] == pytest.approx(1.1)


@pytest.mark.parametrize(("off", "told"), [(-0.36, "-26.7% .*limit is -25.9%"), (0.36, "36.3% .*is .35.0%")])
def test_a_discarded_block_is_beyond_the_limit_that_it_tells(off: float, told: str) -> None:
    done = apply_control_chart([block(math.exp(level)) for level in (-0.2, -0.1, 0.0, 0.1, 0.2, off)])
    assert not any(one.discarded for one in done[:-1])
    assert re.search(told, done[-1].discarded)


def test_progress_counts_the_blocks_that_count() -> None:
    waiting = iter([block(1.0), block(1.0), block(2.0), block(1.0)])
    seen: list[tuple[int, int]] = []
    measure(
        lambda: next(waiting), MeasurementPlan(blocks=3, between=lambda *told: seen.append(told)), METRICS
    )
    assert seen == [(0, 3), (1, 3), (2, 3), (2, 3), (3, 3)]


def test_a_machine_that_never_stays_the_same_measures_nothing() -> None:
    endless = (2.0**number for number in itertools.count())
    with pytest.raises(InfrastructureFault) as caught:
        measure(lambda: block(next(endless)), MeasurementPlan(), METRICS)
    assert caught.value.reason == "infra:unsteady-machine"


@given(
    levels=st.lists(st.floats(1e-3, 1e3), min_size=3, max_size=12),
    ratios=st.lists(st.floats(1e-3, 1e3), min_size=12, max_size=12),
)
def test_no_candidate_has_a_say_in_which_blocks_count(levels: list[float], ratios: list[float]) -> None:
    some = apply_control_chart([block(level) for level in levels])
    others = apply_control_chart([block(level, ratio) for level, ratio in zip(levels, ratios, strict=False)])
    assert [one.discarded for one in some] == [one.discarded for one in others]
    steady = apply_control_chart([block(math.exp(0.02 * math.sin(level))) for level in levels])
    assert not any(one.discarded for one in steady)


def test_facts_that_all_blocks_share_are_told_once() -> None:
    waiting = iter([block(1.0, load=number) for number in range(5)])
    found = measure(lambda: next(waiting), MeasurementPlan(), METRICS)
    assert found.details["machine"] == {"device": "a processor"}
    assert [one["machine"] for one in found.details["blocks"]] == [{"load": number} for number in range(5)]
    assert found.details["device"] == "a processor"


def test_whole_blocks_of_an_interrupted_measurement_are_not_measured_again() -> None:
    kept: list[Mapping[str, object]] = []
    few = iter([block(1.0, 1.1), block(1.01, 1.2)])
    with pytest.raises(StopIteration):
        measure(lambda: next(few), MeasurementPlan(keep=kept.append), METRICS)
    assert len(kept) == 2
    seen: list[tuple[int, int]] = []
    plan = MeasurementPlan(kept=kept, between=lambda *told: seen.append(told))
    rest = iter([block(1.0, 1.1), block(0.99, 1.3), block(1.0, 1.1)])
    found = measure(lambda: next(rest), plan, METRICS)
    assert [one["ratio"] for one in found.details["blocks"]] == pytest.approx([1.1, 1.2, 1.1, 1.3, 1.1])
    assert seen == [(2, 5), (3, 5), (4, 5), (5, 5)]


def test_a_kept_block_is_judged_with_the_others() -> None:
    kept = [block(level).as_dict() for level in (1.0, 1.6, 1.01, 1.0)]
    found = measure(lambda: block(1.0), MeasurementPlan(kept=kept), METRICS)
    assert ["discarded" in one for one in found.details["blocks"]] == [
        False,
        True,
        False,
        False,
        False,
        False,
    ]


def test_what_an_unsteady_machine_left_uses_up_no_block_of_the_next() -> None:
    kept = [block(2.0**number).as_dict() for number in range(15)]
    found = measure(lambda: block(128.0), MeasurementPlan(kept=kept), METRICS)
    assert [one["level"] for one in found.details["blocks"] if "discarded" not in one] == [128.0] * 5


def test_measurements_of_one_program_make_one_together() -> None:
    few = measure(lambda: block(1.0, 1.1, kernel="6.1"), MeasurementPlan(), METRICS)
    more = measure(lambda: block(1.0, 1.3, kernel="6.2"), MeasurementPlan(blocks=4), METRICS)
    both = pool_measurements([few.details, more.details])
    assert both.metrics["speedup"] == pytest.approx((1.1**5 * 1.3**4) ** (1 / 9))
    assert len(both.details["blocks"]) == 9
    assert both.details["machine"] == {"device": "a processor"}
    assert [one["machine"]["kernel"] for one in both.details["blocks"]] == ["6.1"] * 5 + ["6.2"] * 4
    alone = pool_measurements([few.details])
    assert (alone.metrics, alone.details) == (few.metrics, few.details)


def test_an_imitated_device_stays_imitated_in_a_pool() -> None:
    real = measure(lambda: block(1.0), MeasurementPlan(), METRICS)
    imitated = measure(lambda: replace(block(1.0), emulated=True), MeasurementPlan(), METRICS)
    assert not real.details["emulated"]
    assert pool_measurements([real.details, imitated.details]).details["emulated"]


ratios = st.lists(st.floats(0.1, 10.0), min_size=3, max_size=15)


@pytest.fixture(scope="module")
def students_interval() -> Callable[..., tuple[float, float]]:
    """A library's own; it takes a second to load, which not every process that collects tests must wait."""
    from scipy import stats  # noqa: PLC0415 - as above

    interval: Callable[..., tuple[float, float]] = stats.t.interval
    return interval


@pytest.mark.soak
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
def test_a_measurement_has_an_estimate_if_enough_blocks_count(details: dict[str, object], count: int) -> None:
    found = of_measurement(details)
    assert (found is not None) == bool(count)
    if found:
        assert found.freedom == count - 1
