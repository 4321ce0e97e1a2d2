"""From a finished verification to the verdicts of the items that wait for it.

The decision is ``judge``, a pure function of the claims and of what was measured. A verification knows
no claim and no board; this is the only place where the two meet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeGuard

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from datasets.models import Baseline
from leaderboard import ranking
from leaderboard.models import Board, SubmissionItem
from leaderboard.selectors import measurement_data
from leaderboard.services import standings
from optarena.specs import environment_spec
from optarena.specs.claims import claim_statuses, measured_intervals
from runner.states import State

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterable, Mapping

    from optarena.specs import Metric
    from runner.models import Verification

Verdict = SubmissionItem.Verdict

_INTERNAL: Final = "infra:internal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a verification ended with.

    Attributes:
        state: Its terminal state.
        reason: Reason id, where it failed.
        detail: For people.
        metrics: Metric name -> value.
        effective_actions: Actions that changed something.
        intervals: Metric name -> the ends of what was measured, of metrics that are not exact.
        emulated: Whether the device was only imitated, so that no figure means anything.
    """

    state: str
    reason: str
    detail: str
    metrics: Mapping[str, float]
    effective_actions: int
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    emulated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Yardstick:
    """What an item's value is compared with.

    Attributes:
        metric: What the board compares.
        metrics: All that the environment measures.
        baseline: The value recorded for the benchmark; None where there is none.
        best_verified: The best ratio verified so far on this benchmark of this board, if any.
        plausible_ratio: The board's.
        reference_metric: The metric of the same replay that stands in place of a recorded baseline; empty
            where the board has recorded ones.
    """

    metric: Metric
    metrics: tuple[Metric, ...]
    baseline: float | None
    best_verified: float | None
    plausible_ratio: float
    reference_metric: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A verdict with its reason, and the figures of an item whose replay ended."""

    verdict: str
    reason: str = ""
    detail: str = ""
    value: float | None = None
    ratio: float | None = None
    effective_actions: int | None = None
    claim_status: Mapping[str, str] = field(default_factory=dict)


def judge(*, claims: Mapping[str, float], outcome: Outcome, yardstick: Yardstick) -> Judgement:
    """Decide one item.

    A replay whose program misbehaves, or that contradicts an exact claim, refutes the item. A replay that
    did not get through, or measured nothing that could be compared, fails it. A ratio beyond
    ``ranking.plausible_limit`` waits for a reviewer.
    """
    if outcome.state != State.RECORDED:
        refuted = outcome.reason.startswith(("semantics:", "claim:"))
        return Judgement(
            verdict=Verdict.REFUTED if refuted else Verdict.FAILED,
            reason=outcome.reason or _INTERNAL,
            detail=outcome.detail,
        )
    if outcome.emulated:  # the runner stores none; should one come through, it must never count
        return Judgement(verdict=Verdict.FAILED, reason="infra:emulated-device")
    if contradiction := _contradiction(claims, outcome.metrics, yardstick.metrics):
        return Judgement(verdict=Verdict.REFUTED, reason="claim:mismatch", detail=contradiction)
    value = outcome.metrics.get(yardstick.metric.name)
    if not _usable(value):
        return _unusable(f"The replay recorded {value!r} for {yardstick.metric.name}.")
    measured = yardstick.reference_metric
    baseline = outcome.metrics.get(measured) if measured else yardstick.baseline
    if not _usable(baseline):
        return _unusable(
            f"The replay recorded {baseline!r} for {measured}, which the board compares with."
            if measured
            else f"The dataset has no baseline of {yardstick.metric.name} for this benchmark."
        )
    return _measured(float(value), float(baseline), claims, outcome, yardstick)


def _usable(value: float | None) -> TypeGuard[float]:
    return value is not None and math.isfinite(value) and value > 0


def _unusable(detail: str) -> Judgement:
    return Judgement(verdict=Verdict.FAILED, reason=_INTERNAL, detail=detail)


def _measured(
    value: float, baseline: float, claims: Mapping[str, float], outcome: Outcome, yardstick: Yardstick
) -> Judgement:
    lower = yardstick.metric.lower_is_better
    ratio = ranking.ratio(baseline=baseline, achieved=value, lower_is_better=lower)
    limit = ranking.plausible_limit(yardstick.plausible_ratio, yardstick.best_verified)
    beyond = ratio > limit
    return Judgement(
        verdict=Verdict.QUARANTINED if beyond else Verdict.VERIFIED,
        reason="policy:implausible" if beyond else "",
        detail=f"{ratio:.4f} times the baseline; up to {limit:.4f} is published unseen." if beyond else "",
        value=value,
        ratio=ratio,
        effective_actions=outcome.effective_actions,
        claim_status=claim_statuses(claims, yardstick.metrics, outcome.intervals),
    )


def _contradiction(claims: Mapping[str, float], metrics: Mapping[str, float], known: Iterable[Metric]) -> str:
    exact = {metric.name for metric in known if metric.exact}
    wrong = [
        f"{name}: claimed {claims[name]:g}, measured {metrics[name]:g}"
        if name in metrics
        else f"{name}: claimed {claims[name]:g}, not measured"
        for name in sorted(claims)
        if name in exact and claims[name] != metrics.get(name)
    ]
    return "; ".join(wrong)


def outcome_of(verification: Verification) -> Outcome:
    """What a terminal verification ended with."""
    result = verification.result or {}
    steps = result.get("steps", [])
    measurement = measurement_data(verification)
    return Outcome(
        state=verification.state,
        reason=verification.reason,
        detail=verification.detail,
        metrics=verification.metrics or {},
        effective_actions=sum(not step["had_no_effect"] for step in steps),
        intervals=measured_intervals(measurement),
        emulated=bool(measurement.get("emulated")),
    )


@transaction.atomic
def settle(*, verifications: Iterable[Verification]) -> set[int]:
    """Derive the verdicts of all items that wait for these terminal verifications, and rebuild their boards.

    The caller holds the verifications' row locks. Items that have a verdict keep it, so that a repeated
    call changes nothing.

    Returns:
        The ids of the boards that were rebuilt.
    """
    finished: dict[uuid.UUID | None, Verification] = {one.pk: one for one in verifications if one.is_terminal}
    items = list(
        SubmissionItem.objects.select_for_update(no_key=True, of=("self",))
        .filter(verification__in=finished, verdict=Verdict.PENDING)
        .select_related("submission")
        .order_by("pk")
    )
    if not items:
        return set()
    boards = standings.lock_boards(board_ids={item.submission.board_id for item in items})
    for board in boards.values():
        _judge_items(
            board,
            [item for item in items if item.submission.board_id == board.pk],
            finished,
        )
    for board in boards.values():
        standings.rebuild(board=board)
    return set(boards)


def _judge_items(
    board: Board, items: list[SubmissionItem], finished: Mapping[uuid.UUID | None, Verification]
) -> None:
    spec = environment_spec(board.environment_version.env_id)
    metric = spec.metric(board.metric)
    # The members of a range share one row: only its URI tells a benchmark from others.
    uris = {item.benchmark_uri for item in items}
    baselines = dict(
        Baseline.objects.filter(
            benchmark__uri__in=uris, metric=board.metric, level=board.baseline_level
        ).values_list("benchmark__uri", "value")
    )
    best = dict(
        SubmissionItem.objects.filter(
            benchmark_uri__in=uris, submission__board=board, verdict=Verdict.VERIFIED
        )
        .values_list("benchmark_uri")
        .annotate(best=Max("ratio"))
    )
    for item in items:
        yardstick = Yardstick(
            metric=metric,
            metrics=spec.metrics,
            reference_metric=board.reference_metric,
            baseline=baselines.get(item.benchmark_uri),
            best_verified=best.get(item.benchmark_uri),
            plausible_ratio=board.plausible_ratio,
        )
        outcome = outcome_of(finished[item.verification_id])
        apply(item=item, judgement=judge(claims=item.claims, outcome=outcome, yardstick=yardstick))
        if item.verdict == Verdict.VERIFIED and item.ratio is not None:
            best[item.benchmark_uri] = max(best.get(item.benchmark_uri, 0.0), item.ratio)
    SubmissionItem.objects.bulk_update(items, JUDGED_FIELDS)


JUDGED_FIELDS: Final = (
    "verdict",
    "reason",
    "detail",
    "value",
    "ratio",
    "log_ratio",
    "effective_actions",
    "claim_status",
    "decided_at",
)


def apply(*, item: SubmissionItem, judgement: Judgement) -> None:
    """Write a judgement into an item, unsaved; the only place where a verdict is assigned."""
    item.verdict = judgement.verdict
    item.reason = judgement.reason
    item.detail = judgement.detail
    item.value = judgement.value
    item.ratio = judgement.ratio
    item.log_ratio = None if judgement.ratio is None else math.log(judgement.ratio)
    item.effective_actions = judgement.effective_actions
    item.claim_status = dict(judgement.claim_status)
    item.decided_at = timezone.now()
