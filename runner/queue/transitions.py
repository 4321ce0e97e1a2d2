"""Change the state of verifications, and announce their ends. Nothing else writes a state.

Signals to the layers above. The receivers are there; the runner does not know them.

``verifications_finished`` (``verifications``: a sequence of Verification, never empty) is sent inside the
transaction that ends them, whose rows are locked: a receiver's writes are committed with the end, or not at
all.

``swept`` (``now``: a datetime) is sent after each pass of the sweeper, outside any transaction. What a
receiver raises is logged, and the sweeper goes on.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Final
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.dispatch import Signal

from datasets.bulk_inserts import insert_rows
from optarena import limits
from optarena.specs.results import REASONS
from runner import conf
from runner.database import database_now, storable, storable_text
from runner.errors import EmulatedDeviceError, IllegalTransitionError, LeaseAliveError, LeaseLostError
from runner.models import (
    EDGES,
    RUNNING,
    TERMINAL,
    Authority,
    State,
    UnannouncedEnd,
    Verification,
    VerificationEvent,
)
from runner.queue import demands
from runner.queue.wakeups import NO_DELAY, wake_on_commit
from runner.work.confirmation import DISCARDING, REMEASURING

verifications_finished: Final = Signal()
swept: Final = Signal()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayOutcome:
    result: Mapping[str, Any]
    metrics: Mapping[str, int | float]
    sandbox: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class StateChange:
    # reason is needed for failed, and kept in the event otherwise. token is needed by a worker unless it
    # takes a new lease. counts: whether a step back to queued used up an attempt; delay: not to be leased
    # before. passed are phases that are written with this step, ages how long ago they were entered.
    to: State
    authority: Authority
    actor: str
    token: uuid.UUID | None = None
    reason: str = ""
    detail: str = ""
    outcome: ReplayOutcome | None = None
    delay: timedelta = NO_DELAY
    counts: bool = True
    runner_id: int | None = None
    total: int = 0
    passed: Sequence[State] = ()
    ages: Mapping[State, timedelta] = field(default_factory=dict)

    @property
    def steps(self) -> tuple[State, ...]:
        return (*self.passed, self.to)


def lock(verification_id: uuid.UUID) -> Verification:
    # Without the long columns.
    [row] = lock_all([verification_id])
    return row


def lock_all(verification_ids: Collection[uuid.UUID]) -> list[Verification]:
    # In the order that all writers keep: by program, then by actions.
    rows = list(in_lock_order(Verification.objects.filter(pk__in=verification_ids)))
    if len(rows) != len(set(verification_ids)):
        raise Verification.DoesNotExist("There is no such verification.")
    return rows


def in_lock_order(rows: QuerySet[Verification]) -> QuerySet[Verification]:
    # Without the long columns.
    locked = rows.select_for_update(no_key=True, of=("self",)).defer("actions", "result", "prepared")
    return locked.order_by("benchmark_sha256", "actions_sha256", "pk")


@transaction.atomic
def transition(
    *, verification_id: uuid.UUID, change: StateChange, now: datetime | None = None
) -> Verification:
    """Have a row take a step, and return it as it is then.

    A worker's step into the phase that the row is already in changes nothing: a worker repeats a write whose
    answer it lost. Raise LeaseLostError if the token is not the row's, LeaseAliveError if the sweeper came
    too early, IllegalTransitionError if this authority has no such edge.
    """
    row = lock(verification_id)
    transition_locked(rows=[row], change=change, now=now)
    return row


def transition_locked(
    *, rows: Sequence[Verification], change: StateChange, now: datetime | None = None
) -> None:
    # As transition, of rows that lock_all gave in this transaction: all take the step, or none.
    at = now or database_now()
    for row in rows:
        _authorise(row, change, at)
    moving = [row for row in rows if row.state != change.to]
    if moving:
        sources = [State(row.state) for row in moving]
        _write(moving, change, at)
        _keep_turns(moving, change, at)
        VerificationEvent.objects.bulk_create(
            event
            for row, source in zip(moving, sources, strict=True)
            for event in _events(row, source, change, at)
        )
        _announce_change(moving, change)


def _keep_turns(rows: Sequence[Verification], change: StateChange, now: datetime) -> None:
    if change.to == State.LEASED:
        for row in rows:
            demands.start_turns(verification_id=row.pk, now=now)
    elif change.to == State.QUEUED:
        demands.wait_again(verification_ids=[row.pk for row in rows], available_at=now + change.delay)
    elif change.to in TERMINAL:
        demands.charge_ended(rows=rows, reason=change.reason, now=now)


def _announce_change(rows: Sequence[Verification], change: StateChange) -> None:
    if change.to == State.QUEUED:
        wake_on_commit(rows, delay=change.delay)
    if change.to not in TERMINAL:
        return
    if change.authority is Authority.WORKER and not settings.OPTARENA_WORKER_SETTLES:
        UnannouncedEnd.objects.bulk_create(UnannouncedEnd(verification=row) for row in rows)
    else:
        verifications_finished.send(sender=Verification, verifications=rows)


def _authorise(row: Verification, change: StateChange, now: datetime) -> None:
    source = State(row.state)
    if change.authority is Authority.WORKER and (source, change.to) != (State.QUEUED, State.LEASED):
        if change.token is None or change.token != row.lease_token:
            raise LeaseLostError(f"{row.pk} is {source}; the lease of {change.actor} is no longer valid.")
        if source == change.to:
            return
    for edge in pairwise((source, *change.steps)):
        if change.authority not in EDGES.get(edge, frozenset()):
            raise IllegalTransitionError(
                f"{row.pk} cannot go from {edge[0]} to {edge[1]} by this authority: {change.authority.value}."
            )
    is_alive = row.lease_expires_at is None or row.lease_expires_at > now
    if change.authority is Authority.SWEEPER and is_alive:
        raise LeaseAliveError(f"The lease of {row.pk} lasts until {row.lease_expires_at}.")
    if change.to == State.FAILED and change.reason not in REASONS:
        raise IllegalTransitionError(f"{change.reason!r} is not a reason id of optarena.specs.results.")


def _write(rows: Sequence[Verification], change: StateChange, now: datetime) -> None:
    # In one statement, and into the rows as they were read.
    values = _running_values(change, now) if change.to in RUNNING else _resting_values(change, now)
    counters = {"last_seq": len(change.steps)}
    if change.to == State.QUEUED and change.counts:
        counters["attempt"] = 1
    counted = {name: F(name) + number for name, number in counters.items()}
    Verification.objects.filter(pk__in=[row.pk for row in rows]).update(state=change.to, **values, **counted)
    for row in rows:
        row.state = change.to
        for name, value in values.items():
            setattr(row, name, value)
        for name, number in counters.items():
            setattr(row, name, getattr(row, name) + number)


def _running_values(change: StateChange, now: datetime) -> dict[str, Any]:
    values: dict[str, Any] = {"progress_phase": change.to, "progress_done": 0, "progress_total": change.total}
    if change.to == State.LEASED:
        values |= {
            "lease_token": uuid.uuid4(),
            "lease_expires_at": now + conf.lease_time(),
            "worker": change.actor,
            "runner_id": change.runner_id,
        }
    return values


def _resting_values(change: StateChange, now: datetime) -> dict[str, Any]:
    values = dict.fromkeys(("lease_token", "lease_expires_at"))
    return values | (_requeue_values(change, now) if change.to == State.QUEUED else _end_values(change, now))


def _requeue_values(change: StateChange, now: datetime) -> dict[str, Any]:
    at = now + change.delay
    values: dict[str, Any] = {
        "available_at": at,
        "woken_at": at,
        "progress_phase": "",
        "progress_done": 0,
        "progress_total": 0,
        "worker": "",
    }
    if change.reason in DISCARDING:
        values["prepared"] = None
    if change.reason in REMEASURING:
        values["kept_blocks"] = None
    return values


def _end_values(change: StateChange, now: datetime) -> dict[str, Any]:
    values: dict[str, Any] = {"finished_at": now, "kept_blocks": None, "prepared": None}
    if change.to == State.FAILED:
        values |= {"reason": change.reason, "detail": storable_text(change.detail)[: limits.DETAIL_LENGTH]}
    if change.outcome is not None and change.to != State.CANCELLED:
        _refuse_emulated(change.outcome)
        values |= {
            "result": storable(change.outcome.result),
            "metrics": dict(change.outcome.metrics),
            "sandbox": storable(change.outcome.sandbox),
        }
    return values


def _refuse_emulated(outcome: ReplayOutcome) -> None:
    measurement = outcome.result.get("measurement") or {}
    if measurement.get("emulated"):
        device = measurement.get("device")
        raise EmulatedDeviceError(f"Results measured on {device!r}, an emulated device, are not stored.")


def _events(
    row: Verification, source: State, change: StateChange, now: datetime
) -> Iterator[VerificationEvent]:
    # One for each step; reason and detail are those of the last.
    edges = list(pairwise((source, *change.steps)))
    ages = _ages(change)
    for seq, (before, after) in enumerate(edges, row.last_seq - len(edges) + 1):
        is_last = seq == row.last_seq
        yield VerificationEvent(
            verification_id=row.pk,
            seq=seq,
            from_state=before,
            to_state=after,
            actor=change.actor[: limits.ACTOR_LENGTH],
            reason=change.reason if is_last else "",
            detail=storable_text(change.detail)[: limits.DETAIL_LENGTH] if is_last else "",
            at=now - ages[after],
        )


def _ages(change: StateChange) -> dict[State, timedelta]:
    # A step of unknown age was taken when the next one was, so that none goes back.
    ages: dict[State, timedelta] = {}
    age = NO_DELAY
    for step in reversed(change.steps):
        ages[step] = age = change.ages.get(step, age)
    return ages


def supersede_locked(*, rows: Sequence[Verification], actor: str) -> None:
    # State, result and events stay as they are, and an event says who did it: the database allows this one
    # change of an ended row, once. lock_all gave the rows in this transaction.
    at = database_now()
    for row in rows:
        if not row.is_terminal or row.superseded_at is not None:
            raise IllegalTransitionError(f"{row.pk} is {row.state} and cannot be superseded.")
    Verification.objects.filter(pk__in=[row.pk for row in rows]).update(
        superseded_at=at, last_seq=F("last_seq") + 1
    )
    for row in rows:
        row.superseded_at = at
        row.last_seq += 1
    VerificationEvent.objects.bulk_create(
        VerificationEvent(
            verification_id=row.pk,
            seq=row.last_seq,
            from_state=row.state,
            to_state=row.state,
            actor=actor[: limits.ACTOR_LENGTH],
            detail="Superseded: the work is replayed anew.",
            at=at,
        )
        for row in rows
    )


def log_creation(rows: Sequence[Verification], *, actor: str) -> None:
    insert_rows(
        VerificationEvent(
            verification_id=row.pk, seq=row.last_seq, to_state=row.state, actor=actor, at=row.created_at
        )
        for row in rows
    )


_BATCH: Final = 500
_log = structlog.get_logger(__name__)


def announce_ends() -> tuple[str, ...]:
    # Several processes may do this at once: only one of them announces each end. One whose receiver fails is
    # logged, and tried again by the next call. Returns which ends could not be announced, and why.
    errors: list[str] = []
    for one in list(UnannouncedEnd.objects.values_list("pk", flat=True)[:_BATCH]):
        try:
            _announce_end(one)
        except Exception as error:  # noqa: BLE001 - logged with its traceback, reported, and tried again
            _log.exception("announcing an end failed", verification=str(one))
            errors.append(f"the end of verification {one}: {error!r}")
    return tuple(errors)


@transaction.atomic
def _announce_end(verification_id: UUID) -> None:
    row = lock(verification_id)
    waiting = UnannouncedEnd.objects.filter(pk=verification_id)
    if row.is_terminal and waiting.delete()[0]:
        verifications_finished.send(sender=Verification, verifications=[row])
