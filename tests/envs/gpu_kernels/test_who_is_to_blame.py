"""Jobs for a GPU that fail: the agent's code, the code at -O3, the launch, or the machine is to blame."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from optarena.cuda.missing import DeviceFailed, DeviceFull, KernelFaulted, kind_of
from optarena.errors import DeviceBusy, DeviceUnavailable, InvalidInput
from optarena.gpu_kernels import device_jobs
from optarena.gpu_kernels.device_jobs import BrokenReference, KernelCrashes, KernelHangs
from optarena.measuring.machine import exclusive
from optarena.specs.results import refutes
from tests.kit.gpu_jobs import code, job, stand_in
from tests.kit.gpu_kernels import program

__all__ = ["stand_in"]

FAULTS = b"; faults\n"
WRONG = code("vector-add").replace(b"fadd", b"fmul")


def test_a_kernel_that_the_device_stops_is_wrong(stand_in: Any) -> None:
    stand_in("faulting")
    with pytest.raises(KernelCrashes, match=r"vector_add is stopped: .* illegal memory access") as caught:
        device_jobs.run(job("vector-add", cubin=code("vector-add") + FAULTS))
    assert refutes(caught.value.reason)


def test_behind_a_kernel_that_the_device_stops_a_new_process_goes_on(stand_in: Any) -> None:
    stand_in("faulting")
    faults = job("vector-add", cubin=code("vector-add") + FAULTS)
    found = device_jobs.run_all([job("vector-add"), faults, job("vector-add")])
    assert [type(one) for one in found] == [dict, KernelCrashes, dict]


@pytest.mark.parametrize("reference", [WRONG, code("vector-add") + FAULTS], ids=["wrong", "faults"])
def test_nobody_is_blamed_for_the_code_at_o3(stand_in: Any, reference: bytes) -> None:
    stand_in("faulting")
    with pytest.raises(BrokenReference, match="At -O3: On the GPU, vector_add is") as caught:
        device_jobs.run(job("vector-add", reference=reference, pairs=2))
    assert caught.value.reason == "benchmark:broken"
    assert not refutes(caught.value.reason)


def test_code_at_o3_that_hangs_is_not_the_agents(stand_in: Any) -> None:
    stand_in("hanging")
    ends = code("vector-add") + b"; ends\n"
    with pytest.raises(BrokenReference, match="At -O3, vector_add did not end within 20 s"):
        device_jobs.run(job("vector-add", cubin=ends, reference=code("vector-add"), pairs=2), seconds=20)
    with pytest.raises(KernelHangs):
        device_jobs.run(job("vector-add", cubin=code("vector-add"), reference=ends, pairs=2), seconds=20)


def test_a_device_that_others_use_is_not_a_kernel_that_hangs(stand_in: Any) -> None:
    stand_in()
    with (
        exclusive("emulated"),
        pytest.raises(DeviceUnavailable, match="vector_add was not launched on the GPU within 5 s"),
    ):
        device_jobs.run(job("vector-add"), seconds=5)


def test_jobs_for_a_device_that_others_use_are_not_wrong(stand_in: Any) -> None:
    stand_in()
    with exclusive("emulated"), pytest.raises(DeviceUnavailable, match="was not launched"):
        device_jobs.run_all([job("vector-add"), job("vector-add")], seconds=5)


def test_a_device_that_others_keep_is_busy(stand_in: Any) -> None:
    stand_in("busy")
    with pytest.raises(DeviceBusy, match="in use"):
        device_jobs.run(job("vector-add"))


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
