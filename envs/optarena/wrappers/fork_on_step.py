"""Taking steps back."""

from __future__ import annotations

from collections import deque
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from gymnasium.utils import RecordConstructorArgs

from optarena.env.spaces import check_actions
from optarena.errors import InvalidInput
from optarena.wrappers.arguments import positive_integer
from optarena.wrappers.base import CompilerEnvWrapper

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gymnasium import Env
    from typing_extensions import Unpack

    from optarena.env import CompilerEnv
    from optarena.wrappers.base import SpaceNames, Step


class ForkOnStep(CompilerEnvWrapper):
    """Forks the environment before every step or multistep, so that ``undo()`` can take it back.

    Each fork is a waiting process with an exact copy, so even a step that crashed the compiler can be taken
    back. After ``undo()``, ``env`` and ``unwrapped`` are other objects. Wrappers inside this one are taken
    back too, for example the count of a ``TimeLimit``; those outside are not. A fork of this wrapper starts
    with nothing to undo.

    Args:
        env: The environment to wrap.
        max_depth: How many steps can be taken back; older forks are closed.

    Raises:
        InvalidInput: ``max_depth`` is not a positive integer.
    """

    def __init__(self, env: Env[Any, Any], max_depth: int = 100) -> None:
        RecordConstructorArgs.__init__(self, max_depth=max_depth)
        super().__init__(env)
        self._max_depth = positive_integer("max_depth", max_depth)
        self._stack: deque[CompilerEnv | CompilerEnvWrapper] = deque()

    @property
    def depth(self) -> int:
        """How many steps can be taken back now."""
        return len(self._stack)

    def undo(self) -> None:
        """Go back to before the last step or multistep of this episode.

        Raises:
            InvalidInput: There is no such step, or it is further back than ``max_depth``.
        """
        if not self._stack:
            remedy = "Call step() first; after reset() and fork() there is nothing to undo."
            raise InvalidInput("There is no step to undo.", field="undo", value=0, remedy=remedy)
        undone, self.env = self.env, self._stack.pop()
        undone.close()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode, with nothing to undo; see ``CompilerEnv.reset``."""
        first = super().reset(seed=seed, options=options)
        self._forget()
        return first

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        """Apply several actions, which one ``undo()`` takes back; see ``CompilerEnvWrapper``.

        Raises:
            ServiceError: The environment cannot be forked; the episode is over.
        """
        checked = check_actions(self.env.action_space, actions)
        before, applied = self.env.fork(), len(self.unwrapped.actions)
        try:
            done = super().multistep(checked, **spaces)
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            if len(self.unwrapped.actions) == applied:
                before.close()
            else:  # the actions were applied, and their observation cannot be read
                self._keep(before)
            raise
        self._keep(before)
        return done

    def _keep(self, before: CompilerEnv | CompilerEnvWrapper) -> None:
        self._stack.append(before)
        if len(self._stack) > self._max_depth:
            self._stack.popleft().close()

    def close(self) -> None:
        """End the session and all its forks; may be called again."""
        try:
            self._forget()
        finally:
            super().close()

    def _forget(self) -> None:
        with ExitStack() as closing:  # closes the others even if one fails
            while self._stack:
                closing.callback(self._stack.pop().close)

    def on_fork(self) -> None:
        """Start with nothing to undo; see ``CompilerEnvWrapper``."""
        self._stack = deque()

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_stack": deque()}
