"""Read puzzles: the one of today, the hash of the next, and those of past days with their best results."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import F, QuerySet

from datasets.models import Baseline
from leaderboard.models import BestResult, Puzzle


def puzzles() -> QuerySet[Puzzle]:
    # The announced one first, without its program; then the newest.
    rows = Puzzle.objects.select_related("board__dataset_version", "board__environment_version")
    return rows.defer("program", "about", "board__dataset_version__manifest").order_by("-number")


def published() -> QuerySet[Puzzle]:
    return puzzles().filter(day__isnull=False)


def announced() -> Puzzle | None:
    return puzzles().filter(day=None).first()


def add_results(rows: Sequence[Puzzle]) -> None:
    """Give puzzles their par, and the best result that runners have verified."""
    boards = {one.board_id: one for one in rows if one.board is not None}
    board = "benchmark__version__boards"
    par = Baseline.objects.filter(
        **{f"{board}__in": boards, "metric": F(f"{board}__metric"), "level": F(f"{board}__baseline_level")}
    )
    for key, value in par.values_list(board, "value"):
        boards[key].par = value
    best = BestResult.objects.filter(board__in=boards).select_related("item__submission__owner")
    for row in best:
        boards[row.board_id].best = row
