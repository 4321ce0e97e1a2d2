"""Wrappers of rewards and observations: the two names of what they define, and the views beside them."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import pytest

from optarena.env.views import ObservationView, RewardView
from optarena.errors import InvalidInput, UnknownName
from optarena.llvm.actions import CURATED
from optarena.wrappers import ObservationWrapper, RewardWrapper

if TYPE_CHECKING:
    from optarena.env import CompilerEnv
    from optarena.wrappers import CompilerEnvWrapper

MEM2REG, GVN = map(CURATED.index, ("mem2reg", "gvn"))
COST = "IrInstructionCount"


class Converted(RewardWrapper):
    """Twice the reward, by this package's and CompilerGym's name."""

    def convert_reward(self, reward: float) -> float:
        """Twice as much."""
        return 2 * reward


class Named(RewardWrapper):
    """Three times the reward, by gymnasium's name."""

    def reward(self, reward: float) -> float:  # type: ignore[override] # a view takes its place
        """Three times as much."""
        return 3 * reward


class NamedAfterConverted(Converted):
    """One more than twice the reward."""

    def reward(self, reward: float) -> float:  # type: ignore[override] # a view takes its place
        """One more."""
        return 1 + super().convert_reward(reward)


class ConvertedAfterNamed(Named):
    """One less than three times the reward."""

    def convert_reward(self, reward: float) -> float:
        """One less."""
        return super().reward(reward) - 1


class NamedTwice(NamedAfterConverted):
    """The negative of one more than twice the reward."""

    def reward(self, reward: float) -> float:  # type: ignore[override] # a view takes its place
        """The negative."""
        return -super().reward(reward)


class Mixin:
    """Gives a wrapper its conversion."""

    def reward(self, reward: float) -> float:
        """Ten times as much."""
        return 10 * reward


class Mixed(Mixin, Converted):
    """Ten times the reward."""


class Inherited(Named):
    """Three times the reward."""


class Absolute(RewardWrapper):
    """The reward's absolute value, by a function that knows no wrapper."""

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


@pytest.mark.parametrize("kind", EXPECTED)
def test_the_rewards_stay_a_view(kind: type[RewardWrapper], env: CompilerEnv) -> None:
    wrapped = kind(env)
    wrapped.reset()
    wrapped.step(MEM2REG)
    assert isinstance(wrapped.reward, RewardView)
    assert wrapped.reward[COST] == env.episode_reward
    assert wrapped.reward[COST] == 0
    assert list(wrapped.reward) == list(env.reward)
    assert wrapped.reward.spaces == env.reward.spaces
    with pytest.raises(UnknownName, match="Did you mean"):
        wrapped.reward["IrInstructionCoun"]


class Longer(ObservationWrapper):
    """Features with their number of instructions, by gymnasium's name, which looks at other observations."""

    def observation(self, observation: Any) -> Any:  # type: ignore[override] # a view takes its place
        """The features and a count."""
        return [*observation, self.observation[COST]]  # type: ignore[index] # the view


class Shorter(Longer):
    """Only the count."""

    def convert_observation(self, observation: Any) -> Any:
        """The last."""
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
