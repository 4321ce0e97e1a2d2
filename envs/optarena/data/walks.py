"""Applies sequences of actions to programs and observes each step: what releases and datasets are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from optarena.actions import action_name
from optarena.data.tables import DataEntry, DataProgram
from optarena.env import CompilerEnv
from optarena.errors import InvalidInput
from optarena.specs.board import ratio

if TYPE_CHECKING:
    from optarena.datasets import Benchmark
    from optarena.specs import EnvironmentSpec, Metric

T = TypeVar("T")
R = TypeVar("R")
_REFERENCE: Final = "Oz"


def in_environments(
    environment: EnvironmentSpec, work: Callable[[CompilerEnv, T], R], tasks: Iterable[T], *, nproc: int
) -> Iterator[R]:
    """What a function gives for tasks, in their order; up to ``nproc`` are done at a time.

    Each call has an environment to itself; its session does the work in another process.
    """
    with ExitStack() as closing:
        idle: SimpleQueue[CompilerEnv] = SimpleQueue()
        for _ in range(nproc):
            idle.put(
                closing.enter_context(CompilerEnv(environment, observation_space=None, reward_space=None))
            )

        def begin(task: T) -> R:
            env = idle.get()
            try:
                return work(env, task)
            finally:
                idle.put(env)

        threads = closing.enter_context(ThreadPoolExecutor(nproc))
        waiting = []
        for task in tasks:
            waiting.append(threads.submit(begin, task))
            if len(waiting) > 2 * nproc:  # so that results do not pile up
                yield waiting.pop(0).result()
        for one in waiting:
            yield one.result()


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSequence:
    """A sequence of actions: what it is applied to, who made it, and where it is from."""

    benchmark: Benchmark
    actions: tuple[Any, ...]
    agent: str
    origin: str
    action_space: str = ""


class SequenceTrace(NamedTuple):
    """What ``ReleaseWriter.add`` takes."""

    program: DataProgram
    entry: DataEntry
    trace: dict[str, Any]


def trace_sequence(env: CompilerEnv, sequence: DataSequence) -> SequenceTrace:
    """Apply a sequence, and observe the digest and the cost after each action.

    Raises:
        InvalidInput: One of the actions cannot be applied, or the environment has no cost after each step.
    """
    spec, benchmark = env.environment, sequence.benchmark
    metric = spec.cost_metric
    if metric is None:
        message, remedy = (
            f"{spec.slug} does not know its cost after each action.",
            "Choose another environment.",
        )
        raise InvalidInput(message, field="env", value=spec.slug, remedy=remedy)
    names = [spec.digest_observation, spec.cost]
    env.reset(options={"benchmark": benchmark, "action_space": sequence.action_space or None})
    digest, cost = (env.observation[name] for name in names)
    steps = env.steps(sequence.actions, observation_spaces=names)
    if env.error is not None:
        message = f"{sequence.origin}, step {len(steps)} on {benchmark.uri}: {env.error}"
        remedy = "Leave this sequence out."
        raise InvalidInput(
            message, field="actions", value=list(sequence.actions), remedy=remedy
        ) from env.error
    found: list[dict[str, Any]] = [
        {
            "name": action_name(env.action_table, action),
            "had_no_effect": bool(info["action_had_no_effect"]),
            "digest": str(observation[0]),
            "cost": float(observation[1]),
        }
        for action, (observation, _, _, _, info) in zip(sequence.actions, steps, strict=True)
    ]
    value = found[-1]["cost"] if found else float(cost)
    program = DataProgram(
        uri=benchmark.uri, sha256=benchmark.sha256, split=benchmark.split, licence=benchmark.licence
    )
    entry = DataEntry(
        environment=spec.slug,
        environment_digest=spec.digest,
        action_space=sequence.action_space,
        agent=sequence.agent,
        origin=sequence.origin,
        metric=metric.name,
        value=value,
        ratio=_ratio(benchmark, metric, value),
    )
    return SequenceTrace(
        program, entry, {"initial": {"digest": str(digest), "cost": float(cost)}, "steps": found}
    )


def _ratio(benchmark: Benchmark, metric: Metric, value: float) -> float | None:
    # With the level that boards compare with.
    baseline = benchmark.baseline(metric.name, _REFERENCE)
    if baseline is None or value <= 0:
        return None
    return ratio(baseline=baseline, achieved=value, lower_is_better=metric.lower_is_better)
