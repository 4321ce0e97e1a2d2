"""The virtual best of a board: the best verified value of each benchmark, whoever found it.

It is kept benchmark by benchmark (``models.BestResult``), so that a page adds up rows of one index.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from leaderboard.ranking import SCORE_DIGITS
from leaderboard.selectors.boards import board_floor

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection, Mapping

    from leaderboard.models import Board

_DIGITS: Final = 9
"""Decimals of a share that are more than rounding."""
# Of the entries that are asked for each has a row of its own, and all others have one together.
_SUMS: Final = """
SELECT CASE WHEN %(each)s OR submission_id = ANY(%(asked)s) THEN submission_id END AS one, count(*),
    sum(log_ratio - log_floor), coalesce(sum(log_ratio - log_without) FILTER (WHERE own), 0)
FROM leaderboard_bestresult WHERE board_id = %(board)s GROUP BY 1
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class VirtualBest:
    """The best of everybody on a board.

    Attributes:
        score: The score of an entry that had the best verified value of each benchmark.
        verified: Benchmarks with a verified value.
        total: Benchmarks of the board.
        held: How many of the best values each entry has first; of the entries that were asked for.
        gains: How far each entry's finds raise the logarithm of the score; likewise.
    """

    score: float
    verified: int
    total: int
    held: Mapping[uuid.UUID, int]
    gains: Mapping[uuid.UUID, float]

    def gap(self, score: float | None) -> float | None:
        """The share by which a score is below that of the virtual best, negative, or 0; None without one.

        That of a compiler's own level may be above it.
        """
        return None if score is None else round(score / self.score - 1, _DIGITS) + 0.0

    def contribution(self, entry: uuid.UUID) -> float:
        """The share by which the virtual best's score would be lower without an entry's finds, 0 to 1."""
        return round(-math.expm1(-self.gains.get(entry, 0.0)), _DIGITS)


def virtual_best(board: Board, entries: Collection[uuid.UUID] | None = None) -> VirtualBest | None:
    """The virtual best of a board; None while nothing is verified.

    Args:
        board: The board.
        entries: The submissions whose contributions are wanted; None for all.
    """
    given: dict[str, Any] = {"board": board.pk, "asked": list(entries or ()), "each": entries is None}
    with connection.cursor() as cursor:
        cursor.execute(_SUMS, given)
        rows = cursor.fetchall()
    if not rows:
        return None
    floor = board_floor(board)
    logs = math.fsum([floor.logs, *(row[2] for row in rows)])
    return VirtualBest(
        score=round(math.exp(logs / floor.total), SCORE_DIGITS),
        verified=sum(row[1] for row in rows),
        total=floor.total,
        held={row[0]: row[1] for row in rows if row[0] is not None},
        gains={row[0]: row[3] / floor.total for row in rows if row[0] is not None},
    )
