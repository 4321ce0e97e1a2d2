"""How a score compares with the reference of its board, in words: for pages, the API and the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from leaderboard.boards.queries import board_metric, reference_name
from optarena.specs.board import compared_words

if TYPE_CHECKING:
    from leaderboard.boards.queries import ReferenceRow
    from leaderboard.compare.queries import Column
    from leaderboard.models import Board, EntryFigures

Tone = Literal["better", "worse", "even"]


class Against(NamedTuple):
    tone: Tone
    # `4.0 % smaller`, and with the name of the reference.
    short: str
    text: str


def against_reference(board: Board, entry: EntryFigures | ReferenceRow | Column | None) -> Against | None:
    """Compare a score with 1. Where scores are measured, 1 must be outside of its interval to be told apart.

    None without a score, and for the reference itself where nothing else is known of it.
    """
    score, name = getattr(entry, "score", None), reference_name(board)
    if entry is None or score is None:
        return None
    if not board.exact:
        if entry.score_interval is None:
            return None
        low, high = entry.score_interval
        if low <= 1.0 <= high:
            return Against("even", "not told apart", f"not told apart from {name}")
    words = compared_words(score, board_metric(board))
    short = " ".join(words.split()[:-1])
    return Against("even" if score == 1.0 else "better" if score > 1.0 else "worse", short, f"{words} {name}")


def against_text(board: Board, entry: EntryFigures | ReferenceRow | Column | None) -> str:
    found = against_reference(board, entry)
    return "" if found is None else found.text
