"""Environments as pickles, and side by side in one process and in several."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import cloudpickle
import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

from optarena import paths
from optarena.datasets import Benchmark, datasets
from optarena.env import CompilerEnv
from optarena.isolation.limits import ProcessLimits
from optarena.llvm import make_benchmark
from optarena.llvm.actions import CURATED
from optarena.wrappers import TimeLimit
from tests.kit.background import BACKGROUND
from tests.kit.processes import descendants, session_pid, wait_until

if TYPE_CHECKING:
    from optarena.llvm.env import LlvmEnv

MEM2REG, INSTCOMBINE, SIMPLIFYCFG = map(CURATED.index, ("mem2reg", "instcombine", "simplifycfg"))
COUNT = "IrInstructionCount"
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


GOES_ON = """
import pickle, sys
with pickle.load(sys.stdin.buffer) as env:
    reward = env.step(int(sys.argv[1]))[1]
    print(float(reward), env.observation["IrSha1"], env.actions)
"""


def test_a_benchmark_that_only_this_process_knows_goes_along(tmp_path: Path) -> None:
    source = tmp_path / "mine.ll"
    source.write_text((Path(__file__).parent / "data/digits.ll").read_text())
    program = make_benchmark(source)
    with gymnasium.make("optarena/llvm-ic-v0", benchmark=program.uri) as env:
        env.reset()
        done = subprocess.run(
            [sys.executable, "-c", GOES_ON, str(INSTCOMBINE)],
            input=pickle.dumps(env.unwrapped),
            stdout=subprocess.PIPE,
            check=True,
        )
        _, reward, *_ = env.step(INSTCOMBINE)
        digest = cast("LlvmEnv", env.unwrapped).observation["IrSha1"]
        assert done.stdout.decode() == f"{float(reward)} {digest} [{INSTCOMBINE}]\n"


ID = "optarena/llvm-ic-v0"
PROGRAMS = tuple(f"benchmark://kernels-v0/{name}" for name in ("quicksort", "sha256", "matrix", "paths"))
LIMIT = 3
"""Actions of an episode."""
STEPS = 6
SEED = 11


def make_one(benchmark: str) -> TimeLimit:
    env = cast("CompilerEnv", gymnasium.make(ID, benchmark=benchmark).unwrapped)
    return TimeLimit(env, LIMIT)


def makers(count: int) -> list[Any]:
    return [partial(make_one, PROGRAMS[index % len(PROGRAMS)]) for index in range(count)]


def played(envs: gymnasium.vector.VectorEnv[Any, Any, Any]) -> list[Any]:
    """All that a seeded run gives, over the ends of episodes; the environments are closed afterwards."""
    try:
        observations, infos = envs.reset(seed=SEED)
        envs.action_space.seed(SEED)
        told = [observations, infos["benchmark"]]
        for _ in range(STEPS):
            told += envs.step(envs.action_space.sample())[:4]
        return [np.array(each) for each in told]
    finally:
        envs.close()


def assert_equal(ours: list[Any], theirs: list[Any]) -> None:
    for one, other in zip(ours, theirs, strict=True):
        assert np.array_equal(one, other)


def folders() -> set[str]:
    place = paths.transient_cache() / "services"
    return {entry.name for entry in place.iterdir()} if place.is_dir() else set()


@pytest.fixture
def own_transient_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_TRANSIENT_CACHE", str(tmp_path / "transient"))


@pytest.fixture(scope="module")
def expected() -> list[Any]:
    return played(SyncVectorEnv(makers(2)))


@pytest.mark.usefixtures("own_transient_cache")
def test_processes_at_once_give_what_one_process_does(expected: list[Any]) -> None:
    before = descendants()
    assert_equal(played(AsyncVectorEnv(makers(2), context="fork")), expected)
    # What later tests will wait for may start more.
    wait_until(lambda: not descendants() - before - descendants(BACKGROUND.pid or -1))
    assert folders() == set()


@pytest.mark.soak
@pytest.mark.usefixtures("own_transient_cache")
@pytest.mark.parametrize(("context", "count"), [("spawn", 2), ("forkserver", 1)])
def test_other_start_methods_give_the_same(context: str, count: int, expected: list[Any]) -> None:
    envs = AsyncVectorEnv(makers(count), context=context)
    observations, benchmarks, *steps = played(envs)
    assert list(benchmarks) == list(PROGRAMS[:count])
    assert np.array_equal(observations, expected[0][:count])
    assert len(steps) == 4 * STEPS


def test_an_episode_that_is_over_begins_again_with_the_next_step() -> None:
    envs = SyncVectorEnv([partial(make_one, DIGITS)] * 2)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    actions = np.array([CURATED.index("mem2reg"), CURATED.index("instcombine")])
    try:
        first, _ = envs.reset(seed=SEED)
        for step in range(1, LIMIT + 1):
            last, _, terminated, truncated, _ = envs.step(actions)
            assert not terminated.any()
            assert truncated.tolist() == [step == LIMIT] * 2
        assert not np.array_equal(first, last)
        again, rewards, _, truncated, _ = envs.step(actions)
        assert np.array_equal(first, again)
        assert (rewards.tolist(), truncated.any()) == ([0.0, 0.0], False)
        assert [env.unwrapped.actions for env in envs.envs] == [[], []]
    finally:
        envs.close()


def test_a_compiler_that_dies_ends_its_own_episode_only() -> None:
    envs = SyncVectorEnv([partial(make_one, DIGITS)] * 2)
    actions = np.full(2, CURATED.index("mem2reg"))
    try:
        first, _ = envs.reset(seed=SEED)
        os.kill(session_pid(envs.envs[0]), signal.SIGKILL)
        observations, rewards, terminated, _, infos = envs.step(actions)
        assert terminated.tolist() == [True, False]
        assert not observations[0].any()
        assert rewards[1] > rewards[0] == 0
        assert infos["error_type"][0] == "crash"
        observations, _, terminated, _, _ = envs.step(actions)
        assert not terminated.any()
        assert np.array_equal(observations[0], first[0])
    finally:
        envs.close()
