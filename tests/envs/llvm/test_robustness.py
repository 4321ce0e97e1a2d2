"""What a pass may do to its process, and that the episode then ends with the pass and the reason named."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any, cast

import pytest

from optarena.datasets import Benchmark, datasets
from optarena.env import CompilerEnv
from optarena.isolation.limits import ProcessLimits
from optarena.llvm.actions import UNSAFE

if TYPE_CHECKING:
    from collections.abc import Iterator

COUNT = "IrInstructionCount"
STRIP, SPLIT, ABORT = map(UNSAFE.index, ("strip", "globalsplit", "trigger-crash-module"))
NOTHING = {"observation_space": None, "reward_space": None}


def make(benchmark: Benchmark, **options: Any) -> CompilerEnv:
    return CompilerEnv("llvm-unsafe-v0", benchmark=benchmark, reward_space=COUNT, **options)


@pytest.fixture(scope="module")
def env(digits: Benchmark) -> Iterator[CompilerEnv]:
    limits = ProcessLimits(cpu_seconds_per_call=0.4, wall_seconds_per_call=5)
    with make(digits, limits=limits) as made:
        yield made


def program(data: bytes) -> Benchmark:
    return Benchmark.from_bytes("benchmark://tests-v0/program", data)


def stop(env: CompilerEnv, number: signal.Signals) -> None:
    episode = cast("Any", env)._episode
    os.kill(episode.session._connection.worker.pid, number)


def check_ended(env: CompilerEnv, step: Any, kind: str, *parts: str) -> None:  # of step()
    """The episode is over, for a reason told in all its parts; the next one works."""
    _, reward, terminated, truncated, info = step
    assert (terminated, truncated) == (True, False), info
    assert info["error_type"] == kind, info
    for part in parts:
        assert part in info["error_details"], info
    assert reward <= 0
    env.reset()
    assert env.step(STRIP)[2] is False


@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        ("trigger-crash-module", "crash", "ended by SIGABRT"),
        ("codegenprepare", "crash", "ended by SIGSEGV"),
        ("licm-without-memory-ssa", "crash", "LLVM ERROR: LICM requires MemorySSA"),
        ("expand-ir-insts", "service", "analysis required"),
    ],
)
def test_a_pass_that_ends_its_process_is_named_with_the_reason(
    env: CompilerEnv, digits: Benchmark, name: str, kind: str, reason: str
) -> None:
    env.reset(options={"benchmark": digits})
    env.step(STRIP)
    check_ended(env, env.step(UNSAFE.index(name)), kind, f"In action 1 ({name}): ", reason)


def test_of_several_actions_the_one_that_failed_is_named_and_the_last_of_the_episode(
    env: CompilerEnv, digits: Benchmark
) -> None:
    env.reset(options={"benchmark": digits})
    env.step(SPLIT)
    result = env.multistep([STRIP, SPLIT, ABORT, STRIP])
    assert env.actions == [SPLIT, STRIP, SPLIT, ABORT]
    check_ended(env, result, "crash", "In action 3 (trigger-crash-module): ")


def test_a_pass_that_does_not_end_is_stopped_by_the_limit_on_cpu_time(
    env: CompilerEnv, hanging: bytes
) -> None:
    env.reset(options={"benchmark": program(hanging)})
    result = env.step(UNSAFE.index("attributor"))
    check_ended(env, result, "timeout", "In action 0 (attributor): ", "more than 0.4 s of CPU time")


def test_a_process_that_does_not_run_is_ended_by_the_limit_on_wall_time(digits: Benchmark) -> None:
    limits = ProcessLimits(wall_seconds_per_call=0.1)
    with make(digits, limits=limits) as env:
        env.reset()
        stop(env, signal.SIGSTOP)
        check_ended(env, env.step(STRIP), "timeout", "before action 0 (strip)", "no answer within 0.3 s")


def test_a_process_that_was_killed_between_two_steps_is_no_fault_of_the_second(
    env: CompilerEnv, digits: Benchmark
) -> None:
    env.reset(options={"benchmark": digits})
    env.step(STRIP)
    stop(env, signal.SIGKILL)
    check_ended(env, env.step(SPLIT), "crash", "before action 1 (globalsplit)", "SIGKILL")


def test_an_observation_that_fails_is_named_instead_of_the_action_before_it() -> None:
    matrix = datasets().benchmark("benchmark://kernels-v0/matrix")
    with make(matrix, limits=ProcessLimits(cpu_seconds_per_call=0.04)) as env:
        env.reset(options=NOTHING)
        name = "ObjectTextSizeBytesO3"
        result = env.step(STRIP, observation_spaces=[name])
        check_ended(env, result, "timeout", f"In {name} after action 0 (strip): ")


@pytest.mark.parametrize("how", ["fork", "sandbox"])
def test_the_pass_is_named_in_copies_and_in_confined_sessions(digits: Benchmark, how: str) -> None:
    with make(digits, sandbox=how == "sandbox") as env:
        env.reset()
        env.step(STRIP)
        with env.fork() as twin:
            result = twin.multistep([STRIP, ABORT])
            check_ended(twin, result, "crash", "In action 2 (trigger-crash-module)")
        assert env.step(STRIP)[2] is False
