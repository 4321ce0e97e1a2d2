"""Wrappers of actions and episodes: fewer or more actions, their limit, undoing, counting."""

from __future__ import annotations

import copy
import os
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from optarena import limits
from optarena.errors import InvalidAction, InvalidInput, SessionCrashed, UnknownName
from optarena.llvm.actions import CURATED
from optarena.service.protocol.messages import RUN_PROGRAM, program_order
from optarena.state import EnvState
from optarena.wrappers import (
    ActionWrapper,
    CommandlineWithTerminalAction,
    CompilerEnvWrapper,
    ConstrainedCommandline,
    Counter,
    ForkOnStep,
    LogAutophase,
    TimeLimit,
)

if TYPE_CHECKING:
    from optarena.env import CompilerEnv

MEM2REG, GVN, SIMPLIFYCFG = map(CURATED.index, ("mem2reg", "gvn", "simplifycfg"))
FLAGS = ["gvn", "mem2reg", "simplifycfg"]


class Groups(ActionWrapper):
    def __init__(self, env: Any, groups: list[Any]) -> None:
        super().__init__(env)
        self.groups = groups
        self.action_space = spaces.Discrete(len(groups))

    def action(self, action: Any) -> Any:
        return self.groups[int(action)]


def test_masks_are_of_the_wrappers_own_actions(env: CompilerEnv, monkeypatch: pytest.MonkeyPatch) -> None:
    env.reset()
    env.step(MEM2REG)
    every = env.action_masks()
    with monkeypatch.context() as patch:  # as if the compiler had more actions than one call looks at
        patch.setattr(limits, "MAX_PEEKED_ACTIONS", 40)
        assert env.action_masks().tolist() == every.tolist()
    fewer = ConstrainedCommandline(env, FLAGS)
    assert fewer.action_masks().tolist() == every[[GVN, MEM2REG, SIMPLIFYCFG]].tolist()
    with_end = CommandlineWithTerminalAction(LogAutophase(fewer))
    assert with_end.action_masks().tolist() == [*fewer.action_masks().tolist(), True]
    grouped = Groups(env, [[MEM2REG, SIMPLIFYCFG], [MEM2REG, MEM2REG], [], MEM2REG, SIMPLIFYCFG])
    assert grouped.action_masks().tolist() == [every[SIMPLIFYCFG], False, False, False, every[SIMPLIFYCFG]]
    from_one = Groups(env, [[], [SIMPLIFYCFG], [MEM2REG], [SIMPLIFYCFG]])
    from_one.action_space = spaces.Discrete(3, start=1)
    assert from_one.action_masks().tolist() == [every[SIMPLIFYCFG], False, every[SIMPLIFYCFG]]
    silent = LogAutophase(env)
    silent.action_space = spaces.Discrete(len(every), start=1)
    with pytest.raises(InvalidInput, match="no mask"):
        silent.action_masks()
    grouped.action_space = spaces.MultiDiscrete([2, 2])
    with pytest.raises(InvalidInput, match="several parts"):
        grouped.action_masks()


class TestTerminalAction:
    def test_it_ends_the_episode_and_changes_nothing_else(self, env: CompilerEnv) -> None:
        wrapped = CommandlineWithTerminalAction(env)
        end = wrapped.terminal_action
        assert end == len(CURATED)
        assert wrapped.action_space.names == (*CURATED.names, "end-of-episode")
        wrapped.reset()
        wrapped.step(MEM2REG)
        digest = wrapped.observation["IrSha1"]
        _, reward, terminated, truncated, info = wrapped.step(end)
        assert (reward, terminated, truncated) == (0, True, False)
        assert info["terminal_action"] is True
        assert wrapped.observation["IrSha1"] == digest
        assert wrapped.actions == [MEM2REG]
        with pytest.raises(ResetNeeded, match="'end-of-episode'"):
            wrapped.step(MEM2REG)
        wrapped.reset()
        assert wrapped.step(MEM2REG)[2] is False

    def test_a_multistep_is_cut_off_at_it(self, env: CompilerEnv) -> None:
        wrapped = CommandlineWithTerminalAction(env, "stop")
        end = wrapped.terminal_action
        wrapped.reset()
        with pytest.raises(InvalidAction):
            wrapped.multistep([MEM2REG, end, end + 1])
        _, reward, terminated, _, _ = wrapped.multistep([MEM2REG, end, GVN])
        assert reward > 0
        assert terminated
        assert wrapped.state.commandline == CURATED.commandline([MEM2REG])

    @pytest.mark.parametrize("name", ["gvn", "", "two words", 3])
    def test_its_name_must_be_new(self, env: CompilerEnv, name: Any) -> None:
        with pytest.raises(InvalidInput, match="cannot be named"):
            CommandlineWithTerminalAction(env, name)


class TestConstrainedCommandline:
    def test_numbers_and_names_are_those_of_the_small_space(self, env: CompilerEnv) -> None:
        wrapped = ConstrainedCommandline(env, FLAGS, name="three")
        space = wrapped.action_space
        assert (space.n, space.name, space.names) == (3, "three", tuple(FLAGS))
        assert space.from_string("mem2reg gvn") == [1, 0]
        assert space.to_string([2, 1]) == "simplifycfg mem2reg"
        wrapped.reset()
        wrapped.multistep([1, 2])
        assert wrapped.actions == [1, 2]
        assert env.actions == [MEM2REG, SIMPLIFYCFG]
        assert wrapped.state.commandline == CURATED.commandline([MEM2REG, SIMPLIFYCFG])
        with pytest.raises(InvalidAction, match="0 to 2"):
            wrapped.step(3)

    def test_a_state_of_other_actions_cannot_be_applied(self, env: CompilerEnv) -> None:
        wrapped = ConstrainedCommandline(env, FLAGS)
        wrapped.reset()
        wrapped.step(1)
        state = EnvState(
            benchmark=env.benchmark.uri, commandline=CURATED.commandline([CURATED.index("sroa")])
        )
        with pytest.raises(InvalidAction, match="gvn, mem2reg, simplifycfg"):
            wrapped.apply(state)
        assert wrapped.actions == [1]

    def test_it_can_be_constrained_again_and_given_an_end(self, env: CompilerEnv) -> None:
        wrapped = ConstrainedCommandline(
            CommandlineWithTerminalAction(ConstrainedCommandline(env, FLAGS)), ["end-of-episode", "mem2reg"]
        )
        wrapped.reset()
        assert wrapped.multistep([1, 0, 1])[2] is True
        assert wrapped.actions == [1]
        assert env.actions == [MEM2REG]

    def test_bad_flags_are_named(self, env: CompilerEnv) -> None:
        with pytest.raises(UnknownName, match="'mem2reg'"):
            ConstrainedCommandline(env, ["gvn", "mem2re"])
        for flags, what in (([], "empty"), ("gvn", "list of names"), (["gvn", "gvn"], "twice"), (5, "list")):
            with pytest.raises(InvalidInput, match=what):
                ConstrainedCommandline(env, flags)  # type: ignore[arg-type] # that is what is tested


@pytest.mark.parametrize(
    "kind", [CommandlineWithTerminalAction, lambda env: ConstrainedCommandline(env, FLAGS)]
)
def test_the_action_space_cannot_be_changed_under_it(
    kind: Callable[[CompilerEnv], CompilerEnvWrapper], env: CompilerEnv
) -> None:
    wrapped = kind(env)
    wrapped.reset(options={"action_space": env.action_space_name})
    wrapped.step(0)
    with pytest.raises(InvalidInput, match="cannot change"):
        wrapped.reset(options={"action_space": "another"})
    assert len(wrapped.actions) == 1


def test_actions_without_names_are_refused(env: CompilerEnv, monkeypatch: pytest.MonkeyPatch) -> None:
    import gymnasium  # noqa: PLC0415 # for this test

    monkeypatch.setattr(env, "action_space", gymnasium.spaces.Discrete(3))
    for kind in (CommandlineWithTerminalAction, lambda one: ConstrainedCommandline(one, FLAGS)):
        with pytest.raises(InvalidInput, match="have names"):
            kind(env)


def test_an_action_wrapper_without_a_way_back_cannot_tell_its_actions(env: CompilerEnv) -> None:
    class Same(ActionWrapper):
        def action(self, action: Any) -> Any:
            return action

    wrapped = Same(env)
    wrapped.reset()
    wrapped.step(GVN)
    assert wrapped.unwrapped.actions == [GVN]
    with pytest.raises(NotImplementedError, match="reverse_action"):
        _ = wrapped.actions


PAIRS = spaces.Tuple((spaces.Discrete(2), spaces.Discrete(2)))


@pytest.mark.parametrize(
    ("space", "given", "number"),
    [
        (spaces.Discrete(5), [1, 2], 2),
        (spaces.Discrete(5), [], 0),
        (spaces.Box(0, 1, (2,)), [0.5, 0.5], 1),
        (spaces.Box(0, 1, (2,)), [np.zeros(2), np.ones(2), np.ones(2)], 3),
        (spaces.Box(0, 1, ()), [0.5, 0.5], 2),
        (spaces.MultiDiscrete([2, 2]), [1, 1], 1),
        (spaces.MultiDiscrete([2, 2]), [(0, 1), (1, 1)], 2),
        (PAIRS, [0, 1], 1),
        (PAIRS, [(0, 1), (1, 1)], 2),
        (spaces.Sequence(spaces.Discrete(3)), [0, 1, 2], 1),
        (spaces.Sequence(spaces.Discrete(3)), [(0, 1), (2,)], 2),
    ],
)
def test_a_list_is_several_actions_unless_it_is_one_of_the_space(
    env: CompilerEnv, space: spaces.Space[Any], given: list[Any], number: int
) -> None:
    class Inner(CompilerEnvWrapper):
        def multistep(self, actions: Any, **_: Any) -> Any:
            return list(actions), 0.0, False, False, {}

    class Same(ActionWrapper):
        def action(self, action: Any) -> Any:
            return action

    inner = Inner(env)
    inner.action_space = space
    taken = Same(inner).step(given)[0]
    assert (len(taken), taken) == (number, [given] if number == 1 else given)


def test_a_crash_before_the_terminal_action_is_no_choice(make: Callable[..., CompilerEnv]) -> None:
    inner = make()
    with CommandlineWithTerminalAction(inner) as wrapped:
        wrapped.reset()
        episode = inner._episode
        assert episode is not None
        os.kill(cast("Any", episode.session._connection).worker.pid, signal.SIGKILL)
        _, _, terminated, _, info = wrapped.multistep([MEM2REG, wrapped.terminal_action])
        assert terminated
        assert info["error_type"] == "crash"
        assert "terminal_action" not in info


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


def test_calls_that_did_something_are_counted(env: CompilerEnv) -> None:
    counted = Counter(env)
    assert set(counted.counters.values()) == {0}
    counted.reset()
    counted.step(0)
    counted.multistep(iter([1, 2, 3]))
    with pytest.raises(InvalidAction):
        counted.step(-1)
    expected = {"close": 0, "reset": 1, "step": 1, "multistep": 1, "fork": 0, "action": 4}
    assert counted.counters == expected
    assert len(counted.peek([0, 1])) == 2
    assert counted.counters == expected
    with counted.fork() as fork:
        assert fork.counters == expected
        fork.step(0)
    assert fork.counters == {**expected, "step": 2, "action": 5, "close": 1}
    assert counted.counters == {**expected, "fork": 1}
