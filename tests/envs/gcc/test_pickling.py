"""Pickles of GCC's environments, whose parameter stands for actions."""

from __future__ import annotations

import pickle
from typing import Any

import optarena
from optarena.gcc.options import CHOICES
from tests.kit.gcc import needs_gcc

pytestmark = needs_gcc

URI = "benchmark://gcc-kernels-v0/hashtable"


def line(words: str) -> list[Any]:
    return list(CHOICES.parse(f"gcc {words} -c program.c -o program.o"))


def test_a_pickle_knows_that_the_parameter_stands_for_the_actions_before_it() -> None:
    env = optarena.make("gcc-v0", benchmark=URI)
    env.reset()
    env.step(line("-O2 -fno-inline")[0])
    env.step(line("-O3")[0])
    told = env.parameter("choices")
    env.parameter("choices", told.replace("3", "5", 1))
    env.step(line("-O1")[0])
    with env, pickle.loads(pickle.dumps(env)) as twin:  # noqa: S301 # made here
        assert twin.actions == env.actions
        assert twin.observation["command_line"] == env.observation["command_line"]
        assert twin.episode_reward == env.episode_reward
