"""Submissions, their items, and how far they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Max, OuterRef, Prefetch, Subquery, prefetch_related_objects
from django.db.models.functions import JSONObject

from leaderboard import ranking
from leaderboard.models import COUNTED_VERDICTS, FormerVerdict, Submission, SubmissionItem
from leaderboard.selectors.standings import UNSHOWN_OF_A_BOARD, set_ranks, without_score
from optarena.specs.benchmark import BenchmarkUri
from runner.models import Verification, VerificationAttempt, VerificationEvent
from runner.preparation import NOT_INTERRUPTED
from runner.states import RUNNING, State

if TYPE_CHECKING:
    import uuid
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from leaderboard.models import Standing

Verdict = SubmissionItem.Verdict
LOGGED_ITEMS: Final = 250
"""The logs of the replays of a submission with more items are not read for its page."""
LOGGED_INTERRUPTIONS: Final = 50
LOGGED_LEASES: Final = 1_000
"""So many beginnings and interruptions of a submission's replays are read, in the order of their times."""
_TALLY: Final = "tallied"
_LARGEST: Final = "largest_of_its_ratios"
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
    *(
        "submission_id",
        "position",
        "benchmark_uri",
        "commandline",
        "action_space",
        "reward",
        "walltime",
        "claims",
    ),
    *("claim_status", "verdict", "reason", "detail", "value", "ratio", "effective_actions"),
    *("state_sha256", "own", "submission__owner"),
    *("benchmark__kind", "benchmark__name"),
    *("verification__state", "verification__attempt", "verification__hardware_class"),
    *("verification__progress_phase", "verification__progress_done", "verification__progress_total"),
    *("verification__created_at", "verification__finished_at", "verification__metrics"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The number of a submission's items by verdict."""

    total: int
    pending: int
    verified: int
    refuted: int
    quarantined: int
    failed: int
    withdrawn: bool

    @property
    def done(self) -> int:
        """Items that have a verdict."""
        return self.total - self.pending

    def by_verdict(self) -> dict[str, int]:
        """Number of items by verdict, those that occur."""
        numbers = {
            "pending": self.pending,
            "verified": self.verified,
            "refuted": self.refuted,
            "quarantined": self.quarantined,
            "failed": self.failed,
        }
        return {verdict: number for verdict, number in numbers.items() if number}

    @property
    def state(self) -> str:
        """The submission's state: verifying, verified, partial, refuted, failed or withdrawn."""
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
    """The item with the largest ratio of a submission, and the score of the submission's other benchmarks."""

    position: int
    benchmark: str
    ratio: float
    score_without: float

    @property
    def name(self) -> str:
        """The benchmark's name."""
        return BenchmarkUri.parse(self.benchmark).path


def list_submissions(*, board: str = "", owner: str = "", agent: str = "") -> QuerySet[Submission]:
    """Submissions, newest first; ``add_figures`` gives a page of them what their lines show."""
    # PostgreSQL refuses a NUL, even in a query.
    board, owner, agent = (text.replace("\0", "") for text in (board, owner, agent))
    found = Submission.objects.all()
    if board:
        found = found.filter(board__slug=board)
    if owner:
        found = found.filter(owner__username=owner)
    if agent:
        found = found.filter(agent__icontains=agent)
    return found.order_by("-created", "id")


def add_figures(submissions: Sequence[Submission]) -> Sequence[Submission]:
    """Give submissions their boards, owners, tallies, and standings with ranks; return them.

    Standings with replays left have no score.
    """
    if not submissions:
        return submissions
    owners = Prefetch("owner", User.objects.only("username"))
    prefetch_related_objects(submissions, "board", owners, "standing")
    rows = [one.standing for one in submissions if hasattr(one, "standing")]
    set_ranks(rows)
    for row in rows:
        if row.pending:
            without_score(row)
    found = _tallies(submissions)
    for one in submissions:
        vars(one)[_TALLY] = found[one.pk]
    return submissions


def tally(submission: Submission) -> Tally:
    """The number of a submission's items by verdict, as ``add_figures`` counted it, or counted now."""
    found = vars(submission).get(_TALLY) or _tallies([submission])[submission.pk]
    if not isinstance(found, Tally):  # pragma: no cover - nobody else writes it
        raise TypeError(f"{found!r} is not a tally.")
    return found


def _tallies(submissions: Sequence[Submission]) -> dict[uuid.UUID, Tally]:
    """The tallies of submissions. Verified items, which are the most, are not counted one by one."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS, [[one.pk for one in submissions]])
        rows = cursor.fetchall()
    found = {}
    for pk, withdrawn, total, *counts in rows:
        verified = 0 if withdrawn else total - sum(counts)
        by_verdict = dict(zip(COUNTED_VERDICTS, counts, strict=True))
        found[pk] = Tally(withdrawn=withdrawn, total=total, verified=verified, **by_verdict)
    return found


def get_submission(submission_id: uuid.UUID, *, largest: bool = False) -> Submission | None:
    """One submission with its board, owner and standing, and on request what ``largest_ratio`` needs."""
    board = ("board__dataset_version", "board__environment_version")
    found = Submission.objects.select_related(*board, "owner", "standing")
    if largest:  # which reads all items of the submission
        found = found.annotate(**{_LARGEST: Subquery(_by_ratio()[:1])})
    return found.defer(*(f"board__{name}" for name in UNSHOWN_OF_A_BOARD)).filter(pk=submission_id).first()


def _by_ratio() -> QuerySet[SubmissionItem, Any]:
    """The verified items of the outer query's submission, the largest ratio first."""
    verified = SubmissionItem.objects.filter(
        submission=OuterRef("pk"), verdict=Verdict.VERIFIED, ratio__isnull=False
    )
    return verified.order_by("-ratio", "position").values(
        found=JSONObject(position="position", benchmark="benchmark_uri", ratio="ratio")
    )


def items(submission: Submission, positions: range | None = None) -> QuerySet[SubmissionItem]:
    """A submission's items in order, or those at some positions; only with what lists of them show."""
    found = SubmissionItem.objects.filter(submission=submission).order_by("position")
    found = found.select_related("verification", "benchmark", "submission").only(*_SHOWN_OF_AN_ITEM)
    if positions is None:
        return found
    # The planner expects many rows at some positions of a large submission; the limit tells it better.
    return found.filter(position__gte=positions.start, position__lt=positions.stop)[: len(positions)]


def item(submission: Submission, position: int) -> SubmissionItem | None:
    """One item with everything about it."""
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
    """What the score of a submission of ``get_submission(…, largest=True)`` owes to a single benchmark.

    Returns:
        None where it has no score yet, or no other benchmark.
    """
    largest = getattr(submission, _LARGEST)
    standing: Standing | None = getattr(submission, "standing", None)
    if largest is None or standing is None or standing.score is None or standing.pending:
        return None
    score = ranking.without(standing.score, largest["ratio"], standing.total)
    return None if score is None else LargestRatio(**largest, score_without=score)


def progress(submission: Submission) -> float:
    """The share of a submission's verification that is done, 0 to 1; a running replay counts by its steps."""
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
    """The first submission to the same board with exactly the same actions, if it is another one."""
    same = Submission.objects.filter(
        board_id=submission.board_id, content_sha256=submission.content_sha256, withdrawn_at__isnull=True
    )
    first = same.order_by("created", "id").values_list("pk", flat=True).first()
    if first is None or first == submission.pk:
        return None
    return Submission.objects.select_related("owner").get(pk=first)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a submission."""

    at: datetime
    text: str


def timeline(submission: Submission) -> list[Event]:
    """The events of a submission, oldest first, with a summary of its replays' logs.

    Of a submission of more than ``LOGGED_ITEMS`` the logs of its replays, which are long, are not read.
    """
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


def _replay_events(submission: Submission) -> list[Event]:
    shared = submission.items.filter(verification__created_at__lt=submission.created).count()
    text = f"{_count(shared, 'replay')} had been requested before"
    log = VerificationEvent.objects.filter(
        verification__submission_items__submission=submission,
        at__gte=submission.created,
        to_state__in=(State.LEASED, State.QUEUED),
    ).exclude(from_state="")
    log = log.exclude(reason__in=NOT_INTERRUPTED)
    rows = list(log.order_by("at").values_list("to_state", "at", "reason")[:LOGGED_LEASES])
    started = next((at for state, at, _ in rows if state == State.LEASED), None)
    shown = [(at, reason) for state, at, reason in rows if state == State.QUEUED]
    events = [Event(submission.created, text)] if shared else []
    if started is not None:
        events.append(Event(started, "First replay started"))
    events.extend(
        Event(at, f"A replay was interrupted and queued again{f' ({reason})' if reason else ''}")
        for at, reason in shown[:LOGGED_INTERRUPTIONS]
    )
    if len(shown) > LOGGED_INTERRUPTIONS:
        events.append(
            Event(
                shown[LOGGED_INTERRUPTIONS][0],
                "Replays were interrupted more often; only the first are listed",
            )
        )
    return events


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
