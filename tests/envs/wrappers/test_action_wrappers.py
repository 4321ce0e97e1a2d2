"""Smaller and larger action spaces: the terminal action and the constrained command line."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any, cast

import pytest
from gymnasium.error import ResetNeeded

from optarena.errors import InvalidAction, InvalidInput, UnknownName
from optarena.llvm.actions import CURATED
from optarena.state import EnvState
from optarena.wrappers import (
    ActionWrapper,
    CommandlineWithTerminalAction,
    CompilerEnvWrapper,
    ConstrainedCommandline,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.env import CompilerEnv

MEM2REG, GVN, SIMPLIFYCFG = map(CURATED.index, ("mem2reg", "gvn", "simplifycfg"))
FLAGS = ["gvn", "mem2reg", "simplifycfg"]


class TestTerminalAction:
    """CommandlineWithTerminalAction."""

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
    """ConstrainedCommandline."""

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
        """Every action is itself."""

        def action(self, action: Any) -> Any:
            """Itself."""
            return action

    wrapped = Same(env)
    wrapped.reset()
    wrapped.step(GVN)
    assert wrapped.unwrapped.actions == [GVN]
    with pytest.raises(NotImplementedError, match="reverse_action"):
        _ = wrapped.actions


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
