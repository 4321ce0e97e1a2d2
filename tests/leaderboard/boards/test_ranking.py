"""Scores and ranks: exact values, and properties that hold for every input in both directions."""

from __future__ import annotations

import math
import random

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


@st.composite
def entries(draw: st.DrawFn) -> list[Entry[int]]:
    count = draw(st.integers(0, 20))
    made = []
    for key in range(count):
        total = draw(st.integers(0, 3))
        verified = draw(st.integers(0, total))
        score = draw(st.sampled_from([None, 0.5, 1.0, 1.0, 1.5]))
        made.append(
            Entry(
                key=key,
                group=draw(st.sampled_from("abcd")),
                score=Score(score=score, mean_improvement=score, verified=verified, total=total),
                effective_actions=draw(st.integers(0, 5)),
                order=float(draw(st.integers(0, 5))),
            )
        )
    return made


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


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_a_value_that_is_not_positive_and_finite_has_no_ratio(value: float) -> None:
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


def test_a_missing_benchmark_gives_no_credit_where_unoptimised_beats_the_baseline() -> None:
    refs = references({"a": (100, 50), "b": (100, 200)})
    assert score_board(refs, {"b": 100}, lower_is_better=True).score == 1.0
    refs = references({"a": (100, 200), "b": (100, 50)})
    assert score_board(refs, {"b": 100}, lower_is_better=False).score == 1.0


def test_without_a_verified_benchmark_there_is_no_score() -> None:
    assert score_board(references({"a": (1, 2)}), {}, lower_is_better=True).score is None
    assert score_board({}, {"a": 1}, lower_is_better=True).score is None


def test_values_of_other_boards_do_not_count() -> None:
    refs = references({"a": (100, 200)})
    assert score_board(refs, {"x": 1.0}, lower_is_better=True).verified == 0


def test_a_product_that_would_underflow_keeps_its_score() -> None:
    refs = references({str(n): (2e-5, 1.0) for n in range(1000)})
    score = score_board(refs, dict.fromkeys(refs, 1.0), lower_is_better=True)
    assert score.score == pytest.approx(2e-5)


@given(pairs=boards, lower=directions, data=st.data())
def test_score_does_not_depend_on_the_order_of_benchmarks(
    *,
    pairs: dict[str, tuple[float, float]],
    lower: bool,
    data: st.DataObject,
) -> None:
    refs = references(pairs)
    verified = {uri: data.draw(values) for uri in pairs}
    shuffled = list(refs)
    random.Random(1).shuffle(shuffled)  # noqa: S311 - no secret
    again = score_board({uri: refs[uri] for uri in shuffled}, verified, lower_is_better=lower)
    assert again == score_board(refs, verified, lower_is_better=lower)


@given(pairs=boards, lower=directions)
def test_the_baseline_itself_scores_one(*, pairs: dict[str, tuple[float, float]], lower: bool) -> None:
    refs = references(pairs)
    score = score_board(refs, {uri: one.baseline for uri, one in refs.items()}, lower_is_better=lower)
    assert score.score == 1.0
    assert score.mean_improvement == 0.0
    assert score.complete


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


def test_ties_share_a_rank_and_the_next_is_skipped() -> None:
    placed = place([entry(1, 1.1), entry(2, 1.2), entry(3, 1.1), entry(4, 1.0)])
    assert [(one.entry.key, one.rank) for one in placed] == [(2, 1), (1, 2), (3, 2), (4, 4)]


def test_ties_stand_in_the_order_of_time_then_of_fewer_actions() -> None:
    placed = place(
        [
            entry(1, 1.0, actions=9, order=1),
            entry(2, 1.0, actions=9, order=2),
            entry(3, 1.0, actions=3, order=2),
        ]
    )
    assert [(one.entry.key, one.rank) for one in placed] == [(1, 1), (3, 1), (2, 1)]


def test_only_the_best_entry_of_an_agent_is_ranked_and_the_others_are_listed() -> None:
    placed = place([entry(1, 1.2, group="a"), entry(2, 1.3, group="a"), entry(3, 1.1, group="b")])
    assert [(one.entry.key, one.rank, one.best) for one in placed] == [
        (2, 1, True),
        (3, 2, True),
        (1, None, False),
    ]


def test_a_complete_entry_stands_for_its_agent_before_a_better_incomplete_one() -> None:
    placed = place([entry(1, 1.5, group="a", verified=1), entry(2, 1.1, group="a")])
    assert [(one.entry.key, one.rank, one.best) for one in placed] == [(2, 1, True), (1, None, False)]


def test_an_incomplete_entry_is_listed_below_however_good_it_is() -> None:
    placed = place([entry(1, 9.0, verified=1), entry(2, 0.2), entry(3, None, verified=0)])
    assert [(one.entry.key, one.rank) for one in placed] == [(2, 1), (1, None), (3, None)]


def test_a_score_without_one_ratio_is_that_of_the_others() -> None:
    assert ranking.score_without(2.0, 8.0, 3) == pytest.approx(1.0)
    assert ranking.score_without(2.0, 2.0, 1) is None


def test_a_score_that_was_rounded_to_zero_says_nothing_about_its_parts() -> None:
    score = score_board({"a": Reference(baseline=1.0, unoptimised=1.0)}, {"a": 1e30}, lower_is_better=True)
    assert score.score == 0.0
    assert ranking.score_without(score.score, 1e-30, 2) is None


@given(entries())
def test_no_row_without_score_or_coverage_ever_ranks(rows: list[Entry[int]]) -> None:
    for one in place(rows):
        if one.rank is not None:
            assert one.entry.score.score is not None
            assert one.entry.score.complete
            assert one.best


@given(entries())
def test_every_row_is_placed_once(rows: list[Entry[int]]) -> None:
    placed = place(rows)
    assert sorted(one.entry.key for one in placed) == sorted(one.key for one in rows)
    assert [one.position for one in placed] == list(range(1, len(rows) + 1))


@given(entries())
def test_rank_is_one_more_than_the_number_of_better_ranked_rows(rows: list[Entry[int]]) -> None:
    ranked = [one for one in place(rows) if one.rank is not None]
    scores = [one.entry.score.score or 0.0 for one in ranked]
    for one, score in zip(ranked, scores, strict=True):
        assert one.rank == 1 + sum(other > score for other in scores)
    assert scores == sorted(scores, reverse=True)


@given(entries())
def test_unranked_rows_follow_ranked_ones_and_scoreless_rows_come_last(rows: list[Entry[int]]) -> None:
    placed = place(rows)
    ranks = [one.rank is None for one in placed]
    assert ranks == sorted(ranks)


@given(entries(), st.randoms())
def test_places_do_not_depend_on_the_order_of_rows_that_differ(
    rows: list[Entry[int]], shuffle: random.Random
) -> None:
    distinct = list({(one.score.score, one.effective_actions, one.order): one for one in rows}.values())
    shuffled = list(distinct)
    shuffle.shuffle(shuffled)
    ranks = {one.entry.key: one.rank for one in place(shuffled)}
    assert ranks == {one.entry.key: one.rank for one in place(distinct)}


@pytest.mark.parametrize(
    ("floor", "best", "limit"),
    [(1.5, None, 1.5), (1.5, 1.0, 1.5), (1.5, 1.2, 1.5), (1.5, 2.0, 2.5), (20, None, 20), (20, 2.0, 20)],
)
def test_plausibility_grows_with_the_best_verified_ratio(
    floor: float, best: float | None, limit: float
) -> None:
    assert ranking.plausible_limit(floor, best) == limit


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
    ratios = {"a": math.log(4.0), "b": math.log(1.0)}
    score = score_measured(["a", "b"], ratios, lower_is_better=False)
    assert (score.score, score.verified, score.total) == (2.0, 2, 2)
    assert score.mean_improvement == pytest.approx((3 + 0) / 2)
    assert score_measured(["a", "b"], ratios, lower_is_better=True).mean_improvement == pytest.approx(
        (0.75 + 0) / 2
    )


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


@given(ratios=logs, lower=directions)
def test_ratios_of_other_benchmarks_do_not_count(*, ratios: dict[str, float], lower: bool) -> None:
    benchmarks = sorted(ratios)
    before = score_measured(benchmarks, ratios, lower_is_better=lower)
    assert score_measured(benchmarks, ratios | {"x": 9.0}, lower_is_better=lower) == before


def test_a_board_without_benchmarks_has_no_score() -> None:
    score = score_measured([], {}, lower_is_better=False)
    assert (score.score, score.complete) == (None, False)


@pytest.mark.parametrize("log_ratio", [math.nan, math.inf, -math.inf])
def test_a_logarithm_that_is_not_finite_is_refused(log_ratio: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        score_measured(["a"], {"a": log_ratio}, lower_is_better=False)


@given(entries())
def test_no_row_of_a_provisional_board_ranks_and_all_stand_as_they_would_with_ranks(
    rows: list[Entry[int]],
) -> None:
    without = place(rows, provisional=True)
    assert all(one.rank is None for one in without)
    assert [(one.entry.key, one.position, one.best) for one in without] == [
        (one.entry.key, one.position, one.best) for one in place(rows)
    ]
