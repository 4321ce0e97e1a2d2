"""Lazy views of an environment: ``env.observation["IrInstructionCount"]``, ``env.reward["…Oz"]``.

A view computes only what is requested, and never changes what ``step()`` returns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optarena.specs import unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import gymnasium

    from optarena.env.compiler_env import CompilerEnv
    from optarena.specs.rewards import RewardSpec


class _View:
    def __init__(self, env: CompilerEnv, names: tuple[str, ...]) -> None:
        self._env = env
        self._names = names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._names)})"


class ObservationView(_View):
    """Every observation of the present state, by name."""

    def __init__(self, env: CompilerEnv) -> None:
        super().__init__(env, tuple(env.observations))

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 # of any space
        """The observation as plain Python (``int``, ``str``, ``bytes``) or as an array.

        Raises:
            UnknownName: There is no such observation space.
            ResetNeeded: No episode is running.
            InvalidAnswer: The value cannot be read; the episode goes on.
            ServiceError: The compiler failed while it computed the value; the episode is over.
        """
        if name not in self:
            raise unknown_name("observation_space", name, self._names)
        return self._env.observe(name)

    @property
    def spaces(self) -> Mapping[str, gymnasium.Space[Any]]:
        """The gymnasium space of each observation."""
        return {name: self._env.observations[name].space for name in self._names}


class RewardView(_View):
    """Every reward, by name: what was earned since the same name was last read in this episode.

    The first reading of an episode gives what was earned since ``reset()``. Readings are kept separately for
    each name, and apart from the rewards that ``step()`` returns.
    """

    def __init__(self, env: CompilerEnv) -> None:
        super().__init__(env, tuple(env.environment.rewards))

    def __getitem__(self, name: str) -> float:
        """The reward since the last reading.

        Raises:
            UnknownName: There is no such reward space.
            ResetNeeded: No episode is running.
            InvalidAnswer: The cost cannot be read; the episode goes on.
            ServiceError: The compiler failed while it computed the value; the episode is over.
        """
        if name not in self:
            raise unknown_name("reward_space", name, self._names)
        return self._env.read_reward(name)

    @property
    def spaces(self) -> Mapping[str, RewardSpec]:
        """The definition of each reward."""
        return dict(self._env.environment.rewards)
