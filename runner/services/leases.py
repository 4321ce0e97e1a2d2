"""What a worker does to the row that it has leased. Every write carries the lease's token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db import transaction

from optarena.limits import INFRASTRUCTURE_RETRIES
from runner import conf
from runner.clock import database_now
from runner.errors import LeaseLostError
from runner.models import Verification
from runner.services.transitions import ReplayOutcome, StateChange, lock, transition
from runner.states import PHASES, Authority, State

if TYPE_CHECKING:
    import uuid
    from datetime import datetime, timedelta

RETRIES_EXHAUSTED: Final = "infra:retries-exhausted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to work on one verification, for as long as ``token`` is the row's."""

    verification_id: uuid.UUID
    token: uuid.UUID
    attempt: int
    worker: str


def lease(*, verification_id: uuid.UUID, worker: str, now: datetime | None = None) -> Lease | None:
    """Lease this very verification, or None if it is not free for this machine."""
    return _lease_one(verification_id, worker, now)


def lease_next(*, worker: str, now: datetime | None = None) -> Lease | None:
    """Lease the oldest free verification of this machine's hardware class, or None if there is none."""
    return _lease_one(None, worker, now)


@transaction.atomic
def _lease_one(verification_id: uuid.UUID | None, worker: str, now: datetime | None) -> Lease | None:
    at = now or database_now()
    free = Verification.objects.filter(
        state=State.QUEUED, hardware_class=conf.own_hardware_class(), available_at__lte=at
    )
    if verification_id is not None:
        free = free.filter(pk=verification_id)
    oldest = free.order_by("created_at", "id").only("id")
    found = oldest.select_for_update(skip_locked=True, no_key=True, of=("self",)).first()
    if found is None:
        return None
    change = StateChange(to=State.LEASED, authority=Authority.WORKER, actor=worker)
    row = transition(verification_id=found.pk, change=change, now=at)
    if row.lease_token is None:
        raise LeaseLostError(f"{row.pk} was leased without a token.")
    return Lease(verification_id=row.pk, token=row.lease_token, attempt=row.attempt, worker=worker)


def heartbeat(*, lease: Lease, now: datetime | None = None) -> None:
    """Make the lease last from now on.

    Raises:
        LeaseLostError: It is no longer this worker's.
    """
    at = now or database_now()
    _write_back(lease, heartbeat_at=at, lease_expires_at=at + conf.lease_time())


def report_progress(*, lease: Lease, done: int, total: int) -> None:
    """Say how far the present phase is.

    Raises:
        LeaseLostError: The lease is no longer this worker's.
    """
    _write_back(lease, progress_done=done, progress_total=total)


def _write_back(lease: Lease, **values: datetime | int) -> None:
    rows = Verification.objects.filter(pk=lease.verification_id, lease_token=lease.token)
    if not rows.update(**values):
        raise LeaseLostError(f"{lease.verification_id} is no longer leased to {lease.worker}.")


@transaction.atomic
def advance(*, lease: Lease, to: State, now: datetime | None = None) -> None:
    """Go on to a phase, through those before it; one that was reached before is left as it is.

    Raises:
        LeaseLostError: The lease is no longer this worker's.
    """
    row = lock(lease.verification_id)
    if row.lease_token != lease.token:
        raise LeaseLostError(f"{lease.verification_id} is no longer leased to {lease.worker}.")
    here = PHASES.index(State(row.state))
    for phase in PHASES[here + 1 : PHASES.index(to) + 1]:
        _step(
            lease,
            StateChange(to=phase, authority=Authority.WORKER, actor=lease.worker, token=lease.token),
            now,
        )


@transaction.atomic
def record(*, lease: Lease, outcome: ReplayOutcome, now: datetime | None = None) -> None:
    """End with a result.

    Raises:
        LeaseLostError: The lease is no longer this worker's.
    """
    advance(lease=lease, to=State.MEASURING, now=now)
    change = StateChange(
        to=State.RECORDED,
        authority=Authority.WORKER,
        actor=lease.worker,
        token=lease.token,
        outcome=outcome,
    )
    _step(lease, change, now)


def fail(
    *,
    lease: Lease,
    reason: str,
    detail: str,
    outcome: ReplayOutcome | None = None,
    now: datetime | None = None,
) -> None:
    """End because of the work itself: it would fail again wherever it is tried.

    Raises:
        LeaseLostError: The lease is no longer this worker's.
    """
    change = StateChange(
        to=State.FAILED,
        authority=Authority.WORKER,
        actor=lease.worker,
        token=lease.token,
        reason=reason,
        detail=detail,
        outcome=outcome,
    )
    _step(lease, change, now)


@transaction.atomic
def give_back(*, lease: Lease, reason: str, detail: str, now: datetime | None = None) -> State:
    """Queue the work again after a failure of ours, or end it where that happened too often.

    Args:
        lease: The worker's.
        reason: An ``infra:`` reason id; the one it ends with after the last retry.
        detail: What happened.
        now: The time; None reads the database's clock.

    Returns:
        The state it is in now: queued or failed.

    Raises:
        LeaseLostError: The lease is no longer this worker's.
    """
    row = lock(lease.verification_id)
    exhausted = row.attempt >= INFRASTRUCTURE_RETRIES
    change = StateChange(
        to=State.FAILED if exhausted else State.QUEUED,
        authority=Authority.WORKER,
        actor=lease.worker,
        token=lease.token,
        reason=reason,
        detail=detail,
        delay=_backoff(row.attempt),
    )
    return State(_step(lease, change, now).state)


def _backoff(attempt: int) -> timedelta:
    return conf.RETRY_BACKOFF * (1 << attempt)


def _step(lease: Lease, change: StateChange, now: datetime | None) -> Verification:
    return transition(verification_id=lease.verification_id, change=change, now=now)
