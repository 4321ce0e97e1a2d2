"""The page of daily puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.shortcuts import render
from django.views.decorators.http import require_safe

from leaderboard.boards import standings
from leaderboard.common.pagination import page_of
from leaderboard.puzzles import queries as puzzle_queries

if TYPE_CHECKING:
    from django.core.paginator import Page
    from django.http import HttpRequest, HttpResponse

    from leaderboard.models import Puzzle

DAYS_A_PAGE: Final = 31
ENTRIES_SHOWN: Final = 10


@require_safe
def puzzle(request: HttpRequest) -> HttpResponse:
    page: Page[Puzzle] = page_of(puzzle_queries.published(), DAYS_A_PAGE, request)
    past = list(page.object_list)
    # The newest is that of today, until the next one is published.
    today = past.pop(0) if past and not page.has_previous() else None
    puzzle_queries.add_results([*past, *([today] if today else [])])
    context = {
        "today": today,
        "rows": standings.standings(today.board)[:ENTRIES_SHOWN] if today and today.board else [],
        "announced": puzzle_queries.announced(),
        "past": past,
        "page": page,
    }
    return render(request, "leaderboard/puzzle.html", context)
