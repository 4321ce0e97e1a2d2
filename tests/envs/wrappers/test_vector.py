"""Several environments that step at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import optarena
from optarena.errors import InvalidAction, InvalidInput, ServiceClosed, UnknownName
from optarena.isolation.limits import ProcessLimits
from optarena.llvm.actions import CURATED
from optarena.wrappers import ConstrainedCommandline, NormalisedAutophase, TimeLimit
from tests.kit.processes import session_pid

if TYPE_CHECKING:
    from optarena.env import CompilerEnv
    from optarena.wrappers.vector import CompilerVectorEnv

PROGRAMS = [f"benchmark://kernels-v0/{name}" for name in ("quicksort", "sha256", "matrix")]
PASSES = ["mem2reg", "simplifycfg", "gvn", "sroa"]
MEM2REG = CURATED.index("mem2reg")
LIMIT = 5
STEPS = 14


@pytest.fixture
def vector() -> Iterator[CompilerVectorEnv]:
    envs = optarena.make_vec("llvm-ic-v0", 3, benchmark=PROGRAMS)
    yield envs
    envs.close()


def walked(envs: SyncVectorEnv, number: int) -> list[Any]:
    rng = np.random.default_rng(3)
    told = list(envs.reset(seed=1))
    for _ in range(STEPS):
        told += envs.step(rng.integers(0, number, 3))
    envs.close()
    return told


def members(envs: CompilerVectorEnv) -> list[CompilerEnv]:
    return cast("list[CompilerEnv]", envs.envs)


def plain(told: Any) -> Any:
    if isinstance(told, dict):
        return {key: plain(value) for key, value in told.items()}
    listed = told.tolist() if isinstance(told, np.ndarray) else told
    return [plain(one) for one in listed] if isinstance(listed, (list, tuple)) else listed


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize(
    "wrappers",
    [
        [partial(TimeLimit, max_episode_steps=LIMIT)],
        [partial(gymnasium.wrappers.TimeLimit, max_episode_steps=LIMIT)],
        [NormalisedAutophase, partial(TimeLimit, max_episode_steps=LIMIT)],
        [partial(ConstrainedCommandline, flags=PASSES), partial(TimeLimit, max_episode_steps=LIMIT)],
    ],
    ids=["ours", "gymnasium's", "observations", "actions"],
)
def test_it_gives_what_members_one_after_the_other_do(mode: AutoresetMode, wrappers: list[Any]) -> None:
    def member(program: str) -> gymnasium.Env[Any, Any]:
        env: Any = optarena.make("llvm-ic-v0", benchmark=program, observation_space="Autophase")
        for wrapper in wrappers:
            env = wrapper(env)
        return cast("gymnasium.Env[Any, Any]", env)

    envs = optarena.make_vec(
        "llvm-ic-v0",
        3,
        benchmark=PROGRAMS,
        observation_space="Autophase",
        wrappers=wrappers,
        autoreset_mode=mode,
    )
    expected = SyncVectorEnv([partial(member, one) for one in PROGRAMS], autoreset_mode=mode)
    number = int(cast("Any", expected.single_action_space).n)
    assert plain(walked(envs, number)) == plain(walked(expected, number))


def test_a_member_that_nothing_resets_takes_no_step_after_its_episode() -> None:
    wrappers: Any = [partial(gymnasium.wrappers.TimeLimit, max_episode_steps=1)]
    with closing(
        optarena.make_vec("llvm-ic-v0", 2, wrappers=wrappers, autoreset_mode=AutoresetMode.DISABLED)
    ) as envs:
        envs.reset()
        assert envs.step([MEM2REG] * 2)[3].all()
        envs.reset(options={"reset_mask": np.array([True, False])})
        with pytest.raises(ResetNeeded, match="of members 1"):
            envs.step([MEM2REG] * 2)
        assert [cast("Any", env).unwrapped.actions for env in envs.envs] == [[], [MEM2REG]]


def test_a_member_that_dies_or_hangs_ends_its_own_episode_only() -> None:
    limits = ProcessLimits(cpu_seconds_per_call=0.3, wall_seconds_per_call=0.3)
    with closing(optarena.make_vec("llvm-ic-v0", 4, limits=limits)) as envs:
        actions = np.full(4, MEM2REG)
        first, _ = envs.reset()
        envs.step(actions)
        os.kill(session_pid(envs.envs[0]), signal.SIGKILL)
        os.kill(session_pid(envs.envs[1]), signal.SIGSTOP)
        _, _, terminated, _, infos = envs.step(np.full(4, CURATED.index("instcombine")))
        assert terminated.tolist() == [True, True, False, False]
        assert infos["error_type"].tolist()[:2] == ["crash", "timeout"]
        again, _, terminated, _, _ = envs.step(actions)
        assert not terminated.any()
        assert np.array_equal(again[:2], first[:2])


def test_a_wrong_action_raises_and_changes_nothing(vector: CompilerVectorEnv) -> None:
    vector.reset()
    vector.step([MEM2REG] * 3)
    with pytest.raises(InvalidAction, match="position 2"):
        vector.step([MEM2REG, MEM2REG, 10_000])
    assert [env.actions for env in members(vector)] == [[MEM2REG]] * 3


def test_an_error_of_one_member_leaves_the_others_usable(vector: CompilerVectorEnv) -> None:
    vector.reset()
    vector.step([MEM2REG] * 3)
    vector.envs[0].close()
    with pytest.raises(ServiceClosed):
        vector.step([MEM2REG] * 3)
    assert [env.step(MEM2REG)[4]["action_had_no_effect"] for env in members(vector)[1:]] == [True, True]


def test_other_calls_are_refused_while_a_step_is_under_way(vector: CompilerVectorEnv) -> None:
    vector.reset()
    vector.step([MEM2REG] * 3)
    env = members(vector)[0]
    assert env.begin(MEM2REG)
    for call in (env.fork, lambda: env.observation["IrSha1"], lambda: env.peek([1])):
        with pytest.raises(InvalidInput, match="under way"):
            call()
    assert not env.begin(MEM2REG)
    env.finish()
    assert env.actions == [MEM2REG] * 2
    with env.fork() as twin:
        assert twin.observation["IrSha1"] == env.observation["IrSha1"]
    assert env.begin(MEM2REG)
    assert env.multistep(np.array([MEM2REG]))[4]["action_had_no_effect"]
    assert env.begin(MEM2REG)
    with pytest.raises(InvalidAction):
        env.step([MEM2REG, MEM2REG])
    env.reset()
    env.finish()
    assert env.actions == []


@pytest.mark.parametrize(
    ("arguments", "error", "field"),
    [
        ({"num_envs": 0}, InvalidInput, "num_envs"),
        ({"num_envs": "3"}, InvalidInput, "num_envs"),
        ({"num_envs": 3, "benchmark": PROGRAMS[:2]}, InvalidInput, "benchmark"),
        (
            {"num_envs": 2, "benchmark": [PROGRAMS[0], "benchmark://kernels-v0/none"]},
            UnknownName,
            "benchmark",
        ),
        ({"num_envs": 2, "max_episode_steps": 0}, InvalidInput, "max_episode_steps"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], error: type[InvalidInput], field: str) -> None:
    with pytest.raises(error) as caught:
        optarena.make_vec("llvm-ic-v0", **arguments)
    assert caught.value.field == field


def test_many_members_step_on_few_processors() -> None:
    with closing(optarena.make_vec("llvm-ic-v0", 64, benchmark=PROGRAMS[0])) as envs:
        envs.reset()
        for name in ("sroa", "gvn"):
            observations, *_ = envs.step([CURATED.index(name)] * 64)
        assert (observations == observations[0]).all()


def test_a_wrapper_gets_the_arrays_of_its_action_space() -> None:
    space = gymnasium.spaces.Box(0, 1, (len(CURATED),))
    weighted = partial(
        gymnasium.wrappers.TransformAction, func=lambda given: int(given.argmax()), action_space=space
    )
    weights = np.zeros((2, len(CURATED)), np.float32)
    weights[:, MEM2REG] = 1
    with closing(optarena.make_vec("llvm-ic-v0", 2, benchmark=PROGRAMS[0], wrappers=[weighted])) as envs:
        envs.reset()
        envs.step(weights)
        assert envs.get_attr("actions") == ([MEM2REG], [MEM2REG])
