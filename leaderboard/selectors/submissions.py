"""Submissions, their items, and how far they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, Prefetch, Q

from leaderboard.models import Standing, Submission, SubmissionItem
from leaderboard.selectors.boards import with_rank
from runner.models import VerificationEvent
from runner.states import State

if TYPE_CHECKING:
    import uuid
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

Verdict = SubmissionItem.Verdict


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
    """Submissions, newest first, with what their lines show."""
    # PostgreSQL refuses a NUL, even in a query.
    board, owner, agent = (text.replace("\0", "") for text in (board, owner, agent))
    found = with_tally(Submission.objects.select_related("board", "owner")).prefetch_related(_ranked())
    if board:
        found = found.filter(board__slug=board)
    if owner:
        found = found.filter(owner__username=owner)
    if agent:
        found = found.filter(agent__icontains=agent)
    return found.order_by("-created", "id")


def _ranked() -> Prefetch[str, QuerySet[Standing], str]:
    """The standings of submissions with their ranks, for all rows of a page at once."""
    return Prefetch("standing", queryset=with_rank(Standing.objects.all()))


def with_tally(submissions: QuerySet[Submission]) -> QuerySet[Submission]:
    """Annotate the numbers that ``tally`` is built from."""
    counts = {f"n_{verdict}": Count("items", filter=Q(items__verdict=verdict)) for verdict in Verdict.values}
    return submissions.annotate(n_total=Count("items"), **counts)


def tally(submission: Submission) -> Tally:
    """The progress of a submission, from ``with_tally``'s annotations, or counted."""
    if not hasattr(submission, "n_total"):
        submission = with_tally(Submission.objects.all()).get(pk=submission.pk)
    counts: dict[str, int] = {
        name: getattr(submission, f"n_{name}")
        for name in ("total", "pending", "verified", "refuted", "quarantined", "failed")
    }
    return Tally(withdrawn=submission.withdrawn_at is not None, **counts)


def get_submission(submission_id: uuid.UUID) -> Submission | None:
    """One submission with its board, owner, standing and tally."""
    found = Submission.objects.select_related(
        "board__dataset_version", "board__environment_version", "owner"
    ).prefetch_related(_ranked())
    return with_tally(found).filter(pk=submission_id).first()


def items(submission: Submission) -> QuerySet[SubmissionItem]:
    """A submission's items in order, with their verifications but without the long traces."""
    return (
        SubmissionItem.objects.filter(submission=submission)
        .select_related("verification", "benchmark__version")
        .defer("verification__result", "verification__actions", "actions")
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
            "verification",
        )
        .first()
    )


def progress(rows: Sequence[SubmissionItem]) -> float:
    """The share of a submission's verification that is done, 0 to 1; a running replay counts by its steps."""
    if not rows:
        return 1.0
    done = sum(_item_progress(row) for row in rows)
    return done / len(rows)


def _item_progress(row: SubmissionItem) -> float:
    if row.verdict != Verdict.PENDING:
        return 1.0
    verification = row.verification
    if verification is None or not verification.progress_total:
        return 0.0
    return min(0.95, 0.9 * verification.progress_done / verification.progress_total)


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
    """The events of a submission, oldest first, with a summary of its replays' logs."""
    rows = list(submission.items.values_list("verdict", "decided_at", "verification__created_at"))
    shared = sum(made is not None and made < submission.created for _, _, made in rows)
    events = [Event(submission.created, f"Submitted with {_count(len(rows), 'item')}")]
    if shared:
        events.append(Event(submission.created, f"{_count(shared, 'replay')} had been requested before"))
    events.extend(_replay_events(submission))
    decided = [at for _, at, _ in rows if at is not None]
    if submission.withdrawn_at is not None:
        events.append(Event(submission.withdrawn_at, "Withdrawn"))
    elif decided and len(decided) == len(rows):
        events.append(Event(max(decided), "Every item has a verdict"))
    return sorted(events, key=lambda event: event.at)


def _replay_events(submission: Submission) -> list[Event]:
    log = (
        VerificationEvent.objects.filter(
            verification__submission_items__submission=submission, at__gte=submission.created
        )
        .order_by("at")
        .values_list("at", "from_state", "to_state", "reason")
    )
    starts = [at for at, _, to_state, _ in log if to_state == State.LEASED]
    events = [Event(starts[0], "First replay started")] if starts else []
    events.extend(
        Event(at, f"A replay was interrupted and queued again{f' ({reason})' if reason else ''}")
        for at, from_state, to_state, reason in log
        if to_state == State.QUEUED and from_state
    )
    return events


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
