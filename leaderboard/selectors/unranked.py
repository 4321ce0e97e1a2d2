"""Why an entry has no rank: one sentence, the same wherever it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leaderboard.rank_intervals import MOST_COMPARED
from optarena.specs.benchmark import BenchmarkUri

if TYPE_CHECKING:
    from leaderboard.models import Board, EntryFigures, Standing, Submission


def why_unranked(submission: Submission) -> str:
    """The reason why a submission has no rank, which ``add_figures`` has looked up; empty if it has one."""
    if submission.withdrawn_at is not None:
        return "It was withdrawn."
    standing: Standing | None = getattr(submission, "standing", None)
    if standing is None:
        return "None of its items has a verdict that counts."
    return why_without_rank(standing, submission.board)


def why_without_rank(standing: EntryFigures, board: Board) -> str:
    """The reason why a row of a board has no rank; empty if it has one."""
    waits = "waits" if standing.pending == 1 else "wait"
    reasons = (
        (standing.rank is not None, ""),
        (board.provisional, board.provisional_notice or "The board is provisional."),
        (standing.pending > 0, f"{standing.pending:,} of its items {waits} for a verdict."),
        (not standing.complete, _incomplete(standing)),
        (standing.is_collection, "Others found all of its results first."),
        (not standing.best_of_agent, "Its family of agents has a better entry."),
        (standing.log_freedom is None, "The error of its score is not known."),
    )
    behind = f"It stands behind the first {MOST_COMPARED:,} entries, and only those are compared."
    return next((why for applies, why in reasons if applies), behind)


def _incomplete(standing: EntryFigures) -> str:
    """What is missing of an entry's benchmarks, the first ones by name."""
    why = f"{standing.verified:,} of {standing.total:,} benchmarks are verified; a rank needs all."
    names = [BenchmarkUri.parse(uri).path for uri in standing.missing]
    more = standing.total - standing.verified - len(names)
    if not names:
        return why
    return f"{why} Missing: {', '.join(names)}{f' and {more:,} more' if more else ''}."
