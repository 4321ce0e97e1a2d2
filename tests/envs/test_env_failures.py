"""Failures of the compiler with the real LLVM service: they end the episode and never the agent."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import pytest
from gymnasium.error import ResetNeeded

from optarena.errors import ServiceClosed, SessionCrashed
from optarena.isolation.limits import ProcessLimits
from optarena.llvm.actions import CURATED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.datasets import Benchmark
    from optarena.llvm.env import LlvmEnv

MEM2REG, INSTCOMBINE = map(CURATED.index, ("mem2reg", "instcombine"))
COUNT = "IrInstructionCount"  # a reward without a baseline of -Oz to compute
TRIPLE = 'target triple = "x86_64-unknown-linux-gnu"\n'


def make(benchmark: Benchmark | str, environment: str = "optarena/llvm-ic-v0", **options: Any) -> LlvmEnv:
    return cast("LlvmEnv", gymnasium.make(environment, benchmark=benchmark, **options).unwrapped)


@pytest.fixture
def env(digits: Benchmark) -> Iterator[LlvmEnv]:
    with make(digits) as made:
        made.reset()
        yield made


def session_pid(env: LlvmEnv) -> int:
    episode = env._episode
    assert episode is not None
    return cast("int", cast("Any", episode.session._connection).worker.pid)


def tower_of_calls(height: int) -> str:
    """A program that grows to 190 * 4 ** ``height`` instructions when every call is inlined."""
    adds = "\n".join(f"  %x{n + 1} = add i32 %x{n}, %x0" for n in range(190))
    functions = [f"define i32 @f0(i32 %x0) alwaysinline {{\n{adds}\n  ret i32 %x190\n}}"]
    for level in range(1, height + 1):
        calls = "\n".join(f"  %x{n + 1} = call i32 @f{level - 1}(i32 %x{n})" for n in range(4))
        functions.append(f"define i32 @f{level}(i32 %x0) alwaysinline {{\n{calls}\n  ret i32 %x4\n}}")
    main = f"define i32 @main() {{\n  %x = call i32 @f{height}(i32 0)\n  ret i32 %x\n}}"
    return TRIPLE + "\n".join([*functions, main])


def check_failed_step(env: LlvmEnv, result: Any, error_type: str) -> dict[str, Any]:  # of step
    observation, reward, terminated, truncated, info = result
    assert (terminated, truncated) == (True, False), info
    assert observation in env.observation_space
    assert not observation.any()
    assert info["error_type"] == error_type
    assert info["error_details"]
    assert env.error is not None
    assert reward <= 0
    assert env.episode_reward is not None
    assert env.episode_reward <= 0
    for call in (lambda: env.step(0), env.fork, lambda: env.observation["Ir"]):
        with pytest.raises(ResetNeeded):
            call()
    observation, _ = env.reset()
    assert observation.any()
    assert env.error is None
    assert env.actions == []
    return cast("dict[str, Any]", info)


def test_a_killed_session_ends_the_episode_and_reset_starts_afresh(env: LlvmEnv) -> None:
    env.step(MEM2REG)
    os.kill(session_pid(env), signal.SIGKILL)
    failed = env.step(INSTCOMBINE)
    assert (env.actions, env.state.reward) == ([MEM2REG, INSTCOMBINE], 0)
    info = check_failed_step(env, failed, "crash")
    assert "SIGKILL" in info["error_details"]


def test_a_session_killed_while_observing_raises_and_ends_the_episode(env: LlvmEnv) -> None:
    os.kill(session_pid(env), signal.SIGKILL)
    with pytest.raises(SessionCrashed, match="SIGKILL"):
        env.observation["Ir"]
    with pytest.raises(ResetNeeded, match="SIGKILL"):
        env.step(0)
    env.reset()


def test_too_much_memory_ends_the_episode(tmp_path: Path) -> None:
    path = tmp_path / "tower.ll"
    path.write_text(tower_of_calls(6))
    limits = ProcessLimits(memory_bytes=200_000_000)
    with make(f"file://{path}", reward_space=COUNT, limits=limits) as env:
        env.reset()
        info = check_failed_step(env, env.step(CURATED.index("always-inline")), "out-of-memory")
        expected = "In action 0 (always-inline): The session reached its memory limit of 200000000 bytes"
        assert info["error_details"].startswith(expected)


def test_too_much_growth_ends_the_episode(tmp_path: Path) -> None:
    path = tmp_path / "tower.ll"
    path.write_text(tower_of_calls(6))
    with make(f"file://{path}", reward_space=COUNT) as env:
        env.reset()
        info = check_failed_step(env, env.step(CURATED.index("always-inline")), "ir-growth")
        assert info["error_details"].startswith("In action 0 (always-inline): The program has 1")
        assert "it may grow to 1000000" in info["error_details"]


def test_an_environment_in_a_forked_process_says_so_and_leaves_the_owner_alone(env: LlvmEnv) -> None:
    env.step(MEM2REG)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            env.step(INSTCOMBINE)
        except ServiceClosed as error:
            code = 0 if "fork" in str(error) else 2
        env.close()
        os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert env.step(INSTCOMBINE)[2] is False


def test_closing_ends_the_process(env: LlvmEnv) -> None:
    pid = session_pid(env)
    env.close()
    assert not Path(f"/proc/{pid}").exists()
