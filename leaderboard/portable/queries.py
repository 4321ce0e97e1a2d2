"""Boards of portable entries, their rows with ranks, and what is known about one entry."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Count, Exists, F, Func, IntegerField, OuterRef, Prefetch, Q, Subquery

from datasets.models import Baseline, Benchmark
from leaderboard.models import PortableBoard, PortableEntry, PortableProgram, PortableReplay
from leaderboard.submissions.steps import action_text, stored_commandline, stored_names
from optarena.measuring.estimates import Estimate
from optarena.specs import environment_spec
from runner.models import State

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection, Iterable, Iterator

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


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableRow:
    # ``why``: why it has no rank; empty if it has one.
    entry: PortableEntry
    rank: int | None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableSequence:
    # ``commandline`` is None where the environment has other actions today; then ``names`` has the name of
    # each action in the version of the entry, or its number if that is not known any more.
    actions: list[Any]
    commandline: str | None
    names: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableFigures:
    replays: int
    ended: int


def portable_boards() -> QuerySet[PortableBoard]:
    boards = PortableBoard.objects.select_related("environment_version")
    return boards.annotate(number=Count("entries")).order_by("slug")


def portable_board(slug: str) -> PortableBoard | None:
    return portable_boards().filter(slug=slug).first()


def portable_metric(board: PortableBoard) -> Metric:
    return environment_spec(board.environment_version.env_id).metric(board.metric)


def report_programs(board: PortableBoard) -> list[Benchmark]:
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
    # The best ranked entries by score, then the newest of the others, at most ``LISTED`` of each.
    #
    # Of an owner's family of agents the latest entry that has a score is ranked, whatever the score: to
    # submit again and again until the drawn programs are easy gains less. An entry that another owner sealed
    # before is a copy. One that was withdrawn when its programs were known keeps its place as the latest,
    # without a rank.
    ranked = list(_ranked(board).order_by("-score", "sealed_at", "pk")[:LISTED])
    scores = [one.score for one in ranked]
    rows = [PortableRow(entry=one, rank=scores.index(one.score) + 1) for one in ranked]
    newest = _entries(board).order_by("-sealed_at", "pk")[:LISTED]
    return rows + list(_unranked(newest, {one.pk for one in ranked}))


def _ranked(board: PortableBoard) -> QuerySet[PortableEntry]:
    entries = _entries(board)
    scored = Q(score__isnull=False) & (Q(is_doubted=False) | Q(is_accepted=True))
    taken_back = Q(withdrawn_at__isnull=False, has_programs=True)
    counting = entries.filter(scored | taken_back, owner=F("first_owner"))
    latest = counting.order_by("agent_group", "-sealed_at", "pk").distinct("agent_group").values("pk")
    return entries.filter(pk__in=latest, withdrawn_at__isnull=True)


def _entries(board: PortableBoard) -> QuerySet[PortableEntry]:
    # Another owner's entry does not count as the first if it failed, or was withdrawn, before it was
    # published: nobody else could ever read it, and sealing and withdrawing would take away ranks for
    # nothing. One's own always counts, so an entry that failed may come again.
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


def _unranked(newest: Iterable[PortableEntry], ranked: Collection[uuid.UUID]) -> Iterator[PortableRow]:
    counted = set()
    for entry in newest:
        why = _own_reason(entry)
        if not why and entry.agent_group in counted:
            why = _LATER
        elif not why:
            counted.add(entry.agent_group)
            why = f"not among the first {LISTED}"
        if entry.state == "withdrawn" and entry.has_programs:  # type: ignore[attr-defined] # annotated
            counted.add(entry.agent_group)
        if entry.pk not in ranked:
            yield PortableRow(entry=entry, rank=None, why=why)


def _own_reason(entry: PortableEntry) -> str:
    # Whatever its agent's other entries are.
    is_copy = entry.owner_id != entry.first_owner  # type: ignore[attr-defined] # annotated
    return _WHY.get(entry.state, "a copy of an earlier entry" if is_copy else "")


def portable_entry(entry_id: uuid.UUID) -> PortableEntry | None:
    programs = PortableProgram.objects.select_related("benchmark").order_by("position")
    found = PortableEntry.objects.select_related("board__environment_version", "owner")
    return found.prefetch_related(Prefetch("programs", programs)).filter(pk=entry_id).first()


def portable_place(entry: PortableEntry) -> PortableRow:
    # Its place may be behind those that are listed.
    row = _entries(entry.board).get(pk=entry.pk)
    why = _own_reason(row)
    if why:
        return PortableRow(entry=row, rank=None, why=why)
    ranked = _ranked(entry.board)
    better = Count("pk", filter=Q(score__gt=row.score))
    found = ranked.aggregate(rank=better + 1, itself=Count("pk", filter=Q(pk=row.pk)))
    if not found["itself"]:
        return PortableRow(entry=row, rank=None, why=_LATER)
    return PortableRow(entry=row, rank=found["rank"])


def portable_figures(entry: PortableEntry) -> PortableFigures:
    # Replays that were cancelled have not ended.
    replays = PortableReplay.objects.filter(program__entry=entry)
    ended = Count("pk", filter=Q(verification__state__in=(State.RECORDED, State.FAILED)))
    found = replays.aggregate(number=Count("pk"), ended=ended)
    return PortableFigures(replays=found["number"], ended=found["ended"])


def score_interval(entry: PortableEntry) -> tuple[float, float] | None:
    # Of the mean over all programs that could be drawn.
    drawn = [one for one in entry.programs.all() if one.is_drawn]
    if entry.score is None or entry.score_error is None:
        return None
    return Estimate(math.log(entry.score), entry.score_error**2, len(drawn) - 1).interval


def may_read_sequences(entry: PortableEntry, user_id: int | None) -> bool:
    # Of an entry that failed for our machines' sake nothing is known, and its owner may submit it again, also
    # after withdrawing it.
    return entry.is_published or entry.owner_id == user_id


def portable_sequences(entry: PortableEntry) -> list[PortableSequence]:
    version = entry.board.environment_version
    known = stored_names(version)
    found = []
    for actions in entry.sequences:
        line = stored_commandline(version, actions)
        names = [action_text(known, action) for action in actions] if line is None else []
        found.append(PortableSequence(actions=actions, commandline=line, names=names))
    return found


def drawn_only(programs: Iterable[PortableProgram], *, drawn: bool) -> list[PortableProgram]:
    return [one for one in programs if one.is_drawn is drawn]
