"""Schedules on the CPU: right to the bit, wrong code never timed, no thread left behind."""

from __future__ import annotations

import ctypes
import itertools
import json
import math
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optarena.errors import PlatformNotSupported
from optarena.isolation.limits import ProcessLimits
from optarena.loop_tool.backend import IncorrectOutput
from optarena.loop_tool.cpu import backend as backend_module
from optarena.loop_tool.cpu import compiling, lowering
from optarena.loop_tool.cpu.backend import Buffers, CpuBackend
from optarena.loop_tool.nest import Loop, Nest, Plan
from optarena.measuring import machine
from optarena.measuring.machine import exclusive
from optarena.service.client.zygote import Zygote
from optarena.service.protocol import frames
from tests.kit.examples import examples, slow
from tests.kit.loop_tool.nests import nests

FEW = settings(max_examples=examples(8))


def verified(nest: Nest, workers: int) -> int:
    """The number of threads that computed the nest's output, which is right."""
    backend = CpuBackend(nest.elements, workers=workers)
    try:
        return backend.verify(nest)
    finally:
        backend.close()


@given(nest=nests(depth=4), workers=st.integers(1, 4))
def test_random_nests_compute_the_addition(nest: Nest, workers: int) -> None:
    assert 1 <= verified(nest, workers) <= workers


@FEW
@given(nest=nests(most=2**20, depth=3), workers=st.integers(1, 4))
def test_larger_random_nests_compute_the_addition(nest: Nest, workers: int) -> None:
    assert 1 <= verified(nest, workers) <= workers


@pytest.mark.parametrize("threads", [0, 5, 7, *slow((1, 2, 3, 4, 6))])
@pytest.mark.parametrize(
    "sizes",
    [
        ((1, 0), (1, 0), (1, 0)),
        ((1024, 0), (1, 0), (1, 0)),
        ((16, 0), (8, 0), (8, 0)),
        ((2, 0), (512, 0), (3, 0)),
        ((39, 10), (2, 0), (13, 0)),
        ((1, 40), (3, 2), (13, 0)),
        ((3, 80), (81, 0), (1, 0)),
        ((2, 1), (1, 70), (71, 0)),
    ],
)
def test_every_choice_of_threads_computes_the_sum(sizes: tuple[tuple[int, int], ...], threads: int) -> None:
    loops = (Loop(size, tail, bool(threads >> index & 1)) for index, (size, tail) in enumerate(sizes))
    assert verified(Nest(tuple(loops)), 3)


@pytest.mark.parametrize(
    ("nest", "workers", "expected"),
    [
        (Nest((Loop(1000), Loop(1), Loop(1))), 4, 1),
        (Nest.initial(1000), 4, 4),
        (Nest((Loop(2, threaded=True), Loop(500))), 4, 2),
        (Nest((Loop(2, 1, threaded=True), Loop(500))), 4, 3),
        (Nest((Loop(5), Loop(2, threaded=True), Loop(3, threaded=True))), 8, 6),
        (Nest((Loop(1, threaded=True), Loop(500))), 4, 1),
    ],
)
def test_as_many_threads_work_as_share_iterations(nest: Nest, workers: int, expected: int) -> None:
    assert verified(nest, workers) == expected


def test_a_reading_says_what_was_measured() -> None:
    backend = CpuBackend(4096, workers=2, budget_seconds=0.01)
    reading = backend.read(Nest.initial(4096))
    assert (reading.elements, reading.threads, reading.temperature) == (4096, 2, "warm")
    assert len(reading.seconds) >= 1  # three but on a machine so busy that the time for them is over
    # A sample is a batch of a millisecond or more: no more flops were counted than were done in it.
    assert all(seconds * reading.calls >= 0.001 for seconds in reading.seconds)
    assert reading.calls & (reading.calls - 1) == 0
    assert reading.gflops == 4096 / reading.median_seconds / 1e9
    assert json.loads(json.dumps(reading.as_dict()))["samples"] == len(reading.seconds)
    backend.close()


def test_the_time_of_the_samples_is_about_the_budget_and_never_more_than_there_is_room_for() -> None:
    backend = CpuBackend(256, workers=1, budget_seconds=100.0)
    assert 1 <= len(backend.read(Nest.initial(256)).seconds) <= 100
    backend.close()


COUNTER = """
@counter = global i64 0
define i64 @count() {
  %n = load i64, ptr @counter
  ret i64 %n
}
"""
COUNTING = """entry:
  %n = load i64, ptr @counter
  %m = add i64 %n, 1
  store i64 %m, ptr @counter
"""


def test_every_call_is_made() -> None:
    counted = compiling.compile_ir(lowering.reference(64).replace("entry:\n", COUNTING) + COUNTER)
    count = ctypes.CFUNCTYPE(ctypes.c_int64)(counted.address("count"))
    backend = CpuBackend(64, budget_seconds=0.0, compile_plan=lambda _: counted)
    undisturbed = False
    for _ in range(10):
        before = count()
        reading = backend.read(Nest((Loop(64),)))
        batches = count() - before - 1 - len(reading.seconds) * reading.calls  # one call was the check
        # Batches of 1, 2, 4 and so on until one is long enough, which is the warm-up.
        assert batches >= 2 * reading.calls - 1
        # On a busy machine a batch may be too short after one that was not, and all begins anew.
        undisturbed = undisturbed or batches % reading.calls == reading.calls - 1
    assert undisturbed
    backend.close()


CLOCK = "declare i64 @clock()\n"
SPIN = """%start = call i64 @clock()
  br label %spin
spin:
  %now = call i64 @clock()
  %used = sub i64 %now, %start
  %is_early = icmp slt i64 %used, MICROSECONDS
  br i1 %is_early, label %spin, label %end
end:
  ret void"""


def spin(microseconds: int) -> str:
    """The end of a function that uses as much CPU time before."""
    return SPIN.replace("MICROSECONDS", str(microseconds))


def test_a_slow_call_is_both_checked_and_the_sample() -> None:
    slow = lowering.reference(64).replace("entry:\n", COUNTING).replace("ret void", spin(260_000))
    counted = compiling.compile_ir(slow + COUNTER + CLOCK)
    count = ctypes.CFUNCTYPE(ctypes.c_int64)(counted.address("count"))
    backend = CpuBackend(64, compile_plan=lambda _: counted)
    reading = backend.read(Nest((Loop(64),)))
    assert (count(), reading.calls, len(reading.seconds)) == (1, 1, 1)
    assert reading.median_seconds >= 0.25
    backend.close()


def test_the_first_reading_of_a_process_is_of_whole_batches() -> None:
    """Also if it compiles for long, and has to wait for the native driver."""
    first = (
        "import time\n"
        "from optarena.loop_tool.cpu import backend, compiling\n"
        "from optarena.loop_tool.nest import Loop, Nest\n"
        "def slow(plan): time.sleep(0.3); return compiling.compile_nest(plan)\n"
        "print(backend.CpuBackend(1024, compile_plan=slow).read(Nest((Loop(1024),))).calls)"
    )
    done = subprocess.run([sys.executable, "-c", first], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 100  # a call takes less than a microsecond, and a batch a millisecond


@pytest.mark.parametrize("workers", [1, 2])
def test_no_thread_counts_more_time_than_it_had_its_core(workers: int) -> None:
    backend = CpuBackend(4096, workers=workers)
    nest = Nest.initial(4096) if workers > 1 else Nest((Loop(4096),))
    backend.verify(nest)  # compiles it
    cpus = machine.cores_first(os.sched_getaffinity(0), machine.cores())
    endless = "import os; os.sched_setaffinity(0, {int(input())})\nwhile True: pass"
    others = [
        subprocess.Popen([sys.executable, "-c", endless], stdin=subprocess.PIPE, text=True)
        for _ in range(2 * workers)
    ]
    try:
        for other, cpu in zip(others, itertools.cycle(cpus[:workers])):
            other.stdin.write(f"{cpu}\n")
            other.stdin.flush()
        used = time.process_time()
        reading = backend.read(nest)
        used = time.process_time() - used
    finally:
        for other in others:
            other.kill()
            other.wait()
        backend.close()
    # Each sample is the CPU time of one thread; the time on the clock is longer than that of all together.
    assert sum(reading.seconds) * reading.calls < used


def test_time_that_the_opening_took_is_not_missing_for_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(elements: int) -> Buffers:
        time.sleep(1.1)
        return Buffers(elements)

    monkeypatch.setattr("optarena.loop_tool.cpu.backend.Buffers", slow)
    monkeypatch.setattr("optarena.loop_tool.cpu.backend._WHOLE_SECONDS", 1.0)
    native = compiling.compile_ir(lowering.reference(64).replace("ret void", spin(15_000)) + CLOCK)

    def samples() -> int:
        backend = CpuBackend(64, compile_plan=lambda _: native)
        return len(backend.read(Nest((Loop(64),))).seconds)

    assert any(samples() > 1 for _ in range(10))  # the first, but on a busy machine


def corrupt(change: Callable[[str], str]) -> Callable[[Plan], compiling.Native]:
    def compile_plan(plan: Plan) -> compiling.Native:
        text = lowering.lower(plan, compiling.host().width)
        assert change(text) != text
        return compiling.compile_ir(change(text))

    return compile_plan


NESTS = {"threaded": Nest.initial(300), "serial": Nest((Loop(300),))}


@pytest.mark.parametrize(
    ("nest", "old", "new", "words"),
    [
        ("threaded", "fadd", "fsub", "for element 0 of 300"),
        ("threaded", r"store float .*", "", "computed nan instead of"),
        ("threaded", "icmp ult i64 %lo, %hi", "icmp ult i64 %hi, %lo", "for element 0 of 300"),
        ("threaded", "phi i64 .%lo,", "phi i64 [1,", "for element 0 of 300"),
        ("serial", ", 300", ", 299", "for element 299 of 300"),
        ("serial", ", 300", ", 301", "wrote outside its 300 elements"),
    ],
)
def test_wrong_code_is_found_out_before_it_is_timed(nest: str, old: str, new: str, words: str) -> None:
    change = corrupt(lambda text: re.sub(old, new, text))
    backend = CpuBackend(300, workers=1, compile_plan=change)
    with pytest.raises(IncorrectOutput, match=words):
        backend.read(NESTS[nest])
    backend.close()


def test_a_result_that_lacks_one_thread_s_part_is_wrong() -> None:
    change = corrupt(lambda text: text.replace("icmp ult i64 %lo, %hi", "icmp eq i64 %lo, 0"))
    backend = CpuBackend(300, workers=3, compile_plan=change)
    with pytest.raises(IncorrectOutput, match="computed nan instead of"):
        backend.read(Nest.initial(300))
    backend.close()


def test_a_schedule_is_compiled_once() -> None:
    backend = CpuBackend(1000, workers=1, budget_seconds=0.0)
    first, second = Nest.initial(1000), Nest((Loop(500), Loop(2), Loop(1)))
    for nest in (first, second, first, first, second):
        backend.verify(nest)
    assert (backend.cache.misses, backend.cache.hits) == (2, 3)
    backend.close()


def test_the_oldest_code_makes_room() -> None:
    cache = compiling.CompileCache(size=2)
    plans = [Plan.of(Nest.initial(size)) for size in (10, 11, 12)]
    for plan in (plans[0], plans[1], plans[0], plans[2], plans[0], plans[1]):
        cache.native(plan)
    assert (cache.misses, cache.hits) == (4, 2)
    cache.close()


def test_a_nest_of_another_size_is_refused() -> None:
    backend = CpuBackend(10)
    with pytest.raises(ValueError, match="covers 11 elements, and the buffers have 10"):
        backend.read(Nest.initial(11))
    backend.close()


def test_nothing_is_compiled_or_measured_after_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = CpuBackend(10)
    compiled: list[str] = []
    compile_ir = compiling.compile_ir

    def noting(text: str, *, optimise: bool = False) -> compiling.Native:
        compiled.append(text)
        return compile_ir(text, optimise=optimise)

    monkeypatch.setattr(compiling, "compile_ir", noting)
    backend.close()
    backend.close()
    with pytest.raises(ValueError, match="This backend is closed"):
        backend.read(Nest.initial(10))
    with pytest.raises(ValueError, match="This backend is closed"):
        backend.verify(Nest.initial(10))
    with pytest.raises(ValueError, match="This backend is closed"):
        backend.reference()
    assert compiled == []


def test_the_reference_is_a_loop_of_one_thread() -> None:
    backend = CpuBackend(5003, budget_seconds=0.0)
    for _ in range(2):
        reading = backend.reference()
    assert (reading.elements, reading.threads) == (5003, 1)
    assert math.isfinite(reading.gflops)
    backend.close()


def test_the_machine_is_described() -> None:
    backend = CpuBackend(1)
    facts: dict[str, Any] = json.loads(json.dumps(backend.machine()))
    assert facts["cpus"] == len(os.sched_getaffinity(0))
    assert facts["cores"] is None or 1 <= facts["cores"] <= facts["cpus"]
    assert 1 <= facts["workers"] <= facts["cpus"]
    assert facts["vector_elements"] == compiling.host().width
    assert facts["llvm"] == compiling.llvm_version()
    assert facts["device"]
    assert len(facts["load_average"]) == 3
    backend.close()


def test_the_last_reading_is_described() -> None:
    backend = CpuBackend(1000, workers=2, budget_seconds=0.0)
    told = ("exclusive", "pinned", "cpu_share")
    assert [backend.machine()[name] for name in told] == [None, None, None]
    backend.read(Nest.initial(1000))
    exclusive, pinned, share = (backend.machine()[name] for name in told)
    assert exclusive is True
    assert isinstance(pinned, bool)
    assert 0 < share <= 1
    backend.close()


READ = """
import sys
from optarena.loop_tool.cpu.backend import CpuBackend
from optarena.loop_tool.nest import Nest
backend = CpuBackend(1000, workers=1, budget_seconds=0.0)
print("ready", flush=True)
sys.stdin.readline()
getattr(backend, sys.argv[1])(*[Nest.initial(1000)][: int(sys.argv[2])])
print("done", flush=True)
"""


@pytest.mark.parametrize(
    ("method", "arguments"),
    [("read", 1), *slow((("verify", 1), ("reference", 0)))],
)
def test_others_wait_while_one_measures(method: str, arguments: int) -> None:
    command = [sys.executable, "-c", READ, method, str(arguments)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin
        assert other.stdout
        assert other.stdout.readline() == "ready\n"
        with exclusive("cpu"):
            backend = CpuBackend(1000, workers=1, budget_seconds=0.0)
            other.stdin.write("\n")
            other.stdin.flush()
            assert not select.select([other.stdout], [], [], 0.3)[0]
            backend.read(Nest.initial(1000))  # who holds the machine may measure
            backend.close()
        assert other.stdout.readline() == "done\n"


def test_a_reading_that_nobody_uses_waits_for_none() -> None:
    backend = CpuBackend(10, alone=False, budget_seconds=0.0)
    backend.reference()
    assert backend.machine()["exclusive"] is False
    backend.close()


SOURCE = Path(compiling.__file__).parent / "native/driver.c"
STRUCTURES = (compiling.Shared, compiling.Task, compiling.Team)


def test_the_structures_in_c_are_those_in_python(clang: Path) -> None:
    lines = [f'#include "{SOURCE}"']
    for kind in STRUCTURES:
        names = [name for name, *_ in kind._fields_ if not name.startswith("_")]
        numbers = {
            f"__builtin_offsetof({kind.__name__}, {name})": getattr(kind, name).offset for name in names
        }
        numbers[f"sizeof({kind.__name__})"] = ctypes.sizeof(kind)
        lines += [f'_Static_assert({text} == {number}, "");' for text, number in numbers.items()]
    command = [str(clang), "--target=x86_64-unknown-linux-gnu", "-fsyntax-only", "-x", "c", "-"]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("architecture", "hint"), [("x86_64", "pause"), ("aarch64", "yield"), ("other", "")])
def test_the_wait_at_the_barrier_has_the_architectures_instruction(architecture: str, hint: str) -> None:
    found = re.findall(r'asm sideeffect "(.*?)"', compiling.driver(architecture))
    assert set(found) == {hint}


@pytest.mark.parametrize("architecture", ["x86_64", "aarch64", "powerpc64le", "riscv64", "s390x"])
def test_code_can_be_generated_for_every_architecture(
    architecture: str, capfd: pytest.CaptureFixture[str]
) -> None:
    # Without the instruction, which the assembler of each architecture would have to read.
    text = compiling.driver("other")
    assert "target-" not in text  # LLVM ends the process where features are not those of the architecture
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(f"{architecture}-unknown-linux-gnu").create_target_machine(jit=True)
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    module.verify()
    assert machine.emit_object(module)
    assert capfd.readouterr().err == ""  # LLVM complains there of a processor that it does not know


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
until = time.monotonic() + 0.7
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
