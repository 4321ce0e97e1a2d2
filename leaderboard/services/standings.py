"""Keeps the standings: each entry's figures, and which entry is the best of its agent.

Only the entries of which an item got a verdict are written; places and ranks are computed when somebody reads
(``selectors.standings``). An item that ends changes the totals of its entry by what it counts itself. The
totals are exact, so the figures are those that a rebuild gives. Every writer holds the board's row lock until
its transaction ends, and a reader sees an entry's figures and the best of its agent change together.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from leaderboard import ranking, totals
from leaderboard.agent_names import family
from leaderboard.common.rows import update_rows
from leaderboard.models import Board, Standing, Submission, SubmissionItem
from leaderboard.ordering import ENTRY_PREFERENCE
from leaderboard.selectors import board_scale, first_missing
from leaderboard.services import bests, periods
from leaderboard.totals import Counted, Totals
from optarena import limits

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection, Iterable, Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from leaderboard.ranking import Entry
    from leaderboard.totals import BoardScale

Verdict = SubmissionItem.Verdict

_BATCH: Final = 1_000
_SUMS: Final = ("log_total", "improvement_total", "variance_total", "share_total", "estimated")
_COUNTS: Final = (
    *("score", "mean_improvement", "log_variance", "log_freedom"),
    *("verified", "copied", "pending", "effective_actions", "missing"),
)
_FIGURES: Final = ("agent_group", "total", "submitted_at", *_COUNTS)
"""The columns that depend on the entry alone, not on others."""
_CHANGING: Final = (*_COUNTS, *_SUMS, "built_at", "ranked_at")


def lock_boards(*, board_ids: Collection[int]) -> dict[int, Board]:
    """Lock boards by ascending id, the last locks that any transaction takes."""
    boards = (
        Board.objects.select_for_update(no_key=True, of=("self",))
        .filter(pk__in=board_ids)
        .select_related("environment_version", "dataset_version")
        .order_by("pk")
    )
    return {board.pk: board for board in boards}


def error_of(item: SubmissionItem) -> tuple[float, float] | None:
    """The variance of an item's logarithm of its ratio, and its degrees of freedom; None where unknown."""
    if item.log_variance is None or item.log_freedom is None:
        return None
    return item.log_variance, item.log_freedom


def counted(item: SubmissionItem) -> Counted:
    """What an item counts with the verdict that it has now."""
    return Counted(
        uri=item.benchmark_uri,
        pending=item.verdict == Verdict.PENDING,
        verified=item.verdict == Verdict.VERIFIED,
        value=item.value,
        log_ratio=item.log_ratio,
        effective_actions=item.effective_actions,
        error=error_of(item),
        copied=item.own is False,
    )


def add(
    *, board: Board, submission: Submission, items: Collection[SubmissionItem], scale: BoardScale
) -> None:
    """Write the row of a new entry with these items.

    The caller holds the board's lock.

    Args:
        board: The board.
        submission: The entry.
        items: All of its items.
        scale: Of all benchmarks of the board.
    """
    sums = scale.nothing()
    for item in items:
        scale.count(counted(item), sums)
    now = timezone.now()
    row = _row(board, submission, sums, scale, now)
    verified = [item for item in items if item.verdict == Verdict.VERIFIED]
    # Measured boards of a whole dataset have no order here.
    order = board.benchmarks or scale.references
    row.missing = _missing(board, row) if order is None else _first_of(order, row, verified)
    row.save(force_insert=True)
    concerned = _elect(board, [submission.pk]) - {submission.pk}
    if not row.pending:
        concerned.add(submission.pk)
    periods.note(board=board, submission_ids=concerned)
    bests.note(board=board, items=verified, scale=scale)


def change(
    *, board: Board, items: Collection[SubmissionItem], former: Mapping[int, Counted], scale: BoardScale
) -> None:
    """Write the rows of these items' entries again, and mark the best of each agent.

    The caller holds the board's lock. The cost depends on these items, not on others of their entries, nor on
    the board's other entries.

    Args:
        board: The board.
        items: The items that have changed, as they are stored now.
        former: What each counted before, by its id.
        scale: Of these items' benchmarks at least.
    """
    changed = {item.submission_id for item in items}
    stored = Standing.objects.filter(board=board, submission__in=changed)
    rows = {row.submission_id: row for row in stored}
    sums = {key: _totals(row) for key, row in rows.items()}
    for item in items:
        if item.submission_id in sums:
            scale.count(former[item.pk], sums[item.submission_id], -1)
            scale.count(counted(item), sums[item.submission_id])
    now = timezone.now()
    ended = {key for key, row in rows.items() if not row.pending}
    for key, row in rows.items():
        _write(row, sums[key], scale, now)
        row.missing = _missing(board, row)
    update_rows(list(rows.values()), _CHANGING, batch_size=_BATCH)
    # An entry whose replays were and are not over has no period.
    ended |= {key for key, row in rows.items() if not row.pending}
    periods.note(board=board, submission_ids=ended | _elect(board, changed))
    bests.note(board=board, items=items, scale=scale)


def change_all(*, items: Collection[SubmissionItem], former: Mapping[int, Counted]) -> None:
    """``change`` items of any boards, which this locks; the caller holds the items' row locks."""
    for board in lock_boards(board_ids={item.submission.board_id for item in items}).values():
        own = [item for item in items if item.submission.board_id == board.pk]
        scale = board_scale(board, uris={item.benchmark_uri for item in own})
        change(board=board, items=own, former=former, scale=scale)


def remove(*, board: Board, submission: Submission) -> None:
    """Delete the row of a withdrawn entry, and mark the best of its agent, under the board's lock."""
    concerned = _elect(board, [submission.pk], gone=[submission.pk])
    periods.note(board=board, submission_ids={submission.pk, *concerned})
    bests.forget(board=board, submission=submission)


def _elect(
    board: Board, submission_ids: Collection[uuid.UUID], gone: Collection[uuid.UUID] = ()
) -> set[uuid.UUID]:
    """Drop the rows of withdrawn entries, and mark the best entry of every agent concerned.

    Returns:
        The submissions that are the best of their agents now and were not, and those that were.
    """
    others = Standing.objects.filter(board=board, agent_group=OuterRef("agent_group"))
    preferred = others.exclude(submission__in=gone).order_by(*ENTRY_PREFERENCE).values("submission_id")
    # One after the other, both by an index: entries with replays left come after all that have ended.
    first = Coalesce(Subquery(preferred.filter(pending=0)[:1]), Subquery(preferred[:1]))
    marked = others.filter(best_of_agent=True).values("submission_id")[:1]
    concerned = Standing.objects.filter(board=board, submission__in=submission_ids)
    elected = set(concerned.values_list(first, Subquery(marked)))
    changed = [pair for pair in elected if pair[0] != pair[1]]
    if gone:
        Standing.objects.filter(board=board, submission__in=gone).delete()
    if changed:  # in this order: the database lets an agent have only one
        rows = Standing.objects.filter(board=board)
        rows.filter(submission__in=[former for _, former in changed]).update(best_of_agent=False)
        rows.filter(submission__in=[best for best, _ in changed]).update(best_of_agent=True)
    return {one for pair in changed for one in pair if one is not None}


def _date(board: Board) -> None:
    """Write since when entries are rankable of which that is not known: since the last of their verdicts."""
    last = SubmissionItem.objects.filter(submission=OuterRef("submission"), decided_at__isnull=False)
    decided = last.order_by("-decided_at").values("decided_at")[:1]
    Standing.objects.filter(board=board, ranked_at=None, rankable=True).update(ranked_at=Subquery(decided))


@transaction.atomic
def rebuild_boards(*, board_ids: Collection[int], write: bool = True) -> dict[int, set[uuid.UUID]]:
    """Compute all standings and best results of these boards from their items, and write what differs.

    Args:
        board_ids: The boards.
        write: False only compares.

    Returns:
        For each board the submissions whose standings, last periods or best results differed, those that
        should not exist included.
    """
    boards = lock_boards(board_ids=board_ids)
    return {pk: _rebuild(board, write=write) for pk, board in boards.items()}


def _rebuild(board: Board, *, write: bool) -> set[uuid.UUID]:
    rows = _computed(board, Submission.objects.filter(board=board, withdrawn_at__isnull=True))
    best = {one.entry.key for one in ranking.place(map(entry_of, rows)) if one.best}
    wanted = {row.submission_id: row for row in rows}
    stored = {row.submission_id: row for row in Standing.objects.filter(board=board)}
    for key, row in wanted.items():
        row.best_of_agent = key in best
        row.ranked_at = stored[key].ranked_at if key in stored else None
    differing = {key for key in wanted.keys() | stored.keys() if _differ(wanted.get(key), stored.get(key))}
    if write and differing:
        Standing.objects.filter(board=board, submission__in=differing).delete()
        Standing.objects.bulk_create(
            (row for row in rows if row.submission_id in differing), batch_size=_BATCH
        )
    undated = periods.differing(board)
    if write:
        _date(board)
        periods.note(board=board, submission_ids=undated)
    return differing | undated | bests.rebuild(board=board, scale=board_scale(board), write=write)


def _differ(wanted: Standing | None, stored: Standing | None) -> bool:
    if wanted is None or stored is None:
        return True
    names = ("best_of_agent", *_FIGURES, *_SUMS)
    return any(getattr(wanted, name) != getattr(stored, name) for name in names)


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
        own=row.copied < row.verified,
        ended=row.pending == 0,
    )


def _computed(board: Board, submissions: QuerySet[Submission]) -> list[Standing]:
    """The rows of these entries as their items give them, unsaved, in the order of their arrival."""
    scale = board_scale(board)
    start = scale.nothing()
    sums: dict[uuid.UUID, Totals] = defaultdict(lambda: replace(start))
    items = SubmissionItem.objects.filter(submission__in=submissions)
    verified = items.filter(verdict=Verdict.VERIFIED).values_list(
        *("submission_id", "benchmark_uri", "value", "log_ratio", "effective_actions"),
        *("own", "log_variance", "log_freedom"),
    )
    for submission_id, uri, value, log_ratio, actions, own, *error in verified.iterator():
        item = Counted(
            uri,
            pending=False,
            verified=True,
            value=value,
            log_ratio=log_ratio,
            effective_actions=actions,
            error=None if None in error else tuple(error),
            copied=own is False,
        )
        scale.count(item, sums[submission_id])
    for submission_id, number in _pending(items):
        sums[submission_id].pending = number
    now = timezone.now()
    ordered = submissions.only("owner_id", "agent", "created").order_by("created", "pk")
    rows = [_row(board, one, sums[one.pk], scale, now) for one in ordered]
    for row in rows:
        row.missing = _missing(board, row)
    return rows


def _missing(board: Board, row: Standing) -> list[str]:
    """What an entry lacks for a rank; nothing while replays are left, since nobody knows then."""
    if row.pending or row.verified == row.total:
        return []
    return first_missing(board, row.submission_id)


def _first_of(order: Iterable[str], row: Standing, verified: Iterable[SubmissionItem]) -> list[str]:
    """As ``_missing``, from the verified items of an entry, without a query."""
    if row.pending or row.verified == row.total:
        return []
    there = {item.benchmark_uri for item in verified}
    return list(islice((uri for uri in order if uri not in there), limits.MAX_MISSING_NAMED))


def _row(board: Board, submission: Submission, sums: Totals, scale: BoardScale, now: datetime) -> Standing:
    row = Standing(
        board=board,
        submission_id=submission.pk,
        agent_group=agent_group(submission),
        total=len(scale.benchmarks),
        submitted_at=submission.created,
    )
    _write(row, sums, scale, now)
    return row


def _write(row: Standing, sums: Totals, scale: BoardScale, now: datetime) -> None:
    """Write totals, and the figures that follow from them, into a row, unsaved."""
    score = scale.score(sums, benchmarks=row.total)
    row.score, row.mean_improvement = score.score, score.mean_improvement
    row.verified, row.pending, row.effective_actions = sums.verified, sums.pending, sums.effective_actions
    row.copied = sums.copied
    row.log_variance, row.log_freedom = sums.error(benchmarks=row.total) or (None, None)
    row.log_total, row.improvement_total = totals.written(sums.logs), totals.written(sums.improvements)
    row.variance_total, row.share_total = totals.written(sums.variances), totals.written(sums.shares)
    row.estimated = sums.estimated
    row.built_at = now
    if row.ranked_at is None and entry_of(row).rankable:
        row.ranked_at = now


def _totals(row: Standing) -> Totals:
    return Totals(
        logs=totals.read(row.log_total),
        improvements=totals.read(row.improvement_total),
        variances=totals.read(row.variance_total),
        shares=totals.read(row.share_total),
        estimated=row.estimated,
        verified=row.verified,
        copied=row.copied,
        pending=row.pending,
        effective_actions=row.effective_actions,
    )


def _pending(items: QuerySet[SubmissionItem]) -> QuerySet[SubmissionItem, tuple[uuid.UUID, int]]:
    waiting = items.filter(verdict=Verdict.PENDING).order_by()
    return waiting.values_list("submission_id").annotate(number=Count("id"))


def agent_group(submission: Submission) -> str:
    """The group that competes for one rank: an owner's family of agents."""
    return f"{submission.owner_id} {family(submission.agent)}"
