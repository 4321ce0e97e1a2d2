"""The page of a board's recipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from leaderboard.boards.pages import find_board
from leaderboard.builds import queries as build_queries
from leaderboard.submissions.services import Conflict

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def build(request: HttpRequest, slug: str) -> HttpResponse:
    board = find_board(slug)
    try:
        recipe = build_queries.board_recipe(board, request.build_absolute_uri)
    except Conflict as error:
        return render(request, "leaderboard/build.html", {"board": board, "why_not": error.message})
    address = request.build_absolute_uri(reverse("leaderboard-api:export-board", args=[slug]))
    context = {
        "board": board,
        "recipe": recipe,
        "found": [one for one in recipe.rules[0].sequences if one.origin],
        "forms": list(build_queries.shown_forms(recipe, address, is_open=True)),
        "build_address": address,
    }
    return render(request, "leaderboard/build.html", context)
