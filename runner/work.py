"""Requested replays as plain values that are checked and hashed once.

A submission may have thousands of action sequences. ``ActionSequence.checked`` makes them, so that other
code need not check their actions again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from datasets.selectors import hashes_of
from optarena.specs import actions_digest
from runner.cost import predicted_seconds

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from datasets.models import Benchmark
    from datasets.selectors import Hashes
    from optarena.specs import EnvironmentSpec


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
