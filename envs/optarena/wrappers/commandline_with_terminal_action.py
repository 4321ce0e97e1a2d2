"""An action that ends the episode, for agents that decide when to stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gymnasium.utils import RecordConstructorArgs

from optarena.env.spaces import NamedDiscrete, check_actions
from optarena.errors import InvalidInput
from optarena.wrappers.arguments import names_of, refuse_option
from optarena.wrappers.ending_wrapper import EndingWrapper

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gymnasium import Env
    from typing_extensions import Unpack

    from optarena.wrappers.base import SpaceNames, Step


class CommandlineWithTerminalAction(EndingWrapper):
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
        names = names_of(type(self).__name__, self.env.action_space)
        if not isinstance(terminal, str) or terminal.split() != [terminal] or terminal in names:
            message = f"The terminal action cannot be named {terminal!r:.100}."
            remedy = "Give a single word that is not the name of another action."
            raise InvalidInput(message, field="terminal", value=terminal, remedy=remedy)
        self._space_name = self.action_space_name
        self.action_space = NamedDiscrete((*names, terminal), self._space_name)
        self.terminal_action = len(names)
        self._terminal = terminal

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode; see ``CompilerEnv.reset``.

        Raises:
            InvalidInput: An option is wrong, or requests another action space.
        """
        refuse_option(type(self).__name__, options, "action_space", self._space_name)
        return super().reset(seed=seed, options=options)

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        """Apply the actions before the first terminal one; see ``CompilerEnvWrapper``."""
        checked = check_actions(self.action_space, actions)
        ends = self.terminal_action in checked
        applied = checked[: checked.index(self.terminal_action)] if ends else checked
        observation, reward, terminated, truncated, info = super().multistep(applied, **spaces)
        if ends and not terminated:  # otherwise the terminal action was not reached
            terminated, info = True, {**info, "terminal_action": True}
            self._end(f"the agent chose {self._terminal!r}.")
        return observation, reward, terminated, truncated, info
