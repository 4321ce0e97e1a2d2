"""One episode, independent of gymnasium: a session, the actions applied to it, and the rewards earned."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from optarena import paths
from optarena.env.spaces import RequestedSpaces, is_exact
from optarena.errors import InvalidInput, ServiceError, ValueUnavailable
from optarena.specs.rewards import UNOPTIMISED, RewardMeter, RewardSpec, checked_cost

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.env.observations import Observations
    from optarena.env.session_client import SessionClient
    from optarena.specs import EnvironmentSpec
    from optarena.specs.benchmark import Benchmark
    from optarena.specs.environment import LiveEnv


@dataclass(slots=True)
class Observer:
    # `known` are baselines known on this machine; None if they are not those of this session's compiler.

    session: SessionClient
    observations: Observations
    env: LiveEnv
    known: KnownBaselines | None = None

    def view(self, name: str, *, cpu_seconds: float | None = None) -> Any:  # noqa: ANN401 # of any space
        needs = self.observations.needs((name,))
        if cpu_seconds is not None and not (isinstance(cpu_seconds, (int, float)) and cpu_seconds > 0):
            message = f"cpu_seconds is {cpu_seconds!r:.100}."
            remedy = "Give a number of seconds above 0, or None."
            raise InvalidInput(message, field="cpu_seconds", value=cpu_seconds, remedy=remedy)
        outcome = self.session.step((), needs, cpu_seconds=cpu_seconds)
        return self.observations[name].view_in(outcome, self.env)

    def view_baseline(self, benchmark: Benchmark, name: str) -> float:
        value = self.known.get(benchmark.sha256, name) if self.known else None
        if value is not None:
            return value
        if self.known is None or not is_exact(self.observations[name]):
            return checked_cost(name, self.view(name))
        # What is kept must not come from a process that an earlier episode may have broken.
        with self.session.alone(benchmark) as session:
            fresh = session.is_pristine
            value = checked_cost(name, replace(self, session=session).view(name))
        if fresh:
            self.known.put(benchmark.sha256, name, value)
        return value

    def view_unoptimised(self, benchmark: Benchmark, name: str) -> Any:  # noqa: ANN401 # of any space
        # Before any action: in a session of its own if necessary.
        with self.session.unoptimised(benchmark) as session:
            return replace(self, session=session).view(name)


@dataclass(slots=True, kw_only=True)
class Episode:
    # `meter` is that of step()'s reward, or `missing` says why there is none; `readings` are those read
    # through the view. `actions` include one that failed, which leaves its `error` and a closed session.
    # `parameters` are those that may have changed the session: the number of actions before each, its key and
    # its value. `begun` are the actions of a step that is under way, `in_force` what usual steps ask for.

    observer: Observer
    benchmark: Benchmark
    meter: RewardMeter | None
    readings: dict[str, RewardMeter] = field(default_factory=dict)
    actions: list[Any] = field(default_factory=list)
    terminated: bool = False
    error: ServiceError | None = None
    missing: ValueUnavailable | None = None
    started: float = field(default_factory=time.monotonic)
    parameters: list[tuple[int, str, str]] = field(default_factory=list)
    begun: list[Any] = field(default_factory=list)
    in_force: RequestedSpaces | None = None

    @property
    def session(self) -> SessionClient:
        return self.observer.session

    @property
    def walltime(self) -> float:
        return time.monotonic() - self.started

    def reading(self, name: str, specs: Mapping[str, RewardSpec]) -> RewardMeter:
        if name not in self.readings:
            self.readings[name] = begin_meter(specs[name], self.benchmark, self.observer)
        return self.readings[name]

    def read_reward(self, name: str, specs: Mapping[str, RewardSpec]) -> float:
        meter = self.reading(name, specs)
        return meter.read(checked_cost(meter.spec.cost, self.observer.view(meter.spec.cost)))

    def with_own_meters(self) -> Episode:
        # On the same session, with meters of its own, to see what an action would earn.
        return replace(
            self,
            meter=replace(self.meter) if self.meter else None,
            readings={name: replace(meter) for name, meter in self.readings.items()},
            in_force=None,
        )

    def fork(self, twin: LiveEnv) -> Episode:
        # From here on the two are independent.
        observer = replace(self.observer, session=self.session.fork(), env=twin)
        parameters = list(self.parameters)
        return replace(
            self.with_own_meters(), observer=observer, actions=list(self.actions), parameters=parameters
        )


def begin_meter(spec: RewardSpec, benchmark: Benchmark, observer: Observer) -> RewardMeter:
    # Baselines that the benchmark does not record are computed.

    def baseline(level: str) -> float:
        recorded = benchmark.baseline(spec.metric, level)
        if recorded is not None:
            return float(recorded)
        if f"{spec.cost}{level}" in observer.observations:
            return observer.view_baseline(benchmark, f"{spec.cost}{level}")
        if level == UNOPTIMISED:
            return checked_cost(spec.cost, observer.view_unoptimised(benchmark, spec.cost))
        message = f"{benchmark.uri} has no {level} baseline of {spec.metric}, which {spec.name} needs."
        remedy = "Choose another reward space, or a benchmark for which it is recorded."
        raise InvalidInput(message, field="reward_space", value=spec.name, remedy=remedy)

    function = spec.at({level: baseline(level) for level in spec.levels})
    return RewardMeter(spec, function, function.initial, function.initial)


MAX_FILES: Final = 10_000  # when the folder has more files, the older half is removed
_MAX_REMEMBERED: Final = 10_000
_WRITES_PER_CHECK: Final = 500  # values that this process writes between two looks at the number of files
_FORMAT: Final = 1

_remembered: dict[str, float] = {}
_written = 0


class KnownBaselines:
    # The baselines of one environment that are known on this machine. Thread-safe.

    def __init__(self, environment: EnvironmentSpec) -> None:
        variables = tuple((name, os.environ.get(name, "")) for name in environment.variables)
        self._version = _version(environment.digest, environment.service, variables)

    def get(self, sha256: str, observation: str) -> float | None:
        name = _name(self._version, sha256, observation)
        if name not in _remembered:
            value = _read(name, self._content(sha256, observation))
            if value is None:
                return None
            _remember(name, value)
        return _remembered.get(name)

    def put(self, sha256: str, observation: str, value: float) -> None:
        # Only what a session has computed before its first action.
        name = _name(self._version, sha256, observation)
        _remember(name, value)
        with contextlib.suppress(OSError):  # no home, a full disk, a folder that may not be written
            _write(name, {**self._content(sha256, observation), "value": value})

    def _content(self, sha256: str, observation: str) -> dict[str, Any]:
        return {"version": self._version, "program": sha256, "observation": observation}


@lru_cache(maxsize=16)
def _version(digest: str, service: str, variables: tuple[tuple[str, str], ...]) -> str:
    return json.dumps([_FORMAT, digest, service, variables])


@lru_cache(maxsize=_MAX_REMEMBERED)
def _name(version: str, sha256: str, observation: str) -> str:
    return hashlib.sha256(f"{version}\n{sha256}\n{observation}".encode()).hexdigest()


def folder() -> Path:
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
        # Files of writers that died go, too.
        with os.scandir(target.parent) as listed:
            dated = sorted((entry.stat().st_mtime_ns, entry.path) for entry in listed if entry.is_file())
        for _, path in dated[: len(dated) // 2] if len(dated) > MAX_FILES else []:
            with contextlib.suppress(FileNotFoundError):  # another process removes them, too
                os.unlink(path)  # noqa: PTH108 # of thousands
    _written += 1
    part = target.with_name(f".{name}.{secrets.token_hex(8)}")
    try:
        part.write_text(json.dumps(content))
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
