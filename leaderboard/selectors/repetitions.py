"""Repeated measurements of an item: what they say together, and whether its result still holds."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from leaderboard.selectors.queue import runner_row
from optarena.measuring.blocks import pooled
from optarena.measuring.estimates import differ, of_measurement
from runner.models import Verification
from runner.states import State

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from leaderboard.models import SubmissionItem

_DOUBT = 0.001
"""Two measurements of one item disagree if equal ones differ as much with this probability, at most."""


def together(
    metrics: Mapping[str, float], measurement: object, repetitions: Sequence[object]
) -> tuple[Mapping[str, float], Mapping[str, Any]]:
    """The metrics and the measurement that a replay and its repetitions give, as JSON data.

    A measurement in another format stays alone.
    """
    own = measurement if isinstance(measurement, dict) else {}
    more = [one for one in repetitions if isinstance(one, dict) and one.get("names") == own.get("names")]
    if not more or "names" not in own:
        return metrics, own
    try:
        both = pooled([own, *more])
    except (ArithmeticError, LookupError, TypeError, ValueError):  # a plug-in writes what it likes
        return metrics, own
    return {**metrics, **both.metrics}, {**own, **both.details}


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One replay of an item's work.

    Attributes:
        state: Its state; ``recorded`` where it counts.
        reason: Why it failed; empty if it did not.
        at: When it ended, or was asked for.
        machine: The processor or device; empty where it is not known.
        blocks: The number of its blocks that count; 0 where everything is exact.
        ratio: The ratio that these blocks give; None where nothing is measured.
        interval: The confidence interval of that ratio.
    """

    state: str
    reason: str
    at: datetime
    machine: str
    blocks: int
    ratio: float | None
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemEvidence:
    """How often an item's result was found, and where.

    Attributes:
        since: When it was found first.
        last: When it was found last.
        times: How often.
        machines: On how many machines.
        waiting: Whether another measurement waits or runs.
        agree: Whether no two measurements differ by more than chance explains.
        rounds: Each replay, in the order of their requests.
    """

    since: datetime
    last: datetime
    times: int
    machines: int
    waiting: bool
    agree: bool
    rounds: tuple[Round, ...]


def evidence(item: SubmissionItem) -> ItemEvidence | None:
    """The evidence for an item's result; None where no replay of it has succeeded."""
    first = item.verification
    if first is None or first.state != State.RECORDED or first.finished_at is None:
        return None
    rows = [first, *_repetitions(first)]
    recorded = [row for row in rows if row.state == State.RECORDED and row.finished_at is not None]
    return ItemEvidence(
        since=first.finished_at,
        last=max(row.finished_at for row in recorded if row.finished_at),
        times=len(recorded),
        machines=len({row.runner.name if row.runner else "" for row in recorded}),
        waiting=any(not row.is_terminal for row in rows),
        agree=_agree(recorded),
        rounds=tuple(map(_round, rows)),
    )


def measurements_together(
    verification: Verification | None,
) -> tuple[Mapping[str, float], Mapping[str, Any]]:
    """The metrics and the measurement of a replay, with its repetitions if it counts."""
    if verification is None:
        return {}, {}
    repeated = [_measurement(row) for row in _repetitions(verification) if row.state == State.RECORDED]
    return together(verification.metrics or {}, _measurement(verification), repeated)


def add_references(items: Sequence[SubmissionItem], metric: str) -> Sequence[SubmissionItem]:
    """Give each of these items the ``reference`` that it is compared with: that of all its rounds together.

    Only of items that were measured again more is read than what lists of items show.
    """
    rows: dict[UUID | None, Sequence[Any]] = {item.verification_id: (item.measured, None) for item in items}
    recorded = Verification.objects.filter(state=State.RECORDED)
    read = ("metrics", "result__measurement")
    again: dict[UUID | None, list[object]] = defaultdict(list)
    repeated = recorded.filter(repeats__in=rows).order_by("created_at", "pk")
    for first, measurement in repeated.values_list("repeats", "result__measurement"):
        again[first].append(measurement)
    if again:
        rows |= {pk: row for pk, *row in recorded.filter(pk__in=again).values_list("pk", *read)}
    for item in items:
        metrics, measurement = rows.get(item.verification_id, ({}, None))
        found, _ = together(metrics or {}, measurement, again.get(item.verification_id, ()))
        vars(item)["reference"] = found.get(metric)
    return items


def _repetitions(first: Verification) -> list[Verification]:
    if first._state.adding:  # noqa: SLF001 - Django's documented model API
        return []
    return sorted(first.repetitions.all(), key=lambda row: (row.created_at, row.pk))


def _measurement(row: Verification) -> Mapping[str, Any]:
    found = (row.result or {}).get("measurement")
    return found if isinstance(found, dict) else {}


def _agree(rows: Sequence[Verification]) -> bool:
    estimates = [found for row in rows if (found := of_measurement(_measurement(row))) is not None]
    pairs = [(one, other) for number, one in enumerate(estimates) for other in estimates[:number]]
    return not any(differ(one, other, level=_DOUBT / len(pairs)) for one, other in pairs)


def _round(row: Verification) -> Round:
    measured = _measurement(row)
    estimate = of_measurement(measured)
    return Round(
        state=row.state,
        reason=row.reason,
        at=row.finished_at or row.created_at,
        machine=runner_row(row.runner)["title"] if row.runner else "",
        blocks=_counting(measured.get("blocks")),
        ratio=estimate.ratio if estimate else None,
        interval=estimate.interval if estimate else None,
    )


def _counting(blocks: object) -> int:
    rows = blocks if isinstance(blocks, list) else []
    return sum(isinstance(row, dict) and not row.get("discarded") for row in rows)
