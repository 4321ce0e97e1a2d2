"""Scores and ranks: exact values, and properties that hold for every input in both directions."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.boards import ranking
from leaderboard.boards.ranking import BoardScale, Counted, Reference, Score, score_board
from optarena.specs import board
from tests.kit.placing import Entry, place

values = st.floats(min_value=1e-6, max_value=1e12)
directions = st.booleans()


def references(pairs: dict[str, tuple[float, float]]) -> dict[str, Reference]:
    return {uri: Reference(baseline=one, unoptimised=other) for uri, (one, other) in pairs.items()}


boards = st.dictionaries(
    st.text("abcdefgh", min_size=1, max_size=4), st.tuples(values, values), min_size=1, max_size=8
)


def entry(  # noqa: PLR0913 - a row has this many properties
    key: int, score: float | None, *, group: str = "", actions: int = 0, order: float = 0, verified: int = 2
) -> Entry[int]:
    return Entry(
        key=key,
        group=group or str(key),
        score=Score(score=score, mean_improvement=score, verified=verified, total=2),
        effective_actions=actions,
        order=order,
    )


def test_ratio_is_one_at_the_baseline_and_bigger_is_better_in_both_directions() -> None:
    assert board.ratio(baseline=100, achieved=100, lower_is_better=True) == 1
    assert board.ratio(baseline=100, achieved=80, lower_is_better=True) == 1.25
    assert board.ratio(baseline=100, achieved=125, lower_is_better=False) == 1.25


def test_a_value_that_is_not_positive_and_finite_has_no_ratio() -> None:
    for value in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="positive finite"):
            board.ratio(baseline=1, achieved=value, lower_is_better=True)
        with pytest.raises(ValueError, match="positive finite"):
            board.ratio(baseline=value, achieved=1, lower_is_better=False)


def test_score_is_the_geometric_mean_over_all_benchmarks() -> None:
    refs = references({"a": (100, 300), "b": (100, 400)})
    score = score_board(refs, {"a": 50, "b": 200}, lower_is_better=True)
    assert score == Score(score=1.0, mean_improvement=-0.25, verified=2, total=2)


def test_a_missing_benchmark_counts_as_unoptimised_and_is_never_dropped() -> None:
    refs = references({"a": (100, 400), "b": (100, 400)})
    score = score_board(refs, {"a": 100}, lower_is_better=True)
    assert score.score == pytest.approx(0.5)
    assert score.mean_improvement == pytest.approx(-1.5)
    assert (score.verified, score.total, score.complete) == (1, 2, False)
    # Nor does it give credit where unoptimised beats the baseline.
    refs = references({"a": (100, 50), "b": (100, 200)})
    assert score_board(refs, {"b": 100}, lower_is_better=True).score == 1.0
    refs = references({"a": (100, 200), "b": (100, 50)})
    assert score_board(refs, {"b": 100}, lower_is_better=False).score == 1.0


def test_without_a_verified_benchmark_of_the_board_there_is_no_score() -> None:
    assert score_board(references({"a": (1, 2)}), {"x": 1.0}, lower_is_better=True).score is None
    assert score_board({}, {"a": 1}, lower_is_better=True).score is None
    score = score_measured([], {}, lower_is_better=False)
    assert (score.score, score.complete) == (None, False)


def test_a_product_that_would_underflow_keeps_its_score() -> None:
    refs = references({str(n): (2e-5, 1.0) for n in range(1000)})
    score = score_board(refs, dict.fromkeys(refs, 1.0), lower_is_better=True)
    assert score.score == pytest.approx(2e-5)


@given(pairs=boards, lower=directions, data=st.data())
def test_a_better_value_never_lowers_the_score(
    *,
    pairs: dict[str, tuple[float, float]],
    lower: bool,
    data: st.DataObject,
) -> None:
    refs = references(pairs)
    verified = {uri: data.draw(values) for uri in pairs}
    improved = data.draw(st.sampled_from(sorted(pairs)))
    better = verified | {improved: verified[improved] * (0.5 if lower else 2)}
    before = score_board(refs, verified, lower_is_better=lower)
    after = score_board(refs, better, lower_is_better=lower)
    assert before.score is not None
    assert after.score is not None
    assert after.score >= before.score


@given(pairs=boards, lower=directions, data=st.data())
def test_removing_a_value_no_worse_than_unoptimised_never_raises_the_score(
    *,
    pairs: dict[str, tuple[float, float]],
    lower: bool,
    data: st.DataObject,
) -> None:
    refs = references(pairs)
    verified = {
        uri: ranking.uncredited_value(one, lower_is_better=lower)
        * data.draw(st.floats(0.1, 1.0)) ** (1 if lower else -1)
        for uri, one in refs.items()
    }
    removed = data.draw(st.sampled_from(sorted(pairs)))
    less = {uri: value for uri, value in verified.items() if uri != removed}
    before = score_board(refs, verified, lower_is_better=lower)
    after = score_board(refs, less, lower_is_better=lower)
    assert after.score is None or (before.score is not None and after.score <= before.score)
    assert not after.complete


@pytest.mark.parametrize(
    ("entries", "places"),
    [
        (  # ties share a rank and the next is skipped
            [entry(1, 1.1), entry(2, 1.2), entry(3, 1.1), entry(4, 1.0)],
            [(2, 1), (1, 2), (3, 2), (4, 4)],
        ),
        (  # they stand in the order of time, then of fewer actions
            [entry(1, 1.0, actions=9, order=1), entry(2, 1.0, actions=9, order=2), entry(3, 1.0, order=2)],
            [(1, 1), (3, 1), (2, 1)],
        ),
        (  # only the best entry of an agent is ranked
            [entry(1, 1.2, group="a"), entry(2, 1.3, group="a"), entry(3, 1.1, group="b")],
            [(2, 1), (3, 2), (1, None)],
        ),
        # A complete entry stands for its agent before a better incomplete one ...
        ([entry(1, 1.5, group="a", verified=1), entry(2, 1.1, group="a")], [(2, 1), (1, None)]),
        # ... which is listed below however good it is.
        (
            [entry(1, 9.0, verified=1), entry(2, 0.2), entry(3, None, verified=0)],
            [(2, 1), (1, None), (3, None)],
        ),
    ],
)
def test_the_model_of_places(entries: list[Entry[int]], places: list[tuple[int, int | None]]) -> None:
    assert [(one.entry.key, one.rank) for one in place(entries)] == places


def test_a_score_without_one_ratio_is_that_of_the_others() -> None:
    assert ranking.score_without(2.0, 8.0, 3) == pytest.approx(1.0)
    assert ranking.score_without(2.0, 2.0, 1) is None
    # One that was rounded to zero says nothing about its parts.
    score = score_board({"a": Reference(baseline=1.0, unoptimised=1.0)}, {"a": 1e30}, lower_is_better=True)
    assert score.score == 0.0
    assert ranking.score_without(score.score, 1e-30, 2) is None


def test_plausibility_grows_with_the_best_verified_ratio() -> None:
    limits = {
        (1.5, None): 1.5,
        (1.5, 1.0): 1.5,
        (1.5, 1.2): 1.5,
        (1.5, 2.0): 2.5,
        (20, None): 20,
        (20, 2.0): 20,
    }
    assert {one: ranking.plausible_limit(*one) for one in limits} == limits


def score_measured(benchmarks: list[str], ratios: dict[str, float], *, lower_is_better: bool) -> Score:
    """The score of verified items whose replays measured their own references."""
    scale = BoardScale(benchmarks=benchmarks, baselines={}, references=None, lower_is_better=lower_is_better)
    totals = scale.nothing()
    for uri, ratio in ratios.items():
        item = Counted(uri, pending=False, verified=True, value=None, log_ratio=ratio, effective_actions=None)
        scale.count(item, totals)
    return scale.score(totals, benchmarks=len(benchmarks))


logs = st.dictionaries(
    st.text("abcdefgh", min_size=1, max_size=4), st.floats(-20, 20), min_size=1, max_size=8
)


def test_a_measured_score_is_the_geometric_mean_of_the_ratios() -> None:
    ratios = {"a": math.log(4.0), "b": math.log(1.0), "of another board": 9.0}
    more, less = (score_measured(["a", "b"], ratios, lower_is_better=lower) for lower in (False, True))
    assert (more.score, more.verified, more.total) == (2.0, 2, 2)
    assert more.mean_improvement == pytest.approx((3 + 0) / 2)
    assert less.mean_improvement == pytest.approx((0.75 + 0) / 2)
    for log_ratio in (math.nan, math.inf, -math.inf):
        with pytest.raises(ValueError, match="finite"):
            score_measured(["a"], {"a": log_ratio}, lower_is_better=False)


@given(pairs=boards, lower=directions, data=st.data())
def test_a_measured_score_is_that_of_recorded_baselines_of_the_same_values(
    *,
    pairs: dict[str, tuple[float, float]],
    lower: bool,
    data: st.DataObject,
) -> None:
    verified = {uri: data.draw(st.floats(1e-2, 1e6)) for uri in pairs}
    refs = references({uri: (data.draw(st.floats(1e-2, 1e6)), 1.0) for uri in pairs})
    recorded = score_board(refs, verified, lower_is_better=lower)
    ratios = {
        uri: math.log(board.ratio(baseline=one.baseline, achieved=verified[uri], lower_is_better=lower))
        for uri, one in refs.items()
    }
    measured = score_measured(list(refs), ratios, lower_is_better=lower)
    assert measured.score == pytest.approx(recorded.score, rel=1e-9, abs=1e-11)
    assert measured.mean_improvement == pytest.approx(recorded.mean_improvement, rel=1e-9, abs=1e-9)


@given(ratios=logs, lower=directions, data=st.data())
def test_a_measured_benchmark_that_a_row_lacks_counts_as_the_reference_and_the_row_never_ranks(
    *, ratios: dict[str, float], lower: bool, data: st.DataObject
) -> None:
    benchmarks = sorted(ratios)
    lacking = data.draw(st.sets(st.sampled_from(benchmarks), min_size=1))
    less = {uri: one for uri, one in ratios.items() if uri not in lacking}
    score = score_measured(benchmarks, less, lower_is_better=lower)
    full = score_measured(benchmarks, less | dict.fromkeys(lacking, 0.0), lower_is_better=lower)
    assert score.score == (full.score if less else None)
    assert (score.verified, score.total) == (len(less), len(benchmarks))
    [placed] = place([Entry(key=1, group=1, score=score, effective_actions=0, order=0.0)])
    assert placed.rank is None
