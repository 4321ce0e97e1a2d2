"""A board as plain rows, for files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from leaderboard.selectors.boards import board_rows
from leaderboard.selectors.coarser import references
from leaderboard.selectors.standings import pending_entries, standings
from leaderboard.selectors.virtual_best import virtual_best

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leaderboard.models import Board, EntryFigures
    from leaderboard.selectors.boards import BoardRow
    from leaderboard.selectors.choices import BoardChoice
    from leaderboard.selectors.virtual_best import VirtualBest

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
    "gap",
    "contribution",
    "baseline_command",
)


def export_rows(board: Board, choice: BoardChoice) -> Iterator[list[object]]:
    """The rows of a board that a choice asks for, then the entries that are being verified.

    A whole board in the order of its ranks has the references among its rows, and the virtual best first.
    """
    best = None if choice.as_of else virtual_best(board)
    shown = references(board) if choice.is_in_order and not choice.as_of else []
    if best is not None and choice.is_in_order:
        yield _best_row(best)
    for row in board_rows(standings(board, choice), shown):
        yield _export_row(row, best)
    for entry in pending_entries(board, choice):
        yield _entry_row(entry, None)


def _best_row(best: VirtualBest) -> list[object]:
    return ["reference", "virtual best", "", best.score, "", best.verified, best.total, *[""] * 13]


def _export_row(row: BoardRow, best: VirtualBest | None) -> list[object]:
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
            *[""] * 13,
        ]
    if row.standing is None:
        raise ValueError("A row of a board is a standing or a reference.")
    return _entry_row(row.standing, best)


def _entry_row(standing: EntryFigures, best: VirtualBest | None) -> list[object]:
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
        None if best is None else best.gap(standing.score),
        None if best is None else best.contribution(standing.submission_id),
        spreadsheet_safe(submission.baseline_command),
    ]


def spreadsheet_safe(text: str) -> str:
    """A text that a spreadsheet shows, and does not run as a formula."""
    return f"'{text}" if text[:1] in "=+-@" and text else text
