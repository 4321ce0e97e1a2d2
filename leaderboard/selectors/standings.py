"""The order of a board: its rows with their places and ranks, and the ranks of single rows.

A page of a board is read by an index, whatever the number of rows before it; nothing ranks the whole board.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import count, islice, pairwise
from typing import TYPE_CHECKING, Final, cast

from django.db import connection
from django.db.models import Count, IntegerField, Q, Subquery, Value
from django.db.models.functions import Coalesce

from leaderboard.models import Board, Standing, StandingPeriod
from leaderboard.ordering import BOARD_ORDER
from leaderboard.rank_intervals import MOST_COMPARED, rank_intervals
from leaderboard.selectors.choices import BoardChoice
from optarena.measuring.estimates import Estimate

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from datetime import datetime

    from django.db.models import QuerySet

_BETTER: Final = """
SELECT wanted.board, wanted.score, (
    SELECT count(*) FROM {} AS one
    WHERE one.board_id = wanted.board AND one.leading AND one.rankable
        AND one.score > wanted.score AND one.score <= wanted.above {}
) FROM unnest(%s::bigint[], %s::float8[], %s::float8[]) AS wanted (board, score, above)
JOIN leaderboard_board AS board ON board.id = wanted.board AND board.exact AND NOT board.provisional
"""
"""The number of entries between two scores: each entry of a board is counted once for a whole page."""
_NOW: Final = ("leaderboard_standing", "AND one.pending = 0")
_THEN: Final = ("leaderboard_standingperiod", "AND since <= %s AND (until IS NULL OR until > %s)")
_PART: Final = 200
_UNRANKED: Final = (None, None)
UNSHOWN_OF_A_BOARD: Final = (
    "dataset_version__manifest",
    "dataset_version__statistics",
    "environment_version__spec",
)
_EVERYTHING: Final = BoardChoice()
_SUMS: Final = ("log_total", "improvement_total", "variance_total", "share_total")
_UNREAD: Final = (
    *(f"submission__{name}" for name in ("description", "url", "content_sha256", "withdrawn_at")),
    *(f"submission__owner__{name}" for name in ("password", "last_login", "date_joined", "email")),
)
"""What no list shows of a row; times take longest to read."""


@dataclass(frozen=True, slots=True)
class RankedRows:
    """The rows of a board that a choice asks for, in its order; entries with replays left are not among them.

    A slice is read by one statement, so that its rows are from one moment. Each row gets its ``position``
    among these rows, which counts from 1, and its ``rank`` on the whole board.
    """

    board: Board
    choice: BoardChoice = _EVERYTHING

    def __len__(self) -> int:
        return self._all.count()

    def __iter__(self) -> Iterator[Standing]:
        """All rows, read in parts by one statement."""
        rows = self._shown(self._all, start=0).iterator(_PART)
        if self.choice.is_in_order:
            yield from self._placed(rows, start=0)
            return
        for start in count(step=_PART):
            part = list(islice(rows, _PART))
            yield from self._placed(part, start=start)
            if len(part) < _PART:
                return

    def __getitem__(self, part: slice) -> list[Standing]:
        start = part.start or 0
        rows = self._all
        if self.choice.is_in_order:
            # Only the index is read of the rows before the page.
            chosen = rows.values("submission_id")[start : part.stop]
            rows = self._rows.filter(submission__in=chosen).order_by(*BOARD_ORDER)
            return list(self._placed(self._shown(rows, start=start), start=start))
        return list(self._placed(list(self._shown(rows, start=start)[start : part.stop]), start=start))

    @property
    def _rows(self) -> QuerySet[Standing]:
        """All entries of the moment, in no order."""
        if self.choice.as_of is None:
            return Standing.objects.filter(board=self.board, pending=0)
        return _periods(self.board, self.choice.as_of)

    @property
    def _all(self) -> QuerySet[Standing]:
        return self.choice.ordered(self.choice.filtered(self._rows))

    def _shown(self, rows: QuerySet[Standing], *, start: int) -> QuerySet[Standing]:
        """Rows from the place ``start``, counted from 0, with what is shown of them."""
        if self.choice.is_in_order:
            first = self._all.values("score")[start : start + 1]
            better = _number(self._rows.filter(leading=True, rankable=True, score__gt=Subquery(first)))
            rows = rows.annotate(better=better if start else Value(0, IntegerField()))
        unread = _UNREAD if self.choice.as_of else (*_SUMS, *_UNREAD)
        return rows.select_related("submission__owner").defer(*unread)

    def _placed(self, rows: Iterable[Standing], *, start: int) -> Iterator[Standing]:
        """The rows with places and ranks; equal scores share a rank, and rows that have one stand first."""
        for position, row in enumerate(self._ranked(rows, start), start=start + 1):
            row.position = position
            yield row

    def _ranked(self, rows: Iterable[Standing], start: int) -> Iterable[Standing]:
        if not self.board.exact:
            return self._ranked_by_intervals(rows)
        return (
            self._ranked_in_order(rows, start) if self.choice.is_in_order else self._ranked_by_counting(rows)
        )

    def _ranked_in_order(self, rows: Iterable[Standing], start: int) -> Iterator[Standing]:
        before = None
        for position, row in enumerate(rows, start=start + 1):
            if not row.leading or self.board.provisional:
                row.rank = None
            elif before is None:
                row.rank = 1 + row.better  # type: ignore[attr-defined] # annotated
            else:
                row.rank = before.rank if before.score == row.score else position
            row.rank_high = row.rank
            before = row
            yield row

    def _ranked_by_counting(self, rows: Iterable[Standing]) -> Iterable[Standing]:
        given = list(rows)
        scores = {row.score for row in given if row.leading and row.score is not None}
        better = _better_entries({self.board.pk: scores}, as_of=self.choice.as_of) if scores else {}
        for row in given:
            number = better.get((self.board.pk, row.score)) if row.leading else None
            row.rank = row.rank_high = None if number is None else 1 + number
        return given

    def _ranked_by_intervals(self, rows: Iterable[Standing]) -> Iterator[Standing]:
        intervals = board_intervals(self.board, self._rows)
        for row in rows:
            row.rank, row.rank_high = intervals.get(row.submission_id, _UNRANKED)
            yield row


def standings(board: Board, choice: BoardChoice = _EVERYTHING) -> RankedRows:
    """The rows of a board that a choice asks for, with ``position`` and ``rank``."""
    return RankedRows(board, choice)


@dataclass(frozen=True, slots=True)
class PendingEntries:
    """The entries of a board with replays left, newest first; they have no score until all have ended.

    The filters of a choice hold for them. Of a moment in the past there are none.
    """

    board: Board
    choice: BoardChoice = _EVERYTHING

    def __len__(self) -> int:
        return self._all.count()

    def __iter__(self) -> Iterator[Standing]:
        return map(without_score, self._all.iterator(_PART))

    def __getitem__(self, part: slice) -> list[Standing]:
        return [without_score(row) for row in self._all[part]]

    @property
    def _all(self) -> QuerySet[Standing]:
        if self.choice.as_of is not None:
            return Standing.objects.none()
        rows = self.choice.narrowed(Standing.objects.filter(board=self.board, pending__gt=0))
        rows = rows.order_by("-submitted_at", "submission_id")
        return rows.select_related("submission__owner").defer(*_SUMS, *_UNREAD)


def pending_entries(board: Board, choice: BoardChoice = _EVERYTHING) -> PendingEntries:
    """The entries of a board that are being verified, and that a choice asks for."""
    return PendingEntries(board, choice)


def without_score(row: Standing) -> Standing:
    """The row, unsaved, without the figures of what happens to have ended."""
    row.score = row.mean_improvement = row.log_variance = row.log_freedom = None
    row.rank = row.rank_high = None
    return row


def _periods(board: Board, moment: datetime) -> QuerySet[Standing]:
    """The figures that the entries of a board had at a moment, which have the columns of standings."""
    held = Q(until=None) | Q(until__gt=moment)
    return cast("QuerySet[Standing]", StandingPeriod.objects.filter(held, board=board, since__lte=moment))


def set_ranks(rows: Collection[Standing]) -> None:
    """Give standings of any boards their ``rank``: one more than the number of better ones that compete.

    Where scores are measured, ``rank`` and ``rank_high`` are the ends of the interval.
    """
    scores: dict[int, set[float]] = defaultdict(set)
    measured = {}
    for row in rows:
        if row.leading and row.log_freedom is not None:
            measured[row.board_id] = row.submission.board
        elif row.leading and row.score is not None:
            scores[row.board_id].add(row.score)
    better = _better_entries(scores)
    intervals = {pk: board_intervals(board) for pk, board in measured.items()}
    for row in rows:
        if row.board_id in intervals:
            row.rank, row.rank_high = intervals[row.board_id].get(row.submission_id, _UNRANKED)
            continue
        number = better.get((row.board_id, row.score)) if row.leading else None
        row.rank = row.rank_high = None if number is None else 1 + number


def board_intervals(board: Board, rows: QuerySet[Standing] | None = None) -> dict[uuid.UUID, tuple[int, int]]:
    """The ranks of a board's entries whose scores are measured, as intervals; of the first ones only.

    Args:
        board: The board.
        rows: The entries of some moment; None for those of now.
    """
    if board.exact or board.provisional:
        return {}
    rows = Standing.objects.filter(board=board) if rows is None else rows
    rows = rows.filter(leading=True, rankable=True, log_freedom__isnull=False).order_by(*BOARD_ORDER)
    figures = rows.values_list("submission_id", "score", "log_variance", "log_freedom")[:MOST_COMPARED]
    scores = {
        pk: Estimate(math.log(score), variance, freedom)
        for pk, score, variance, freedom in figures
        if score and variance and freedom
    }
    return dict(zip(scores, rank_intervals(tuple(scores.values())), strict=True))


def _better_entries(
    scores: Mapping[int, Collection[float]], *, as_of: datetime | None = None
) -> dict[tuple[int, float | None], int]:
    """For each of these scores of a board with ranks, the number of entries that compete and are better."""
    asked = [
        (board, score, above)
        for board, wanted in scores.items()
        for above, score in pairwise([math.inf, *sorted(wanted, reverse=True)])
    ]
    columns = [[row[number] for row in asked] for number in range(3)]
    moment = [] if as_of is None else [as_of, as_of]
    with connection.cursor() as cursor:
        cursor.execute(_BETTER.format(*(_THEN if moment else _NOW)), [*moment, *columns])
        between = {(board, score): number for board, score, number in cursor.fetchall()}
    found: dict[tuple[int, float | None], int] = {}
    for board, score, above in asked:
        if (board, score) in between:
            found[board, score] = between[board, score] + found.get((board, above), 0)
    return found


def get_board(slug: str) -> Board | None:
    """One board, without its leaders."""
    return boards_with_versions().filter(slug=slug).first()


def boards_with_versions() -> QuerySet[Board]:
    """Boards with their versions, without what may be long and no page of a board shows."""
    boards = Board.objects.select_related("dataset_version", "environment_version")
    return boards.defer(*UNSHOWN_OF_A_BOARD)


def _number(rows: QuerySet[Standing]) -> Coalesce:
    """The number of rows, as a value in another query."""
    counted = rows.order_by().values("board").annotate(number=Count("*")).values("number")
    return Coalesce(Subquery(counted), 0)
