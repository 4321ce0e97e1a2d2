"""One episode: a session, the actions applied to it, and the rewards earned.

No gymnasium here: ``env`` turns an episode into gymnasium's calls.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from optarena.errors import InvalidInput, TransportError
from optarena.reward import UNOPTIMISED, RewardFunction, RewardSpec, reward_on_error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optarena.datasets.benchmark import Benchmark
    from optarena.errors import ServiceError
    from optarena.session_client import Outcome, SessionClient


@dataclass(slots=True)
class RewardMeter:
    """One reward space during one episode.

    Attributes:
        spec: The reward space.
        function: Its formula with the benchmark's constants.
        cost: The cost at the last reading.
        penalty: Reward taken back by an error.
    """

    spec: RewardSpec
    function: RewardFunction
    cost: float
    penalty: float = 0.0

    @classmethod
    def begin(cls, spec: RewardSpec, benchmark: Benchmark, session: SessionClient) -> Self:
        """The meter of an episode; baselines that the benchmark does not record are computed.

        Raises:
            InvalidInput: A baseline is neither recorded nor something that the service can compute.
            TransportError: The service's cost is no finite number.
        """

        def baseline(level: str) -> float:
            recorded = benchmark.baseline(spec.metric, level)
            if recorded is not None:
                return float(recorded)
            if f"{spec.cost}{level}" in session.info.observations:
                return _number(f"{spec.cost}{level}", session.view(f"{spec.cost}{level}"))
            if level == UNOPTIMISED:
                return _number(spec.cost, session.view_unoptimised(benchmark, spec.cost))
            message = f"{benchmark.uri} has no baseline {level} of {spec.metric} for the reward {spec.name}."
            remedy = "Choose another reward space, or a benchmark of a dataset."
            raise InvalidInput(message, field="reward_space", value=spec.name, remedy=remedy)

        levels = {level: baseline(level) for level in spec.levels}
        initial = levels[spec.levels[0]]
        function = spec.at(initial=initial, baseline=levels.get(spec.level))
        return cls(spec, function, initial)

    def read_outcome(self, outcome: Outcome) -> float:
        """The reward of a step that observed the cost.

        Raises:
            TransportError: The service's cost is no finite number.
        """
        return self.read(_number(self.spec.cost, outcome.view(self.spec.cost)))

    def read(self, cost: float) -> float:
        """The reward since the last reading, now that the cost is ``cost``."""
        reward = self.function.between(self.cost, cost)
        self.cost = cost
        return reward

    def fail(self) -> float:
        """The reward of a step that ended in an error."""
        self.penalty = reward_on_error(self.total)
        return self.penalty

    @property
    def total(self) -> float:
        """The reward of the whole episode so far."""
        return self.function.total(self.cost) + self.penalty


@dataclass(slots=True, kw_only=True)
class Episode:
    """One episode; ``terminated`` once the session ended or failed.

    Attributes:
        session: The live session.
        benchmark: What is optimised.
        meter: The reward space of ``step()``, None if there is none.
        readings: A meter for each reward space read through the view.
        actions: Applied so far, including those that failed.
        terminated: Whether the episode is over.
        error: What ended the episode, if an error did; its session is closed then.
        started: Monotonic time of the start, in seconds.
    """

    session: SessionClient
    benchmark: Benchmark
    meter: RewardMeter | None
    readings: dict[str, RewardMeter] = field(default_factory=dict)
    actions: list[int] = field(default_factory=list)
    terminated: bool = False
    error: ServiceError | None = None
    started: float = field(default_factory=time.monotonic)

    @property
    def walltime(self) -> float:
        """Seconds since the episode began."""
        return time.monotonic() - self.started

    def read_reward(self, name: str, specs: Mapping[str, RewardSpec]) -> float:
        """The reward of space ``name`` since it was last read in this episode, or since its start."""
        if name not in self.readings:
            self.readings[name] = RewardMeter.begin(specs[name], self.benchmark, self.session)
        meter = self.readings[name]
        return meter.read(_number(meter.spec.cost, self.session.view(meter.spec.cost)))

    def fork(self) -> Episode:
        """The same episode on a forked session; neither notices the other from here on."""
        return replace(
            self,
            session=self.session.fork(),
            meter=replace(self.meter) if self.meter else None,
            readings={name: replace(meter) for name, meter in self.readings.items()},
            actions=list(self.actions),
        )


def _number(name: str, cost: Any) -> float:  # noqa: ANN401 # whatever the service says
    """A cost that rewards can be computed from.

    Raises:
        TransportError: It is no finite number.
    """
    if isinstance(cost, bool) or not isinstance(cost, (int, float)) or not math.isfinite(cost):
        raise TransportError(f"The service's value of {name}, {cost!r:.100}, is no finite number.")
    return float(cost)
