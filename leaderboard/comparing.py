"""Compares entries program by program, and aligns their sequences. Pure functions of plain values."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

import numpy as np

from leaderboard.rank_intervals import LEVEL
from optarena.measuring.estimates import Estimate, differ

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

Key = TypeVar("Key", bound="Hashable")

MOST_ALIGNED: Final = 300
"""The states of each sequence that are aligned: the time grows with the square of their number."""


class Result(NamedTuple):
    """What one entry reached on one program.

    Attributes:
        log: The logarithm of its ratio to the board's reference; bigger is better.
        error: The variance of ``log`` and its degrees of freedom; None where it is exact, or unknown.
    """

    log: float
    error: tuple[float, float] | None = None


class Results(NamedTuple):
    """What one entry reached on each of several programs.

    Attributes:
        logs: The logarithms of its ratios to the board's reference, shape (programs,); NaN where there is no
            result.
        variances, freedoms: Of ``logs``; NaN where they are exact, or unknown.
    """

    logs: NDArray[np.float64]
    variances: NDArray[np.float64]
    freedoms: NDArray[np.float64]

    @property
    def given(self) -> NDArray[np.bool_]:
        """Where there is a result."""
        return ~np.isnan(self.logs)

    def at(self, place: int) -> Result:
        """The result on one program."""
        variance, freedom = float(self.variances[place]), float(self.freedoms[place])
        unknown = math.isnan(variance) or math.isnan(freedom)
        return Result(float(self.logs[place]), None if unknown else (variance, freedom))


class Duel(NamedTuple):
    """How two entries compare on the programs that both have; the numbers are those of the first one."""

    wins: int
    ties: int
    losses: int


def beats(one: Result, other: Result, *, exact: bool) -> bool:
    """Whether a result is better than another.

    Measured results must differ by more than chance explains: by Welch's t-test, for this pair alone, at the
    level of ``rank_intervals``. Without their errors nobody can tell.
    """
    if one.log <= other.log:
        return False
    if exact:
        return True
    if one.error is None or other.error is None:
        return False
    return differ(_estimate(one), _estimate(other), level=LEVEL)


def winners(columns: Sequence[Results], *, exact: bool) -> NDArray[np.intp]:
    """For each program the place of the only result that none of the others beats; -1 where none is alone."""
    given = np.array([one.given for one in columns])
    unbeaten = given.copy()
    for one, other in itertools.permutations(range(len(columns)), 2):
        unbeaten[other] &= ~_ahead(columns[one], columns[other], exact=exact)
    is_alone = (given.sum(axis=0) > 1) & (unbeaten.sum(axis=0) == 1)
    return np.where(is_alone, unbeaten.argmax(axis=0), -1)


def pair(one: Results, other: Results, *, exact: bool) -> Duel:
    """Wins, ties and losses of an entry against another, on the programs that both have."""
    wins = int(_ahead(one, other, exact=exact).sum())
    losses = int(_ahead(other, one, exact=exact).sum())
    return Duel(wins=wins, ties=int((one.given & other.given).sum()) - wins - losses, losses=losses)


def geometric_mean(logs: NDArray[np.float64]) -> float | None:
    """The geometric mean of ratios, given by their logarithms; None of none."""
    return math.exp(math.fsum(logs) / len(logs)) if len(logs) else None


@dataclass(frozen=True, slots=True)
class Alignment(Generic[Key]):
    """Sequences side by side.

    Attributes:
        rows: For each row the place in each sequence, or None; a row of equal keys has no None.
        common: The length of the beginning that all sequences share.
    """

    rows: tuple[tuple[int | None, ...], ...]
    common: int


def align(sequences: Sequence[Sequence[Key]]) -> Alignment[Key]:
    """Align sequences of states: those that all of them reach stand in one row, in the order of all.

    Of the states that all reach, as many as possible stand in such rows. Between these rows each sequence
    goes its own way, and its states stand beside the others' from the top. Only ``MOST_ALIGNED`` states of
    each sequence are aligned.
    """
    cut = [sequence[:MOST_ALIGNED] for sequence in sequences]
    common = _common(sequences)
    first = min(common, MOST_ALIGNED)
    rows: list[tuple[int | None, ...]] = [(place,) * len(cut) for place in range(first)]
    before = (first,) * len(cut)
    ends = tuple(map(len, cut))
    for places in [*_meetings(cut, first), ends]:
        rows += _beside(before, places)
        if places is not ends:
            rows.append(places)
        before = tuple(place + 1 for place in places)
    return Alignment(tuple(rows), common)


def _ahead(one: Results, other: Results, *, exact: bool) -> NDArray[np.bool_]:
    """On which programs an entry beats another."""
    ahead: NDArray[np.bool_] = one.logs > other.logs  # NaN is neither greater nor less
    if not exact:
        for place in np.flatnonzero(ahead).tolist():
            ahead[place] = beats(one.at(place), other.at(place), exact=exact)
    return ahead


def _estimate(one: Result) -> Estimate:
    variance, freedom = one.error or (math.inf, 1.0)
    return Estimate(one.log, variance, freedom)


def _common(sequences: Sequence[Sequence[Key]]) -> int:
    equal = 0
    for keys in zip(*sequences, strict=False):
        if any(key != keys[0] for key in keys):
            break
        equal += 1
    return equal


def _beside(start: tuple[int, ...], end: tuple[int, ...]) -> list[tuple[int | None, ...]]:
    """The states between two rows, each sequence's from the top."""
    longest = max(last - first for first, last in zip(start, end, strict=True))
    return [
        tuple(first + row if first + row < last else None for first, last in zip(start, end, strict=True))
        for row in range(longest)
    ]


def _meetings(sequences: Sequence[Sequence[Key]], start: int) -> list[tuple[int, ...]]:
    """The longest chain of states that all sequences reach in the same order, by their places in each."""
    places: list[dict[Key, int]] = []
    for sequence in sequences:
        first: dict[Key, int] = {}
        for place, key in enumerate(sequence[start:], start=start):
            first.setdefault(key, place)
        places.append(first)
    shared = [tuple(one[key] for one in places) for key in places[0] if all(key in one for one in places[1:])]
    return _longest_chain(sorted(shared))


def _longest_chain(points: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The longest chain of points of which each is greater than the one before in every coordinate."""
    lengths: list[int] = []
    former: list[int] = []
    for place, point in enumerate(points):
        best, link = 0, -1
        for earlier in range(place):
            other = points[earlier]
            if lengths[earlier] > best and all(a < b for a, b in zip(other, point, strict=True)):
                best, link = lengths[earlier], earlier
        lengths.append(best + 1)
        former.append(link)
    chain = []
    place = max(range(len(points)), key=lengths.__getitem__, default=-1)
    while place >= 0:
        chain.append(points[place])
        place = former[place]
    return chain[::-1]
