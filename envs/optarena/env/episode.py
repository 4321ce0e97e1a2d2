"""One episode: a session, the actions applied to it, and the rewards earned.

Independent of gymnasium: ``compiler_env`` turns an episode into gymnasium's calls.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from optarena.env.spaces import is_exact
from optarena.errors import InvalidAnswer, InvalidInput
from optarena.specs.rewards import UNOPTIMISED, RewardFunction, RewardSpec, reward_on_error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optarena.env.baselines import KnownBaselines
    from optarena.env.observations import Observations
    from optarena.env.session_client import SessionClient, StepOutcome
    from optarena.errors import ServiceError
    from optarena.specs.benchmark import Benchmark
    from optarena.specs.live import LiveEnv


@dataclass(slots=True)
class RewardMeter:
    """One reward space during one episode.

    Attributes:
        spec: The reward space.
        function: Its formula with the benchmark's constants.
        cost: The cost at the last reading.
        latest: The cost that was seen last, whether or not the reward was read.
        penalty: Reward taken back by an error.
        named: Reward of the readings that a step asked for by name.
    """

    spec: RewardSpec
    function: RewardFunction
    cost: float
    latest: float
    penalty: float = 0.0
    named: float = 0.0

    @classmethod
    def begin(cls, spec: RewardSpec, benchmark: Benchmark, observer: Observer) -> Self:
        """The meter of an episode; baselines that the benchmark does not record are computed.

        Raises:
            InvalidInput: A baseline is neither recorded nor observable.
            InvalidAnswer: The service's cost is not a finite number.
        """

        def baseline(level: str) -> float:
            recorded = benchmark.baseline(spec.metric, level)
            if recorded is not None:
                return float(recorded)
            if f"{spec.cost}{level}" in observer.observations:
                return observer.view_baseline(benchmark, f"{spec.cost}{level}")
            if level == UNOPTIMISED:
                return _number(spec.cost, observer.view_unoptimised(benchmark, spec.cost))
            message = f"{benchmark.uri} has no {level} baseline of {spec.metric}, which {spec.name} needs."
            remedy = "Choose another reward space, or a benchmark for which it is recorded."
            raise InvalidInput(message, field="reward_space", value=spec.name, remedy=remedy)

        function = spec.at({level: baseline(level) for level in spec.levels})
        return cls(spec, function, function.initial, function.initial)

    def cost_in(self, outcome: StepOutcome, observer: Observer) -> float:
        """The cost that a step observed.

        Raises:
            InvalidAnswer: The service's value is not a finite number.
        """
        return _number(self.spec.cost, observer.view_of(outcome, self.spec.cost))

    def read(self, cost: float) -> float:
        """The reward since the last reading, now that the cost is ``cost``."""
        reward = self.function.between(self.cost, cost)
        self.cost = self.latest = cost
        return reward

    def fail(self) -> float:
        """The reward of a step that ended in an error."""
        self.latest = self.cost  # what has not been given yet never will be
        self.named = 0.0
        self.penalty = reward_on_error(self.total)
        return self.penalty

    @property
    def given(self) -> float:
        """The sum of the rewards that were given without being asked for by name."""
        return self.function.total(self.cost) + self.penalty - self.named

    @property
    def total(self) -> float:
        """The reward of all actions so far, whether or not it was given."""
        return self.function.total(self.latest) + self.penalty


@dataclass(slots=True)
class Observer:
    """Reads the observations of one session, those of its service and those derived from them.

    Attributes:
        session: The session.
        observations: The observations that exist.
        env: The environment, which derived observations may read.
        known: Baselines known on this machine; None if they are not those of this session's compiler.
    """

    session: SessionClient
    observations: Observations
    env: LiveEnv
    known: KnownBaselines | None = None

    def view(self, name: str, *, cpu_seconds: float | None = None) -> Any:  # noqa: ANN401 # of any space
        """One observation of the present state as plain Python or an array.

        Args:
            name: The observation space.
            cpu_seconds: CPU time that it may use, if not as much as an action.

        Raises:
            UnknownName: There is no such observation space.
            ServiceError: The session's process died or was killed.
        """
        needs = self.observations.needs((name,))
        if cpu_seconds is not None and not (isinstance(cpu_seconds, (int, float)) and cpu_seconds > 0):
            message = f"cpu_seconds is {cpu_seconds!r:.100}."
            remedy = "Give a number of seconds above 0, or None."
            raise InvalidInput(message, field="cpu_seconds", value=cpu_seconds, remedy=remedy)
        return self.view_of(self.session.step((), needs, cpu_seconds=cpu_seconds), name)

    def view_of(self, outcome: StepOutcome, name: str) -> Any:  # noqa: ANN401 # of any space
        """One observation, computed from an outcome that has what it needs."""
        return self.observations.view(name, outcome, self.env)

    def view_baseline(self, benchmark: Benchmark, name: str) -> float:
        """An observation that depends on the benchmark alone: the known value, or the session's.

        Raises:
            InvalidAnswer: The service's value is not a finite number.
            ServiceError: The session's process died or was killed.
        """
        value = self.known.get(benchmark.sha256, name) if self.known else None
        if value is not None:
            return value
        fresh = self.session.is_unoptimised  # an action may have broken the process
        value = _number(name, self.view(name))
        if self.known and fresh and is_exact(self.observations[name]):
            self.known.put(benchmark.sha256, name, value)
        return value

    def view_unoptimised(self, benchmark: Benchmark, name: str) -> Any:  # noqa: ANN401 # of any space
        """One observation of the benchmark before any action, in a session of its own if necessary.

        Raises:
            UnknownName: There is no such observation space.
            ServiceError: The service cannot start another session.
        """
        with self.session.unoptimised(benchmark) as session:
            return replace(self, session=session).view(name)


@dataclass(slots=True, kw_only=True)
class Episode:
    """One episode; ``terminated`` once the session ended or failed.

    Attributes:
        observer: Reads the live session.
        benchmark: The benchmark that is optimised.
        meter: The reward space of ``step()``, None if there is none.
        readings: A meter for each reward space read through the view.
        actions: The actions applied so far, including those that failed.
        terminated: Whether the episode is over.
        error: The error that ended the episode, if one did; the session is then closed.
        started: The monotonic time of the start, in seconds.
        parameters: The parameters sent to the session that may have changed it: the number of actions before
            each, its key and its value.
    """

    observer: Observer
    benchmark: Benchmark
    meter: RewardMeter | None
    readings: dict[str, RewardMeter] = field(default_factory=dict)
    actions: list[Any] = field(default_factory=list)
    terminated: bool = False
    error: ServiceError | None = None
    started: float = field(default_factory=time.monotonic)
    parameters: list[tuple[int, str, str]] = field(default_factory=list)

    @property
    def session(self) -> SessionClient:
        """The live session."""
        return self.observer.session

    @property
    def walltime(self) -> float:
        """Seconds since the episode began."""
        return time.monotonic() - self.started

    def reading(self, name: str, specs: Mapping[str, RewardSpec]) -> RewardMeter:
        """The meter of a reward space that is read by name; a new one starts before any action."""
        if name not in self.readings:
            self.readings[name] = RewardMeter.begin(specs[name], self.benchmark, self.observer)
        return self.readings[name]

    def read_reward(self, name: str, specs: Mapping[str, RewardSpec]) -> float:
        """The reward of space ``name`` since it was last read in this episode, or since its start."""
        meter = self.reading(name, specs)
        return meter.read(_number(meter.spec.cost, self.observer.view(meter.spec.cost)))

    def imagined(self) -> Episode:
        """The same episode on the same session, with meters of its own, to see what an action would earn."""
        return replace(
            self,
            meter=replace(self.meter) if self.meter else None,
            readings={name: replace(meter) for name, meter in self.readings.items()},
        )

    def fork(self, twin: LiveEnv) -> Episode:
        """The same episode on a forked session, for ``twin``; from here on the two are independent."""
        observer = replace(self.observer, session=self.session.fork(), env=twin)
        parameters = list(self.parameters)
        return replace(self.imagined(), observer=observer, actions=list(self.actions), parameters=parameters)


def _number(name: str, cost: Any) -> float:  # noqa: ANN401 # whatever the service says
    """A cost that rewards can be computed from.

    Raises:
        InvalidAnswer: It is not a finite number.
    """
    if isinstance(cost, bool) or not isinstance(cost, (int, float)) or not math.isfinite(cost):
        raise InvalidAnswer(f"The service's value of {name}, {cost!r:.100}, is not a finite number.")
    return float(cost)
