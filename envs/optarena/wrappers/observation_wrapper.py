"""The base of wrappers that change observations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optarena.wrappers.base import CompilerEnvWrapper
from optarena.wrappers.conversion import ConvertingObservationView, take_either_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Unpack

    from optarena.wrappers.base import SpaceNames, Step


class ObservationWrapper(CompilerEnvWrapper):
    """Converts the default observation of ``reset()`` and ``step()``.

    A subclass defines ``convert_observation(observation)``, or ``observation(observation)`` as in gymnasium;
    of a class and its bases, the nearest definition counts, whichever name it has. It sets
    ``observation_space`` if it has another one. Observations that are requested by name, in ``step()`` or
    ``observation[...]``, are not converted.

    Raises:
        InvalidInput: When a subclass is defined: it defines both names.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        take_either_name(cls, "observation", ConvertingObservationView)

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
        """The observation of this wrapper, for one of the wrapped environment."""
        raise NotImplementedError(
            f"{type(self).__name__} must define convert_observation() or observation()."
        )
