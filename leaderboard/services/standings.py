"""Rebuilds the standings of a board from its verified items, as a whole and under the board's row lock."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from leaderboard import ranking
from leaderboard.models import Board, Standing, Submission, SubmissionItem
from leaderboard.selectors import board_benchmarks, board_metric, board_references

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable, Collection, Mapping
    from datetime import datetime

    from leaderboard.ranking import Entry, Placed, Score


class Verified(NamedTuple):
    """The figures of a verified item."""

    value: float
    log_ratio: float


def lock_boards(*, board_ids: Collection[int]) -> dict[int, Board]:
    """Lock boards by ascending id, the last locks that any transaction takes."""
    boards = (
        Board.objects.select_for_update(no_key=True, of=("self",))
        .filter(pk__in=board_ids)
        .select_related("environment_version", "dataset_version")
        .order_by("pk")
    )
    return {board.pk: board for board in boards}


@transaction.atomic
def rebuild_boards(*, board_ids: Collection[int]) -> None:
    """Lock and rebuild these boards."""
    for board in lock_boards(board_ids=board_ids).values():
        rebuild(board=board)


def rebuild(*, board: Board) -> None:
    """Replace all standings of a board whose row lock the caller holds."""
    placed = ranking.place(_entries(board), provisional=board.provisional)
    pending = _pending(board)
    Standing.objects.filter(board=board).delete()
    now = timezone.now()
    Standing.objects.bulk_create(_standing(board, one, pending.get(one.entry.key, 0), now) for one in placed)


def _entries(board: Board) -> list[Entry[uuid.UUID]]:
    score = _scorer(board)
    values: dict[uuid.UUID, dict[str, Verified]] = defaultdict(dict)
    effective: dict[uuid.UUID, int] = defaultdict(int)
    verified = SubmissionItem.objects.filter(
        submission__board=board,
        submission__withdrawn_at__isnull=True,
        verdict=SubmissionItem.Verdict.VERIFIED,
    ).values_list("submission_id", "benchmark_uri", "value", "log_ratio", "effective_actions")
    for submission_id, uri, value, log_ratio, actions in verified.iterator():
        if value is not None and log_ratio is not None:
            values[submission_id][uri] = Verified(value, log_ratio)
        effective[submission_id] += actions or 0
    submissions = Submission.objects.filter(board=board, withdrawn_at__isnull=True).order_by("created", "pk")
    return [
        ranking.Entry(
            key=one.pk,
            group=agent_group(one),
            score=score(values[one.pk]),
            effective_actions=effective[one.pk],
            order=one.created.timestamp(),
        )
        for one in submissions
    ]


def _scorer(board: Board) -> Callable[[Mapping[str, Verified]], Score]:
    """How a submission's verified items become its score."""
    lower = board_metric(board).lower_is_better
    if board.reference_metric:
        # Each replay measured its own reference, so that only the items' own ratios mean anything.
        benchmarks = board_benchmarks(board)
        return lambda items: ranking.score_measured(
            benchmarks, {uri: one.log_ratio for uri, one in items.items()}, lower_is_better=lower
        )
    references = board_references(board)
    return lambda items: ranking.score_board(
        references, {uri: one.value for uri, one in items.items()}, lower_is_better=lower
    )


def _pending(board: Board) -> dict[uuid.UUID, int]:
    waiting = SubmissionItem.objects.filter(
        submission__board=board, verdict=SubmissionItem.Verdict.PENDING
    ).order_by()
    return dict(waiting.values_list("submission_id").annotate(number=Count("id")))


def agent_group(submission: Submission) -> tuple[int, str]:
    """Whose entries compete for one rank: an owner's agent, whatever the case and spacing of its name."""
    return submission.owner_id, " ".join(submission.agent.split()).casefold()


def _standing(board: Board, placed: Placed[uuid.UUID], pending: int, now: datetime) -> Standing:
    entry = placed.entry
    return Standing(
        board=board,
        submission_id=entry.key,
        position=placed.position,
        rank=placed.rank,
        best_of_agent=placed.best,
        score=entry.score.score,
        mean_improvement=entry.score.mean_improvement,
        verified=entry.score.verified,
        pending=pending,
        total=entry.score.total,
        effective_actions=entry.effective_actions,
        built_at=now,
    )
