"""A board as plain rows, for files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from leaderboard.selectors.boards import board_rows
from leaderboard.selectors.coarser import references
from leaderboard.selectors.standings import standings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leaderboard.models import Board
    from leaderboard.selectors.boards import BoardRow

EXPORT_COLUMNS: Final = (
    "rank",
    "agent",
    "owner",
    "score",
    "mean_improvement",
    "verified",
    "total",
    "effective_actions",
    "compilations",
    "walltime_seconds",
    "trained_on_test_set",
    "submission",
    "created",
    "rank_high",
    "score_low",
    "score_high",
    "own_items",
)


def export_rows(board: Board, *, every_entry: bool = False) -> Iterator[list[object]]:
    """A board as plain rows in the order of its page, references included."""
    rows = board_rows(standings(board, every_entry=every_entry), references(board))
    return (_export_row(row) for row in rows)


def _export_row(row: BoardRow) -> list[object]:
    if row.reference is not None:
        one = row.reference
        return [
            "reference",
            spreadsheet_safe(one.label),
            "",
            one.score,
            one.mean_improvement,
            one.total,
            one.total,
            *[""] * 10,
        ]
    standing = row.standing
    if standing is None:
        raise ValueError("A row of a board is a standing or a reference.")
    submission = standing.submission
    return [
        standing.rank,
        spreadsheet_safe(submission.agent),
        spreadsheet_safe(submission.owner.username),
        standing.score,
        standing.mean_improvement,
        standing.verified,
        standing.total,
        standing.effective_actions,
        submission.compilations,
        submission.walltime_seconds,
        submission.trained_on_test_set,
        submission.pk,
        submission.created.isoformat(),
        standing.rank_high,
        *(standing.score_interval or ("", "")),
        standing.own_items,
    ]


def spreadsheet_safe(text: str) -> str:
    """A text that a spreadsheet shows, and does not run as a formula."""
    return f"'{text}" if text[:1] in "=+-@" and text else text
