"""Submissions, their items, and how far they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import Count, F, Max, OuterRef, Subquery, prefetch_related_objects
from django.db.models.functions import Coalesce

from leaderboard.models import COUNTED_VERDICTS, Submission, SubmissionItem
from leaderboard.selectors.standings import set_ranks
from runner.models import Verification, VerificationEvent
from runner.states import RUNNING, State

if TYPE_CHECKING:
    import uuid
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

Verdict = SubmissionItem.Verdict
LOGGED_ITEMS: Final = 250
"""The logs of the replays of a submission with more items are not read for its page."""
LOGGED_INTERRUPTIONS: Final = 50
_TALLY: Final = "tallied"


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
    """Give submissions their boards, owners, tallies, and standings with ranks; return them."""
    prefetch_related_objects(submissions, "board", "owner", "standing")
    set_ranks([one.standing for one in submissions if hasattr(one, "standing")])
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
    items = SubmissionItem.objects.filter(submission=OuterRef("pk"))
    # Positions count from 0, without gaps.
    total = items.order_by("-position").values(number=F("position") + 1)[:1]
    counts = [
        items.filter(verdict=verdict).order_by().values("submission").values(number=Count("*"))
        for verdict in COUNTED_VERDICTS
    ]
    figures = [Coalesce(Subquery(rows), 0) for rows in (total, *counts)]
    rows = Submission.objects.filter(pk__in=[one.pk for one in submissions]).order_by()
    found = rows.values_list("pk", "withdrawn_at", *figures)
    names = ("total", *COUNTED_VERDICTS)
    return {
        pk: _tally(withdrawn_at, **dict(zip(names, numbers, strict=True)))
        for pk, withdrawn_at, *numbers in found
    }


def _tally(withdrawn_at: datetime | None, *, total: int, **counts: int) -> Tally:
    withdrawn = withdrawn_at is not None
    verified = 0 if withdrawn else total - sum(counts.values())
    return Tally(withdrawn=withdrawn, total=total, verified=verified, **counts)


def get_submission(submission_id: uuid.UUID) -> Submission | None:
    """One submission with its board, owner and standing."""
    board = ("board__dataset_version", "board__environment_version")
    found = Submission.objects.select_related(*board, "owner", "standing")
    return found.filter(pk=submission_id).first()


def items(submission: Submission, positions: range | None = None) -> QuerySet[SubmissionItem]:
    """A submission's items in order, or those at some positions; without the long traces."""
    found = SubmissionItem.objects.filter(submission=submission)
    if positions is not None:
        found = found.filter(position__gte=positions.start, position__lt=positions.stop)
    return (
        found.select_related("verification", "benchmark__version")
        .defer(
            "actions",
            "verification__result",
            "verification__actions",
            "benchmark__version__manifest",
            "benchmark__version__statistics",
        )
        .order_by("position")
    )


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
        .prefetch_related("verification__attempts")
        .first()
    )


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
    first = (
        Submission.objects.filter(
            board_id=submission.board_id,
            content_sha256=submission.content_sha256,
            withdrawn_at__isnull=True,
        )
        .select_related("owner")
        .order_by("created", "id")
        .first()
    )
    return None if first is None or first.pk == submission.pk else first


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
        verification__submission_items__submission=submission, at__gte=submission.created
    ).order_by("at")
    starts = log.filter(to_state=State.LEASED).values_list("at", flat=True)[:1]
    interrupted = log.filter(to_state=State.QUEUED).exclude(from_state="").values_list("at", "reason")
    shown = list(interrupted[: LOGGED_INTERRUPTIONS + 1])
    events = [Event(submission.created, text)] if shared else []
    events.extend(Event(at, "First replay started") for at in starts)
    events.extend(
        Event(at, f"A replay was interrupted and queued again{f' ({reason})' if reason else ''}")
        for at, reason in shown[:LOGGED_INTERRUPTIONS]
    )
    if len(shown) > LOGGED_INTERRUPTIONS:
        events.append(Event(shown[-1][0], "Replays were interrupted more often; only the first are listed"))
    return events


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
