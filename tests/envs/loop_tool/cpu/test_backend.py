"""Whatever the schedule, the output is right to the bit; wrong code is found out before it is timed."""

from __future__ import annotations

import ctypes
import itertools
import json
import math
import os
import re
import select
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optarena.loop_tool.backend import IncorrectOutput
from optarena.loop_tool.cpu import compiling, lowering
from optarena.loop_tool.cpu.backend import Buffers, CpuBackend
from optarena.loop_tool.nest import Loop, Nest, Plan
from optarena.measuring import machine
from optarena.measuring.machine import exclusive
from tests.kit.examples import examples
from tests.kit.loop_tool.nests import nests

if TYPE_CHECKING:
    from collections.abc import Callable

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


@pytest.mark.parametrize("threads", range(8))
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
def test_every_combination_of_threads_computes_the_addition(
    sizes: tuple[tuple[int, int], ...], threads: int
) -> None:
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
def test_as_many_threads_work_as_there_are_iterations_to_share(
    nest: Nest, workers: int, expected: int
) -> None:
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
    for _ in range(50):
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
            assert other.stdin is not None
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
        time.sleep(0.25)
        return Buffers(elements)

    monkeypatch.setattr("optarena.loop_tool.cpu.backend.Buffers", slow)
    native = compiling.compile_ir(lowering.reference(64).replace("ret void", spin(15_000)) + CLOCK)

    def samples() -> int:
        backend = CpuBackend(64, compile_plan=lambda _: native)
        return len(backend.read(Nest((Loop(64),))).seconds)

    assert any(samples() > 1 for _ in range(5))  # each, but on a busy machine


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


@pytest.mark.parametrize(("method", "arguments"), [("read", 1), ("verify", 1), ("reference", 0)])
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
