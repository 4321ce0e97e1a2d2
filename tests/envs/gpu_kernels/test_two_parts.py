"""A measurement in two parts: a replay that hands its job over, and the end of it where the device is.

The device is a stand-in, which takes IR in the place of cubins.
"""

from __future__ import annotations

import base64
import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from optarena import limits
from optarena.cuda.variables import STAND_IN
from optarena.errors import DeviceUnavailable, InfrastructureFault, InvalidInput
from optarena.gpu_kernels.actions import PASSES
from optarena.gpu_kernels.device_jobs import KernelHangs
from optarena.measuring import blocks
from optarena.measuring.blocks import ControlRule
from optarena.replay import finish_measurement, first_difference, replay
from optarena.service.processes.memory import find_group_folder, present
from optarena.specs import PreparedMeasure, environment_spec
from optarena.specs.results import MeasurementPlan, ReplayResult
from tests.kit.folders import ROOT
from tests.kit.gpu_kernels import benchmark, optimised, program

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optarena.specs.results import Progress

NAME = "scan"
ACTIONS = [PASSES.names.index(name) for name in ("sroa", "instcombine")]


@pytest.fixture(scope="module")
def handed_over() -> tuple[ReplayResult, dict[str, Any]]:
    """What a machine without a GPU makes of a kernel, after it has travelled."""
    jobs: list[Mapping[str, Any]] = []
    result = replay(
        environment="gpu-runtime-v0",
        benchmark=benchmark(NAME),
        actions=ACTIONS,
        plan=MeasurementPlan(blocks=3, hand_over=jobs.append),
    )
    (job,) = jobs
    return ReplayResult.from_json(result.to_json()), json.loads(json.dumps(job))


@pytest.fixture
def emulated(
    handed_over: tuple[ReplayResult, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> dict[str, Any]:
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'tests/plugins'}:{ROOT / 'envs'}")
    monkeypatch.setenv(STAND_IN, "kernels_on_cpu:device")
    given = {"cubin": code("default<O2>"), "reference": code("default<O3>")}
    return {**handed_over[1], **given, "case": asdict(program(NAME).case("odd"))}


def code(*pipelines: str) -> str:
    return base64.b64encode(optimised(NAME, *pipelines).text().encode()).decode()


def test_the_first_part_has_everything_but_the_measured_metrics(
    handed_over: tuple[ReplayResult, dict[str, Any]],
) -> None:
    begun, job = handed_over
    assert begun.ok
    assert [one.ok for one in begun.workloads] == [True, True]
    assert set(begun.metrics) == {"thread_bytes"}
    assert begun.measurement == {}
    for name in ("cubin", "reference"):
        assert base64.b64decode(job[name]).startswith(b"\x7fELF")


def test_the_second_part_adds_them(
    handed_over: tuple[ReplayResult, dict[str, Any]],
    emulated: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, _ = handed_over
    # A block that a busy machine has slowed counts as well, and none is measured again.
    monkeypatch.setattr(blocks, "REFERENCE_RULE", ControlRule(spreads=0.0, least=1e9, most=1e9))
    seen: list[Progress] = []
    whole = finish_measurement(
        begun=begun,
        environment="gpu-runtime-v0",
        job=emulated,
        plan=MeasurementPlan(blocks=3),
        on_progress=seen.append,
    )
    assert whole.ok
    assert set(whole.metrics) == {"thread_bytes", "runtime_seconds", "reference_seconds", "speedup"}
    assert whole.measurement["metrics"] == ["reference_seconds", "runtime_seconds", "speedup"]
    assert whole.measurement["emulated"] is True
    assert len(whole.measurement["blocks"]) == 3
    assert [(one.phase, one.done, one.total) for one in seen][-1] == ("measuring", 3, 3)
    assert first_difference(begun, whole) is None
    assert whole.walltime > begun.walltime


def test_wrong_output_on_the_device_fails_the_sequence(
    handed_over: tuple[ReplayResult, dict[str, Any]], emulated: dict[str, Any]
) -> None:
    wrong = base64.b64decode(emulated["cubin"]).replace(b"fadd", b"fsub")
    job = {**emulated, "cubin": base64.b64encode(wrong).decode()}
    ended = finish_measurement(
        begun=handed_over[0], environment="gpu-runtime-v0", job=job, plan=MeasurementPlan(blocks=3)
    )
    assert (ended.ok, ended.reason) == (False, "semantics:output-differs")
    assert "In the measurement: On the GPU, scan is wrong" in ended.detail
    assert ended.failed_unit["wall_seconds"] > 0


def test_a_device_that_is_missing_says_nothing_about_the_sequence(
    handed_over: tuple[ReplayResult, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(STAND_IN, raising=False)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    begun, job = handed_over
    with pytest.raises(DeviceUnavailable, match="Missing: "):
        finish_measurement(begun=begun, environment="gpu-runtime-v0", job=job, plan=MeasurementPlan(blocks=3))


def test_a_job_of_another_version_is_the_machinerys(
    handed_over: tuple[ReplayResult, dict[str, Any]], emulated: dict[str, Any]
) -> None:
    job = {**emulated, "expected": "0" * 64}
    with pytest.raises(InfrastructureFault) as caught:
        finish_measurement(
            begun=handed_over[0], environment="gpu-runtime-v0", job=job, plan=MeasurementPlan()
        )
    assert caught.value.reason == "infra:environment-changed"


def test_an_environment_that_measures_at_once_is_named(
    handed_over: tuple[ReplayResult, dict[str, Any]],
) -> None:
    begun, job = handed_over
    with pytest.raises(InvalidInput, match="loop_tool-v0 has no measurement in two parts") as caught:
        finish_measurement(begun=begun, environment="loop_tool-v0", job=job, plan=MeasurementPlan())
    assert "optarena.replay.replay" in caught.value.remedy


def test_the_second_part_has_the_memory_of_a_replay(handed_over: tuple[ReplayResult, dict[str, Any]]) -> None:
    """As the measurement of a replay in one part has: what it starts is limited together."""
    if find_group_folder() is None:
        pytest.skip("needs a place for memory groups")
    seen: list[Any] = []

    def look(job: Mapping[str, Any], plan: MeasurementPlan) -> NoReturn:
        del job, plan
        seen.append(present())
        raise KernelHangs("It does not end.")

    spec = environment_spec("gpu-runtime-v0")
    assert isinstance(spec.measure, PreparedMeasure)
    spec = replace(spec, measure=replace(spec.measure, measure=look))
    begun, job = handed_over
    given: dict[str, Any] = {"begun": begun, "environment": spec, "job": job, "plan": MeasurementPlan()}
    finish_measurement(**given)
    finish_measurement(**given, memory_bytes=256 << 20)
    assert [one and one["limit_bytes"] for one in seen] == [limits.REPLAY_MEMORY_BYTES, 256 << 20]
    assert present() is None
