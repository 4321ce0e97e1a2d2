"""From a finished verification to the verdicts of the items that wait for it.

The decision is ``judge``, a pure function of the claims and of what was measured. A verification knows
no claim and no board; this is the only place where the two meet.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from django.db import transaction
from django.db.models import F, Func, IntegerField, Q, Value
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast, Coalesce, Now

from leaderboard import ranking
from leaderboard.common.rows import update_rows
from leaderboard.models import SubmissionItem
from leaderboard.selectors import board_scale, together
from leaderboard.services import credit, records, standings
from leaderboard.services.plausibility import History
from optarena.measuring.estimates import of_measurement
from optarena.specs import environment_spec
from optarena.specs.board import claim_statuses, measured_intervals
from optarena.specs.board import ratio as ratio_to
from optarena.specs.results import MISMATCH, refutes
from runner.models import Verification
from runner.states import State

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from leaderboard.models import Board
    from leaderboard.totals import BoardScale, Counted
    from optarena.measuring.estimates import Estimate
    from optarena.specs import EnvironmentSpec, Metric

Verdict = SubmissionItem.Verdict

_INTERNAL: Final = "infra:internal"
_BATCH: Final = 500
_EFFECTIVE: Final = "$.steps[*] ? (@.had_no_effect == false)"
"""The steps of a stored result that changed something, as a path in SQL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a verification.

    Attributes:
        state: Its terminal state.
        reason: Reason id, where it failed.
        detail: For people.
        metrics: Metric name -> value.
        effective_actions: Actions that changed something.
        intervals: Metric name -> the ends of what was measured, of metrics that are not exact.
        estimate: The logarithm of the ratio to the measured reference, and its error; None where there is
            none.
        emulated: Whether the device was only emulated, so that no figure is meaningful.
        read_at: The database's time when it was read, the same for all that were read together.
    """

    state: str
    reason: str
    detail: str
    metrics: Mapping[str, float]
    effective_actions: int
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    estimate: Estimate | None = None
    emulated: bool = False
    read_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Yardstick:
    """The values that an item is compared with.

    Attributes:
        metric: The metric that the board compares.
        metrics: All metrics of the environment.
        baseline: The value recorded for the benchmark; None where there is none.
        best_verified: The best ratio on this benchmark of this board that a reviewer has published or that
            another owner's item has, if any.
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
    """A verdict with its reason, and the figures of an item whose replay ended.

    ``error`` is that of the ratio's logarithm: its variance and degrees of freedom.
    """

    verdict: str
    reason: str = ""
    detail: str = ""
    value: float | None = None
    ratio: float | None = None
    error: tuple[float, float] | None = None
    effective_actions: int | None = None
    claim_status: Mapping[str, str] = field(default_factory=dict)
    reviewed: bool = False


def judge(*, claims: Mapping[str, float], outcome: Outcome, yardstick: Yardstick) -> Judgement:
    """Decide one item whose verification has ended.

    A replay whose program misbehaves, or that contradicts an exact claim, refutes the item. A replay that
    did not end, or measured no comparable value, fails it. A ratio beyond ``ranking.plausible_limit``
    waits for a reviewer.
    """
    if outcome.state != State.RECORDED:
        return of_failure(outcome.reason, outcome.detail)
    if outcome.emulated:  # the runner stores none; if one came through, it must never count
        return Judgement(verdict=Verdict.FAILED, reason="infra:emulated-device")
    if contradiction := _contradiction(claims, outcome.metrics, yardstick.metrics):
        return Judgement(verdict=Verdict.REFUTED, reason=MISMATCH, detail=contradiction)
    value = outcome.metrics.get(yardstick.metric.name)
    lacking = _unmeasured(claims, outcome.metrics, yardstick.metrics)
    if lacking or not _usable(value):
        return _unusable(lacking or f"The replay recorded {value!r} for {yardstick.metric.name}.")
    measured = yardstick.reference_metric
    baseline = outcome.metrics.get(measured) if measured else yardstick.baseline
    if not _usable(baseline):
        return _unusable(
            f"The replay recorded {baseline!r} for {measured}, which the board compares with."
            if measured
            else f"The dataset has no baseline of {yardstick.metric.name} for this benchmark."
        )
    return _measured(float(value), float(baseline), claims, outcome, yardstick)


def of_failure(reason: str, detail: str) -> Judgement:
    """Decide an item whose verification failed."""
    verdict = Verdict.REFUTED if refutes(reason) else Verdict.FAILED
    return Judgement(verdict=verdict, reason=reason or _INTERNAL, detail=detail)


def _usable(value: float | None) -> TypeGuard[float]:
    return value is not None and math.isfinite(value) and value > 0


def _unusable(detail: str) -> Judgement:
    return Judgement(verdict=Verdict.FAILED, reason=_INTERNAL, detail=detail)


def _measured(
    value: float, baseline: float, claims: Mapping[str, float], outcome: Outcome, yardstick: Yardstick
) -> Judgement:
    lower = yardstick.metric.lower_is_better
    estimate = outcome.estimate if yardstick.reference_metric else None
    if estimate:
        ratio, error = estimate.ratio, (estimate.variance, estimate.freedom)
    else:
        ratio, error = ratio_to(baseline=baseline, achieved=value, lower_is_better=lower), None
    limit = ranking.plausible_limit(yardstick.plausible_ratio, yardstick.best_verified)
    beyond = ratio > limit
    return Judgement(
        verdict=Verdict.QUARANTINED if beyond else Verdict.VERIFIED,
        reason="policy:implausible" if beyond else "",
        detail=f"{ratio:.4f} times the baseline; more than {limit:.4f} needs a review." if beyond else "",
        value=value,
        ratio=ratio,
        error=error,
        effective_actions=outcome.effective_actions,
        claim_status=claim_statuses(claims, yardstick.metrics, outcome.intervals),
    )


def _contradiction(claims: Mapping[str, float], metrics: Mapping[str, float], known: Iterable[Metric]) -> str:
    exact = {metric.name for metric in known if metric.exact}
    wrong = [
        f"{name}: claimed {claims[name]:.15g}, measured {metrics[name]:.15g}"
        for name in sorted(claims)
        if name in exact and name in metrics and claims[name] != metrics[name]
    ]
    return f"{'; '.join(wrong)}." if wrong else ""


def _unmeasured(claims: Mapping[str, float], metrics: Mapping[str, float], known: Iterable[Metric]) -> str:
    """The claims that nothing is known about, since the replay did not measure them."""
    lacking = sorted({metric.name for metric in known if metric.exact}.intersection(claims) - metrics.keys())
    return f"The replay did not measure {', '.join(lacking)}, which the item claims." if lacking else ""


def outcomes(verification_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Outcome]:
    """The outcomes of these terminal verifications by id; their traces stay in the database."""
    counted: Func = Func(
        Func(F("result"), Value(_EFFECTIVE), function="jsonb_path_query_array", template=_AS_PATH),
        function="jsonb_array_length",
        output_field=IntegerField(),
    )
    # A result whose steps were deleted keeps their number.
    kept = Cast(KeyTextTransform("effective_actions", KeyTransform("pruned", "result")), IntegerField())
    effective = Coalesce(kept, counted)
    wanted = set(verification_ids)
    repeated = Q(repeats__in=wanted, state=State.RECORDED)
    rows = Verification.objects.filter(Q(pk__in=wanted) | repeated).order_by("created_at")
    rows = rows.annotate(read_at=Now())  # a query of its own would be one too many
    figures = ("pk", "repeats_id", "state", "reason", "detail", "metrics", "read_at")
    found, more = {}, defaultdict(list)
    for row in rows.values(*figures, measurement=F("result__measurement"), effective=effective):
        if row["pk"] in wanted:
            found[row["pk"]] = row
        else:
            more[row["repeats_id"]].append(row["measurement"])
    return {key: outcome_of(row, more[key]) for key, row in found.items()}


_AS_PATH: Final = "%(function)s(%(expressions)s::jsonpath)"


def outcome_of(row: Mapping[str, Any], repetitions: Sequence[Any] = ()) -> Outcome:
    """The outcome of a terminal verification.

    Args:
        row: Its columns, and the measurement in its result.
        repetitions: The measurements of its repetitions, which count together with its own.
    """
    metrics, measurement = together(row["metrics"] or {}, row["measurement"], repetitions)
    return Outcome(
        state=row["state"],
        reason=row["reason"],
        detail=row["detail"],
        metrics=metrics,
        effective_actions=row["effective"] or 0,
        intervals=measured_intervals(measurement),
        estimate=of_measurement(measurement),
        emulated=bool(measurement.get("emulated")),
        read_at=row.get("read_at"),
    )


@transaction.atomic(savepoint=False)  # if it fails, the transaction of the transition fails
def settle(*, verifications: Iterable[Verification]) -> set[int]:
    """Derive the verdicts of all items that wait for these terminal verifications, and score their entries.

    The caller holds the verifications' row locks. Items that have a verdict keep it, so that a repeated
    call changes nothing.

    Returns:
        The ids of the boards on which something changed.
    """
    finished = [one.pk for one in verifications if one.is_terminal]
    items = list(
        SubmissionItem.objects.select_for_update(no_key=True, of=("self",))
        .filter(verification__in=finished, verdict=Verdict.PENDING)
        .select_related("submission")
        .defer("actions", "commandline")
        .order_by("pk")
    )
    return decide(items=items, former={item.pk: standings.counted(item) for item in items})


def decide(*, items: Sequence[SubmissionItem], former: Mapping[int, Counted]) -> set[int]:
    """Store the verdicts of pending items whose verifications have ended, and score their entries.

    The caller holds the row locks of the verifications and of the items.

    Args:
        items: The items, as they are stored.
        former: What each counts in the stored standing of its entry, by its id.

    Returns:
        The ids of the boards on which something changed.
    """
    boards = standings.lock_boards(board_ids={item.submission.board_id for item in items})
    scales = {}
    for board in boards.values():
        own = [item for item in items if item.submission.board_id == board.pk]
        # The members of a range share one row: only its URI identifies a benchmark.
        scales[board.pk] = board_scale(board, uris={item.benchmark_uri for item in own})
        judge_items(board=board, items=own, scale=scales[board.pk])
    finds = credit.give(items=items)
    update_rows(items, JUDGED_FIELDS, batch_size=_BATCH)
    finds.store()
    records.note(items=items)
    for board in boards.values():
        own = [item for item in items if item.submission.board_id == board.pk]
        standings.change(board=board, items=own, former=former, scale=scales[board.pk])
    return set(boards)


def judge_items(*, board: Board, items: Sequence[SubmissionItem], scale: BoardScale) -> None:
    """Write the verdicts of items whose verifications have ended into them, unsaved.

    The caller holds the board's row lock: what is plausible depends on what was verified before.
    """
    spec = environment_spec(board.environment_version.env_id)
    ended = outcomes({item.verification_id for item in items if item.verification_id is not None})
    yardsticks = _yardsticks(board, spec, scale, {item.benchmark_uri for item in items})
    doubtful = []
    for item in items:
        _judge_item(item, ended, yardsticks[item.benchmark_uri])
        if item.verdict == Verdict.QUARANTINED:
            doubtful.append(item)
    # Only a ratio beyond the board's own limit needs the board's history, which is long.
    history = History.of(board, doubtful)
    for item in doubtful:
        known = history.best_for(item)
        _judge_item(item, ended, replace(yardsticks[item.benchmark_uri], best_verified=known))


def _judge_item(item: SubmissionItem, ended: Mapping[uuid.UUID, Outcome], yardstick: Yardstick) -> None:
    if item.verification_id is None:
        raise ValueError(f"{item} has no verification.")
    outcome = ended[item.verification_id]
    judgement = judge(claims=item.claims, outcome=outcome, yardstick=yardstick)
    apply(item=item, judgement=judgement, at=outcome.read_at)


def _yardsticks(
    board: Board, spec: EnvironmentSpec, scale: BoardScale, uris: Collection[str]
) -> dict[str, Yardstick]:
    """The values that items are compared with, by URI, without the board's history."""
    base = Yardstick(
        metric=spec.metric(board.metric),
        metrics=spec.metrics,
        reference_metric=board.reference_metric,
        baseline=None,
        best_verified=None,
        plausible_ratio=board.plausible_ratio,
    )
    return {uri: replace(base, baseline=scale.baselines.get(uri)) for uri in uris}


JUDGED_FIELDS: Final = (
    "verdict",
    "reason",
    "detail",
    "value",
    "ratio",
    "log_ratio",
    "log_variance",
    "log_freedom",
    "effective_actions",
    "claim_status",
    "reviewed",
    "decided_at",
    *credit.CREDIT_FIELDS,
)
"""The columns of a verdict, and of the credit that follows from it."""


def judged_values(judgement: Judgement, at: datetime | None) -> dict[str, Any]:
    """The columns that a judgement writes into an item; the only place where a verdict is assigned.

    Args:
        judgement: The judgement.
        at: The database's time, which finds compare with that of submissions; None if it decides nothing.
    """
    variance, freedom = judgement.error or (None, None)
    return {
        "verdict": judgement.verdict,
        "reason": judgement.reason,
        "detail": judgement.detail,
        "value": judgement.value,
        "ratio": judgement.ratio,
        "log_ratio": None if judgement.ratio is None else math.log(judgement.ratio),
        "log_variance": variance,
        "log_freedom": freedom,
        "effective_actions": judgement.effective_actions,
        "claim_status": dict(judgement.claim_status),
        "reviewed": judgement.reviewed,
        "decided_at": at,
    }


def apply(*, item: SubmissionItem, judgement: Judgement, at: datetime | None) -> None:
    """Write the values of a judgement into an item, unsaved."""
    for name, value in judged_values(judgement, at).items():
        setattr(item, name, value)
