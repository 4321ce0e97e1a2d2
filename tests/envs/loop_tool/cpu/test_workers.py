"""Threads: all of them work, none is left behind, and where there can be none that is said."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from optarena.errors import PlatformNotSupported
from optarena.isolation.limits import ProcessLimits
from optarena.loop_tool.cpu import backend as backend_module
from optarena.loop_tool.cpu import compiling
from optarena.loop_tool.cpu.backend import CpuBackend
from optarena.loop_tool.nest import Nest
from optarena.service.client.zygote import Zygote
from optarena.service.protocol import frames

CPUS = tuple(sorted(os.sched_getaffinity(0)))


def test_every_worker_runs_on_its_cpu_and_leaves_no_trace() -> None:
    code = compiling.compile_ir(NOTE)
    noted = (ctypes.c_int64 * 5)(*[-1] * 5)
    shared = backend_module.new_shared()
    shared.workers, shared.times = 5, ctypes.addressof(noted)
    backend_module.run_together(code.address("note"), shared, CPUS)
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
        shared = backend_module.new_shared()
        shared.workers, shared.times = count, ctypes.addressof(noted)
        backend_module.run_together(code.address("note"), shared, cpus)
        assert shared.unpinned == expected
    assert -1 not in noted[:count]
    assert tuple(sorted(os.sched_getaffinity(0))) == CPUS
    code.close()


INTERRUPTS = """
import json, os, random, signal, time
from optarena.loop_tool.cpu.backend import CpuBackend
from optarena.loop_tool.nest import Nest

def state():
    cpus, blocked = os.sched_getaffinity(0), signal.pthread_sigmask(signal.SIG_BLOCK, [])
    return [sorted(cpus), sorted(blocked), len(os.listdir("/proc/self/task"))]

def interrupt(number, frame):
    raise KeyboardInterrupt

nest = Nest.initial(1 << 16)
backend = CpuBackend(nest.elements, workers=3, budget_seconds=0.01, alone=False)
backend.read(nest)
before, ends = state(), [0, 0]
signal.signal(signal.SIGALRM, interrupt)
until = time.monotonic() + 4
while time.monotonic() < until:
    try:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(0.0001, 0.04))
        backend.read(nest)
        signal.setitimer(signal.ITIMER_REAL, 0)
        ends[0] += 1
    except KeyboardInterrupt:
        ends[1] += 1
print(json.dumps([before, state(), ends, backend.read(nest).threads]))
"""


def test_interrupts_at_any_moment_leave_no_thread_and_no_pinning_behind() -> None:
    """The threads of numpy's libraries, where there are some, take the signals while this one is busy."""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTS],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env=environment,
    )
    before, after, (_, interrupted), threads = json.loads(done.stdout)
    assert before[:2] == [list(CPUS), []]
    assert after == before
    assert interrupted > 0
    assert threads == 3


def test_readings_with_more_workers_than_cpus_come_to_an_end() -> None:
    backend = CpuBackend(4096, workers=2 * len(CPUS) + 1, budget_seconds=0.0)
    reading = backend.read(Nest.initial(4096))
    assert reading.threads == 2 * len(CPUS) + 1
    backend.close()


NO_THREADS = """
import os, resource
from optarena.errors import DeviceUnavailable
from optarena.loop_tool.cpu.backend import CpuBackend
from optarena.loop_tool.nest import Loop, Nest
backend = CpuBackend(1000, workers=4000, budget_seconds=0.0)
cpus, threads = sorted(os.sched_getaffinity(0)), len(os.listdir("/proc/self/task"))
size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
# Half of what the stacks of 1000 threads need, and plenty for all else.
resource.setrlimit(resource.RLIMIT_AS, (size + (1 << 27), -1))
try:
    backend.read(Nest((Loop(1000, threaded=True),)))
except DeviceUnavailable as error:
    print(error)
print(sorted(os.sched_getaffinity(0)) == cpus, len(os.listdir("/proc/self/task")) == threads)
print(backend.read(Nest((Loop(1000),))).threads)
"""


def test_when_threads_run_out_those_that_started_end_and_the_error_says_so() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NO_THREADS], capture_output=True, text=True, timeout=60, check=True
    )
    error, left, threads = done.stdout.splitlines()
    assert error.startswith("Thread ")
    assert "of 1000 for the threaded loops cannot be started here" in error
    assert left == "True True"
    assert threads == "1"


def said_by(entry: str, payload: Any = None, *, confined: bool) -> Any:
    limits = ProcessLimits(memory_bytes=1 << 31, cpu_seconds_per_call=20)
    zygote = Zygote.shared("cpu_session:CpuSession")
    with zygote.spawn(
        f"cpu_session:{entry}", limits=limits, sandbox=confined, payload=json.dumps(payload).encode()
    ) as worker:
        said = frames.receive(worker.channel, time.monotonic() + 60)
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
    assert "A confined session may not start threads" in together["message"]
    assert said["machine"]["pinned"] is False
    assert said["machine"]["exclusive"] is False
    assert said["machine"]["llvm"]


def test_other_systems_are_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    compiling.host.cache_clear()
    monkeypatch.setattr(sys, "platform", "darwin")
    try:
        with pytest.raises(PlatformNotSupported, match="only under Linux"):
            CpuBackend(10)
    finally:
        monkeypatch.undo()
        compiling.host.cache_clear()


NOTE = f"""
declare i32 @sched_getcpu()
define void @note(ptr %shared, i64 %worker) {{
  %times.at = getelementptr i8, ptr %shared, i64 {compiling.Shared.times.offset}
  %times = load ptr, ptr %times.at
  %at = getelementptr i64, ptr %times, i64 %worker
  %cpu = call i32 @sched_getcpu()
  %wide = sext i32 %cpu to i64
  store i64 %wide, ptr %at
  ret void
}}
"""
