"""Keeps the standings: each entry's figures, and which entry is the best of its agent.

Only the entries of which an item got a verdict are written; places and ranks are computed when somebody reads
(``selectors.standings``). A score is computed from all items of its entry, never by adding to what was there:
it is exactly what a rebuild gives. Every writer holds the board's row lock until its transaction ends, and a
reader sees an entry's figures and the best of its agent change together.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db import transaction
from django.db.models import Count, OuterRef, Subquery
from django.utils import timezone

from leaderboard import ranking
from leaderboard.models import ENTRY_PREFERENCE, Board, Standing, Submission, SubmissionItem
from leaderboard.selectors import board_benchmarks, board_metric, board_references

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable, Collection, Mapping

    from django.db.models import QuerySet

    from leaderboard.ranking import Entry, Score

_BATCH: Final = 1_000
_FIGURES: Final = (
    "agent_group",
    "score",
    "mean_improvement",
    "verified",
    "pending",
    "total",
    "effective_actions",
    "submitted_at",
)
"""The columns that depend on the entry alone, not on others."""


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


def refresh(*, board: Board, submission_ids: Collection[uuid.UUID]) -> None:
    """Write the rows of these submissions again, and mark the best of each agent.

    The caller holds the board's lock. The cost depends on these submissions' items and the board's
    benchmarks, not on the board's other entries.
    """
    chosen = Submission.objects.filter(board=board, pk__in=submission_ids)
    rows = _computed(board, chosen.filter(withdrawn_at__isnull=True))
    Standing.objects.bulk_create(
        rows,
        batch_size=_BATCH,
        update_conflicts=True,
        unique_fields=["submission"],
        update_fields=[*_FIGURES, "built_at"],
    )
    gone = set(submission_ids) - {row.submission_id for row in rows}
    _elect(board, submission_ids, gone)


def _elect(board: Board, submission_ids: Collection[uuid.UUID], gone: Collection[uuid.UUID]) -> None:
    """Drop the rows of withdrawn entries, and mark the best entry of every agent concerned."""
    others = Standing.objects.filter(board=board, agent_group=OuterRef("agent_group"))
    first = others.exclude(submission__in=gone).order_by(*ENTRY_PREFERENCE).values("pk")[:1]
    marked = others.filter(best_of_agent=True).values("pk")[:1]
    concerned = Standing.objects.filter(board=board, submission__in=submission_ids)
    elected = set(concerned.values_list(Subquery(first), Subquery(marked)))
    changed = [pair for pair in elected if pair[0] != pair[1]]
    if gone:
        Standing.objects.filter(board=board, submission__in=gone).delete()
    if changed:  # in this order: the database lets an agent have only one
        Standing.objects.filter(pk__in=[former for _, former in changed]).update(best_of_agent=False)
        Standing.objects.filter(pk__in=[best for best, _ in changed]).update(best_of_agent=True)


@transaction.atomic
def rebuild_boards(*, board_ids: Collection[int], write: bool = True) -> dict[int, set[uuid.UUID]]:
    """Compute all rows of these boards from their items, and write those that differ from what is stored.

    Args:
        board_ids: The boards.
        write: False only compares.

    Returns:
        For each board the submissions whose rows differed, rows that should not exist included.
    """
    boards = lock_boards(board_ids=board_ids)
    return {pk: _rebuild(board, write=write) for pk, board in boards.items()}


def _rebuild(board: Board, *, write: bool) -> set[uuid.UUID]:
    rows = _computed(board, Submission.objects.filter(board=board, withdrawn_at__isnull=True))
    best = {one.entry.key for one in ranking.place(map(entry_of, rows)) if one.best}
    for row in rows:
        row.best_of_agent = row.submission_id in best
    fields = ("submission_id", "best_of_agent", *_FIGURES)
    stored = set(Standing.objects.filter(board=board).values_list(*fields))
    wanted = {tuple(getattr(row, name) for name in fields) for row in rows}
    differing = {row[0] for row in stored ^ wanted}
    if write and differing:
        Standing.objects.filter(board=board, submission__in=differing).delete()
        Standing.objects.bulk_create(
            (row for row in rows if row.submission_id in differing), batch_size=_BATCH
        )
    return differing


def entry_of(row: Standing) -> Entry[uuid.UUID]:
    """A row as ``ranking.place`` wants it."""
    return ranking.Entry(
        key=row.submission_id,
        group=row.agent_group,
        score=ranking.Score(
            score=row.score, mean_improvement=row.mean_improvement, verified=row.verified, total=row.total
        ),
        effective_actions=row.effective_actions,
        order=row.submitted_at.timestamp(),
    )


def _computed(board: Board, submissions: QuerySet[Submission]) -> list[Standing]:
    """The rows of these entries as their items give them, unsaved, in the order of their arrival."""
    score = _scorer(board)
    values: dict[uuid.UUID, dict[str, Verified]] = defaultdict(dict)
    effective: dict[uuid.UUID, int] = defaultdict(int)
    items = SubmissionItem.objects.filter(submission__in=submissions)
    verified = items.filter(verdict=SubmissionItem.Verdict.VERIFIED).values_list(
        "submission_id", "benchmark_uri", "value", "log_ratio", "effective_actions"
    )
    for submission_id, uri, value, log_ratio, actions in verified.iterator():
        if value is not None and log_ratio is not None:
            values[submission_id][uri] = Verified(value, log_ratio)
        effective[submission_id] += actions or 0
    pending = _pending(items)
    now = timezone.now()
    return [
        Standing(
            board=board,
            submission_id=one.pk,
            agent_group=agent_group(one),
            verified=(scored := score(values[one.pk])).verified,
            score=scored.score,
            mean_improvement=scored.mean_improvement,
            total=scored.total,
            pending=pending.get(one.pk, 0),
            effective_actions=effective[one.pk],
            submitted_at=one.created,
            built_at=now,
        )
        for one in submissions.only("owner_id", "agent", "created").order_by("created", "pk")
    ]


def _scorer(board: Board) -> Callable[[Mapping[str, Verified]], Score]:
    """The score of a submission from its verified items."""
    lower = board_metric(board).lower_is_better
    if board.reference_metric:
        # Each replay measured its own reference, so only the items' own ratios are meaningful.
        benchmarks = board_benchmarks(board)
        return lambda items: ranking.score_measured(
            benchmarks, {uri: one.log_ratio for uri, one in items.items()}, lower_is_better=lower
        )
    references = board_references(board)
    return lambda items: ranking.score_board(
        references, {uri: one.value for uri, one in items.items()}, lower_is_better=lower
    )


def _pending(items: QuerySet[SubmissionItem]) -> dict[uuid.UUID, int]:
    waiting = items.filter(verdict=SubmissionItem.Verdict.PENDING).order_by()
    return dict(waiting.values_list("submission_id").annotate(number=Count("id")))


def agent_group(submission: Submission) -> str:
    """The group that competes for one rank: an owner's agent, whatever the case and spacing of its name."""
    return f"{submission.owner_id} {' '.join(submission.agent.split()).casefold()}"
