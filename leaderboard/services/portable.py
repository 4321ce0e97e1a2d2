"""Portable entries: seals them, has their programs drawn and replayed, and scores them.

An entry is sealed before its programs exist: they are drawn by a hash of the entry and a secret of the
server, so nobody can search for them, and nobody can change the entry afterwards.
"""

from __future__ import annotations

import math
import statistics
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import structlog
from django.db import transaction
from django.db.models import Count, F, Q
from django.utils.crypto import salted_hmac

from datasets.selectors import find_benchmarks
from leaderboard.accounts.services import lock_account
from leaderboard.agent_names import family
from leaderboard.level_values import level_values
from leaderboard.models import (
    UNOPTIMISED_LEVEL,
    PortableBoard,
    PortableEntry,
    PortableProgram,
    PortableReplay,
)
from leaderboard.selectors import report_programs
from leaderboard.services import quotas
from leaderboard.services.portable_boards import drawn_range
from leaderboard.services.portable_decisions import is_implausible
from leaderboard.services.portable_documents import is_present, portable_draft
from leaderboard.services.quotas import QuotaExceeded
from optarena.specs import environment_spec
from runner import services as runner
from runner.clock import database_now
from runner.cost import predicted_seconds
from runner.states import State
from runner.work import ActionSequence, Work

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from django.contrib.auth.models import User
    from django.db.models import QuerySet

    from leaderboard.services.portable_documents import PortableDraft
    from runner.models import Verification

LEAST_DRAWS: Final = 5
"""An entry whose programs cannot be drawn is tried at least so often."""
LONGEST_SEALED: Final = timedelta(hours=1)
"""And for so long: what is wrong may be mended meanwhile."""
_SALT: Final = "leaderboard.portable"
_SEED_BYTES: Final = 8
_RETRY_SECONDS: Final = 60
_BATCH: Final = 500
_log = structlog.get_logger(__name__)


def receive(*, owner: User, body: bytes) -> tuple[PortableEntry, bool]:
    """Check and seal a portable entry. The same entry of the same agent again is the one that there is.

    Returns:
        The entry, and whether this call sealed it.

    Raises:
        MalformedDocument, DocumentTooLarge, InvalidDocument: The document cannot be used.
        QuotaExceeded: The owner's quota does not suffice, or another entry of theirs waits to be drawn.
        SubmissionTooCostly: Even a whole quota would not suffice.
        PermissionDenied: The account has been closed or deleted meanwhile.
    """
    quotas.count_upload(owner=owner, size=len(body))
    return _seal(owner, portable_draft(body))


@transaction.atomic
def _seal(owner: User, draft: PortableDraft) -> tuple[PortableEntry, bool]:
    lock_account(user=owner)  # of two requests at once, the second one sees what the first one sealed
    own = PortableEntry.objects.filter(owner=owner)
    same = own.filter(board=draft.board, agent=draft.agent, content_sha256=draft.content_sha256)
    if (found := same.filter(unverified=0, withdrawn_at__isnull=True).first()) is not None:
        return found, False
    _refuse_too_much(owner, draft, waiting=own.filter(drawn_at__isnull=True).first())
    entry = PortableEntry.objects.create(
        board=draft.board,
        owner=owner,
        agent=draft.agent,
        agent_group=f"{owner.pk} {family(draft.agent)}",
        sequences=[list(one.actions) for one in draft.sequences],
        content_sha256=draft.content_sha256,
    )
    return entry, True


def _refuse_too_much(owner: User, draft: PortableDraft, *, waiting: PortableEntry | None) -> None:
    """Refuse what the owner's quota does not allow.

    Its replays are requested when the programs are drawn, and count then. Until then another entry must
    wait, so that two cannot share what is left.
    """
    if waiting is not None:
        problem = QuotaExceeded(
            f"The programs of your entry of {waiting.agent} have not been drawn yet.",
            field="sequences",
            value="",
            remedy=f"Submit again in a minute, or withdraw that entry at {waiting.get_absolute_url()}.",
        )
        problem.retry_after = _RETRY_SECONDS
        raise quotas.with_headers(problem, owner)
    if quotas.is_exempt(owner):
        return
    costs = list(_costs(draft))
    with quotas.as_quota_errors(owner):
        runner.check_quota(payer=quotas.payer_of(owner.pk), number=len(costs), seconds=sum(costs))


def _costs(draft: PortableDraft) -> Iterator[float]:
    """What each replay is expected to take. The drawn programs are not known yet, but small."""
    sizes: list[tuple[int, float | None]] = [(0, None)] * draft.board.programs
    sizes += [(one.size_bytes, one.run_seconds) for one in report_programs(draft.board)]
    for size, seconds in sizes:
        for sequence in draft.sequences:
            yield predicted_seconds(size_bytes=size, actions=len(sequence.actions), run_seconds=seconds)


def drawn_uris(entry: PortableEntry) -> list[str]:
    """The programs of an entry: the same for the same sequences, whoever sends them in whatever order.

    Program number i is the HMAC-SHA256 of the dataset, the entry's hash and i, with a secret of this server,
    modulo the number of programs; a program that was drawn already is left out.
    """
    range_ = drawn_range(entry.board.dataset)
    low, high = range_.parameter_min or 0, range_.parameter_max or 0
    wanted = min(entry.board.programs, high - low + 1)
    found: dict[int, None] = {}
    number = 0
    while len(found) < wanted:
        message = f"{entry.board.dataset} {entry.content_sha256} {number}"
        digest = salted_hmac(_SALT, message, algorithm="sha256").digest()
        found[low + int.from_bytes(digest[:_SEED_BYTES], "big") % (high - low + 1)] = None
        number += 1
    return [range_.uri.replace("{n}", str(seed)) for seed in found]


def draw_next() -> PortableEntry | None:
    """Draw the programs of the sealed entry that has waited longest, and request its replays.

    Programs are generated, and measured at the level that the board compares with, in a process of its own.
    If that fails, the entry is tried again after the others, and has failed in the end: while it waits, its
    owner can seal no other. So has an entry whose board was closed meanwhile, or that has waited for long for
    an environment that is not installed here.

    Returns:
        The entry; None if none waits, or if it failed.
    """
    waiting = PortableEntry.objects.filter(drawn_at__isnull=True)
    boards = PortableBoard.objects.filter(is_open=True).select_related("environment_version")
    is_here = Q(board__in=[one for one in boards if is_present(one)])
    is_old = Q(sealed_at__lte=database_now() - LONGEST_SEALED)
    for homeless in waiting.filter(Q(board__is_open=False) | (is_old & ~is_here)).select_related("board"):
        _give_up(homeless)
    ordered = (
        waiting.filter(is_here).select_related("board__environment_version").order_by("draws", "sealed_at")
    )
    entry = ordered.first()
    if entry is None:
        return None
    entry.draws += 1
    PortableEntry.objects.filter(pk=entry.pk).update(draws=F("draws") + 1)
    try:
        return _draw(entry)
    except Exception:  # noqa: BLE001 - logged with its traceback, and tried again
        _log.exception("programs_not_drawn", entry=str(entry.pk), draws=entry.draws)
        if entry.draws >= LEAST_DRAWS and database_now() - entry.sealed_at >= LONGEST_SEALED:
            _give_up(entry)
        return None


def _draw(entry: PortableEntry) -> PortableEntry | None:
    spec = environment_spec(entry.board.environment_version.env_id)
    uris = drawn_uris(entry)
    values = level_values(
        environment=spec.id,
        observation=spec.metric(entry.board.metric).observation,
        level=entry.board.baseline_level,
        uris=uris,
    )
    return _request(entry, [*_drawn(uris, values), *_reported(entry.board, len(uris))])


def _give_up(entry: PortableEntry) -> None:
    """Have an entry fail whose programs could not be drawn: not one of its replays was made."""
    now = database_now()
    PortableEntry.objects.filter(pk=entry.pk, drawn_at__isnull=True).update(
        drawn_at=now, ended_at=now, unverified=entry.board.programs * len(entry.sequences)
    )


def _drawn(uris: Sequence[str], values: Sequence[tuple[float, float]]) -> Iterator[PortableProgram]:
    rows = find_benchmarks(uris)
    for position, (uri, (given, at_level)) in enumerate(zip(uris, values, strict=True)):
        yield PortableProgram(
            position=position,
            benchmark=rows[uri],
            benchmark_uri=uri,
            is_drawn=True,
            reference=at_level,
            unoptimised=given,
        )


def _reported(board: PortableBoard, first: int) -> Iterator[PortableProgram]:
    """The programs of the report, with the values that their dataset records."""
    for position, benchmark in enumerate(report_programs(board), start=first):
        recorded = {one.level: one.value for one in benchmark.baselines.all() if one.metric == board.metric}
        if {board.baseline_level, UNOPTIMISED_LEVEL} <= recorded.keys():
            yield PortableProgram(
                position=position,
                benchmark=benchmark,
                benchmark_uri=benchmark.uri,
                is_drawn=False,
                reference=recorded[board.baseline_level],
                unoptimised=recorded[UNOPTIMISED_LEVEL],
            )


@transaction.atomic
def _request(drawn: PortableEntry, programs: Sequence[PortableProgram]) -> PortableEntry | None:
    """Store the programs of an entry, and request the replay of each sequence on each of them.

    Nothing is stored if the entry has been drawn or moved to another board meanwhile.
    """
    locked = PortableEntry.objects.select_for_update(no_key=True, of=("self",)).filter(drawn_at__isnull=True)
    same = locked.filter(pk=drawn.pk, board=drawn.board_id, board__is_open=True)
    entry = same.select_related("board__environment_version").first()
    if entry is None:
        return None
    for program in programs:
        program.entry = entry
    stored = PortableProgram.objects.bulk_create(programs, batch_size=_BATCH)
    pairs = [(program, number) for program in stored for number in range(len(entry.sequences))]
    rows = runner.request_verifications(
        environment=entry.board.environment_version,
        works=_works(entry, stored),
        payer=quotas.payer_of(entry.owner_id),
    )
    PortableReplay.objects.bulk_create(
        [
            PortableReplay(program=program, sequence=number, verification=row)
            for (program, number), row in zip(pairs, rows, strict=True)
        ],
        batch_size=_BATCH,
    )
    entry.drawn_at = database_now()
    entry.save(update_fields=["drawn_at"])
    _score_if_ended(entry)
    return entry


def _works(entry: PortableEntry, programs: Iterable[PortableProgram]) -> list[Work]:
    spec = environment_spec(entry.board.environment_version.env_id)
    sequences = [ActionSequence.checked(spec, actions) for actions in entry.sequences]
    return [
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


@transaction.atomic(savepoint=False)  # if it fails, the transaction of the transition fails
def settle(*, verifications: Iterable[Verification]) -> None:
    """Score the entries of which these were the last replays; the caller holds the verifications' row locks.

    Of two replays that end at the same time, the second one waits here for the entry, and sees the first.
    """
    finished = [one.pk for one in verifications if one.is_terminal]
    concerned = PortableEntry.objects.filter(programs__replays__verification__in=finished)
    waiting = PortableEntry.objects.filter(
        pk__in=concerned.values("pk"), ended_at__isnull=True, withdrawn_at__isnull=True
    )
    locked = waiting.select_for_update(no_key=True, of=("self",)).select_related("board")
    for entry in locked.order_by("pk"):
        _score_if_ended(entry)


def metrics_of(*, verifications: Collection[uuid.UUID]) -> set[str]:
    """The metrics that portable entries need of these replays."""
    rows = _counting(verifications).order_by()
    return set(rows.values_list("program__entry__board__metric", flat=True))


def _counting(verifications: Collection[uuid.UUID]) -> QuerySet[PortableReplay]:
    """The replays of entries that these verifications decide."""
    return PortableReplay.objects.filter(
        verification__in=verifications, program__entry__withdrawn_at__isnull=True
    )


@transaction.atomic(savepoint=False)  # as above
def reopen(*, verifications: Collection[uuid.UUID], replay: Verification) -> None:
    """Have entries wait for a replay in the place of doubted ones, whose row locks the caller holds.

    What a reviewer decided was about the former result: a new one that is implausible waits for a reviewer.
    """
    rows = _counting(verifications)
    concerned = PortableEntry.objects.filter(pk__in=rows.values("program__entry"))
    locked = concerned.select_for_update(no_key=True).order_by("pk")
    entries = list(locked.values_list("pk", flat=True))
    rows.update(verification=replay)
    PortableProgram.objects.filter(entry__in=entries).update(value=None, best=None)
    first_published = PortableEntry.objects.filter(pk__in=entries, published_at=None, unverified=0)
    first_published.update(published_at=F("ended_at"))
    PortableEntry.objects.filter(pk__in=entries).update(
        ended_at=None,
        score=None,
        score_error=None,
        report_score=None,
        unverified=0,
        is_doubted=False,
        is_accepted=None,
    )


def _score_if_ended(entry: PortableEntry) -> None:
    replays = PortableReplay.objects.filter(program__entry=entry)
    if replays.filter(verification__finished_at__isnull=True).exists():
        return
    programs = {program.pk: program for program in entry.programs.all()}
    for program in programs.values():
        program.value, program.best = program.unoptimised, None
    recorded = replays.filter(verification__state=State.RECORDED).order_by("program", "sequence")
    rows = recorded.values_list("program", "sequence", f"verification__metrics__{entry.board.metric}")
    unmeasured = 0
    for key, sequence, value in rows:
        if not value or value < 0:  # the transaction of the transition must not fail for it
            unmeasured += 1
            continue
        program = programs[key]
        if program.value is None or program.best is None or value < program.value:
            program.value, program.best = float(value), sequence
    PortableProgram.objects.bulk_update(programs.values(), ["value", "best"], batch_size=_BATCH)
    unknown = Q(verification__reason__startswith="infra:") | Q(verification__state=State.CANCELLED)
    entry.unverified = unmeasured + replays.aggregate(number=Count("pk", filter=unknown))["number"]
    entry.ended_at = database_now()
    _score(entry, list(programs.values()))
    entry.save(update_fields=["unverified", "ended_at", "score", "score_error", "report_score", "is_doubted"])


def _score(entry: PortableEntry, programs: Sequence[PortableProgram]) -> None:
    """Write the geometric means of the ratios, unless a replay says nothing about the entry."""
    if entry.unverified:
        return
    drawn, reported = (
        [math.log(one.ratio) for one in programs if one.is_drawn is kind and one.ratio]
        for kind in (True, False)
    )
    entry.is_doubted = is_implausible(entry, [math.exp(one) for one in drawn])
    entry.score = math.exp(statistics.fmean(drawn))
    if len(drawn) > 1:
        entry.score_error = statistics.stdev(drawn) / math.sqrt(len(drawn))
    entry.report_score = math.exp(statistics.fmean(reported)) if reported else None
