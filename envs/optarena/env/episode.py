"""One episode: a session, the actions applied to it, and the rewards earned.

Independent of gymnasium: ``compiler_env`` turns an episode into gymnasium's calls.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Self

from optarena import paths
from optarena.env.observations import listed
from optarena.env.spaces import is_exact
from optarena.errors import InvalidAnswer, InvalidInput, OptArenaError
from optarena.specs.rewards import UNOPTIMISED, RewardFunction, RewardSpec, reward_on_error

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from optarena.env.compiler_env import EpisodicEnv
    from optarena.env.observations import Observations
    from optarena.env.session_client import SessionClient, StepOutcome
    from optarena.errors import ServiceError
    from optarena.specs import EnvironmentSpec
    from optarena.specs.benchmark import Benchmark
    from optarena.specs.environment import LiveEnv


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


class RequestedSpaces:
    """The observations and rewards of one step: those in force, or lists of those that were named."""

    def __init__(
        self,
        env: EpisodicEnv,
        episode: Episode,
        observation_spaces: Sequence[str] | None,
        reward_spaces: Sequence[str] | None,
    ) -> None:
        self._env = env
        self._episode = episode
        self._is_listed = observation_spaces is not None
        if observation_spaces is None:
            name = env.observation_space_name
            self.observations = [] if name is None else [name]
        else:
            names = listed("observation_spaces", observation_spaces)
            self.observations = [env.observations[name].name for name in names]
        self._meters = [] if episode.meter is None else [episode.meter]
        self._silent: list[RewardMeter] = []
        self._names = None
        if reward_spaces is not None:
            self._names = listed("reward_spaces", reward_spaces)
            named = {meter.spec.name: meter for meter in map(self._meter, self._names)}
            self._silent = [meter for meter in self._meters if meter not in named.values()]
            self._meters = list(named.values())
        # The reward in force is kept up to date, so that the episode's reward is that of all its actions;
        # but no program is run for a reward that was not requested.
        self._seen = [meter for meter in self._silent if meter.spec.deterministic]

    @property
    def needs(self) -> Sequence[str]:
        """What the service must observe for them."""
        return self._env.observations.needs(self._names_read)

    @property
    def derived(self) -> Sequence[str]:
        """Those of them that the client derives, each once."""
        is_derived = self._env.observations.is_derived
        return [name for name in dict.fromkeys(self._names_read) if is_derived(name)]

    @property
    def _names_read(self) -> list[str]:
        costs = [meter.spec.cost for meter in (*self._meters, *self._seen)]
        return [*self.observations, *costs]

    def read(self, outcome: StepOutcome) -> tuple[Any, Any]:
        """The observation and the reward of a step that was taken, or lists of them.

        Raises:
            InvalidAnswer: The value of an observation or of a cost cannot be decoded.
            InvalidInput: One of them does not exist for this program.
            DeviceUnavailable: What one of them is measured on cannot be used now.
            ServiceError: A derived one cannot be computed.

        Then no reward has been given: what the actions earned is part of the next one.
        """
        there, observer = self._env.observations, self._episode.observer
        try:
            values = [there.member(name, outcome, self._env) for name in self.observations]
            costs = [meter.cost_in(outcome, observer) for meter in self._meters]
            for meter in self._seen:
                meter.latest = meter.cost_in(outcome, observer)
        except BaseException:  # an interrupt, too
            self.see(outcome)
            raise
        rewards = [self._given(meter, cost) for meter, cost in zip(self._meters, costs, strict=True)]
        return self._told(values, rewards)

    def see(self, outcome: StepOutcome) -> None:
        """Take note of the costs that can be read; their rewards are not given now."""
        for meter in (*self._meters, *self._seen):
            if meter.spec.deterministic:
                with suppress(OptArenaError):
                    meter.latest = meter.cost_in(outcome, self._episode.observer)

    def reading(self) -> list[tuple[float, float]]:
        """Up to where the rewards have been given, for :meth:`read_again`."""
        return [(meter.cost, meter.named) for meter in self._meters]

    def read_again(self, reading: list[tuple[float, float]]) -> None:
        """Take back the rewards since a reading: they are part of the next ones."""
        for meter, (cost, named) in zip(self._meters, reading, strict=True):
            meter.cost, meter.named = cost, named

    def failed(self) -> tuple[Any, Any]:
        """The observation and the reward of a step that ended the episode: defaults, and penalties."""
        for meter in self._silent:
            meter.fail()
        values = [self._env.observations[name].default for name in self.observations]
        return self._told(values, [meter.fail() for meter in self._meters])

    def _told(self, values: list[Any], rewards: list[float]) -> tuple[Any, Any]:
        observation = values if self._is_listed else values[0] if values else None
        if self._names is None:
            return observation, rewards[0] if rewards else 0.0
        by_name = dict(zip(dict.fromkeys(self._names), rewards, strict=True))  # a name may be there twice
        return observation, [by_name[name] for name in self._names]

    def _given(self, meter: RewardMeter, cost: float) -> float:
        reward = meter.read(cost)
        if self._names is not None:
            meter.named += reward
        return reward

    def _meter(self, name: str) -> RewardMeter:
        spec = self._env.environment.reward(name)
        meter = self._episode.meter
        if meter is not None and meter.spec == spec:
            return meter
        return self._env._guarded(lambda: self._episode.reading(name, self._env.environment.rewards))  # noqa: SLF001 # of this module


MAX_FILES: Final = 10_000
"""How many files the folder may have; half of them, those written first, are removed when there are more."""
_MAX_REMEMBERED: Final = 10_000
_WRITES_PER_CHECK: Final = 500
"""How many values this process writes between two looks at the number of files."""
_FORMAT: Final = 1

_remembered: dict[str, float] = {}
_written = 0


class KnownBaselines:
    """The baselines of one environment that are known on this machine. Thread-safe.

    Args:
        environment: The environment; its version digest and its variables are part of every name.
    """

    def __init__(self, environment: EnvironmentSpec) -> None:
        variables = [[name, os.environ.get(name, "")] for name in environment.variables]
        self._version = json.dumps([_FORMAT, environment.digest, environment.service, variables])

    def get(self, sha256: str, observation: str) -> float | None:
        """The value of an observation of a program, None if it is not known.

        Args:
            sha256: The hash of the program.
            observation: Name of the observation space.
        """
        name = self._name(sha256, observation)
        if name not in _remembered:
            value = _read(name, self._content(sha256, observation))
            if value is None:
                return None
            _remember(name, value)
        return _remembered.get(name)

    def put(self, sha256: str, observation: str, value: float) -> None:
        """Keep a value that a session has computed before its first action."""
        name = self._name(sha256, observation)
        _remember(name, value)
        with contextlib.suppress(OSError):  # no home, a full disk, a folder that may not be written
            _write(name, {**self._content(sha256, observation), "value": value})

    def _name(self, sha256: str, observation: str) -> str:
        return hashlib.sha256(f"{self._version}\n{sha256}\n{observation}".encode()).hexdigest()

    def _content(self, sha256: str, observation: str) -> dict[str, Any]:
        return {"version": self._version, "program": sha256, "observation": observation}


def folder() -> Path:
    """The folder of the files."""
    return paths.cache() / "baselines"


def _remember(name: str, value: float) -> None:
    _remembered[name] = value
    while len(_remembered) > _MAX_REMEMBERED:
        with contextlib.suppress(StopIteration, RuntimeError):  # another thread did it
            _remembered.pop(next(iter(_remembered)), None)


def _read(name: str, expected: dict[str, Any]) -> float | None:
    try:
        content = json.loads((folder() / f"{name}.json").read_bytes())
        value = content.pop("value")
        number = float(value)
    except (OSError, ValueError, OverflowError, KeyError, AttributeError, TypeError, RecursionError):
        return None
    usable = type(value) in (int, float) and math.isfinite(number)
    return number if usable and content == expected else None


def _write(name: str, content: dict[str, Any]) -> None:
    global _written  # noqa: PLW0603 # of the process: it saves looking at the folder each time
    target = folder() / f"{name}.json"
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if _written % _WRITES_PER_CHECK == 0:
        _make_room(target.parent)
    _written += 1
    part = target.with_name(f".{name}.{secrets.token_hex(8)}")
    try:
        part.write_text(json.dumps(content))
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _make_room(files: Path) -> None:
    """Remove the oldest half of the files if there are too many, with those of writers that died."""
    with os.scandir(files) as listed:
        dated = sorted((entry.stat().st_mtime_ns, entry.path) for entry in listed if entry.is_file())
    for _, path in dated[: len(dated) // 2] if len(dated) > MAX_FILES else []:
        with contextlib.suppress(FileNotFoundError):  # another process removes them, too
            os.unlink(path)  # noqa: PTH108 # of thousands
