"""Requested replays as plain values that are checked and hashed once.

A submission may have thousands of action sequences. ``ActionSequence.checked`` makes them, so that other
code need not check their actions again.

What a replay is expected to cost, in seconds of one worker, and the time that it may take.

The constants are fitted to replays of the shipped programs; ``benchmarks/predictions.py`` compares them with
new ones. They need not be exact: what was reserved by them is corrected by what a replay really took.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from datasets.selectors import hashes_of
from optarena import limits
from optarena.specs import actions_digest

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from datasets.models import Benchmark
    from datasets.selectors import Hashes
    from optarena.specs import EnvironmentSpec

_START_SECONDS: Final = 0.25
"""A session's start, and the checks of the smallest program."""

_START_SECONDS_PER_MEGABYTE: Final = 5.0
"""Reading, checking, compiling and measuring a program of a million bytes."""

_ACTION_SECONDS: Final = 0.001
"""An action on the smallest program: messages, and the figures of the trace."""

_ACTION_SECONDS_PER_MEGABYTE: Final = 0.25
"""What an action takes longer on a program of a million bytes."""

_RUN_SECONDS: Final = 0.1
"""The workloads of a program whose time is not known."""

_MEASUREMENT_SECONDS: Final = 10.0
"""A measurement of times, in blocks, of what takes hardly any time itself."""

_MEASURED_RUNS: Final = 25.0
"""How many times the time of all workloads a measurement takes longer: each block has pairs of runs."""

_GENEROUS: Final = 10
"""How many times longer than expected a replay may take: machines differ, and programs grow."""

_MEGABYTE: Final = 1_000_000


def predicted_seconds(
    *, size_bytes: int, actions: int, run_seconds: float | None = None, measured: bool = False
) -> float:
    """What a replay probably takes on one worker, in seconds.

    Args:
        size_bytes: The size of the program; 0 for one that is computed, which is small.
        actions: The number of actions.
        run_seconds: The time of all its workloads, where it is known.
        measured: Whether the environment measures times.
    """
    megabytes = size_bytes / _MEGABYTE
    start = _START_SECONDS + _START_SECONDS_PER_MEGABYTE * megabytes
    action = _ACTION_SECONDS + _ACTION_SECONDS_PER_MEGABYTE * megabytes
    run = _RUN_SECONDS if run_seconds is None else run_seconds
    measurement = _MEASUREMENT_SECONDS + _MEASURED_RUNS * (run_seconds or 0.0)
    return start + actions * action + run + measurement * measured


def replay_seconds(
    *, size_bytes: int, actions: int, run_seconds: float | None = None, measured: bool = False
) -> int:
    """The time that one whole replay may take, in seconds; the arguments are those of a prediction.

    A measurement has limits for each of its blocks, and its machine does nothing else.
    """
    if measured:
        return limits.REPLAY_SECONDS
    predicted = predicted_seconds(size_bytes=size_bytes, actions=actions, run_seconds=run_seconds)
    generous = max(limits.SHORTEST_REPLAY_SECONDS, int(_GENEROUS * predicted))
    return min(generous, limits.REPLAY_SECONDS)


@dataclass(frozen=True, slots=True)
class ActionSequence:
    """Actions of an environment in their canonical form, with the hash that identifies them.

    Attributes:
        actions: Indices into the action table, or its other form of actions.
        action_space: The name of their action space; empty for the environment's first.
        sha256: ``optarena.specs.actions_digest`` of both.
    """

    actions: tuple[Any, ...]
    action_space: str
    sha256: str

    @classmethod
    def checked(cls, spec: EnvironmentSpec, actions: Sequence[object], action_space: str = "") -> Self:
        """The actions, if boards take all of them in this space; an empty name stands for the first.

        Raises:
            UnknownName: The environment has no such action space, or boards do not take its actions.
            InvalidAction: The space does not have one of them.
        """
        space, canonical = spec.ranked_actions(actions, action_space)
        return cls(canonical, space, actions_digest(canonical, space))

    @classmethod
    def parsed(cls, spec: EnvironmentSpec, commandline: str) -> Self:
        """The actions of a command line.

        Raises:
            InvalidCommandline: It is not a command line of the environment, or of a space that boards take.
        """
        space, canonical = spec.ranked_commandline(commandline)
        return cls(canonical, space, actions_digest(canonical, space))


class Identity(NamedTuple):
    """What two requests have in common that one replay answers, in one environment and hardware class.

    It is also the order in which rows are inserted.

    Attributes:
        program: The sha256 of the program.
        workloads: The sha256 of its workloads.
        actions: The sha256 of the actions.
        metrics: The names of the metrics to measure, sorted.
    """

    program: str
    workloads: str
    actions: str
    metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A replay of one action sequence on one program, with the metrics that are needed of it.

    Attributes:
        benchmark: A stored benchmark, or the range that has ``benchmark_uri`` as a member.
        benchmark_uri: Canonical URI.
        hashes: The hashes of the program and of its workloads.
        actions: The actions to replay.
        metrics: The names of the metrics to measure, sorted.
    """

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
        """The work, with the hashes of its program and workloads.

        Args:
            spec: The environment.
            benchmark: A stored benchmark, or the range that has ``benchmark_uri`` as a member.
            benchmark_uri: Canonical URI.
            actions: The actions to replay.
            metrics: The metrics that somebody needs; None for all.

        Raises:
            InvalidInput: The URI does not name a member of the range.
            UnknownName: The environment does not measure one of the metrics.
        """
        needed = spec.metric_names if metrics is None else [spec.metric(name).name for name in metrics]
        return cls(
            benchmark=benchmark,
            benchmark_uri=benchmark_uri,
            hashes=hashes_of(benchmark, uri=benchmark_uri),
            actions=actions,
            metrics=_with_those_measured_together(spec, needed),
        )

    def predicted_seconds(self, *, measured: bool) -> float:
        """What the replay probably takes; ``measured`` says whether the environment measures times."""
        return predicted_seconds(
            size_bytes=self.benchmark.size_bytes,
            actions=len(self.actions.actions),
            run_seconds=self.benchmark.run_seconds,
            measured=measured,
        )

    @property
    def identity(self) -> Identity:
        """Its identity among the work of one environment and hardware class."""
        return Identity(self.hashes.program, self.hashes.workloads, self.actions.sha256, self.metrics)


def _with_those_measured_together(spec: EnvironmentSpec, needed: Collection[str]) -> tuple[str, ...]:
    """Metrics in their canonical form: those that are not exact come all at once, or not at all."""
    noisy = {metric.name for metric in spec.metrics if not metric.exact and spec.measure is not None}
    return tuple(sorted({*needed, *(noisy if noisy.intersection(needed) else ())}))
