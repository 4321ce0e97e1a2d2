"""A limit on the number of actions of an episode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gymnasium.utils import RecordConstructorArgs

from optarena.env.spaces import check_actions
from optarena.errors import OptArenaError
from optarena.wrappers.arguments import positive_integer
from optarena.wrappers.ending_wrapper import EndingWrapper

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gymnasium import Env
    from typing_extensions import Unpack

    from optarena.wrappers.base import SpaceNames, Step


class TimeLimit(EndingWrapper):
    """Truncates an episode after a number of actions.

    ``truncated`` is true with the last action allowed, and then the episode is over: a further step raises
    ``ResetNeeded``. A multistep counts each of its actions, and is cut off at the limit; so is ``apply()``.
    A fork has as many actions left as its parent. gymnasium's wrapper of this name has no forks, does not
    count multisteps, and allows further steps.

    Args:
        env: The environment to wrap.
        max_episode_steps: How many actions an episode may have, at least 1.

    Raises:
        InvalidInput: The limit is not a positive integer.
    """

    def __init__(self, env: Env[Any, Any], max_episode_steps: int) -> None:
        RecordConstructorArgs.__init__(self, max_episode_steps=max_episode_steps)
        super().__init__(env)
        self._limit = positive_integer("max_episode_steps", max_episode_steps)
        self._elapsed = 0

    @property
    def max_episode_steps(self) -> int:
        """How many actions an episode may have."""
        return self._limit

    @property
    def elapsed_steps(self) -> int:
        """How many actions this episode has had."""
        return self._elapsed

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode; see ``CompilerEnv.reset``."""
        first = super().reset(seed=seed, options=options)
        self._elapsed = 0
        return first

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        """Apply several actions, up to the limit; see ``CompilerEnvWrapper``."""
        allowed = check_actions(self.env.action_space, actions)[: self._limit - self._elapsed]
        before = self._taken()
        try:
            observation, reward, terminated, truncated, info = super().multistep(allowed, **spaces)
        except OptArenaError:
            if self._taken() != before:  # they were applied, but a value cannot be had
                self._count(allowed)
            raise
        return observation, reward, terminated, self._count(allowed) or truncated, info

    def _count(self, actions: list[Any]) -> bool:
        """Count actions that were applied; whether they were the last."""
        self._elapsed += len(actions)
        if self._elapsed == self._limit:
            self._end(f"it has used the {self._limit} actions allowed.")
        return self._elapsed == self._limit
