"""A smaller action space: some of the named actions, by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gymnasium.utils import RecordConstructorArgs

from optarena.env.spaces import NamedDiscrete
from optarena.errors import InvalidAction, InvalidInput
from optarena.specs import check_action, unknown_name
from optarena.wrappers.action_wrapper import ActionWrapper
from optarena.wrappers.arguments import items_of, names_of, refuse_option

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gymnasium import Env


class ConstrainedCommandline(ActionWrapper):
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
        chosen = items_of("flags", flags, "names of actions")
        RecordConstructorArgs.__init__(self, flags=list(chosen), name=name)
        super().__init__(env)
        names = names_of(type(self).__name__, self.env.action_space)
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

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode; see ``CompilerEnv.reset``.

        Raises:
            InvalidInput: An option is wrong, or requests another action space.
        """
        refuse_option(type(self).__name__, options, "action_space", self._space_name)
        return super().reset(seed=seed, options=options)

    def action(self, action: Any) -> int:  # noqa: ANN401 # checked here
        """The number in the full space of an action of this space.

        Raises:
            InvalidAction: It is not in this space.
        """
        return self._inner[check_action(action, len(self._inner))]

    def reverse_action(self, action: Any) -> int:  # noqa: ANN401 # of the full space
        """The number in this space of an action of the full space.

        Raises:
            InvalidAction: This space does not have it.
        """
        if action not in self._inner:
            message = f"Action {action!r:.100} of the full space is not in {self.action_space!r:.100}."
            remedy = f"The allowed actions are: {', '.join(self._flags[:20])}."
            raise InvalidAction(message, field="action", value=action, remedy=remedy)
        return self._inner.index(action)
