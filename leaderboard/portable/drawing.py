"""Draw the programs of rounds that are over, and request the replays of their entries."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

import structlog
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from datasets.models import Benchmark
from datasets.selectors import find_benchmarks
from leaderboard.boards.models import is_current
from leaderboard.models import (
    UNOPTIMISED_LEVEL,
    PortableBoard,
    PortableEntry,
    PortableProgram,
    PortableReplay,
    PortableRound,
)
from leaderboard.portable.measuring import level_values
from leaderboard.portable.queries import report_programs, round_rows
from leaderboard.portable.services import drawn_uris, nonce_of, score_if_ended
from leaderboard.submissions import quotas
from optarena.specs import environment_spec
from runner.database import database_now
from runner.queue import demands, requests
from runner.queue.work import ActionSequence, Work

LEAST_DRAWS: Final = 5
# A round whose programs cannot be drawn is tried at least so often, and for so long: what is wrong may be
# mended meanwhile.
LONGEST_SEALED: Final = timedelta(hours=1)
# So many of the first entries of a round take part in the next one without being sealed again.
MOST_DEFENDING: Final = 10
_BATCH: Final = 500
_log = structlog.get_logger(__name__)


def draw_next() -> PortableEntry | None:
    """Request the replays of the next entry of a round that is over; None if there is none, or that fails.

    What fails is tried again, and has failed in the end: while an entry waits, its owner can seal no other.
    So has an entry whose board was closed meanwhile, or that has waited for long for an environment that is
    not installed here.
    """
    now = database_now()
    boards = PortableBoard.objects.filter(is_open=True).select_related("environment_version")
    is_here = Q(board__in=[one for one in boards if is_current(one)])
    waiting = PortableEntry.objects.filter(drawn_at__isnull=True)
    is_old = Q(round__ends_at__lte=now - LONGEST_SEALED)
    _give_up(waiting.filter(Q(board__is_open=False) | (is_old & ~is_here)), now)
    for entry in _due(waiting.filter(is_here), now):
        try:
            if entry.round.drawn_at is not None or _draw(entry.round, now):
                return _request(entry)
        except Exception:  # noqa: BLE001 - logged with its traceback, and tried again
            _log.exception("entry_not_requested", entry=str(entry.pk))
            if now - entry.round.ends_at >= LONGEST_SEALED:
                _give_up(waiting.filter(pk=entry.pk), now)
    return None


def _due(waiting: QuerySet[PortableEntry], now: datetime) -> Iterator[PortableEntry]:
    """The first entry of each round that may be drawn.

    A round waits for the one before it, whose first entries take part in it.
    """
    before = PortableEntry.objects.filter(
        board=OuterRef("board"),
        round__ends_at__lt=OuterRef("round__ends_at"),
        ended_at__isnull=True,
        withdrawn_at__isnull=True,
    )
    over = waiting.filter(~Exists(before), round__ends_at__lte=now)
    rows = over.select_related("round__board__environment_version").order_by("round__ends_at", "sealed_at")
    seen = set()
    for entry in rows.defer("sequences", "round__measured"):  # which are long, and one entry is requested
        if entry.round.drawn_at is not None or entry.round_id not in seen:
            seen.add(entry.round_id)
            yield entry


def _give_up(entries: QuerySet[PortableEntry], now: datetime) -> None:
    # Not one of their replays was made.
    for entry in entries.select_related("round"):
        number = entry.round.programs * len(entry.sequences)
        entries.filter(pk=entry.pk).update(drawn_at=now, ended_at=now, unverified=number)


def _draw(one: PortableRound, now: datetime) -> bool:
    """Measure the programs of a round and let the first ones of the last round take part; whether it did."""
    PortableRound.objects.filter(pk=one.pk).update(draws=F("draws") + 1)
    try:
        measured = _measured(one)
    except Exception:  # noqa: BLE001 - as above
        _log.exception("programs_not_drawn", round=str(one), draws=one.draws + 1)
        if one.draws + 1 >= LEAST_DRAWS and now - one.ends_at >= LONGEST_SEALED:
            _give_up(PortableEntry.objects.filter(round=one, drawn_at__isnull=True), now)
        return False
    with transaction.atomic():
        for leader in _leaders(one):
            _defend(leader, one)
        one.measured, one.nonce, one.drawn_at = measured, nonce_of(one), now
        one.save(update_fields=["measured", "nonce", "drawn_at"])
    return True


def _measured(one: PortableRound) -> list[dict[str, Any]]:
    board = one.board
    spec = environment_spec(board.environment_version.env_id)
    uris = drawn_uris(one)
    values = level_values(
        environment=spec.id,
        observation=spec.metric(board.metric).observation,
        level=board.baseline_level,
        uris=uris,
    )
    rows = find_benchmarks(uris)
    found = [
        _program(rows[uri], uri, at_level, given, is_drawn=True)
        for uri, (given, at_level) in zip(uris, values, strict=True)
    ]
    for benchmark in report_programs(board):  # with the values that their dataset records
        recorded = {one.level: one.value for one in benchmark.baselines.all() if one.metric == board.metric}
        if {board.baseline_level, UNOPTIMISED_LEVEL} <= recorded.keys():
            at_level, given = recorded[board.baseline_level], recorded[UNOPTIMISED_LEVEL]
            found.append(_program(benchmark, benchmark.uri, at_level, given, is_drawn=False))
    return found


def _program(
    benchmark: Benchmark, uri: str, reference: float, unoptimised: float, *, is_drawn: bool
) -> dict[str, Any]:
    return {
        "benchmark_id": benchmark.pk,
        "benchmark_uri": uri,
        "is_drawn": is_drawn,
        "reference": reference,
        "unoptimised": unoptimised,
    }


def _leaders(one: PortableRound) -> list[PortableEntry]:
    """The first entries of the board's last round, unless they are sealed in this one.

    So a round shows who beats them, and a copy of one meets what it was copied from. One that defended and
    failed for our machines' sake, or waits for a reviewer, goes on.
    """
    last = one.board.rounds.filter(ends_at__lt=one.ends_at).exclude(measured=[]).first()
    if last is None:
        return []
    rows = round_rows(last)
    first = [row.entry for row in rows if row.rank == 1][:MOST_DEFENDING]
    first += [
        row.entry for row in rows if row.entry.defends_id and row.entry.state in {"failed", "quarantined"}
    ]
    present = one.entries.filter(withdrawn_at__isnull=True)
    sealed = set(present.values_list("owner", "content_sha256"))
    roots = {row.defends_id or row.pk for row in first}
    chains = PortableEntry.objects.filter(Q(pk__in=roots) | Q(defends__in=roots), withdrawn_at__isnull=False)
    ended = {row.defends_id or row.pk for row in chains.only("defends")}
    return [
        row
        for row in first
        if (row.owner_id, row.content_sha256) not in sealed
        and (row.defends_id or row.pk) not in ended
        and row.owner.is_active
    ]


def _defend(leader: PortableEntry, one: PortableRound) -> None:
    former = PortableEntry.objects.get(pk=leader.defends_id or leader.pk)
    copied = ("board", "owner", "agent", "agent_group", "content_sha256", "sequences", "sequence_sha256")
    made = PortableEntry.objects.create(
        **{name: getattr(former, name) for name in copied}, known=former.known, round=one, defends=former
    )
    PortableEntry.objects.filter(pk=made.pk).update(sealed_at=former.sealed_at)


@transaction.atomic
def _request(drawn: PortableEntry) -> PortableEntry | None:
    # Nothing is stored if the entry has been drawn or moved to another board meanwhile.
    locked = PortableEntry.objects.select_for_update(no_key=True, of=("self",)).filter(drawn_at__isnull=True)
    same = locked.filter(pk=drawn.pk, board=drawn.board_id, board__is_open=True)
    entry = same.select_related("board__environment_version", "round").first()
    if entry is None:
        return None
    entry.drawn_at = database_now()
    entry.save(update_fields=["drawn_at"])
    benchmarks = Benchmark.objects.in_bulk([row["benchmark_id"] for row in entry.round.measured])
    programs = [
        PortableProgram(entry=entry, position=position, benchmark=benchmarks[row.pop("benchmark_id")], **row)
        for position, row in enumerate(entry.round.measured)
    ]
    stored = PortableProgram.objects.bulk_create(programs, batch_size=_BATCH)
    _request_replays(entry, stored)
    score_if_ended(entry)
    return entry


def _request_replays(entry: PortableEntry, programs: list[PortableProgram]) -> None:
    spec = environment_spec(entry.board.environment_version.env_id)
    sequences = [ActionSequence.checked(spec, actions) for actions in entry.sequences]
    works = [
        Work.of(
            spec=spec,
            benchmark=program.benchmark,
            benchmark_uri=program.benchmark_uri,
            actions=sequence,
            metrics=[entry.board.metric],
        )
        for program in programs
        for sequence in sequences
    ]
    rows = requests.request_verifications(
        environment=entry.board.environment_version,
        works=works,
        # Nobody pays for what its owner did not ask for.
        payer=demands.NOBODY if entry.defends_id else quotas.payer_of(entry.owner_id),
    )
    pairs = itertools.product(programs, range(len(sequences)))
    PortableReplay.objects.bulk_create(
        [
            PortableReplay(program=program, sequence=number, verification=row)
            for (program, number), row in zip(pairs, rows, strict=True)
        ],
        batch_size=_BATCH,
    )
