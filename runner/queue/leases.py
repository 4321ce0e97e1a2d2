"""Lease verifications and studies to workers: choose, renew, record attempts, end; pause failing workers."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Self

import structlog
from django.db import transaction
from django.db.models import Max, QuerySet

from optarena import limits
from optarena.limits import INFRASTRUCTURE_RETRIES
from optarena.specs.results import reason as described
from runner import conf
from runner.database import CLOCK, database_now, storable, storable_text
from runner.errors import LeaseLostError
from runner.models import (
    PHASES,
    AttemptDecision,
    Authority,
    Runner,
    State,
    Study,
    StudyState,
    Verification,
    VerificationAttempt,
)
from runner.queue import demands
from runner.queue.transitions import (
    ReplayOutcome,
    StateChange,
    in_lock_order,
    lock,
    transition,
    transition_locked,
)
from runner.queue.wakeups import free_studies, own_digests
from runner.selectors import able_runner
from runner.work import confirmation


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptReport:
    # A report that is sent again is stored once, by its id.
    reason: str
    detail: str
    failed_step: int | None = None
    seconds: float = 0.0
    evidence: Mapping[str, Any] = field(default_factory=dict)
    id: uuid.UUID = field(default_factory=uuid.uuid4)


@transaction.atomic
def record_suspicion(*, lease: Lease, report: AttemptReport, now: datetime | None = None) -> None:
    # The verification stays in its phase.
    row = lock(lease.verification_id)
    if row.lease_token != lease.token:
        raise LeaseLostError(f"{lease.verification_id} is no longer leased to {lease.worker}.")
    store_attempt(row=row, worker=lease.worker, report=report, decision=AttemptDecision.CONFIRM, now=now)


def store_attempt(
    *,
    row: Verification,
    worker: str,
    report: AttemptReport,
    decision: AttemptDecision,
    now: datetime | None = None,
) -> None:
    # The caller's transaction has locked the row. A second write of a report does nothing.
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
    # Without its longest parts where it would be too long as a whole.
    kept: dict[str, Any] = storable(evidence)
    while kept and len(json.dumps(kept)) > limits.EVIDENCE_LENGTH:
        del kept[max(kept, key=lambda name: len(json.dumps(kept[name])))]
    return kept


_log = structlog.get_logger(__name__)


def count_fault(
    *, row: Verification, runner_id: int | None, reason: str, now: datetime | None = None
) -> bool:
    # Returns whether the worker is paused and the work must not pay for it. The caller's transaction has
    # locked the verification. After some reasons a worker pauses at once; others are never counted.
    if runner_id is None or reason in confirmation.OF_THE_WORK:
        return False
    runner = Runner.objects.select_for_update(no_key=True).filter(pk=runner_id).first()
    if runner is None or _was_spared(row) >= conf.SPARED_AT_MOST:
        return False
    sick = reason in confirmation.OF_THE_WORKER
    if str(row.pk) not in runner.faults:
        runner.faults.append(str(row.pk))
    if runner.paused_at is None and (sick or len(runner.faults) >= conf.FAULTS_IN_A_ROW):
        runner.paused_at = now or database_now()
        ended = "A replay" if sick else f"The last {len(runner.faults)} replays"
        why = f"failed here because of the infrastructure ({reason}): {described(reason).meaning}"
        runner.pause_reason = f"{ended} {why}"
        _log.warning("this worker pauses", runner=runner.name, reason=runner.pause_reason)
    runner.save(update_fields=["faults", "paused_at", "pause_reason"])
    return runner.paused_at is not None


def forget_faults(runner_id: int | None) -> None:
    # Its failures before are not in a row.
    if runner_id is not None:
        Runner.objects.filter(pk=runner_id).exclude(faults=[]).update(faults=[])


def _was_spared(row: Verification) -> int:
    # How often it was queued again without paying an attempt.
    again = row.events.filter(to_state=State.QUEUED).exclude(from_state="")
    return again.exclude(reason__in=confirmation.NOT_INTERRUPTED).count() - row.attempt


RETRIES_EXHAUSTED: Final = "infra:retries-exhausted"
# More doublings than any pause has.
_DOUBLED: Final = 16
# The number of a first lease's event, after that of the request.
_FIRST_LEASE: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    # The right to work on a verification, or on a study of it, for as long as token is the row's. Of a study
    # without a verification, verification_id is the study's own. runner_id is None outside a worker.
    # is_first: nobody had a lease of it before.
    verification_id: uuid.UUID
    study_id: uuid.UUID | None = None
    token: uuid.UUID
    attempt: int
    worker: str
    runner_id: int | None = None
    is_first: bool = False

    @classmethod
    def of(cls, row: Verification | Study) -> Self:
        if row.lease_token is None:
            raise LeaseLostError(f"{row.pk} has no lease.")
        is_study = isinstance(row, Study)
        return cls(
            verification_id=(row.verification_id if isinstance(row, Study) else None) or row.pk,
            study_id=row.pk if is_study else None,
            token=row.lease_token,
            attempt=row.attempt,
            worker=row.worker,
            runner_id=row.runner_id,
            is_first=isinstance(row, Verification) and row.last_seq == _FIRST_LEASE,
        )

    @property
    def work_id(self) -> uuid.UUID:
        return self.study_id or self.verification_id


@transaction.atomic
def lease_next(*, worker: str, life: uuid.UUID | None = None, now: datetime | None = None) -> Lease | None:
    # The verification whose turn it is; a study only if no verification is free.
    runner_id = None if life is None else able_runner(life)
    if life is not None and runner_id is None:
        return None
    at = now or database_now()
    for name in confirmation.lines():
        found = demands.lock_next(hardware_class=name, now=at, leasable=leasable_here)
        if found is not None:
            change = StateChange(
                to=State.LEASED, authority=Authority.WORKER, actor=worker, runner_id=runner_id
            )
            transition_locked(rows=[found], change=change, now=at)
            return Lease.of(found)
    return _lease_study(worker, runner_id, at)


def _lease_study(worker: str, runner_id: int | None, now: datetime) -> Lease | None:
    queued = Study.objects.filter(state=StudyState.QUEUED).only(
        "verification_id", "attempt", "payer", "hardware_class"
    )
    locked = queued.select_for_update(skip_locked=True, no_key=True)
    keys = demands.studies_in_turn(free_studies(now)).values_list("pk", flat=True)
    study = next((found for key in keys if (found := locked.filter(pk=key).first())), None)
    if study is None:
        return None
    study.state, study.worker, study.runner_id = StudyState.RUNNING, worker, runner_id
    study.lease_token, study.lease_expires_at = uuid.uuid4(), now + conf.lease_time()
    study.save(update_fields=["state", "worker", "runner", "lease_token", "lease_expires_at"])
    demands.start_study_turn(study)
    return Lease.of(study)


def leasable_here(rows: QuerySet[Verification]) -> QuerySet[Verification]:
    return confirmation.leasable(rows).filter(environment_digest__in=own_digests())


def heartbeat(*, lease: Lease, now: datetime | None = None) -> None:
    write_back(lease, lease_expires_at=(now or database_now()) + conf.lease_time())


def report_progress(*, lease: Lease, done: int, total: int) -> None:
    write_back(lease, progress_done=done, progress_total=total)


def keep_blocks(*, lease: Lease, blocks: Sequence[Mapping[str, Any]]) -> None:
    write_back(lease, kept_blocks=storable(list(blocks)))


def write_back(lease: Lease, **values: Any) -> None:  # noqa: ANN401 - of any column
    model: type[Verification | Study] = Study if lease.study_id else Verification
    if not model._default_manager.filter(pk=lease.work_id, lease_token=lease.token).update(**values):  # noqa: SLF001 - Django's documented model API
        raise LeaseLostError(f"{lease.work_id} is no longer leased to {lease.worker}.")


def release_study(lease: Lease, **values: Any) -> None:  # noqa: ANN401 - as above
    write_back(lease, lease_token=None, lease_expires_at=None, **values)


@transaction.atomic
def advance(
    *,
    lease: Lease,
    to: State,
    total: int = 0,
    ages: Mapping[State, timedelta] | None = None,
    now: datetime | None = None,
) -> None:
    # Through the phases before it; a phase that was reached before stays as it is. ages are of phases that
    # were not written when they were entered.
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
    # Through the phases that were not written before.
    row, at = _locked(lease, now)
    passed = _phases_after(row, State.MEASURING)
    change = _change(lease, State.RECORDED, passed=passed, ages=ages or {}, outcome=outcome)
    transition_locked(rows=[row], change=change, now=at)
    forget_faults(lease.runner_id)


@transaction.atomic
def hand_over(
    *, lease: Lease, prepared: Mapping[str, Any], ages: Mapping[State, timedelta] | None = None
) -> None:
    # It is paid for so far, and used up no attempt.
    row, at = _locked(lease)
    row.prepared = storable(prepared)
    row.save(update_fields=["prepared"])
    demands.pay_so_far(row=row, now=at)
    change = _change(
        lease,
        State.QUEUED,
        reason=confirmation.HANDED_OVER,
        detail=f"Replayed and checked; it is measured on {row.hardware_class}.",
        passed=_phases_after(row, State.CHECKING),
        ages=ages or {},
        counts=False,
    )
    transition_locked(rows=[row], change=change, now=at)
    forget_faults(lease.runner_id)


@transaction.atomic
def prepare_anew(*, lease: Lease, report: AttemptReport, now: datetime | None = None) -> None:
    # It is paid for so far, and used up no attempt.
    row, at = _locked(lease, now)
    store_attempt(row=row, worker=lease.worker, report=report, decision=AttemptDecision.CONFIRM, now=at)
    demands.pay_so_far(row=row, now=at)
    detail = f"It failed with {report.reason}, and is prepared again: {report.detail}"
    change = _change(lease, State.QUEUED, reason=confirmation.PREPARED_ANEW, detail=detail, counts=False)
    transition_locked(rows=[row], change=change, now=at)
    forget_faults(lease.runner_id)


def _locked(lease: Lease, now: datetime | None = None) -> tuple[Verification, datetime]:
    # The time comes with the same statement.
    leased = Verification.objects.filter(pk=lease.verification_id, lease_token=lease.token)
    row = in_lock_order(leased).annotate(locked_at=CLOCK).first()
    if row is None:
        raise LeaseLostError(f"{lease.verification_id} is no longer leased to {lease.worker}.")
    return row, now or row.locked_at


def _phases_after(row: Verification, to: State) -> tuple[State, ...]:
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
    # The work itself is at fault: it would fail again on every machine.
    if lease.study_id is not None:
        at = now or database_now()
        ended = {"state": StudyState.FAILED, "reason": reason, "detail": storable_text(detail)}
        release_study(lease, **ended, progress=None, finished_at=at)
        return
    change = _change(lease, State.FAILED, reason=reason, detail=detail, outcome=outcome)
    _end_attempt(lease, change, report, now)
    forget_faults(lease.runner_id)


@transaction.atomic
def give_back(
    *,
    lease: Lease,
    reason: str,
    detail: str,
    report: AttemptReport | None = None,
    now: datetime | None = None,
) -> None:
    # It costs no attempt if the worker pauses because of it. After the last retry the work fails.
    if lease.study_id is not None:
        if lease.attempt >= INFRASTRUCTURE_RETRIES:
            fail(lease=lease, reason=reason, detail=detail, now=now)
        else:
            available_at = (now or database_now()) + _backoff(lease.attempt)
            release_study(
                lease, state=StudyState.QUEUED, attempt=lease.attempt + 1, available_at=available_at
            )
        return
    row = lock(lease.verification_id)
    spared = row.lease_token == lease.token and count_fault(
        row=row, runner_id=lease.runner_id, reason=reason, now=now
    )
    exhausted = not spared and row.attempt >= INFRASTRUCTURE_RETRIES
    change = _change(
        lease,
        State.FAILED if exhausted else State.QUEUED,
        reason=reason,
        detail=detail,
        delay=_backoff(row.attempt),
        counts=not spared,
    )
    _end_attempt(lease, change, report, now)


def _backoff(attempt: int) -> timedelta:
    return min(conf.RETRY_BACKOFF * (1 << min(attempt, _DOUBLED)), conf.LONGEST_BACKOFF)


def _end_attempt(
    lease: Lease, change: StateChange, report: AttemptReport | None, now: datetime | None
) -> None:
    at = now or database_now()
    store_attempt(
        row=lock(lease.verification_id),
        worker=lease.worker,
        report=report or AttemptReport(reason=change.reason, detail=change.detail),
        decision=AttemptDecision.FAIL if change.to == State.FAILED else AttemptDecision.GIVE_BACK,
        now=at,
    )
    transition(verification_id=lease.verification_id, change=change, now=at)
