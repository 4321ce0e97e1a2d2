"""The leaders of boards, and the numbers of their entries: for all of a page's boards by two statements."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from leaderboard.models import Board, Standing
from leaderboard.ordering import BOARD_ORDER
from leaderboard.selectors.standings import boards_with_versions
from optarena import limits

if TYPE_CHECKING:
    from collections.abc import Sequence

# An entry whose measured score has no known error has no rank, though it may be complete.
_HAS_RANK: Final = (
    "one.leading AND one.rankable AND one.pending = 0 AND NOT board.provisional "
    "AND (board.exact OR one.log_freedom IS NOT NULL)"
)
_FIGURES: Final = f"""
WITH counted AS (
    SELECT board.id, count(*) AS entries, sum(one.verified) AS verified,
        count(*) FILTER (WHERE {_HAS_RANK} AND one.best_of_agent) AS ranked,
        max(one.score) FILTER (WHERE {_HAS_RANK}) AS best
    FROM leaderboard_board AS board JOIN leaderboard_standing AS one ON one.board_id = board.id
    WHERE board.id = ANY(%s) GROUP BY 1
)
SELECT id, entries, verified, ranked, ARRAY(
    SELECT one.id FROM leaderboard_standing AS one JOIN leaderboard_board AS board ON board.id = one.board_id
    WHERE one.board_id = counted.id AND one.score = counted.best AND {_HAS_RANK}
    ORDER BY one.submitted_at, one.effective_actions, one.submission_id LIMIT %s
) FROM counted
"""  # noqa: S608 # the conditions are from this file


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSummary:
    """A board in a list.

    Attributes:
        board: The board.
        entries: Its entries, without those that were withdrawn.
        ranked: Those with a rank.
        verified: Their results that were verified.
        leaders: The first of those with the best score.
    """

    board: Board
    entries: int
    ranked: int
    verified: int
    leaders: tuple[Standing, ...]


def list_boards() -> list[BoardSummary]:
    """All boards, by their names in addresses."""
    return board_summaries(list(boards_with_versions().order_by("slug")))


def board_summaries(boards: Sequence[Board]) -> list[BoardSummary]:
    """What lists of boards say of each."""
    with connection.cursor() as cursor:
        cursor.execute(_FIGURES, [[board.pk for board in boards], limits.MAX_LEADERS])
        found = {pk: figures for pk, *figures in cursor.fetchall()}
    leaders: dict[int, list[Standing]] = defaultdict(list)
    keys = [key for *_, of_board in found.values() for key in of_board]
    rows = Standing.objects.filter(pk__in=keys).select_related("submission__owner")
    for row in rows.order_by(*BOARD_ORDER):  # of no keys, Django asks nothing
        leaders[row.board_id].append(row)
    return [_summary(board, found.get(board.pk, (0, 0, 0, ())), leaders[board.pk]) for board in boards]


def _summary(board: Board, figures: Sequence[Any], leaders: Sequence[Standing]) -> BoardSummary:
    entries, verified, ranked, _ = figures
    return BoardSummary(
        board=board, entries=entries, ranked=ranked, verified=verified, leaders=tuple(leaders)
    )
