"""Work for a GPU in two parts: a worker for CPUs replays, checks and compiles; a GPU gets the job alone."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from datasets.loading import load_dataset
from optarena.cuda.variables import STAND_IN
from optarena.datasets import datasets
from optarena.gpu_kernels import build_dataset, device_jobs
from optarena.gpu_kernels.actions import PASSES
from optarena.measuring.estimates import of_measurement
from optarena.replay import ReplayResult
from optarena.specs import environment_spec
from runner.database import database_now
from runner.machines import presence
from runner.machines.machine import describe
from runner.models import Demand, Runner, State, Verification, VerificationEvent
from runner.queue import demands, leases, sweeping, transitions, wakeups
from runner.selectors import live_runners, queue_depths, unknown_work
from runner.work import confirmation, driver
from tests.factories import make_benchmark, make_busy, make_work, make_workload, request_verification
from tests.kit.noisy_boards import measurement
from tests.kit.work import history, next_lease

if TYPE_CHECKING:
    from uuid import UUID

    from pytest_django import Settings

    from datasets.models import Benchmark

pytestmark = pytest.mark.django_db(transaction=True)
CPU, CUDA = "x86_64-cpu", "x86_64-cuda"
NAME = "gpu-kernels-v1"
PASSES_OF_AGENT = ("sroa", "instcombine")


@pytest.fixture
def kernel() -> Benchmark:
    version = load_dataset(manifest_dir=build_dataset.FOLDER)
    return version.benchmarks.get(name="vector-add")


def ask(
    kernel: Benchmark, passes: tuple[str, ...] = PASSES_OF_AGENT, payer: str = demands.NOBODY
) -> Verification:
    return request_verification(
        environment="gpu-runtime-v0",
        benchmark=kernel,
        benchmark_uri=kernel.uri,
        actions=[PASSES.names.index(name) for name in passes],
        metrics=["runtime_seconds"],
        device="cuda",
        payer=payer,
    )


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []

    def note(ids: Sequence[UUID], hardware: str, *rest: object) -> bool:
        del ids, rest
        seen.append(hardware)
        return True

    for module in (wakeups, sweeping):
        monkeypatch.setattr(module, "wake", note)
    return seen


def test_a_cpu_worker_replays_checks_and_compiles_and_then_a_gpu_is_woken(
    kernel: Benchmark, woken: list[str]
) -> None:
    row = ask(kernel, payer="ada")
    assert woken == [CPU]
    assert [(one.hardware_class, one.queued, one.unprepared) for one in queue_depths()] == [(CUDA, 1, 1)]
    assert driver.drive(worker="a CPU") == 1
    row.refresh_from_db()
    steps = [to for _, to in history(row)]
    assert (row.state, row.attempt) == (State.QUEUED, 0)
    assert steps == ["queued", "leased", "replaying", "checking", "queued"]
    assert woken == [CPU, CUDA]
    assert [(one.hardware_class, one.queued, one.unprepared) for one in queue_depths()] == [(CUDA, 1, 0)]
    demand = Demand.objects.select_related("payer").get(verification=row)
    assert demand.waiting
    assert 0 < demand.payer.used_seconds - demand.seconds < 60  # what was reserved, and what was used
    assert row.prepared is not None
    job, begun = row.prepared["job"], ReplayResult.from_json(row.prepared["result"])
    assert base64.b64decode(job["cubin"]).startswith(b"\x7fELF")
    assert job["kernel"] == "vector_add"
    assert job["case"]["arguments"][0]["seed"] == 1
    assert job["expected"] == device_jobs.reference_digest()
    assert [(one.name, one.ok) for one in begun.workloads] == [("odd", True), ("even", True)]
    assert [step.name for step in begun.steps] == list(PASSES_OF_AGENT)
    assert begun.metrics == {}
    assert driver.drive(worker="a CPU") == 0  # it waits for a GPU now


def test_a_gpu_worker_gets_only_what_is_prepared(kernel: Benchmark, settings: Settings) -> None:
    row = ask(kernel)
    settings.OPTARENA_HARDWARE_CLASS = CUDA
    assert leases.lease_next(worker="a GPU") is None
    settings.OPTARENA_HARDWARE_CLASS = CPU
    driver.drive(worker="a CPU")
    settings.OPTARENA_HARDWARE_CLASS = CUDA
    lease = next_lease("a GPU")
    assert lease.verification_id == row.pk
    row.refresh_from_db()
    assert row.prepared is not None
    found = ReplayResult.from_json(row.prepared["result"]).as_dict()
    metrics = {"runtime_seconds": 2.0, "reference_seconds": 4.0, "speedup": 2.0}
    measured = {**found, "version": 4, "metrics": metrics, "measurement": measurement(2.0, 4.0)}
    leases.record(
        lease=lease, outcome=transitions.ReplayOutcome(result=measured, metrics=metrics, sandbox={})
    )
    row.refresh_from_db()
    assert (row.state, row.prepared, row.metrics) == (State.RECORDED, None, metrics)
    assert row.result is not None
    assert of_measurement(row.result["measurement"]) is not None
    assert [step["name"] for step in row.result["steps"]] == list(PASSES_OF_AGENT)


def test_a_gpu_that_is_lost_costs_the_preparation_nothing(
    kernel: Benchmark, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = ask(kernel)
    driver.drive(worker="a CPU")
    settings.OPTARENA_HARDWARE_CLASS = CUDA
    monkeypatch.delenv(STAND_IN, raising=False)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    lease = next_lease("a GPU")
    driver.LeasedReplay(lease).carry()
    row.refresh_from_db()
    assert (row.state, row.attempt) == (State.QUEUED, 1)
    last = VerificationEvent.objects.filter(verification=row).latest("seq")
    assert last.reason == "infra:device-unavailable"
    assert "No CUDA device is usable on this machine. Missing: " in last.detail
    assert row.prepared is not None
    assert confirmation.waits_for(row) == CUDA


def test_a_job_of_another_release_is_prepared_anew(
    kernel: Benchmark, settings: Settings, woken: list[str]
) -> None:
    row = ask(kernel)
    driver.drive(worker="a CPU")
    row.refresh_from_db()
    assert row.prepared is not None
    row.prepared["job"]["expected"] = "0" * 64  # as a release with other references wrote it
    row.kept_blocks = measurement(2.0, 4.0)["blocks"][:1]
    row.save(update_fields=["prepared", "kept_blocks"])
    settings.OPTARENA_HARDWARE_CLASS = CUDA
    woken.clear()
    lease = next_lease("a GPU")
    driver.LeasedReplay(lease).carry()
    row.refresh_from_db()
    last = VerificationEvent.objects.filter(verification=row).latest("seq")
    assert (row.state, last.reason) == (State.QUEUED, "infra:environment-changed")
    assert (row.prepared, row.kept_blocks) == (None, None)
    assert woken == ["cpu"]  # the queue of such workers, whose class a worker for GPUs does not know
    settings.OPTARENA_HARDWARE_CLASS = CPU
    Verification.objects.update(available_at=database_now())
    Demand.objects.update(available_at=database_now())
    assert driver.drive(worker="a CPU") == 1
    row.refresh_from_db()
    assert row.prepared is not None
    assert row.prepared["job"]["expected"] == device_jobs.reference_digest()


def as_a_worker(settings: Settings, hardware: str) -> None:
    """Carry out the one verification that waits, as a worker of a class."""
    settings.OPTARENA_HARDWARE_CLASS = hardware
    lease = next_lease(f"of {hardware}")
    driver.LeasedReplay(lease).carry()


def test_a_failure_on_the_device_is_confirmed_with_a_job_that_is_prepared_anew(
    kernel: Benchmark, settings: Settings, monkeypatch: pytest.MonkeyPatch, woken: list[str]
) -> None:
    """A job that was prepared wrongly would fail twice, and its actions would be to blame."""
    jobs: list[Mapping[str, Any]] = []

    def wrong(*, begun: ReplayResult, job: Mapping[str, Any], **_: object) -> ReplayResult:
        jobs.append(job)
        return replace(begun, ok=False, reason="semantics:output-differs", detail="Another digest.")

    monkeypatch.setattr(driver, "finish_measurement", wrong)  # there is no device here
    row = ask(kernel, payer="ada")
    as_a_worker(settings, CPU)
    Verification.objects.update(kept_blocks=[])
    woken.clear()
    as_a_worker(settings, CUDA)
    row.refresh_from_db()
    assert (row.state, row.attempt, row.prepared, row.kept_blocks) == (State.QUEUED, 0, None, None)
    last = VerificationEvent.objects.filter(verification=row).latest("seq")
    assert (last.reason, len(jobs)) == (confirmation.PREPARED_ANEW, 1)
    assert [(one.reason, one.decision) for one in row.attempts.all()] == [
        ("semantics:output-differs", "confirm")
    ]
    assert woken == ["cpu"]
    as_a_worker(settings, CPU)
    as_a_worker(settings, CUDA)
    row.refresh_from_db()
    assert (row.state, row.reason, len(jobs)) == (State.FAILED, "semantics:output-differs", 2)
    assert not Demand.objects.exists()


def test_a_failure_on_the_device_that_does_not_repeat_begins_everything_anew(
    kernel: Benchmark, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    reasons = iter(("semantics:output-differs", "semantics:crash"))

    def wrong(*, begun: ReplayResult, **_: object) -> ReplayResult:
        return replace(begun, ok=False, reason=next(reasons), detail="")

    monkeypatch.setattr(driver, "finish_measurement", wrong)
    row = ask(kernel)
    for hardware in (CPU, CUDA, CPU, CUDA):
        as_a_worker(settings, hardware)
    row.refresh_from_db()
    assert (row.state, row.attempt, row.prepared) == (State.QUEUED, 1, None)
    assert VerificationEvent.objects.filter(verification=row).latest("seq").reason == "infra:unrepeatable"


@pytest.mark.parametrize("lacking", ["result", "job"])
def test_what_another_release_wrote_and_this_one_cannot_read_is_prepared_anew(
    kernel: Benchmark, settings: Settings, lacking: str
) -> None:
    row = ask(kernel)
    written = {"result": {"version": 1000}} if lacking == "job" else {"job": {}}
    Verification.objects.update(prepared=written)
    settings.OPTARENA_HARDWARE_CLASS = CUDA
    lease = next_lease("a GPU")
    driver.LeasedReplay(lease).carry()
    row.refresh_from_db()
    last = VerificationEvent.objects.filter(verification=row).latest("seq")
    assert (row.state, last.reason, row.prepared) == (State.QUEUED, "infra:environment-changed", None)
    assert "What was prepared for gpu-runtime-v0 cannot be read: " in last.detail


def test_actions_that_fail_end_before_a_gpu_is_needed(kernel: Benchmark) -> None:
    program = datasets()[NAME].benchmark("vector-add").program()
    other = make_benchmark("other", program, version=kernel.version)
    row = ask(make_workload(other, "odd", args=["odd"], expected_stdout="something else\n"))
    driver.drive(worker="a CPU")
    row.refresh_from_db()
    assert (row.state, row.reason, row.prepared) == (State.FAILED, "semantics:output-differs", None)


def test_both_lines_of_a_cpu_worker_are_carried_out(kernel: Benchmark) -> None:
    rows = [make_work([19], make_busy()), ask(kernel), ask(kernel, ("sroa",))]
    assert driver.drive(worker="a CPU") == 3
    for row in rows:
        row.refresh_from_db()
    assert [row.state for row in rows] == [State.RECORDED, State.QUEUED, State.QUEUED]
    assert all(row.prepared is not None for row in rows[1:])


def test_lost_wake_ups_are_sent_again_to_those_who_are_waited_for(
    kernel: Benchmark, woken: list[str]
) -> None:
    ask(kernel)
    Verification.objects.update(woken_at=None)
    woken.clear()
    sweeping.sweep()
    assert woken == [CPU]
    driver.drive(worker="a CPU")
    Verification.objects.update(woken_at=None, available_at=database_now())
    woken.clear()
    sweeping.sweep()
    assert woken == [CUDA]


def test_work_is_unknown_to_the_workers_that_it_waits_for(kernel: Benchmark, settings: Settings) -> None:
    row = ask(kernel)
    for hardware in (CPU, CUDA):
        settings.OPTARENA_HARDWARE_CLASS = hardware
        presence.announce_runner(name=hardware, hardware_class=hardware, machine=describe())
    settings.OPTARENA_HARDWARE_CLASS = CPU
    assert unknown_work(live_runners()) == []
    Runner.objects.filter(hardware_class=CPU).update(digests=["0" * 64])
    [work] = unknown_work(live_runners())  # the GPU's worker has this version, but it is not its turn
    assert (work.hardware_class, work.digest, work.queued) == (CUDA, row.environment_digest, 1)
    driver.drive(worker="a CPU")
    assert unknown_work(live_runners()) == []
    Runner.objects.filter(hardware_class=CUDA).update(digests=["0" * 64])
    assert [one.digest for one in unknown_work(live_runners())] == [row.environment_digest]


def test_an_environment_measures_in_two_parts_or_in_one(kernel: Benchmark) -> None:
    row = ask(kernel)
    assert confirmation.is_handed_over(row, environment_spec("gpu-runtime-v0"))
    assert not confirmation.is_handed_over(row, environment_spec("loop_tool-v0"))
