"""The columns of a board's table: what they show, and the addresses that sort by them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from leaderboard.selectors import board_metric
from leaderboard.templatetags.boards import yardstick

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leaderboard.models import Board
    from leaderboard.selectors import BoardChoice

_DOWN_FIRST: Final = frozenset(
    {"score", "mean_improvement", "verified", "own_items", "contribution", "created"}
)
"""Columns whose greatest values are of interest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardColumn:
    """One column.

    Attributes:
        name: Its name in ``sort``.
        label: Its head.
        unit: What its values count, below the head; may be empty.
        title: What it means, in a few words.
        is_number: Whether values stand at the right.
        address: The query that sorts by it, or turns the order round.
        order: ``ascending`` or ``descending`` if the table is sorted by it, or empty.
    """

    name: str
    label: str
    unit: str
    title: str
    is_number: bool
    address: str
    order: str


def columns(board: Board, choice: BoardChoice, *, has_best: bool) -> list[BoardColumn]:
    """The columns of a board.

    Args:
        board: The board.
        choice: The rows that are asked for.
        has_best: Whether they are compared with the virtual best.
    """
    return [
        BoardColumn(
            name=name,
            label=label,
            unit=unit,
            title=title,
            is_number=is_number,
            address=_address(choice, name),
            order=_order(choice, name),
        )
        for name, label, unit, title, is_number in _described(board)
        if not (name == "rank" and board.provisional) and (has_best or name not in ("gap", "contribution"))
    ]


def _described(board: Board) -> Iterator[tuple[str, str, str, str, bool]]:
    lower, level = board_metric(board).lower_is_better, yardstick(board)
    ratio = f"{level} / measured" if lower else f"measured / {level}"
    change = "(baseline − measured) / baseline" if lower else "(measured − baseline) / baseline"  # noqa: RUF001 - a minus sign
    yield "rank", "Rank", "", "Equal scores share a rank", True
    yield "agent", "Agent", "", "", False
    unit = f"× {level.removeprefix('the ')}"  # noqa: RUF001 - times
    yield "score", "Score", unit, f"Geometric mean of {ratio}; 1 is {level}", True
    yield "gap", "Gap", "to virtual best", "How far the score is below that of the virtual best", True
    yield (
        "contribution",
        "Contribution",
        "to virtual best",
        "How much lower the virtual best would be without the finds of this entry",
        True,
    )
    yield "mean_improvement", "Improvement", "mean", f"Arithmetic mean of {change}", True
    yield "verified", "Verified", "benchmarks", "", True
    yield "own_items", "Own finds", "benchmarks", "Verified results that the owner found first", True
    yield (
        "effort",
        "Effort",
        "reported",
        "Compilations of one program, time of the search",
        False,
    )
    yield "effective_actions", "Actions", "effective", "Actions that changed something, over all", True
    yield "created", "Submitted", "UTC", "", False


def _sort(name: str) -> str:
    """The value of ``sort`` for a column: the gap has the order of the scores."""
    return "score" if name == "gap" else name


def _address(choice: BoardChoice, name: str) -> str:
    asked = _sort(name)
    query = {key: text for key, text in choice.given.items() if key != "sort"}
    if asked == "rank":
        return "?" + urlencode(query)
    if choice.sort in (asked, f"-{asked}"):
        turned = asked if choice.sort.startswith("-") else f"-{asked}"
    else:
        turned = f"-{asked}" if asked in _DOWN_FIRST else asked
    return "?" + urlencode(query | {"sort": turned})


def _order(choice: BoardChoice, name: str) -> str:
    if name == "gap":
        return ""
    if choice.sort.removeprefix("-") != name:
        return "ascending" if name == "rank" and not choice.sort else ""
    return "descending" if choice.sort.startswith("-") else "ascending"
