"""The stored attempts: one row each, with what followed, never rewritten."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from optarena import limits
from runner.errors import IllegalTransitionError, LeaseLostError
from runner.models import State, Verification, VerificationAttempt
from runner.queue import leases, sweeping
from runner.queue.leases import AttemptReport, Lease
from runner.selectors import attempts_of
from tests.kit.work import OUTCOME, Clock


def taken(work: Verification, clock: Clock, worker: str = "w") -> Lease:
    lease = leases.lease(verification_id=work.pk, worker=worker, now=clock.now)
    assert lease is not None
    return lease


def only(work: Verification) -> VerificationAttempt:
    return attempts_of(work.pk).get()


def test_a_suspicion_leaves_the_verification_where_it_is(work: Verification, clock: Clock) -> None:
    lease = taken(work, clock)
    leases.advance(lease=lease, to=State.CHECKING, now=clock.now)
    report = AttemptReport(
        reason="env:crash", detail="In step 2", failed_step=2, seconds=5, evidence={"a": 1}
    )
    leases.record_suspicion(lease=lease, report=report, now=clock.now)
    work.refresh_from_db()
    assert (work.state, work.reason) == (State.CHECKING, "")
    stored = only(work)
    assert (stored.number, stored.decision, stored.reason) == (1, "confirm", "env:crash")
    assert (stored.detail, stored.failed_step, stored.evidence) == ("In step 2", 2, {"a": 1})
    assert (stored.started_at, stored.ended_at) == (clock.now - timedelta(seconds=5), clock.now)


def test_a_report_that_is_sent_again_is_stored_once(work: Verification, clock: Clock) -> None:
    lease = taken(work, clock)
    report = AttemptReport(reason="env:crash", detail="")
    for _ in range(2):
        leases.record_suspicion(lease=lease, report=report, now=clock.now)
    assert attempts_of(work.pk).count() == 1


def test_a_worker_that_lost_its_lease_suspects_nothing(work: Verification, clock: Clock) -> None:
    lease = taken(work, clock)
    sweeping.sweep(now=clock.turn(3600))
    taken(work, clock, "heir")
    report = AttemptReport(reason="env:crash", detail="")
    for write in (
        lambda: leases.record_suspicion(lease=lease, report=report, now=clock.now),
        lambda: leases.fail(lease=lease, reason="env:crash", detail="", report=report, now=clock.now),
        lambda: leases.give_back(lease=lease, reason="infra:killed", detail="", now=clock.now),
    ):
        with pytest.raises(LeaseLostError):
            write()
    assert [one.worker for one in attempts_of(work.pk)] == ["w"], "the sweeper's"


def test_what_is_recorded_or_cancelled_leaves_no_attempt(work: Verification, clock: Clock) -> None:
    lease = taken(work, clock)
    leases.advance(lease=lease, to=State.MEASURING, now=clock.now)
    leases.record(lease=lease, outcome=OUTCOME, now=clock.now)
    assert not attempts_of(work.pk).exists()


def test_every_other_end_of_an_attempt_is_numbered(work: Verification, clock: Clock) -> None:
    leases.give_back(lease=taken(work, clock), reason="infra:killed", detail="gone", now=clock.now)
    clock.turn(3600)
    taken(work, clock, "lost")
    sweeping.sweep(now=clock.turn(3600))
    leases.fail(lease=taken(work, clock), reason="env:crash", detail="In step 1", now=clock.now)
    told = attempts_of(work.pk).values_list("number", "lease_attempt", "worker", "decision", "reason")
    assert list(told) == [
        (1, 0, "w", "give-back", "infra:killed"),
        (2, 1, "lost", "give-back", "infra:killed"),
        (3, 2, "w", "fail", "env:crash"),
    ]
    lost = attempts_of(work.pk).get(number=2)
    assert lost.ended_at - lost.started_at == timedelta(seconds=3600)
    assert "Worker lost did not renew its lease" in lost.detail


def test_the_last_attempt_of_a_lost_worker_fails(work: Verification, clock: Clock) -> None:
    for _ in range(limits.INFRASTRUCTURE_RETRIES + 1):
        taken(work, clock)
        sweeping.sweep(now=clock.turn(3600))
    work.refresh_from_db()
    assert (work.state, work.reason) == (State.FAILED, "infra:retries-exhausted")
    decisions = list(attempts_of(work.pk).values_list("decision", flat=True))
    assert decisions == ["give-back"] * limits.INFRASTRUCTURE_RETRIES + ["fail"]


def test_whatever_a_program_said_is_storable_and_bounded(work: Verification, clock: Clock) -> None:
    evidence = {"sandbox": {"\0": "\ud800" * 9_000}, "idle": True}
    report = AttemptReport(reason="env:crash", detail="\0" * 9_000, evidence=evidence)
    leases.record_suspicion(lease=taken(work, clock), report=report, now=clock.now)
    stored = only(work)
    assert stored.detail == "\ufffd" * limits.DETAIL_LENGTH
    assert stored.evidence == {"idle": True}
    assert len(json.dumps(stored.evidence)) <= limits.EVIDENCE_LENGTH


def test_attempts_are_only_added(work: Verification, clock: Clock) -> None:
    leases.give_back(lease=taken(work, clock), reason="infra:killed", detail="", now=clock.now)
    for change in (
        lambda: VerificationAttempt.objects.update(reason="env:crash"),
        lambda: VerificationAttempt.objects.all().delete(),
    ):
        with pytest.raises(IntegrityError, match="history is only added to"), transaction.atomic():
            change()
    assert only(work).reason == "infra:killed"


def test_a_failure_that_is_not_stored_leaves_no_attempt(work: Verification, clock: Clock) -> None:
    """Both are one transaction."""
    lease = taken(work, clock)
    with pytest.raises(IllegalTransitionError):
        leases.fail(lease=lease, reason="odd:one", detail="", now=clock.now)
    assert not attempts_of(work.pk).exists()
