"""The sequences of a comparison's columns on one program, side by side."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from django.db.models import Q

from leaderboard import comparing
from leaderboard.models import SubmissionItem
from leaderboard.selectors.finds import may_read_actions
from leaderboard.selectors.stored_actions import action_text, stored_names
from optarena.specs.results import ReplayResult

if TYPE_CHECKING:
    import uuid
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from django.contrib.auth.models import AnonymousUser, User

    from leaderboard.selectors.compared_programs import ProgramRow
    from leaderboard.selectors.comparisons import Comparison
    from runner.models import EnvironmentVersion

By = Literal["states", "actions"]
HIDDEN: Final = "Only its owner can read the actions of an item that is not verified."
_NONE: Final = "It has no item for this program."
_LEVEL: Final = "One of the compiler's own levels has no sequence."
_START: Final = "unoptimised"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedStep:
    """A step of one column: its number from 1, its action, and the cost after it, where that is exact.

    Number 0 is the program before any action.
    """

    number: int
    name: str
    cost: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedRow:
    """Steps beside each other, one for each sequence that is there; ``is_shared`` if they are the same."""

    steps: tuple[AlignedStep | None, ...]
    is_shared: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedSequence:
    """The sequence of one column.

    Attributes:
        letter: The column's.
        absent: Why it is not there; empty if it is.
        actions: How many actions it has.
        without_effect: How many of them changed nothing and are left out; 0 where that is not known.
        parts_at: The number of its first step after those that all sequences share; None where it has ended
            by then, or where all are the same.
    """

    letter: str
    absent: str
    actions: int = 0
    without_effect: int = 0
    parts_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedSequences:
    """Sequences of one program.

    Attributes:
        uri: The program.
        by: By what they are aligned: states of the program, or the texts of actions where a state is missing.
        sequences: One for each column.
        rows: The steps; those without an effect are left out where states are known.
        are_equal: Whether all readable sequences go through the same states, or have the same actions.
        is_cut: Whether only the first steps are here.
    """

    uri: str
    by: By
    sequences: tuple[AlignedSequence, ...]
    rows: tuple[AlignedRow, ...]
    are_equal: bool
    is_cut: bool


@dataclass(frozen=True, slots=True)
class _Read:
    """A sequence as it is aligned: the keys of its steps, the steps, and the number of its actions."""

    keys: tuple[Hashable, ...]
    steps: tuple[AlignedStep, ...]
    actions: int


def aligned_sequences(
    found: Comparison, row: ProgramRow, viewer: User | AnonymousUser | None
) -> AlignedSequences:
    """The sequences on the program of a row, as far as somebody may read them."""
    items = _items(row)
    readable = {
        place: items[key]
        for place, cell in enumerate(row.cells)
        if (key := (cell.submission, cell.position)) in items and may_read_actions(items[key], viewer)
    }
    by_states = {place: _by_states(item) for place, item in readable.items()}
    by: By = "states" if all(one is not None for one in by_states.values()) else "actions"
    version = found.board.environment_version
    read = {
        place: state if by == "states" and state is not None else _by_actions(readable[place], version)
        for place, state in by_states.items()
    }
    alignment = comparing.align([one.keys for one in read.values()]) if read else comparing.Alignment((), 0)
    are_equal = len({one.keys for one in read.values()}) <= 1
    return AlignedSequences(
        uri=row.uri,
        by=by,
        sequences=tuple(_sequences(found, row, read, None if are_equal else alignment.common)),
        rows=tuple(_rows(list(read.values()), alignment.rows)),
        are_equal=are_equal,
        is_cut=any(len(one.keys) > comparing.MOST_ALIGNED for one in read.values()),
    )


def _items(row: ProgramRow) -> dict[tuple[uuid.UUID | None, int | None], SubmissionItem]:
    """The items behind a row, by submission and position."""
    wanted = Q(pk__in=[])
    for cell in row.cells:
        if cell.submission is not None:
            wanted |= Q(submission=cell.submission, position=cell.position)
    rows = SubmissionItem.objects.filter(wanted).select_related("submission", "verification")
    return {(item.submission_id, item.position): item for item in rows}


def _sequences(
    found: Comparison, row: ProgramRow, read: Mapping[int, _Read], common: int | None
) -> Iterator[AlignedSequence]:
    for place, (column, cell) in enumerate(zip(found.columns, row.cells, strict=True)):
        one = read.get(place)
        if one is None:
            absent = _LEVEL if column.kind == "level" else _NONE if cell.submission is None else HIDDEN
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
        taken = [None if at is None else one.keys[at] for one, at in zip(read, row, strict=True)]
        yield AlignedRow(
            steps=tuple(None if at is None else one.steps[at] for one, at in zip(read, row, strict=True)),
            is_shared=taken[0] is not None and len(set(taken)) == 1,
        )


def _by_states(item: SubmissionItem) -> _Read | None:
    """A sequence as the states that it goes through; None where they are not stored, or not all."""
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
    """A sequence as its actions: the second of one name stands beside the second of the same name."""
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
