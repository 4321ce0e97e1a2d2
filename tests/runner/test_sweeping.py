"""Lost workers and wake-ups, the sweeper and the heartbeat; and how replays share a machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from celery import current_app
from django.core.management import CommandError, call_command
from django.core.signals import request_finished, request_started
from django.db import OperationalError, transaction
from kombu import Connection
from kombu.utils import functional

from optarena import file_locks
from optarena.limits import INFRASTRUCTURE_RETRIES
from runner import conf, tasks
from runner.errors import LeaseLostError, MachineBusyError, MachineLockError
from runner.machines import machine_use, presence
from runner.machines.machine import Machine
from runner.machines.machine_use import LoadReading
from runner.models import State, Verification
from runner.queue import leases, requests, sweeping, wakeups
from runner.queue.transitions import swept, verifications_finished
from runner.work.heartbeat import LeaseRenewer
from tests.factories import make_benchmark, make_work
from tests.kit.folders import ROOT
from tests.kit.work import OUTCOME, Clock, history, lease_row, leased

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings


def test_what_a_lost_worker_held_is_queued_again(work: Verification, clock: Clock) -> None:
    lease_row(verification_id=work.pk, worker="worker lost:1", now=clock.now)
    assert sweeping.sweep(now=clock.turn(59)).requeued == 0
    assert sweeping.sweep(now=clock.turn(1)).requeued == 1
    work.refresh_from_db()
    assert (work.state, work.attempt) == (State.QUEUED, 1)
    event = work.events.last()
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

    def wake(ids: Sequence[UUID], hardware: str) -> bool:
        lease = lease_row(verification_id=ids[0], worker="w", now=clock.now)
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

    def take(ids: Sequence[UUID], hardware_class: str) -> bool:
        sent.extend(ids)
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
    passes = 12
    for _ in range(passes):
        sweeping.sweep(now=clock.turn(300))
    assert [pk for pk in woken if pk != here.pk] == [rows[0].pk]
    assert woken.count(here.pk) == passes
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
    lease = leased(work, now=clock.now)
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
    raise RuntimeError("a receiver fails")


def test_a_single_pass_fails_with_all_that_failed(transactional_db: None, settings: Settings) -> None:
    lost, ended = make_work(), make_work()
    assert lease_row(verification_id=lost.pk, worker="w") is not None
    lease = leased(ended)
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


@pytest.fixture
def sent(broker: str, settings: Any) -> Iterator[Any]:
    """Takes the messages of a queue of this test's own out of the real broker."""
    queue = f"test{uuid.uuid4().hex}"
    settings.OPTARENA_HARDWARE_CLASS = f"some-{queue}"
    with Connection(broker) as connection:
        channel = connection.default_channel

        def take() -> list[tuple[list[Any], dict[str, Any]]]:
            found = []
            while (raw := channel.client.rpop(queue)) is not None:
                message = json.loads(raw)
                body = json.loads(
                    channel.decode_body(message["body"], message["properties"]["body_encoding"])
                )
                found.append((body[0], message["headers"]))
            return found

        yield take
        channel.client.delete(queue)


def test_a_worker_is_woken_after_the_commit(transactional_db: None, sent: Any) -> None:
    with transaction.atomic():
        row = make_work()
        assert sent() == []
    [(arguments, headers)] = sent()
    assert arguments == [str(row.pk)]
    assert (headers["task"], headers["eta"]) == ("runner.tasks.verify", None)


def test_what_is_rolled_back_wakes_nobody(transactional_db: None, sent: Any) -> None:
    with transaction.atomic():
        make_work()
        transaction.set_rollback(True)
    assert sent() == []


def test_a_request_is_answered_before_workers_are_woken(transactional_db: None, sent: Any) -> None:
    request_started.send(sender=None)
    try:
        row = make_work()
        early = sent()
    finally:
        request_finished.send(sender=None)
    assert early == []
    assert [arguments for arguments, _ in sent()] == [[str(row.pk)]]


def test_work_that_exists_wakes_nobody_again(transactional_db: None, sent: Any) -> None:
    row = make_work()
    assert len(sent()) == 1
    make_work(row.actions)
    assert sent() == []


def test_no_more_wake_ups_wait_than_workers_need(transactional_db: None, sent: Any) -> None:
    rows = [make_work([number]) for number in range(conf.WAKE_AT_ONCE + 3)]
    told = [arguments for arguments, _ in sent()]
    assert told == [[str(row.pk)] for row in rows[: conf.WAKE_AT_ONCE]]
    late = make_work([99])
    assert [arguments for arguments, _ in sent()] == [[str(late.pk)]]
    wakeups.wake_on_commit([late, *rows])  # those of one request
    assert [arguments for arguments, _ in sent()] == [[str(late.pk)], *told[:-1]]


def test_a_wake_up_that_nobody_can_use_ends(
    transactional_db: None, sent: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = make_work()
    presence.announce_runner(
        name="busy",
        hardware_class=settings.OPTARENA_HARDWARE_CLASS,
        machine=Machine(fingerprint={}, versions={}),
    )
    monkeypatch.setattr("runner.tasks.life", uuid.uuid4)  # a worker that gets no work
    told: list[tuple[list[Any], dict[str, Any]]] = []
    while (messages := sent()) and len(told) < 2 * conf.PASSED_ON_AT_MOST:
        told += messages
        tasks.verify(*messages[0][0])
    assert [arguments[0] for arguments, _ in told] == [str(row.pk)] * (1 + conf.PASSED_ON_AT_MOST)
    assert all(headers["eta"] for _, headers in told[1:])


def test_a_retry_is_announced_for_its_time(transactional_db: None, sent: Any) -> None:
    row = make_work()
    sent()
    lease = leased(row)
    leases.give_back(lease=lease, reason="infra:internal", detail="")
    [(_, headers)] = sent()
    assert headers["eta"] is not None


@pytest.fixture
def dead_broker(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    address = f"redis+socket://{tmp_path}/none.sock"
    monkeypatch.setattr(current_app.conf, "broker_url", address)


def test_without_a_broker_requests_succeed_at_once(
    transactional_db: None,
    dead_broker: None,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(functional, "sleep", slept.append)
    monkeypatch.setattr(conf, "BROKER_PAUSE_SECONDS", 3600.0)
    make_benchmark()
    rows = [make_work() for _ in range(20)]
    assert sum(slept) == 0
    assert len({row.pk for row in rows}) == 20
    # One try; the others do not wait for the same disappointment.
    assert caplog.text.count("wake-up not sent") == 1


def test_the_broker_is_tried_again_after_a_pause(
    dead_broker: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(conf, "BROKER_PAUSE_SECONDS", 0.0)
    for _ in range(2):
        assert not wakeups.wake([uuid.uuid4()], "some-cpu")
    assert caplog.text.count("wake-up not sent") == 2


def soon(condition: Callable[[], bool]) -> bool:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.02)
    return False


def expiry(row: Verification) -> datetime:
    row.refresh_from_db()
    assert row.lease_expires_at is not None
    return row.lease_expires_at


def is_lost(heart: LeaseRenewer) -> bool:
    try:
        heart.check()
    except LeaseLostError:
        return True
    return False


@pytest.mark.django_db(transaction=True)
def test_the_lease_is_renewed_while_the_context_lasts(settings: Settings) -> None:
    settings.OPTARENA_HEARTBEAT_SECONDS = 0.1
    row = make_work()
    lease = leased(row)
    first = expiry(row)
    with LeaseRenewer(lease) as heart:
        assert soon(lambda: expiry(row) > first + timedelta(seconds=0.3))
        heart.check()
    last = expiry(row)
    time.sleep(0.5)
    assert sweeping.sweep(now=last - timedelta(seconds=0.1)).requeued == 0
    assert sweeping.sweep(now=last).requeued == 1


@pytest.mark.django_db(transaction=True)
def test_a_lost_lease_is_noticed_at_the_next_beat(settings: Settings) -> None:
    settings.OPTARENA_LEASE_SECONDS = 600
    settings.OPTARENA_HEARTBEAT_SECONDS = 1
    lease = leased(make_work())
    with LeaseRenewer(lease) as heart:
        heart.check()
        requests.cancel_all(verification_ids=[lease.verification_id], actor="test")
        assert soon(lambda: is_lost(heart))


@pytest.mark.django_db(transaction=True)
def test_without_a_database_the_lease_is_given_up_when_it_may_have_expired(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.OPTARENA_LEASE_SECONDS = 1

    def down(**arguments: object) -> None:
        raise OperationalError("the database is down")

    monkeypatch.setattr("runner.queue.leases.heartbeat", down)
    began = time.monotonic()
    with LeaseRenewer(leased(make_work())) as heart:
        assert soon(lambda: is_lost(heart))
    assert time.monotonic() - began >= 1


HOLD = """
import sys
from contextlib import ExitStack
from runner.machines import machine_use
with machine_use.beside_others(check=lambda: None):
    print("held", flush=True)
    sys.stdin.read()
"""


def unchecked() -> None:
    """The wait may go on."""


@contextmanager
def another_replay() -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "held\n"
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def busy_processes() -> Iterator[None]:
    spin = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(spin) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_replays_run_side_by_side() -> None:
    with another_replay(), machine_use.beside_others(check=unchecked):
        assert not machine_use.is_taken()


def test_nobody_is_alone_beside_another_replay(settings: Settings) -> None:
    settings.OPTARENA_IDLE_WAIT_SECONDS = 1
    with another_replay():
        with pytest.raises(MachineBusyError, match="Other replays ran"), machine_use.alone(check=unchecked):
            pass
        assert not machine_use.is_taken(), "the wait has left nothing"


def test_the_end_of_a_process_frees_the_machine() -> None:
    with another_replay() as other:
        other.kill()
        with machine_use.alone(check=unchecked):
            assert machine_use.is_taken()
    assert not machine_use.is_taken()


def test_who_waits_to_be_alone_comes_before_those_that_begin_later() -> None:
    order: list[str] = []

    def lonely() -> None:
        with machine_use.alone(check=unchecked):
            order.append("alone")

    def sociable() -> None:
        with machine_use.beside_others(check=unchecked):
            order.append("beside others")

    first, second = threading.Thread(target=lonely), threading.Thread(target=sociable)
    with machine_use.beside_others(check=unchecked):
        first.start()
        while not machine_use.is_taken():
            time.sleep(0.01)
        second.start()
        second.join(0.3)
        assert order == []
    first.join()
    second.join()
    assert order == ["alone", "beside others"]


def test_a_lost_lease_ends_every_wait() -> None:
    def lost() -> None:
        raise LeaseLostError("it is lost")

    with another_replay(), pytest.raises(LeaseLostError), machine_use.alone(check=lost):
        pass
    with (
        machine_use.alone(check=unchecked),
        pytest.raises(LeaseLostError),
        machine_use.beside_others(check=lost),
    ):
        pass
    assert not machine_use.is_taken()


def test_a_busy_machine_is_not_idle(settings: Settings) -> None:
    settings.OPTARENA_IDLE_PRESSURE, settings.OPTARENA_IDLE_WAIT_SECONDS = 1, 1
    with (
        busy_processes(),
        pytest.raises(MachineBusyError, match="Processes waited for a processor"),
        machine_use.alone(check=unchecked),
    ):
        pass


def test_busy_processes_show_in_the_share() -> None:
    with busy_processes():
        before = LoadReading.take()
        time.sleep(1)
        assert 20 < LoadReading.take().busy_since(before) <= 100


@pytest.mark.parametrize(("load", "share"), [(0.0, 0.0), (1.0, 0.0), (1000.0, 100.0)])
def test_without_the_kernels_word_the_load_average_counts(load: float, share: float) -> None:
    """An idle machine has the replay itself at most."""
    assert LoadReading(2.0, None, load).busy_since(LoadReading(1.0, None, 0.0)) == share


@pytest.mark.parametrize("folder", ["locks", "/nowhere/at/all", "/dev/null"])
def test_a_folder_that_cannot_be_used_is_named_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.setenv(file_locks.VARIABLE, folder)
    with (
        pytest.raises(MachineLockError, match=r"\$OPTARENA_LOCKS"),
        machine_use.beside_others(check=unchecked),
    ):
        pass


def test_a_link_in_the_way_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(file_locks.VARIABLE, str(tmp_path))
    (tmp_path / "optarena-replays.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(MachineLockError), machine_use.beside_others(check=unchecked):
        pass
    assert not (tmp_path / "elsewhere").exists()
