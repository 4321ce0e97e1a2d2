"""Sweep the queue: end lost leases, and send lost wake-ups again; prune what an operator lets go."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final
from uuid import UUID

import structlog
from django.db import Error as DatabaseError
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from optarena.limits import INFRASTRUCTURE_RETRIES
from runner import conf
from runner.database import database_now
from runner.models import (
    RUNNING,
    TERMINAL,
    AttemptDecision,
    Authority,
    Demand,
    Payer,
    State,
    Study,
    Verification,
    VerificationEvent,
)
from runner.queue.demands import NOBODY, charge_ended
from runner.queue.leases import RETRIES_EXHAUSTED, AttemptReport, store_attempt
from runner.queue.studies import sweep_studies
from runner.queue.transitions import StateChange, in_lock_order, swept, transition
from runner.queue.wakeups import waiting_studies, wake
from runner.selectors import known_digests, live_runners
from runner.work.confirmation import parts

if TYPE_CHECKING:
    Line = QuerySet[Verification] | QuerySet[Study]

_ADOPT: Final = """
INSERT INTO runner_demand
    (verification_id, payer_id, hardware_class, created_at, waiting, available_at, started_at, seconds)
SELECT id, %(payer)s, hardware_class, created_at, TRUE, available_at, NULL, 0
FROM runner_verification AS verification
WHERE state = 'queued'
  AND NOT EXISTS (SELECT 1 FROM runner_demand WHERE verification_id = verification.id)
ORDER BY created_at, id
ON CONFLICT DO NOTHING
"""
ACTOR: Final = "sweeper"
# Why the attempt of a lost worker did not succeed.
_LOST: Final = "infra:killed"
_BATCH: Final = 500
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepReport:
    # studies are those that were taken back or forgotten; errors say what failed, and why.
    requeued: int = 0
    exhausted: int = 0
    woken: int = 0
    studies: int = 0
    errors: tuple[str, ...] = ()


def sweep(*, now: datetime | None = None) -> SweepReport:
    # Several sweepers may run at once: only one of them takes each row.
    at = now or database_now()
    expired = Verification.objects.filter(state__in=RUNNING, lease_expires_at__lte=at)
    ids = list(expired.order_by("lease_expires_at").values_list("pk", flat=True)[:_BATCH])
    errors: list[str] = []
    ends = [_sweep_safely(one, at, errors) for one in ids]
    if corrected := _counted(partial(_correct_demands, now=at), errors):
        _log.warning("demands corrected", number=corrected)
    report = SweepReport(
        requeued=ends.count(State.QUEUED),
        exhausted=ends.count(State.FAILED),
        woken=_counted(partial(_wake_forgotten, at), errors),
        studies=_counted(partial(sweep_studies, now=at), errors),
    )
    return replace(report, errors=(*errors, *_tell_receivers(at)))


def _correct_demands(*, now: datetime) -> int:
    # The role of a worker may change and delete the demands of its own work: queued work would wait for ever,
    # and ended work would count for its payer for ever.
    return _adopt(now) + _requeue() + _drop_ended(now)


@transaction.atomic
def _adopt(now: datetime) -> int:
    # Queued verifications without a demand.
    nobody, _ = Payer.objects.get_or_create(name=NOBODY, defaults={"counted_at": now})
    with connection.cursor() as cursor:
        cursor.execute(_ADOPT, {"payer": nobody.pk})
        return int(cursor.rowcount)


@transaction.atomic
def _requeue() -> int:
    # Queued verifications whose demands say that they run.
    stuck = Demand.objects.filter(waiting=False, verification__state=State.QUEUED)
    ids = list(stuck.values_list("verification", flat=True)[:_BATCH])
    number = 0
    for row in in_lock_order(Verification.objects.filter(pk__in=ids, state=State.QUEUED)):
        demands = Demand.objects.filter(verification=row, waiting=False)
        number += demands.update(waiting=True, started_at=None, available_at=row.available_at)
    return number


@transaction.atomic
def _drop_ended(now: datetime) -> int:
    # Nothing is owed, since nobody knows how long they took.
    ended = Demand.objects.filter(verification__state__in=TERMINAL)
    ids = list(ended.values_list("verification", flat=True)[:_BATCH])
    if ids:
        rows = list(in_lock_order(Verification.objects.filter(pk__in=ids)))
        charge_ended(rows=rows, reason="infra:internal", now=now)
    return len(ids)


def _counted(step: Callable[[], int], errors: list[str]) -> int:
    # A step that fails is logged, and the others are made, unless the database does not answer.
    try:
        return step()
    except Exception as error:  # logged with its traceback, reported, and tried again in the next pass
        if isinstance(error, DatabaseError) and not connection.is_usable():
            raise
        name = getattr(getattr(step, "func", step), "__name__", str(step))
        _log.exception("a step of the pass failed", step=name)
        errors.append(f"{name}: {error!r}")
        return 0


def _tell_receivers(now: datetime) -> list[str]:
    errors = []
    for receiver, failed in swept.send_robust(sender=Verification, now=now):
        if isinstance(failed, Exception):
            _log.error("a receiver failed after a pass", receiver=str(receiver), exc_info=failed)
            errors.append(f"{getattr(receiver, '__qualname__', receiver)}: {failed!r}")
    return errors


def _sweep_safely(verification_id: UUID, now: datetime, errors: list[str]) -> str:
    try:
        return _sweep_one(verification_id, now)
    except Exception as error:  # noqa: BLE001 - logged with its traceback, reported, and tried again
        # A receiver that fails for one row must not stop the sweeper; the next pass tries the row
        # again, and every failure is logged.
        _log.exception("sweeping one verification failed", verification=str(verification_id))
        errors.append(f"verification {verification_id}: {error!r}")
        return "error"


@transaction.atomic
def _sweep_one(verification_id: UUID, now: datetime) -> str:
    expired = Verification.objects.filter(pk=verification_id, state__in=RUNNING, lease_expires_at__lte=now)
    locked = expired.select_for_update(skip_locked=True, no_key=True, of=("self",))
    row = locked.only("attempt", "worker", "lease_expires_at").first()
    if row is None:
        return "skipped"
    exhausted = row.attempt >= INFRASTRUCTURE_RETRIES
    change = StateChange(
        to=State.FAILED if exhausted else State.QUEUED,
        authority=Authority.SWEEPER,
        actor=ACTOR,
        reason=RETRIES_EXHAUSTED if exhausted else "",
        detail=f"Worker {row.worker} did not renew its lease before {row.lease_expires_at:%H:%M:%S} UTC.",
    )
    store_attempt(
        row=row,
        worker=row.worker,
        report=AttemptReport(reason=_LOST, detail=change.detail, seconds=_seconds_leased(row, now)),
        decision=AttemptDecision.FAIL if exhausted else AttemptDecision.GIVE_BACK,
        now=now,
    )
    return transition(verification_id=verification_id, change=change, now=now).state


def _seconds_leased(row: Verification, now: datetime) -> float:
    leased = row.events.filter(to_state=State.LEASED).order_by("seq").values_list("at", flat=True).last()
    return 0.0 if leased is None else max(0.0, (now - leased).total_seconds())


def _wake_forgotten(now: datetime) -> int:
    # If no runner of a class is live, wake-ups pile up in the broker. A runner that starts wakes itself; an
    # occasional wake-up reaches one that runs but cannot report it.
    late = now - conf.wake_again()
    forgotten = Verification.objects.filter(
        Q(woken_at__isnull=True) | Q(woken_at__lte=late), state=State.QUEUED, available_at__lte=now
    )
    classes = list(forgotten.order_by().values_list("hardware_class", flat=True).distinct())
    live = known_digests(live_runners(now=now))
    queued = Verification.objects.filter(state=State.QUEUED, available_at__lte=now).order_by(
        "created_at", "id"
    )
    lines: list[tuple[str, Line]] = [
        part for name in classes for part in parts(name, queued.filter(hardware_class=name))
    ]
    studies = waiting_studies(now)
    of_studies = studies.order_by().values_list("hardware_class", flat=True).distinct()
    lines += [(name, studies.filter(hardware_class=name)) for name in of_studies]
    return sum(_wake_class(waiting, name, live.get(name, set()), now) for name, waiting in lines)


def _wake_class(waiting: Line, hardware: str, known: set[str] | None, now: datetime) -> int:
    # The live workers have the known versions; None is all.
    if known is None:
        return _wake_live(waiting, hardware, now)
    ours, others = Q(environment_digest__in=known), ~Q(environment_digest__in=known)
    return (_wake_live(waiting.filter(ours), hardware, now) if known else 0) + _wake_unseen(
        waiting.filter(others), hardware, now
    )


def _wake_live(waiting: Line, hardware: str, now: datetime) -> int:
    late = now - conf.wake_again()
    oldest = list(waiting.values_list("pk", "woken_at")[: conf.WAKE_AGAIN_BATCH])
    ids = [pk for pk, woken_at in oldest if woken_at is None or woken_at <= late]
    return _wake(waiting, ids, hardware, now)


def _wake_unseen(waiting: Line, hardware: str, now: datetime) -> int:
    if waiting.filter(woken_at__gt=now - conf.WAKE_UNSEEN_AGAIN).exists():
        return 0
    return _wake(waiting, list(waiting.values_list("pk", flat=True)[:1]), hardware, now)


def _wake(waiting: Line, ids: list[UUID], hardware: str, now: datetime) -> int:
    if not ids or not wake(ids, hardware):
        return 0
    # A worker may have ended one of them meanwhile, and what has ended cannot be changed.
    waiting.filter(pk__in=ids).update(woken_at=now)
    return len(ids)


_PRUNE_BATCH: Final = 1_000
_ANNOUNCE: Final = "SET LOCAL optarena.pruning = 'on'"
_DROP_TRACES: Final = """
    UPDATE runner_verification
    SET result = jsonb_set(result, '{steps}', '[]') || jsonb_build_object(
        'initial', NULL,
        'pruned', jsonb_build_object(
            'effective_actions', jsonb_array_length(
                jsonb_path_query_array(result, '$.steps[*] ? (@.had_no_effect == false)')),
            'digest', result #> '{steps,-1,digest}'))
    WHERE id = ANY(%s)
"""


def prune_events(*, before: datetime) -> int:
    # The database refuses such writes except from its owner in a transaction that announces them.
    deleted = 0
    while ids := list(middle_events(before).values_list("pk", flat=True)[:_PRUNE_BATCH]):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_ANNOUNCE)
            deleted += VerificationEvent.objects.filter(pk__in=ids).delete()[0]
    return deleted


def prune_traces(*, verification_ids: Collection[UUID]) -> int:
    # State, reason, metrics and workloads stay, and how many steps had an effect.
    wanted = list(verification_ids)
    changed = 0
    for start in range(0, len(wanted), _PRUNE_BATCH):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_ANNOUNCE)
            ended = Verification.objects.select_for_update(no_key=True).filter(
                pk__in=wanted[start : start + _PRUNE_BATCH],
                finished_at__isnull=False,
                result__steps__0__isnull=False,
            )
            ids = list(ended.order_by("pk").values_list("pk", flat=True))
            cursor.execute(_DROP_TRACES, [ids])
            changed += len(ids)
    return changed


def middle_events(before: datetime) -> QuerySet[VerificationEvent]:
    # Without the first, the last, and any end.
    ended = Verification.objects.filter(
        pk=OuterRef("verification"), finished_at__lt=before, last_seq__gt=OuterRef("seq")
    )
    old = VerificationEvent.objects.filter(Exists(ended), at__lt=before, seq__gt=1)
    # The last event of a superseded verification says so; the one before it is how the replay ended.
    return old.exclude(to_state__in=TERMINAL).order_by("pk")
