"""Timing programs: what a reading is, that every timed run is checked, and what programs may not do."""

from __future__ import annotations

import itertools
import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import optarena
from optarena.datasets import Benchmark, datasets
from optarena.errors import InfrastructureFault, InvalidInput, ProgramFailed
from optarena.llvm.execution import optimise, run_program
from optarena.llvm.timing import measure_program, read
from optarena.machine_code import timing
from optarena.measuring.machine import reserved_core
from optarena.replay import replay
from optarena.specs import environment_spec
from optarena.specs.benchmark import Workload
from optarena.specs.results import MeasurementPlan
from tests.kit.programs import returning as program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUDOKU = "benchmark://kernels-runtime-v0/sudoku"
SPIN = """
entry:
  br label %loop
loop:
  %n = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %n, 1
  %held = call i64 asm sideeffect "", "=r,0"(i64 %next)
  %more = icmp ult i64 %held, 40000000
  br i1 %more, label %loop, label %done
done:
  ret i32 0
"""


@pytest.fixture
def cpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[int]:
    monkeypatch.setenv("OPTARENA_LOCKS", str(tmp_path))
    with reserved_core(seconds=10.0) as found:
        yield found


def benchmark_of(code: bytes, *, stdout: bytes = b"") -> Benchmark:
    workload = Workload(name="all", args=(), stdin=b"", expected_stdout=stdout, exit_code=0)
    return replace(Benchmark.from_bytes("benchmark://mine-v0/one", code), workloads=(workload,))


def test_a_reading_is_the_cpu_time_of_the_run_alone(cpu: int) -> None:
    ended = run_program(program(SPIN), cpu=cpu)
    assert ended.run_cpu_seconds is not None
    assert ended.cpu_seconds is not None
    assert 0.005 < ended.run_cpu_seconds < ended.cpu_seconds
    sleeping = program("  %r = call i32 @usleep(i32 100000)\n  ret i32 0", "declare i32 @usleep(i32)")
    reading = read(sleeping, benchmark_of(sleeping), cpu=cpu, sandbox=True)
    assert reading.wall_seconds >= 0.1
    assert reading.cpu_seconds < 0.05


def test_a_program_stays_on_its_processor(cpu: int) -> None:
    move = program(
        "  store i64 -1, ptr @mask\n"
        "  %set = call i32 @sched_setaffinity(i32 0, i64 8, ptr @mask)\n"
        "  %got = call i32 @sched_getaffinity(i32 0, i64 8, ptr @mask)\n"
        "  %now = load i64, ptr @mask\n"
        "  %few = call i64 @llvm.ctpop.i64(i64 %now)\n"
        "  %code = trunc i64 %few to i32\n"
        "  %refused = shl i32 %set, 4\n"
        "  %both = sub i32 %code, %refused\n"
        "  ret i32 %both",
        "@mask = internal global i64 0\n"
        "declare i32 @sched_setaffinity(i32, i64, ptr)\n"
        "declare i32 @sched_getaffinity(i32, i64, ptr)\n"
        "declare i64 @llvm.ctpop.i64(i64)",
    )
    assert run_program(move, cpu=cpu).exit_code == 1 + 16  # one processor, and the call was refused


@pytest.mark.parametrize(
    ("body", "declared"),
    [
        ("%r = call i32 @nice(i32 -5)", "declare i32 @nice(i32)"),
        ("%r = call i32 @setpriority(i32 0, i32 0, i32 -5)", "declare i32 @setpriority(i32, i32, i32)"),
    ],
)
def test_a_program_cannot_change_its_priority(cpu: int, body: str, declared: str) -> None:
    ended = run_program(program(f"  {body}\n  %code = sub i32 0, %r\n  ret i32 %code", declared), cpu=cpu)
    assert ended.exit_code == 1


def test_every_timed_run_is_checked(cpu: int) -> None:
    with pytest.raises(ProgramFailed, match="printed") as caught:
        read(program("  ret i32 0"), benchmark_of(program("  ret i32 0"), stdout=b"x"), cpu=cpu, sandbox=True)
    assert caught.value.reason == "semantics:output-differs"


def test_a_program_cannot_tell_a_timed_run_from_the_first_one(cpu: int) -> None:
    count = program(
        "  %before = load i32, ptr @runs\n"
        "  %now = add i32 %before, 1\n"
        "  store i32 %now, ptr @runs\n"
        "  ret i32 %now",
        "@runs = internal global i32 0",
    )
    benchmark = benchmark_of(count)
    first = replace(benchmark.workloads[0], exit_code=1)
    runs = replace(benchmark, workloads=(first, replace(first, name="again")))
    for _ in range(2):
        assert read(count, runs, cpu=cpu, sandbox=True).cpu_seconds > 0  # each run found what the first found


def test_a_clock_that_jumps_changes_no_reading(cpu: int, monkeypatch: pytest.MonkeyPatch) -> None:
    hours = itertools.cycle((0.0, 3600.0, -3600.0))
    spinning, now = program(SPIN), time.time
    monkeypatch.setattr(time, "time", lambda: now() + next(hours))
    reading = read(spinning, benchmark_of(spinning), cpu=cpu, sandbox=True)
    assert 0.005 < reading.cpu_seconds < 5.0
    assert 0.005 < reading.wall_seconds < 60.0


def test_a_processor_that_is_gone_is_the_infrastructures_fault() -> None:
    with pytest.raises(InfrastructureFault, match="processor 1023") as caught:
        run_program(program("  ret i32 0"), cpu=1023)
    assert caught.value.reason == "infra:core-lost"


def test_a_replay_times_the_program_beside_o3() -> None:
    spec = environment_spec("llvm-runtime-v0")
    actions = [spec.action_table.names.index(name) for name in ("sroa", "instcombine", "simplifycfg")]
    result = replay(environment=spec, benchmark=datasets().benchmark(SUDOKU), actions=actions)
    assert result.ok, result.detail
    assert result.metrics.keys() >= {"ir_instructions", "runtime_seconds", "reference_seconds", "speedup"}
    blocks = [one for one in result.measurement["blocks"] if "discarded" not in one]
    assert len(blocks) >= 5
    assert all(len(one["pairs"]) == timing.PAIRS for one in blocks)
    assert all(len(one["candidate"]["readings"]) == timing.PAIRS for one in blocks)
    low, high = result.measurement["interval"]["speedup"]
    assert 0 < low < result.metrics["speedup"] < high
    assert blocks[0]["machine"].keys() | result.measurement["machine"].keys() >= {"processor", "device"}


def test_exact_metrics_alone_need_no_timing() -> None:
    benchmark = datasets().benchmark(SUDOKU)
    result = replay(
        environment="llvm-runtime-v0", benchmark=benchmark, actions=[], metrics=["ir_instructions"]
    )
    assert (set(result.metrics), result.measurement) == ({"ir_instructions"}, {})


def test_the_reference_is_o3_of_the_benchmark_and_equal_programs_are_equally_fast(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPTARENA_LOCKS", str(tmp_path))
    monkeypatch.setattr(timing, "PAIRS", 2)
    benchmark = datasets().benchmark(SUDOKU)
    best = optimise(benchmark.program(), "O3")
    assert best != benchmark.program()
    with optarena.make("llvm-runtime-v0", benchmark=benchmark) as env:
        env.reset(options={"observation_space": None, "reward_space": None})
        monkeypatch.setattr(env, "observe", lambda _: best)
        measured = measure_program(env, (), MeasurementPlan())
    assert measured.metrics["speedup"] == pytest.approx(1.0, abs=0.3)


def test_a_reference_that_does_not_do_its_work_is_the_benchmarks_fault() -> None:
    broken = benchmark_of(program("  ret i32 0"), stdout=b"never printed")
    result = replay(environment="llvm-runtime-v0", benchmark=broken, actions=[])
    assert not result.ok
    assert result.reason == "semantics:output-differs"  # found before anything is timed


def test_the_own_process_keeps_its_processors(cpu: int) -> None:
    before = os.sched_getaffinity(0)
    run_program(program("  ret i32 0"), cpu=cpu)
    assert os.sched_getaffinity(0) == before


def test_without_workloads_there_is_nothing_to_time() -> None:
    bare = Benchmark.from_bytes("benchmark://mine-v0/bare", program("  ret i32 0"))
    with pytest.raises(InvalidInput, match="has no workloads"):
        replay(environment="llvm-runtime-v0", benchmark=bare, actions=[], metrics=["speedup"])
