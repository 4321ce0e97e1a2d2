"""Ranks as intervals: simulations of equal and different entries, and what holds for every board."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.boards.ranking import MOST_COMPARED, rank_intervals, rejected
from optarena.measuring.estimates import Estimate, mean_of, of_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

estimates = st.lists(
    st.builds(Estimate, st.floats(-1, 1), st.floats(1e-8, 1e-2), st.floats(2, 100)), max_size=12
)


@given(scores=estimates)
def test_a_better_score_never_stands_wholly_behind_a_worse_one(scores: list[Estimate]) -> None:
    found = list(zip(scores, rank_intervals(tuple(scores)), strict=True))
    for score, own in found:
        assert 1 <= own.low <= own.high <= len(scores)
        for other, its in found:
            if score.mean > other.mean:
                assert own.low <= its.high


@given(scores=estimates, draw=st.randoms(use_true_random=False))
def test_the_order_of_submission_does_not_matter(scores: list[Estimate], draw: random.Random) -> None:
    before = dict(zip(range(len(scores)), rank_intervals(tuple(scores)), strict=True))
    order = list(range(len(scores)))
    draw.shuffle(order)
    after = dict(zip(order, rank_intervals(tuple(scores[one] for one in order)), strict=True))
    assert after == before


@given(scores=estimates)
def test_entries_with_the_same_replays_share_their_ranks(scores: list[Estimate]) -> None:
    both = rank_intervals((*scores, *scores))
    for one, other in zip(both[: len(scores)], both[len(scores) :], strict=True):
        assert one == other
        assert one.low < one.high


def naive(probabilities: Sequence[float], level: float) -> list[bool]:
    """Holm's procedure in his own words."""
    found = [False] * len(probabilities)
    for place, index in enumerate(sorted(range(len(probabilities)), key=probabilities.__getitem__)):
        if probabilities[index] > level / (len(probabilities) - place):
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
        score = mean_of(parts, total=programs)
        assert score is not None
        found.append(score)
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
