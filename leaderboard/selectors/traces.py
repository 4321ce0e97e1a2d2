"""One item in detail: the cost after each step, workloads, and claims beside measurements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from datasets.models import Baseline
from optarena.replay_result import ReplayResult, WorkloadResult
from optarena.reward import level_order
from optarena.specs import Metric, environment_spec

if TYPE_CHECKING:
    from leaderboard.models import SubmissionItem


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The program's cost after one action; ``number`` counts from 1, 0 being the unoptimised program."""

    number: int
    name: str
    cost: float
    change: float
    no_op: bool

    @property
    def change_text(self) -> str:
        """The change with its sign, and a true minus."""
        if not self.change:
            return "0"
        text = f"{self.change:+,.0f}" if float(self.change).is_integer() else f"{self.change:+,.4g}"
        return text.replace("-", "−")  # noqa: RUF001 - minus is meant


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What a replay did, step by step; empty until it has ended. The first of ``costs`` is before any."""

    costs: tuple[float, ...] = ()
    steps: tuple[Step, ...] = ()
    workloads: tuple[WorkloadResult, ...] = ()
    walltime: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRow:
    """One metric: claimed, measured, and at the compiler's own levels."""

    metric: Metric
    claimed: float | None
    measured: float | None
    levels: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """All metrics of an item."""

    levels: tuple[str, ...]
    rows: tuple[ClaimRow, ...]


def trace(item: SubmissionItem) -> Trace:
    """The trace of an item's replay."""
    stored = None if item.verification is None else item.verification.result
    if not stored:
        return Trace()
    result = ReplayResult.from_json(stored)
    if result.initial is None:
        return Trace(workloads=result.workloads, walltime=result.walltime)
    costs = (result.initial.cost, *(step.cost for step in result.steps))
    steps = tuple(
        Step(
            number=number,
            name=step.name,
            cost=step.cost,
            change=step.cost - costs[number - 1],
            no_op=step.had_no_effect,
        )
        for number, step in enumerate(result.steps, start=1)
    )
    return Trace(costs=costs, steps=steps, workloads=result.workloads, walltime=result.walltime)


def trace_metric(item: SubmissionItem) -> Metric:
    """What a trace shows after each step: the environment's first metric."""
    return environment_spec(item.submission.board.environment_version.env_id).cost_metric


def baselines(item: SubmissionItem) -> dict[str, dict[str, float]]:
    """The values of an item's program at the compiler's own levels: metric, then level."""
    rows = Baseline.objects.filter(benchmark_id=item.benchmark_id).values_list("metric", "level", "value")
    found: dict[str, dict[str, float]] = {}
    for metric, level, value in rows:
        found.setdefault(metric, {})[level] = float(value)
    return found


def claims(item: SubmissionItem, levels: dict[str, dict[str, float]]) -> Claims:
    """An item's claims beside what was measured and what ``baselines`` gives."""
    spec = environment_spec(item.submission.board.environment_version.env_id)
    shown = level_order(level for values in levels.values() for level in values)
    rows = (
        ClaimRow(
            metric=metric,
            claimed=item.claims.get(metric.name),
            measured=item.measured.get(metric.name),
            levels=tuple(levels.get(metric.name, {}).get(level) for level in shown),
        )
        for metric in spec.metrics
    )
    return Claims(levels=shown, rows=tuple(rows))
