"""A reward for run time saved."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from gymnasium.utils import RecordConstructorArgs

from optarena.errors import InvalidInput, ServiceError
from optarena.specs import unknown_name
from optarena.specs.rewards import reward_on_error
from optarena.wrappers.base import EndingWrapper, First, SpaceNames, Step, positive_integer

if TYPE_CHECKING:
    from gymnasium import Env
    from typing_extensions import Unpack


RUNTIME: Final = "Runtime"
Estimator = Callable[[Any], Any]
# These have a name, so that `spec` can be written as JSON
ESTIMATORS: Final[dict[str, Estimator]] = {"median": np.median, "mean": np.mean, "min": np.min, "max": np.max}


class RuntimePointEstimateReward(EndingWrapper):
    """Rewards the run time that a step saves, in seconds: the estimate before it minus the one after it.

    The program is run at ``reset()`` and after each step that changed it; a step without effect gives 0.
    The estimate is noisy: the sum of an episode's rewards is the first estimate minus the last.
    ``state.reward`` stays that of the environment's own reward space. A step in which the compiler or the
    program failed takes back what the episode had won. Rewards that are requested by name are not changed,
    and nothing is run for them.

    Args:
        runtime_count: How many times the program is run for one estimate, at least 1.
        warmup_count: How many times it is run before that, without measuring.
        estimator: Reduces an array of seconds to a number: ``median``, ``mean``, ``min``, ``max`` or a
            function.
        observation: The observation space that gives the run times: a number or an array. The counts are for
            ``Runtime`` alone.

    Raises:
        InvalidInput: A count is out of range, or there is no such estimator; or, from ``reset()``, the
            benchmark cannot be run.
        UnknownName: The environment does not have the observation.
    """

    def __init__(
        self,
        env: Env[Any, Any],
        runtime_count: int = 30,
        warmup_count: int = 0,
        estimator: str | Estimator = "median",
        *,
        observation: str = RUNTIME,
    ) -> None:
        RecordConstructorArgs.__init__(
            self,
            runtime_count=runtime_count,
            warmup_count=warmup_count,
            estimator=estimator,
            observation=observation,
        )
        super().__init__(env)
        self._counts = {
            "runtime_observation_count": positive_integer("runtime_count", runtime_count),
            "runtime_warmup_count": positive_integer("warmup_count", warmup_count, least=0),
        }
        if not callable(estimator) and estimator not in list(ESTIMATORS):
            raise unknown_name("estimator", estimator, list(ESTIMATORS))
        self._estimator = estimator if callable(estimator) else ESTIMATORS[estimator]
        self._observation = self.observations[observation].name
        if observation == RUNTIME and not all(hasattr(self.unwrapped, name) for name in self._counts):
            message = f"{self.environment.id} does not support repeated run times."
            remedy = "Name another observation."
            raise InvalidInput(message, field="observation", value=observation, remedy=remedy)
        self._runtime = math.nan
        self._total = 0.0

    @property
    def runtime(self) -> float:
        """The latest estimate, in seconds; not a number before the first ``reset()``."""
        return self._runtime

    @property
    def episode_reward(self) -> float | None:
        """The seconds saved in this episode."""
        return self._total

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> First:
        first = super().reset(seed=seed, options=options)
        self._total = 0.0
        self._end("the program's first run time could not be measured.")
        self._runtime = self._estimate()
        self._ended = ""
        return first

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        observation, reward, terminated, truncated, info = super().multistep(actions, **spaces)
        if spaces.get("reward_spaces") is not None:
            return observation, reward, terminated, truncated, info
        reward, failure = self._saved(info)
        self._total += reward
        return observation, reward, terminated or bool(failure), truncated, {**info, **failure}

    def _saved(self, info: dict[str, Any]) -> tuple[float, dict[str, str]]:
        if "error_type" in info:
            return reward_on_error(self._total), {}
        if info["action_had_no_effect"]:
            return 0.0, {}
        try:
            before, self._runtime = self._runtime, self._estimate()
        except (ServiceError, InvalidInput) as error:
            if isinstance(error, ServiceError) and self.error is not error:
                raise
            self._end(f"the program can no longer be run: {error}")
            kind = error.error_type if isinstance(error, ServiceError) else "semantics:crash"
            return reward_on_error(self._total), {"error_type": kind, "error_details": str(error)}
        return before - self._runtime, {}

    def _estimate(self) -> float:
        inner = self.unwrapped
        for name, count in self._counts.items():
            if hasattr(inner, name):
                setattr(inner, name, count)
        seconds = np.asarray(inner.observation[self._observation], np.float64)
        estimate = float(self._estimator(np.atleast_1d(seconds))) if seconds.size else math.nan
        if not math.isfinite(estimate):
            message = f"{self._observation} of {inner.benchmark.uri} gives no run time: {seconds!r:.100}."
            remedy = "Choose a benchmark that can be run."
            raise InvalidInput(message, field="benchmark", value=inner.benchmark.uri, remedy=remedy)
        return estimate
