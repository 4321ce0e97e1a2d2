"""Derive verdicts from verifications, credit finds to their owners, and apply a reviewer's decisions.

A result is its owner's own unless it equals one whose sequence this owner could read when submitting: one
that was open, or that others had reached where the owner had verified something at least as good. Equal are
final states, and ratios of an exact metric, since a step without an effect on the metric gives another state.
What an owner found stays own. So an end changes the credit of the items that ended, and of no others.
"""

from __future__ import annotations

import hashlib
import math
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final, Self, TypeGuard

import structlog
from django.db import connection, transaction
from django.db.models import F, Func, IntegerField, Max, Q, QuerySet, Value
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast, Coalesce, Now

from leaderboard.boards import ranking
from leaderboard.boards import services as board_services
from leaderboard.boards.queries import board_scale
from leaderboard.boards.ranking import BoardScale, Counted
from leaderboard.common.rows import update_rows
from leaderboard.models import Board, Find, FormerVerdict, SubmissionItem
from leaderboard.records import services as record_services
from leaderboard.records.queries import is_over
from leaderboard.records.services import decision_time
from leaderboard.submissions.queries import join_measurements
from optarena.measuring.estimates import Estimate, of_measurement
from optarena.specs import Metric, environment_spec
from optarena.specs.board import claim_statuses, measured_intervals
from optarena.specs.board import ratio as ratio_to
from optarena.specs.results import MISMATCH, refutes
from runner.database import database_now, read_rows
from runner.models import State, Verification
from runner.queue import transitions

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
        rows = read_rows(_BEST, {"uris": uris, "owners": owners, "board": board.pk})
        best = {(uri, owner): ratio for uri, owner, ratio in rows}
        published_before = FormerVerdict.objects.filter(
            item__in=[item.pk for item in items if item.pk], verdict=Verdict.VERIFIED, reviewed=True
        )
        own = published_before.order_by().values_list("item").annotate(best=Max("ratio"))
        return cls(best=best, own=dict(own))

    def best_for(self, item: SubmissionItem) -> float | None:
        others = self.best.get((item.benchmark_uri, item.submission.owner_id), 0.0)
        return max(others, self.own.get(item.pk or 0, 0.0)) or None


_INFRASTRUCTURE: Final = "infra:"
# Pruning deletes the steps, and keeps the digest of the last. Without actions the beginning is the end.
_STATES: Final = """
SELECT id, benchmark_sha256, actions_sha256, coalesce(
    result #>> '{steps,-1,digest}', result #>> '{pruned,digest}', result #>> '{initial,digest}')
FROM runner_verification WHERE id = ANY(%s)
"""
# Of equal results of others, the one that opens first and the one that was verified first are read by an
# index each. What the owner found stays own, whoever finds it later. Staff can read everything.
_EQUAL: Final = """
(EXISTS (SELECT FROM leaderboard_find AS one WHERE one.state_sha256 = asked.state AND {condition})
    OR asked.exact AND EXISTS (SELECT FROM leaderboard_find AS one
        WHERE one.program_sha256 = asked.program AND one.metric = asked.metric AND one.ratio = asked.ratio
            AND {condition}))
"""
_CREDIT: Final = f"""
WITH asked AS (
    SELECT * FROM unnest(%(states)s::text[], %(owners)s::int[], %(programs)s::text[], %(metrics)s::text[],
        %(ratios)s::float8[], %(exact)s::bool[], %(submitted)s::timestamptz[], %(submissions)s::uuid[])
    WITH ORDINALITY AS asked (state, owner, program, metric, ratio, exact, submitted, submission, number))
SELECT {_EQUAL.format(condition="one.own AND one.owner_id = asked.owner")}
    OR NOT ({_EQUAL.format(condition="one.owner_id <> asked.owner AND one.opens_at <= asked.submitted")}
        OR {_EQUAL.format(condition="one.owner_id <> asked.owner AND one.found_at <= asked.submitted")}
            AND ((SELECT is_staff FROM auth_user WHERE id = asked.owner)
                OR EXISTS (SELECT FROM leaderboard_find AS reached
                    WHERE reached.owner_id = asked.owner AND reached.program_sha256 = asked.program
                        AND reached.metric = asked.metric AND reached.ratio >= asked.ratio
                        AND reached.found_at <= asked.submitted))),
    (SELECT opened_at IS NOT NULL FROM leaderboard_submission WHERE id = asked.submission)
FROM asked ORDER BY number
"""  # noqa: S608 - of our own constants
# In one order: two transactions may make the same find of one owner.
_STORE: Final = """
INSERT INTO leaderboard_find AS find (state_sha256, owner_id, program_sha256, metric, ratio, own, item_id,
    submitted_at, found_at, opens_at)
SELECT state, owner, min(program), metric, max(ratio), bool_or(own),
    (array_agg(item ORDER BY submitted))[1], min(submitted), min(found), min(opens)
FROM unnest(%(states)s::text[], %(owners)s::int[], %(programs)s::text[], %(metrics)s::text[],
    %(ratios)s::float8[], %(own)s::bool[], %(items)s::bigint[], %(submitted)s::timestamptz[],
    %(found)s::timestamptz[], %(opens)s::timestamptz[])
    AS made (state, owner, program, metric, ratio, own, item, submitted, found, opens)
GROUP BY state, metric, owner ORDER BY state, metric, owner
ON CONFLICT (state_sha256, metric, owner_id) DO UPDATE SET
    own = find.own OR excluded.own,
    ratio = greatest(find.ratio, excluded.ratio),
    found_at = least(find.found_at, excluded.found_at),
    opens_at = least(find.opens_at, excluded.opens_at),
    item_id = CASE WHEN find.item_id IS NULL OR excluded.submitted_at < find.submitted_at
        THEN excluded.item_id ELSE find.item_id END,
    submitted_at = CASE WHEN find.item_id IS NULL THEN excluded.submitted_at
        ELSE least(find.submitted_at, excluded.submitted_at) END
"""


def state_sha256(program_sha256: str, digest: str) -> str:
    return hashlib.sha256(f"{program_sha256} {digest}".encode()).hexdigest()


def _states(items: Iterable[SubmissionItem]) -> dict[uuid.UUID | None, tuple[str, str]]:
    # With the programs. Without any digest, the actions stand for it. The steps stay in the database.
    rows = read_rows(_STATES, [[item.verification_id for item in items]])
    return {
        pk: (state_sha256(program, digest or f"actions {actions}"), program)
        for pk, program, actions, digest in rows
    }


@dataclass(frozen=True, slots=True)
class Credited:
    """Items that were just credited, by the programs that they are of."""

    items: Sequence[SubmissionItem]
    programs: Sequence[str]
    boards: Mapping[int, Board]

    def asked(self) -> dict[str, list[Any]]:
        places = [self.boards[item.submission.board_id] for item in self.items]
        return {
            "states": [item.state_sha256 for item in self.items],
            "owners": [item.submission.owner_id for item in self.items],
            "programs": list(self.programs),
            "metrics": [board.metric for board in places],
            "exact": [board.exact for board in places],
            "ratios": [item.ratio for item in self.items],
            "submitted": [item.submission.created for item in self.items],
            "submissions": [item.submission_id for item in self.items],
        }

    def store(self) -> None:
        # What their owners have reached; the items are stored.
        if not self.items:
            return
        given = self.asked() | {
            "own": [item.own for item in self.items],
            "items": [item.pk for item in self.items],
            "found": [item.decided_at for item in self.items],
            "opens": [item.opens_at for item in self.items],
        }
        with connection.cursor() as cursor:
            cursor.execute(_STORE, given)


def credit_finds(*, items: Sequence[SubmissionItem], boards: Mapping[int, Board]) -> Credited:
    """Decide for items that just ended whether they are own, and from when on they can be read.

    Unsaved: the caller holds the locks of the items' boards, stores the items, and then what they reached.
    Only a contradiction takes credit away: an item keeps it while it is withdrawn, waits for another replay,
    or failed because of the infrastructure.
    """
    _take_back([item for item in items if item.own is not None and _is_contradicted(item)])
    for item in items:
        if is_over(item):  # so that what failed elsewhere does not tell what is closed here
            item.opens_at = _opening(item, boards, is_open=item.submission.opened_at is not None)
    verified = [item for item in items if item.verdict == Verdict.VERIFIED]
    reached = _states(verified) if verified else {}
    new = [one for one in verified if one.own is None or one.state_sha256 != reached[one.verification_id][0]]
    _take_back([item for item in new if item.own is not None])
    for item in new:
        item.state_sha256 = reached[item.verification_id][0]
    found = Credited(new, [reached[item.verification_id][1] for item in new], boards)
    if not new:
        return found
    for item, (own, is_open) in zip(new, read_rows(_CREDIT, found.asked()), strict=True):
        item.own = own
        opens_at = _opening(item, boards, is_open=is_open)
        item.opens_at = min(item.opens_at or opens_at, opens_at)
    return found


def cap_copies(*, items: Sequence[SubmissionItem], boards: Mapping[int, Board]) -> None:
    """Let no copy stand above its source by noise: where times are compared, it shares its figures."""
    for item in items:
        board = boards[item.submission.board_id]
        if board.exact or item.own is not False or item.verdict != Verdict.VERIFIED:
            continue
        same = SubmissionItem.objects.filter(
            benchmark_uri=item.benchmark_uri,
            submission__board=board,
            state_sha256=item.state_sha256,
            own=True,
            verdict=Verdict.VERIFIED,
        )
        source = same.defer("actions", "commandline").order_by("submission__created").first()
        if source and (source.log_ratio or 0.0) < (item.log_ratio or 0.0):
            for name in ("value", "ratio", "log_ratio", "log_variance", "log_freedom"):
                setattr(item, name, getattr(source, name))


def _opening(item: SubmissionItem, boards: Mapping[int, Board], *, is_open: bool) -> datetime:
    closed = timedelta() if is_open else timedelta(days=boards[item.submission.board_id].open_after_days)
    return decision_time(item) + closed


def _is_contradicted(item: SubmissionItem) -> bool:
    if item.verdict == Verdict.FAILED:
        return not item.reason.startswith(_INFRASTRUCTURE)
    return item.verdict in {Verdict.REFUTED, Verdict.QUARANTINED}


def _take_back(items: Sequence[SubmissionItem]) -> None:
    # Other items of the owner may stand for the find. That the state could be read stays true, so that nobody
    # else gets the find by a later copy.
    if not items:
        return
    ids = [item.pk for item in items]
    uris = {item.benchmark_uri for item in items}
    rows = Find.objects.select_for_update(no_key=True).filter(item__in=ids)
    for find in rows.order_by("state_sha256", "metric", "owner"):
        others = SubmissionItem.objects.filter(
            benchmark_uri__in=uris,
            state_sha256=find.state_sha256,
            own=find.own,
            submission__owner=find.owner_id,
            submission__board__metric=find.metric,
        )
        other = (
            others.exclude(pk__in=ids).select_related("submission").order_by("submission__created").first()
        )
        find.item = other
        find.submitted_at = other.submission.created if other else find.submitted_at
        find.own = find.own and other is not None
        find.save(update_fields=["item", "submitted_at", "own"])
    for item in items:
        item.state_sha256, item.own, item.opens_at, item.is_record = "", None, None, False


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
    boards = board_services.lock_boards(board_ids={item.submission.board_id for item in items})
    own = {pk: [item for item in items if item.submission.board_id == pk] for pk in boards}
    scales = {}
    for board in boards.values():
        # The members of a range share one row: only its URI identifies a benchmark.
        scales[board.pk] = board_scale(board, uris={item.benchmark_uri for item in own[board.pk]})
        if ended:
            judge_items(board=board, items=own[board.pk], scale=scales[board.pk])
    new = credit_finds(items=items, boards=boards)
    cap_copies(items=items, boards=boards)
    update_rows(items, [*JUDGED_FIELDS, "verification"], batch_size=_VERDICT_BATCH)
    new.store()
    record_services.store_records(items=items)
    for board in boards.values():
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
JUDGED_FIELDS: Final = (
    *judged_values(Judgement(verdict=Verdict.PENDING), None),
    *("state_sha256", "own", "opens_at", "is_record"),
)


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
