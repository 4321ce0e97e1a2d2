"""Measuring in blocks: the median of them, processes without secrets, and devices that fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from optarena.datasets import Benchmark, datasets
from optarena.errors import (
    DeviceBusy,
    DeviceUnavailable,
    InfrastructureFault,
    ServiceError,
    SessionCrashed,
    SessionTimeout,
)
from optarena.loop_tool import blocks
from optarena.loop_tool.backend import IncorrectOutput
from optarena.loop_tool.blocks import measure_blocks
from optarena.replay import replay
from optarena.service.processes.folders import importing_environment
from optarena.specs.results import MeasurementPlan
from tests.kit.folders import PLUGINS

ODD, EVEN = "benchmark://loop_tool-cuda-v0/1023", "benchmark://loop_tool-cuda-v0/1024"


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    monkeypatch.setenv("OPTARENA_CACHE", str(tmp_path))
    monkeypatch.setenv("OPTARENA_LOCKS", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(PLUGINS))
    monkeypatch.setenv("OPTARENA_CUDA_DEVICE", f"odd_devices:{request.param}")


@pytest.mark.parametrize("device", ["imitation"], indirect=True)
def test_the_block_with_the_median_ratio_gives_the_figures(
    device: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPTARENA_SECRET_KEY", "hidden")
    monkeypatch.setenv("OPTARENA_DATABASE_URL", "hidden")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3")
    seen: list[tuple[int, int]] = []
    measured = measure_blocks(ODD, [3], MeasurementPlan(blocks=3, between=lambda *told: seen.append(told)))
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]
    # The blocks take 3, 1 and 4 s for an addition, and 1 s for a copy.
    details = measured.details
    assert measured.metrics == {
        "gflops": 1023 / 3.0 / 1e9,
        "reference_gflops": 1023 / 1.0 / 1e9,
        "speedup": pytest.approx((1 / 12) ** (1 / 3)),
    }
    assert [block["ratio"] for block in details["blocks"]] == pytest.approx([1 / 3, 1.0, 1 / 4])
    low, high = details["interval"]["gflops"]
    assert low < 1023 / 4.0 / 1e9 < 1023 / 1.0 / 1e9 < high
    pairs = [block["pairs"] for block in details["blocks"]]
    assert pairs == [[pytest.approx(ratio)] * 2 for ratio in (1 / 3, 1.0, 1 / 4)]
    assert [block["machine"] for block in details["blocks"]] == [{"block": number} for number in range(3)]
    assert details["emulated"] is True
    assert details["device"] == "imitation"
    environment = json.loads(details["machine"]["environment"])
    assert environment["CUDA_VISIBLE_DEVICES"] == "3"
    assert "hidden" not in environment.values()


@pytest.mark.parametrize(
    ("device", "error", "message"),
    [
        ("missing", DeviceUnavailable, "the slot is empty"),
        ("busy", DeviceBusy, "in use"),
        ("imitation", IncorrectOutput, "the first is element 3"),
        ("crashing", SessionCrashed, "signal 11.*the driver is sad"),
        ("broken", ServiceError, "error 700"),
    ],
    indirect=["device"],
)
def test_a_device_that_fails_is_told_by_its_kind_of_failure(
    device: None, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message) as caught:
        measure_blocks(EVEN, [], MeasurementPlan())
    assert type(caught.value) is error


@pytest.mark.parametrize("device", ["hanging"], indirect=True)
def test_a_block_that_hangs_is_killed(device: None) -> None:
    with pytest.raises(SessionTimeout, match="did not end within 1 s"):
        measure_blocks(EVEN, [], MeasurementPlan(), seconds=1.0)


@pytest.mark.parametrize("device", ["imitation"], indirect=True)
def test_wrong_code_is_our_fault_and_nobody_is_refuted(device: None) -> None:
    with pytest.raises(InfrastructureFault, match="the first is element 3") as caught:
        replay(environment="loop_tool-v0", benchmark=datasets().benchmark(EVEN), actions=[3])
    assert caught.value.reason == "infra:internal"
    assert isinstance(caught.value.__cause__, IncorrectOutput)


@pytest.mark.parametrize("device", ["hanging"], indirect=True)
def test_a_schedule_that_takes_too_long_fails_for_that_reason(
    device: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorter = partial(measure_blocks, seconds=1.0)
    monkeypatch.setattr(blocks, "measure_blocks", shorter)
    result = replay(environment="loop_tool-v0", benchmark=datasets().benchmark(EVEN), actions=[3])
    assert (result.ok, result.reason, result.metrics) == (False, "env:timeout", {})


def test_a_benchmark_under_another_name_is_measured_as_what_it_is() -> None:
    benchmark = Benchmark.from_bytes("benchmark://mine-v0/small", b"benchmark://loop_tool-cpu-v0/64")
    result = replay(environment="loop_tool-v0", benchmark=benchmark, actions=[3], sandbox=False)
    assert result.ok, result.detail
    assert result.metrics["gflops"] > 0


def test_nothing_is_imported_from_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "numpy.py").write_text("raise ImportError('not this one')\n")
    monkeypatch.chdir(tmp_path)
    assert measure_blocks("benchmark://loop_tool-cpu-v0/64", [3], MeasurementPlan(blocks=1)).metrics["gflops"]


def test_what_stops_a_measurement_stops_it_between_two_blocks() -> None:
    class Stopped(Exception):
        """As a lost lease does."""

    def stop(done: int, total: int) -> None:
        if done == 1:
            raise Stopped

    with pytest.raises(Stopped):
        measure_blocks("benchmark://loop_tool-cpu-v0/64", [], MeasurementPlan(between=stop))


@pytest.mark.parametrize(
    ("job", "error"),
    [
        ({"benchmark": "benchmark://loop_tool-cpu-v0/0", "actions": []}, "ValueError"),
        ({"benchmark": "benchmark://loop_tool-cpu-v0/8", "actions": [4]}, "ValueError"),
    ],
)
def test_a_job_that_is_none_is_answered(job: dict[str, object], error: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "optarena.loop_tool.blocks"],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        check=True,
    )
    answer = json.loads(done.stdout)
    assert answer["error"] == error
    assert done.stderr == ""


def test_a_block_dies_with_the_one_that_measures(tmp_path: Path) -> None:
    """A runner that is killed leaves no process that goes on timing beside its successor."""
    note = tmp_path / "pid"
    (tmp_path / "noting.py").write_text(
        "import os, pathlib, time\n"
        f"def hanging():\n    pathlib.Path({str(note)!r}).write_text(str(os.getpid()))\n"
        "    time.sleep(600)\n"
    )
    program = (
        "from optarena.loop_tool.blocks import measure_blocks\n"
        "from optarena.specs.results import MeasurementPlan\n"
        f"measure_blocks({ODD!r}, [], MeasurementPlan())\n"
    )
    variables = {"PYTHONPATH": str(tmp_path), "OPTARENA_CUDA_DEVICE": "noting:hanging"}
    with subprocess.Popen([sys.executable, "-c", program], env={**os.environ, **variables}) as parent:
        deadline = time.monotonic() + 30
        while not note.exists() or not note.read_text():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        parent.kill()
    while Path(f"/proc/{note.read_text()}/stat").exists():
        state = Path(f"/proc/{note.read_text()}/stat").read_text().rpartition(")")[2].split()[0]
        if state == "Z":  # nobody has reaped it yet
            break
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_relative_path_of_modules_means_what_it_means_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"here{os.pathsep}{os.pathsep}/there")
    assert importing_environment()["PYTHONPATH"] == f"{tmp_path}/here{os.pathsep}/there"
