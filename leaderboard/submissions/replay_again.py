"""Replay decided items again: for an owner, to repeat a measurement, after a doubt, for fresh evidence.

A repetition leaves the verdict, and makes a measured figure more exact: all blocks count together. One that
contradicts what was recorded ends the verdict, which is kept as a ``FormerVerdict``. Other replays make the
items pending meanwhile. Each verification has its own transaction, so the next run continues an interrupted
one.
"""

from __future__ import annotations

import time
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from leaderboard.accounts.services import REPETITION, REVERIFY, lock_account
from leaderboard.boards import services as board_services
from leaderboard.boards.models import is_current
from leaderboard.boards.queries import board_scale
from leaderboard.boards.ranking import Counted
from leaderboard.boards.standings import board_intervals
from leaderboard.common.rows import update_rows
from leaderboard.models import Board, FormerVerdict, Submission, SubmissionItem
from leaderboard.portable import services as portable_services
from leaderboard.submissions import quotas, verdicts
from leaderboard.submissions.services import Conflict, item_at, item_conflict, needed_metrics
from optarena.errors import UnknownName
from optarena.limits import MAX_REPETITIONS
from optarena.specs import environment_spec, environment_specs
from runner import conf
from runner.database import database_now
from runner.errors import EnvironmentChangedError, RepetitionRefusedError
from runner.models import State, Verification, VerificationEvent
from runner.queue import requests
from runner.queue.work import ActionSequence, Work
from runner.selectors import lives_on_present_machines

Verdict = SubmissionItem.Verdict
INFRASTRUCTURE: Final = "infra:"
_BATCH: Final = 500


@transaction.atomic
def retry(*, submission_id: uuid.UUID, position: int, actor: User) -> SubmissionItem:
    # Anybody may ask for it. Of two requests at once, one reopens the item and the other one is a conflict.
    # The name is written beside the former verdict, where a deletion of the account must find it.
    name = lock_account(user=actor).username
    lock_submission(submission_id)
    item = item_at(submission_id, position)
    _check(item)
    board = item.submission.board
    spec = environment_spec(board.environment_version.env_id)
    work = Work.of(
        spec=spec,
        benchmark=item.benchmark,
        benchmark_uri=item.benchmark_uri,
        actions=ActionSequence.checked(spec, item.actions, item.action_space),
        metrics=needed_metrics(board, item.claims),
    )
    with quotas.as_quota_errors(actor):
        [verification] = requests.request_verifications(
            environment=board.environment_version,
            works=[work],
            device=board.device,
            actor=f"retry by account {actor.pk}",
            payer=quotas.payer_of(actor.pk),
            limited=not quotas.is_exempt(actor),
        )
    failed = SubmissionItem.objects.filter(
        pk=item.pk, verdict=Verdict.FAILED, reason__startswith=INFRASTRUCTURE
    )
    if not _reopen(failed, verification, actor=name):
        _check(item_at(submission_id, position))
    return item_at(submission_id, position)


def lock_submission(submission_id: uuid.UUID) -> None:
    # A withdrawal would lock what a new replay needs in another order.
    Submission.objects.select_for_update(no_key=True).filter(pk=submission_id).first()


def can_retry(item: SubmissionItem) -> bool:
    ours = item.verdict == Verdict.FAILED and item.reason.startswith(INFRASTRUCTURE)
    return ours and is_current(item.submission.board)


def _check(item: SubmissionItem) -> None:
    if can_retry(item):
        return
    board = item.submission.board
    if not is_current(board):
        message = f"Board {board.slug} compares a version of its environment that is not installed any more."
        remedy = "Submit to one of the open boards at /boards/."
        raise Conflict(message, field="item", value=str(item), remedy=remedy)
    given = " ".join(filter(None, (item.verdict, item.reason)))
    message = f"The item is {given}; only one that failed for a reason infra:… can be replayed once more."
    remedy = "Wait for its verdict if it is pending, or submit other actions."
    raise Conflict(message, field="item", value=str(item), remedy=remedy)


def _reopen(items: QuerySet[SubmissionItem], verification: Verification, *, actor: str) -> int:
    # This transaction has locked the verification; if that has ended, the items are judged at once.
    locked, former = verdicts.lock_items(items)
    pending = verdicts.Judgement(verdict=Verdict.PENDING)
    _decide_anew(locked, former, verification, pending, actor=actor, ended=verification.is_terminal)
    return len(locked)


def _decide_anew(  # noqa: PLR0913 - most by keyword
    items: Sequence[SubmissionItem],
    former: Mapping[int, Counted],
    verification: Verification,
    judgement: verdicts.Judgement,
    *,
    actor: str,
    at: datetime | None = None,
    ended: bool = False,
) -> None:
    """Have items depend on another verification, and keep what was decided about them."""
    kept = ("verdict", "reason", "detail", "value", "ratio", "reviewed", "decided_at", "verification_id")
    FormerVerdict.objects.bulk_create(
        (
            FormerVerdict(item=item, reopened_by=actor, **{name: getattr(item, name) for name in kept})
            for item in items
            if item.verdict != Verdict.PENDING
        ),
        batch_size=_BATCH,
    )
    for item in items:
        item.verification = verification
        verdicts.apply_judgement(item=item, judgement=judgement, at=at)
    verdicts.store_verdicts(items=items, former=former, ended=ended)


# The blocks of the first measurement, and of the first repetitions: 5, 9 and 15 in all.
ROUNDS: Final = (5, 4, 6)
REPEATABLE: Final = (Verdict.VERIFIED, Verdict.QUARANTINED)
_UNREPEATABLE: Final = "infra:unrepeatable"
_LOOK: Final = "Look at the item's page: it lists all measurements, also those that wait."
_log = structlog.get_logger(__name__)
# What a repetition that agrees leaves as it is.
_KEPT: Final = ("verdict", "reason", "detail", "reviewed", "decided_at")


@transaction.atomic
def repeat_item(*, submission_id: uuid.UUID, position: int, actor: User) -> SubmissionItem:
    # Anybody may ask for it; the item stays verified meanwhile.
    lock_submission(submission_id)
    item = item_at(submission_id, position)
    if not can_ask_again(item) or item.verification_id is None:
        raise item_conflict(
            item, "Only a verified item of an open board can be measured again.", remedy=_LOOK
        )
    try:
        with quotas.as_quota_errors(actor):
            requests.request_repetition(
                verification_id=item.verification_id,
                actor=f"repeat by account {actor.pk}",
                payer=quotas.payer_of(actor.pk),
                limited=not quotas.is_exempt(actor),
            )
    except RepetitionRefusedError as error:
        raise item_conflict(item, str(error), remedy=_LOOK) from error
    return item


def can_ask_again(item: SubmissionItem) -> bool:
    # Unless it is being repeated, or was too often.
    return item.verdict in REPEATABLE and is_current(item.submission.board)


def apply_repetitions(*, verifications: Sequence[Verification]) -> None:
    # In the transaction that ended the repetitions. Failures of the infrastructure say nothing, and count
    # nothing.
    ended = {
        row.repeats_id: row
        for row in verifications
        if row.repeats_id is not None
        and row.is_terminal
        and row.state != State.CANCELLED
        and not row.could_not_be_verified
    }
    if not ended:
        return
    items, former = verdicts.lock_items(
        SubmissionItem.objects.filter(verification__in=ended, verdict__in=REPEATABLE)
    )
    firsts = Verification.objects.only("metrics").in_bulk({item.verification_id for item in items})
    own = {key: [item for item in items if item.verification_id == key] for key in sorted(firsts)}
    judged = {key: _contradiction(firsts[key], ended[key], own[key]) for key in own}
    for key in [one for one, broken in judged.items() if broken is not None]:
        requests.supersede_one(verification_id=key, actor=REPETITION)
        try:
            replay_again(verification_id=key, superseded=[key], actor=REPETITION)
        except (EnvironmentChangedError, UnknownName) as error:  # then nobody can replay it any more
            _log.warning("a contradicted replay still counts", verification=str(key), error=str(error))
    for key, broken in judged.items():  # the last: it locks boards
        if broken is None:
            _measure_again(own[key], former)
        else:
            _decide_anew(own[key], former, ended[key], broken, actor=REPETITION, at=database_now())


@transaction.atomic
def replay_again(
    *,
    verification_id: uuid.UUID,
    superseded: Collection[uuid.UUID],
    actor: str,
    items: QuerySet[SubmissionItem] | None = None,
) -> int:
    # Portable entries and items for which superseded replays of one work count wait for a new one. Without
    # any the next equal submission gets it.
    items = SubmissionItem.objects.none() if items is None else items
    metrics = portable_services.needed_metrics(verifications=superseded)
    for item in items.select_related("submission__board").only("claims", "submission__board"):
        metrics |= needed_metrics(item.submission.board, item.claims)
    if not metrics:
        return 0
    made = requests.replay_anew(verification_id=verification_id, metrics=metrics, actor=actor)
    portable_services.reopen_entries(verifications=superseded, replay=made)
    # A replay that measured more may have ended before.
    portable_services.score_ended_entries(verifications=[made])
    return _reopen(items, made, actor=actor)


def _contradiction(
    first: Verification, repetition: Verification, items: Sequence[SubmissionItem]
) -> verdicts.Judgement | None:
    if repetition.state != State.RECORDED:
        return verdicts.of_failure(repetition.reason, repetition.detail)
    spec = environment_spec(items[0].submission.board.environment_version.env_id)
    before, now = first.metrics or {}, repetition.metrics or {}
    exact = {metric.name for metric in spec.metrics if metric.exact}
    differing = sorted(name for name in exact & before.keys() & now.keys() if before[name] != now[name])
    if not differing:
        return None
    said = "; ".join(f"{name} was {before[name]:.15g}, then {now[name]:.15g}" for name in differing)
    return verdicts.Judgement(verdict=Verdict.FAILED, reason=_UNREPEATABLE, detail=f"{said}.")


def _measure_again(items: Sequence[SubmissionItem], former: Mapping[int, Counted]) -> None:
    # By all measurements together; verdicts stay.
    boards = board_services.lock_boards(board_ids={item.submission.board_id for item in items})
    for board in boards.values():
        own = [item for item in items if item.submission.board_id == board.pk]
        scale = board_scale(board, uris={item.benchmark_uri for item in own})
        kept = {item.pk: {name: getattr(item, name) for name in _KEPT} for item in own}
        verdicts.judge_items(board=board, items=own, scale=scale)
        for item in own:
            for name, value in kept[item.pk].items():
                setattr(item, name, value)
        update_rows(own, verdicts.JUDGED_FIELDS, batch_size=_BATCH)
        board_services.change(board=board, items=own, former=former, scale=scale)


_OF_THE_USER: Final = "user:"
# Of a failure that counts.
_ATTEMPTS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubted:
    verification_id: uuid.UUID
    uri: str
    # A reason id, or `recorded`.
    end: str


def doubted_failures(*, before: datetime | None) -> list[Doubted]:
    # Those that are not the infrastructure's and that a repetition can change, oldest first. Without a time:
    # those that were not repeated before they counted, and that `reverify` has not had replayed yet.
    failed = _counting().filter(state=State.FAILED)
    failed = failed.exclude(reason__startswith=INFRASTRUCTURE).exclude(reason__startswith=_OF_THE_USER)
    if before is None:
        failed = failed.alias(number=Count("attempts")).filter(number__lt=_ATTEMPTS)
    return _doubted(failed, before)


def doubted_champions(*, boards: Iterable[Board], before: datetime | None) -> list[Doubted]:
    return _doubted(_counting().filter(pk__in=champions(boards)), before)


def _doubted(rows: QuerySet[Verification], before: datetime | None) -> list[Doubted]:
    if before is None:
        own = VerificationEvent.objects.filter(verification=OuterRef("pk"), seq=1, actor=REVERIFY)
        rows = rows.filter(~Exists(own), finished_at__isnull=False)
    else:
        rows = rows.filter(finished_at__lt=before)
    shown = rows.order_by("finished_at", "pk").only("benchmark_uri", "reason", "state")
    return [
        Doubted(verification_id=row.pk, uri=row.benchmark_uri, end=row.reason or row.state) for row in shown
    ]


def champions(boards: Iterable[Board]) -> set[uuid.UUID]:
    # The replay of the best verified item of each benchmark. An item that is pending because its replay is
    # repeated is still the best, if it was.
    found = set()
    for board in boards:
        items = SubmissionItem.objects.filter(submission__board=board)
        best = (
            items.filter(verdict=Verdict.VERIFIED, verification__isnull=False)
            .order_by("benchmark_uri", "-ratio", "decided_at", "pk")
            .distinct("benchmark_uri")
        )
        reopened = FormerVerdict.objects.filter(
            item__in=items.filter(verdict=Verdict.PENDING), verdict=Verdict.VERIFIED
        )
        waiting = dict(reopened.order_by().values_list("item__benchmark_uri").annotate(best=Max("ratio")))
        found |= {
            verification
            for uri, ratio, verification in best.values_list("benchmark_uri", "ratio", "verification")
            if verification is not None and ratio is not None and ratio > waiting.get(uri, 0.0)
        }
    return found


@transaction.atomic
def reverify(doubted: Doubted) -> int:
    """Have a verification's work replayed anew, if somebody needs it; return how many items are pending."""
    key = doubted.verification_id
    superseded = requests.supersede(verification_id=key, actor=REVERIFY)
    # A withdrawal and a reviewer's refusal stay.
    items = SubmissionItem.objects.filter(verification__in=superseded).exclude(verdict=Verdict.WITHDRAWN)
    items = items.exclude(verdict=Verdict.FAILED, reviewed=True)
    return replay_again(verification_id=key, superseded=superseded, actor=REVERIFY, items=items)


# Who asks for a repetition, for the log.
CLEARING: Final = "unclear rank"
DAILY: Final = "daily repetition"
CHANGED: Final = "change of machines"
_DAY: Final = timedelta(days=1)
_LOOK_SECONDS: Final = 3600.0
# Repetitions that one pass for unclear ranks requests; the next pass goes on.
_A_PASS: Final = 100
# Repetitions that may fail without counting, before no further one is requested for an unclear rank.
_TRIES: Final = 2


def clear_ranks() -> int:
    """Measure the items of entries once more whose ranks are not clear, up to ``ROUNDS`` times each."""
    boards = Board.objects.filter(exact=False, provisional=False, withdrawn="").select_related(
        "environment_version"
    )
    wanted: list[uuid.UUID] = []
    for board in boards:
        if not is_current(board):
            continue
        unclear = [pk for pk, (low, high) in board_intervals(board).items() if low < high]
        used = SubmissionItem.objects.filter(submission__in=unclear, verdict=Verdict.VERIFIED)
        rows = _recorded_here().filter(pk__in=used.order_by().values("verification"))
        more = Count("repetitions", filter=Q(repetitions__state=State.RECORDED))
        rows = _repeatable(rows, len(ROUNDS) - 1 + _TRIES).annotate(more=more)
        rows = rows.filter(more__lt=len(ROUNDS) - 1).order_by("more", "pk")
        wanted.extend(rows.values_list("pk", flat=True)[:_A_PASS])
    return request_repetitions(wanted[:_A_PASS], actor=CLEARING)


def repeat_daily(*, now: datetime) -> int:
    """Once a day, replay the champions with the oldest evidence once more, and as many others by chance."""
    # OPTARENA_REPEAT_DAILY says how many in all; 0 is none.
    number: int = settings.OPTARENA_REPEAT_DAILY
    recent = Verification.objects.filter(repeats__isnull=False, created_at__gt=now - _DAY)
    done = VerificationEvent.objects.filter(verification__in=recent, seq=1, actor=DAILY)
    if not number or done.exists():
        return 0
    half = (number + 1) // 2
    chosen = oldest_evidence(champions(_open_boards()), number=half, before=now - _DAY)
    others = sample(number - len(chosen), besides=chosen, before=now - _DAY)
    return request_repetitions([*chosen, *others], actor=DAILY)


def repeat_after_change() -> int:
    """Measure verified items once more that no machine like those at work now has measured."""
    # So the rows of a measured board stay comparable after a runner, its kernel or its driver was replaced.
    boards: dict[str, list[Board]] = defaultdict(list)
    for board in _open_boards():
        if not board.exact:
            boards[conf.hardware_class(board.device)].append(board)
    wanted: list[uuid.UUID] = []
    for name, compared in boards.items():
        lives = lives_on_present_machines(name)
        if not lives:
            continue
        rows = _recorded_here().filter(_is_verified(submission__board__in=compared))
        here = Q(repetitions__state=State.RECORDED, repetitions__runner__in=lives)
        rows = _repeatable(rows.exclude(runner__in=lives), MAX_REPETITIONS)
        rows = rows.annotate(here=Count("repetitions", filter=here)).filter(here=0)
        # What was tried in vain comes last: it may fill a pass.
        wanted.extend(rows.order_by("tried", "finished_at", "pk").values_list("pk", flat=True)[:_A_PASS])
    return request_repetitions(wanted[:_A_PASS], actor=CHANGED)


class HourlyEvidence:
    """Looks once an hour: to find old evidence, and evidence of other machines, takes long."""

    def __init__(self) -> None:
        self._next = 0.0

    def look(self, *, now: datetime) -> int:
        if time.monotonic() < self._next:
            return 0
        self._next = time.monotonic() + _LOOK_SECONDS
        return repeat_daily(now=now) + repeat_after_change()


def _open_boards() -> list[Board]:
    boards = Board.objects.select_related("environment_version").order_by("slug")
    return [board for board in boards if is_current(board)]


def oldest_evidence(
    verifications: Collection[uuid.UUID], *, number: int, before: datetime
) -> list[uuid.UUID]:
    last = Coalesce(Max("repetitions__finished_at"), "finished_at")
    rows = _repeatable(_recorded_here().filter(pk__in=verifications), MAX_REPETITIONS).annotate(last=last)
    old = rows.filter(last__lt=before).order_by("last", "pk")
    return list(old.values_list("pk", flat=True)[:number])


def sample(
    number: int, *, besides: Collection[uuid.UUID] = (), before: datetime | None = None
) -> list[uuid.UUID]:
    # Ids are random, so those after a random one are.
    rows = _recorded_here().exclude(pk__in=besides).filter(_is_verified()).order_by("pk")
    rows = rows if before is None else rows.filter(finished_at__lt=before)
    start = uuid.uuid4()
    after = list(rows.filter(pk__gte=start).values_list("pk", flat=True)[:number])
    return after + list(rows.filter(pk__lt=start).values_list("pk", flat=True)[: number - len(after)])


def rows_of(board: Board) -> list[uuid.UUID]:
    rows = _recorded_here().filter(_is_verified(submission__board=board))
    return list(rows.order_by("pk").values_list("pk", flat=True))


def request_repetitions(verifications: Iterable[uuid.UUID], *, actor: str) -> int:
    """Request a repetition of each that can be repeated now; return how many were requested."""
    number = 0
    for one in verifications:
        rounds = 1 + Verification.objects.filter(repeats=one, state=State.RECORDED).count()
        blocks = ROUNDS[rounds] if rounds < len(ROUNDS) else None  # else the usual number
        try:
            requests.request_repetition(verification_id=one, actor=actor, blocks=blocks)
        except RepetitionRefusedError as error:
            _log.info("not repeated", verification=str(one), why=str(error))
        else:
            number += 1
    return number


def _is_verified(**where: object) -> Exists:
    items = SubmissionItem.objects.filter(verification=OuterRef("pk"), verdict=Verdict.VERIFIED)
    return Exists(items.filter(**where))


def _counting() -> QuerySet[Verification]:
    # And that this installation can replay.
    digests = {spec.digest for spec in environment_specs()}
    return Verification.objects.filter(environment_digest__in=digests, superseded_at__isnull=True)


def _recorded_here() -> QuerySet[Verification]:
    return _counting().filter(state=State.RECORDED, repeats__isnull=True)


def _repeatable(rows: QuerySet[Verification], most: int) -> QuerySet[Verification]:
    unfinished = Count("repetitions", filter=Q(repetitions__finished_at__isnull=True))
    counted = rows.annotate(tried=Count("repetitions"), unfinished=unfinished)
    return counted.filter(tried__lt=most, unfinished=0)
