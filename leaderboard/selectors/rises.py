"""How the best score of a board rose, and with how much effort scores were reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db import connection

from leaderboard.common.addresses import submission_address
from leaderboard.models import Standing
from leaderboard.ordering import BOARD_ORDER

if TYPE_CHECKING:
    import uuid
    from datetime import datetime

    from leaderboard.models import Board
    from leaderboard.selectors.choices import BoardChoice

_SHOWN: Final = 40
_COMPARED: Final = 80
"""Of so many of the best entries those are shown that report their effort."""
# An index has the times and scores of all entries that can have a rank; nothing else is read of them.
_NOW: Final = """
SELECT ranked_at, score, submission_id FROM leaderboard_standing
WHERE board_id = %(board)s AND rankable AND ranked_at IS NOT NULL
"""
# Standings change, and go; the periods of a moment stay as they are.
_PAST: Final = """
SELECT ranked_at, score, submission_id FROM (
    SELECT score, submission_id, until, rankable,
        min(since) FILTER (WHERE rankable) OVER (PARTITION BY submission_id) AS ranked_at
    FROM leaderboard_standingperiod WHERE board_id = %(board)s AND since <= %(until)s) AS period
WHERE rankable AND (until IS NULL OR until > %(until)s)
"""
_RISES: Final = """
SELECT last.ranked_at, last.score, last.submission_id, submission.agent, owner.username FROM (
    SELECT * FROM (
        SELECT ranked_at, score, submission_id,
            max(score) OVER (ORDER BY ranked_at, score DESC, submission_id
                             ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS former
        FROM ({entries}) AS entry) AS rise
    WHERE former IS NULL OR score > former ORDER BY ranked_at DESC LIMIT %(shown)s) AS last
JOIN leaderboard_submission AS submission ON submission.id = last.submission_id
JOIN auth_user AS owner ON owner.id = submission.owner_id
ORDER BY last.ranked_at DESC
"""


@dataclass(frozen=True, slots=True)
class Rise:
    """An entry that was better than all before it, when it was verified, and its score."""

    at: datetime
    score: float
    submission: uuid.UUID
    agent: str
    owner: str

    @property
    def page(self) -> str:
        """The page of the entry."""
        return submission_address("leaderboard:submission", self.submission)


def best_over_time(board: Board, *, until: datetime | None = None) -> list[Rise]:
    """The entries that raised the best score of a board, oldest first; the last ones if there are many.

    Those that were withdrawn or refuted until the moment that is asked for are left out, as if they had never
    been, and the scores are those of that moment.

    Args:
        board: The board.
        until: The moment whose standings are meant; None for now.
    """
    entries = _NOW if until is None else _PAST
    given = {"board": board.pk, "until": until, "shown": _SHOWN}
    with connection.cursor() as cursor:
        cursor.execute(_RISES.format(entries=entries), given)
        return [Rise(*row) for row in reversed(cursor.fetchall())]


@dataclass(frozen=True, slots=True)
class Effort:
    """An entry's score, and the compilations of one program that its owner reports."""

    score: float
    agent: str
    compilations: int


def efforts(board: Board, choice: BoardChoice) -> list[Effort]:
    """Those of the best entries of now that report their compilations, in the order of their ranks.

    Filters hold for them. Of a moment in the past there are none.
    """
    if choice.as_of is not None:
        return []
    rows = Standing.objects.filter(board=board, pending=0, leading=True, rankable=True)
    first = choice.filtered(rows).order_by(*BOARD_ORDER).values("submission_id")[:_COMPARED]
    found = Standing.objects.filter(
        board=board, submission__in=first, submission__compilations__isnull=False
    ).order_by(*BOARD_ORDER)
    shown = ("score", "submission__agent", "submission__compilations")
    return [Effort(*row) for row in found.values_list(*shown)]
