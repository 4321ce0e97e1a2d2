"""The base of wrappers that change observations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optarena.wrappers.base import CompilerEnvWrapper

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Unpack

    from optarena.wrappers.base import SpaceNames, Step


class ObservationWrapper(CompilerEnvWrapper):
    """Converts the default observation of ``reset()`` and ``step()``.

    A subclass gives ``convert_observation()`` and sets ``observation_space`` where it has another one. What
    is asked for by name, in ``step()`` or ``observation[...]``, comes as it is. gymnasium's class of this
    name calls the method ``observation``, which here is the view.
    """

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode; see ``CompilerEnv.reset``."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self.convert_observation(observation), info

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        """Apply several actions; see ``CompilerEnvWrapper``."""
        observation, *rest = self.env.multistep(actions, **spaces)
        if spaces.get("observation_spaces") is None:
            observation = self.convert_observation(observation)
        return (observation, *rest)

    def convert_observation(self, observation: Any) -> Any:  # noqa: ANN401 # of any space
        """The observation of this wrapper, of one of the environment inside."""
        raise NotImplementedError(f"{type(self).__name__} must define convert_observation().")
