"""Undoing steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from gymnasium.error import ResetNeeded

from optarena.errors import InvalidAction, InvalidInput, SessionCrashed
from optarena.llvm.actions import CURATED
from optarena.service.protocol.messages import RUN_PROGRAM, program_order
from optarena.wrappers import ForkOnStep, TimeLimit

if TYPE_CHECKING:
    from optarena.env import CompilerEnv

MEM2REG, GVN, SIMPLIFYCFG = map(CURATED.index, ("mem2reg", "gvn", "simplifycfg"))


def test_steps_are_taken_back_one_by_one(env: CompilerEnv) -> None:
    undoable = ForkOnStep(TimeLimit(env, 3))
    undoable.reset()
    digests = [undoable.observation["IrSha1"]]
    undoable.step(MEM2REG)
    digests.append(undoable.observation["IrSha1"])
    assert undoable.multistep([GVN, SIMPLIFYCFG])[3] is True
    with pytest.raises(InvalidAction):
        undoable.step(-1)
    assert undoable.depth == 2
    undoable.undo()
    assert (undoable.actions, undoable.observation["IrSha1"]) == ([MEM2REG], digests[1])
    assert undoable.multistep([SIMPLIFYCFG])[3] is False  # the limit inside has gone back too
    undoable.undo()
    undoable.undo()
    assert (undoable.actions, undoable.observation["IrSha1"]) == ([], digests[0])
    assert undoable.episode_reward == 0
    with pytest.raises(InvalidInput, match="no step to undo"):
        undoable.undo()
    undoable.step(MEM2REG)
    assert undoable.observation["IrSha1"] == digests[1]
    undoable.reset()
    assert undoable.depth == 0
    undoable.close()


def test_only_so_many_forks_are_kept(env: CompilerEnv) -> None:
    undoable = ForkOnStep(env, max_depth=2)
    undoable.reset()
    for action in (MEM2REG, GVN, SIMPLIFYCFG):
        undoable.step(action)
    with undoable.fork() as fork:
        assert fork.depth == 0
    assert undoable.depth == 2
    undoable.undo()
    undoable.undo()
    assert undoable.actions == [MEM2REG]
    with pytest.raises(InvalidInput):
        undoable.undo()
    undoable.close()
    with pytest.raises(InvalidInput, match="max_depth"):
        ForkOnStep(env, max_depth=0)


def test_a_crash_can_be_taken_back(sorter: CompilerEnv) -> None:
    undoable = ForkOnStep(sorter)
    undoable.reset()
    undoable.multistep([0, sorter.environment.action_table.names.index("die")])
    with pytest.raises(SessionCrashed):
        undoable.parameter(RUN_PROGRAM, program_order((), b"", seconds=9, output_bytes=9))
    with pytest.raises(ResetNeeded):
        undoable.step(0)
    undoable.undo()
    assert undoable.step(0)[2] is False
    assert undoable.actions == [0]
    undoable.close()
