"""Wrappers that change spaces: scaled Autophase features, fewer actions, an action that ends the episode."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Final, Unpack

import gymnasium
import numpy as np
from gymnasium import Env
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from optarena.env.spaces import NamedDiscrete, check_actions
from optarena.errors import InvalidAction, InvalidInput
from optarena.llvm.feature_names import AUTOPHASE_NAMES
from optarena.specs import check_action, unknown_name
from optarena.wrappers import base

if TYPE_CHECKING:
    from optarena.wrappers.base import First, SpaceNames, Step

AUTOPHASE: Final = "Autophase"
Features = NDArray[np.float32]


class AutophaseWrapper(base.ObservationWrapper):
    """An observation computed from the 56 features, each a 32-bit float from 0 to ``highest``.

    Raises:
        InvalidInput: What the environment observes differs from ``Autophase``.
    """

    highest: ClassVar[float] = 1.0

    def __init__(self, env: Env[Any, Any]) -> None:
        RecordConstructorArgs.__init__(self)
        super().__init__(env)
        size = len(AUTOPHASE_NAMES)
        name, space = self.observation_space_name, self.env.observation_space
        if name != AUTOPHASE or space != self.observations[AUTOPHASE].space:
            message = (
                f"{type(self).__name__} needs the {size} features of {AUTOPHASE}, but the "
                f"environment observes {name!r} as {space!r:.100}."
            )
            remedy = f"Make it with observation_space={AUTOPHASE!r}."
            raise InvalidInput(message, field="observation_space", value=name, remedy=remedy)
        self.observation_space = gymnasium.spaces.Box(0.0, self.highest, (size,), np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        base.refuse_option(type(self).__name__, options, "observation_space", AUTOPHASE)
        return super().reset(seed=seed, options=options)


class LogAutophase(AutophaseWrapper):
    """``log(1 + count)`` of each feature: shape (56,), float32, from 0 to 44, in practice below 16.

    Args:
        env: The environment to wrap, which observes ``Autophase``.

    Raises:
        InvalidInput: It observes something else.
    """

    highest: ClassVar[float] = 44.0  # above log(2**63)

    def convert_observation(self, observation: Any) -> Features:  # noqa: ANN401 # 56 integers
        return np.log1p(np.asarray(observation, np.float64)).astype(np.float32)


_TOTAL: Final = AUTOPHASE_NAMES.index("TotalInsts")


class NormalisedAutophase(AutophaseWrapper):
    """Each feature divided by the number of instructions, at most 1: shape (56,), float32.

    Shows the composition of a program, not its size: ``TotalInsts`` itself is always 1, or 0 for a
    program without instructions, as after a failure of the compiler. The few counts that may exceed that of
    the instructions, such as constants, are cut to 1. ``LogAutophase`` keeps the size.

    Args:
        env: The environment to wrap, which observes ``Autophase``.

    Raises:
        InvalidInput: It observes something else.
    """

    def convert_observation(self, observation: Any) -> Features:  # noqa: ANN401 # 56 integers
        counts = np.asarray(observation, np.float64)
        shares: Features = np.clip(counts / max(counts[_TOTAL], 1.0), 0.0, 1.0).astype(np.float32)
        return shares


class NamedObservations(base.ObservationWrapper):
    """Several observations together, as a ``Dict`` space.

    Args:
        env: The environment to wrap.
        names: Names of observations.

    Raises:
        UnknownName: There is no such observation.
    """

    def __init__(self, env: Env[Any, Any], names: Iterable[str]) -> None:
        self.names = list(names)
        RecordConstructorArgs.__init__(self, names=self.names)
        super().__init__(env)
        self.observation_space = gymnasium.spaces.Dict(
            {name: self.observations[name].space for name in self.names}
        )

    def convert_observation(self, observation: Any) -> dict[str, Any]:  # noqa: ANN401, ARG002 # that of the environment
        values, *_ = self.env.multistep((), observation_spaces=self.names, reward_spaces=())
        return dict(zip(self.names, values, strict=True))


class ConstrainedCommandline(base.ActionWrapper):
    """Reduces a named action space to some of its actions, in the given order.

    ``action_space`` converts between names and numbers (``from_string``, ``to_string``), and ``actions`` are
    its numbers. ``state`` and ``commandline()`` are those of the full space, so that they mean the same
    without the wrapper.

    Args:
        env: The environment to wrap; its actions must have names.
        flags: The names of the actions to keep, each once.
        name: Name of the new space; that of the full one if None.

    Raises:
        UnknownName: There is no action of that name; the message names near matches.
        InvalidInput: No names are given, one is repeated, or the environment's actions have no names.
    """

    def __init__(self, env: Env[Any, Any], flags: Iterable[str], name: str | None = None) -> None:
        chosen = base.items_of("flags", flags, "names of actions")
        RecordConstructorArgs.__init__(self, flags=list(chosen), name=name)
        super().__init__(env)
        names = base.names_of(type(self).__name__, self.env.action_space)
        for flag in chosen:
            if flag not in names:
                raise unknown_name("action", flag, names)
        if len(set(chosen)) < len(chosen):
            twice = next(flag for flag in chosen if chosen.count(flag) > 1)
            message = f"The action {twice!r} is given twice."
            raise InvalidInput(message, field="flags", value=twice, remedy="Name each action once.")
        self._flags = chosen
        self._inner = tuple(names.index(flag) for flag in chosen)
        self._space_name = self.action_space_name
        self.action_space = NamedDiscrete(chosen, self._space_name if name is None else name)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> First:
        base.refuse_option(type(self).__name__, options, "action_space", self._space_name)
        return super().reset(seed=seed, options=options)

    def action(self, action: Any) -> int:  # noqa: ANN401 # checked here
        return self._inner[check_action(action, len(self._inner))]

    def reverse_action(self, action: Any) -> int:  # noqa: ANN401 # of the full space
        if action not in self._inner:
            message = f"Action {action!r:.100} of the full space is not in {self.action_space!r:.100}."
            remedy = f"The allowed actions are: {', '.join(self._flags[:20])}."
            raise InvalidAction(message, field="action", value=action, remedy=remedy)
        return self._inner.index(action)


class CommandlineWithTerminalAction(base.EndingWrapper):
    """Adds an action to the end of a named action space that ends the episode.

    With it, ``terminated`` is true, ``info`` has ``terminal_action``, and the program stays as it is. A
    multistep is cut off at it. It is neither in ``actions`` nor in the command line.

    Args:
        env: The environment to wrap; its actions must have names.
        terminal: The name of the new action, a single word.

    Raises:
        InvalidInput: The actions have no names, or the new name is taken or not a single word.
    """

    def __init__(self, env: Env[Any, Any], terminal: str = "end-of-episode") -> None:
        RecordConstructorArgs.__init__(self, terminal=terminal)
        super().__init__(env)
        names = base.names_of(type(self).__name__, self.env.action_space)
        if not isinstance(terminal, str) or terminal.split() != [terminal] or terminal in names:
            message = f"The terminal action cannot be named {terminal!r:.100}."
            remedy = "Give a single word that is not the name of another action."
            raise InvalidInput(message, field="terminal", value=terminal, remedy=remedy)
        self._space_name = self.action_space_name
        self.action_space = NamedDiscrete((*names, terminal), self._space_name)
        self.terminal_action = len(names)
        self._terminal = terminal

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> First:
        base.refuse_option(type(self).__name__, options, "action_space", self._space_name)
        return super().reset(seed=seed, options=options)

    def action_masks(self) -> NDArray[np.bool_]:
        return np.append(self.env.action_masks(), True)  # the new action is always allowed

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        checked = check_actions(self.action_space, actions)
        ends = self.terminal_action in checked
        applied = checked[: checked.index(self.terminal_action)] if ends else checked
        observation, reward, terminated, truncated, info = super().multistep(applied, **spaces)
        if ends and not terminated:  # otherwise the terminal action was not reached
            terminated, info = True, {**info, "terminal_action": True}
            self._end(f"the agent chose {self._terminal!r}.")
        return observation, reward, terminated, truncated, info
