"""What is said of a claim about a metric that no two replays measure the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from optarena.specs import Metric
from optarena.specs.board import claim_status, claim_statuses, measured_intervals

values = st.floats(1e-6, 1e12)
intervals = st.tuples(values, values).map(lambda ends: (min(ends), max(ends)))


def metric(name: str, *, exact: bool = False, lower: bool = False) -> Metric:
    return Metric(name=name, title=name, unit="u", observation=name, exact=exact, lower_is_better=lower)


@given(intervals, st.booleans())
def test_a_claim_within_the_interval_is_consistent(
    interval: tuple[float, float],
    lower: bool,  # noqa: FBT001 - given by hypothesis
) -> None:
    for claimed in interval:
        assert claim_status(claimed=claimed, interval=interval, lower_is_better=lower) == "consistent"


@given(intervals)
def test_only_a_claim_better_than_the_whole_interval_is_optimistic(interval: tuple[float, float]) -> None:
    low, high = interval
    below, above = low / 2, high * 2
    assert claim_status(claimed=above, interval=interval, lower_is_better=False) == "optimistic"
    assert claim_status(claimed=below, interval=interval, lower_is_better=False) == "consistent"
    assert claim_status(claimed=below, interval=interval, lower_is_better=True) == "optimistic"
    assert claim_status(claimed=above, interval=interval, lower_is_better=True) == "consistent"


def test_a_status_needs_a_noisy_metric_a_claim_and_an_interval() -> None:
    metrics = [metric("speed"), metric("count", exact=True), metric("silent"), metric("unmeasured")]
    measured = measured_intervals({"interval": {"speed": [1, 2], "count": [1, 2], "silent": [1, 2]}})
    claims = {"speed": 3.0, "count": 3.0, "unmeasured": 3.0}
    assert claim_statuses(claims, metrics, measured) == {"speed": "optimistic"}


def test_a_measurement_without_intervals_has_none() -> None:
    assert measured_intervals({}) == {}
    assert measured_intervals({"interval": None}) == {}
    assert measured_intervals({"interval": [1, 2]}) == {}
    odd = {"a": 1, "b": [1], "c": [1, "2"], "d": [1, 2, 3], "e": [True, 2], "f": [1, 10**400], "g": [1, 2]}
    assert measured_intervals({"interval": odd}) == {"g": (1.0, 2.0)}
