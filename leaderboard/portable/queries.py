"""Boards of portable entries, their rows with ranks, and what is known about one entry."""

from __future__ import annotations

import math
import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import Count, F, Func, IntegerField, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from datasets.models import Baseline, Benchmark
from leaderboard.boards.ranking import paired_rank_intervals
from leaderboard.models import PortableBoard, PortableEntry, PortableProgram, PortableReplay, PortableRound
from leaderboard.submissions.steps import action_text, stored_commandline, stored_names
from optarena.errors import UnknownName
from optarena.measuring.estimates import LEAST_BLOCKS, Estimate, of_blocks
from optarena.specs import Metric, environment_spec, unknown_name
from runner.models import State

# So many ranked entries of a round are listed, as many others, and as many former rounds.
LISTED: Final = 500
# Everybody may read the sequences of these.
PUBLISHED: Final = Q(published_at__isnull=False) | Q(ended_at__isnull=False, unverified=0)
# Since then.
SHOWN_AT: Final = Coalesce("published_at", "ended_at")
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

    `own` counts the results that others had not shown before, and `to_first` compares it with the first
    entry, program by program; None where there is nothing to compare.
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
    """A program's value after the entry's best sequence, and the logarithm of its ratio."""

    value: float
    log: float
    has_failed: bool  # every sequence did
    is_known: bool  # others had published the sequence


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


def unknown_board(slug: str) -> UnknownName:
    known = PortableBoard.objects.order_by("slug").values_list("slug", flat=True)
    return unknown_name("board of portable entries", slug, list(known))


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


def _drawn_rounds(board: PortableBoard) -> QuerySet[PortableRound]:
    return board.rounds.exclude(measured=[])


def round_ends(board: PortableBoard) -> list[datetime]:
    """The ends of the board's last rounds that have programs, newest first."""
    return list(_drawn_rounds(board).values_list("ends_at", flat=True)[:LISTED])


def chosen_round(board: PortableBoard, given: str) -> PortableRound | None:
    """The round that a request names by its end, or else the last one; None as long as there is none."""
    if not given:
        return _drawn_rounds(board).first()
    with suppress(ValueError, OverflowError):
        moment = datetime.fromisoformat(given)
        found = _drawn_rounds(board).filter(ends_at=moment).first() if moment.tzinfo else None
        if found is not None:
            return found
    message = "The board has no round with entries that ended then."
    remedy = "Leave it out for the last one; `rounds` of the answer has the ends of all."
    raise UnknownName(message, field="round", value=given, remedy=remedy)


def sealed_rows(board: PortableBoard) -> list[PortableRow]:
    """The newest entries that wait for their programs."""
    waiting = _entries(board).filter(drawn_at__isnull=True).order_by("-sealed_at", "pk")
    return [PortableRow(one, why=_own_reason(one)) for one in waiting[:LISTED]]


def round_rows(one: PortableRound) -> list[PortableRow]:
    """The entries of a round: the ranked ones by score, then the newest of the others.

    An entry is ranked unless more than half of its results were known: a former first one may defend its
    place beside the one that its owner sealed, and the better one counts. A result was known if its sequence
    had been published by another owner before this one sealed it, or if another owner's entry of the round
    with the same value had been, and had it from nobody else.
    """
    entries = _entries(one.board).filter(round=one)
    # Those that were withdrawn still show the way to what is the same.
    scored = list(entries.filter(score__isnull=False).order_by("-score", "sealed_at", "pk")[:LISTED])
    results = _results(scored)
    found = [entry for entry in scored if results[entry.pk]]  # a replay may have been reopened meanwhile
    known = _known_values(found, results)
    ranked: list[PortableEntry] = []
    others: list[PortableRow] = []
    own: dict[uuid.UUID, int] = {}
    for entry in found:
        mine = results[entry.pk]
        copied = sum(result.is_known or place in known[entry.pk] for place, result in enumerate(mine))
        own[entry.pk] = len(mine) - copied - sum(result.has_failed for result in mine)
        why = _own_reason(entry) or _collection(copied, len(mine))
        if not why and entry.owner_id in {other.owner_id for other in ranked}:
            why = _OTHER
        if why:
            others.append(PortableRow(entry, why=why, own=own[entry.pk]))
        else:
            ranked.append(entry)
    logs = [tuple(result.log for result in results[entry.pk]) for entry in ranked]
    rows = [
        PortableRow(entry, rank.low, rank.high, own=own[entry.pk], to_first=_difference(values, logs[0]))
        for entry, rank, values in zip(ranked, paired_rank_intervals(tuple(logs)), logs, strict=True)
    ]
    rest = entries.exclude(pk__in=own).order_by("-sealed_at", "pk")[:LISTED]
    others += [PortableRow(entry, why=_own_reason(entry) or _behind()) for entry in rest]
    return rows + sorted(others, key=lambda row: row.entry.sealed_at, reverse=True)


def _behind() -> str:
    return f"not among the first {LISTED}"


def _results(entries: Sequence[PortableEntry]) -> dict[uuid.UUID, list[_Result]]:
    """The results on the drawn programs in order; none of an entry whose replays are being repeated."""
    known = {one.pk: set(one.known) for one in entries}
    drawn = PortableProgram.objects.filter(entry__in=known, is_drawn=True).order_by("position")
    found: dict[uuid.UUID, list[_Result]] = {one.pk: [] for one in entries}
    open_ = set()
    for key, reference, value, best in drawn.values_list("entry", "reference", "value", "best"):
        if value is None:
            open_.add(key)
            continue
        found[key].append(_Result(value, math.log(reference / value), best is None, best in known[key]))
    return found | {key: [] for key in open_}


def _known_values(
    entries: Sequence[PortableEntry], results: Mapping[uuid.UUID, list[_Result]]
) -> dict[uuid.UUID, set[int]]:
    """The programs, by their places, on which another owner's entry had shown the same value before."""
    same: dict[tuple[int, float], list[PortableEntry]] = defaultdict(list)
    for entry in entries:
        for place, result in enumerate(results[entry.pk]):
            if not (result.has_failed or result.is_known):
                same[place, result.value].append(entry)
    found: dict[uuid.UUID, set[int]] = {entry.pk: set() for entry in entries}
    for (place, _), those in same.items():
        for entry in those:
            if any(_had_shown(other, entry, those) for other in those):
                found[entry.pk].add(place)
    return found


def _had_shown(one: PortableEntry, entry: PortableEntry, those: Sequence[PortableEntry]) -> bool:
    """Whether another owner's entry was shown before this owner sealed any of those with the value."""
    since = one.shown_at  # type: ignore[attr-defined] # annotated
    if one.owner_id == entry.owner_id or since is None:
        return False
    own = (other.first_sealed_at for other in those if other.owner_id == entry.owner_id)  # type: ignore[attr-defined] # annotated
    return bool(since < min(own))


def _collection(copied: int, programs: int) -> str:
    if 2 * copied <= programs:
        return ""
    return f"a collection: others had published what gives {copied} of its {programs} results"


def _difference(logs: Sequence[float], first: Sequence[float]) -> Estimate | None:
    """The geometric mean of the ratios to the first entry, program by program."""
    if logs is first or len(logs) < LEAST_BLOCKS:
        return None
    return of_blocks([math.exp(one - other) for one, other in zip(logs, first, strict=True)])


def _entries(board: PortableBoard) -> QuerySet[PortableEntry]:
    """The entries of a board with their size, and of their sequences the first owner and two moments.

    These are when their owner sealed them first, and since when they are shown. What another owner sealed
    does not count if it failed, or was withdrawn, before it was published: nobody else could ever read it,
    and sealing and withdrawing would take away ranks for nothing. One's own always counts, so an entry that
    failed may come again.
    """
    waits = Q(ended_at__isnull=True, withdrawn_at__isnull=True)
    alike = PortableEntry.objects.filter(
        board__dataset=board.dataset, content_sha256=OuterRef("content_sha256")
    ).order_by("sealed_at", "pk")
    same = alike.filter(PUBLISHED | waits | Q(owner=OuterRef("owner")))
    own = alike.filter(owner=OuterRef("owner"))
    entries = PortableEntry.objects.filter(board=board).select_related("owner").defer("sequences")
    return entries.annotate(
        size=Func(F("sequences"), function="jsonb_array_length", output_field=_NUMBER),
        first_owner=Subquery(same.values("owner")[:1]),
        first_sealed_at=Subquery(own.values("sealed_at")[:1]),
        shown_at=Subquery(own.filter(PUBLISHED).order_by(SHOWN_AT).values(at=SHOWN_AT)[:1]),
    )


def _own_reason(entry: PortableEntry) -> str:
    is_copy = entry.owner_id != entry.first_owner  # type: ignore[attr-defined] # annotated
    return _WHY.get(entry.state, "a copy of an earlier entry" if is_copy else "")


def portable_entry(entry_id: uuid.UUID) -> PortableEntry | None:
    programs = PortableProgram.objects.select_related("benchmark").order_by("position")
    found = PortableEntry.objects.select_related("board__environment_version", "owner", "round__board")
    return found.prefetch_related(Prefetch("programs", programs)).filter(pk=entry_id).first()


def portable_place(entry: PortableEntry) -> PortableRow:
    """An entry's row among those of its round."""
    if entry.score is not None:
        rows = round_rows(entry.round)
        if (found := next((one for one in rows if one.entry.pk == entry.pk), None)) is not None:
            return found
    row = _entries(entry.board).get(pk=entry.pk)
    return PortableRow(row, why=_own_reason(row) or _behind())


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
