"""A replay that fails is repeated in fresh processes before anything is blamed on the work."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import moody
import pytest

from optarena.errors import InfrastructureFault
from optarena.limits import CONFIRMATION_TIME_FACTOR
from optarena.replay import replay
from optarena.service.client import zygote
from optarena.service.client.zygote import Zygote
from optarena.specs.benchmark import Benchmark
from runner import conf, selectors
from runner.machines import machine_use, presence
from runner.machines.machine import Machine
from runner.machines.presence import SelfTest
from runner.models import RUNNING, Runner, State, Verification, VerificationAttempt
from runner.queue import leases, sweeping
from runner.work import driver
from tests.factories import make_benchmark, make_busy, make_work, request_verification
from tests.kit.examples import slow
from tests.kit.work import Clock, history, leased, when

if TYPE_CHECKING:
    from pytest_django import Settings


pytestmark = pytest.mark.django_db(transaction=True)

TIMED: Final = "env:replay-timeout"


def carry(row: Verification) -> Verification:
    """One lease of it, at once, whatever it waits for."""
    row.refresh_from_db()
    lease = leased(row, "worker test:1", now=row.available_at)
    driver.LeasedReplay(lease).carry()
    row.refresh_from_db()
    return row


def attempts(row: Verification) -> list[tuple[int, str, str]]:
    return list(row.attempts.order_by("number").values_list("number", "reason", "decision"))


def attempt(row: Verification, number: int) -> VerificationAttempt:
    return row.attempts.get(number=number)


def last_reason(row: Verification) -> str:
    event = row.events.last()
    return event.reason


def test_a_failure_that_repeats_is_final_and_both_attempts_are_stored() -> None:
    row = carry(make_work([19], make_busy(expected="other\n")))
    reason = "semantics:output-differs"
    assert (row.state, row.reason) == (State.FAILED, reason)
    assert attempts(row) == [(1, reason, "confirm"), (2, reason, "fail")]
    assert [to for _, to in history(row)] == ["queued", "leased", "replaying", "checking", "failed"]
    for one in row.attempts.all():
        assert one.detail == row.detail
        assert one.worker == "worker test:1"
        assert one.started_at < one.ended_at
        assert one.evidence["sandbox"]["confined"] is True
        assert (one.evidence["alone"], one.evidence["time_factor"]) == (False, 1.0)
        assert 0 <= one.evidence["busy_percent_during"] <= 100


def test_a_repetition_has_fresh_zygotes(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def watched(**arguments: Any) -> Any:
        result = replay(**arguments)
        seen.extend(one.pid for one in zygote._shared.values() if one.is_alive())
        return result

    monkeypatch.setattr(driver, "replay", watched)
    carry(make_work([19], make_busy(expected="other\n")))
    assert len(seen) == len(set(seen)) == 2


def test_what_no_repetition_can_change_is_final_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    row = make_work([19], make_busy())
    Verification.objects.update(actions=[19, 1_000_000])
    carry(row)
    assert (row.state, row.reason) == (State.FAILED, "user:invalid-action")
    assert attempts(row) == [(1, "user:invalid-action", "fail")]


def moodily(**arguments: Any) -> Any:
    """A real replay, but of a compiler whose failures do not repeat."""
    benchmark = Benchmark.from_bytes("benchmark://moody-v0/one", b"moody")
    given = {"environment": moody.ENVIRONMENT, "benchmark": benchmark, "metrics": None}
    given["actions"] = [0] * moody.STEPS
    return replay(**{**arguments, **given})


def test_what_fails_differently_each_time_is_given_back_and_ends_as_unrepeatable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(driver, "replay", moodily)
    monkeypatch.setattr(leases, "INFRASTRUCTURE_RETRIES", 1)
    row = carry(make_work([], make_busy()))
    assert (row.state, row.attempt, last_reason(row)) == (State.QUEUED, 1, "infra:unrepeatable")
    carry(row)
    assert (row.state, row.reason) == (State.FAILED, "infra:unrepeatable")
    assert "It failed with env:crash before. This time: env:crash: In step" in row.detail
    assert attempts(row) == [
        (number, "env:crash", "give-back" if number == 2 else decision)
        for number, decision in enumerate(["confirm", "give-back", "confirm", "fail"], start=1)
    ]
    assert row.could_not_be_verified


def sessions() -> list[int]:
    above = {one.pid for one in zygote._shared.values() if one.is_alive()}
    return [pid for pid, parent in _parents() if parent in above]


def zygotes() -> list[int]:
    return [one.pid for one in zygote._shared.values() if one.is_alive()]


def _parents() -> Iterator[tuple[int, int]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                yield int(entry.name), int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue


@pytest.mark.parametrize(
    ("phase", "victims"),
    [
        (State.CHECKING, sessions),
        *slow(
            (phase, victims)
            for phase in (State.REPLAYING, State.CHECKING, State.MEASURING)
            for victims in (sessions, zygotes)
            if (phase, victims) != (State.CHECKING, sessions)
        ),
    ],
)
def test_a_killed_process_is_never_blamed_on_the_work(
    phase: State, victims: Callable[[], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conf, "PROGRESS_SECONDS", 0.0)  # a phase is seen as soon as it begins
    killed: list[int] = []

    def kill() -> None:
        for pid in victims():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    row = make_work([19, 82, 39], make_busy(1))
    thread = when(row, phase, kill)
    carry(row)
    thread.join()
    assert killed or row.state == State.RECORDED
    assert row.state in {State.QUEUED, State.RECORDED}
    if row.state == State.QUEUED:
        assert last_reason(row).startswith("infra:")
        assert [reason.partition(":")[0] for _, reason, _ in attempts(row)] == ["infra"]
        carry(row)
    assert (row.state, row.reason) == (State.RECORDED, "")


def starve(seconds: float) -> None:
    """What a busy machine does to a session: it gets no processor."""
    stopped = sessions()
    for pid in stopped:
        _send(pid, signal.SIGSTOP)
    time.sleep(seconds)
    for pid in stopped:
        _send(pid, signal.SIGCONT)


def _send(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):  # it has ended, or was killed for its lateness
        os.kill(pid, number)


@pytest.mark.soak
def test_what_has_no_time_under_load_only_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = 8
    monkeypatch.setattr(conf, "PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr(driver, "replay_seconds", lambda **_: seconds)
    row = make_work([19], make_busy(1))
    thread = when(row, State.CHECKING, lambda: starve(seconds))
    carry(row)
    thread.join()
    assert attempts(row) == [(1, TIMED, "confirm")]
    assert row.state == State.RECORDED


def test_a_true_lack_of_time_is_final_after_an_attempt_alone_with_longer_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(driver, "replay_seconds", lambda **_: 0)
    row = carry(make_work([19], make_busy()))
    assert (row.state, row.reason) == (State.FAILED, TIMED)
    assert attempts(row) == [(1, TIMED, "confirm"), (2, TIMED, "fail")]
    first, second = (attempt(row, number).evidence for number in (1, 2))
    assert (first["alone"], first["idle"], first["time_factor"]) == (False, False, 1)
    assert (second["alone"], second["idle"], second["time_factor"]) == (True, True, CONFIRMATION_TIME_FACTOR)
    assert 0 <= second["busy_percent_before"] <= 100


def test_without_an_idle_machine_a_lack_of_time_is_given_back(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """And the next lease goes on from there, alone at once."""
    settings.OPTARENA_IDLE_WAIT_SECONDS = 1
    monkeypatch.setattr(driver, "replay_seconds", lambda **_: 0)
    row = make_work([19], make_busy())
    with machine_use.beside_others(check=lambda: None):
        carry(row)
    assert (row.state, last_reason(row)) == (State.QUEUED, "infra:machine-busy")
    assert attempts(row) == [(1, TIMED, "confirm"), (2, "infra:machine-busy", "give-back")]
    carry(row)
    assert (row.state, row.reason) == (State.FAILED, TIMED)
    assert attempts(row)[2:] == [(3, TIMED, "fail")]
    assert attempt(row, 3).evidence["alone"] is True


def test_a_repetition_that_was_not_alone_enough_is_given_back(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """The machine was idle before, and not meanwhile."""
    monkeypatch.setattr(driver, "replay_seconds", lambda **_: 0)
    monkeypatch.setattr(machine_use, "_wait_until_idle", lambda *_: 0.0)
    settings.OPTARENA_IDLE_PRESSURE = -1
    row = carry(make_work([19], make_busy()))
    assert (row.state, last_reason(row)) == (State.QUEUED, "infra:machine-busy")
    assert attempts(row) == [(1, TIMED, "confirm"), (2, TIMED, "give-back")]
    assert attempt(row, 2).evidence["idle"] is False


def test_a_suspicion_outlives_its_worker(clock: Clock) -> None:
    row = make_work([19], make_busy(expected="other\n"))
    lease = leased(row, "doomed", now=clock.now)
    reason = "semantics:output-differs"
    report = leases.AttemptReport(reason=reason, detail="b'ok' instead of b'other'")
    leases.record_suspicion(lease=lease, report=report, now=clock.now)
    sweeping.sweep(now=clock.turn(3600))
    carry(row)
    assert (row.state, row.reason) == (State.FAILED, reason)
    assert attempts(row) == [(1, reason, "confirm"), (2, "infra:killed", "give-back"), (3, reason, "fail")]


def test_a_suspicion_outlives_a_lease_that_cost_no_attempt(clock: Clock) -> None:
    """A sick worker suspected the work, and gave it back when it paused."""
    sick = presence.announce_runner(
        name="sick",
        hardware_class="x86_64-cpu",
        machine=Machine(fingerprint={}, versions={}),
        life=uuid.uuid4(),
    )
    row = make_work([19], make_busy(expected="other\n"))
    lease = leased(row, "sick", life=sick.life, now=clock.now)
    reason = "semantics:output-differs"
    leases.record_suspicion(lease=lease, report=leases.AttemptReport(reason=reason, detail=""), now=clock.now)
    leases.give_back(lease=lease, reason="infra:worker-unhealthy", detail="", now=clock.now)
    carry(row)
    assert (row.attempt, row.state, row.reason) == (0, State.FAILED, reason)
    assert [decision for _, _, decision in attempts(row)] == ["confirm", "give-back", "fail"]


@pytest.mark.parametrize("reason", ["infra:killed", "infra:memory-pressure", "infra:compile-timeout"])
def test_a_fault_of_the_infrastructure_is_given_back_under_its_own_name(
    monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    def broken(**arguments: Any) -> Any:
        raise InfrastructureFault("It is over.", reason=reason)

    monkeypatch.setattr(driver, "replay", broken)
    row = carry(make_work([], make_busy()))
    assert (row.state, last_reason(row)) == (State.QUEUED, reason)
    assert attempts(row) == [(1, reason, "give-back")]
    assert attempt(row, 1).detail == "InfrastructureFault: It is over."


def test_a_machine_that_cannot_be_shared_replays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_LOCKS", "/nowhere")
    row = carry(make_work([], make_busy()))
    assert (row.state, last_reason(row)) == (State.QUEUED, "infra:worker-unhealthy")


@pytest.mark.soak
def test_nothing_is_leased_while_a_replay_has_the_machine_for_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = make_work([], make_busy())
    monkeypatch.setattr("runner.conf.DRAIN_SECONDS", 0.5)
    with machine_use.alone(check=lambda: None):
        assert driver.drive(worker="w") == 0
        row.refresh_from_db()
        assert row.state not in RUNNING
    assert driver.drive(worker="w") == 1


CPU = "x86_64-cpu"
LLVM = "optarena.llvm.session:LlvmSession"
UNHEALTHY = "infra:worker-unhealthy"


@pytest.fixture
def life() -> UUID:
    life = uuid.uuid4()
    machine = Machine(fingerprint={"cpu": "Some CPU", "cores": 4}, versions={"llvm": "22.1.8"})
    presence.announce_runner(
        name="celery@host",
        hardware_class=CPU,
        machine=machine,
        life=life,
        tested=SelfTest(checks=[{"name": "folders", "ok": True, "detail": "", "seconds": 0.1}], seconds=0.1),
    )
    return life


def assert_paused_by(row: Verification, life: UUID) -> None:
    assert driver.drive(worker="w", life=life) == 1
    row.refresh_from_db()
    event = row.events.last()
    assert (row.state, row.attempt, event.reason) == (State.QUEUED, 0, UNHEALTHY), event.detail
    assert selectors.able_runner(life) is None
    assert UNHEALTHY in Runner.objects.get(life=life).pause_reason


def test_a_measurement_without_a_temporary_folder(
    life: UUID, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    benchmark = make_benchmark("small", b"benchmark://loop_tool-cpu-v0/64")
    row = request_verification(
        environment="loop_tool-v0", benchmark=benchmark, benchmark_uri=benchmark.uri, actions=[3]
    )
    folder = tmp_path / "temporary"
    folder.touch()  # no mode stops root, but a file is not a folder for anybody
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    assert_paused_by(row, life)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "transient"
    monkeypatch.setenv("OPTARENA_TRANSIENT_CACHE", str(folder))
    Zygote.shared(LLVM).close()
    yield folder
    Zygote.shared(LLVM).close()


def test_a_folder_that_a_zygote_can_no_longer_use(life: UUID, folder: Path) -> None:
    first = make_work([], make_busy())
    assert driver.drive(worker="w", life=life) == 1
    first.refresh_from_db()
    assert first.state == State.RECORDED
    folder.chmod(0o777)
    assert_paused_by(make_work([1], make_busy()), life)
    folder.chmod(0o700)
