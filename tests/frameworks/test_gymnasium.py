"""gymnasium's front doors: vectors in each mode, render modes, and every wrapper that fits."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import wrappers
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import optarena
from optarena.errors import InvalidAction
from optarena.wrappers import ActionWrapper
from optarena.wrappers.vector import CompilerVectorEnv
from tests.kit.examples import slow

ID = "optarena/llvm-ic-v0"
PROGRAM = "benchmark://kernels-v0/quicksort"
QUALIFIED = f"optarena:{ID}"


def same(value: Any) -> Any:
    return value


WRAPPED: dict[str, Any] = {
    "Autoreset": wrappers.Autoreset,
    "ClipReward": lambda env: wrappers.ClipReward(env, -1, 1),
    "DelayObservation": lambda env: wrappers.DelayObservation(env, delay=2),
    "DiscretizeObservation": lambda env: wrappers.DiscretizeObservation(env, bins=3),
    "DtypeObservation": lambda env: wrappers.DtypeObservation(env, np.float64),
    "FlattenObservation": wrappers.FlattenObservation,
    "FrameStackObservation": lambda env: wrappers.FrameStackObservation(env, 3),
    "MaxAndSkipObservation": lambda env: wrappers.MaxAndSkipObservation(env, skip=2),
    "NormalizeObservation": wrappers.NormalizeObservation,
    "NormalizeReward": wrappers.NormalizeReward,
    "OrderEnforcing": wrappers.OrderEnforcing,
    "PassiveEnvChecker": wrappers.PassiveEnvChecker,
    "RecordEpisodeStatistics": wrappers.RecordEpisodeStatistics,
    "RenderCollection": wrappers.RenderCollection,
    "RepeatAction": lambda env: wrappers.RepeatAction(env, num_repeats=2),
    "RescaleObservation": lambda env: wrappers.RescaleObservation(env, np.float32(0), np.float32(1)),
    "ReshapeObservation": lambda env: wrappers.ReshapeObservation(env, (7, 8)),
    "StickyAction": lambda env: wrappers.StickyAction(env, 0.5),
    "TimeAwareObservation": lambda env: wrappers.TimeAwareObservation(wrappers.TimeLimit(env, 3)),
    "TimeLimit": lambda env: wrappers.TimeLimit(env, 3),
    "TransformAction": lambda env: wrappers.TransformAction(env, same, env.action_space),
    "TransformObservation": lambda env: wrappers.TransformObservation(env, same, env.observation_space),
    "TransformReward": lambda env: wrappers.TransformReward(env, same),
}
OF_IMAGES = {
    "AddRenderObservation", "AddWhiteNoise", "AtariPreprocessing", "GrayscaleObservation", "HumanRendering",
    "ObstructView", "RecordVideo", "ResizeObservation",
}  # fmt: skip
OF_BOX_ACTIONS = {"ClipAction", "DiscretizeAction", "RescaleAction"}
OF_DICTS = {"FilterObservation"}
OF_OTHER_ARRAYS = {"ArrayConversion", "JaxToNumpy", "JaxToTorch", "NumpyToTorch"}  # test_others.py has them


def make(**arguments: Any) -> gymnasium.Env[Any, Any]:
    return gymnasium.make(ID, **{"benchmark": PROGRAM, **arguments})


def test_every_wrapper_is_in_one_of_these_lists() -> None:
    listed = WRAPPED.keys() | OF_IMAGES | OF_BOX_ACTIONS | OF_DICTS | OF_OTHER_ARRAYS | {"vector"}
    assert set(wrappers.__all__) <= listed


@pytest.mark.parametrize("name", WRAPPED)
def test_a_wrapper_of_gymnasium_works(name: str) -> None:
    with WRAPPED[name](make(render_mode="ansi")) as env, np.errstate(over="ignore"):
        env.action_space.seed(0)
        observation, _ = env.reset(seed=0)
        assert observation in env.observation_space
        for _ in range(4):
            observation, _, terminated, truncated, _ = env.step(env.action_space.sample())
            assert observation in env.observation_space
            if terminated or truncated:
                break


def test_observations_of_dicts_are_filtered() -> None:
    filtered = wrappers.FilterObservation(make(observation_space="AutophaseDict"), ["TotalInsts"])
    with wrappers.FlattenObservation(filtered) as env:
        assert list(filtered.reset()[0]) == ["TotalInsts"]
        assert env.observation_space.shape is not None


@pytest.mark.parametrize("observation", ["Autophase", "Ir"])
@pytest.mark.parametrize("autoreset", AutoresetMode)
@pytest.mark.parametrize("mode", ["sync", *slow(["async"])])
def test_a_vector_resets_itself_in_each_mode(mode: str, autoreset: AutoresetMode, observation: str) -> None:
    envs = gymnasium.make_vec(
        ID,
        num_envs=2,
        vectorization_mode=mode,
        vector_kwargs={"autoreset_mode": autoreset},
        max_episode_steps=2,
        benchmark=PROGRAM,
        observation_space=observation,
    )
    with_reset = autoreset is AutoresetMode.DISABLED
    try:
        first, _ = envs.reset(seed=0)
        pair = np.array([53, 54])
        seen = []
        for _ in range(5):
            observed, _, terminated, truncated, _ = envs.step(pair)
            ended = terminated | truncated
            seen.append(bool(ended.all()))
            if with_reset and ended.any():
                observed, _ = envs.reset(options={"reset_mask": ended})
                assert str(observed[0]) == str(first[0])
        assert len(observed) == len(first) == 2
        assert all(one in envs.single_observation_space for one in (*first, *observed))
        assert len(first[0]) > 0
        # In NEXT_STEP the third step does nothing but reset.
        at_once = autoreset is not AutoresetMode.NEXT_STEP
        assert seen == [False, True, False, at_once, not at_once]
    finally:
        envs.close()


def test_a_vector_without_a_mode_steps_all_members_at_once() -> None:
    envs = gymnasium.make_vec(ID, num_envs=2, max_episode_steps=2, benchmark=PROGRAM)
    try:
        assert isinstance(envs, CompilerVectorEnv)
        assert envs.spec is not None
        assert envs.spec.id == ID
        envs.reset(seed=0)
        for is_over in (False, True):
            truncated = envs.step(np.array([53, 54]))[3]
            assert truncated.tolist() == [is_over] * 2
    finally:
        envs.close()
    with pytest.raises(gymnasium.error.Error, match="wrappers"):
        gymnasium.make_vec(ID, num_envs=2, wrappers=[wrappers.NormalizeObservation])


def test_texts_of_an_asynchronous_vector_are_those_of_each_environment() -> None:
    with make() as env:
        names = env.action_space.names  # type: ignore[attr-defined] # an OptArena environment
    pair = np.array([names.index("mem2reg"), names.index("sroa")])
    texts: dict[str, list[tuple[str, ...]]] = {}
    for mode in ("sync", "async"):
        envs = gymnasium.make_vec(
            QUALIFIED, num_envs=2, vectorization_mode=mode, benchmark=PROGRAM, observation_space="Ir"
        )
        try:
            texts[mode] = [envs.reset()[0], envs.step(pair)[0]]
        finally:
            envs.close()
    assert texts["sync"] == texts["async"]
    assert texts["sync"][0] != texts["sync"][1]
    with make(observation_space="Ir") as env:
        assert env.observation_space.max_length < 2**30  # type: ignore[attr-defined] # a text


def test_render_modes_are_treated_as_in_gymnasiums_own_environments() -> None:
    with pytest.warns(UserWarning, match="rgb_array"):
        env = make(render_mode="rgb_array")
    with env:
        env.reset()
        with pytest.warns(UserWarning, match="ansi"):
            assert env.render() is None
    with make(render_mode="ansi_list") as env:
        env.reset()
        env.step(0)
        frames: Any = env.render()
        assert [type(frame) for frame in frames] == [str, str]


def test_the_checker_has_nothing_to_say() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(not wrapped|render mode|maximum value|minimum value).*")
        with make() as env:
            check_env(env.unwrapped)


class Groups(ActionWrapper):
    """Each action stands for several passes."""

    def __init__(self, env: gymnasium.Env[Any, Any], groups: list[Any]) -> None:
        super().__init__(env)
        self.groups = groups
        self.action_space = gymnasium.spaces.Discrete(len(groups))

    def action(self, action: Any) -> Any:
        return self.groups[int(action)]


def test_an_action_may_stand_for_several() -> None:
    with Groups(optarena.make("llvm-ic-v0", benchmark=PROGRAM), [[80, 73], 3, [], [80, 4711]]) as env:
        env.reset()
        alone = optarena.make("llvm-ic-v0", benchmark=PROGRAM)
        alone.reset()
        assert env.step(0)[1] == pytest.approx(alone.multistep([80, 73])[1])
        assert env.step(1)[1] == pytest.approx(alone.step(3)[1])
        alone.close()
        assert env.step(2)[1] == 0
        with pytest.raises(InvalidAction, match="4711"):
            env.multistep([0, 3])
        assert env.unwrapped.actions == [80, 73, 3]
        assert [step[1] for step in env.steps([0, 1])] == [pytest.approx(0)] * 2
        with env.fork() as twin:
            twin.step(0)
        assert len(env.unwrapped.actions) == 6


def test_one_action_of_several_parts_is_not_several() -> None:
    env = optarena.make("llvm-ic-v0", benchmark=PROGRAM, action_space="llvm-functions-v0")
    with Groups(env, [[80, 0], [[80, 0], (73, 1)]]) as wrapped:
        wrapped.reset()
        wrapped.multistep([0, 1])
        assert len(wrapped.unwrapped.actions) == 3
