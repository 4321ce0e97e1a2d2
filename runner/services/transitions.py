"""The state machine's one function. Nothing else in the repository assigns a verification's state.

``transition`` locks the row, checks the edge and the right to take it, writes row and event, and
registers the effects. A terminal one sends ``verification_finished`` in the same transaction.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from optarena.specs.reasons import REASONS
from runner import conf
from runner.clock import database_now
from runner.errors import EmulatedDeviceError, IllegalTransitionError, LeaseAliveError, LeaseLostError
from runner.models import Verification, VerificationEvent
from runner.services.wakeups import NO_DELAY, wake_on_commit
from runner.signals import verification_finished
from runner.states import EDGES, RUNNING, TERMINAL, Authority, State
from runner.text import storable, storable_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, timedelta

MAX_DETAIL: Final = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayOutcome:
    """What a replay computed, as JSON data."""

    result: Mapping[str, Any]
    metrics: Mapping[str, int | float]
    sandbox: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One step that somebody wants a verification to take.

    Attributes:
        to: The next state.
        authority: By what right.
        actor: Who, for the event log: ``worker host:123``.
        token: The lease's token; needed by the authority ``WORKER`` unless it takes a new lease.
        reason: Stable reason id; needed for ``failed``, and kept in the event otherwise.
        detail: What exactly happened, for people.
        outcome: What was computed, for ``recorded`` and for a ``failed`` whose replay ended.
        delay: For ``queued``: not to be leased before this time has passed.
    """

    to: State
    authority: Authority
    actor: str
    token: uuid.UUID | None = None
    reason: str = ""
    detail: str = ""
    outcome: ReplayOutcome | None = None
    delay: timedelta = NO_DELAY


def lock(verification_id: uuid.UUID) -> Verification:
    """The row, locked for the rest of the transaction; long columns are read when asked for.

    Raises:
        Verification.DoesNotExist: There is none.
    """
    rows = Verification.objects.select_for_update(no_key=True, of=("self",))
    return rows.defer("actions", "result").get(pk=verification_id)


@transaction.atomic
def transition(*, verification_id: uuid.UUID, change: Change, now: datetime | None = None) -> Verification:
    """Take one step, or none.

    A worker's step from one phase into the phase it is already in is answered with the row as it stands:
    a worker repeats a write whose answer it lost.

    Args:
        verification_id: Whose state.
        change: The step.
        now: The time; None reads the database's clock.

    Raises:
        LeaseLostError: The worker's token is not the row's.
        EmulatedDeviceError: The outcome was measured on an imitation of a device.
        LeaseAliveError: The sweeper came before the lease expired.
        IllegalTransitionError: There is no such edge for this authority.
        Verification.DoesNotExist: There is no such row.
    """
    row = lock(verification_id)
    at = now or database_now()
    _authorise(row, change, at)
    source = State(row.state)
    if source == change.to:
        return row
    _write(row, change, at)
    row.last_seq += 1
    row.save()
    _log(row, source, change, at)
    if row.state == State.QUEUED:
        wake_on_commit(row, delay=change.delay)
    if row.state in TERMINAL:
        verification_finished.send(sender=Verification, verification=row)
    return row


def _authorise(row: Verification, change: Change, now: datetime) -> None:
    source = State(row.state)
    if change.authority is Authority.WORKER and (source, change.to) != (State.QUEUED, State.LEASED):
        if change.token is None or change.token != row.lease_token:
            raise LeaseLostError(f"{row.pk} is {source}; the lease of {change.actor} is no longer valid.")
        if source == change.to:
            return
    if change.authority not in EDGES.get((source, change.to), frozenset()):
        raise IllegalTransitionError(
            f"{row.pk} cannot go from {source} to {change.to} for one who {change.authority.value}."
        )
    if change.authority is Authority.SWEEPER and not _expired(row, now):
        raise LeaseAliveError(f"The lease of {row.pk} lasts until {row.lease_expires_at}.")
    if change.to == State.FAILED and change.reason not in REASONS:
        raise IllegalTransitionError(f"{change.reason!r} is no reason id of optarena.specs.reasons.")


def _expired(row: Verification, now: datetime) -> bool:
    return row.lease_expires_at is not None and row.lease_expires_at <= now


def _write(row: Verification, change: Change, now: datetime) -> None:
    row.state = change.to
    if change.to in RUNNING:
        row.progress_phase = change.to
        row.progress_done = row.progress_total = 0
    if change.to == State.LEASED:
        row.lease_token = uuid.uuid4()
        row.heartbeat_at = now
        row.lease_expires_at = now + conf.lease_time()
        row.worker = change.actor
    elif change.to not in RUNNING:
        row.lease_token = row.lease_expires_at = row.heartbeat_at = None
    if change.to == State.QUEUED:
        _write_requeue(row, change, now)
    if change.to in TERMINAL:
        _write_end(row, change, now)


def _write_requeue(row: Verification, change: Change, now: datetime) -> None:
    row.attempt += 1
    row.available_at = row.woken_at = now + change.delay
    row.progress_phase = ""
    row.progress_done = row.progress_total = 0
    row.worker = ""


def _write_end(row: Verification, change: Change, now: datetime) -> None:
    row.finished_at = now
    if change.to == State.FAILED:
        row.reason = change.reason
        row.detail = storable_text(change.detail)[:MAX_DETAIL]
    if change.outcome is not None and change.to != State.CANCELLED:
        _refuse_emulated(change.outcome)
        row.result = storable(change.outcome.result)
        row.metrics = dict(change.outcome.metrics)
        row.sandbox = storable(change.outcome.sandbox)


def _refuse_emulated(outcome: ReplayOutcome) -> None:
    measurement = outcome.result.get("measurement") or {}
    if measurement.get("emulated"):
        device = measurement.get("device")
        raise EmulatedDeviceError(f"It was measured on {device!r}, which only imitates a device: not kept.")


def _log(row: Verification, source: State, change: Change, now: datetime) -> None:
    VerificationEvent.objects.create(
        verification=row,
        seq=row.last_seq,
        from_state=source,
        to_state=change.to,
        actor=change.actor[:200],
        reason=change.reason,
        detail=storable_text(change.detail)[:MAX_DETAIL],
        at=now,
    )


def log_creation(row: Verification, *, actor: str) -> None:
    """The first event of a row that was just inserted."""
    VerificationEvent.objects.create(
        verification=row,
        seq=row.last_seq,
        to_state=row.state,
        actor=actor,
        at=row.created_at,
    )
