"""Environments as pickles: how they were made, what they are set to, and what their episodes have done."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import cloudpickle
import gymnasium
import pytest
from gymnasium.error import ResetNeeded

from optarena.datasets import datasets
from optarena.env import CompilerEnv
from optarena.isolation.limits import ProcessLimits
from optarena.llvm import make_benchmark
from optarena.llvm.actions import CURATED
from tests.kit.processes import session_pid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.datasets import Benchmark
    from optarena.llvm.env import LlvmEnv

MEM2REG, INSTCOMBINE, SIMPLIFYCFG = map(CURATED.index, ("mem2reg", "instcombine", "simplifycfg"))
COUNT, COUNT_OZ = "IrInstructionCount", "IrInstructionCountOz"
DIGITS = f"file://{Path(__file__).parent / 'data/digits.ll'}"


@pytest.fixture
def env(digits: Benchmark) -> Iterator[LlvmEnv]:
    """With an episode of two actions; its benchmark is bytes in no dataset."""
    with gymnasium.make("optarena/llvm-ic-v0", benchmark=digits) as made:
        env = cast("LlvmEnv", made)
        env.reset(seed=4)
        env.multistep([MEM2REG, SIMPLIFYCFG])
        yield env


def again(env: Any, pickler: Any = pickle) -> Any:
    return pickle.loads(pickler.dumps(env))  # noqa: S301 # made by the line itself


@pytest.mark.parametrize("pickler", [pickle, cloudpickle], ids=["pickle", "cloudpickle"])
def test_the_episode_goes_on_in_the_copy(pickler: Any, env: LlvmEnv) -> None:
    env.reward[COUNT]
    with again(env, pickler) as twin:
        assert type(twin) is type(env)
        assert (twin.actions, twin.episode_reward) == (env.actions, env.episode_reward)
        assert twin.benchmark.uri == env.benchmark.uri
        assert twin.state.walltime >= env.state.walltime - 10
        assert twin.observation["IrSha1"] == env.observation["IrSha1"]
        assert twin.step(INSTCOMBINE)[1] == env.step(INSTCOMBINE)[1]
        assert twin.reward[COUNT] == env.reward[COUNT] > 0
        assert twin.spec == env.spec
    assert env.step(MEM2REG)[2] is False


def test_random_generators_and_spaces_go_on(env: LlvmEnv) -> None:
    env.action_space.seed(9)
    env.action_space.sample()
    with again(env) as twin:
        assert twin.np_random.random() == env.np_random.random()
        assert [twin.action_space.sample() for _ in range(5)] == [env.action_space.sample() for _ in range(5)]
        assert twin.observation_space == env.observation_space


@pytest.mark.parametrize("keep", [False, True])
def test_parameters_come_between_the_actions_as_they_did(env: LlvmEnv, *, keep: bool) -> None:
    env.parameter("llvm.apply_baseline_optimizations", "-O3", keep=keep)
    env.step(INSTCOMBINE)
    with env.fork() as fork, again(fork) as twin:
        assert twin.observation["IrSha1"] == env.observation["IrSha1"]
        with again(twin) as third:
            assert third.observation["IrSha1"] == env.observation["IrSha1"]
        for one in (env, twin):
            one.reset()
            one.step(MEM2REG)
        assert twin.observation["IrSha1"] == env.observation["IrSha1"]


def test_what_was_set_by_options_is_set(env: LlvmEnv) -> None:
    space = env.service.action_spaces[2].name
    env.reset(options={"observation_space": COUNT, "reward_space": None, "action_space": space})
    env.step(env.action_space.sample())
    env.benchmark = "benchmark://kernels-v0/quicksort"
    with again(env) as twin:
        assert twin.action_space == env.action_space
        assert twin.actions == env.actions
        assert twin.step(env.actions[0])[:2] == env.step(env.actions[0])[:2]
        assert (twin.observation_space_name, twin.reward_space_name) == (COUNT, None)
        assert twin.reset()[1] == {"benchmark": "benchmark://kernels-v0/quicksort"}


def test_rewards_that_were_not_read_are_not_lost(env: LlvmEnv) -> None:
    env.step(INSTCOMBINE, reward_spaces=[])
    with again(env) as twin:
        assert twin.episode_reward == env.episode_reward
        assert twin.step(MEM2REG)[1] == env.step(MEM2REG)[1]


def test_before_reset_and_after_an_error_there_is_no_episode(env: LlvmEnv) -> None:
    os.kill(session_pid(env), signal.SIGKILL)
    assert env.step(INSTCOMBINE)[2]
    for _ in range(2):  # a pickle of a pickle too
        with again(env) as twin:
            with pytest.raises(ResetNeeded):
                twin.step(MEM2REG)
            assert twin.reset()[1] == {"benchmark": env.benchmark.uri}
            env = again(twin)
            env.close()


def test_arguments_of_make_are_kept(digits: Benchmark) -> None:
    limits = ProcessLimits(cpu_seconds_per_call=7)
    arguments: dict[str, Any] = {"sandbox": True, "limits": limits, "render_mode": "ansi"}
    with gymnasium.make("optarena/llvm-v0", benchmark=digits, **arguments) as made:
        made.reset()
        with again(made) as twin:
            assert twin.is_sandboxed
            assert twin.sandbox["landlock"] is not None
            assert twin.backend._limits == limits
            assert twin.render() == cast("str", made.render())


@pytest.mark.parametrize("uri", ["benchmark://kernels-v0/quicksort", DIGITS])
def test_benchmarks_of_datasets_and_files_are_kept(uri: str) -> None:
    with (
        gymnasium.make("optarena/llvm-ic-v0", benchmark=datasets().benchmark(uri)) as made,
        again(made) as twin,
    ):
        assert twin.reset()[1] == {"benchmark": uri}
        with again(twin) as third:
            assert third.benchmark.sha256 == twin.benchmark.sha256


def test_an_environment_of_anothers_backend_says_why_not(env: LlvmEnv) -> None:
    with CompilerEnv("llvm-ic-v0", service=env.backend) as other, pytest.raises(pickle.PicklingError):
        pickle.dumps(other)


def _step(env: LlvmEnv) -> tuple[float, str, list[Any]]:
    with env:
        reward = float(env.step(INSTCOMBINE)[1])
        return reward, env.observation["IrSha1"], env.actions


def test_a_benchmark_that_only_this_process_knows_goes_along(tmp_path: Path) -> None:
    source = tmp_path / "mine.ll"
    source.write_text((Path(__file__).parent / "data/digits.ll").read_text())
    program = make_benchmark(source)
    with gymnasium.make("optarena/llvm-ic-v0", benchmark=program.uri) as env:
        env.reset()
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            assert pool.apply(_step, (env,)) == _step(cast("LlvmEnv", env))
