"""The settings of an environment: benchmark and spaces, from ``make()`` arguments and ``reset()`` options.

A selection is checked as a whole before anything changes, so that a bad option leaves the episode as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np

from optarena.datasets import Benchmark, datasets
from optarena.env.spaces import action_space
from optarena.errors import InvalidInput
from optarena.specs import EnvironmentSpec, unknown_name
from optarena.state import EnvState

if TYPE_CHECKING:
    from optarena.actions import Action
    from optarena.env.compiler_env import CompilerEnv
    from optarena.env.observations import Observations
    from optarena.env.session_client import ServiceInfo

OPTIONS: Final = ("benchmark", "action_space", "observation_space", "reward_space")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    # What the next episode uses. `benchmark` None is the first of the environment's dataset; the spaces None
    # are off.

    benchmark: Benchmark | None = None
    action_space: int = 0
    observation_space: str | None = None
    reward_space: str | None = None

    def updated(
        self,
        options: Mapping[str, Any] | None,
        environment: EnvironmentSpec,
        service: ServiceInfo,
        observations: Observations,
    ) -> Selection:
        if options is None:
            return self
        if not isinstance(options, Mapping):
            raise _wrong_type("options", options, "a dict")
        readers: dict[str, Callable[[str], Any]] = {
            "action_space": service.action_space_index,
            "observation_space": lambda name: observations[name].name,
            "reward_space": lambda name: environment.reward(name).name,
        }
        changes: dict[str, Any] = {}
        for key, value in options.items():
            if key not in OPTIONS:
                raise unknown_name("option", key, OPTIONS)
            changes[key] = _benchmark(value) if key == "benchmark" else _named(key, value, readers[key])
        return replace(self, **changes)

    def benchmark_or_default(self, environment: EnvironmentSpec) -> Benchmark:
        if self.benchmark is not None:
            return self.benchmark
        chosen = environment.benchmark
        return datasets().benchmark(chosen) if chosen else next(iter(datasets()[environment.dataset]))

    def spaces(
        self, service: ServiceInfo, observations: Observations
    ) -> tuple[gymnasium.Space[Any], gymnasium.Space[Any]]:
        name = self.observation_space
        observed = observations[name].space if name else gymnasium.spaces.Tuple(())
        return action_space(service.action_spaces[self.action_space]), observed


def start_of(state: EnvState, env: CompilerEnv) -> tuple[dict[str, Any], tuple[Action, ...]]:
    if not isinstance(state, EnvState):
        message = f"The state is {state!r:.100} ({type(state).__name__})."
        raise InvalidInput(message, field="state", value=state, remedy="Give an optarena.state.EnvState.")
    table, actions = env.environment.parse(state.commandline)
    here = env._episode.benchmark if env._episode else env._selection.benchmark  # noqa: SLF001 # of the same room
    is_here = here is not None and here.uri == state.benchmark
    options: dict[str, Any] = {"benchmark": here if is_here else state.benchmark}
    if table is not env.action_table:
        options["action_space"] = table.name
    return options, actions


def refuse_choice(name: str, value: object) -> None:
    if name == "reward_space" or (name in ("action_space", "observation_space") and isinstance(value, str)):
        message = f"{name} cannot be chosen by assignment."
        remedy = f"Give make({name}=…), or reset(options={{{name!r}: …}}) for the next episode."
        raise InvalidInput(message, field=name, value=value, remedy=remedy)


def _benchmark(value: object) -> Benchmark | None:
    if value is None or isinstance(value, Benchmark):
        return value
    if not isinstance(value, str):
        raise _wrong_type("benchmark", value, "a URI or a Benchmark")
    return datasets().benchmark(value)


def _named(key: str, value: object, read: Callable[[str], Any]) -> Any:  # noqa: ANN401 # an index or a name
    if value is None:
        return 0 if key == "action_space" else None
    if not isinstance(value, str):
        raise _wrong_type(
            key, value, f"the name of an {key.replace('_', ' ')}".replace("an reward", "a reward")
        )
    return read(value)


def _wrong_type(field: str, value: object, what: str) -> InvalidInput:
    message = f"{field} is {value!r:.200} ({type(value).__name__})."
    return InvalidInput(message, field=field, value=value, remedy=f"Give {what}.")


def checked_seed(seed: object) -> int | None:
    if seed is None:
        return None
    number = seed.item() if isinstance(seed, np.integer) else seed
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        remedy = "Give an integer, 0 or more, or None."
        raise InvalidInput(f"The seed is {seed!r:.100}.", field="seed", value=seed, remedy=remedy)
    return number
