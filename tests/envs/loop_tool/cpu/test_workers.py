"""Threads: all of them work, none is left behind, and where there can be none that is said."""

from __future__ import annotations

import ctypes
import json
import os
import platform
import signal
import subprocess
import sys
import time
from functools import cache
from typing import Any

import pytest

from optarena.errors import PlatformNotSupported
from optarena.isolation.limits import ProcessLimits
from optarena.loop_tool.cpu import compiling, driver, workers
from optarena.loop_tool.cpu.backend import CpuBackend
from optarena.loop_tool.nest import Nest
from optarena.service import wire
from optarena.service.zygote import Zygote

CPUS = tuple(sorted(os.sched_getaffinity(0)))


def test_every_worker_runs_on_its_cpu_and_leaves_no_trace() -> None:
    code = compiling.compile_ir(NOTE)
    noted = (ctypes.c_int64 * 5)(*[-1] * 5)
    shared = workers.new_shared()
    shared.workers, shared.times = 5, ctypes.addressof(noted)
    workers.run_together(code.address("note"), shared, CPUS)
    assert list(noted) == [CPUS[worker % len(CPUS)] for worker in range(5)]
    assert ctypes.addressof(shared) % 64 == 0
    assert tuple(sorted(os.sched_getaffinity(0))) == CPUS
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == set()
    code.close()


@pytest.mark.parametrize("count", [1, 4])
def test_workers_that_may_not_stay_on_their_cpu_are_counted(count: int) -> None:
    code = compiling.compile_ir(NOTE)
    noted = (ctypes.c_int64 * 4)(*[-1] * 4)
    missing = max(CPUS) + 1024
    for cpus, expected in ((CPUS[:1], 0), ((CPUS[0], missing), count // 2), ((missing,), count)):
        shared = workers.new_shared()
        shared.workers, shared.times = count, ctypes.addressof(noted)
        workers.run_together(code.address("note"), shared, cpus)
        assert shared.unpinned == expected
    assert -1 not in noted[:count]
    assert tuple(sorted(os.sched_getaffinity(0))) == CPUS
    code.close()


def test_workers_that_wait_at_the_barrier_give_up_when_one_cannot_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The calling thread is the one, since it is interrupted before it gets there."""

    class Interrupted:
        def __init__(self, address: int) -> None:
            time.sleep(0.05)  # the others are waiting by now
            raise KeyboardInterrupt

    monkeypatch.setattr(compiling, "Entry", Interrupted)
    shared = workers.new_shared()
    shared.workers = 3
    with pytest.raises(KeyboardInterrupt):
        workers.run_together(waiting().address("wait"), shared, CPUS)
    assert tuple(sorted(os.sched_getaffinity(0))) == CPUS


@cache
def waiting() -> compiling.Native:
    return compiling.compile_ir(driver.driver(platform.machine()) + WAIT)


def test_readings_with_more_workers_than_cpus_come_to_an_end() -> None:
    backend = CpuBackend(4096, workers=2 * len(CPUS) + 1, budget_seconds=0.0)
    reading = backend.read(Nest.initial(4096))
    assert reading.threads == 2 * len(CPUS) + 1
    backend.close()


NO_THREADS = """
import json, resource, sys
from optarena.errors import DeviceUnavailable
from optarena.loop_tool.cpu.backend import CpuBackend
from optarena.loop_tool.nest import Loop, Nest
backend = CpuBackend(1000, workers=4000, budget_seconds=0.0)
size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
# Half of what the stacks of 1000 threads need, and plenty for all else.
resource.setrlimit(resource.RLIMIT_AS, (size + (1 << 27), -1))
try:
    backend.read(Nest((Loop(1000, threaded=True),)))
except DeviceUnavailable as error:
    print(error)
print(backend.read(Nest((Loop(1000),))).threads)
"""


def test_when_threads_run_out_those_that_started_end_and_the_error_says_so() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NO_THREADS], capture_output=True, text=True, timeout=60, check=True
    )
    error, threads = done.stdout.splitlines()
    assert error.startswith("Thread ")
    assert "of 1000 for the threaded loops cannot be started here" in error
    assert threads == "1"


def said_by(entry: str, payload: Any = None, *, confined: bool) -> Any:
    limits = ProcessLimits(memory_bytes=1 << 31, cpu_seconds_per_call=20)
    zygote = Zygote.shared("cpu_session:CpuSession")
    with zygote.spawn(
        f"cpu_session:{entry}", limits=limits, sandbox=confined, payload=json.dumps(payload).encode()
    ) as worker:
        said = wire.receive(worker.channel, time.monotonic() + 60)
        assert said is not None, worker.stderr_tail()
        return json.loads(said)


def test_preloading_starts_no_thread_and_leaves_no_setting_behind() -> None:
    assert said_by("count_threads", confined=False) == [1, False]


SERIAL, THREADED = [[300], [3]], [[300, 0, True], [3]]


def test_a_process_forked_after_preloading_measures_with_threads() -> None:
    said = said_by("measure", [SERIAL, THREADED], confined=False)
    assert [reading["threads"] for reading in said["readings"]] == [1, 2]
    assert said["machine"]["pinned"] is True
    assert said["machine"]["exclusive"] is True
    assert said["threads afterwards"] == 1


def test_a_confined_process_measures_with_one_thread_and_says_that_it_may_start_none() -> None:
    said = said_by("measure", [THREADED, SERIAL], confined=True)
    together, alone = said["readings"]
    assert alone["threads"] == 1
    assert together["error"] == "DeviceUnavailable"
    assert "A confined session may start none" in together["message"]
    assert said["machine"]["pinned"] is False
    assert said["machine"]["exclusive"] is False
    assert said["machine"]["llvm"]


def test_other_systems_are_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    compiling.host.cache_clear()
    monkeypatch.setattr(sys, "platform", "darwin")
    try:
        with pytest.raises(PlatformNotSupported, match="under Linux only"):
            CpuBackend(10)
    finally:
        monkeypatch.undo()
        compiling.host.cache_clear()


WAIT = """
define void @wait(ptr %shared, i64 %worker) {
  %met = call i1 @meet(ptr %shared)
  ret void
}
"""
NOTE = f"""
declare i32 @sched_getcpu()
define void @note(ptr %shared, i64 %worker) {{
  %times.at = getelementptr i8, ptr %shared, i64 {driver.Shared.times.offset}
  %times = load ptr, ptr %times.at
  %at = getelementptr i64, ptr %times, i64 %worker
  %cpu = call i32 @sched_getcpu()
  %wide = sext i32 %cpu to i64
  store i64 %wide, ptr %at
  ret void
}}
"""
