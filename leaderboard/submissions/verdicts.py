"""Derive verdicts from verifications, credit finds to their first owner, and apply a reviewer's decisions.

A state of a program is a find of an owner who submitted before anybody could read how others reach it: before
it was first verified for another owner. All that this owner submits later with that state is own, too; for
everybody else it is a copy. So an end changes the credit of the items that ended, and of no others.
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Self, TypeGuard

import structlog
from django.db import connection, transaction
from django.db.models import F, Func, IntegerField, Max, Q, Value
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast, Coalesce, Now

from datasets.bulk_inserts import insert_rows
from leaderboard.boards import ranking
from leaderboard.boards import services as board_services
from leaderboard.boards.queries import board_scale
from leaderboard.common.rows import update_rows
from leaderboard.models import Find, FormerVerdict, SubmissionItem
from leaderboard.records import services as record_services
from leaderboard.records.services import decision_time
from leaderboard.submissions.queries import join_measurements
from optarena.measuring.estimates import of_measurement
from optarena.specs import environment_spec
from optarena.specs.board import claim_statuses, measured_intervals
from optarena.specs.board import ratio as ratio_to
from optarena.specs.results import MISMATCH, refutes
from runner.clock import database_now
from runner.models import State, Verification
from runner.queue import transitions

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from leaderboard.boards.ranking import BoardScale, Counted
    from leaderboard.models import Board
    from optarena.measuring.estimates import Estimate
    from optarena.specs import Metric

Verdict = SubmissionItem.Verdict

# For each benchmark and owner the index item_benchmark_best is read from its top: on to the first result of
# somebody else, however long the board is.
_BEST: Final = """
SELECT asked.uri, asked.owner, best.ratio
FROM unnest(%(uris)s::text[], %(owners)s::int[]) AS asked (uri, owner)
CROSS JOIN LATERAL (
    SELECT item.ratio FROM leaderboard_submissionitem AS item
    JOIN leaderboard_submission AS submission ON submission.id = item.submission_id
    WHERE item.benchmark_uri = asked.uri AND item.verdict = 'verified' AND submission.board_id = %(board)s
      AND (submission.owner_id <> asked.owner OR item.reviewed)
    ORDER BY item.ratio DESC LIMIT 1) AS best
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    # `best` is by URI and owner: verified for another owner, or published by a reviewer. `own` is by item:
    # published by a reviewer before the item was replayed anew. One's own results never raise one's own
    # limit.
    best: Mapping[tuple[str, int], float]
    own: Mapping[int, float]

    @classmethod
    def of(cls, board: Board, items: Collection[SubmissionItem]) -> Self:
        if not items:
            return cls(best={}, own={})
        asked = sorted({(item.benchmark_uri, item.submission.owner_id) for item in items})
        uris, owners = ([pair[part] for pair in asked] for part in (0, 1))
        with connection.cursor() as cursor:
            cursor.execute(_BEST, {"uris": uris, "owners": owners, "board": board.pk})
            best = {(uri, owner): ratio for uri, owner, ratio in cursor.fetchall()}
        published_before = FormerVerdict.objects.filter(
            item__in=[item.pk for item in items if item.pk], verdict=Verdict.VERIFIED, reviewed=True
        )
        own = published_before.order_by().values_list("item").annotate(best=Max("ratio"))
        return cls(best=best, own=dict(own))

    def best_for(self, item: SubmissionItem) -> float | None:
        others = self.best.get((item.benchmark_uri, item.submission.owner_id), 0.0)
        return max(others, self.own.get(item.pk or 0, 0.0)) or None


_CREDIT_BATCH: Final = 2_500
_INFRASTRUCTURE: Final = "infra:"
# Pruning deletes the steps, and keeps the digest of the last. Without actions the beginning is the end.
_STATES: Final = """
SELECT id, benchmark_sha256, actions_sha256, coalesce(
    result #>> '{steps,-1,digest}', result #>> '{pruned,digest}', result #>> '{initial,digest}')
FROM runner_verification WHERE id = ANY(%s)
"""


def state_sha256(program_sha256: str, digest: str) -> str:
    return hashlib.sha256(f"{program_sha256} {digest}".encode()).hexdigest()


def _states(items: Iterable[SubmissionItem]) -> dict[uuid.UUID | None, str]:
    # Without any digest, the actions stand for it. The steps stay in the database.
    with connection.cursor() as cursor:
        cursor.execute(_STATES, [[item.verification_id for item in items]])
        rows = cursor.fetchall()
    return {
        pk: state_sha256(program, digest or f"actions {actions}") for pk, program, actions, digest in rows
    }


def credit_finds(*, items: Sequence[SubmissionItem]) -> Finds:
    # Unsaved: the caller holds the locks of the items' boards, writes the credit, and stores the finds
    # once the items are stored. Only a contradiction takes credit away: an item keeps it while it is
    # withdrawn, waits for another replay, or failed because of the infrastructure.
    _take_back([item for item in items if item.own is not None and _is_contradicted(item)])
    verified = [item for item in items if item.verdict == Verdict.VERIFIED]
    reached = _states(verified) if verified else {}
    # In the order of the verdicts, each by the finds that were made before it.
    verified.sort(key=lambda item: (decision_time(item), item.submission.created, item.position))
    new = [one for one in verified if one.own is None or one.state_sha256 != reached[one.verification_id]]
    _take_back([item for item in new if item.own is not None])
    finds = Finds({reached[item.verification_id] for item in new})
    for item in new:
        item.state_sha256 = reached[item.verification_id]
        item.own = finds.is_own(item)
    return finds


def _is_contradicted(item: SubmissionItem) -> bool:
    if item.verdict == Verdict.FAILED:
        return not item.reason.startswith(_INFRASTRUCTURE)
    return item.verdict in {Verdict.REFUTED, Verdict.QUARANTINED}


class Finds:
    """The finds of some states: those that are stored, and those that are being made."""

    def __init__(self, wanted: Collection[str]) -> None:
        self._known: dict[str, dict[int, Find]] = defaultdict(dict)
        self._standing: dict[tuple[str, int], SubmissionItem] = {}
        for row in Find.objects.filter(state_sha256__in=wanted) if wanted else ():
            self._known[row.state_sha256][row.owner_id] = row

    def is_own(self, item: SubmissionItem) -> bool:
        # Makes the find if nobody could read the state before.
        owner, submitted = item.submission.owner_id, item.submission.created
        known = self._known[item.state_sha256]
        if owner not in known:
            if any(row.found_at <= submitted for row in known.values()):
                return False
            known[owner] = Find(
                state_sha256=item.state_sha256,
                owner_id=owner,
                submitted_at=submitted,
                found_at=decision_time(item),
            )
        row, place = known[owner], (item.state_sha256, owner)
        # The earliest submission stands for a find, or any if none stands for it any more.
        if submitted < row.submitted_at or (row.item_id is None and place not in self._standing):
            row.submitted_at = submitted
            self._standing[place] = item
        return True

    def store(self) -> None:
        # Always in one order: two transactions may make the same find of one owner.
        changed = []
        for (state, owner), item in sorted(self._standing.items(), key=lambda pair: pair[0]):
            row = self._known[state][owner]
            row.item = item
            changed.append(row)
        known = [row for row in changed if row.pk is not None]
        made = [row for row in changed if row.pk is None]
        if made:
            insert_rows(made, ignore_conflicts=True)
        update_rows(known, ("item", "submitted_at"), batch_size=_CREDIT_BATCH)


def _take_back(items: Sequence[SubmissionItem]) -> None:
    # Other items of the owner may stand for the find. That the state could be read stays true, so that nobody
    # else gets the find by a later copy.
    if not items:
        return
    ids = [item.pk for item in items]
    for find in Find.objects.filter(item__in=ids).select_related("item").order_by("pk"):
        if find.item is None:  # pragma: no cover - the filter
            continue
        others = SubmissionItem.objects.filter(
            benchmark_uri=find.item.benchmark_uri,
            state_sha256=find.state_sha256,
            own=True,
            submission__owner=find.owner_id,
        )
        other = (
            others.exclude(pk__in=ids).select_related("submission").order_by("submission__created").first()
        )
        find.item = other
        find.submitted_at = other.submission.created if other else find.submitted_at
        find.save(update_fields=["item", "submitted_at"])
    for item in items:
        item.state_sha256, item.own = "", None


_INTERNAL: Final = "infra:internal"
_VERDICT_BATCH: Final = 500
# The steps of a stored result that changed something.
_EFFECTIVE: Final = "$.steps[*] ? (@.had_no_effect == false)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    state: str
    reason: str
    detail: str
    metrics: Mapping[str, float]
    effective_actions: int
    # Of metrics that are not exact.
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    # Of the logarithm of the ratio to the measured reference.
    estimate: Estimate | None = None
    # No figure of an emulated device is meaningful.
    emulated: bool = False
    # The database's time, the same for all that were read together.
    read_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Yardstick:
    metric: Metric
    metrics: tuple[Metric, ...]
    baseline: float | None
    # The best ratio that a reviewer has published or that another owner's item has.
    best_verified: float | None
    plausible_ratio: float
    # Stands in place of a recorded baseline; empty where there is one.
    reference_metric: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    verdict: str
    reason: str = ""
    detail: str = ""
    value: float | None = None
    ratio: float | None = None
    # Of the ratio's logarithm: its variance and degrees of freedom.
    error: tuple[float, float] | None = None
    effective_actions: int | None = None
    claim_status: Mapping[str, str] = field(default_factory=dict)
    reviewed: bool = False


def judge(*, claims: Mapping[str, float], outcome: Outcome, yardstick: Yardstick) -> Judgement:
    # A replay whose program misbehaves, or that contradicts an exact claim, refutes the item. One that did
    # not end, or measured no comparable value, fails it. A ratio beyond the plausible limit waits for a
    # reviewer.
    if outcome.state != State.RECORDED:
        return of_failure(outcome.reason, outcome.detail)
    if outcome.emulated:  # the runner stores none; if one came through, it must never count
        return Judgement(verdict=Verdict.FAILED, reason="infra:emulated-device")
    value, known = outcome.metrics.get(yardstick.metric.name), outcome.metrics
    exact = sorted({metric.name for metric in yardstick.metrics if metric.exact}.intersection(claims))
    wrong = [
        f"{name}: claimed {claims[name]:.15g}, measured {known[name]:.15g}"
        for name in exact
        if name in known and claims[name] != known[name]
    ]
    if wrong:
        return Judgement(verdict=Verdict.REFUTED, reason=MISMATCH, detail=f"{'; '.join(wrong)}.")
    lacking = ", ".join(name for name in exact if name not in known)
    if lacking or not _usable(value):
        problem = f"The replay did not measure {lacking}, which the item claims."
        recorded = f"The replay recorded {value!r} for {yardstick.metric.name}."
        return of_failure("", problem if lacking else recorded)
    measured = yardstick.reference_metric
    baseline = outcome.metrics.get(measured) if measured else yardstick.baseline
    if not _usable(baseline):
        return of_failure(
            "",
            f"The replay recorded {baseline!r} for {measured}, which the board compares with."
            if measured
            else f"The dataset has no baseline of {yardstick.metric.name} for this benchmark.",
        )
    return _measured(float(value), float(baseline), claims, outcome, yardstick)


def of_failure(reason: str, detail: str) -> Judgement:
    verdict = Verdict.REFUTED if refutes(reason) else Verdict.FAILED
    return Judgement(verdict=verdict, reason=reason or _INTERNAL, detail=detail)


def _usable(value: float | None) -> TypeGuard[float]:
    return value is not None and math.isfinite(value) and value > 0


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


def outcomes(verification_ids: Collection[uuid.UUID]) -> dict[uuid.UUID | None, Outcome]:
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
    metrics, measurement = join_measurements(row["metrics"] or {}, row["measurement"], repetitions)
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


def lock_items(rows: QuerySet[SubmissionItem]) -> tuple[list[SubmissionItem], dict[int, Counted]]:
    """Lock items, after their verifications; with what each counts in the standing of its entry, by id."""
    locked = rows.select_for_update(no_key=True, of=("self",)).select_related("submission")
    items = list(locked.defer("actions", "commandline").order_by("pk"))
    return items, {item.pk: board_services.counted(item) for item in items}


@transaction.atomic(savepoint=False)  # if it fails, the transaction of the transition fails
def decide_ended_items(*, verifications: Iterable[Verification]) -> set[int]:
    # The caller holds the verifications' row locks. Items that have a verdict keep it, so that a repeated
    # call changes nothing. Returns the ids of the boards on which something changed.
    finished = [one.pk for one in verifications if one.is_terminal]
    items, former = lock_items(
        SubmissionItem.objects.filter(verification__in=finished, verdict=Verdict.PENDING)
    )
    store_verdicts(items=items, former=former, ended=True)
    return {item.submission.board_id for item in items}


def store_verdicts(
    *, items: Sequence[SubmissionItem], former: Mapping[int, Counted], ended: bool = False
) -> None:
    """Store locked items with their verdicts, credit their finds, and score their entries.

    Those that wait for verifications that have ``ended`` are judged first.
    """
    boards = board_services.lock_boards(board_ids={item.submission.board_id for item in items}).values()
    own = {board.pk: [item for item in items if item.submission.board_id == board.pk] for board in boards}
    scales = {}
    for board in boards:
        # The members of a range share one row: only its URI identifies a benchmark.
        scales[board.pk] = board_scale(board, uris={item.benchmark_uri for item in own[board.pk]})
        if ended:
            judge_items(board=board, items=own[board.pk], scale=scales[board.pk])
    finds = credit_finds(items=items)
    update_rows(items, [*JUDGED_FIELDS, "verification"], batch_size=_VERDICT_BATCH)
    finds.store()
    record_services.store_records(items=items)
    for board in boards:
        board_services.change(board=board, items=own[board.pk], former=former, scale=scales[board.pk])


def judge_items(*, board: Board, items: Sequence[SubmissionItem], scale: BoardScale) -> None:
    # Unsaved. The caller holds the board's row lock: what is plausible depends on what was verified before.
    spec = environment_spec(board.environment_version.env_id)
    ended = outcomes({item.verification_id for item in items if item.verification_id is not None})
    yardstick = Yardstick(
        metric=spec.metric(board.metric),
        metrics=spec.metrics,
        reference_metric=board.reference_metric,
        baseline=None,
        best_verified=None,
        plausible_ratio=board.plausible_ratio,
    )
    doubtful = []
    for item in items:
        own = replace(yardstick, baseline=scale.baselines.get(item.benchmark_uri))
        _judge_item(item, ended, own)
        if item.verdict == Verdict.QUARANTINED:
            doubtful.append((item, own))
    # Only a ratio beyond the board's own limit needs the board's history, which is long.
    history = History.of(board, [item for item, _ in doubtful])
    for item, own in doubtful:
        _judge_item(item, ended, replace(own, best_verified=history.best_for(item)))


def _judge_item(
    item: SubmissionItem, ended: Mapping[uuid.UUID | None, Outcome], yardstick: Yardstick
) -> None:
    outcome = ended[item.verification_id]
    judgement = judge(claims=item.claims, outcome=outcome, yardstick=yardstick)
    apply_judgement(item=item, judgement=judgement, at=outcome.read_at)


def judged_values(judgement: Judgement, at: datetime | None) -> dict[str, Any]:
    # The only place where a verdict is assigned. `at` is the database's time, which finds compare with that
    # of submissions.
    values = asdict(judgement)
    variance, freedom = values.pop("error") or (None, None)
    log_ratio = None if judgement.ratio is None else math.log(judgement.ratio)
    return values | {
        "log_ratio": log_ratio,
        "log_variance": variance,
        "log_freedom": freedom,
        "decided_at": at,
    }


# The columns of a verdict, and of the credit that follows from it.
JUDGED_FIELDS: Final = (*judged_values(Judgement(verdict=Verdict.PENDING), None), *("state_sha256", "own"))


def apply_judgement(*, item: SubmissionItem, judgement: Judgement, at: datetime | None) -> None:
    for name, value in judged_values(judgement, at).items():
        setattr(item, name, value)


log = structlog.get_logger(__name__)


@transaction.atomic
def review(*, item_ids: Collection[int], accept: bool, reviewer: str) -> int:
    # The verifications first: the order of locks that every writer keeps.
    replays = SubmissionItem.objects.filter(pk__in=item_ids).values("verification")
    list(transitions.in_lock_order(Verification.objects.filter(pk__in=replays)))
    items, former = lock_items(SubmissionItem.objects.filter(pk__in=item_ids, verdict=Verdict.QUARANTINED))
    board_services.lock_boards(board_ids={item.submission.board_id for item in items})
    now = database_now()  # finds are credited in the order of these times
    for item in items:
        apply_judgement(item=item, judgement=_decision(item, accept=accept), at=now)
        log.info("item_reviewed", item=item.pk, accepted=accept, reviewer=reviewer)
    store_verdicts(items=items, former=former)
    return len(items)


def _decision(item: SubmissionItem, *, accept: bool) -> Judgement:
    outcome = "published" if accept else "refused"
    return Judgement(
        verdict=Verdict.VERIFIED if accept else Verdict.FAILED,
        reason="" if accept else item.reason,
        detail=f"A reviewer {outcome} it.",
        value=item.value,
        ratio=item.ratio,
        error=board_services.error_of(item),
        effective_actions=item.effective_actions,
        claim_status=item.claim_status,
        reviewed=True,
    )
