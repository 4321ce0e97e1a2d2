"""One item in detail: the cost after each step, workloads, and claims beside measurements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from datasets.models import Baseline
from leaderboard.selectors.repetitions import measurements_together
from optarena.actions import action_description
from optarena.specs import Metric, environment_spec
from optarena.specs.board import measured_intervals
from optarena.specs.results import ReplayResult, WorkloadResult
from optarena.specs.rewards import level_order

if TYPE_CHECKING:
    from leaderboard.models import SubmissionItem
    from optarena.actions import ActionTable
    from optarena.specs.results import StepTrace


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The effect of one action; ``number`` counts from 1, 0 being the unoptimised program.

    Cost and change are None where the environment has no exact metric. ``about`` is that of ``StepTrace``;
    ``description`` is a sentence of the action table, or empty.
    """

    number: int
    name: str
    description: str
    about: str | None
    cost: float | None
    change: float | None
    no_op: bool

    @property
    def change_text(self) -> str:
        """The change with its sign, and a true minus."""
        if not self.change:
            return "0"
        text = f"{self.change:+,.0f}" if float(self.change).is_integer() else f"{self.change:+,.4g}"
        return text.replace("-", "−")  # noqa: RUF001 - a minus sign is intended


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The steps of a replay; empty until it has ended, and after they were ``pruned`` to save space.

    The first of ``costs`` is the cost before any step; without an exact metric ``costs`` is empty.
    """

    costs: tuple[float, ...] = ()
    steps: tuple[Step, ...] = ()
    workloads: tuple[WorkloadResult, ...] = ()
    walltime: float | None = None
    pruned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRow:
    """One metric: claimed, measured, and at the compiler's own levels.

    Attributes:
        metric: The metric.
        claimed: The claim, if there is one.
        measured: The value that counts.
        interval: The smallest and the largest measured value, of a noisy metric.
        status: ``consistent`` or ``optimistic``: the claim against the interval; empty without either.
        levels: The recorded values.
    """

    metric: Metric
    claimed: float | None
    measured: float | None
    interval: tuple[float, float] | None
    status: str
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
    pruned = "pruned" in stored
    result = ReplayResult.from_json({name: value for name, value in stored.items() if name != "pruned"})
    if result.initial is None:
        return Trace(workloads=result.workloads, walltime=result.walltime, pruned=pruned)
    costs = (result.initial.cost, *(step.cost for step in result.steps))
    spec = environment_spec(item.submission.board.environment_version.env_id)
    table = spec.table(item.action_space)
    steps = tuple(
        Step(
            number=number,
            name=step.name,
            description=_described(table, step),
            about=step.about,
            cost=step.cost,
            change=_change(costs[number - 1], step.cost),
            no_op=step.had_no_effect,
        )
        for number, step in enumerate(result.steps, start=1)
    )
    return Trace(
        costs=tuple(cost for cost in costs if cost is not None),
        steps=steps,
        workloads=result.workloads,
        walltime=result.walltime,
    )


def _described(table: ActionTable, step: StepTrace) -> str:
    """What the action of a step does; empty if the action of its number is another one today."""
    action = step.action
    if isinstance(action, int) and (action >= len(table.names) or table.names[action] != step.name):
        return ""
    return action_description(table, action)


def _change(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before


def trace_metric(item: SubmissionItem) -> Metric | None:
    """The metric that a trace shows after each step: the environment's first exact one, if it has one."""
    return environment_spec(item.submission.board.environment_version.env_id).cost_metric


def baselines(item: SubmissionItem) -> dict[str, dict[str, float]]:
    """The values of an item's program at the compiler's own levels: metric, then level.

    A member of a range has none: the values of the range's row are not its own.
    """
    own = Baseline.objects.filter(benchmark__uri=item.benchmark_uri)
    rows = own.values_list("metric", "level", "value")
    found: dict[str, dict[str, float]] = {}
    for metric, level, value in rows:
        found.setdefault(metric, {})[level] = float(value)
    return found


def claims(item: SubmissionItem, levels: dict[str, dict[str, float]]) -> Claims:
    """An item's claims beside the measured values and the ``baselines``."""
    spec = environment_spec(item.submission.board.environment_version.env_id)
    shown = level_order(level for values in levels.values() for level in values)
    metrics, measurement = measurements_together(item.verification)
    intervals = measured_intervals(measurement)
    rows = (
        ClaimRow(
            metric=metric,
            claimed=item.claims.get(metric.name),
            measured=metrics.get(metric.name),
            interval=intervals.get(metric.name),
            status=item.claim_status.get(metric.name, ""),
            levels=tuple(levels.get(metric.name, {}).get(level) for level in shown),
        )
        for metric in spec.metrics
    )
    return Claims(levels=shown, rows=tuple(rows))
