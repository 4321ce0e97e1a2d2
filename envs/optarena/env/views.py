"""Lazy views of an environment: ``env.observation["IrInstructionCount"]``, ``env.reward["…Oz"]``.

A view computes only what is requested, and never changes what ``step()`` returns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from optarena.specs import unknown_name

if TYPE_CHECKING:
    import gymnasium

    from optarena.env.compiler_env import CompilerEnv
    from optarena.specs.rewards import RewardSpec


class _View:
    _KIND = ""  # what the names are of

    def __init__(self, env: CompilerEnv, names: tuple[str, ...]) -> None:
        self._env = env
        self._names = names

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 # of any space
        """The observation as plain Python (``int``, ``str``, ``bytes``) or an array; the reward as a float.

        Raises:
            UnknownName: There is no such space.
            ResetNeeded: No episode is running.
            InvalidAnswer: The value cannot be read; the episode goes on.
            ValueUnavailable: The value cannot be computed within its limits; the episode goes on.
            ServiceError: The compiler failed while it computed the value; the episode is over.
        """
        if name not in self:
            raise unknown_name(f"{self._KIND}_space", name, self._names)
        return self._env.observe(name) if self._KIND == "observation" else self._env.read_reward(name)

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

    _KIND = "observation"

    def __init__(self, env: CompilerEnv) -> None:
        super().__init__(env, tuple(env.observations))

    @property
    def spaces(self) -> Mapping[str, gymnasium.Space[Any]]:
        """The gymnasium space of each observation."""
        return {name: self._env.observations[name].space for name in self._names}


class RewardView(_View):
    """Every reward, by name: what was earned since the same name was last read in this episode.

    The first reading of an episode gives what was earned since ``reset()``. Readings are kept separately for
    each name, and apart from the rewards that ``step()`` returns.
    """

    _KIND = "reward"

    def __init__(self, env: CompilerEnv) -> None:
        super().__init__(env, tuple(env.environment.rewards))

    @property
    def spaces(self) -> Mapping[str, RewardSpec]:
        """The definition of each reward."""
        return dict(self._env.environment.rewards)
