"""The benchmarks of a board without which an entry has no rank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import connection

from optarena import limits

if TYPE_CHECKING:
    import uuid

    from leaderboard.models import Board

_LISTED: Final = "SELECT uri, place FROM unnest(%(listed)s::text[]) WITH ORDINALITY AS listed (uri, place)"
_STORED: Final = """
SELECT uri, position AS place FROM datasets_benchmark WHERE version_id = %(version)s AND kind = 'stored'
"""
_MISSING: Final = """
SELECT one.uri FROM ({}) AS one
WHERE NOT EXISTS (
    SELECT 1 FROM leaderboard_submissionitem AS item
    WHERE item.submission_id = %(submission)s AND item.benchmark_uri = one.uri AND item.verdict = 'verified')
ORDER BY one.place LIMIT %(most)s
"""


def first_missing(board: Board, submission_id: uuid.UUID) -> list[str]:
    """The URIs of the first benchmarks of a board that an entry has no verified result of."""
    given = {
        "listed": board.benchmarks,
        "version": board.dataset_version_id,
        "submission": submission_id,
        "most": limits.MAX_MISSING_NAMED,
    }
    with connection.cursor() as cursor:
        cursor.execute(_MISSING.format(_LISTED if board.benchmarks else _STORED), given)
        return [uri for (uri,) in cursor.fetchall()]
