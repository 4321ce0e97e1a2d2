"""Why an entry has no rank: one sentence, the same wherever it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leaderboard.models import Board, Standing, Submission


def why_unranked(submission: Submission) -> str:
    """The reason why a submission has no rank, which ``add_figures`` has looked up; empty if it has one."""
    if submission.withdrawn_at is not None:
        return "It was withdrawn."
    standing: Standing | None = getattr(submission, "standing", None)
    if standing is None:
        return "None of its items has a verdict that counts."
    return why_without_rank(standing, submission.board)


def why_without_rank(standing: Standing, board: Board) -> str:
    """The reason why a row of a board has no rank; empty if it has one."""
    waits = "waits" if standing.pending == 1 else "wait"
    reasons = (
        (standing.rank is not None, ""),
        (board.provisional, board.provisional_notice or "The board is provisional."),
        (standing.pending > 0, f"{standing.pending:,} of its items {waits} for a verdict."),
        (
            not standing.complete,
            f"{standing.verified:,} of {standing.total:,} benchmarks are verified; a rank needs all.",
        ),
        (standing.is_collection, "Others found all of its results first."),
        (not standing.best_of_agent, "The agent has a better entry."),
    )
    return next((why for applies, why in reasons if applies), "The error of its score is not known.")
