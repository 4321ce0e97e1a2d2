"""The base of wrappers that end an episode earlier than the wrapped environment does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gymnasium.error import ResetNeeded

from optarena.wrappers.base import CompilerEnvWrapper

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gymnasium import Env
    from typing_extensions import Unpack

    from optarena.wrappers.base import SpaceNames, Step


class EndingWrapper(CompilerEnvWrapper):
    """Keeps an episode ended until the next ``reset()``, once a subclass has called ``_end()``.

    Args:
        env: The environment to wrap.
    """

    def __init__(self, env: Env[Any, Any]) -> None:
        super().__init__(env)
        self._ended = ""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode; see ``CompilerEnv.reset``."""
        first = super().reset(seed=seed, options=options)
        self._ended = ""
        return first

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        """Apply several actions; see ``CompilerEnvWrapper``.

        Raises:
            ResetNeeded: This wrapper has ended the episode, or none is running.
        """
        if self._ended:
            raise ResetNeeded(f"The episode is over: {self._ended} Call reset() to start another.")
        return super().multistep(actions, **spaces)

    def _end(self, why: str) -> None:
        """Make every step fail until the next ``reset()``; ``why`` is a sentence for people."""
        self._ended = why
