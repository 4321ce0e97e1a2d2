"""What environments offer beside gymnasium's calls: spaces by name, copies, states, settings."""

from __future__ import annotations

import copy
import os
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from optarena.datasets import Benchmark
from optarena.errors import InvalidInput, ServiceClosed
from optarena.llvm.actions import CURATED
from optarena.wrappers import Counter
from tests.kit.processes import session_pid

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.llvm.env import LlvmEnv

MEM2REG, INSTCOMBINE, SIMPLIFYCFG = map(CURATED.index, ("mem2reg", "instcombine", "simplifycfg"))
UNDOMINATED = b"""target triple = "x86_64-unknown-linux-gnu"
define i32 @main(i32 %count, ptr %arguments) {
  %one = icmp eq i32 %count, 1
  br i1 %one, label %a, label %b
a:
  %sum = add i32 %count, 5
  br label %b
b:
  ret i32 %sum
}
"""
COUNT, COUNT_OZ = "IrInstructionCount", "IrInstructionCountOz"


@pytest.fixture(scope="module")
def shared(digits: Benchmark) -> Iterator[LlvmEnv]:
    with gymnasium.make("optarena/llvm-ic-v0", benchmark=digits) as made:
        yield cast("LlvmEnv", made)


@pytest.fixture
def env(shared: LlvmEnv, digits: Benchmark) -> LlvmEnv:
    shared.reset(
        options={
            "benchmark": digits,
            "observation_space": "Autophase",
            "reward_space": COUNT_OZ,
            "action_space": None,
        }
    )
    return shared


class TestSpacesByName:
    def test_lists_come_in_the_order_that_was_asked_for(self, env: LlvmEnv) -> None:
        observation, reward, terminated, truncated, _ = env.step(
            MEM2REG, observation_spaces=["IrSha1", COUNT, "Autophase"], reward_spaces=[COUNT, COUNT_OZ]
        )
        assert observation[0] == env.observation["IrSha1"]
        assert observation[1].shape == ()
        assert observation[1] == observation[2][51] == env.observation[COUNT]
        assert [float(value) for value in reward] == [env.reward[COUNT] + reward[0], env.state.reward]
        assert (terminated, truncated) == (False, False)

    def test_one_of_the_two_may_be_named_alone(self, env: LlvmEnv) -> None:
        observation, reward, *_ = env.step(MEM2REG, observation_spaces=[COUNT])
        assert isinstance(observation, list)
        assert reward == env.episode_reward
        observation, reward, *_ = env.step(INSTCOMBINE, reward_spaces=[COUNT])
        assert observation in env.observation_space
        assert isinstance(reward, list)

    @pytest.mark.parametrize("named", [[], [COUNT], [COUNT, COUNT_OZ], [COUNT_OZ]])
    def test_named_rewards_do_not_change_the_episodes(self, env: LlvmEnv, named: list[str]) -> None:
        given = float(env.step(MEM2REG)[1])
        _, listed, *_ = env.step(SIMPLIFYCFG, reward_spaces=named)
        assert env.episode_reward == pytest.approx(given)
        last = float(env.step(INSTCOMBINE)[1])
        assert env.episode_reward == pytest.approx(given + last)
        missed = listed[named.index(COUNT_OZ)] if COUNT_OZ in named else 0.0
        assert env.state.reward == pytest.approx(given + missed + last)
        with env.fork() as twin:
            assert (twin.episode_reward, twin.state.reward) == (env.episode_reward, env.state.reward)

    def test_a_name_that_is_there_twice_has_one_value(self, env: LlvmEnv) -> None:
        observation, reward, *_ = env.multistep(
            [MEM2REG, SIMPLIFYCFG], observation_spaces=[COUNT, COUNT], reward_spaces=[COUNT_OZ, COUNT_OZ]
        )
        assert observation[0] == observation[1]
        assert reward[0] == reward[1] == env.state.reward > 0

    def test_a_failure_gives_lists_of_defaults(self, env: LlvmEnv) -> None:
        env.step(MEM2REG)
        assert env.episode_reward is not None
        earned = env.episode_reward
        counted = env.reward[COUNT]
        os.kill(session_pid(env), signal.SIGKILL)
        names = ["Autophase", COUNT, "IrSha1"]
        observation, reward, terminated, _, info = env.step(
            INSTCOMBINE, observation_spaces=names, reward_spaces=[COUNT, COUNT_OZ]
        )
        assert terminated
        assert info["error_type"] == "crash"
        for name, value in zip(names, observation, strict=True):
            assert env.observations[name].space.contains(value)
        assert not observation[0].any()
        assert reward == [-counted, -earned]
        assert env.episode_reward == 0

    def test_a_failure_takes_back_a_reward_that_was_not_named(self, env: LlvmEnv) -> None:
        env.step(MEM2REG)
        os.kill(session_pid(env), signal.SIGKILL)
        assert env.step(INSTCOMBINE, observation_spaces=[], reward_spaces=[])[:3] == ([], [], True)
        assert env.episode_reward == 0


class TestSettings:
    def test_a_benchmark_that_is_set_is_that_of_the_next_episode(
        self, env: LlvmEnv, digits: Benchmark
    ) -> None:
        uri = "benchmark://kernels-v0/quicksort"
        env.benchmark = uri
        assert env.benchmark.uri == digits.uri
        env.step(MEM2REG)
        assert env.reset()[1] == {"benchmark": uri}
        assert env.benchmark.uri == uri
        env.benchmark = digits
        assert env.reset()[1] == {"benchmark": digits.uri}

    @pytest.mark.parametrize(
        ("benchmark", "words"), [("benchmark://kernels-v0/quicksrt", "quicksort"), (7, "URI")]
    )
    def test_a_benchmark_that_is_none_is_refused(self, benchmark: Any, words: str, env: LlvmEnv) -> None:
        with pytest.raises(InvalidInput, match=words):
            env.benchmark = benchmark
        assert env.reset()[1] == {"benchmark": "benchmark://tests-v0/digits"}

    @pytest.mark.parametrize("program", [b"BC\xc0\xdenot bitcode", UNDOMINATED], ids=["garbage", "invalid"])
    def test_a_program_that_cannot_be_used_changes_nothing(self, program: bytes, env: LlvmEnv) -> None:
        env.step(MEM2REG)
        broken = Benchmark.from_bytes("benchmark://tests-v0/broken", program)
        with pytest.raises(InvalidInput, match="broken"):
            env.reset(options={"benchmark": broken, "reward_space": None})
        assert env.reward_space_name == COUNT_OZ
        assert env.actions == [MEM2REG]
        env.step(INSTCOMBINE)

    @pytest.mark.parametrize("seed", [-1, 3.5, "x", True])
    def test_a_seed_is_a_natural_number(self, seed: Any, env: LlvmEnv) -> None:
        with pytest.raises(InvalidInput, match="The seed is"):
            env.reset(seed=seed)
        env.step(MEM2REG)

    def test_values_of_other_types_are_refused_by_name(self, env: LlvmEnv) -> None:
        calls: list[tuple[str, Any]] = [
            ("state", lambda: env.apply(cast("Any", "state"))),
            ("key", lambda: env.parameter(cast("Any", 3), "1")),
            ("value", lambda: env.parameter("x", cast("Any", None))),
            ("command line", lambda: env.environment.parse(cast("Any", b"opt"))),
            ("action", lambda: env.multistep(cast("Any", {MEM2REG}))),
            ("sandbox", lambda: gymnasium.make("optarena/llvm-v0", sandbox=1)),
            ("observation_spaces", lambda: env.step(MEM2REG, observation_spaces=np.array("Ir"))),  # type: ignore[arg-type] # what users may do
        ]
        for told, call in calls:
            with pytest.raises(InvalidInput, match=told):
                call()
        assert env.actions == []

    def test_wall_time_begins_with_the_episode(self, env: LlvmEnv) -> None:
        first = env.episode_walltime
        assert 0 < first < env.episode_walltime
        state = env.state
        assert state.walltime is not None
        assert state.walltime > first


class TestCopies:
    def test_a_deep_copy_is_a_fork(self, env: LlvmEnv) -> None:
        env.step(MEM2REG)
        with copy.deepcopy(env) as twin:
            assert twin.actions == [MEM2REG]
            assert twin.step(INSTCOMBINE)[1] == env.step(INSTCOMBINE)[1]
            assert twin.observation["IrSha1"] == env.observation["IrSha1"]
            twin.step(SIMPLIFYCFG)
        assert env.actions == [MEM2REG, INSTCOMBINE]

    def test_copies_sample_the_same_and_then_their_own(self, env: LlvmEnv) -> None:
        env.reset(seed=3)
        env.action_space.seed(3)
        with env.fork() as twin:
            theirs = [twin.action_space.sample() for _ in range(5)]
            assert theirs == [env.action_space.sample() for _ in range(5)]
            assert twin.np_random.random() == env.np_random.random()

    def test_a_copy_without_an_episode_is_set_the_same(self, digits: Benchmark) -> None:
        with gymnasium.make("optarena/llvm-ic-v0", reward_space=COUNT) as made:
            env = cast("LlvmEnv", made)
            env.benchmark = digits
            with copy.deepcopy(env) as twin:
                assert twin.reward_space_name == COUNT
                env.close()
                assert twin.reset()[1] == {"benchmark": digits.uri}

    def test_a_copy_of_a_failed_episode_begins_afresh(self, env: LlvmEnv) -> None:
        os.kill(session_pid(env), signal.SIGKILL)
        assert env.step(MEM2REG)[2]
        with copy.deepcopy(env) as twin:
            assert twin.actions == []
            twin.reset()
        with pytest.raises(ResetNeeded):
            env.fork()


class TestOrder:
    def test_before_reset_everything_says_what_to_do(self, digits: Benchmark, tmp_path: Path) -> None:
        with gymnasium.make("optarena/llvm-ic-v0", benchmark=digits) as made:
            env = cast("LlvmEnv", made)
            for call in _calls(env, tmp_path):
                with pytest.raises(ResetNeeded, match=r"reset\(\)"):
                    call()
            assert (env.actions, env.episode_reward, env.error) == ([], None, None)
            assert env.commandline().startswith("opt ")
            assert env.benchmark.uri == digits.uri

    def test_after_close_everything_says_so_and_close_may_come_again(
        self, digits: Benchmark, tmp_path: Path
    ) -> None:
        with gymnasium.make("optarena/llvm-ic-v0", benchmark=digits) as made:
            env = cast("LlvmEnv", made)
            env.reset()
            env.close()
            env.close()
            for call in (*_calls(env, tmp_path), env.reset, lambda: copy.deepcopy(env)):
                with pytest.raises(ServiceClosed, match="Make a new one"):
                    call()
        env.close()


def _calls(env: LlvmEnv, folder: Path) -> list[Any]:
    return [
        lambda: env.step(0),
        lambda: env.multistep([]),
        lambda: env.step(0, observation_spaces=[], reward_spaces=[]),
        env.fork,
        env.validate,
        lambda: env.state,
        lambda: env.episode_walltime,
        lambda: env.sandbox,
        lambda: env.observation["Ir"],
        lambda: env.reward[COUNT],
        lambda: env.parameter("x"),
        lambda: env.write_ir(folder / "x.ll"),
        lambda: env.write_bitcode(folder / "x.bc"),
    ]


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize("name", ["observation_space", "reward_space", "action_space"])
def test_a_space_is_not_chosen_by_an_assignment(name: str, env: LlvmEnv, *, wrapped: bool) -> None:
    before = env.observation_space, env.action_space
    with pytest.raises(InvalidInput, match=f"{name} cannot be chosen .* make\\({name}"):
        setattr(Counter(env) if wrapped else env, name, "InstCount")
    assert (env.observation_space, env.action_space) == before
    env.step(MEM2REG)


def test_tables_of_views_have_their_columns_in_one_order(env: LlvmEnv) -> None:
    seen = list(env.observation["FunctionProperties"])
    assert seen == sorted(seen)


def test_masks_allow_the_actions_that_would_change_something(env: LlvmEnv) -> None:
    env.step(INSTCOMBINE)
    masks, state = env.action_masks(), env.observation["IrSha1"]
    assert masks.shape == (len(CURATED),)
    assert masks.dtype == np.bool_
    assert masks[SIMPLIFYCFG]
    assert not masks[INSTCOMBINE]
    for action in np.flatnonzero(masks)[:5].tolist() + np.flatnonzero(~masks)[:5].tolist():
        with env.fork() as twin:
            assert twin.step(action)[-1]["action_had_no_effect"] != masks[action]
    assert env.observation["IrSha1"] == state


def test_actions_of_several_parts_have_no_masks(env: LlvmEnv) -> None:
    env.reset(options={"action_space": "llvm-functions-v0"})
    with pytest.raises(InvalidInput, match="llvm-functions-v0") as caught:
        env.action_masks()
    assert caught.value.field == "action_space"
