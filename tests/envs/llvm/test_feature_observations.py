"""Feature vectors, tables and graphs as an environment gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gymnasium
import numpy as np
import pytest

from optarena.env import CompilerEnv
from optarena.llvm.feature_names import INSTCOUNT_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = (
    *("InstCount", "InstCountDict", "InstCountNorm", "AutophaseDict"),
    *("FunctionProperties", "ProgramGraph"),
)


@pytest.fixture(scope="module")
def env() -> Iterator[CompilerEnv]:
    env = gymnasium.make("optarena/llvm-v0", benchmark="benchmark://kernels-v0/json").unwrapped
    assert isinstance(env, CompilerEnv)
    yield env
    env.close()


@pytest.mark.parametrize("name", NAMES)
def test_each_is_a_member_of_its_space_at_reset_and_at_a_step(env: CompilerEnv, name: str) -> None:
    space = env.observation.spaces[name]
    observation, _ = env.reset(seed=0, options={"observation_space": name})
    assert env.observation_space == space
    assert observation in space
    assert env.step(0)[0] in space


def test_all_tell_of_the_same_program(env: CompilerEnv) -> None:
    env.reset(options={"observation_space": None})
    counts = env.observation["InstCount"]
    named = env.observation["InstCountDict"]
    assert named == dict(zip(INSTCOUNT_NAMES, counts.tolist(), strict=True))
    assert np.allclose(env.observation["InstCountNorm"] * counts[0], counts[1:])
    assert (
        env.observation["AutophaseDict"]["TotalInsts"] == counts[0] == env.observation["IrInstructionCount"]
    )
    table = env.observation["FunctionProperties"]
    assert len(table["function"]) == named["TotalFuncsCount"]
    assert table["LoadInstCount"].sum() == named["LoadCount"]
    assert np.count_nonzero(env.observation["ProgramGraph"]["node_kind"] == 0) == counts[0]


def test_a_fork_sees_the_same(env: CompilerEnv) -> None:
    env.reset(options={"observation_space": None})
    env.step(0)
    with env.fork() as fork:
        for name in ("FunctionProperties", "ProgramGraph"):
            mine, its = env.observation[name], fork.observation[name]
            assert {key: list(column) for key, column in mine.items()} == {
                key: list(column) for key, column in its.items()
            }
