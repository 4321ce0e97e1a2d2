"""Kernels on a real GPU: right and wrong ones, their times and counters, and what follows one that fails.

What no other machine can show; it is skipped where there is no GPU of compute capability 9.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from statistics import geometric_mean, median
from typing import Any

import pytest

import optarena
from optarena.gpu_kernels import device_jobs, engine, ptxas
from optarena.gpu_kernels.actions import LEVEL_ACTIONS
from optarena.gpu_kernels.device_jobs import (
    BrokenReference,
    KernelCrashes,
    KernelHangs,
    OutOfDeviceMemory,
    WrongOutput,
)
from optarena.gpu_kernels.features import occupancy
from optarena.loop_tool.cuda.backend import CudaBackend
from tests.kit.gpu import gpu
from tests.kit.gpu_kernels import NAMES, optimised, program
from tests.kit.loop_tool import cuda_nests as nests

pytestmark = [pytest.mark.usefixtures("gpu"), pytest.mark.timeout(300)]
__all__ = ["gpu"]

HANGS = "again:\n  store volatile float 0.0, ptr %2\n  br label %again\n"
ELSEWHERE = "  store float 0.0, ptr inttoptr (i64 64 to ptr)\n  ret void\n"
NOWHERE = "  ret void\n"
DRIVERS = r"""
import json
from cupy import RawKernel
from cupy.cuda import driver
body = "".join(f"  float a{i} = x[{i} * n];\n" for i in range(240))
total = " + ".join(f"a{i} * a{(7 * i + 3) % 240}" for i in range(240))
code = f'extern "C" __global__ void k(float *x, int n) {{\n{body}  __syncthreads();\n  x[0] = {total};\n}}'
for most in (24, 32, 40, 64, 72, 80, 96, 128, 168, 200, 255):
    kernel = RawKernel(code, "k", options=(f"--maxrregcount={most}",))
    kernel.max_dynamic_shared_size_bytes = 200 * 1024
    for shared in (0, 1000, 5000, 30_000, 100_000):
        for threads in range(32, 1025, 32):
            blocks = driver.occupancyMaxActiveBlocksPerMultiprocessor(kernel.kernel.ptr, threads, shared)
            print(json.dumps([threads, kernel.num_regs, shared, blocks * threads / 32 / 64]))
"""
"""Asks the driver for occupancies of many launches, in a process of its own."""


def cubin(module: engine.KernelModule, name: str) -> bytes:
    return ptxas.assemble(module.ptx(), program(name).kernel, 3).cubin


def written(body: str) -> bytes:
    ir = program("vector-add").ir
    start = ir.index("{\n", ir.index("define dso_local ptx_kernel")) + 2
    end = ir.index("\n}", start) + 1
    begun = "entry:\n" if body is not HANGS else "entry:\n  br label %again\n"
    return cubin(engine.KernelModule(ir[:start] + begun + body + ir[end:]), "vector-add")


def job(name: str, code: bytes | None = None, **more: Any) -> dict[str, Any]:
    given = cubin(optimised(name, "default<O3>"), name) if code is None else code
    return device_jobs.job(program(name).kernel, program(name).case("odd"), given, **more)


@pytest.mark.parametrize("name", NAMES)
def test_every_kernel_is_right_in_small_too(name: str) -> None:
    answer = device_jobs.run(job(name))
    assert answer["emulated"] is False
    assert answer["machine"]["compute_capability"].startswith("9.")
    for temperature in ("cold", "warm"):
        reading = answer[temperature]
        assert 0 < reading["fastest_seconds"] <= reading["median_seconds"] < 1
        assert reading["samples"] >= 2


def test_times_reward_and_counters_are_observed() -> None:
    with optarena.make("gpu-levels-v0", benchmark="gpu-kernels-v1/stencil", reward_space="runtime") as env:
        env.reset()
        given = env.observation["runtime"]
        reward = env.step(LEVEL_ACTIONS.names.index("-O2"))[1]
        best = env.observation["runtime"]
        assert 0 < best < given
        assert reward == pytest.approx(given - best, rel=0.2)
        timing = json.loads(env.observation["timing"])
        assert 0 < timing["copy"]["cold"] < timing["cold"]["median_seconds"] * 1.2
        counted = json.loads(env.observation["counters"])
        assert counted["samples"] > 1000
        assert counted["places"]
        counters = json.loads(env.observation["hardware_counters"])
        declared = program("stencil").case("timed")
        moved = counters["dram_read_bytes"] + counters["dram_written_bytes"]
        assert 0.9 < moved / declared.moved_bytes < 1.5
        assert 0 < counters["achieved_occupancy"] <= 1
        assert counters["seconds"] == pytest.approx(best, rel=0.5)


def test_wrong_output_is_found_and_what_follows_is_measured() -> None:
    ir = program("vector-add").ir.replace("fadd", "fsub")
    wrong = cubin(engine.KernelModule(ir), "vector-add")
    with pytest.raises(WrongOutput, match="elements of output 0 are wrong"):
        device_jobs.run(job("vector-add", wrong))
    with pytest.raises(WrongOutput):
        device_jobs.run(job("vector-add", written(NOWHERE)))
    first, second = device_jobs.run_all([job("vector-add", wrong), job("vector-add")])
    assert isinstance(first, WrongOutput)
    assert isinstance(second, dict)


def test_a_kernel_that_hangs_is_killed_and_the_device_goes_on() -> None:
    start = time.monotonic()
    with pytest.raises(KernelHangs):
        device_jobs.run(job("vector-add", written(HANGS)), seconds=15)
    assert time.monotonic() - start < 60
    assert device_jobs.run(job("vector-add"))["cold"]["median_seconds"] > 0


def test_nobody_is_blamed_for_a_reference_that_is_wrong_or_stopped() -> None:
    for broken in (NOWHERE, ELSEWHERE):
        with pytest.raises(BrokenReference, match="The code to compare with"):
            device_jobs.run(job("vector-add", reference=written(broken), pairs=2))


def test_a_kernel_that_writes_elsewhere_ends_its_own_process_alone() -> None:
    first, second = device_jobs.run_all([job("vector-add", written(ELSEWHERE)), job("vector-add")])
    assert isinstance(first, KernelCrashes)
    assert "illegal" in str(first).lower()
    assert isinstance(second, dict)


def test_arrays_larger_than_the_device_are_told_with_their_size() -> None:
    case = program("histogram").case("odd")
    huge = tuple(replace(one, count=2**38) if one.kind == "output" else one for one in case.arguments)
    what = device_jobs.job("histogram", replace(case, arguments=huge), b"")
    with pytest.raises(OutOfDeviceMemory, match=r"needs \d{13} bytes of the device"):
        device_jobs.run(what)


def test_occupancies_are_those_of_the_driver() -> None:
    done = subprocess.run([sys.executable, "-c", DRIVERS], capture_output=True, text=True, check=True)
    cases = [json.loads(line) for line in done.stdout.splitlines()]
    assert len({registers for _, registers, _, _ in cases}) > 5
    assert [[*case, occupancy(*case)] for *case, share in cases] == [[*case, share] for *case, share in cases]


def test_two_hundred_readings_in_turns_favour_nobody_and_none_is_far_off() -> None:
    code = cubin(optimised("stencil", "default<O3>"), "stencil")
    what = device_jobs.job("stencil", program("stencil").case("timed"), code, reference=code, pairs=100)
    answer = device_jobs.run(what)
    readings = [*answer["candidate"]["readings"], *answer["reference"]["readings"]]
    assert readings == pytest.approx([median(readings)] * 200, rel=0.03)
    assert geometric_mean(answer["pairs"]) == pytest.approx(1.0, rel=0.01)
    assert answer["state"]["clocks"]["sm_mhz"] > 100
    assert isinstance(answer["state"]["throttled"], bool)


def test_loop_tool_computes_on_it() -> None:
    with optarena.make("loop_tool-v0", benchmark="loop_tool-cuda-v0/1048576", reward_space="flops") as env:
        env.reset()
        assert env.observation["flops"] > 1  # GFLOP/s


@pytest.mark.parametrize("elements", [1, 31, 1000, 2**16, 2**17 + 3, 999_983, 2**22 + 1])
def test_random_nests_give_the_right_sum_on_it(elements: int) -> None:
    generator, backend = nests.seeded(7), CudaBackend(elements)
    with closing(backend):
        for _ in range(20):
            backend.check(nests.reachable(generator, elements))
