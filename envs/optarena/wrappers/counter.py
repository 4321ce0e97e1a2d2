"""Counting what an agent does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from gymnasium.utils import RecordConstructorArgs

from optarena.env.spaces import listed_actions
from optarena.wrappers.base import CompilerEnvWrapper

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gymnasium import Env
    from typing_extensions import Unpack

    from optarena.wrappers.base import SpaceNames, Step


class Counter(CompilerEnvWrapper):
    """Counts the calls that reach the environment, in ``counters``, for the life of the wrapper.

    ``close``, ``reset``, ``step``, ``multistep`` and ``fork`` are calls; ``action`` counts the actions of
    all steps and multisteps. A call that raises is not counted, except ``close``. A fork starts with its
    parent's numbers.

    Args:
        env: The environment to wrap.
    """

    def __init__(self, env: Env[Any, Any]) -> None:
        RecordConstructorArgs.__init__(self)
        super().__init__(env)
        self.counters = dict.fromkeys(("close", "reset", "step", "multistep", "fork", "action"), 0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode; see ``CompilerEnv.reset``."""
        first = super().reset(seed=seed, options=options)
        self.counters["reset"] += 1
        return first

    def step(self, action: Any, **spaces: Unpack[SpaceNames]) -> Step:  # noqa: ANN401 # of any space
        """Apply one action; see ``CompilerEnvWrapper``."""
        done = self.env.step(action, **spaces)
        self.counters["step"] += 1
        self.counters["action"] += 1
        return done

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        """Apply several actions; see ``CompilerEnvWrapper``."""
        given = listed_actions(actions)
        done = super().multistep(given, **spaces)
        self.counters["multistep"] += 1
        self.counters["action"] += len(given)
        return done

    def fork(self) -> Self:
        """A fork with separate counters; see ``CompilerEnvWrapper``."""
        twin = super().fork()
        self.counters["fork"] += 1
        return twin

    def peek(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> list[Step]:
        """What steps would give; nothing of it is counted. See ``CompilerEnv.peek``."""
        return self.env.peek(actions, **spaces)

    def close(self) -> None:
        """End the session; see ``CompilerEnv.close``."""
        self.counters["close"] += 1
        super().close()

    def on_fork(self) -> None:
        """Continue with separate counters; see ``CompilerEnvWrapper``."""
        self.counters = dict(self.counters)
