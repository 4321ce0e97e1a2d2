"""Real workers with a real broker and database, sick, of other versions, or without what they need."""

from __future__ import annotations

import os
import signal
import time
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.db import connection, transaction
from django.db.models.base import ModelState
from django.utils import timezone

from runner import conf
from runner.database import database_now
from runner.machines import presence
from runner.machines.calibration import LEAST_HISTORY
from runner.models import RUNNING, TERMINAL, Calibration, EnvironmentVersion, Runner, State, Verification
from runner.queue import requests, wakeups
from runner.selectors import able_runners, live_runners, runners_last_seen
from tests.factories import make_busy, make_work
from tests.kit.folders import PLUGINS
from tests.kit.processes import NO_SLICES, slice_of
from tests.kit.stage import Stage, ended_once, eventually, says, state_of
from tests.kit.work import history, kill_connections, leased

if TYPE_CHECKING:
    from pytest_django import Settings

    from leaderboard.embedded.process import Process
    from leaderboard.embedded.stack import Valkey

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]


def relatives(process: Process) -> list[int]:
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


@pytest.mark.soak
@pytest.mark.skipif(not slice_of(0), reason=NO_SLICES)
def test_pages_interrupt_all_of_a_worker(stage: Stage) -> None:
    row = make_work([19], make_busy(4))
    worker = stage.worker()
    eventually(lambda: state_of(row) == State.CHECKING, "the program runs", worker)
    below = relatives(worker)
    assert len(below) >= 3, "pool process, zygote and session"
    assert min(map(slice_of, below)) > 2 * slice_of(0)


def gone(pids: list[int]) -> bool:
    return not any(is_alive(pid) for pid in pids)


def is_alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status not in "ZX"


@pytest.mark.soak
def test_a_worker_killed_in_a_replay_is_replaced_and_the_work_ends_once(stage: Stage) -> None:
    row = make_work([19], make_busy(4))
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


@pytest.mark.soak
def test_a_worker_that_starts_finds_what_waits(stage: Stage) -> None:
    wakeups._pause["until"] = time.monotonic() + conf.BROKER_PAUSE_SECONDS
    row = make_work([19], make_busy())
    worker = stage.worker()
    eventually(lambda: state_of(row) in TERMINAL, "the verification ends", worker)
    assert ended_once(row)
    assert row.events.get(to_state="leased").actor.startswith("worker ")


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


@pytest.mark.soak
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


@pytest.mark.soak
def test_the_sweeper_stops_when_asked(stage: Stage) -> None:
    sweeper = stage.sweeper()
    eventually(says(sweeper, b"sweeper started"), "the sweeper started", sweeper)
    os.kill(sweeper.pid, signal.SIGTERM)
    assert sweeper.popen.wait(60) == 0
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


@pytest.mark.soak
def test_cancelled_work_stops_its_worker(stage: Stage) -> None:
    row = make_work([19], make_busy(4))
    worker = stage.worker()
    eventually(lambda: state_of(row) == State.CHECKING, "the program runs", worker)
    requests.cancel_all(verification_ids=[row.pk], actor="test", reason="user:withdrawn")
    after = make_work([20], make_busy(4))
    eventually(lambda: state_of(after) in RUNNING, "the worker goes on", worker)
    assert ended_once(row, State.CANCELLED)


CPU = "x86_64-cpu"
ITEMS = 15


def make_open(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    folder.chmod(0o777)


@pytest.mark.soak
def test_a_worker_with_a_wrong_folder_takes_nothing_until_it_is_mended(stage: Stage, tmp_path: Path) -> None:
    folder = tmp_path / "transient"
    make_open(folder)
    rows = [make_work([number], make_busy()) for number in range(ITEMS)]
    worker, sweeper = stage.worker(OPTARENA_TRANSIENT_CACHE=str(folder)), stage.sweeper()
    eventually(says(worker, b"self-test failed"), "it finds out", worker, sweeper)
    eventually(lambda: Runner.objects.filter(paused_at__isnull=False).exists(), "it says so", worker, sweeper)
    assert Runner.objects.get().pause_reason == "The worker's self-test failed: folders."
    assert {state_of(row) for row in rows} == {"queued"}
    folder.chmod(0o700)
    eventually(lambda: all(state_of(row) in TERMINAL for row in rows), "all end", worker, sweeper)
    assert all(ended_once(row) and row.attempt == 0 for row in rows)
    assert {row.runner for row in rows} == {Runner.objects.get()}


@pytest.mark.soak
def test_a_folder_that_goes_wrong_meanwhile_ends_no_item(stage: Stage, tmp_path: Path) -> None:
    folder = tmp_path / "transient"
    worker, sweeper = stage.worker(OPTARENA_TRANSIENT_CACHE=str(folder)), stage.sweeper()
    eventually(lambda: able_runners(CPU).exists(), "it is healthy", worker, sweeper)
    make_open(folder)
    rows = [make_work([number], make_busy()) for number in range(ITEMS)]
    eventually(lambda: not able_runners(CPU).exists(), "it pauses", worker, sweeper)
    eventually(says(worker, b"self-test failed"), "it finds out why", worker, sweeper)
    assert {state_of(row) for row in rows} == {"queued"}
    folder.chmod(0o700)
    eventually(lambda: all(state_of(row) in TERMINAL for row in rows), "all end", worker, sweeper)
    assert all(ended_once(row) and row.attempt == 0 for row in rows)


@pytest.mark.soak
def test_workers_of_two_versions_share_a_queue(stage: Stage) -> None:
    later = EnvironmentVersion.objects.create(env_id="llvm-ic-v0", digest="e" * 64, spec={})
    rows = [make_work([number], make_busy()) for number in range(6)]
    for row in rows[::2]:
        Verification.objects.filter(pk=row.pk).update(
            environment_version=later, environment_digest=later.digest
        )
    old, sweeper = stage.worker(), stage.sweeper()
    eventually(lambda: all(state_of(row) in TERMINAL for row in rows[1::2]), "the old end", old, sweeper)
    assert {state_of(row) for row in rows[::2]} == {"queued"}
    new = stage.worker(OPTARENA_PLUGINS="later_version", PYTHONPATH=str(PLUGINS))
    eventually(lambda: all(state_of(row) in TERMINAL for row in rows), "all end", old, new, sweeper)
    assert all(ended_once(row) and row.attempt == 0 for row in rows)
    assert {row.runner for row in rows[::2]}.isdisjoint({row.runner for row in rows[1::2]})


DAILY = {"OPTARENA_CALIBRATION_SECONDS": "86400"}
ENTRIES = {
    *("integer_work", "floating_point", "branches"),
    *("memory_latency", "memory_bandwidth", "process_start"),
}


def again(row: Calibration, factor: float = 1.0) -> Calibration:
    """Another row of the same machine, which took so many times as long."""
    made = copy(row)
    made.pk, made.drift, made.at = None, "", timezone.now()
    made._state = ModelState()  # it is not in the database
    made.vector = {name: {**one, "seconds": factor * one["seconds"]} for name, one in row.vector.items()}
    made.save()
    return made


def first_calibration(stage: Stage) -> Calibration:
    """What a worker measured that then stopped; the next one has the same name."""
    worker = stage.worker(**DAILY)
    eventually(Calibration.objects.exists, "it calibrates", worker)
    worker.stop()
    stage.processes.clear()
    return Calibration.objects.get()


@pytest.mark.soak
def test_a_worker_without_a_history_calibrates_beside_its_work_and_again_later(stage: Stage) -> None:
    row = make_work([1], make_busy())
    worker = stage.worker(OPTARENA_CALIBRATION_SECONDS="1")
    eventually(lambda: state_of(row) in TERMINAL, "the work ends", worker)
    eventually(lambda: Calibration.objects.count() > 1, "it calibrates twice", worker)
    first, runner = Calibration.objects.order_by("at")[0], Runner.objects.get()
    assert (first.name, first.hardware_class, first.role) == (runner.name, CPU, runner.role)
    assert first.fingerprint == runner.fingerprint
    assert set(first.vector) == ENTRIES
    assert all(0 < entry["seconds"] < 5 and entry["spread"] >= 0 for entry in first.vector.values())
    assert first.conditions["load_average"]
    assert (first.tries, first.drift) == (1, "")
    assert ended_once(row)


@pytest.mark.soak
def test_a_machine_that_seems_changed_pauses_until_it_is_as_before(stage: Stage) -> None:
    true = first_calibration(stage)
    rows = [again(true, 1 / 3) for _ in range(LEAST_HISTORY + 5)]
    Calibration.objects.exclude(pk__in=[row.pk for row in rows]).delete()
    work = [make_work([number], make_busy()) for number in range(3)]
    worker, sweeper = stage.worker(**DAILY), stage.sweeper()
    eventually(says(worker, b"the machine has changed"), "it finds out", worker, sweeper)
    eventually(lambda: Runner.objects.filter(paused_at__isnull=False).exists(), "it says so", worker)
    runner = Runner.objects.get(stopped_at=None)
    assert runner.pause_reason.startswith("Calibration: ")
    assert "times as long as in its history" in runner.pause_reason
    assert (runner.self_test or {})["passed"] is True
    assert {state_of(row) for row in work} == {"queued"}
    drifted = Calibration.objects.exclude(drift="").latest("at")
    assert (drifted.tries, drifted.drift) == (3, runner.pause_reason)
    Calibration.objects.filter(drift="").delete()
    for _ in range(LEAST_HISTORY):
        again(drifted)
    eventually(lambda: all(state_of(row) in TERMINAL for row in work), "all end", worker, sweeper)
    assert all(ended_once(row) and row.attempt == 0 for row in work)
    assert able_runners(CPU).filter(pk=runner.pk).exists()


@pytest.mark.soak
def test_a_drift_meanwhile_gives_running_work_back_for_nothing(stage: Stage) -> None:
    worker = stage.worker(**DAILY)
    eventually(lambda: able_runners(CPU).exists(), "it is healthy", worker)
    runner = Runner.objects.get()
    row = make_work([1], make_busy())
    Verification.objects.filter(pk=row.pk).update(kept_blocks=[{"a": "block"}])
    assert runner.life is not None
    leased(row, life=runner.life)
    assert presence.pause_drifted(runner_id=runner.pk, reason="Calibration: it is slow.") == 1
    row.refresh_from_db()
    event = row.events.last()
    assert (row.state, row.attempt, row.kept_blocks) == ("queued", 0, None)
    assert event.reason == "infra:runner-drifted"
    eventually(lambda: state_of(row) in TERMINAL, "it tests itself and goes on", worker)
