"""Writes down from when until when entries had which figures, in the transaction that changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import connection

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection

    from leaderboard.models import Board

_FIGURES: Final = (
    *("agent_group", "best_of_agent", "score", "mean_improvement", "verified", "copied", "total"),
    *("effective_actions", "submitted_at", "log_variance", "log_freedom", "missing"),
)


def _columns(table: str) -> str:
    return ", ".join(f"{table}.{name}" for name in _FIGURES)


# An entry's first period begins with the last of its verdicts: that is now, but for what a rebuild mends.
# Where it ends the period of its agent's former best, it begins when that ends: of two bests of one agent at
# a moment, both would have a rank. All times are the database's, as those of verdicts are.
_NOTE: Final = f"""
WITH present AS (
    SELECT * FROM leaderboard_standing
    WHERE board_id = %(board)s AND submission_id = ANY(%(submissions)s) AND pending = 0
), closed AS (
    UPDATE leaderboard_standingperiod AS former SET until = statement_timestamp()
    WHERE former.until IS NULL AND former.submission_id = ANY(%(submissions)s) AND NOT EXISTS (
        SELECT 1 FROM present WHERE present.submission_id = former.submission_id
            AND ({_columns("present")}) IS NOT DISTINCT FROM ({_columns("former")}))
    RETURNING former.submission_id, former.agent_group, former.best_of_agent
)
INSERT INTO leaderboard_standingperiod (board_id, submission_id, since, {", ".join(_FIGURES)})
SELECT present.board_id, present.submission_id,
    CASE WHEN EXISTS (SELECT 1 FROM leaderboard_standingperiod AS former
                      WHERE former.submission_id = present.submission_id)
              OR present.best_of_agent AND EXISTS (
                  SELECT 1 FROM closed
                  WHERE closed.agent_group = present.agent_group AND closed.best_of_agent)
             THEN statement_timestamp()
         ELSE coalesce((SELECT max(decided_at) FROM leaderboard_submissionitem AS item
                        WHERE item.submission_id = present.submission_id), statement_timestamp()) END,
    {_columns("present")}
FROM present
WHERE present.submission_id IN (SELECT submission_id FROM closed) OR NOT EXISTS (
    SELECT 1 FROM leaderboard_standingperiod AS former
    WHERE former.submission_id = present.submission_id AND former.until IS NULL)
"""  # noqa: S608 - of our own constants
_DIFFERING: Final = f"""
SELECT coalesce(present.submission_id, former.submission_id)
FROM (SELECT * FROM leaderboard_standing WHERE board_id = %(board)s AND pending = 0) AS present
FULL JOIN (
    SELECT * FROM leaderboard_standingperiod WHERE board_id = %(board)s AND until IS NULL) AS former
    ON former.submission_id = present.submission_id
WHERE present.submission_id IS NULL OR former.submission_id IS NULL
    OR ({_columns("present")}) IS DISTINCT FROM ({_columns("former")})
"""  # noqa: S608 - of our own constants


def note(*, board: Board, submission_ids: Collection[uuid.UUID]) -> None:
    """End the periods of entries whose figures are others now, and begin new ones.

    The standings are stored already, and the caller holds the board's lock. An entry with replays left, or
    without a standing, gets no new period.
    """
    if not submission_ids:
        return
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, {"board": board.pk, "submissions": sorted(submission_ids)})


def differing(board: Board) -> set[uuid.UUID]:
    """The entries of a board whose last periods are not their standings, or that have only one of both.

    A restored backup of single tables may leave them.
    """
    with connection.cursor() as cursor:
        cursor.execute(_DIFFERING, {"board": board.pk})
        return {submission for (submission,) in cursor.fetchall()}
