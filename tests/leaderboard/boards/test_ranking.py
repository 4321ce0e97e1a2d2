"""Scores, totals and ranks: exact values, simulations, and properties that hold for every input."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.site.formats import NOTHING
from datasets.site.templatetags import site as site_tags
from leaderboard.boards import ranking
from leaderboard.boards.queries import reference_name, spreadsheet_safe
from leaderboard.boards.ranking import (
    MOST_COMPARED,
    BoardScale,
    Counted,
    Reference,
    Score,
    Totals,
    effort_class,
    exact_sum_text,
    rank_intervals,
    read_exact_sum,
    rejected,
    score_board,
)
from leaderboard.models import Board
from optarena.measuring.estimates import Estimate, of_blocks
from optarena.specs import Metric, board
from optarena.specs.board import compared_words, saving
from runner.models import EnvironmentVersion


def references(pairs: dict[str, tuple[float, float]]) -> dict[str, Reference]:
    return {uri: Reference(baseline=one, unoptimised=other) for uri, (one, other) in pairs.items()}


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
    scale = BoardScale(benchmarks=benchmarks, baselines={}, references=None, lower_is_better=lower_is_better)
    totals = scale.nothing()
    for uri, ratio in ratios.items():
        item = Counted(uri, pending=False, verified=True, value=None, log_ratio=ratio, effective_actions=None)
        scale.count(item, totals)
    return scale.score(totals, benchmarks=len(benchmarks))


def test_a_measured_score_is_the_geometric_mean_of_the_ratios() -> None:
    ratios = {"a": math.log(4.0), "b": math.log(1.0), "of another board": 9.0}
    more, less = (score_measured(["a", "b"], ratios, lower_is_better=lower) for lower in (False, True))
    assert (more.score, more.verified, more.total) == (2.0, 2, 2)
    assert more.mean_improvement == pytest.approx((3 + 0) / 2)
    assert less.mean_improvement == pytest.approx((0.75 + 0) / 2)
    for log_ratio in (math.nan, math.inf, -math.inf):
        with pytest.raises(ValueError, match="finite"):
            score_measured(["a"], {"a": log_ratio}, lower_is_better=False)


estimates = st.lists(
    st.builds(Estimate, st.floats(-1, 1), st.floats(1e-8, 1e-2), st.floats(2, 100)), max_size=12
)


@given(scores=estimates)
def test_entries_with_the_same_replays_share_their_ranks(scores: list[Estimate]) -> None:
    both = rank_intervals((*scores, *scores))
    for one, other in zip(both[: len(scores)], both[len(scores) :], strict=True):
        assert one == other
        assert one.low < one.high


@given(scores=estimates)
def test_a_better_score_never_stands_wholly_behind_a_worse_one(scores: list[Estimate]) -> None:
    found = rank_intervals(tuple(scores))
    shown = list(zip(scores, found, strict=True))
    assert all(own.low <= its.high for one, own in shown for other, its in shown if one.mean > other.mean)
    assert rank_intervals(tuple(scores[::-1])) == found[::-1], "the order of submission does not matter"


def naive(probabilities: Sequence[float], level: float) -> list[bool]:
    """Holm's procedure in his own words."""
    found = [False] * len(probabilities)
    for number, index in enumerate(sorted(range(len(probabilities)), key=probabilities.__getitem__)):
        if probabilities[index] > level / (len(probabilities) - number):
            break
        found[index] = True
    return found


@given(probabilities=st.lists(st.floats(0, 1), max_size=20), level=st.floats(0.001, 0.2))
def test_hypotheses_are_rejected_as_holm_says(probabilities: list[float], level: float) -> None:
    assert list(rejected(np.array(probabilities), level)) == naive(probabilities, level)


def test_an_example_by_hand() -> None:
    scores = tuple(Estimate(mean, 0.01**2, 50.0) for mean in (0.30, 0.29, 0.10, 0.0))
    assert rank_intervals(scores) == ((1, 2), (1, 2), (3, 3), (4, 4))
    assert rank_intervals(()) == ()
    assert rank_intervals(scores[:1]) == ((1, 1),)


def test_more_entries_than_can_be_compared_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be compared"):
        rank_intervals((Estimate(0.0, 1e-4, 9.0),) * (MOST_COMPARED + 1))


def simulated(draw: random.Random, gaps: Sequence[float], programs: int = 5) -> tuple[Estimate, ...]:
    """Entries that differ so much, measured in five blocks of 1 % noise on each program."""
    found = []
    for gap in gaps:
        parts = [of_blocks([math.exp(draw.gauss(gap, 0.01)) for _ in range(5)]) for _ in range(programs)]
        variance = sum(one.variance for one in parts)
        freedom = variance**2 / sum(one.variance**2 / one.freedom for one in parts)  # Welch's
        found.append(Estimate(sum(one.mean for one in parts) / programs, variance / programs**2, freedom))
    return tuple(found)


def test_equal_entries_are_split_in_at_most_one_of_twenty_boards() -> None:
    draw = random.Random(7)  # noqa: S311 # a simulation
    split = sum(set(rank_intervals(simulated(draw, [0.0] * 6))) != {(1, 6)} for _ in range(400))
    assert split / 400 <= 0.08  # 5 %, and three standard errors


def test_a_clear_difference_is_found_and_never_the_wrong_way_round() -> None:
    draw = random.Random(8)  # noqa: S311 # a simulation
    boards = [rank_intervals(simulated(draw, [0.03, 0.0])) for _ in range(100)]
    assert sum(board == ((1, 1), (2, 2)) for board in boards) >= 95
    assert ((2, 2), (1, 1)) not in boards


URIS: Final = tuple("abcdef")
totalled_values = st.floats(min_value=1e-6, max_value=1e12)
drawn_references = st.fixed_dictionaries(
    {uri: st.builds(Reference, baseline=totalled_values, unoptimised=totalled_values) for uri in URIS}
)


def verified(uri: str, value: float) -> Counted:
    return Counted(
        uri, pending=False, verified=True, value=value, log_ratio=math.log(value), effective_actions=2
    )


def pending(uri: str) -> Counted:
    return Counted(uri, pending=True, verified=False, value=None, log_ratio=None, effective_actions=None)


def scale_of(found: dict[str, Reference] | None, *, lower: bool) -> BoardScale:
    return BoardScale(benchmarks=URIS, baselines={}, references=found, lower_is_better=lower)


@given(
    found=st.none() | drawn_references,
    lower=st.booleans(),
    story=st.lists(st.tuples(st.sampled_from(URIS), st.none() | totalled_values), max_size=30),
    order=st.permutations(URIS),
)
def test_totals_after_any_story_are_those_of_its_end(
    *,
    found: dict[str, Reference] | None,
    lower: bool,
    story: list[tuple[str, float | None]],
    order: list[str],
) -> None:
    scale = scale_of(found, lower=lower)
    now = {uri: pending(uri) for uri in URIS}
    kept = scale.nothing()
    for item in now.values():
        scale.count(item, kept)
    for uri, value in story:
        scale.count(now[uri], kept, -1)
        now[uri] = pending(uri) if value is None else verified(uri, value)
        scale.count(now[uri], kept)
    whole = scale.nothing()
    for uri in order:
        scale.count(now[uri], whole)
    assert kept == whole
    assert scale.score(kept, benchmarks=len(URIS)) == scale.score(whole, benchmarks=len(URIS))


@given(
    found=drawn_references,
    lower=st.booleans(),
    ended=st.dictionaries(st.sampled_from((*URIS, "other")), totalled_values),
)
def test_the_score_of_totals_is_that_of_the_whole_sum(
    *, found: dict[str, Reference], lower: bool, ended: dict[str, float]
) -> None:
    scale = scale_of(found, lower=lower)
    totals = scale.nothing()
    for uri, value in ended.items():
        scale.count(verified(uri, value), totals)
    assert scale.score(totals, benchmarks=len(URIS)) == score_board(found, ended, lower_is_better=lower)
    assert totals.effective_actions == 2 * len(ended)


def test_a_sum_of_floats_is_not_rounded() -> None:
    scale = scale_of(None, lower=False)
    totals = scale.nothing()
    logs = {"a": 1e-17, "b": 1.0, "c": 2.0**-1074}
    for sign in (1, -1):
        for uri, log in logs.items():
            item = verified(uri, 1.0)._replace(log_ratio=log)
            scale.count(item, totals, sign)
        if sign > 0:
            assert totals.sums.log == math.fsum(logs.values())
    assert totals == Totals()


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False).map(lambda one: int(one) << 1000))
def test_a_sum_is_read_as_it_was_written(whole: int) -> None:
    assert read_exact_sum(exact_sum_text(whole)) == whole


def test_sums_are_written_without_trailing_zeros() -> None:
    assert [exact_sum_text(one << 1074) for one in (0, 1, -3, 12)] == ["0p-1074", "1p0", "-3p0", "3p2"]


def test_effort_has_four_classes_and_one_for_silence() -> None:
    least = {None: "not reported", 0: "zero-shot", 2: "≤ 50", 51: "≤ 1000", 1001: "unlimited"}
    most = {1: "zero-shot", 50: "≤ 50", 1000: "≤ 1000"}
    assert {one: effort_class(one) for one in least | most} == least | most


def test_levels_are_written_as_people_write_them() -> None:
    written = {"Oz": "-Oz", "O2": "-O2", "Ofast": "-Ofast", "LPT": "LPT", "Optimal": "Optimal", None: NOTHING}
    written["ClangOz"] = "clang -Oz"
    assert {name: site_tags.level(name) for name in written} == written
    # A ratio of one stands for a level or for the reference.
    assert reference_name(Board(baseline_level="Oz")) == "-Oz"
    measured = {
        ("loop_tool-v0", "reference_gflops"): "the reference",
        ("llvm-runtime-v0", "reference_seconds"): "-O3",
        ("llvm-loadsize-v0", "load_size_oz_bytes"): "-Oz",
    }
    for (environment, metric), name in measured.items():
        version = EnvironmentVersion(env_id=environment)
        board = Board(baseline_level="", reference_metric=metric, environment_version=version)
        assert reference_name(board) == name


@pytest.mark.parametrize(
    ("metric", "score", "words"),
    [
        ({"unit": "bytes"}, 1.0, "equal to"),
        ({"unit": "bytes"}, 1.042, "4.0 % smaller than"),
        ({"unit": "instructions"}, 4.0, "75.0 % smaller than"),
        ({"unit": "bytes"}, 0.9794, "2.1 % larger than"),
        ({"unit": "bytes"}, 0.4, "2.50 times as large as"),
        ({"unit": "bytes"}, 1 - 1e-6, "0.01 % larger than"),
        ({"unit": "seconds"}, 1.021, "2.1 % faster than"),
        ({"unit": "seconds"}, 1.25, "1.25 times as fast as"),
        ({"unit": "seconds"}, 0.995, "0.50 % slower than"),
        ({"unit": "seconds of CPU time"}, 1.05, "5.0 % faster than"),
        ({"unit": "seconds"}, 1 / 1.4, "1.40 times as slow as"),
        ({"unit": "GFLOP/s", "lower_is_better": False}, 0.0302, "33 times as slow as"),
        ({"unit": "GFLOP/s", "lower_is_better": False}, 2.0, "2.00 times as fast as"),
        ({"unit": "points", "lower_is_better": False}, 1.5, "50.0 % more than"),
        ({"unit": "points", "lower_is_better": False}, 3.0, "3.00 times as much as"),
        ({"unit": "points", "lower_is_better": False}, 0.8, "20.0 % less than"),
    ],
)
def test_a_score_is_compared_in_words_of_its_metric(metric: dict[str, Any], score: float, words: str) -> None:
    assert compared_words(score, Metric(name="m", title="m", observation="m", **metric)) == words


def test_a_score_saves_a_share_of_the_reference() -> None:
    assert [saving(score) for score in (1.25, 1.0, 0.5)] == [pytest.approx(0.2), 0.0, -1.0]


def test_a_name_that_a_spreadsheet_would_run_is_defused() -> None:
    for text in ("=cmd()", "+1", "-1", "@x"):
        assert spreadsheet_safe(text) == f"'{text}"
    assert spreadsheet_safe("greedy") == "greedy"
