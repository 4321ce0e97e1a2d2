"""Tests of the observations of programs at work."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING

import gymnasium
import numpy as np
import pytest

from optarena.datasets import Benchmark, Workload
from optarena.errors import DeviceUnavailable, InvalidInput, ProgramFailed, SandboxUnavailable
from optarena.llvm.env import LlvmEnv
from optarena.measuring.machine import all_cores

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def test_too_little_time_does_not_make_a_program_one_that_cannot_be_run(
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
