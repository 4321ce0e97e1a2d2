"""The sweeper: lost workers, lost wake-ups, and the loop around it."""

from __future__ import annotations

import os
import time
from datetime import timedelta
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from optarena.limits import INFRASTRUCTURE_RETRIES
from runner import conf
from runner.machines import presence
from runner.machines.machine import Machine
from runner.models import State, Verification
from runner.queue import leases, sweeping
from runner.queue.transitions import swept, verifications_finished
from tests.factories import make_work
from tests.kit.work import OUTCOME, Clock, history

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from uuid import UUID

    from pytest_django import Settings


def test_what_a_lost_worker_held_is_queued_again(work: Verification, clock: Clock) -> None:
    leases.lease(verification_id=work.pk, worker="worker lost:1", now=clock.now)
    assert sweeping.sweep(now=clock.turn(59)).requeued == 0
    assert sweeping.sweep(now=clock.turn(1)).requeued == 1
    work.refresh_from_db()
    assert (work.state, work.attempt) == (State.QUEUED, 1)
    event = work.events.last()
    assert event is not None
    assert event.actor == "sweeper"
    assert "worker lost:1 did not renew its lease" in event.detail
    assert leases.lease_next(worker="heir", now=clock.now) is not None


def test_work_that_kills_every_worker_ends(
    work: Verification, clock: Clock, finished: list[Verification]
) -> None:
    for _ in range(INFRASTRUCTURE_RETRIES):
        assert leases.lease_next(worker="victim", now=clock.now) is not None
        assert sweeping.sweep(now=clock.turn(61)).requeued == 1
    assert leases.lease_next(worker="victim", now=clock.now) is not None
    report = sweeping.sweep(now=clock.turn(61))
    assert (report.requeued, report.exhausted) == (0, 1)
    work.refresh_from_db()
    assert (work.state, work.reason) == (State.FAILED, "infra:retries-exhausted")
    assert history(work)[-1] == ("leased", "failed")
    assert [one.pk for one in finished] == [work.pk]


def test_one_row_that_cannot_be_swept_does_not_stop_the_others(transactional_db: None, clock: Clock) -> None:
    rows = [make_work() for _ in range(3)]
    for _ in range(INFRASTRUCTURE_RETRIES + 1):
        for _ in rows:
            assert leases.lease_next(worker="w", now=clock.now) is not None
        if Verification.objects.filter(attempt=INFRASTRUCTURE_RETRIES).count() == 3:
            break
        sweeping.sweep(now=clock.turn(61))

    def refuse(verifications: Sequence[Verification], **kwargs: object) -> None:
        if rows[0] in verifications:
            raise RuntimeError("a receiver fails")

    verifications_finished.connect(refuse)
    report = sweeping.sweep(now=clock.turn(61))
    verifications_finished.disconnect(refuse)
    assert report.exhausted == 2
    assert report.errors == (f"verification {rows[0].pk}: RuntimeError('a receiver fails')",)
    assert sweeping.sweep(now=clock.now).exhausted == 1


def test_a_step_that_fails_does_not_stop_the_others(
    work: Verification, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sweep_studies(**_: object) -> int:
        raise RuntimeError("a step fails")

    monkeypatch.setattr("runner.queue.sweeping.sweep_studies", sweep_studies)
    seen: list[object] = []
    note = partial(_note, seen)
    swept.connect(note)
    report = sweeping.sweep(now=clock.now)
    swept.disconnect(note)
    assert report.errors == ("sweep_studies: RuntimeError('a step fails')",)
    assert seen == [clock.now]


def _note(seen: list[object], *, now: object, **_: object) -> None:
    seen.append(now)


def test_work_may_end_while_a_worker_is_woken_for_it(
    work: Verification, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has ended cannot be changed: the pass would end."""

    def wake(pk: UUID, hardware: str) -> bool:
        lease = leases.lease(verification_id=pk, worker="w", now=clock.now)
        assert lease is not None
        leases.record(lease=lease, outcome=OUTCOME, now=clock.now)
        return True

    monkeypatch.setattr("runner.queue.sweeping.wake", wake)
    report = sweeping.sweep(now=clock.turn(3600))
    assert (report.woken, report.errors) == (1, ())
    work.refresh_from_db()
    assert work.state == State.RECORDED


def appear(clock: Clock, hardware: str = "x86_64-cpu") -> None:
    """A worker that is live for every pass of the next days."""
    machine = Machine(fingerprint={}, versions={})
    later = clock.now + timedelta(days=9)
    presence.announce_runner(name="celery@one", hardware_class=hardware, machine=machine, now=later)


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    """The wake-ups of a broker that takes all of them."""
    sent: list[UUID] = []

    def take(verification_id: UUID, hardware_class: str) -> bool:
        sent.append(verification_id)
        return True

    monkeypatch.setattr("runner.queue.sweeping.wake", take)
    return sent


def test_a_lost_wake_up_is_sent_again_after_a_while(
    work: Verification, clock: Clock, woken: list[UUID]
) -> None:
    appear(clock)
    clock.now = work.created_at
    assert sweeping.sweep(now=clock.turn(conf.wake_again().total_seconds() - 1)).woken == 0
    assert sweeping.sweep(now=clock.turn(1)).woken == 1
    assert sweeping.sweep(now=clock.turn(30)).woken == 0
    assert sweeping.sweep(now=clock.turn(30)).woken == 1
    assert woken == [work.pk, work.pk]


def test_a_long_queue_is_not_sent_again_as_a_whole(db: None, clock: Clock, woken: list[UUID]) -> None:
    appear(clock)
    rows = [make_work() for _ in range(conf.WAKE_AGAIN_BATCH + 3)]
    sweeping.sweep(now=clock.now)
    assert woken == [row.pk for row in rows[: conf.WAKE_AGAIN_BATCH]]
    sweeping.sweep(now=clock.turn(1))
    assert len(woken) == conf.WAKE_AGAIN_BATCH


def test_a_class_without_a_runner_is_hardly_woken_at_all(
    db: None, clock: Clock, woken: list[UUID], settings: Settings
) -> None:
    """The broker keeps every message that nobody reads."""
    here = make_work()
    settings.OPTARENA_HARDWARE_CLASS = "x86_64-cuda"
    rows = [make_work() for _ in range(3)]
    appear(clock, "x86_64-cpu")
    clock.now = rows[-1].created_at
    minutes = 150
    for _ in range(minutes):
        sweeping.sweep(now=clock.turn(60))
    assert [pk for pk in woken if pk != here.pk] == [rows[0].pk] * 2
    assert woken.count(here.pk) == minutes
    appear(clock, "x86_64-cuda")
    woken.clear()
    sweeping.sweep(now=clock.turn(60))
    assert woken[-3:] == [row.pk for row in rows]


def test_a_wake_up_that_failed_is_tried_in_the_next_pass(
    work: Verification, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse: Callable[..., bool] = lambda *_: False  # noqa: E731 - one line says it
    monkeypatch.setattr("runner.queue.sweeping.wake", refuse)
    appear(clock)
    assert sweeping.sweep(now=clock.now).woken == 0
    work.refresh_from_db()
    assert work.woken_at == work.created_at


def test_a_retry_is_not_woken_before_its_time(work: Verification, clock: Clock, woken: list[UUID]) -> None:
    lease = leases.lease(verification_id=work.pk, worker="w", now=clock.now)
    assert lease is not None
    appear(clock)
    leases.give_back(lease=lease, reason="infra:internal", detail="", now=clock.now)
    work.refresh_from_db()
    sweeping.sweep(now=work.available_at + conf.wake_again() - timedelta(seconds=1))
    assert woken == []
    sweeping.sweep(now=work.available_at + conf.wake_again())
    assert woken == [work.pk]


def test_a_single_pass_by_hand(work: Verification) -> None:
    out = StringIO()
    call_command("sweeper", "--once", stdout=out)
    assert "SweepReport(requeued=0, exhausted=0, woken=0, studies=0, errors=())" in out.getvalue()


def fail(**kwargs: object) -> None:
    """A receiver of signals."""
    raise RuntimeError("a receiver fails")


def test_a_single_pass_fails_with_all_that_failed(transactional_db: None, settings: Settings) -> None:
    lost, ended = make_work(), make_work()
    assert leases.lease(verification_id=lost.pk, worker="w") is not None
    lease = leases.lease(verification_id=ended.pk, worker="w")
    assert lease is not None
    settings.OPTARENA_WORKER_SETTLES = False
    leases.record(lease=lease, outcome=OUTCOME)
    settings.OPTARENA_WORKER_SETTLES = True
    Verification.objects.filter(pk=lost.pk).update(
        attempt=INFRASTRUCTURE_RETRIES, lease_expires_at=lost.created_at
    )
    swept.connect(fail)
    verifications_finished.connect(fail)
    try:
        with pytest.raises(CommandError) as raised:
            call_command("sweeper", "--once", stdout=StringIO())
    finally:
        swept.disconnect(fail)
        verifications_finished.disconnect(fail)
    why = "RuntimeError('a receiver fails')"
    failed = (f"verification {lost.pk}", "fail", f"the end of verification {ended.pk}")
    assert str(raised.value).endswith("; ".join(f"{one}: {why}" for one in failed))
    call_command("sweeper", "--once", stdout=StringIO())
    lost.refresh_from_db()
    assert lost.state == State.FAILED


def test_a_check_reads_when_the_last_pass_ended_and_makes_none(tmp_path: Path) -> None:
    # Without the fixture of a database, any query would fail: what the check needs is the file alone.
    heartbeat = tmp_path / "sweeper"
    with pytest.raises(CommandError, match=f"No sweeper has touched {heartbeat}"):
        call_command("sweeper", "--check", str(heartbeat))
    heartbeat.touch()
    call_command("sweeper", "--check", str(heartbeat))
    long_ago = time.time() - conf.sweep_seconds() - conf.LONGEST_PASS_SECONDS - 10
    os.utime(heartbeat, (long_ago, long_ago))
    with pytest.raises(CommandError, match="No pass has ended for 340 s; it may take 330 s"):
        call_command("sweeper", "--check", str(heartbeat))


def test_a_heartbeat_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="give --heartbeat another file"):
        call_command("sweeper", "--heartbeat", str(tmp_path / "missing" / "sweeper"))
