"""Boards of portable entries, their rows with ranks, and what is known about one entry."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.db.models import Count, Exists, F, Func, IntegerField, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce

from datasets.models import Baseline, Benchmark
from leaderboard.boards.ranking import paired_rank_intervals
from leaderboard.models import PortableBoard, PortableEntry, PortableProgram, PortableReplay
from leaderboard.submissions.steps import action_text, stored_commandline, stored_names
from optarena.errors import UnknownName
from optarena.measuring.estimates import LEAST_BLOCKS, Estimate, of_blocks
from optarena.specs import environment_spec
from runner.models import State

if TYPE_CHECKING:
    import uuid
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from optarena.specs import Metric

# So many ranked entries of a round are listed, as many others, and as many former rounds.
LISTED: Final = 500
# Everybody may read the sequences of these.
PUBLISHED: Final = Q(published_at__isnull=False) | Q(ended_at__isnull=False, unverified=0)
# The states in which an entry has no rank.
_WHY: Final = {
    "sealed": "its programs have not been drawn yet",
    "replaying": "being replayed",
    "failed": "could not be verified",
    "withdrawn": "withdrawn",
    "quarantined": "waits for a reviewer",
    "refused": "refused by a reviewer",
}
_OTHER: Final = "a better entry of its owner counts"
_NUMBER: Final[IntegerField[int, int]] = IntegerField()


class PortableRow(NamedTuple):
    """An entry on its board, with its rank among those of its round or why it has none.

    `own` counts the programs on which no other owner could have shown it the way, and `to_first` compares
    it with the first entry, on each program; None where there is nothing to compare.
    """

    entry: PortableEntry
    rank: int | None = None
    rank_high: int | None = None
    why: str = ""
    own: int | None = None
    to_first: Estimate | None = None

    @property
    def rank_text(self) -> str:
        if self.rank is None:
            return ""
        return f"{self.rank}" if self.rank == self.rank_high else f"{self.rank}–{self.rank_high}"  # noqa: RUF001 - a range


class _Result(NamedTuple):
    """An entry on a program: the logarithm of its ratio, its value, and the number of its best sequence."""

    log: float
    value: float
    best: int | None


class PortableSequence(NamedTuple):
    """A sequence of an entry; where the environment has other actions today, with names for a command line.

    The names are those in the version of the entry, or the numbers of actions that are not known any more.
    """

    actions: list[Any]
    commandline: str | None
    names: list[str]


def portable_boards() -> QuerySet[PortableBoard]:
    boards = PortableBoard.objects.select_related("environment_version")
    return boards.annotate(number=Count("entries")).order_by("slug")


def portable_board(slug: str) -> PortableBoard | None:
    return portable_boards().filter(slug=slug).first()


def portable_metric(board: PortableBoard) -> Metric:
    return environment_spec(board.environment_version.env_id).metric(board.metric)


def report_programs(board: PortableBoard) -> list[Benchmark]:
    """The stored programs that a board reports entries on; none if their dataset is not loaded."""
    if not board.report_dataset:
        return []
    stored = Benchmark.objects.filter(
        version__name=board.report_dataset, split=board.report_split, kind=Benchmark.Kind.STORED
    )
    of_metric = Prefetch("baselines", Baseline.objects.filter(metric=board.metric))
    return list(
        stored.defer("source", "description", "search").prefetch_related(of_metric).order_by("position")
    )


def rounds(board: PortableBoard) -> list[datetime]:
    """The ends of the board's last rounds that have entries with programs, newest first."""
    drawn = board.entries.filter(Exists(PortableProgram.objects.filter(entry=OuterRef("pk"))))
    found = drawn.order_by("-round_ends_at").values_list("round_ends_at", flat=True).distinct()
    return list(found[:LISTED])


def chosen_round(known: Sequence[datetime], given: str) -> datetime | None:
    """The round that a request names by its end, or else the last one; None as long as there is none."""
    if not given:
        return known[0] if known else None
    named = {one.isoformat(): one for one in known}
    found = named.get(given.replace("Z", "+00:00"))
    if found is None:
        raise UnknownName(
            "The board has no entries of a round that ended then.",
            field="round",
            value=given,
            remedy=f"The last ones ended at: {', '.join(list(named)[:5])}." if named else "Leave it out.",
        )
    return found


def last_round(board: PortableBoard, *, before: datetime) -> datetime | None:
    """The end of the last round before another one; None without."""
    return next((one for one in rounds(board) if one < before), None)


def sealed_rows(board: PortableBoard, latest: datetime | None) -> list[PortableRow]:
    """The newest entries that were sealed after the last round of which entries have their programs."""
    entries = _entries(board) if latest is None else _entries(board).filter(round_ends_at__gt=latest)
    return [PortableRow(one, why=_own_reason(one)) for one in entries.order_by("-sealed_at", "pk")[:LISTED]]


def round_rows(board: PortableBoard, ends_at: datetime) -> list[PortableRow]:
    """The entries of a round: the ranked ones by score, then the newest of the others.

    An entry is ranked if at least half of its drawn programs are its own, and of an owner's the best one is:
    an owner seals one for a round, and a former first one may defend its place beside it. On a program, an
    entry's result is its own unless its best sequence was published by another owner before the entry was
    sealed, or its value equals that of another owner's entry that was.
    """
    entries = _entries(board).filter(round_ends_at=ends_at)
    # Those that were withdrawn still show the way to what is the same.
    found = list(entries.filter(score__isnull=False).order_by("-score", "sealed_at", "pk")[:LISTED])
    results = _results(found)
    own = {one.pk: _own(one, found, results) for one in found}
    ranked: list[PortableEntry] = []
    others: list[PortableRow] = []
    for entry in found:
        why = _own_reason(entry) or _collection(own[entry.pk], len(results[entry.pk]))
        if not why and entry.owner_id in {one.owner_id for one in ranked}:
            why = _OTHER
        if why:
            others.append(PortableRow(entry, why=why, own=own[entry.pk]))
        else:
            ranked.append(entry)
    logs = [tuple(result.log for result in results[one.pk]) for one in ranked]
    rows = [
        PortableRow(one, rank.low, rank.high, own=own[one.pk], to_first=_difference(values, logs[0]))
        for one, rank, values in zip(ranked, paired_rank_intervals(tuple(logs)), logs, strict=True)
    ]
    rest = entries.exclude(pk__in=own).order_by("-sealed_at", "pk")[:LISTED]
    others += [PortableRow(one, why=_own_reason(one) or f"not among the first {LISTED}") for one in rest]
    return rows + sorted(others, key=lambda row: row.entry.sealed_at, reverse=True)


def _results(entries: Sequence[PortableEntry]) -> dict[uuid.UUID, list[_Result]]:
    drawn = PortableProgram.objects.filter(entry__in=[one.pk for one in entries], is_drawn=True)
    found: dict[uuid.UUID, list[_Result]] = {one.pk: [] for one in entries}
    columns = ("entry", "reference", "value", "best")
    for key, reference, value, best in drawn.order_by("position").values_list(*columns):
        found[key].append(_Result(math.log(reference / value), value, best))
    return found


def _own(
    entry: PortableEntry, entries: Sequence[PortableEntry], results: Mapping[uuid.UUID, list[_Result]]
) -> int:
    shown = [results[one.pk] for one in entries if _was_shown(one, entry)]
    return sum(
        result.best is not None
        and result.best not in entry.known
        and all(other[position].value != result.value for other in shown)
        for position, result in enumerate(results[entry.pk])
    )


def _was_shown(one: PortableEntry, entry: PortableEntry) -> bool:
    """Whether another owner's entry could be read when this one was sealed."""
    since = one.shown_at  # type: ignore[attr-defined] # annotated
    return one.owner_id != entry.owner_id and since is not None and since < entry.sealed_at


def _collection(own: int, programs: int) -> str:
    if 2 * own >= programs:
        return ""
    return f"a collection: others had published what gives {programs - own} of its {programs} results"


def _difference(logs: Sequence[float], first: Sequence[float]) -> Estimate | None:
    """The geometric mean of the ratios to the first entry, program by program."""
    if logs is first or len(logs) < LEAST_BLOCKS:
        return None
    return of_blocks([math.exp(one - other) for one, other in zip(logs, first, strict=True)])


def _entries(board: PortableBoard) -> QuerySet[PortableEntry]:
    """The entries of a board with their size, the first owner of their sequences, and since when they show.

    What another owner sealed does not count if it failed, or was withdrawn, before it was published: nobody
    else could ever read it, and sealing and withdrawing would take away ranks for nothing. One's own always
    counts, so an entry that failed may come again.
    """
    waits = Q(ended_at__isnull=True, withdrawn_at__isnull=True)
    alike = PortableEntry.objects.filter(
        board__dataset=board.dataset, content_sha256=OuterRef("content_sha256")
    ).order_by("sealed_at", "pk")
    same = alike.filter(PUBLISHED | waits | Q(owner=OuterRef("owner")))
    shown = alike.filter(PUBLISHED, owner=OuterRef("owner"))
    at = Coalesce("published_at", "ended_at")
    entries = PortableEntry.objects.filter(board=board).select_related("owner").defer("sequences")
    return entries.annotate(
        size=Func(F("sequences"), function="jsonb_array_length", output_field=_NUMBER),
        first_owner=Subquery(same.values("owner")[:1]),
        shown_at=Subquery(shown.order_by(at).values(at=at)[:1]),
    )


def _own_reason(entry: PortableEntry) -> str:
    is_copy = entry.owner_id != entry.first_owner  # type: ignore[attr-defined] # annotated
    return _WHY.get(entry.state, "a copy of an earlier entry" if is_copy else "")


def portable_entry(entry_id: uuid.UUID) -> PortableEntry | None:
    programs = PortableProgram.objects.select_related("benchmark").order_by("position")
    found = PortableEntry.objects.select_related("board__environment_version", "owner")
    return found.prefetch_related(Prefetch("programs", programs)).filter(pk=entry_id).first()


def portable_place(entry: PortableEntry) -> PortableRow:
    """An entry's row among those of its round."""
    if entry.score is not None:
        rows = round_rows(entry.board, entry.round_ends_at)
        if (found := next((one for one in rows if one.entry.pk == entry.pk), None)) is not None:
            return found
    row = _entries(entry.board).get(pk=entry.pk)
    return PortableRow(row, why=_own_reason(row) or f"not among the first {LISTED}")


def portable_figures(entry: PortableEntry) -> dict[str, int]:
    """How many replays of an entry there are, and how many have ended; those that were cancelled have not."""
    replays = PortableReplay.objects.filter(program__entry=entry)
    ended = Count("pk", filter=Q(verification__state__in=(State.RECORDED, State.FAILED)))
    return replays.aggregate(replays=Count("pk"), ended=ended)


def readable_sequences(entry: PortableEntry, user_id: int | None) -> list[PortableSequence] | None:
    """The sequences: for everybody once they are published, for the owner always; None for others.

    Of an entry that failed for our machines' sake nothing is known, and its owner may submit it again, also
    after withdrawing it.
    """
    if not entry.is_published and entry.owner_id != user_id:
        return None
    version = entry.board.environment_version
    known = stored_names(version)
    found = []
    for actions in entry.sequences:
        line = stored_commandline(version, actions)
        names = [action_text(known, action) for action in actions] if line is None else []
        found.append(PortableSequence(actions, line, names))
    return found
