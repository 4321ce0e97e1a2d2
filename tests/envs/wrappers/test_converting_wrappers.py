"""Wrappers of rewards and observations: what they define, views beside them, and what runs the program."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from optarena.env.views import ObservationView, RewardView
from optarena.errors import InvalidInput, UnknownName
from optarena.llvm.actions import CURATED
from optarena.wrappers import (
    CommandlineWithTerminalAction,
    CompilerEnvWrapper,
    LogAutophase,
    NormalisedAutophase,
    ObservationWrapper,
    RewardWrapper,
    RuntimePointEstimateReward,
    TimeLimit,
    ValidateBenchmarkAfterEveryStep,
)

if TYPE_CHECKING:
    from optarena.datasets import Benchmark
    from optarena.env import CompilerEnv

    Make = Callable[..., CompilerEnv]


MEM2REG, GVN = map(CURATED.index, ("mem2reg", "gvn"))
COST = "IrInstructionCount"


class Converted(RewardWrapper):
    def convert_reward(self, reward: float) -> float:
        return 2 * reward


class Named(RewardWrapper):
    def reward(self, reward: float) -> float:  # type: ignore[override] # a view takes its place
        return 3 * reward


class NamedAfterConverted(Converted):
    def reward(self, reward: float) -> float:  # type: ignore[override] # a view takes its place
        return 1 + super().convert_reward(reward)


class ConvertedAfterNamed(Named):
    def convert_reward(self, reward: float) -> float:
        return super().reward(reward) - 1


class NamedTwice(NamedAfterConverted):
    def reward(self, reward: float) -> float:  # type: ignore[override] # a view takes its place
        return -super().reward(reward)


class Mixin:
    def reward(self, reward: float) -> float:
        return 10 * reward


class Mixed(Mixin, Converted):
    """Ten times the reward."""


class Inherited(Named):
    """Three times the reward."""


class Absolute(RewardWrapper):
    convert_reward = abs  # type: ignore[assignment] # of a number too


EXPECTED = {
    Converted: lambda reward: 2 * reward,
    Named: lambda reward: 3 * reward,
    NamedAfterConverted: lambda reward: 1 + 2 * reward,
    ConvertedAfterNamed: lambda reward: 3 * reward - 1,
    NamedTwice: lambda reward: -(1 + 2 * reward),
    Mixed: lambda reward: 10 * reward,
    Inherited: lambda reward: 3 * reward,
    Absolute: abs,
}


@pytest.mark.parametrize("kind", EXPECTED)
def test_the_nearest_definition_of_either_name_converts_the_reward(
    kind: type[RewardWrapper], env: CompilerEnv
) -> None:
    expected = EXPECTED[kind]
    wrapped = kind(env)
    wrapped.reset()
    before = wrapped.observation[COST]
    _, reward, *_ = wrapped.step(MEM2REG)
    won = before - wrapped.observation[COST]
    assert reward == wrapped.episode_reward == expected(won)
    assert wrapped.state.reward == won
    for convert in (wrapped.convert_reward, wrapped.reward):
        assert convert(7.0) == expected(7.0)
    with wrapped.fork() as fork:
        inner = fork.env.step(GVN, reward_spaces=[COST])
    assert wrapped.step(GVN, reward_spaces=[COST])[1] == inner[1] != [0.0]
    assert wrapped.episode_reward == reward


@pytest.mark.parametrize("kind", [Converted, NamedTwice, Mixed])
def test_the_rewards_stay_a_view(kind: type[RewardWrapper], env: CompilerEnv) -> None:
    wrapped = kind(env)
    wrapped.reset()
    wrapped.step(MEM2REG)
    assert isinstance(wrapped.reward, RewardView)
    assert (wrapped.reward[COST], wrapped.reward[COST]) == (env.episode_reward, 0)
    assert list(wrapped.reward) == list(env.reward)
    assert wrapped.reward.spaces == env.reward.spaces
    with pytest.raises(UnknownName, match="Did you mean"):
        wrapped.reward["IrInstructionCoun"]


class Longer(ObservationWrapper):
    """Features with their number of instructions, by gymnasium's name, which looks at other observations."""

    def observation(self, observation: Any) -> Any:  # type: ignore[override] # a view takes its place
        return [*observation, self.observation[COST]]  # type: ignore[index] # the view


class Shorter(Longer):
    def convert_observation(self, observation: Any) -> Any:
        return super().observation(observation)[-1:]


@pytest.mark.parametrize(("kind", "length"), [(Longer, 57), (Shorter, 1)])
def test_observations_have_two_names_as_well(
    kind: type[ObservationWrapper], length: int, env: CompilerEnv
) -> None:
    wrapped = kind(env)
    first, _ = wrapped.reset()
    assert (len(first), first[-1]) == (length, env.observation[COST])
    stepped, *_ = wrapped.step(MEM2REG)
    assert (len(stepped), stepped[-1]) == (length, env.observation[COST])
    assert stepped[-1] < first[-1]
    assert isinstance(wrapped.observation, ObservationView)
    assert wrapped.observation.spaces == env.observation.spaces
    assert wrapped.step(0, observation_spaces=[COST])[0] == [stepped[-1]]


@pytest.mark.parametrize("kind", [NamedTwice, Longer])
def test_forks_and_pickles_convert_too(kind: type[CompilerEnvWrapper], env: CompilerEnv) -> None:
    wrapped = kind(env)
    wrapped.reset()
    with wrapped.fork() as fork, pickle.loads(pickle.dumps(wrapped)) as loaded:  # noqa: S301 # made here
        assert [list(map(str, one.step(MEM2REG)[:2])) for one in (fork, loaded)] == [
            list(map(str, wrapped.step(MEM2REG)[:2]))
        ] * 2


@pytest.mark.parametrize(("base", "name"), [(RewardWrapper, "reward"), (ObservationWrapper, "observation")])
def test_a_class_that_defines_both_names_is_refused(base: type, name: str) -> None:
    members = {name: lambda _, value: value, f"convert_{name}": lambda _, value: value}
    with pytest.raises(InvalidInput, match=rf"Both defines both {name}\(\) and convert_{name}\(\)") as caught:
        type("Both", (base,), members)
    assert (caught.value.field, caught.value.remedy) == (name, "Define one of them.")
    members[name] = members[f"convert_{name}"]
    type("Both", (base,), members)  # the same under two names is clear


def test_shares_of_the_program_are_from_0_to_1(env: CompilerEnv) -> None:
    scaled = NormalisedAutophase(env)
    assert scaled.observation_space == gymnasium.spaces.Box(0, 1, (56,), np.float32)
    for call in (scaled.reset, lambda: scaled.step(MEM2REG)):
        observation = call()[0]
        counts = scaled.observation["Autophase"]
        assert observation.dtype == np.float32
        assert observation in scaled.observation_space
        assert observation[51] == 1
        assert observation == pytest.approx(np.minimum(counts / counts[51], 1))
    raw = scaled.step(MEM2REG, observation_spaces=["Autophase"])[0]
    assert raw[0].dtype == np.float32


def test_logarithms_keep_the_size(env: CompilerEnv) -> None:
    scaled = LogAutophase(TimeLimit(env, 9))
    for call in (scaled.reset, lambda: scaled.multistep([MEM2REG])):
        observation = call()[0]
        assert observation in scaled.observation_space
        assert np.expm1(observation) == pytest.approx(scaled.observation["Autophase"], rel=1e-5)
    largest = np.full(56, 2**63 - 1, np.int64)
    assert scaled.convert_observation(largest) in scaled.observation_space


@pytest.mark.parametrize("kind", [NormalisedAutophase, LogAutophase])
def test_a_failed_step_observes_nothing(kind: Callable[[CompilerEnv], Any], env: CompilerEnv) -> None:
    scaled = kind(env)
    scaled.reset()
    env._episode.session.close()
    observation, _, terminated, _, _ = scaled.step(MEM2REG)
    assert terminated
    assert observation in scaled.observation_space
    assert not observation.any()


@pytest.mark.parametrize("kind", [NormalisedAutophase, LogAutophase])
def test_other_observations_are_refused(kind: Callable[[CompilerEnv], Any], make: Make) -> None:
    with pytest.raises(InvalidInput, match="observation_space='Autophase'"):
        kind(make(observation_space="IrInstructionCount"))
    env = make()
    with pytest.raises(InvalidInput, match="Autophase"):
        kind(kind(env))
    scaled = kind(env)
    scaled.reset()
    with pytest.raises(InvalidInput, match="cannot change"):
        scaled.reset(options={"observation_space": "Ir"})
    scaled.step(MEM2REG)


def test_another_observation_is_refused_in_whatever_mapping(env: CompilerEnv) -> None:
    with pytest.raises(InvalidInput, match="observation_space"):
        LogAutophase(env).reset(options=cast("Any", MappingProxyType({"observation_space": "InstCount"})))


def action(env: CompilerEnv, name: str) -> int:
    return list(env.environment.action_table.names).index(name)


class TestValidation:
    def test_a_right_program_goes_on(self, make: Make, digits: Benchmark) -> None:
        checked = ValidateBenchmarkAfterEveryStep(make(benchmark=digits), sandbox=False)
        checked.reset()
        _, reward, terminated, _, info = checked.step(MEM2REG)
        assert reward > 0
        assert not terminated
        assert "error_type" not in info
        assert checked.episode_reward == checked.unwrapped.episode_reward == reward

    @pytest.mark.parametrize(
        ("name", "kind", "details"),
        [
            ("lose", "semantics:output-differs", "greet"),
            ("spoil", "semantics:verifier", "spoiled"),
            ("die", "semantics:crash", "can no longer be run"),
            ("refuse", "semantics:crash", "first line"),
        ],
    )
    def test_a_wrong_program_ends_the_episode_with_the_penalty(
        self, sorter: CompilerEnv, name: str, kind: str, details: str
    ) -> None:
        checked = ValidateBenchmarkAfterEveryStep(sorter, reward_penalty=-7, sandbox=False)
        checked.reset()
        won = checked.step(0)[1]
        observation, reward, terminated, truncated, info = checked.step(action(sorter, name))
        assert observation in checked.observation_space
        assert (reward, terminated, truncated) == (-7, True, False)
        assert info["error_type"] == kind
        assert details in info["error_details"]
        assert checked.episode_reward == pytest.approx(won - 7)
        with pytest.raises(ResetNeeded):
            checked.step(0)
        checked.reset()
        assert checked.step(0)[2] is False

    def test_rewards_that_are_named_are_penalised_too(self, sorter: CompilerEnv) -> None:
        checked = ValidateBenchmarkAfterEveryStep(sorter, sandbox=False)
        checked.reset()
        names = ["inversions", "MakespanNorm"]
        with checked.fork() as fork:
            assert fork.step(action(sorter, "lose"), reward_spaces=names)[1] == [-1000.0, -1000.0]
        assert checked.step(0, reward_spaces=names)[2] is False

    def test_the_last_state_is_checked_when_another_wrapper_ends_the_episode(
        self, sorter: CompilerEnv
    ) -> None:
        lose = action(sorter, "lose")
        limited = ValidateBenchmarkAfterEveryStep(TimeLimit(sorter, 1), sandbox=False)
        limited.reset()
        assert limited.step(lose)[1:4] == (-1000.0, True, True)
        ended = CommandlineWithTerminalAction(sorter)
        checked = ValidateBenchmarkAfterEveryStep(ended, sandbox=False)
        checked.reset()
        assert checked.multistep([lose, ended.terminal_action])[1] == -1000.0

    @pytest.mark.parametrize("penalty", ["low", None, math.inf, True])
    def test_the_penalty_must_be_a_number(self, sorter: CompilerEnv, penalty: Any) -> None:
        with pytest.raises(InvalidInput, match="reward_penalty"):
            ValidateBenchmarkAfterEveryStep(sorter, penalty)


class TestRuntime:
    """RuntimePointEstimateReward: arithmetic with an exact observation, and with real run times."""

    def test_the_reward_is_what_a_step_saves(self, sorter: CompilerEnv) -> None:
        timed = RuntimePointEstimateReward(sorter, observation="makespan")
        assert math.isnan(timed.runtime)
        timed.reset()
        first = timed.runtime
        assert first == sorter.observation["makespan"]
        rewards = [timed.step(0)[1] for _ in range(3)]
        assert rewards[0] > 0
        assert timed.runtime == sorter.observation["makespan"]
        assert sum(rewards) == first - timed.runtime == timed.episode_reward
        with timed.fork() as fork:
            assert fork.step(action(sorter, "reverse"))[1] < 0
            assert fork.episode_reward != timed.episode_reward
        assert isinstance(timed.step(0, reward_spaces=["inversions"])[1], list)
        timed.reset()
        assert (timed.episode_reward, timed.runtime) == (0, first)

    def test_real_programs_are_run_as_often_as_asked(self, make: Make, digits: Benchmark) -> None:
        sizes = []

        def least(seconds: Any) -> float:
            sizes.append(seconds.shape)
            return float(np.min(seconds))

        timed = RuntimePointEstimateReward(make(benchmark=digits), 2, warmup_count=1, estimator=least)
        timed.reset()
        before = timed.runtime
        assert 0 < before < 60
        _, reward, terminated, _, _ = timed.step(MEM2REG)
        assert not terminated
        assert reward == before - timed.runtime
        assert timed.step(MEM2REG)[1] == 0  # without effect: not run again
        assert sizes == [(2,), (2,)]

    def test_a_program_that_cannot_be_run_has_no_reward(self, env: CompilerEnv) -> None:
        timed = RuntimePointEstimateReward(env)
        with pytest.raises(InvalidInput, match="no workloads"):
            timed.reset()
        with pytest.raises(ResetNeeded, match="could not be measured"):
            timed.step(MEM2REG)

    def test_a_program_that_fails_takes_back_what_was_won(self, make: Make, digits: Benchmark) -> None:
        timed = RuntimePointEstimateReward(make(benchmark=digits), 1, estimator="max")
        timed.reset()
        timed._total = 0.5  # as if much had been won
        timed.unwrapped._episode.session.close()
        _, reward, terminated, _, info = timed.step(MEM2REG)
        assert (reward, terminated) == (-0.5, True)
        assert info["error_type"]
        with pytest.raises(ResetNeeded):
            timed.step(MEM2REG)

    @pytest.mark.parametrize(
        ("arguments", "match"),
        [
            ({"runtime_count": 0}, "runtime_count"),
            ({"warmup_count": -1}, "warmup_count"),
            ({"estimator": "medain"}, "'median'"),
        ],
    )
    def test_bad_arguments_are_named(self, env: CompilerEnv, arguments: dict[str, Any], match: str) -> None:
        with pytest.raises(InvalidInput, match=match):
            RuntimePointEstimateReward(env, **arguments)

    def test_the_observation_must_exist(self, sorter: CompilerEnv) -> None:
        with pytest.raises(UnknownName, match="Runtime"):
            RuntimePointEstimateReward(sorter)
