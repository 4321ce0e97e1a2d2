"""Compare results and align sequences: the calculations, and the sequences of a comparison side by side."""

from __future__ import annotations

import itertools
import math
import uuid
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q
from numpy.typing import NDArray

from leaderboard.boards.ranking import LEVEL
from leaderboard.models import SubmissionItem
from leaderboard.records.queries import add_reading, why_closed
from leaderboard.submissions.steps import action_text, stored_names
from optarena.measuring.estimates import Estimate, differ
from optarena.specs.results import ReplayResult
from runner.models import EnvironmentVersion

if TYPE_CHECKING:
    from leaderboard.compare.queries import Comparison, ProgramRow

# States of each sequence: the time grows with the square of their number.
MOST_ALIGNED: Final = 300


class Result(NamedTuple):
    # The logarithm of a ratio to the board's reference; bigger is better. Its error is a variance and degrees
    # of freedom; None where it is exact, or unknown.
    log: float
    error: tuple[float, float] | None = None


class Results(NamedTuple):
    # What one entry reached on each of several programs; all of shape (programs,). NaN where there is no
    # result, and for errors that are exact or unknown.
    logs: NDArray[np.float64]
    variances: NDArray[np.float64]
    freedoms: NDArray[np.float64]

    @property
    def given(self) -> NDArray[np.bool_]:
        return ~np.isnan(self.logs)

    def at(self, place: int) -> Result:
        variance, freedom = float(self.variances[place]), float(self.freedoms[place])
        unknown = math.isnan(variance) or math.isnan(freedom)
        return Result(float(self.logs[place]), None if unknown else (variance, freedom))


class Duel(NamedTuple):
    # The numbers are those of the first one.
    wins: int
    ties: int
    losses: int


def beats(one: Result, other: Result, *, exact: bool) -> bool:
    # Measured results must differ by more than chance explains: by Welch's t-test, for this pair alone, at
    # the level of `rank_intervals`. Without their errors nobody can tell.
    if one.log <= other.log:
        return False
    if exact:
        return True
    if one.error is None or other.error is None:
        return False
    return differ(Estimate(one.log, *one.error), Estimate(other.log, *other.error), level=LEVEL)


def winners(columns: Sequence[Results], *, exact: bool) -> NDArray[np.intp]:
    # The place of the only result that none of the others beats; -1 where none is alone.
    given = np.array([one.given for one in columns])
    unbeaten = given.copy()
    for one, other in itertools.permutations(range(len(columns)), 2):
        unbeaten[other] &= ~_ahead(columns[one], columns[other], exact=exact)
    is_alone = (given.sum(axis=0) > 1) & (unbeaten.sum(axis=0) == 1)
    return np.where(is_alone, unbeaten.argmax(axis=0), -1)


def count_duel(one: Results, other: Results, *, exact: bool) -> Duel:
    wins = int(_ahead(one, other, exact=exact).sum())
    losses = int(_ahead(other, one, exact=exact).sum())
    return Duel(wins=wins, ties=int((one.given & other.given).sum()) - wins - losses, losses=losses)


def geometric_mean(logs: NDArray[np.float64]) -> float | None:
    return math.exp(math.fsum(logs) / len(logs)) if len(logs) else None


class Alignment(NamedTuple):
    # The place in each sequence, or None; a row of equal keys has no None.
    rows: tuple[tuple[int | None, ...], ...]
    # The length of the beginning that all sequences share.
    common: int


def align(sequences: Sequence[Sequence[Hashable]]) -> Alignment:
    # States that all sequences reach stand in one row, as many as possible. Between these rows each sequence
    # goes its own way, and its states stand beside the others' from the top.
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
    ahead: NDArray[np.bool_] = one.logs > other.logs  # NaN is neither greater nor less
    if not exact:
        for place in np.flatnonzero(ahead).tolist():
            ahead[place] = beats(one.at(place), other.at(place), exact=exact)
    return ahead


def _common(sequences: Sequence[Sequence[Hashable]]) -> int:
    equal = 0
    for keys in zip(*sequences, strict=False):
        if any(key != keys[0] for key in keys):
            break
        equal += 1
    return equal


def _beside(start: tuple[int, ...], end: tuple[int, ...]) -> list[tuple[int | None, ...]]:
    longest = max(last - first for first, last in zip(start, end, strict=True))
    return [
        tuple(first + row if first + row < last else None for first, last in zip(start, end, strict=True))
        for row in range(longest)
    ]


def _meetings(sequences: Sequence[Sequence[Hashable]], start: int) -> list[tuple[int, ...]]:
    # The longest chain of states that all sequences reach in the same order, by their places in each.
    places: list[dict[Hashable, int]] = []
    for sequence in sequences:
        first: dict[Hashable, int] = {}
        for place, key in enumerate(sequence[start:], start=start):
            first.setdefault(key, place)
        places.append(first)
    shared = [tuple(one[key] for one in places) for key in places[0] if all(key in one for one in places[1:])]
    return _longest_chain(sorted(shared))


def _longest_chain(points: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    # Each is greater than the one before in every coordinate.
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


By = Literal["states", "actions"]
_NONE: Final = "It has no item for this program."
_REFERENCE: Final = "A reference has no sequence."
_START: Final = "unoptimised"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedStep:
    # Number 0 is the program before any action. The cost is that after the step, where it is exact.
    number: int
    name: str
    cost: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedRow:
    steps: tuple[AlignedStep | None, ...]
    is_shared: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedSequence:
    letter: str
    # Why it is not there; empty if it is.
    absent: str
    actions: int = 0
    # They changed nothing and are left out; 0 where that is not known.
    without_effect: int = 0
    # Its first step after those that all sequences share; None where it has ended by then, or where all are
    # the same.
    parts_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedSequences:
    uri: str
    # By the texts of actions where a state is missing.
    by: By
    sequences: tuple[AlignedSequence, ...]
    # Steps without an effect are left out where states are known.
    rows: tuple[AlignedRow, ...]
    are_equal: bool
    # Only the first steps are here.
    is_cut: bool


@dataclass(frozen=True, slots=True)
class _Read:
    keys: tuple[Hashable, ...]
    steps: tuple[AlignedStep, ...]
    actions: int


def aligned_sequences(
    found: Comparison, row: ProgramRow, viewer: User | AnonymousUser | None
) -> AlignedSequences:
    items = _items(row)
    there = {
        place: items[key]
        for place, cell in enumerate(row.cells)
        if (key := (cell.submission, cell.position)) in items
    }
    add_reading(list(there.values()), viewer)
    closed = {place: why_closed(item, viewer) for place, item in there.items()}
    readable = {place: item for place, item in there.items() if not closed[place]}
    by_states = {place: _by_states(item) for place, item in readable.items()}
    by: By = "states" if all(one is not None for one in by_states.values()) else "actions"
    version = found.board.environment_version
    read = {
        place: state if by == "states" and state is not None else _by_actions(readable[place], version)
        for place, state in by_states.items()
    }
    alignment = align([one.keys for one in read.values()]) if read else Alignment((), 0)
    are_equal = len({one.keys for one in read.values()}) <= 1
    return AlignedSequences(
        uri=row.uri,
        by=by,
        sequences=tuple(_sequences(found, row, read, closed, None if are_equal else alignment.common)),
        rows=tuple(_rows(list(read.values()), alignment.rows)),
        are_equal=are_equal,
        is_cut=any(len(one.keys) > MOST_ALIGNED for one in read.values()),
    )


def _items(row: ProgramRow) -> dict[tuple[uuid.UUID | None, int | None], SubmissionItem]:
    wanted = Q(pk__in=[])
    for cell in row.cells:
        if cell.submission is not None:
            wanted |= Q(submission=cell.submission, position=cell.position)
    rows = SubmissionItem.objects.filter(wanted).select_related("submission", "verification")
    return {(item.submission_id, item.position): item for item in rows}


def _sequences(
    found: Comparison,
    row: ProgramRow,
    read: Mapping[int, _Read],
    closed: Mapping[int, str],
    common: int | None,
) -> Iterator[AlignedSequence]:
    for place, (column, cell) in enumerate(zip(found.columns, row.cells, strict=True)):
        one = read.get(place)
        if one is None:
            absent = closed.get(place) or (_NONE if cell.ratio is None else _REFERENCE)
            yield AlignedSequence(letter=column.letter, absent=absent)
            continue
        parts = None if common is None or common >= len(one.steps) else one.steps[common].number
        effective = sum(step.number > 0 for step in one.steps)
        yield AlignedSequence(
            letter=column.letter,
            absent="",
            actions=one.actions,
            without_effect=one.actions - effective,
            parts_at=parts,
        )


def _rows(read: Sequence[_Read], places: Iterable[tuple[int | None, ...]]) -> Iterator[AlignedRow]:
    for row in places:
        keys = [None if at is None else one.keys[at] for one, at in zip(read, row, strict=True)]
        yield AlignedRow(
            steps=tuple(None if at is None else one.steps[at] for one, at in zip(read, row, strict=True)),
            is_shared=keys[0] is not None and len(set(keys)) == 1,
        )


def _by_states(item: SubmissionItem) -> _Read | None:
    # None where they are not stored, or not all.
    stored = None if item.verification is None else item.verification.result
    if not stored or "pruned" in stored:
        return None
    result = ReplayResult.from_json(stored)
    if result.initial is None or not result.initial.digest or len(result.steps) != len(item.actions):
        return None
    keys: list[Hashable] = [result.initial.digest]
    steps = [AlignedStep(number=0, name=_START, cost=_cost(result.initial.cost))]
    for number, step in enumerate(result.steps, start=1):
        if not step.digest:
            return None
        if step.digest != keys[-1]:
            keys.append(step.digest)
            steps.append(AlignedStep(number=number, name=step.name, cost=_cost(step.cost)))
    return _Read(tuple(keys), tuple(steps), len(item.actions))


def _by_actions(item: SubmissionItem, version: EnvironmentVersion) -> _Read:
    # The second action of one name stands beside the second of the same name.
    known = stored_names(version, item.action_space)
    names = [action_text(known, action) for action in item.actions]
    before: Counter[str] = Counter()
    keys: list[Hashable] = []
    for name in names:
        keys.append((name, before[name]))
        before[name] += 1
    steps = tuple(AlignedStep(number=number, name=name) for number, name in enumerate(names, start=1))
    return _Read(tuple(keys), steps, len(item.actions))


def _cost(cost: float | None) -> float | None:
    return None if cost is None else float(cost)
