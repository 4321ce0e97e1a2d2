"""Thin views of people and their agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from django.core.paginator import Page
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from datasets.site.charts import StepChart, for_screens, step_chart
from leaderboard.accounts.queries import profile_of
from leaderboard.accounts.services import is_deleted
from leaderboard.common.pagination import page_of
from leaderboard.models import Board
from leaderboard.people import queries as people_queries
from leaderboard.people.queries import AgentRow
from leaderboard.records import queries as record_queries
from leaderboard.templatetags.boards import reference_line

AGENTS_A_PAGE: Final = 25
ENTRIES_A_PAGE: Final = 25
NEWEST_RECORDS: Final = 5


@require_safe
def person(request: HttpRequest, username: str) -> HttpResponse:
    found = people_queries.get_person(username)
    page: Page[AgentRow] = page_of(people_queries.Agents(found.pk), AGENTS_A_PAGE, request)
    records, number = record_queries.newest_records_of(found, NEWEST_RECORDS)
    context = {
        "person": found,
        "is_deleted": is_deleted(found),
        "profile": profile_of(found),
        "figures": people_queries.figures_of(found, records=number),
        "best": people_queries.best_entries(found),
        "page": page,
        "records": records,
    }
    return render(request, "leaderboard/person.html", context)


@require_safe
def agent(request: HttpRequest, username: str) -> HttpResponse:
    # The address names one agent of a family.
    found, name = people_queries.get_person(username), request.GET.get("name", "")
    boards = people_queries.boards_of_agent(found, name)
    if not boards:
        raise Http404(f"{username} has no agent {name!r} with entries on a board.")
    slug = request.GET.get("board", boards[0].slug)
    board = next((one for one in boards if one.slug == slug), None)
    if board is None:
        raise Http404(f"The agent has no entries on a board {slug!r}.")
    rows = people_queries.entries_of_agent(found, name, board=board)
    page = page_of(rows, ENTRIES_A_PAGE, request)
    course = people_queries.development(found, name, board)
    entries = people_queries.shown_entries(list(page.object_list))
    context = {
        "person": found,
        "name": entries[0].submission.agent if page.number == 1 else name,
        "asked": name,
        "boards": boards,
        "board": board,
        "page": page,
        "query": urlencode({"name": name, "board": board.slug}),
        "entries": entries,
        "course": course,
        "charts": _charts(board, course),
    }
    return render(request, "leaderboard/agent.html", context)


def _charts(board: Board, course: Mapping[str, Any]) -> dict[str, StepChart]:
    now = timezone.now()
    return for_screens(
        lambda width: step_chart(
            course["best"], until=now, width=width, level=reference_line(board), marks=course["entries"]
        )
    )
