"""What an environment is set to: benchmark, spaces. Read from ``make()`` arguments and ``reset()`` options.

A selection is checked as a whole before anything changes, so that a bad option leaves the episode as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import gymnasium

from optarena.datasets import Benchmark, datasets
from optarena.errors import InvalidInput
from optarena.spaces import action_space
from optarena.specs import EnvironmentSpec, unknown_name

if TYPE_CHECKING:
    from optarena.reward import RewardSpec
    from optarena.service_info import ServiceInfo
    from optarena.session_client import Outcome

OPTIONS: Final = ("benchmark", "action_space", "observation_space", "reward_space")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What the next episode uses.

    Attributes:
        benchmark: None for the default: the first benchmark of the environment's dataset.
        action_space: Index of the service's action space.
        observation_space: None if ``reset()`` and ``step()`` observe nothing.
        reward_space: None if ``step()`` gives no reward.
    """

    benchmark: Benchmark | None = None
    action_space: int = 0
    observation_space: str | None
    reward_space: str | None

    @classmethod
    def initial(
        cls, given: Mapping[str, Any], environment: EnvironmentSpec, service: ServiceInfo
    ) -> Selection:
        """What an environment is made with; None stands for the environment's default.

        Raises:
            UnknownName, InvalidInput: As :meth:`updated`.
        """
        default = cls(
            observation_space=environment.observation_space or None,
            reward_space=environment.reward_space or None,
        )
        chosen = {key: value for key, value in given.items() if value is not None}
        names = {"observation_space": default.observation_space, "reward_space": default.reward_space}
        return default.updated({**names, **chosen}, environment, service)

    def updated(
        self, options: Mapping[str, Any] | None, environment: EnvironmentSpec, service: ServiceInfo
    ) -> Selection:
        """This selection with some options changed.

        Raises:
            UnknownName: An option, or what it names, does not exist.
            InvalidInput: A value has the wrong type, or a benchmark cannot be read.
        """
        if options is None:
            return self
        if not isinstance(options, Mapping):
            raise _wrong_type("options", options, "a dict")
        changes: dict[str, Any] = {}
        for key, value in options.items():
            if key not in OPTIONS:
                raise unknown_name("option", key, OPTIONS)
            changes[key] = _READERS[key](value, environment, service)
        return replace(self, **changes)

    def benchmark_or_default(self, environment: EnvironmentSpec) -> Benchmark:
        """The benchmark of the next episode.

        Raises:
            UnknownName: None was chosen and the default dataset is not installed.
        """
        return self.benchmark or next(iter(datasets()[environment.dataset]))

    @property
    def observed(self) -> list[str]:
        """What a step must observe for its caller."""
        return [self.observation_space] if self.observation_space else []

    def spaces(self, service: ServiceInfo) -> tuple[gymnasium.Space[Any], gymnasium.Space[Any]]:
        """The action space and the observation space as gymnasium's."""
        name = self.observation_space
        observations = service.observation(name).space if name else gymnasium.spaces.Tuple(())
        return action_space(service.action_spaces[self.action_space]), observations

    def member(self, outcome: Outcome, service: ServiceInfo) -> Any:  # noqa: ANN401 # of the observation space
        """What a step observed, as an element of the observation space; None without one."""
        name = self.observation_space
        return service.observation(name).member(outcome.events[name]) if name else None

    def default_member(self, service: ServiceInfo) -> Any:  # noqa: ANN401 # of the observation space
        """What a step observed that ended in an error."""
        return service.observation(self.observation_space).default if self.observation_space else None

    def reward_spec(self, environment: EnvironmentSpec) -> RewardSpec | None:
        """The definition of the reward space."""
        return environment.reward(self.reward_space) if self.reward_space else None


def _benchmark(value: object, environment: EnvironmentSpec, service: ServiceInfo) -> Benchmark | None:
    del environment, service
    if value is None or isinstance(value, Benchmark):
        return value
    if not isinstance(value, str):
        raise _wrong_type("benchmark", value, "a URI or a Benchmark")
    return datasets().benchmark(value)


def _action_space(value: object, environment: EnvironmentSpec, service: ServiceInfo) -> int:
    del environment
    if value is None:
        return 0
    if not isinstance(value, str):
        raise _wrong_type("action_space", value, "the name of an action space")
    return service.action_space_index(value)


def _observation_space(value: object, environment: EnvironmentSpec, service: ServiceInfo) -> str | None:
    del environment
    if value is None:
        return None
    if not isinstance(value, str):
        raise _wrong_type("observation_space", value, "the name of an observation space")
    return service.observation(value).name


def _reward_space(value: object, environment: EnvironmentSpec, service: ServiceInfo) -> str | None:
    del service
    if value is None:
        return None
    if not isinstance(value, str):
        raise _wrong_type("reward_space", value, "the name of a reward space")
    return environment.reward(value).name


_READERS: Final = {
    "benchmark": _benchmark,
    "action_space": _action_space,
    "observation_space": _observation_space,
    "reward_space": _reward_space,
}


def _wrong_type(field: str, value: object, what: str) -> InvalidInput:
    message = f"{field} is {value!r:.200} ({type(value).__name__})."
    return InvalidInput(message, field=field, value=value, remedy=f"Give {what}.")
