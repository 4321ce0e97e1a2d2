"""The base of wrappers that change rewards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optarena.wrappers.base import CompilerEnvWrapper
from optarena.wrappers.conversion import ConvertingRewardView, take_either_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gymnasium import Env
    from typing_extensions import Unpack

    from optarena.wrappers.base import SpaceNames, Step


class RewardWrapper(CompilerEnvWrapper):
    """Converts the default reward of ``step()``.

    A subclass defines ``convert_reward(reward)``, or ``reward(reward)`` as in gymnasium; of a class and its
    bases, the nearest definition counts, whichever name it has. ``episode_reward`` is the sum of the
    converted rewards; ``state.reward`` stays that of the wrapped environment, which a replay can confirm.
    Rewards that are requested by name, in ``step()`` or ``reward[...]``, are not converted.

    Args:
        env: The environment to wrap.

    Raises:
        InvalidInput: When a subclass is defined: it defines both names.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        take_either_name(cls, "reward", ConvertingRewardView)

    def __init__(self, env: Env[Any, Any]) -> None:
        super().__init__(env)
        self._total = 0.0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode; see ``CompilerEnv.reset``."""
        first = self.env.reset(seed=seed, options=options)
        self._total = 0.0
        return first

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        """Apply several actions; see ``CompilerEnvWrapper``."""
        observation, reward, *rest = self.env.multistep(actions, **spaces)
        if spaces.get("reward_spaces") is None:
            reward = self.convert_reward(reward)
            self._total += reward
        return (observation, reward, *rest)

    def convert_reward(self, reward: float) -> float:
        """The reward of this wrapper, for one of the wrapped environment."""
        raise NotImplementedError(f"{type(self).__name__} must define convert_reward() or reward().")

    @property
    def episode_reward(self) -> float | None:
        """The sum of this wrapper's rewards in this episode."""
        return self._total
