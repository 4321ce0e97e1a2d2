"""From a finished verification to the verdicts of the items that wait for it.

The decision is ``judge``, a pure function of the claims and of what was measured. A verification knows
no claim and no board; this is the only place where the two meet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from datasets.models import Baseline
from leaderboard import ranking
from leaderboard.models import Board, SubmissionItem
from leaderboard.services import standings
from optarena.specs import Metric, environment_spec
from runner.states import State

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterable, Mapping

    from runner.models import Verification

Verdict = SubmissionItem.Verdict

_INTERNAL: Final = "infra:internal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a verification ended with."""

    state: str
    reason: str
    detail: str
    metrics: Mapping[str, float]
    effective_actions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Yardstick:
    """What an item's value is compared with."""

    metric: Metric
    exact_metrics: frozenset[str]
    baseline: float | None
    best_verified: float | None
    plausible_ratio: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A verdict with its reason, and the figures of an item whose replay ended."""

    verdict: str
    reason: str = ""
    detail: str = ""
    value: float | None = None
    ratio: float | None = None
    effective_actions: int | None = None


def judge(*, claims: Mapping[str, float], outcome: Outcome, yardstick: Yardstick) -> Judgement:
    """Decide one item.

    A replay whose program misbehaves, or that contradicts an exact claim, refutes the item. A replay that
    did not get through fails it. A ratio beyond ``ranking.plausible_limit`` waits for a reviewer.
    """
    if outcome.state != State.RECORDED:
        refuted = outcome.reason.startswith(("semantics:", "claim:"))
        return Judgement(
            verdict=Verdict.REFUTED if refuted else Verdict.FAILED,
            reason=outcome.reason or _INTERNAL,
            detail=outcome.detail,
        )
    if contradiction := _contradiction(claims, outcome.metrics, yardstick.exact_metrics):
        return Judgement(verdict=Verdict.REFUTED, reason="claim:mismatch", detail=contradiction)
    value = outcome.metrics.get(yardstick.metric.name)
    if value is None or not (math.isfinite(value) and value > 0):
        detail = f"The replay recorded {value!r} for {yardstick.metric.name}."
        return Judgement(verdict=Verdict.FAILED, reason=_INTERNAL, detail=detail)
    if yardstick.baseline is None:
        detail = f"The dataset has no baseline of {yardstick.metric.name} for this benchmark."
        return Judgement(verdict=Verdict.FAILED, reason=_INTERNAL, detail=detail)
    ratio = ranking.ratio(
        baseline=yardstick.baseline,
        achieved=float(value),
        lower_is_better=yardstick.metric.lower_is_better,
    )
    return _measured(float(value), ratio, outcome, yardstick)


def _measured(value: float, ratio: float, outcome: Outcome, yardstick: Yardstick) -> Judgement:
    limit = ranking.plausible_limit(yardstick.plausible_ratio, yardstick.best_verified)
    beyond = ratio > limit
    return Judgement(
        verdict=Verdict.QUARANTINED if beyond else Verdict.VERIFIED,
        reason="policy:implausible" if beyond else "",
        detail=f"{ratio:.4f} times the baseline; up to {limit:.4f} is published unseen." if beyond else "",
        value=value,
        ratio=ratio,
        effective_actions=outcome.effective_actions,
    )


def _contradiction(claims: Mapping[str, float], metrics: Mapping[str, float], exact: frozenset[str]) -> str:
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
    return Outcome(
        state=verification.state,
        reason=verification.reason,
        detail=verification.detail,
        metrics=verification.metrics or {},
        effective_actions=sum(not step["had_no_effect"] for step in steps),
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
    exact = frozenset(one.name for one in spec.metrics if one.exact)
    benchmarks = {item.benchmark_id for item in items}
    baselines = dict(
        Baseline.objects.filter(
            benchmark__in=benchmarks, metric=board.metric, level=board.baseline_level
        ).values_list("benchmark_id", "value")
    )
    best = dict(
        SubmissionItem.objects.filter(
            benchmark__in=benchmarks, submission__board=board, verdict=Verdict.VERIFIED
        )
        .values_list("benchmark_id")
        .annotate(best=Max("ratio"))
    )
    for item in items:
        yardstick = Yardstick(
            metric=metric,
            exact_metrics=exact,
            baseline=baselines.get(item.benchmark_id),
            best_verified=best.get(item.benchmark_id),
            plausible_ratio=board.plausible_ratio,
        )
        outcome = outcome_of(finished[item.verification_id])
        apply(item=item, judgement=judge(claims=item.claims, outcome=outcome, yardstick=yardstick))
        if item.verdict == Verdict.VERIFIED and item.ratio is not None:
            best[item.benchmark_id] = max(best.get(item.benchmark_id, 0.0), item.ratio)
    SubmissionItem.objects.bulk_update(items, JUDGED_FIELDS)


JUDGED_FIELDS: Final = (
    "verdict",
    "reason",
    "detail",
    "value",
    "ratio",
    "log_ratio",
    "effective_actions",
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
    item.decided_at = timezone.now()
