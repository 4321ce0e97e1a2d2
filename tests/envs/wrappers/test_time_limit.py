"""The limit on actions: what counts, what is cut off, what a fork has left."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest
from gymnasium.error import ResetNeeded

from optarena.errors import InvalidAction, InvalidInput
from optarena.llvm.actions import CURATED
from optarena.wrappers import ConstrainedCommandline, NormalisedAutophase, TimeLimit

if TYPE_CHECKING:
    from optarena.env import CompilerEnv

MEM2REG, GVN, SIMPLIFYCFG = map(CURATED.index, ("mem2reg", "gvn", "simplifycfg"))


def test_the_last_action_truncates_and_then_the_episode_is_over(env: CompilerEnv) -> None:
    limited = TimeLimit(env, max_episode_steps=2)
    assert limited.max_episode_steps == 2
    for _ in range(2):
        limited.reset()
        assert limited.step(MEM2REG)[2:4] == (False, False)
        assert limited.elapsed_steps == 1
        assert limited.step(GVN)[2:4] == (False, True)
        for call in (lambda: limited.step(GVN), lambda: limited.multistep([])):
            with pytest.raises(ResetNeeded, match="2 actions allowed"):
                call()
        assert limited.actions == [MEM2REG, GVN]


def test_a_multistep_is_cut_off_at_the_limit(env: CompilerEnv) -> None:
    limited = TimeLimit(env, 3)
    limited.reset()
    assert limited.multistep([])[3] is False
    assert limited.multistep([MEM2REG, GVN])[3] is False
    with pytest.raises(InvalidAction, match="position 2"):  # although it would be cut off
        limited.multistep([SIMPLIFYCFG, GVN, -1])
    assert limited.elapsed_steps == 2
    assert limited.multistep([SIMPLIFYCFG, GVN, GVN])[2:4] == (False, True)
    assert limited.actions == [MEM2REG, GVN, SIMPLIFYCFG]


def test_a_fork_has_as_many_actions_left(env: CompilerEnv) -> None:
    limited = TimeLimit(env, 2)
    limited.reset()
    limited.step(MEM2REG)
    with limited.fork() as fork:
        assert fork.step(GVN)[3] is True
        with copy.deepcopy(fork) as over, pytest.raises(ResetNeeded):
            over.step(GVN)
    assert limited.elapsed_steps == 1
    assert limited.step(GVN)[3] is True


def test_a_failed_reset_leaves_the_count(env: CompilerEnv) -> None:
    limited = TimeLimit(env, 2)
    limited.reset()
    limited.step(MEM2REG)
    with pytest.raises(InvalidInput):
        limited.reset(options={"benchmark": "benchmark://none-v0/none"})
    assert limited.step(GVN)[3] is True


@pytest.mark.parametrize("limit", [0, -1, True, 2.0, "3", None])
def test_a_limit_must_be_a_positive_integer(env: CompilerEnv, limit: Any) -> None:
    with pytest.raises(InvalidInput, match="max_episode_steps"):
        TimeLimit(env, limit)


def test_wrappers_can_be_nested(env: CompilerEnv) -> None:
    nested = TimeLimit(ConstrainedCommandline(NormalisedAutophase(env), ["gvn", "mem2reg"]), 2)
    observation, _ = nested.reset()
    assert observation.max() == 1
    with nested.fork() as fork:
        assert fork.multistep([1, 0, 0])[3] is True
        assert fork.actions == [1, 0]
        assert fork.unwrapped.actions == [MEM2REG, GVN]
        assert str(fork).startswith("<TimeLimit<ConstrainedCommandline<NormalisedAutophase<")
    assert nested.actions == []
