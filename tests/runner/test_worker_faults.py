"""A real Celery worker, a real broker, a real database, and everything that may be taken away from them."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.db import connection, transaction

from runner import conf
from runner.clock import database_now
from runner.models import RUNNING, TERMINAL, State
from runner.queue import requests, wakeups
from runner.selectors import live_runners, runners_last_seen
from tests.factories import make_busy, make_work
from tests.kit.stage import ended_once, eventually, says, state_of
from tests.kit.work import history, kill_connections

if TYPE_CHECKING:
    from pytest_django import Settings

    from leaderboard.embedded.process import Process
    from leaderboard.embedded.stack import Valkey
    from tests.kit.stage import Stage

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]


def relatives(process: Process) -> list[int]:
    """Every process below this one, whatever its session."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue
    found = {process.pid}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found - {process.pid})


def gone(pids: list[int]) -> bool:
    return not any(is_alive(pid) for pid in pids)


def is_alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status not in "ZX"


def test_a_request_is_verified_by_a_real_worker(stage: Stage) -> None:
    worker = stage.worker()
    row = make_work([19], make_busy())
    eventually(lambda: state_of(row) in TERMINAL, "the verification ends", worker)
    assert ended_once(row)
    assert row.events.get(to_state="leased").actor.startswith("worker ")


def test_a_worker_killed_in_a_replay_is_replaced_and_the_work_ends_once(stage: Stage) -> None:
    row = make_work([19], make_busy(9))
    doomed = stage.worker()
    eventually(lambda: state_of(row) == State.CHECKING, "the program runs", doomed)
    below = relatives(doomed)
    assert len(below) >= 3, "pool process, zygote and session"
    doomed.kill()
    eventually(lambda: gone(below), "nothing of the worker is left")
    assert state_of(row) == State.CHECKING
    sweeper, heir = stage.sweeper(), stage.worker()
    eventually(lambda: state_of(row) in TERMINAL, "the verification ends", sweeper, heir)
    assert ended_once(row)
    assert row.attempt == 1
    assert [to for _, to in history(row)].count("leased") == 2


@pytest.mark.soak
def test_a_worker_that_was_asleep_writes_nothing_when_it_wakes(stage: Stage) -> None:
    row = make_work([19], make_busy(2))
    sleeper = stage.worker()
    eventually(lambda: state_of(row) == State.CHECKING, "the program runs", sleeper)
    os.killpg(sleeper.pid, signal.SIGSTOP)
    sweeper, heir = stage.sweeper(), stage.worker()
    eventually(lambda: state_of(row) in TERMINAL, "the verification ends", sweeper, heir)
    events = list(row.events.values_list("seq", "to_state", "actor"))
    os.killpg(sleeper.pid, signal.SIGCONT)
    eventually(says(sleeper, b"lease lost"), "the sleeper notices", sleeper)
    assert ended_once(row)
    assert list(row.events.values_list("seq", "to_state", "actor")) == events


@pytest.mark.soak
def test_a_broker_that_dies_with_all_its_messages_delays_only(stage: Stage, valkey: Valkey) -> None:
    busy = make_busy(1)
    worker, sweeper = stage.worker(), stage.sweeper()
    rows = [make_work([number], busy) for number in range(3)]
    eventually(lambda: state_of(rows[0]) in RUNNING, "work has begun", worker, sweeper)
    valkey.process.kill()
    for file in valkey._home.rglob("*aof*"):
        if file.is_file():
            file.unlink()
    unheard = make_work([3], busy)
    eventually(lambda: all(state_of(row) in TERMINAL for row in rows), "the queue goes on", worker, sweeper)
    valkey.start()
    eventually(lambda: state_of(unheard) in TERMINAL, "the last one ends", worker, sweeper)
    assert all(ended_once(row) and row.attempt == 0 for row in [*rows, unheard])


@pytest.mark.soak
def test_a_lost_wake_up_of_an_idle_worker_is_sent_again(stage: Stage) -> None:
    worker, sweeper = stage.worker(), stage.sweeper()
    eventually(says(worker, b" ready."), "the worker waits", worker, sweeper)
    wakeups._pause["until"] = time.monotonic() + conf.BROKER_PAUSE_SECONDS
    row = make_work([19], make_busy())
    eventually(lambda: state_of(row) in TERMINAL, "the verification ends", worker, sweeper)
    assert ended_once(row)


def test_a_worker_that_starts_finds_what_waits(stage: Stage) -> None:
    wakeups._pause["until"] = time.monotonic() + conf.BROKER_PAUSE_SECONDS
    row = make_work([19], make_busy())
    worker = stage.worker()
    eventually(lambda: state_of(row) in TERMINAL, "the verification ends", worker)
    assert ended_once(row)


@pytest.mark.soak
def test_worker_and_sweeper_outlive_a_restart_of_the_database(stage: Stage) -> None:
    worker, sweeper = stage.worker(), stage.sweeper()
    row = make_work([19], make_busy(2))
    eventually(lambda: state_of(row) == State.CHECKING, "the program runs", worker, sweeper)
    kill_connections()
    eventually(lambda: state_of(row) in TERMINAL, "the verification ends", worker, sweeper)
    assert ended_once(row)
    later = make_work([20], make_busy(2))
    eventually(lambda: state_of(later) in TERMINAL, "the next one ends", worker, sweeper)
    assert (row.attempt, later.attempt) == (0, 0)


@pytest.mark.soak
def test_a_worker_is_there_until_it_is_killed(stage: Stage, settings: Settings) -> None:
    settings.OPTARENA_LEASE_SECONDS = 3
    worker = stage.worker()
    eventually(lambda: live_runners("x86_64-cpu").exists(), "the worker is there", worker)
    kill_connections()
    connection.close()
    time.sleep(settings.OPTARENA_LEASE_SECONDS)
    assert live_runners("x86_64-cpu").get().name.startswith("w0@")
    worker.kill()
    eventually(lambda: not live_runners().exists(), "the worker is missed")
    assert list(runners_last_seen()) == ["x86_64-cpu"]


@pytest.mark.soak
def test_a_worker_reports_again_after_a_report_that_got_no_answer(stage: Stage) -> None:
    worker = stage.worker(OPTARENA_DATABASE_ANSWER_SECONDS="1")
    eventually(lambda: live_runners("x86_64-cpu").exists(), "the worker is there", worker)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE runner_runner")
        unanswered = says(worker, b"The database did not answer within 1 s.")
        eventually(unanswered, "the worker gives up", worker)
    since = database_now()
    eventually(lambda: live_runners().filter(seen_at__gt=since).exists(), "it reports again", worker)


def test_a_worker_asked_to_stop_ends_its_replay_and_begins_no_other(stage: Stage) -> None:
    busy = make_busy(2)
    row, later = make_work([19], busy), make_work([20], busy)
    worker = stage.worker()
    eventually(lambda: state_of(row) == State.CHECKING, "the program runs", worker)
    below = relatives(worker)
    worker.stop()
    assert ended_once(row)
    assert gone(below)
    assert state_of(later) == State.QUEUED
    assert [to for _, to in history(later)] == ["queued"]
    heir = stage.worker()
    eventually(lambda: state_of(later) in TERMINAL, "the next worker takes the rest", heir)
    assert later.attempt == 0


def test_the_sweeper_stops_when_asked(stage: Stage) -> None:
    sweeper = stage.sweeper()
    eventually(says(sweeper, b"sweeper started"), "the sweeper started", sweeper)
    began = time.monotonic()
    os.kill(sweeper.pid, signal.SIGTERM)
    assert sweeper.popen is not None
    assert sweeper.popen.wait(20) == 0
    assert time.monotonic() - began < 10
    assert b"sweeper stopped" in sweeper.log.read_bytes()


@pytest.mark.soak
def test_the_sweepers_heart_beats_after_each_pass(stage: Stage) -> None:
    heartbeat = stage.folder / "heartbeat"
    sweeper = stage.sweeper("--heartbeat", str(heartbeat))
    eventually(says(sweeper, b"sweeper started"), "the sweeper started", sweeper)
    for _ in range(2):
        os.utime(heartbeat, (0, 0))
        eventually(lambda: heartbeat.stat().st_mtime > 0, "a pass ended", sweeper)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE runner_verification")
        time.sleep(2)  # a pass that had begun before has ended
        os.utime(heartbeat, (0, 0))
        time.sleep(3)
        assert heartbeat.stat().st_mtime == 0, "a pass that is stuck has not ended"


def test_cancelled_work_stops_its_worker(stage: Stage) -> None:
    row = make_work([19], make_busy(9))
    worker = stage.worker()
    eventually(lambda: state_of(row) == State.CHECKING, "the program runs", worker)
    requests.cancel(verification_id=row.pk, actor="test", reason="user:withdrawn")
    after = make_work([20], make_busy(9))
    eventually(lambda: state_of(after) in RUNNING, "the worker goes on", worker)
    assert ended_once(row, State.CANCELLED)
