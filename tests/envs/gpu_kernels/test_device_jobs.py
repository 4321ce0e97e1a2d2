"""Jobs for a GPU in processes of their own, on stand-ins, and who is to blame when one fails."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from optarena.cuda import missing
from optarena.cuda.missing import DeviceFailed, DeviceFull, KernelFaulted, kind_of
from optarena.cuda.timing import UnsteadyDevice
from optarena.cuda.variables import STAND_IN
from optarena.errors import (
    CountersUnavailable,
    DeviceBusy,
    DeviceUnavailable,
    InfrastructureFault,
    InvalidInput,
    SessionCrashed,
)
from optarena.gpu_kernels import blocks, device_jobs, references
from optarena.gpu_kernels.device_jobs import (
    BrokenReference,
    KernelCrashes,
    KernelHangs,
    OutOfDeviceMemory,
    WrongOutput,
)
from optarena.gpu_kernels.session import KernelPassesSession
from optarena.measuring.machine import exclusive
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.specs.results import MeasurementPlan, refutes
from tests.kit.cupti import installed
from tests.kit.examples import slow
from tests.kit.gpu_jobs import code, job, stand_in
from tests.kit.gpu_kernels import NAMES, benchmark, program

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.specs.environment import LiveEnv

__all__ = ["stand_in"]


def check_times(answer: Any, name: str) -> None:
    assert answer["emulated"] is True
    for temperature in ("cold", "warm"):
        reading = answer[temperature]
        assert reading["median_seconds"] > 0
        assert reading["samples"] >= 2
        case = program(name).case("odd")
        assert reading["bytes_per_second"] == pytest.approx(case.moved_bytes / reading["median_seconds"])
        assert answer["copy"][temperature] > 0
        assert (answer["computing"] is None) == (case.flops == 0)
        assert answer["computing"] is None or answer["computing"][temperature] > 0
        assert reading["flops_per_second"] == pytest.approx(case.flops / reading["median_seconds"])


@pytest.mark.parametrize("name", slow(NAMES))
def test_a_kernel_is_checked_and_timed_cold_and_warm(stand_in: Any, name: str) -> None:
    stand_in()
    check_times(device_jobs.run(job(name)), name)


def test_jobs_of_one_launch_are_done_together_and_no_wrong_one_is_timed(stand_in: Any) -> None:
    stand_in()
    right = code("vector-add")
    wrong, beyond = right.replace(b"fadd", b"fsub"), right.replace(b"icmp slt", b"icmp sle")
    assert right not in (wrong, beyond)
    first, second, third, fourth = device_jobs.run_all(
        [job("vector-add", cubin=cubin) for cubin in (right, wrong, right, beyond)]
    )
    check_times(first, "vector-add")
    check_times(third, "vector-add")
    for error, says in ((second, "wrong: .* elements of output 0"), (fourth, "writes behind an output")):
        assert isinstance(error, WrongOutput)
        assert re.search(says, str(error))
        assert error.reason == "semantics:output-differs"
    assert device_jobs.run_all([]) == []


def test_readings_of_two_kernels_take_turns(stand_in: Any) -> None:
    stand_in()
    answer = device_jobs.run(job("stencil", reference=code("stencil"), pairs=2))
    assert len(answer["pairs"]) == 2
    assert len(answer["candidate"]["readings"]) == len(answer["reference"]["readings"]) == 2
    own, other = answer["candidate"]["readings"][0], answer["reference"]["readings"][0]
    assert answer["pairs"][0] == pytest.approx(other / own)


@pytest.mark.parametrize(
    ("index", "says"), [("i64 0", "changes an input"), *slow([("i64 -1", "writes before an input")])]
)
def test_an_input_that_is_written_is_found(stand_in: Any, index: str, says: str) -> None:
    stand_in()
    with pytest.raises(WrongOutput, match=says):
        device_jobs.run(job("sparse-rows", cubin=writes_to_input(index)))


def writes_to_input(index: str) -> bytes:
    store = f"%place = getelementptr float, ptr %3, {index}\n  store float 5.0, ptr %place\n  ret void"
    return code("sparse-rows").decode().replace("ret void", store, 1).encode()


def test_a_whole_number_that_is_never_written_is_not_rounding() -> None:
    """Of this kernel, one element in a hundred may differ."""
    case = program("escape-time").case("odd")
    wanted = references.expected("escape_time", case)
    assert references.difference("escape_time", [wanted[0] + (np.arange(1001) == 7)], wanted) == ""
    unwritten = [np.where(np.arange(1001) == 1000, 0, wanted[0])]
    assert "element 1000: " in references.difference("escape_time", unwritten, wanted)


@pytest.mark.soak
def test_behind_one_that_cannot_be_loaded_a_new_process_goes_on(stand_in: Any) -> None:
    stand_in()
    first, second = device_jobs.run_all([job("scan", cubin=b"\x7fELF"), job("scan", reference=b"", pairs=0)])
    assert isinstance(first, Exception)
    assert isinstance(second, dict)


def test_a_shorter_output_is_wrong() -> None:
    told = references.difference("scan", [np.zeros(3)], [np.zeros(4)])
    assert told == "output 0 has 3 elements instead of 4"


NCU = """#!{python}
import os, subprocess, sys
log = sys.argv[sys.argv.index("--log-file") + 1]
if {says!r}:
    open(log, "w").write({says!r})
    sys.exit(1)
subprocess.run(sys.argv[sys.argv.index("--log-file") + 2 :], check=True)
sys.exit(3)
"""
"""It ends with a code of its own, whatever the job ends with."""


def profiler(folder: Path, monkeypatch: pytest.MonkeyPatch, says: str = "") -> None:
    program = folder / "ncu"
    program.write_text(NCU.format(python=sys.executable, says=says))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setattr(device_jobs, "problems_of_machine", list)


@pytest.mark.soak
def test_a_kernel_that_hangs_under_the_profiler_leaves_no_process(
    stand_in: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stand_in("hanging")
    profiler(tmp_path, monkeypatch)
    monkeypatch.setattr(device_jobs, "SECONDS", 15)
    with pytest.raises(KernelHangs):
        device_jobs.hardware_counters(job("scan"))
    stand_in()
    assert device_jobs.run(job("scan"))["emulated"] is True  # nobody holds the device


@pytest.mark.soak
def test_the_profiler_says_the_reason(stand_in: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stand_in()
    profiler(tmp_path, monkeypatch, "==ERROR== ERR_NVGPUCTRPERM")
    with pytest.raises(CountersUnavailable) as caught:
        device_jobs.hardware_counters(job("scan"))
    assert caught.value.reason == "no-privilege"
    profiler(tmp_path, monkeypatch)
    with pytest.raises(WrongOutput):
        device_jobs.hardware_counters(job("scan", cubin=code("scan").replace(b"fadd", b"fsub")))


def test_of_jobs_done_together_those_that_hang_or_die_are_named_and_the_others_done(stand_in: Any) -> None:
    stand_in("hanging")
    ends, dies, hangs = (
        job("vector-add", cubin=code("vector-add") + end) for end in (b"; ends\n", b"; dies\n", b"")
    )
    try:
        found = device_jobs.run_all([hangs, dies, ends], seconds=6)
    except DeviceUnavailable:  # a busy machine does not start a process in that time
        found = device_jobs.run_all([hangs, dies, ends], seconds=60)
    assert [type(one) for one in found] == [KernelHangs, SessionCrashed, dict]


@pytest.mark.soak
def test_of_jobs_behind_one_that_damages_the_device_none_is_blamed_for_its_end(stand_in: Any) -> None:
    stand_in("hanging")
    damages = job("sparse-rows", cubin=writes_to_input("i64 0") + b"; damages\n")
    ends = job("sparse-rows", cubin=code("sparse-rows") + b"; ends\n")
    found = device_jobs.run_all([ends, damages, ends, ends])
    assert [type(one) for one in found] == [dict, WrongOutput, dict, dict]


def test_what_no_reading_repeats_has_no_time(stand_in: Any) -> None:
    stand_in("unsteady")
    for found in device_jobs.run_all([job("scan")] * 2):
        assert isinstance(found, UnsteadyDevice)
        assert found.reason == "infra:unsteady-machine"
    with pytest.raises(UnsteadyDevice):
        device_jobs.run(job("scan", reference=code("scan"), pairs=2))


def test_on_an_unsteady_device_an_episode_goes_on(stand_in: Any, tmp_path: Path) -> None:
    """Any other error than that a device is unavailable would end its session."""
    stand_in("unsteady_at_once")
    message = pb.Benchmark(uri="benchmark://x-v0/y", program=pb.File(contents=benchmark("scan").program()))
    session = KernelPassesSession(tmp_path, KernelPassesSession.action_spaces[0], message)
    with closing(session), pytest.raises(DeviceUnavailable, match="was unsteady"):
        session.timed()


def test_jobs_of_different_launches_are_not_done_together(stand_in: Any) -> None:
    stand_in()
    with pytest.raises(InvalidInput, match="different launches"):
        device_jobs.run_all([job("scan"), job("vector-add")])


def test_arrays_that_do_not_fit_are_told_with_their_size(stand_in: Any) -> None:
    stand_in("small")
    with pytest.raises(OutOfDeviceMemory, match=f"vector_add needs {3 * 4 * 1021} bytes"):
        device_jobs.run(job("vector-add"))


@pytest.mark.parametrize(
    ("kind", "error", "says"),
    [
        ("busy", DeviceBusy, "in use"),
        *slow([("other", DeviceUnavailable, r"compute capability is 8\.6.*H100")]),
        *slow([("real", DeviceUnavailable, "not an emulated device")]),
    ],
)
def test_a_device_that_cannot_be_had_says_why(
    stand_in: Any, kind: str, error: type[Exception], says: str
) -> None:
    stand_in(kind)
    with pytest.raises(error, match=says):
        device_jobs.run(job("vector-add"))


def test_a_kernel_without_a_reference_is_named(stand_in: Any) -> None:
    stand_in()
    with pytest.raises(ValueError, match="no reference for the kernel 'mine'"):
        device_jobs.run({**job("vector-add"), "kernel": "mine"})


@pytest.mark.soak
def test_a_job_samples_a_kernel_that_is_right(stand_in: Any, tmp_path: Path) -> None:
    """In the job's process, with a CUPTI of tests."""
    stand_in()
    environment = installed(tmp_path)

    def done(what: dict[str, Any]) -> dict[str, Any]:
        command = [sys.executable, "-m", "optarena.gpu_kernels.device_main"]
        said = subprocess.run(
            command, env=environment, input=json.dumps(what), capture_output=True, text=True, check=True
        )
        return dict(json.loads(said.stdout.splitlines()[-1]))

    sampled = done({**job("scan"), "sampled": True})["sampled"]
    assert sampled["reasons"] == {"long_scoreboard": 12, "barrier": 9}
    wrong = code("scan").replace(b"fadd", b"fsub")
    assert done({**job("scan", cubin=wrong), "sampled": True})["error"] == "WrongOutput"


def test_why_there_are_no_counters_keeps_its_class(stand_in: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in()
    monkeypatch.setattr(device_jobs, "problems_of_machine", list)  # the stand-in has no driver
    with pytest.raises(CountersUnavailable) as caught:
        device_jobs.counters(job("scan"))
    assert caught.value.reason == "no-device"


def test_a_process_that_dies_asking_the_driver_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    [problem] = device_jobs.problems_of_machine()
    assert problem.startswith("driver (the process that asks it ended with code 1")
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    [problem] = device_jobs.problems_of_machine()
    assert problem.startswith("driver (it does not answer: ")


def test_a_job_of_other_references_is_refused(stand_in: Any) -> None:
    stand_in()
    with pytest.raises(InfrastructureFault, match="other references") as caught:
        device_jobs.run({**job("scan"), "expected": "0" * 64})
    assert caught.value.reason == "infra:environment-changed"


def test_without_a_gpu_it_is_named_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(STAND_IN, raising=False)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    with pytest.raises(DeviceUnavailable, match=r"No CUDA device is usable on this machine\. Missing: "):
        device_jobs.run(job("vector-add"))
    with pytest.raises(CountersUnavailable) as caught:
        device_jobs.counters(job("vector-add"))
    assert caught.value.reason == "no-device"
    with pytest.raises(CountersUnavailable) as caught:
        device_jobs.hardware_counters(job("vector-add"))
    assert caught.value.reason == "no-device"


def test_a_confined_session_has_no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missing, "is_sandboxed", lambda: True)
    with pytest.raises(DeviceUnavailable, match="without sandbox=True"):
        device_jobs.run(job("vector-add"))
    with pytest.raises(CountersUnavailable) as caught:
        device_jobs.counters(job("vector-add"))
    assert caught.value.reason == "no-device"


def test_a_process_that_dies_is_a_crash(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    dying = tmp_path / "python"
    dying.write_text(f"#!{sys.executable}\nimport os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n")
    dying.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(dying))
    with pytest.raises(SessionCrashed, match="killed by signal 11"):
        device_jobs.run(job("vector-add"))


@pytest.mark.soak
def test_blocks_compare_with_nvcc_and_o3(stand_in: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The measurement of the board, with IR in the place of cubins and a case for a CPU."""
    stand_in()
    monkeypatch.setattr("optarena.gpu_kernels.programs.TIMED", "odd")
    levels = {"cubin": "O2", "nvcc_cubin": "O1", "reference_cubin": "O3"}
    given = {name: code("scan", f"default<{level}>") for name, level in levels.items()}
    env = SimpleNamespace(benchmark=benchmark("scan"), observe=given.__getitem__)
    prepared = json.loads(json.dumps(blocks.prepare_job(cast("LiveEnv", env))))  # it travels
    measured = blocks.measure_job(prepared, MeasurementPlan(blocks=3))
    assert set(measured.metrics) == {"runtime_seconds", "nvcc_seconds", "reference_seconds", "speedup"}
    assert all(value > 0 for value in measured.metrics.values())
    assert measured.details["emulated"] is True


FAULTS = b"; faults\n"
WRONG = code("vector-add").replace(b"fadd", b"fmul")


def test_behind_a_kernel_that_the_device_stops_a_new_process_goes_on(stand_in: Any) -> None:
    stand_in("faulting")
    faults = job("vector-add", cubin=code("vector-add") + FAULTS)
    stopped, ended = device_jobs.run_all([faults, job("vector-add")])
    assert isinstance(stopped, KernelCrashes)
    assert re.search(r"vector_add is stopped: .* illegal memory access", str(stopped))
    assert refutes(stopped.reason)
    assert isinstance(ended, dict)


@pytest.mark.parametrize("reference", [WRONG, *slow([code("vector-add") + FAULTS])], ids=["wrong", "faults"])
def test_nobody_is_blamed_for_the_code_at_o3(stand_in: Any, reference: bytes) -> None:
    stand_in("faulting")
    with pytest.raises(
        BrokenReference, match="The code to compare with: On the GPU, vector_add is"
    ) as caught:
        device_jobs.run(job("vector-add", reference=reference, pairs=2))
    assert caught.value.reason == "benchmark:broken"
    assert not refutes(caught.value.reason)


@pytest.mark.soak
def test_code_at_o3_that_hangs_is_not_the_agents(stand_in: Any) -> None:
    stand_in("hanging")
    ends = code("vector-add") + b"; ends\n"
    with pytest.raises(BrokenReference, match="The code to compare with: vector_add did not end within 12 s"):
        device_jobs.run(job("vector-add", cubin=ends, reference=code("vector-add"), pairs=2), seconds=12)


@pytest.mark.soak
def test_code_that_hangs_beside_o3_is_the_agents(stand_in: Any) -> None:
    stand_in("hanging")
    ends = code("vector-add") + b"; ends\n"
    with pytest.raises(KernelHangs):
        device_jobs.run(job("vector-add", cubin=code("vector-add"), reference=ends, pairs=2), seconds=20)


def test_a_device_that_others_use_is_not_a_kernel_that_hangs(stand_in: Any) -> None:
    stand_in()
    with (
        exclusive("emulated"),
        pytest.raises(DeviceUnavailable, match="vector_add was not launched on the GPU within 2 s"),
    ):
        device_jobs.run(job("vector-add"), seconds=2)


@pytest.mark.soak
def test_a_kernel_that_has_ended_is_not_blamed_for_what_follows(stand_in: Any) -> None:
    stand_in("slowly_compared")
    with pytest.raises(DeviceUnavailable, match="was not launched"):
        device_jobs.run(job("vector-add"), seconds=20)


def test_a_launch_that_the_reference_cannot_compute_is_named(stand_in: Any) -> None:
    stand_in()
    case = program("histogram").case("odd")
    wrong = tuple(replace(one, kind="f32") if one.kind == "i32" else one for one in case.arguments)
    what = device_jobs.job("histogram", replace(case, arguments=wrong), code("histogram"))
    with pytest.raises(InvalidInput, match="reference of histogram cannot compute this launch") as caught:
        device_jobs.run(what)
    assert "Traceback" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "kind"), [(700, KernelFaulted), (716, KernelFaulted), (2, DeviceFull), (3, DeviceFailed)]
)
def test_an_error_of_cuda_has_its_meaning_by_its_number(status: int, kind: type[Exception]) -> None:
    error = RuntimeError("CUDA says so")
    error.__dict__["status"] = status
    assert kind_of(error) is kind
    assert kind_of(MemoryError()) is DeviceFull
