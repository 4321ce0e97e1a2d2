"""Requested replays as plain values that are checked and hashed once, and what they are expected to cost.

The constants are fitted to replays of the shipped programs; ``benchmarks/predictions.py`` compares them with
new ones. What was reserved by them is corrected by what a replay really took.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from datasets.models import Benchmark
from datasets.selectors import Hashes, find_benchmark, hashes_of
from optarena import limits
from optarena.actions import Action
from optarena.specs import EnvironmentSpec, actions_digest
from optarena.specs.environment import CPU
from runner import conf
from runner.errors import EnvironmentChangedError

if TYPE_CHECKING:
    from runner.models import Study

# A session's start, and the checks of the smallest program.
_START_SECONDS: Final = 0.25

# Reading, checking, compiling and measuring a program of a million bytes.
_START_SECONDS_PER_MEGABYTE: Final = 5.0

# An action on the smallest program: messages, and the figures of the trace.
_ACTION_SECONDS: Final = 0.001

# What an action takes longer on a program of a million bytes.
_ACTION_SECONDS_PER_MEGABYTE: Final = 0.25

# The workloads of a program whose time is not known.
_RUN_SECONDS: Final = 0.1

# A measurement of times, in blocks, of what takes hardly any time itself.
_MEASUREMENT_SECONDS: Final = 10.0

# How many times the time of all workloads a measurement takes longer: each block has pairs of runs.
_MEASURED_RUNS: Final = 25.0

# How many times longer than expected a replay may take: machines differ, and programs grow.
_GENEROUS: Final = 10

_MEGABYTE: Final = 1_000_000


def predicted_seconds(
    *, size_bytes: int, actions: int, run_seconds: float | None = None, measured: bool = False
) -> float:
    # size_bytes is 0 for a program that is computed, which is small; run_seconds is of all its workloads.
    megabytes = size_bytes / _MEGABYTE
    start = _START_SECONDS + _START_SECONDS_PER_MEGABYTE * megabytes
    action = _ACTION_SECONDS + _ACTION_SECONDS_PER_MEGABYTE * megabytes
    run = _RUN_SECONDS if run_seconds is None else run_seconds
    measurement = _MEASUREMENT_SECONDS + _MEASURED_RUNS * (run_seconds or 0.0)
    return start + actions * action + run + measurement * measured


def replay_seconds(
    *, size_bytes: int, actions: int, run_seconds: float | None = None, measured: bool = False
) -> int:
    # A measurement has limits for each of its blocks, and its machine does nothing else.
    if measured:
        return limits.REPLAY_SECONDS
    predicted = predicted_seconds(size_bytes=size_bytes, actions=actions, run_seconds=run_seconds)
    generous = max(limits.SHORTEST_REPLAY_SECONDS, int(_GENEROUS * predicted))
    return min(generous, limits.REPLAY_SECONDS)


@dataclass(frozen=True, slots=True)
class ActionSequence:
    # In their canonical form. sha256 is optarena.specs.actions_digest; an empty name of a space is the first
    # one.
    actions: tuple[Any, ...]
    action_space: str
    sha256: str

    @classmethod
    def checked(cls, spec: EnvironmentSpec, actions: Sequence[object], action_space: str = "") -> Self:
        """The actions, if boards take all of them in this space; an empty name stands for the first."""
        space, canonical = spec.ranked_actions(actions, action_space)
        return cls(canonical, space, actions_digest(canonical, space))

    @classmethod
    def parsed(cls, spec: EnvironmentSpec, commandline: str) -> Self:
        """The actions of a command line."""
        space, canonical = spec.ranked_commandline(commandline)
        return cls(canonical, space, actions_digest(canonical, space))


class Identity(NamedTuple):
    # What requests that one replay answers have in common, within an environment and hardware class. It is
    # also the order in which rows are inserted.
    program: str
    workloads: str
    actions: str
    metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    # benchmark may be the range that has benchmark_uri as a member.
    benchmark: Benchmark
    benchmark_uri: str
    hashes: Hashes
    actions: ActionSequence
    metrics: tuple[str, ...]

    @classmethod
    def of(
        cls,
        *,
        spec: EnvironmentSpec,
        benchmark: Benchmark,
        benchmark_uri: str,
        actions: ActionSequence,
        metrics: Collection[str] | None = None,
    ) -> Self:
        needed = spec.metric_names if metrics is None else [spec.metric(name).name for name in metrics]
        return cls(
            benchmark=benchmark,
            benchmark_uri=benchmark_uri,
            hashes=hashes_of(benchmark, uri=benchmark_uri),
            actions=actions,
            metrics=_with_those_measured_together(spec, needed),
        )

    def predicted_seconds(self, *, measured: bool) -> float:
        return predicted_seconds(
            size_bytes=self.benchmark.size_bytes,
            actions=len(self.actions.actions),
            run_seconds=self.benchmark.run_seconds,
            measured=measured,
        )

    @property
    def identity(self) -> Identity:
        return Identity(self.hashes.program, self.hashes.workloads, self.actions.sha256, self.metrics)


def _with_those_measured_together(spec: EnvironmentSpec, needed: Collection[str]) -> tuple[str, ...]:
    # Metrics that are not exact come all at once, or not at all.
    noisy = {metric.name for metric in spec.metrics if not metric.exact and spec.measure is not None}
    return tuple(sorted({*needed, *(noisy if noisy.intersection(needed) else ())}))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedState:
    # What identifies a verification of a state that has none, in the environment's first action space.
    # `candidates` are the actions that a look ahead tries; all if None.
    environment: str
    environment_digest: str
    hardware_class: str
    benchmark_uri: str
    benchmark_sha256: str
    workloads_sha256: str
    actions: tuple[Action, ...]
    candidates: tuple[Action, ...] | None = None

    @classmethod
    def of(  # noqa: PLR0913 # the last two by keyword
        cls,
        spec: EnvironmentSpec,
        benchmark: Benchmark,
        uri: str,
        actions: tuple[Action, ...],
        *,
        candidates: tuple[Action, ...] | None = None,
        device: str = CPU,
    ) -> Self:
        hashes = hashes_of(benchmark, uri=uri)
        return cls(
            environment=spec.slug,
            environment_digest=spec.digest,
            hardware_class=conf.hardware_class(device),
            benchmark_uri=uri,
            benchmark_sha256=hashes.program,
            workloads_sha256=hashes.workloads,
            actions=actions,
            candidates=candidates,
        )

    @classmethod
    def stored(cls, study: Study) -> Self:
        # Those of more than one number are lists in JSON.
        played = dict(study.played or {})
        lists = {name: played.get(name) for name in ("actions", "candidates")}
        read = {
            name: None
            if listed is None
            else tuple(tuple(one) if isinstance(one, list) else one for one in listed)
            for name, listed in lists.items()
        }
        return cls(**played | read)

    def as_dict(self) -> dict[str, Any]:
        stored: dict[str, Any] = json.loads(json.dumps(asdict(self)))  # tuples are lists
        return stored

    @property
    def action_space(self) -> str:
        return ""

    @property
    def benchmark(self) -> Benchmark:
        found = find_benchmark(self.benchmark_uri)
        if found is None:
            raise EnvironmentChangedError(f"The program {self.benchmark_uri} has been removed.")
        return found
