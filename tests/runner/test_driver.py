"""The driver, with real replays in real sandboxed processes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from django.db import OperationalError, connection

from optarena.cuda.variables import STAND_IN
from optarena.errors import DeviceBusy, DeviceUnavailable, SandboxUnavailable
from optarena.limits import INFRASTRUCTURE_RETRIES
from optarena.replay import Progress, ReplayResult, replay
from optarena.service.processes import memory
from runner import conf, tasks
from runner.models import State, Verification
from runner.queue import leases, requests, wakeups
from runner.work import driver
from runner.work.driver import Programs
from tests.factories import make_benchmark, make_busy, make_work
from tests.kit.work import history, kill_connections, lease_row, leased, restart_database, when

if TYPE_CHECKING:
    from uuid import UUID

    from pytest_django import Settings

    from optarena.datasets import Benchmark
    from runner.queue.work import PlayedState

pytestmark = pytest.mark.django_db(transaction=True)


def carry(row: Verification) -> Verification:
    lease = leased(row, "worker test:1")
    driver.LeasedReplay(lease).carry()
    row.refresh_from_db()
    return row


def test_a_replay_is_recorded() -> None:
    row = carry(make_work([19, 82, 39], make_busy()))
    states = ["queued", "leased", "replaying", "checking", "measuring", "recorded"]
    assert [to for _, to in history(row)] == states
    assert row.metrics is not None
    assert row.metrics["ir_instructions"] > 0
    assert row.sandbox is not None
    assert row.sandbox["confined"] is True
    assert row.result is not None
    result = ReplayResult.from_json(row.result)
    assert (result.ok, result.actions, result.digest) == (True, (19, 82, 39), row.environment_digest)
    assert [workload.ok for workload in result.workloads] == [True]
    assert len(result.steps) == 3


def test_the_phases_of_a_short_replay_are_written_with_its_result_and_keep_their_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(conf, "PROGRESS_SECONDS", 60.0)
    row = make_work([19, 82, 39], make_busy())
    seen = set()

    def watched(*, on_progress: Callable[[Progress], None], **given: Any) -> ReplayResult:
        def tell(progress: Progress) -> None:
            on_progress(progress)
            seen.add(Verification.objects.get(pk=row.pk).state)

        return replay(on_progress=tell, **given)

    monkeypatch.setattr(driver, "replay", watched)
    row = carry(row)
    assert (row.state, seen) == (State.RECORDED, {State.LEASED})
    events = list(row.events.order_by("seq"))
    assert [event.seq for event in events] == [1, 2, 3, 4, 5, 6]
    assert row.last_seq == len(events)
    times = [event.at for event in events]
    assert times == sorted(times)
    assert len(set(times)) == len(times)


def test_the_phases_of_a_replay_that_is_given_back_at_once_are_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(conf, "PROGRESS_SECONDS", 60.0)
    row = make_work([19], make_busy())
    monkeypatch.setattr(driver, "replay", broken_off_while("checking"))
    row = carry(row)
    steps = [("replaying", "checking"), ("checking", "queued")]
    assert (row.state, row.attempt, history(row)[-2:]) == (State.QUEUED, 1, steps)


def broken_off_while(phase: str) -> Callable[..., ReplayResult]:
    """A replay that ends with a failure of the infrastructure in a phase."""

    def broken(*, on_progress: Callable[[Progress], None], **given: Any) -> ReplayResult:
        def tell(progress: Progress) -> None:
            on_progress(progress)
            if progress.phase == phase:
                raise OSError("broken off")

        return replay(on_progress=tell, **given)

    return broken


def test_the_operator_limits_the_memory_of_a_replay(settings: Settings) -> None:
    settings.OPTARENA_REPLAY_MEMORY_MB = 700
    row = carry(make_work([19], make_busy()))
    assert row.sandbox is not None
    assert row.sandbox["memory_group"] == (700 << 20 if memory.find_group_folder() else None)


def test_other_output_fails_with_its_reason_and_trace() -> None:
    row = carry(make_work([19], make_busy(expected="other\n")))
    assert (row.state, row.reason) == (State.FAILED, "semantics:output-differs")
    assert "b'ok\\n' instead of b'other\\n'" in row.detail
    assert row.result is not None
    assert len(row.result["steps"]) == 1
    event = row.events.last()
    assert (event.from_state, event.reason, event.detail) == ("checking", row.reason, row.detail)


def test_a_damaged_program_is_our_failure_and_is_tried_again() -> None:
    row = carry(make_work([], make_benchmark("unreadable")))
    assert (row.state, row.attempt) == (State.QUEUED, 1)
    event = row.events.last()
    assert (event.reason, event.actor) == ("infra:internal", "worker test:1")
    assert event.detail.startswith("BlobDamagedError: ")


def test_work_of_another_environment_version_is_not_replayed() -> None:
    row = make_work([], make_busy())
    lease = leased(row, "worker test:1")
    Verification.objects.update(environment_digest="f" * 64)
    driver.LeasedReplay(lease).carry()
    row.refresh_from_db()
    event = row.events.last()
    assert (row.state, event.reason) == (State.QUEUED, "infra:environment-changed")
    assert "ffffffffffff of llvm-ic-v0" in event.detail


def raising(error: Exception) -> Callable[..., ReplayResult]:
    def broken(**arguments: Any) -> ReplayResult:
        raise error

    return broken


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (SandboxUnavailable("This kernel has no Landlock."), "infra:sandbox-unavailable"),
        (DeviceUnavailable("There is no CUDA driver here."), "infra:device-unavailable"),
        (DeviceBusy("Other measurements used all 2 cores for 60 s."), "infra:machine-busy"),
    ],
)
def test_without_what_it_needs_it_is_given_back_and_ends_with_that_reason(
    monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    monkeypatch.setattr(driver, "replay", raising(error))
    row = make_work([], make_busy())
    for _ in range(INFRASTRUCTURE_RETRIES + 1):
        Verification.objects.update(available_at=row.created_at)
        carry(row)
    assert (row.state, row.reason) == (State.FAILED, reason)
    assert row.detail == f"{type(error).__name__}: {error}"
    given_back = [event.reason for event in row.events.filter(to_state=State.QUEUED).exclude(from_state="")]
    assert given_back == [reason] * INFRASTRUCTURE_RETRIES


def answering(change: Callable[[ReplayResult], ReplayResult]) -> Callable[..., ReplayResult]:
    return lambda **arguments: change(replay(**arguments))


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        (lambda result: replace(result, metrics={"ir_instructions": math.nan}), "measured"),
        (lambda result: replace(result, metrics={}), "measured"),
        (lambda result: replace(result, ok=False, reason="odd:one", detail="?"), "not a reason id"),
        (lambda result: replace(result, ok=False, reason=None), "not a reason id"),
    ],
)
def test_an_answer_that_makes_no_sense_is_never_recorded(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[ReplayResult], ReplayResult], detail: str
) -> None:
    monkeypatch.setattr(driver, "replay", answering(change))
    row = carry(make_work([], make_busy()))
    event = row.events.last()
    assert (row.state, row.result, event.reason) == (State.QUEUED, None, "infra:internal")
    assert detail in event.detail


EMULATED = {"device": "cuda_on_cpu", "emulated": True, "blocks": [{"ratio": 1.5}]}


@pytest.mark.parametrize("failed", [False, True])
def test_what_an_imitated_device_measured_is_dropped_at_once(
    monkeypatch: pytest.MonkeyPatch, *, failed: bool
) -> None:
    end: dict[str, Any] = {"ok": False, "reason": "env:timeout"} if failed else {}
    monkeypatch.setattr(
        driver, "replay", answering(lambda result: replace(result, measurement=EMULATED, **end))
    )
    row = carry(make_work([], make_busy()))
    assert (row.state, row.reason, row.attempt) == (State.FAILED, "infra:emulated-device", 0)
    assert (row.result, row.metrics) == (None, None)
    assert "'cuda_on_cpu'" in row.detail
    assert "1.5" not in row.detail


@pytest.fixture
def imitating(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker of the class of GPUs that was told to use an imitation."""
    settings.OPTARENA_HARDWARE_CLASS = settings.OPTARENA_HARDWARE_CLASSES["cuda"]
    monkeypatch.setenv(STAND_IN, "cuda_on_cpu:device")


@pytest.mark.parametrize(
    ("change", "seconds", "named"),
    [
        ({}, 60, ""),
        ({"ok": False, "reason": "env:timeout", "detail": "It hung."}, 60, "env:timeout: It hung."),
        ({"ok": False, "reason": "semantics:output-differs", "detail": "0.5"}, 60, "output-differs: 0.5"),
        ({}, 0, "env:replay-timeout: The replay did not end"),
    ],
)
def test_every_end_on_a_worker_with_an_imitated_device_is_dropped(
    imitating: None, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], seconds: int, named: str
) -> None:
    """Whether or not the replay came as far as to say what it was measured on."""
    monkeypatch.setattr(driver, "replay_seconds", lambda **_: seconds)
    monkeypatch.setattr(driver, "replay", answering(lambda result: replace(result, **change)))
    row = carry(make_work([], make_busy()))
    assert (row.state, row.reason, row.attempt) == (State.FAILED, "infra:emulated-device", 0)
    assert (row.result, row.metrics) == (None, None)
    assert named in row.detail
    assert STAND_IN in row.detail


def test_the_variable_says_nothing_about_workers_of_other_classes(
    imitating: None, settings: Settings
) -> None:
    settings.OPTARENA_HARDWARE_CLASS = "x86_64-cpu"
    assert carry(make_work([], make_busy())).state == State.RECORDED


def test_what_a_real_device_measured_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    real = {**EMULATED, "device": "cuda", "emulated": False}
    monkeypatch.setattr(driver, "replay", answering(lambda result: replace(result, measurement=real)))
    row = carry(make_work([], make_busy()))
    assert row.state == State.RECORDED
    assert row.result is not None
    assert row.result["measurement"] == real


def test_a_replay_without_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "replay_seconds", lambda **_: 0)
    row = carry(make_work([19], make_busy()))
    assert (row.state, row.reason) == (State.FAILED, "env:replay-timeout")
    assert "it was replaying, 0 of 1" in row.detail


def test_a_worker_whose_work_was_cancelled_writes_nothing() -> None:
    row = make_work([19], make_busy(2))
    thread = when(row, State.CHECKING, lambda: requests.cancel_all(verification_ids=[row.pk], actor="test"))
    carry(row)
    thread.join()
    assert (row.state, row.result) == (State.CANCELLED, None)
    assert history(row)[-1] == ("checking", "cancelled")


@pytest.mark.soak
def test_a_restart_of_the_database_costs_no_attempt() -> None:
    row = make_work([19], make_busy(2))
    thread = when(row, State.CHECKING, kill_connections)
    lease = leased(row, "worker test:1")
    driver.LeasedReplay(lease).carry()
    thread.join()
    connection.close()
    row.refresh_from_db()
    assert (row.state, row.attempt) == (State.RECORDED, 0)


class Interrupted(Programs):
    """Programs whose database restarts just before the first one is read."""

    def __init__(self) -> None:
        super().__init__()
        self.restarts = 0

    def of(self, row: Verification | PlayedState) -> Benchmark:
        if not self.restarts:
            self.restarts += 1
            restart_database()
        return super().of(row)


@pytest.mark.parametrize("before", ["the row", "the program"])
def test_a_restart_of_the_database_before_a_read_costs_no_attempt(before: str) -> None:
    row = make_work([19], make_busy())
    lease = leased(row, "worker test:1")
    programs = Programs() if before == "the row" else Interrupted()
    if before == "the row":
        restart_database()
    driver.LeasedReplay(lease, programs).carry()
    connection.close()
    row.refresh_from_db()
    assert (row.state, row.attempt) == (State.RECORDED, 0)


def test_where_not_even_the_end_can_be_written_the_lease_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    row = make_work([], make_busy())
    monkeypatch.setattr(driver, "replay", raising(RuntimeError("boom")))

    def down(**arguments: Any) -> None:
        raise OperationalError("the database is down")

    monkeypatch.setattr(leases, "give_back", down)
    monkeypatch.setattr(leases, "heartbeat", down)
    monkeypatch.setattr(conf, "DATABASE_RETRY_SECONDS", 0.05)
    lease = leased(row)
    replay = driver.LeasedReplay(lease)
    monkeypatch.setattr(replay.heart, "_deadline", time.monotonic() + 0.5)
    replay.carry()
    row.refresh_from_db()
    assert row.state == State.LEASED


def test_a_woken_worker_goes_on_with_the_queue() -> None:
    busy = make_busy()
    rows = [make_work([number], busy) for number in range(3)]
    assert tasks.verify(str(rows[1].pk)) == 3
    assert {row.state for row in Verification.objects.all()} == {State.RECORDED}


def test_a_wake_up_is_a_look_at_the_queue_whatever_it_names() -> None:
    first, second = make_work([1], make_busy()), make_work([2], make_busy())
    lease_row(verification_id=first.pk, worker="somebody else")
    assert tasks.verify(str(first.pk)) == 1
    second.refresh_from_db()
    assert second.state == State.RECORDED
    assert tasks.verify("00000000-0000-0000-0000-000000000000") == 0
    assert tasks.verify("no id at all") == 0


def test_a_worker_that_has_to_stop_passes_the_queue_on(monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[UUID] = []
    rows = [make_work([number], make_busy()) for number in range(4)]
    lease = leased(rows[1])
    leases.give_back(lease=lease, reason="infra:internal", detail="it has to wait now")
    monkeypatch.setattr(wakeups, "wake", lambda ids, _: woken.extend(ids))
    monkeypatch.setattr(conf, "DRAIN_SECONDS", 0.0)
    assert driver.drive(worker="w") == 1
    assert woken == [rows[2].pk]
