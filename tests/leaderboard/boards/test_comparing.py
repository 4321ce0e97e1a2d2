"""Who is ahead, and how sequences are aligned: the pure part."""

from __future__ import annotations

import itertools
import math
import time

import numpy as np
import pytest

from leaderboard.compare.alignments import (
    MOST_ALIGNED,
    Result,
    Results,
    align,
    beats,
    count_duel,
    geometric_mean,
    winners,
)

CLEAR = Result(0.2, (1e-6, 10.0))
UNCLEAR = Result(0.21, (1e-1, 10.0))


NAN = math.nan


def results(*ratios: float) -> Results:
    """Exact results; NaN stands for none."""
    unknown = np.full(len(ratios), NAN)
    return Results(np.log(ratios), unknown, unknown)


def measured(*ratios: float, variance: float = 1e-6) -> Results:
    return Results(np.log(ratios), np.full(len(ratios), variance), np.full(len(ratios), 10.0))


def keys(rows: tuple[tuple[int | None, ...], ...], *sequences: str) -> list[str]:
    """The rows as texts: ``ab`` stands for a of the first and b of the second, ``-`` for nothing."""
    return [
        "".join("-" if at is None else one[at] for one, at in zip(sequences, row, strict=True))
        for row in rows
    ]


def test_a_measured_result_is_ahead_only_by_more_than_chance_and_an_exact_one_by_anything() -> None:
    assert beats(CLEAR, Result(0.1, (1e-6, 10.0)), exact=False)
    assert not beats(UNCLEAR, CLEAR, exact=False)
    assert not beats(Result(2.0), Result(1.0), exact=False)  # without an error nobody can tell
    assert [beats(Result(one), Result(1.0), exact=True) for one in (1.1, 1.0, 0.9)] == [True, False, False]


@pytest.mark.parametrize(
    ("columns", "places"),
    [
        ([[1.0], [1.2]], [1]),
        ([[1.2], [1.2]], [-1]),
        ([[1.2], [1.2], [1.1]], [-1]),
        ([[NAN], [1.2], [1.1]], [1]),
        ([[NAN], [1.2]], [-1]),
        ([[NAN], [NAN]], [-1]),
        ([[1.0], [1.1], [1.3], [1.2]], [2]),
        ([[1.0, 1.2, NAN], [1.1, 1.1, 1.0], [1.0, 1.2, NAN]], [1, -1, -1]),
    ],
)
def test_the_winner_of_each_program_is_alone_ahead_of_somebody(
    columns: list[list[float]], places: list[int]
) -> None:
    assert winners([results(*one) for one in columns], exact=True).tolist() == places


def test_of_measured_results_the_winner_differs_by_more_than_chance() -> None:
    assert winners([measured(1.1), measured(1.2)], exact=False).tolist() == [1]
    assert winners([measured(1.1), measured(1.2, variance=0.1)], exact=False).tolist() == [-1]
    assert winners([results(1.0), results(2.0)], exact=False).tolist() == [-1]


def test_pairs_count_programs_that_both_have() -> None:
    one = results(1.0, 1.2, 1.0, 9.0, NAN)
    other = results(1.0, 1.1, 1.3, NAN, 9.0)
    assert count_duel(one, other, exact=True) == (1, 1, 1)
    assert count_duel(other, one, exact=True) == (1, 1, 1)
    assert count_duel(one, results(*[NAN] * 5), exact=True) == (0, 0, 0)
    assert count_duel(measured(1.0, 1.2), measured(1.1, 1.2), exact=False) == (0, 1, 1)


def test_the_geometric_mean_does_not_underflow() -> None:
    assert geometric_mean(np.log([2.0, 0.5])) == pytest.approx(1.0)
    assert geometric_mean(np.log(np.full(500, 1e-30))) == pytest.approx(1e-30)
    assert geometric_mean(np.array([])) is None


@pytest.mark.parametrize(
    ("sequences", "rows", "common"),
    [
        (("abc", "abc"), ["aa", "bb", "cc"], 3),
        (("abc", "abd"), ["aa", "bb", "cd"], 2),
        (("abc", "ab"), ["aa", "bb", "c-"], 2),
        (("axyb", "azb"), ["aa", "xz", "y-", "bb"], 1),
        (("abc", "acb"), ["aa", "-c", "bb", "c-"], 1),
        (("ab", "cd"), ["ac", "bd"], 0),
        (("", "ab"), ["-a", "-b"], 0),
        (("axb", "ayb", "azzb"), ["aaa", "xyz", "--z", "bbb"], 1),
        (("aba", "ab"), ["aa", "bb", "a-"], 2),
    ],
)
def test_states_that_all_reach_stand_in_one_row(
    sequences: tuple[str, ...], rows: list[str], common: int
) -> None:
    found = align(sequences)
    assert found.common == common
    assert keys(found.rows, *sequences) == rows
    for place, sequence in enumerate(sequences):
        assert [row[place] for row in found.rows if row[place] is not None] == list(range(len(sequence)))


def test_as_many_states_as_possible_are_aligned() -> None:
    """Compared with all subsequences of short sequences."""
    for letters in itertools.permutations("abcd"):
        one, other = "abcd", "".join(letters)
        longest = max(
            len(some)
            for number in range(5)
            for some in itertools.combinations(one, number)
            if all(other.index(a) < other.index(b) for a, b in itertools.pairwise(some))
        )
        shared = [row for row in keys(align((one, other)).rows, one, other) if row[0] == row[1]]
        assert len(shared) == longest, other


def test_long_sequences_are_cut_and_take_little_time() -> None:
    one = [f"s{number}" for number in range(10_000)]
    four = [one, one[::-1], one, one[1:]]
    began = time.process_time()
    found = align(four)
    assert time.process_time() - began < 2
    assert max(len([row for row in found.rows if row[n] is not None]) for n in range(4)) == MOST_ALIGNED
    assert align([one, one]).common == 10_000
    assert math.isfinite(found.common)
