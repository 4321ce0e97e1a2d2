"""Read submissions: items, progress, attempts, measurements, repetitions and edits."""

from __future__ import annotations

import re
import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Max, Prefetch, QuerySet, prefetch_related_objects

from leaderboard.boards import ranking
from leaderboard.boards.standings import UNSHOWN_OF_A_BOARD, boards_with_versions, set_figures
from leaderboard.models import (
    COUNTED_VERDICTS,
    FormerVerdict,
    Standing,
    Submission,
    SubmissionEdit,
    SubmissionItem,
)
from leaderboard.records.queries import may_read_actions
from leaderboard.runners.queries import runner_row
from optarena.errors import InvalidInput
from optarena.measuring.blocks import pool_measurements
from optarena.measuring.estimates import differ, of_measurement
from optarena.specs.benchmark import BenchmarkUri
from optarena.specs.board import finite_number, measured_intervals
from optarena.specs.results import REASONS
from runner.database import read_rows
from runner.models import (
    RUNNING,
    AttemptDecision,
    State,
    Verification,
    VerificationAttempt,
    VerificationEvent,
)
from runner.work.confirmation import NOT_INTERRUPTED

Verdict = SubmissionItem.Verdict
# The logs of the replays of a submission with more items are not read for its page.
LOGGED_ITEMS: Final = 250
LOGGED_INTERRUPTIONS: Final = 50
# Beginnings and interruptions of a submission's replays that are read, in the order of their times.
LOGGED_LEASES: Final = 1_000
_TALLY: Final = "tallied"
_IN_SQL: Final = [f"'{verdict}'" for verdict in COUNTED_VERDICTS]
# Positions count from 0, without gaps. As Django's expressions this takes longer to write than to run.
_COUNTS: Final = f"""
SELECT one.id, one.withdrawn_at IS NOT NULL, coalesce(last.position + 1, 0), counted.*
FROM leaderboard_submission AS one
LEFT JOIN LATERAL (
    SELECT position FROM leaderboard_submissionitem
    WHERE submission_id = one.id ORDER BY position DESC LIMIT 1) AS last ON true
CROSS JOIN LATERAL (
    SELECT {", ".join(f"count(*) FILTER (WHERE verdict = {verdict})" for verdict in _IN_SQL)}
    FROM leaderboard_submissionitem
    WHERE submission_id = one.id AND verdict IN ({", ".join(_IN_SQL)})) AS counted
WHERE one.id = ANY(%s)
"""  # noqa: S608 - of our own constants
_SHOWN_OF_AN_ITEM: Final = (
    *("submission_id", "position", "benchmark_uri", "commandline", "action_space", "reward", "walltime"),
    "claims",
    *("claim_status", "verdict", "reason", "detail", "value", "ratio", "effective_actions"),
    *("state_sha256", "own", "opens_at", "submission__owner"),
    *("benchmark__kind", "benchmark__name"),
    *("verification__state", "verification__attempt", "verification__hardware_class"),
    *("verification__progress_phase", "verification__progress_done", "verification__progress_total"),
    *("verification__created_at", "verification__finished_at", "verification__metrics"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    total: int
    pending: int
    verified: int
    refuted: int
    quarantined: int
    failed: int
    withdrawn: bool

    @property
    def done(self) -> int:
        return self.total - self.pending

    def by_verdict(self) -> dict[str, int]:
        numbers = {name: getattr(self, name) for name in ("pending", "verified", *COUNTED_VERDICTS[1:])}
        return {verdict: number for verdict, number in numbers.items() if number}

    @property
    def state(self) -> str:
        if self.withdrawn:
            return "withdrawn"
        if self.pending:
            return "verifying"
        if self.verified == self.total:
            return "verified"
        if self.verified or self.quarantined:
            return "partial"
        return "refuted" if self.refuted else "failed"


class LargestRatio(NamedTuple):
    position: int
    benchmark: str
    ratio: float
    score_without: float

    @property
    def name(self) -> str:
        return BenchmarkUri.parse(self.benchmark).path


_ID_DIGITS: Final = re.compile("[0-9a-fA-F]{1,32}")


def ids_from(beginning: str) -> tuple[uuid.UUID, uuid.UUID]:
    """The first and the last id that begin with a text; where it has hyphens does not matter.

    Raises:
        InvalidInput: No id begins with it.
    """
    digits = beginning.replace("-", "")
    if not _ID_DIGITS.fullmatch(digits):
        message = "No id begins with this."
        remedy = "Give the first of its 32 hexadecimal digits."
        raise InvalidInput(message, field="id", value=beginning, remedy=remedy)
    return uuid.UUID(digits.ljust(32, "0")), uuid.UUID(digits.ljust(32, "f"))


def list_submissions(
    *, board: str = "", owner: str = "", agent: str = "", ids: tuple[uuid.UUID, uuid.UUID] | None = None
) -> QuerySet[Submission]:
    # PostgreSQL refuses a NUL, even in a query.
    board, owner, agent = (text.replace("\0", "") for text in (board, owner, agent))
    found = Submission.objects.all()
    if board:
        found = found.filter(board__slug=board)
    if owner:
        found = found.filter(owner__username=owner)
    if agent:
        found = found.filter(agent__icontains=agent)
    if ids:
        found = found.filter(pk__range=ids)
    return found.order_by("-created", "id")


def add_figures(submissions: Sequence[Submission]) -> Sequence[Submission]:
    # Items are counted before standings are read, so that those whose last verdict has been counted have a
    # score.
    if not submissions:
        return submissions
    found = _tallies([one.pk for one in submissions if _TALLY not in vars(one)])
    for one in submissions:
        vars(one).setdefault(_TALLY, found.get(one.pk))
    owners = Prefetch("owner", User.objects.only("username"))
    boards = Prefetch("board", boards_with_versions())
    prefetch_related_objects(submissions, boards, owners, "standing")
    set_figures([one.standing for one in submissions if hasattr(one, "standing")])
    return submissions


def tally(submission: Submission) -> Tally:
    # As `add_figures` counted it, or counted now.
    found: Tally = vars(submission).get(_TALLY) or _tallies([submission.pk])[submission.pk]
    return found


def _tallies(ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, Tally]:
    # Verified items, which are the most, are not counted one by one.
    if not ids:
        return {}
    rows = read_rows(_COUNTS, [list(ids)])
    found = {}
    for pk, withdrawn, total, *counts in rows:
        verified = 0 if withdrawn else total - sum(counts)
        by_verdict = dict(zip(COUNTED_VERDICTS, counts, strict=True))
        found[pk] = Tally(withdrawn=withdrawn, total=total, verified=verified, **by_verdict)
    return found


def get_submission(submission_id: uuid.UUID, *, counted: bool = False) -> Submission | None:
    # With `counted` its items are counted before its standing is read: see `add_figures`.
    tallies = _tallies([submission_id]) if counted else {}
    board = ("board__dataset_version", "board__environment_version")
    found = Submission.objects.select_related(*board, "owner", "standing")
    one = found.defer(*(f"board__{name}" for name in UNSHOWN_OF_A_BOARD)).filter(pk=submission_id).first()
    if one is not None and submission_id in tallies:
        vars(one)[_TALLY] = tallies[submission_id]
    return one


def items(submission: Submission, positions: range | None = None) -> QuerySet[SubmissionItem]:
    found = SubmissionItem.objects.filter(submission=submission).order_by("position")
    found = found.select_related("verification", "benchmark", "submission").only(*_SHOWN_OF_AN_ITEM)
    if positions is None:
        return found
    # The planner expects many rows at some positions of a large submission; the limit tells it better.
    return found.filter(position__gte=positions.start, position__lt=positions.stop)[: len(positions)]


def item(submission: Submission, position: int) -> SubmissionItem | None:
    return (
        SubmissionItem.objects.filter(submission=submission, position=position)
        .select_related(
            "submission__board__environment_version",
            "submission__owner",
            "benchmark__version",
            "verification__runner",
        )
        .prefetch_related(
            Prefetch("verification__attempts", VerificationAttempt.objects.order_by("number")),
            Prefetch("verification__repetitions", Verification.objects.select_related("runner")),
            Prefetch("former_verdicts", FormerVerdict.objects.order_by("-reopened_at", "-pk")),
        )
        .first()
    )


def largest_ratio(submission: Submission) -> LargestRatio | None:
    # While items wait there is no score that it could explain.
    standing: Standing | None = getattr(submission, "standing", None)
    if standing is None or standing.score is None or standing.pending:
        return None
    verified = SubmissionItem.objects.filter(
        submission=submission, verdict=Verdict.VERIFIED, ratio__isnull=False
    ).order_by("-ratio", "position")
    position, uri, ratio = verified.values_list("position", "benchmark_uri", "ratio").first() or (0, "", None)
    if ratio is None:  # as it is of none
        return None
    score = ranking.score_without(standing.score, ratio, standing.total)
    return None if score is None else LargestRatio(position, uri, ratio, score)


def progress(submission: Submission) -> float:
    # A share; a running replay counts by its steps.
    counted = tally(submission)
    if not counted.pending:
        return 1.0
    running = Verification.objects.filter(
        state__in=RUNNING,
        progress_total__gt=0,
        submission_items__submission=submission,
        submission_items__verdict=Verdict.PENDING,
    )
    steps = running.order_by().values_list("progress_done", "progress_total")
    return (counted.done + sum(min(0.95, 0.9 * done / total) for done, total in steps)) / counted.total


def first_with_same_content(submission: Submission) -> Submission | None:
    same = Submission.objects.filter(
        board_id=submission.board_id, content_sha256=submission.content_sha256, withdrawn_at__isnull=True
    )
    first = same.order_by("created", "id").values_list("pk", flat=True).first()
    if first is None or first == submission.pk:
        return None
    return Submission.objects.select_related("owner").get(pk=first)


class Event(NamedTuple):
    at: datetime
    text: str


def timeline(submission: Submission) -> list[Event]:
    counted = tally(submission)
    events = [Event(submission.created, f"Submitted with {_count(counted.total, 'item')}")]
    if counted.total <= LOGGED_ITEMS:
        events.extend(_replay_events(submission))
    if submission.withdrawn_at is not None:
        events.append(Event(submission.withdrawn_at, "Withdrawn"))
    elif not counted.pending:
        last = submission.items.aggregate(at=Max("decided_at"))["at"]
        events.extend([Event(last, "Every item has a verdict")] if last else [])
    return sorted(events, key=lambda event: event.at)


def _replay_events(submission: Submission) -> Iterator[Event]:
    shared = submission.items.filter(verification__created_at__lt=submission.created).count()
    if shared:
        yield Event(submission.created, f"{_count(shared, 'replay')} had been requested before")
    log = VerificationEvent.objects.filter(
        verification__submission_items__submission=submission,
        at__gte=submission.created,
        to_state__in=(State.LEASED, State.QUEUED),
    ).exclude(from_state="")
    log = log.exclude(reason__in=NOT_INTERRUPTED)
    rows = list(log.order_by("at").values_list("to_state", "at", "reason")[:LOGGED_LEASES])
    started = next((at for state, at, _ in rows if state == State.LEASED), None)
    if started is not None:
        yield Event(started, "First replay started")
    shown = [(at, reason) for state, at, reason in rows if state == State.QUEUED]
    for at, reason in shown[:LOGGED_INTERRUPTIONS]:
        yield Event(at, f"A replay was interrupted and queued again{f' ({reason})' if reason else ''}")
    for at, _ in shown[LOGGED_INTERRUPTIONS:][:1]:
        yield Event(at, "Replays were interrupted more often; only the first are listed")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


_TITLES: Final = {
    "description": "Description",
    "url": "Link",
    "compilations": "Compilations",
    "walltime_seconds": "Search time in seconds",
    "trained_on_test_set": "Trained on test set",
}
_NOTHING: Final = "nothing"


def list_edits(submission: Submission) -> QuerySet[SubmissionEdit]:
    return SubmissionEdit.objects.filter(submission=submission).order_by("-at", "-pk")


def edit_rows(submission: Submission) -> list[dict[str, Any]]:
    return [
        {
            "at": edit.at,
            "changes": [
                {"title": _TITLES.get(name, name), "before": _edit_text(before), "after": _edit_text(after)}
                for name, (before, after) in edit.changes.items()
            ],
        }
        for edit in list_edits(submission)
    ]


def _edit_text(value: object) -> str:
    if value is None or value == "":
        return _NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int | float) else str(value)


_FOLLOWED: Final[Mapping[str, str]] = {
    AttemptDecision.CONFIRM: "It was suspected, so the replay was repeated.",
    AttemptDecision.FAIL: "It is final.",
    AttemptDecision.GIVE_BACK: "The replay was queued again.",
}


def attempts(item: SubmissionItem, viewer: User | AnonymousUser | None) -> dict[str, Any]:
    """The attempts of an item's replay as people read them, and how the verification ended."""
    replay = item.verification
    if replay is None:
        return {}
    may_read = may_read_actions(item, viewer)  # details may name actions
    rows = [
        {
            "number": one.number,
            "reason": one.reason,
            "meaning": REASONS[one.reason].meaning if one.reason in REASONS else "",
            "detail": one.detail if may_read else "",
            "conditions": _conditions(one),
            "followed": _FOLLOWED.get(one.decision, ""),
        }
        for one in replay.attempts.all()
    ]
    ends: dict[str, str] = {
        State.RECORDED: "succeeded, and its result was recorded.",
        State.QUEUED: "is waiting for a worker.",
        **dict.fromkeys(RUNNING, "is running."),
    }
    end = f"Attempt {len(rows) + 1} {ends[replay.state]}" if replay.state in ends else ""
    return {"rows": rows, "end": end}


def _conditions(attempt: VerificationAttempt) -> str:
    seconds = (attempt.ended_at - attempt.started_at).total_seconds()
    # A worker writes its evidence itself: what has another form is left out.
    evidence = attempt.evidence if isinstance(attempt.evidence, dict) else {}
    if "alone" not in evidence:  # its worker was lost and could write nothing
        return f"Ended or noticed as lost after {seconds:.1f} s."
    how = ["Alone" if evidence.get("alone") else "Beside others", f"{seconds:.1f} s"]
    if (factor := finite_number(evidence.get("time_factor"))) not in (None, 1.0):
        how.append(f"{factor:g} times the limits of time")
    if (busy := finite_number(evidence.get("busy_percent_during"))) is not None:
        how.append(f"processes waited for a processor {busy:.0f} % of the time")
    return ", ".join(how) + "."


# Two measurements of one item disagree if equal ones differ as much with this probability, at most.
_DOUBT = 0.001


def join_measurements(
    metrics: Mapping[str, float], measurement: object, repetitions: Sequence[object]
) -> tuple[Mapping[str, float], Mapping[str, Any]]:
    # As JSON data. A measurement in another format stays alone.
    own = measurement if isinstance(measurement, dict) else {}
    more = [one for one in repetitions if isinstance(one, dict) and one.get("names") == own.get("names")]
    if not more or "names" not in own:
        return metrics, own
    try:
        both = pool_measurements([own, *more])
    except (ArithmeticError, LookupError, TypeError, ValueError):  # a plug-in writes what it likes
        return metrics, own
    return {**metrics, **both.metrics}, {**own, **both.details}


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    state: str
    reason: str
    # When it ended, or was asked for.
    at: datetime
    machine: str
    # Those that count; 0 where everything is exact.
    blocks: int
    ratio: float | None
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemEvidence:
    since: datetime
    last: datetime
    times: int
    machines: int
    # Another measurement waits or runs.
    waiting: bool
    # No two measurements differ by more than chance explains.
    agree: bool
    rounds: tuple[Round, ...]


def evidence(item: SubmissionItem) -> ItemEvidence | None:
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


def measurements_together(verification: Verification | None) -> tuple[Mapping[str, float], Mapping[str, Any]]:
    if verification is None:
        return {}, {}
    repeated = [_measurement(row) for row in _repetitions(verification) if row.state == State.RECORDED]
    return join_measurements(verification.metrics or {}, _measurement(verification), repeated)


def add_references(items: Sequence[SubmissionItem], metric: str) -> None:
    # Each item gets the `reference` that it is compared with: that of all its rounds together. Only of items
    # that were measured again more is read than what lists of items show.
    rows: dict[UUID | None, Sequence[Any]] = {item.verification_id: (item.measured, None) for item in items}
    recorded = Verification.objects.filter(state=State.RECORDED)
    again: dict[UUID | None, list[object]] = defaultdict(list)
    repeated = recorded.filter(repeats__in=rows).order_by("created_at", "pk")
    for first, measurement in repeated.values_list("repeats", "result__measurement"):
        again[first].append(measurement)
    if again:
        more = recorded.filter(pk__in=again).values_list("pk", "metrics", "result__measurement")
        rows |= {pk: row for pk, *row in more}
    for item in items:
        metrics, measurement = rows.get(item.verification_id, ({}, None))
        found, _ = join_measurements(metrics or {}, measurement, again.get(item.verification_id, ()))
        vars(item)["reference"] = found.get(metric)


def _repetitions(first: Verification) -> list[Verification]:
    if first._state.adding:  # noqa: SLF001 - Django's documented model API
        return []
    return sorted(first.repetitions.all(), key=lambda row: (row.created_at, row.pk))


def _measurement(row: Verification) -> Mapping[str, Any]:
    found = (row.result or {}).get("measurement")
    return found if isinstance(found, dict) else {}


def _agree(rows: Sequence[Verification]) -> bool:
    estimates = [found for row in rows if (found := of_measurement(_measurement(row))) is not None]
    pairs = list(combinations(estimates, 2))
    return not any(differ(one, other, level=_DOUBT / len(pairs)) for one, other in pairs)


def _round(row: Verification) -> Round:
    measured = _measurement(row)
    estimate, blocks = of_measurement(measured), measured.get("blocks")
    return Round(
        state=row.state,
        reason=row.reason,
        at=row.finished_at or row.created_at,
        machine=runner_row(row.runner)["title"] if row.runner else "",
        blocks=sum(
            isinstance(one, dict) and not one.get("discarded")
            for one in (blocks if isinstance(blocks, list) else ())
        ),
        ratio=estimate.ratio if estimate else None,
        interval=estimate.interval if estimate else None,
    )


# Facts are named by the parts that contain them, up to this depth; deeper ones are not shown.
_DEPTH: Final = 4
_DEEPER: Final = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    # One fresh process, which measured an item and its reference in turns; both are medians of the board's
    # metric.
    number: int
    value: float
    reference: float
    ratio: float | None
    # Why it does not count; empty if it does.
    discarded: str
    readings: tuple[float, ...]
    reference_readings: tuple[float, ...]
    samples: float | None
    threads: float | None
    # Whether the operands may have lain in a cache: `warm` or `cold`.
    temperature: str
    # What differed between blocks, as label and text: the machine's load, its clocks.
    state: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    value: float | None
    # None where it is a recorded value.
    reference: float | None
    interval: tuple[float, float] | None
    blocks: tuple[Block, ...]
    # What did not change between blocks, as label and text.
    machine: tuple[tuple[str, str], ...]

    @property
    def counting(self) -> int:
        return sum(not block.discarded for block in self.blocks)

    @property
    def columns(self) -> frozenset[str]:
        # Environments differ in the facts that their blocks record.
        names = ("threads", "temperature", "state", "readings")
        return frozenset(name for name in names if any(getattr(block, name) for block in self.blocks))


def measurement(item: SubmissionItem) -> Measured | None:
    metrics, found = measurements_together(item.verification)
    if not found:
        return None
    board = item.submission.board
    value = finite_number(metrics.get(board.metric))
    reference = finite_number(metrics.get(board.reference_metric))
    return Measured(
        value=value,
        reference=reference,
        interval=measured_intervals(found).get(board.metric),
        blocks=tuple(_blocks(found.get("blocks"), board.metric)),
        machine=tuple(_described(found.get("machine"))),
    )


def _blocks(rows: object, metric: str) -> Iterator[Block]:
    # Those with both numbers; each keeps the number of its turn.
    for number, row in enumerate(rows if isinstance(rows, list) else (), start=1):
        block, candidate, reference = _part(row), _part(row, "candidate"), _part(row, "reference")
        value, compared = finite_number(candidate.get(metric)), finite_number(reference.get(metric))
        if value is None or compared is None:
            continue
        yield Block(
            number=number,
            value=value,
            reference=compared,
            ratio=finite_number(block.get("ratio")),
            discarded=_reading_text(block.get("discarded")),
            readings=_numbers(candidate.get("readings")),
            reference_readings=_numbers(reference.get("readings")),
            samples=finite_number(candidate.get("samples")),
            threads=finite_number(candidate.get("threads")),
            temperature=_reading_text(candidate.get("temperature")),
            state=tuple(_described(block.get("machine"))),
        )


def _part(data: object, key: str = "") -> Mapping[str, Any]:
    if not isinstance(data, dict):
        return {}
    return _part(data.get(key)) if key else data


def _numbers(data: object) -> tuple[float, ...]:
    found = (finite_number(one) for one in (data if isinstance(data, list) else ()))
    return tuple(one for one in found if one is not None)


def _described(facts: object, within: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    # The device first; what belongs to a part after the part's name.
    # The database keeps no order of its own.
    for key, value in sorted(_part(facts).items(), key=lambda fact: (fact[0] != "device", fact[0])):
        label = f"{within} {key}".strip().replace("_", " ")
        if isinstance(value, dict):
            yield from _described(value, label, depth + 1) if depth < _DEPTH else [(label, _DEEPER)]
        elif isinstance(value, list):
            yield label, ", ".join(map(_reading_text, value)) or "none"
        elif text := _reading_text(value):
            yield label, text


def _reading_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict | list):
        return _DEEPER
    if isinstance(value, float):
        return f"{value:.6g}"
    return "" if value is None else str(value)
