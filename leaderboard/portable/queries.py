"""Boards of portable entries, their rows with ranks, and what is known about one entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.db.models import Count, Exists, F, Func, IntegerField, OuterRef, Prefetch, Q, Subquery

from datasets.models import Baseline, Benchmark
from leaderboard.models import PortableBoard, PortableEntry, PortableProgram, PortableReplay
from leaderboard.submissions.steps import action_text, stored_commandline, stored_names
from optarena.specs import environment_spec
from runner.models import State

if TYPE_CHECKING:
    import uuid

    from django.db.models import QuerySet

    from optarena.specs import Metric

# Of a board's ranked entries as many are listed, and as many of its newest ones.
LISTED: Final = 500
# The states in which an entry has no rank.
_WHY: Final = {
    "sealed": "its programs have not been drawn yet",
    "replaying": "being replayed",
    "failed": "could not be verified",
    "withdrawn": "withdrawn",
    "quarantined": "waits for a reviewer",
    "refused": "refused by a reviewer",
}
_LATER: Final = "a later entry of this agent counts"
_NUMBER: Final[IntegerField[int, int]] = IntegerField()


class PortableRow(NamedTuple):
    """An entry on its board, with its rank or why it has none."""

    entry: PortableEntry
    rank: int | None
    why: str = ""


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


def portable_rows(board: PortableBoard) -> list[PortableRow]:
    """The best ranked entries of a board by score, then the newest of the others, at most ``LISTED`` of each.

    Of an owner's family of agents the latest entry that has a score is ranked, whatever the score: to submit
    again and again until the drawn programs are easy gains less. What another owner sealed before is a copy.
    One that was withdrawn when its programs were known keeps its place as the latest, without a rank.
    """
    ranked = list(_ranked(board).order_by("-score", "sealed_at", "pk")[:LISTED])
    scores = [one.score for one in ranked]
    rows = [PortableRow(one, scores.index(one.score) + 1) for one in ranked]
    listed, counted = {one.pk for one in ranked}, set()
    for entry in _entries(board).order_by("-sealed_at", "pk")[:LISTED]:
        own = _own_reason(entry)
        why = own or (_LATER if entry.agent_group in counted else f"not among the first {LISTED}")
        if not own or (entry.state == "withdrawn" and entry.has_programs):  # type: ignore[attr-defined] # annotated
            counted.add(entry.agent_group)
        if entry.pk not in listed:
            rows.append(PortableRow(entry, None, why))
    return rows


def _ranked(board: PortableBoard) -> QuerySet[PortableEntry]:
    entries = _entries(board)
    scored = Q(score__isnull=False) & (Q(is_doubted=False) | Q(is_accepted=True))
    withdrawn = Q(withdrawn_at__isnull=False, has_programs=True)
    counting = entries.filter(scored | withdrawn, owner=F("first_owner"))
    latest = counting.order_by("agent_group", "-sealed_at", "pk").distinct("agent_group").values("pk")
    return entries.filter(pk__in=latest, withdrawn_at__isnull=True)


def _entries(board: PortableBoard) -> QuerySet[PortableEntry]:
    """The entries of a board with their size, who sealed their sequences first, and if they got programs.

    What another owner sealed does not count if it failed, or was withdrawn, before it was published: nobody
    else could ever read it, and sealing and withdrawing would take away ranks for nothing. One's own always
    counts, so an entry that failed may come again.
    """
    published = Q(published_at__isnull=False) | Q(ended_at__isnull=False, unverified=0)
    waits = Q(ended_at__isnull=True, withdrawn_at__isnull=True)
    same = PortableEntry.objects.filter(
        published | waits | Q(owner=OuterRef("owner")),
        board__dataset=board.dataset,
        content_sha256=OuterRef("content_sha256"),
    ).order_by("sealed_at", "pk")
    entries = PortableEntry.objects.filter(board=board).select_related("owner").defer("sequences")
    return entries.annotate(
        size=Func(F("sequences"), function="jsonb_array_length", output_field=_NUMBER),
        first_owner=Subquery(same.values("owner")[:1]),
        has_programs=Exists(PortableProgram.objects.filter(entry=OuterRef("pk"))),
    )


def _own_reason(entry: PortableEntry) -> str:
    is_copy = entry.owner_id != entry.first_owner  # type: ignore[attr-defined] # annotated
    return _WHY.get(entry.state, "a copy of an earlier entry" if is_copy else "")


def portable_entry(entry_id: uuid.UUID) -> PortableEntry | None:
    programs = PortableProgram.objects.select_related("benchmark").order_by("position")
    found = PortableEntry.objects.select_related("board__environment_version", "owner")
    return found.prefetch_related(Prefetch("programs", programs)).filter(pk=entry_id).first()


def portable_place(entry: PortableEntry) -> PortableRow:
    """An entry's row on its board; its place may be behind those listed."""
    row = _entries(entry.board).get(pk=entry.pk)
    if why := _own_reason(row):
        return PortableRow(row, None, why)
    better = Count("pk", filter=Q(score__gt=row.score))
    found = _ranked(entry.board).aggregate(rank=better + 1, itself=Count("pk", filter=Q(pk=row.pk)))
    return PortableRow(row, found["rank"]) if found["itself"] else PortableRow(row, None, _LATER)


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
