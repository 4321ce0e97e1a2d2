"""The base of wrappers that change actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optarena.env.spaces import listed_actions
from optarena.wrappers.base import CompilerEnvWrapper

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Unpack

    from optarena.wrappers.base import SpaceNames, Step


class ActionWrapper(CompilerEnvWrapper):
    """Converts each action into one of the wrapped environment.

    A subclass defines ``action()``, and ``reverse_action()`` if ``actions`` and ``apply()`` are needed, and
    sets ``action_space`` if it has another one. gymnasium's class of this name has no ``multistep()``.
    """

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        """Apply several actions; see ``CompilerEnvWrapper``. All are converted before any is applied."""
        inner = [self.action(action) for action in listed_actions(actions)]
        return self.env.multistep(inner, **spaces)

    def action(self, action: Any) -> Any:  # noqa: ANN401 # of any space
        """The wrapped environment's action that an action of this wrapper stands for.

        Raises:
            InvalidAction: It is not in this wrapper's action space.
        """
        raise NotImplementedError(f"{type(self).__name__} must define action().")

    def reverse_action(self, action: Any) -> Any:  # noqa: ANN401 # of any space
        """The action of this wrapper that stands for an action of the wrapped environment.

        Raises:
            InvalidAction: There is no such action.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define reverse_action().")

    def _from_inside(self, actions: list[Any]) -> list[Any]:
        return [self.reverse_action(action) for action in super()._from_inside(actions)]
