"""How a score compares with the reference of its board, in words: for pages, the API and the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from leaderboard.boards.queries import board_metric, reference_name
from optarena.errors import UnknownName
from optarena.specs.board import compared_words

if TYPE_CHECKING:
    from leaderboard.boards.queries import ReferenceRow
    from leaderboard.compare.queries import Column
    from leaderboard.models import Board, EntryFigures
    from optarena.specs import Metric

Tone = Literal["better", "worse", "even"]


class Against(NamedTuple):
    tone: Tone
    # `4.0 % smaller`, and with the name of the reference.
    short: str
    text: str


def against_reference(board: Board, entry: EntryFigures | ReferenceRow | Column | None) -> Against | None:
    """Compare a score with that of the board's reference.

    None without a score or its error, and where the board's compiler is not installed.
    """
    if entry is None or entry.score is None:
        return None
    try:
        metric = board_metric(board)
    except UnknownName:
        return None
    interval = (entry.score, entry.score) if board.exact else entry.score_interval
    return compared(entry.score, interval, metric=metric, reference=reference_name(board))


def compared(
    score: float, interval: tuple[float, float] | None, *, metric: Metric, reference: str
) -> Against | None:
    """Compare a score with 1, which must be outside of its interval to be told apart."""
    if interval is None:
        return None
    if interval[0] < interval[1] and interval[0] <= 1.0 <= interval[1]:
        return Against("even", "not told apart", f"not told apart from {reference}")
    words = compared_words(score, metric)
    tone: Tone = "even" if score == 1.0 else "better" if score > 1.0 else "worse"
    return Against(tone, words.rpartition(" ")[0], f"{words} {reference}")


def against_text(board: Board, entry: EntryFigures | ReferenceRow | Column | None) -> str:
    found = against_reference(board, entry)
    return "" if found is None else found.text
