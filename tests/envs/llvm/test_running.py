"""Observations of programs at work: built, run and timed, every run checked."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import optarena
from optarena.datasets import Benchmark, Workload, datasets
from optarena.errors import (
    DeviceUnavailable,
    InfrastructureFault,
    InvalidAction,
    InvalidInput,
    ProgramFailed,
    SandboxUnavailable,
)
from optarena.llvm.env import LlvmEnv
from optarena.llvm.execution import optimise, run_program
from optarena.llvm.module import Module, optimised
from optarena.llvm.timing import measure_program, read
from optarena.llvm.toolchain import find_linker
from optarena.machine_code import elf, timing
from optarena.measuring.machine import all_cores, reserved_core
from optarena.replay import replay
from optarena.specs import environment_spec
from optarena.specs.results import MeasurementPlan
from tests.kit.programs import returning as program

HEADER = 'target triple = "x86_64-unknown-linux-gnu"\n'


@pytest.fixture(scope="module")
def env(digits: Benchmark) -> Iterator[LlvmEnv]:
    made = gymnasium.make("optarena/llvm-v0", benchmark=digits, reward_space=None).unwrapped
    assert isinstance(made, LlvmEnv)
    with made:
        yield made


@pytest.fixture
def fresh(env: LlvmEnv, digits: Benchmark) -> LlvmEnv:
    env.runtime_observation_count, env.runtime_warmup_count = 1, 0
    env.reset(options={"benchmark": digits, "observation_space": "Autophase", "reward_space": None})
    return env


def unlike(benchmark: Benchmark, **changes: object) -> Benchmark:
    workload = replace(benchmark.workloads[0], **changes)  # type: ignore[arg-type] # passed on
    return replace(benchmark, workloads=(workload,))


def test_the_time_of_every_run_is_observed(fresh: LlvmEnv) -> None:
    fresh.runtime_observation_count, fresh.runtime_warmup_count = 3, 1
    observed, _ = fresh.reset(options={"observation_space": "Runtime"})
    assert observed in fresh.observation_space
    assert (observed.shape, observed.dtype) == ((3,), np.float64)
    assert (observed > 0).all()


def test_the_point_estimate_is_a_number_of_seconds(fresh: LlvmEnv) -> None:
    observed, _ = fresh.reset(options={"observation_space": "RuntimePointEstimate"})
    assert observed in fresh.observation_space
    assert 0 < fresh.observation["RuntimePointEstimate"] < 60
    assert not fresh.observations["RuntimePointEstimate"].deterministic


def test_a_runnable_program_is_told_from_others(fresh: LlvmEnv, digits: Benchmark) -> None:
    assert fresh.observation["IsRunnable"] == 1
    fresh.reset(options={"benchmark": replace(digits, workloads=())})
    assert fresh.observation["IsRunnable"] == 0
    body = f"{HEADER}define i32 @f() {{\n  ret i32 0\n}}\n".encode()
    library = Benchmark.from_bytes("benchmark://tests-v0/library", body)
    fresh.reset(options={"benchmark": replace(library, workloads=(Workload(name="default"),))})
    assert fresh.observation["IsRunnable"] == 0


def test_too_little_time_makes_no_program_one_that_cannot_run(
    fresh: LlvmEnv, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("optarena.llvm.derived._CHECK_SECONDS", 0.0)
        with pytest.raises(InvalidInput, match=r"was not found out: LLVM needed more than 0 s.*Try again"):
            fresh.step(0, observation_spaces=["IsRunnable"])
    assert fresh.actions == [0]
    assert fresh.observation["IsRunnable"] == 1


def test_without_workloads_there_is_no_time(fresh: LlvmEnv, digits: Benchmark) -> None:
    fresh.reset(options={"benchmark": replace(digits, workloads=())})
    for name in ("Runtime", "RuntimePointEstimate"):
        with pytest.raises(InvalidInput, match=r"has no workloads.*IsRunnable"):
            assert fresh.observation[name] is None
    fresh.step(0)


@pytest.mark.parametrize("why", [DeviceUnavailable, SandboxUnavailable, KeyboardInterrupt])
def test_actions_count_although_their_time_cannot_be_had(
    fresh: LlvmEnv, monkeypatch: pytest.MonkeyPatch, why: type[BaseException]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise why

    fresh.reset(options={"reward_space": "IrInstructionCount"})
    before = fresh.observation["IrInstructionCount"]
    actions = [fresh.action_table.names.index(name) for name in ("sroa", "simplifycfg", "gvn", "adce")]
    with contextlib.ExitStack() as stack:
        if why is DeviceUnavailable:
            monkeypatch.setattr("optarena.machine_code.timing.QUEUE_SECONDS", 0.0)
            stack.enter_context(all_cores(seconds=10.0))
        else:
            monkeypatch.setattr("optarena.llvm.timing.read", refuse)
        with pytest.raises(why):
            fresh.step(actions[0], observation_spaces=["Runtime"])
        with pytest.raises(why):
            fresh.steps(actions[1:3], observation_spaces=["RuntimePointEstimate"])
        with pytest.raises(why):
            fresh.peek(actions[3:], observation_spaces=["Runtime"])
        assert fresh.actions == actions[:3]
        assert fresh.state.reward == before - fresh.observation["IrInstructionCount"] > 0
        assert fresh.episode_reward == 0.0
        reward = fresh.step(actions[3])[1]
    assert reward == fresh.state.reward == before - fresh.observation["IrInstructionCount"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"expected_stdout": b"other\n"}, "semantics:output-differs"),
        ({"exit_code": 9}, "semantics:exit-code"),
    ],
)
def test_a_wrong_run_has_no_time(
    fresh: LlvmEnv, digits: Benchmark, changes: dict[str, object], reason: str
) -> None:
    fresh.reset(options={"benchmark": unlike(digits, **changes)})
    with pytest.raises(ProgramFailed, match=f"fails its workload 'default' .{reason}"):
        assert fresh.observation["Runtime"] is None
    assert isinstance(fresh.error, ProgramFailed)


def test_a_wrong_run_in_a_step_is_a_failed_step(fresh: LlvmEnv, digits: Benchmark) -> None:
    fresh.reset(options={"benchmark": unlike(digits, exit_code=9)})
    peeked = fresh.peek([0], observation_spaces=["IrSha1", "Runtime"])[0]
    (_, times), _, terminated, _, info = fresh.step(0, observation_spaces=["IrSha1", "Runtime"])
    assert (len(times), terminated, info["error_type"]) == (0, True, "semantics")
    assert info["error_details"].startswith("In Runtime: The program of ")
    assert peeked[4] == info
    fresh.reset()


def test_a_confined_program_is_timed_too(digits: Benchmark) -> None:
    made = gymnasium.make("optarena/llvm-v0", benchmark=digits, sandbox=True).unwrapped
    with made as env:
        assert isinstance(env, LlvmEnv)
        assert env.is_sandboxed
        env.reset()
        assert env.observation["Runtime"].shape == (1,)


def test_session_parameters_of_compilergym_say_how_often_programs_run(fresh: LlvmEnv) -> None:
    assert fresh.parameter("llvm.set_runtimes_per_observation_count", "3", keep=True) == "3"
    fresh.parameter("llvm.set_warmup_runs_count_per_runtime_observation", "1")
    assert (len(fresh.observation["Runtime"]), fresh.runtime_warmup_count) == (3, 1)
    for value in ("0", "many", "10001"):
        with pytest.raises(InvalidInput, match=f"set_runtimes_per_observation_count is .*{value}"):
            fresh.parameter("llvm.set_runtimes_per_observation_count", value)
    assert fresh.runtime_observation_count == 3


def test_how_often_programs_run_is_checked_and_belongs_to_one_environment(fresh: LlvmEnv) -> None:
    for value in (0, -1, 1.5, True, "3"):
        with pytest.raises(InvalidInput, match="runtime_observation_count is"):
            fresh.runtime_observation_count = value  # type: ignore[assignment] # what users may do
    with pytest.raises(InvalidInput, match="runtime_warmup_count"):
        LlvmEnv("optarena/llvm-v0", runtime_warmup_count=-1)
    with fresh.fork() as twin:
        twin.runtime_observation_count = 7
        assert (fresh.runtime_observation_count, twin.runtime_observation_count) == (1, 7)


NEED_A_PROCESS = ("TextSizeBytes", "TextSizeBytesOz", "Buildtime", "IsBuildable", "BitcodeFile", "CpuInfo")
NO_MAIN = b'target triple = "x86_64-unknown-linux-gnu"\ndefine i32 @f() {\n  ret i32 0\n}\n'
UNDEFINED = b"""target triple = "x86_64-unknown-linux-gnu"
declare i32 @absent()
define i32 @main() {
  %slot = alloca i32
  %1 = call i32 @absent()
  store i32 %1, ptr %slot
  %2 = load i32, ptr %slot
  ret i32 %2
}
"""
COUNT = "IrInstructionCount"
ID = "optarena/llvm-v0"


def made(**arguments: Any) -> LlvmEnv:
    env = gymnasium.make(ID, observation_space=None, reward_space=None, **arguments).unwrapped
    assert isinstance(env, LlvmEnv)
    env.reset(options={"observation_space": None, "reward_space": None})
    return env


def linked_text(module: Module, folder: Path) -> int:
    return elf.section_bytes(find_linker().link(module.object_code(), folder), ".text")


def test_text_size_is_of_the_linked_executable(fresh: LlvmEnv, digits: Benchmark, tmp_path: Path) -> None:
    size = fresh.observation["TextSizeBytes"]
    assert size > fresh.observation["ObjectTextSizeBytes"]
    with Module.parse(digits.program()) as module:
        assert size == linked_text(module, tmp_path) == fresh.observation["TextSizeBytesO0"]
    with optimised(digits.program(), "Oz") as module:
        assert fresh.observation["TextSizeBytesOz"] == linked_text(module, tmp_path) < size


def test_text_size_follows_the_actions_and_the_baselines_do_not(fresh: LlvmEnv) -> None:
    before = {name: fresh.observation[name] for name in ("TextSizeBytes", "TextSizeBytesO0")}
    table = fresh.environment.action_table.names
    fresh.multistep([next(i for i, name in enumerate(table) if word in name) for word in ("sroa", "dce")])
    assert fresh.observation["TextSizeBytes"] < before["TextSizeBytes"]
    assert fresh.observation["TextSizeBytesO0"] == before["TextSizeBytesO0"]


def test_the_time_to_build_is_measured_anew(fresh: LlvmEnv) -> None:
    assert fresh.observation["Buildtime"] > 0
    assert not fresh.observations["Buildtime"].deterministic
    assert fresh.observations["TextSizeBytes"].deterministic
    assert fresh.observations["TextSizeBytes"].platform_dependent


@pytest.fixture
def incomplete(fresh: LlvmEnv) -> LlvmEnv:
    """On a program that calls a function which is not there, so that it cannot be linked."""
    benchmark = Benchmark.from_bytes("benchmark://tests-v0/undefined", UNDEFINED)
    fresh.reset(options={"benchmark": benchmark, "reward_space": COUNT})
    return fresh


def test_a_step_that_asks_for_what_the_program_lacks_is_taken_and_says_so(incomplete: LlvmEnv) -> None:
    sroa, dce = (incomplete.environment.action_table.names.index(name) for name in ("sroa", "dce"))
    with pytest.raises(InvalidInput, match="absent") as told:
        incomplete.step(sroa, observation_spaces=[COUNT, "TextSizeBytes"])
    assert (told.value.field, told.value.value) == ("observation_space", "TextSizeBytes")
    assert incomplete.actions == [sroa]
    [count], reward, terminated, *_ = incomplete.step(dce, observation_spaces=[COUNT])
    assert not terminated
    assert reward == incomplete.episode_reward == incomplete.observation["IrInstructionCountO0"] - count > 0
    with pytest.raises(InvalidInput, match="absent"):
        incomplete.step(dce, reward_spaces=[COUNT, "TextSizeBytes"])
    assert incomplete.error is None


def test_what_the_program_lacks_is_named_where_nothing_is_applied(incomplete: LlvmEnv) -> None:
    with incomplete.fork() as fork:
        for call in (
            lambda: fork.observation["TextSizeBytes"],
            lambda: fork.multistep([], observation_spaces=["TextSizeBytes"]),
        ):
            with pytest.raises(InvalidInput, match="absent") as told:
                call()
            assert not isinstance(told.value, InvalidAction)
            assert (told.value.field, told.value.value) == ("observation_space", "TextSizeBytes")
        assert [one[2] for one in fork.peek([0, 1], observation_spaces=["TextSizeBytes"])] == [True, True]
        assert fork.step(0)[2] is False


def test_a_program_without_main_does_not_build(fresh: LlvmEnv) -> None:
    assert fresh.observation["IsBuildable"] == 1
    fresh.reset(options={"benchmark": Benchmark.from_bytes("benchmark://tests-v0/no-main", NO_MAIN)})
    assert fresh.observation["IsBuildable"] == 0
    for name in ("TextSizeBytes", "TextSizeBytesO3", "Buildtime"):
        with pytest.raises(InvalidInput, match=f"{name} needs a program that links.*main.*IsBuildable"):
            assert fresh.observation[name] is None
    fresh.step(0)
    assert fresh.observation["ObjectTextSizeBytes"] > 0


def test_a_program_that_a_sanitizer_has_changed_is_told_how_to_build(fresh: LlvmEnv) -> None:
    checked = UNDEFINED.replace(b"@absent", b"@__asan_init")
    fresh.reset(options={"benchmark": Benchmark.from_bytes("benchmark://tests-v0/checked", checked)})
    with pytest.raises(
        InvalidInput, match=r"__asan_init'.*Compile without -fsanitize=….*Observe IsBuildable"
    ):
        assert fresh.observation["TextSizeBytes"] is None


def test_the_processor_is_described(fresh: LlvmEnv) -> None:
    described = json.loads(fresh.observation["CpuInfo"])
    assert described["model"]
    assert described["cores"] >= described["usable_cores"] >= 1
    assert all(cache["bytes"] > 0 for cache in described["caches"])


def test_the_bitcode_file_holds_the_present_state_and_goes_with_the_session(digits: Benchmark) -> None:
    env = made(benchmark=digits)
    first = Path(env.observation["BitcodeFile"])
    assert first.read_bytes() == env.observation["Bitcode"]
    assert first.parent.stat().st_mode & 0o777 == 0o700
    env.multistep(range(20))
    second = Path(env.observation["BitcodeFile"])
    assert second.read_bytes() == env.observation["Bitcode"] != first.read_bytes()
    twin = env.fork()
    copied = Path(twin.observation["BitcodeFile"])
    assert copied.parent != second.parent
    env.close()
    assert not second.parent.exists()
    assert copied.exists()
    twin.close()
    assert not copied.parent.exists()


def test_a_confined_session_says_so_and_goes_on(digits: Benchmark) -> None:
    with made(benchmark=digits, sandbox=True) as env:
        for name in NEED_A_PROCESS:
            with pytest.raises(InvalidInput, match=f"{name} is not available in a confined session"):
                assert env.observation[name] is None
        env.step(0)
        assert env.observation["IrInstructionCount"] > 0


def test_without_a_linker_it_says_what_to_install(digits: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    with made(benchmark=digits, service="in-process") as env:
        monkeypatch.setenv("OPTARENA_LINKER", "/nonexistent/cc")
        for name in ("TextSizeBytes", "IsBuildable", "Buildtime"):
            with pytest.raises(InvalidInput, match=f"{name} needs a linker.*apt-get install gcc libc6-dev"):
                assert env.observation[name] is None
        monkeypatch.setenv("OPTARENA_LINKER", "/bin/false")
        with pytest.raises(InvalidInput, match=r"/bin/false cannot link even an empty program.*libc6-dev"):
            assert env.observation["IsBuildable"] is None
        monkeypatch.delenv("OPTARENA_LINKER")
        assert env.observation["IsBuildable"] == 1


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
        measured = measure_program(env, (), MeasurementPlan(blocks=3))
    assert measured.metrics["speedup"] == pytest.approx(1.0, abs=0.3)


def test_the_own_process_keeps_its_processors(cpu: int) -> None:
    before = os.sched_getaffinity(0)
    run_program(program("  ret i32 0"), cpu=cpu)
    assert os.sched_getaffinity(0) == before


def test_without_workloads_there_is_nothing_to_time() -> None:
    bare = Benchmark.from_bytes("benchmark://mine-v0/bare", program("  ret i32 0"))
    with pytest.raises(InvalidInput, match="has no workloads"):
        replay(environment="llvm-runtime-v0", benchmark=bare, actions=[], metrics=["speedup"])
