"""Lease verifications to workers: choose, renew, record attempts, hand over, end; pause failing workers."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.db import transaction
from django.db.models import Max

from optarena import limits
from optarena.limits import INFRASTRUCTURE_RETRIES
from optarena.specs.results import reason as described
from runner import conf
from runner.clock import CLOCK, database_now, storable, storable_text
from runner.errors import LeaseLostError
from runner.models import PHASES, AttemptDecision, Authority, Runner, State, Verification, VerificationAttempt
from runner.queue import demands
from runner.queue.transitions import (
    ReplayOutcome,
    StateChange,
    in_lock_order,
    lock,
    transition,
    transition_locked,
)
from runner.queue.wakeups import own_digests
from runner.selectors import able_runner
from runner.work.confirmation import (
    HANDED_OVER,
    NOT_INTERRUPTED,
    OF_THE_WORK,
    OF_THE_WORKER,
    PREPARED_ANEW,
    leasable,
    lines,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptReport:
    """How an attempt failed.

    Attributes:
        id: Identifies it, so that a report that is sent again is stored once.
        reason: Why this attempt did not succeed; a reason id.
        detail: A description for people.
        failed_step: Index of the action that failed, where one did.
        seconds: How long it took.
        evidence: How it ran, as JSON data.
    """

    reason: str
    detail: str
    failed_step: int | None = None
    seconds: float = 0.0
    evidence: Mapping[str, Any] = field(default_factory=dict)
    id: uuid.UUID = field(default_factory=uuid.uuid4)


@transaction.atomic
def suspect(*, lease: Lease, report: AttemptReport, now: datetime | None = None) -> None:
    """Store a failure that is going to be repeated; the verification stays in its phase.

    Raises:
        LeaseLostError: The lease is no longer this worker's.
    """
    row = lock(lease.verification_id)
    if row.lease_token != lease.token:
        raise LeaseLostError(f"{lease.verification_id} is no longer leased to {lease.worker}.")
    note_attempt(row=row, worker=lease.worker, report=report, decision=AttemptDecision.CONFIRM, now=now)


def note_attempt(
    *,
    row: Verification,
    worker: str,
    report: AttemptReport,
    decision: AttemptDecision,
    now: datetime | None = None,
) -> None:
    """Store an attempt; the caller's transaction has locked the row, and nothing happens the second time."""
    at = now or database_now()
    stored = VerificationAttempt.objects.filter(verification=row)
    if stored.filter(pk=report.id).exists():
        return
    last: int = stored.aggregate(last=Max("number"))["last"] or 0
    VerificationAttempt.objects.create(
        id=report.id,
        verification=row,
        number=last + 1,
        lease_attempt=row.attempt,
        worker=worker[: limits.WORKER_NAME_LENGTH],
        started_at=at - timedelta(seconds=report.seconds),
        ended_at=at,
        decision=decision,
        reason=report.reason,
        detail=storable_text(report.detail)[: limits.DETAIL_LENGTH],
        failed_step=report.failed_step,
        evidence=_bounded(report.evidence),
    )


def _bounded(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """The evidence, without its longest parts where it would be too long as a whole."""
    kept: dict[str, Any] = storable(evidence)
    while kept and len(json.dumps(kept)) > limits.EVIDENCE_LENGTH:
        del kept[max(kept, key=lambda name: len(json.dumps(kept[name])))]
    return kept


_log = structlog.get_logger(__name__)


def note_fault(*, row: Verification, runner_id: int | None, reason: str, now: datetime | None = None) -> bool:
    """Count a failure of the infrastructure; the worker may pause because of it.

    Part of the caller's transaction, which has locked the verification.

    Args:
        row: The verification.
        runner_id: The worker's row; None outside a worker, which nothing is counted for.
        reason: The ``infra:`` reason id. After some a worker pauses at once; others are never counted.
        now: The time; None reads the database's clock.

    Returns:
        Whether the worker is paused and the work must not pay for it.
    """
    if runner_id is None or reason in OF_THE_WORK:
        return False
    runner = Runner.objects.select_for_update(no_key=True).filter(pk=runner_id).first()
    if runner is None or _was_spared(row) >= conf.SPARED_AT_MOST:
        return False
    sick = reason in OF_THE_WORKER
    if str(row.pk) not in runner.faults:
        runner.faults.append(str(row.pk))
    if runner.paused_at is None and (sick or len(runner.faults) >= conf.FAULTS_IN_A_ROW):
        runner.paused_at = now or database_now()
        runner.pause_reason = _why(reason, 1 if sick else len(runner.faults))
        _log.warning("this worker pauses", runner=runner.name, reason=runner.pause_reason)
    runner.save(update_fields=["faults", "paused_at", "pause_reason"])
    return runner.paused_at is not None


def note_success(runner_id: int | None) -> None:
    """A replay came to its end on this worker, so its failures before are not in a row."""
    if runner_id is not None:
        Runner.objects.filter(pk=runner_id).exclude(faults=[]).update(faults=[])


def _was_spared(row: Verification) -> int:
    """How often it was queued again without paying an attempt."""
    again = row.events.filter(to_state=State.QUEUED).exclude(from_state="")
    return again.exclude(reason__in=NOT_INTERRUPTED).count() - row.attempt


def _why(reason: str, number: int) -> str:
    ended = f"The last {number} replays" if number > 1 else "A replay"
    return f"{ended} failed here because of the infrastructure ({reason}): {described(reason).meaning}"


RETRIES_EXHAUSTED: Final = "infra:retries-exhausted"
_DOUBLED: Final = 16
"""More doublings than any pause has."""
_FIRST_LEASE: Final = 2
"""The number of a first lease's event, after that of the request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to work on one verification, for as long as ``token`` is the row's.

    Attributes:
        runner_id: The row of the worker; None outside a worker.
        is_first: Whether nobody had a lease of it before.
    """

    verification_id: uuid.UUID
    token: uuid.UUID
    attempt: int
    worker: str
    runner_id: int | None = None
    is_first: bool = False


def lease(
    *,
    verification_id: uuid.UUID,
    worker: str,
    life: uuid.UUID | None = None,
    now: datetime | None = None,
) -> Lease | None:
    """Lease this verification out of turn; None if it is not free for this machine. Workers take turns.

    Args:
        verification_id: The verification.
        worker: The name of the process, for the event log.
        life: Identifies the worker, which gets nothing while it is paused; None outside a worker.
        now: The time; None reads the database's clock.
    """
    return _lease_one(verification_id, worker, life, now)


def lease_next(*, worker: str, life: uuid.UUID | None = None, now: datetime | None = None) -> Lease | None:
    """As ``lease``, for the free verification of this machine's class whose turn it is."""
    return _lease_one(None, worker, life, now)


@transaction.atomic
def _lease_one(
    verification_id: uuid.UUID | None, worker: str, life: uuid.UUID | None, now: datetime | None
) -> Lease | None:
    runner_id = None if life is None else able_runner(life)
    if life is not None and runner_id is None:
        return None
    at = now or database_now()
    found = _lock_named(verification_id, at) if verification_id else _lock_in_turn(at)
    if found is None:
        return None
    change = StateChange(to=State.LEASED, authority=Authority.WORKER, actor=worker, runner_id=runner_id)
    transition_locked(rows=[found], change=change, now=at)
    if found.lease_token is None:
        raise LeaseLostError(f"{found.pk} was leased without a token.")
    return Lease(
        verification_id=found.pk,
        token=found.lease_token,
        attempt=found.attempt,
        worker=worker,
        runner_id=runner_id,
        is_first=found.last_seq == _FIRST_LEASE,
    )


def _lock_named(verification_id: uuid.UUID, now: datetime) -> Verification | None:
    free = Verification.objects.filter(pk=verification_id, state=State.QUEUED, available_at__lte=now)
    return demands.lock_free(_leasable(free))


def _lock_in_turn(now: datetime) -> Verification | None:
    for name in lines():
        found = demands.lock_next(hardware_class=name, now=now, leasable=_leasable)
        if found is not None:
            return found
    return None


def _leasable(rows: QuerySet[Verification]) -> QuerySet[Verification]:
    """Those of some verifications that this machine can do, with a version of the environment that it has."""
    return leasable(rows).filter(environment_digest__in=own_digests())


def heartbeat(*, lease: Lease, now: datetime | None = None) -> None:
    """Renew the lease.

    Raises:
        LeaseLostError: The lease is no longer this worker's.
    """
    at = now or database_now()
    _write_back(lease, heartbeat_at=at, lease_expires_at=at + conf.lease_time())


def report_progress(*, lease: Lease, done: int, total: int) -> None:
    """Record the progress of the present phase.

    Raises:
        LeaseLostError: The lease is no longer this worker's.
    """
    _write_back(lease, progress_done=done, progress_total=total)


def keep_blocks(*, lease: Lease, blocks: Sequence[Mapping[str, Any]]) -> None:
    """Keep the whole blocks of a measurement, for the next lease if this one is lost.

    Raises:
        LeaseLostError: The lease is no longer this worker's.
    """
    _write_back(lease, kept_blocks=storable(list(blocks)))


def _write_back(lease: Lease, **values: Any) -> None:  # noqa: ANN401 - of any column
    rows = Verification.objects.filter(pk=lease.verification_id, lease_token=lease.token)
    if not rows.update(**values):
        raise LeaseLostError(f"{lease.verification_id} is no longer leased to {lease.worker}.")


@transaction.atomic
def advance(
    *,
    lease: Lease,
    to: State,
    total: int = 0,
    ages: Mapping[State, timedelta] | None = None,
    now: datetime | None = None,
) -> None:
    """Enter a phase, through those before it; a phase that was reached before stays as it is.

    Args:
        lease: The worker's.
        to: The phase.
        total: How many actions, workloads or metrics it has; 0 if that is not known yet.
        ages: How long ago phases were entered that were not written then.
        now: The time; None reads the database's clock.

    Raises:
        LeaseLostError: The lease is no longer this worker's.
    """
    row, at = _locked(lease, now)
    if ahead := _phases_after(row, to):
        change = _change(lease, to, passed=ahead[:-1], ages=ages or {}, total=total)
        transition_locked(rows=[row], change=change, now=at)


@transaction.atomic
def record(
    *,
    lease: Lease,
    outcome: ReplayOutcome,
    ages: Mapping[State, timedelta] | None = None,
    now: datetime | None = None,
) -> None:
    """End with a result, through the phases that were not written before.

    Args:
        lease: The worker's.
        outcome: The replay's result.
        ages: How long ago phases were entered that were not written then.
        now: The time; None reads the database's clock.

    Raises:
        LeaseLostError: The lease is no longer this worker's.
    """
    row, at = _locked(lease, now)
    passed = _phases_after(row, State.MEASURING)
    change = _change(lease, State.RECORDED, passed=passed, ages=ages or {}, outcome=outcome)
    transition_locked(rows=[row], change=change, now=at)
    note_success(lease.runner_id)


@transaction.atomic
def hand_over(
    *,
    lease: Lease,
    prepared: Mapping[str, Any],
    ages: Mapping[State, timedelta] | None = None,
    now: datetime | None = None,
) -> None:
    """Queue checked work again, for a machine with the device to measure it.

    It is paid for so far, and used up no attempt.

    Args:
        lease: The worker's.
        prepared: The ``result`` so far and the ``job``, as JSON data.
        ages: How long ago phases were entered that were not written then.
        now: The time; None reads the database's clock.

    Raises:
        LeaseLostError: The lease is no longer this worker's.
    """
    row, at = _locked(lease, now)
    row.prepared = storable(prepared)
    row.save(update_fields=["prepared"])
    demands.pay_so_far(row=row, now=at)
    change = _change(
        lease,
        State.QUEUED,
        reason=HANDED_OVER,
        detail=f"Replayed and checked; it is measured on {row.hardware_class}.",
        passed=_phases_after(row, State.CHECKING),
        ages=ages or {},
        counts=False,
    )
    transition_locked(rows=[row], change=change, now=at)
    note_success(lease.runner_id)


@transaction.atomic
def prepare_anew(*, lease: Lease, report: AttemptReport, now: datetime | None = None) -> None:
    """Store a failure of a prepared measurement, and have it confirmed with a job that is prepared anew.

    It is paid for so far, and used up no attempt.

    Raises:
        LeaseLostError: The lease is no longer this worker's.
    """
    row, at = _locked(lease, now)
    note_attempt(row=row, worker=lease.worker, report=report, decision=AttemptDecision.CONFIRM, now=at)
    demands.pay_so_far(row=row, now=at)
    detail = f"It failed with {report.reason}, and is prepared again: {report.detail}"
    change = _change(lease, State.QUEUED, reason=PREPARED_ANEW, detail=detail, counts=False)
    transition_locked(rows=[row], change=change, now=at)
    note_success(lease.runner_id)


def _locked(lease: Lease, now: datetime | None) -> tuple[Verification, datetime]:
    """The leased row, locked for the rest of the transaction, and the time in the same statement."""
    leased = Verification.objects.filter(pk=lease.verification_id, lease_token=lease.token)
    row = in_lock_order(leased).annotate(locked_at=CLOCK).first()
    if row is None:
        raise LeaseLostError(f"{lease.verification_id} is no longer leased to {lease.worker}.")
    return row, now or row.locked_at


def _phases_after(row: Verification, to: State) -> tuple[State, ...]:
    """The phases after a row's state, up to one."""
    return PHASES[PHASES.index(State(row.state)) + 1 : PHASES.index(to) + 1]


def _change(lease: Lease, to: State, **options: Any) -> StateChange:  # noqa: ANN401 - those of a StateChange
    return StateChange(to=to, authority=Authority.WORKER, actor=lease.worker, token=lease.token, **options)


@transaction.atomic
def fail(  # noqa: PLR0913 - all by keyword
    *,
    lease: Lease,
    reason: str,
    detail: str,
    outcome: ReplayOutcome | None = None,
    report: AttemptReport | None = None,
    now: datetime | None = None,
) -> None:
    """End as failed because of the work itself: it would fail again on every machine.

    Args:
        lease: The worker's.
        reason: A reason id.
        detail: A description for people.
        outcome: The replay's result, where it ended.
        report: How the last attempt failed; made from reason and detail if absent.
        now: The time; None reads the database's clock.

    Raises:
        LeaseLostError: The lease is no longer this worker's.
    """
    change = _change(lease, State.FAILED, reason=reason, detail=detail, outcome=outcome)
    _end_attempt(lease, change, report, now)
    note_success(lease.runner_id)


@transaction.atomic
def give_back(
    *,
    lease: Lease,
    reason: str,
    detail: str,
    report: AttemptReport | None = None,
    now: datetime | None = None,
) -> State:
    """Queue the work again after a failure of the infrastructure, or fail it after too many of them.

    It costs no attempt if the worker pauses because of it.

    Args:
        lease: The worker's.
        reason: An ``infra:`` reason id; the one it ends with after the last retry.
        detail: A description for people.
        report: How the last attempt failed; made from reason and detail if absent.
        now: The time; None reads the database's clock.

    Raises:
        LeaseLostError: The lease is no longer this worker's.
    """
    row = lock(lease.verification_id)
    spared = row.lease_token == lease.token and note_fault(
        row=row, runner_id=lease.runner_id, reason=reason, now=now
    )
    exhausted = not spared and row.attempt >= INFRASTRUCTURE_RETRIES
    change = _change(
        lease,
        State.FAILED if exhausted else State.QUEUED,
        reason=reason,
        detail=detail,
        delay=backoff(row.attempt),
        counts=not spared,
    )
    return State(_end_attempt(lease, change, report, now).state)


def backoff(attempt: int) -> timedelta:
    """How long work waits after so many earlier failures of the infrastructure."""
    return min(conf.RETRY_BACKOFF * (1 << min(attempt, _DOUBLED)), conf.LONGEST_BACKOFF)


def _end_attempt(
    lease: Lease, change: StateChange, report: AttemptReport | None, now: datetime | None
) -> Verification:
    """Store the attempt, and take the step that ends it."""
    at = now or database_now()
    note_attempt(
        row=lock(lease.verification_id),
        worker=lease.worker,
        report=report or AttemptReport(reason=change.reason, detail=change.detail),
        decision=AttemptDecision.FAIL if change.to == State.FAILED else AttemptDecision.GIVE_BACK,
        now=at,
    )
    return _step(lease, change, at)


def _step(lease: Lease, change: StateChange, now: datetime | None) -> Verification:
    return transition(verification_id=lease.verification_id, change=change, now=now)
