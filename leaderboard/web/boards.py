"""Thin views of boards: the list, one board, and one board benchmark by benchmark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_safe

from datasets.site.charts.scales import for_screens
from datasets.site.charts.scatters import Point, ScatterChart, scatter_chart
from datasets.site.charts.steps import StepChart, step_chart
from leaderboard import ranking, selectors
from leaderboard.api.standings import PENDING
from leaderboard.common.pagination import page_number
from leaderboard.effort import EFFORT_CLASSES, NOT_REPORTED, UNREPORTED
from leaderboard.models import Board
from leaderboard.permalinks import permalink
from leaderboard.web.columns import columns
from leaderboard.web.paging import page_of
from optarena import limits
from runner.clock import database_now

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.core.paginator import Page
    from django.http import HttpRequest, HttpResponse

    from leaderboard.models import EntryFigures
    from leaderboard.selectors import BoardChoice, BoardProgram, Effort, Rise

ROWS_A_PAGE: Final = 25
PROGRAMS_A_PAGE: Final = 40
_WIDE, _NARROW = 1080, 360


@require_safe
def boards(request: HttpRequest) -> HttpResponse:
    """All boards."""
    found = selectors.list_boards()
    context = {"boards": found, "across": selectors.metrics_across(one.board for one in found)}
    return render(request, "leaderboard/boards.html", context)


@require_safe
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """One board: its rows, the compiler's own levels among them, and its rules."""
    found = find_board(slug)
    choice = selectors.choice_of(request.GET)
    # Before the rows are read: an entry that ends meanwhile is of a later moment.
    moment = choice.as_of or database_now()
    page: Page[EntryFigures] = page_of(selectors.standings(found, choice), ROWS_A_PAGE, request)
    rows = list(page.object_list)
    # What a whole board of now compares with stands on its first page, where the top of the board is.
    is_top = choice.is_in_order and choice.as_of is None and not page.has_previous()
    best = None if choice.as_of else selectors.virtual_best(found, [row.submission_id for row in rows])
    context = _about(found, choice) | {
        # Only the pages of measured boards show the runners.
        "hardware": None if found.exact else selectors.board_hardware(found),
        "notice": selectors.board_notice(found) if found.state == Board.State.OPEN else None,
        "rows": list(selectors.board_rows(rows, selectors.references(found) if is_top else [])),
        "best": best,
        "is_top": is_top,
        "columns": columns(found, choice, has_best=best is not None),
        "undecided": choice.is_in_order and _is_undecided(rows),
        "page": page,
        "query": urlencode(choice.given),
        "link": permalink(request, found, choice, moment),
        "limits": limits.as_dict(),
        "plausible_step": ranking.PLAUSIBLE_STEP,
        "server": request.build_absolute_uri("/").rstrip("/"),
    }
    if not page.has_previous() and not choice.sort:
        context |= _of_the_whole(found, choice, moment)
    return render(request, "leaderboard/board.html", context)


def _of_the_whole(found: Board, choice: BoardChoice, now: datetime) -> dict[str, Any]:
    """What the first page of a board says of all its entries: it is the same on each page, in any order."""
    rises = selectors.best_over_time(found, until=choice.as_of)
    told = {
        "rises": rises,
        "rise_charts": rise_charts(rises, choice.as_of or now),
        "effort_charts": _effort_charts(selectors.efforts(found, choice)),
    }
    return told | _pending(found, choice)


@require_safe
def programs(request: HttpRequest, slug: str) -> HttpResponse:
    """One board benchmark by benchmark: the virtual best beside some of the entries, as a heat map.

    Raises:
        InvalidInput: The page of entries is not a number.
    """
    found = find_board(slug)
    given = {name: str(text) for name, text in request.GET.items() if name != "as_of"}
    choice = selectors.choice_of(given)
    number = page_number("entries", request.GET.get("entries"))
    first = (number - 1) * selectors.ENTRIES
    listed = selectors.programs(found, choice, first=first)
    page: Page[BoardProgram] = page_of(listed, PROGRAMS_A_PAGE, request)
    context = _about(found, choice) | {
        "page": page,
        "rows": list(page.object_list),
        "entries": listed.entries,
        "number": number,
        "has_more": len(listed.entries) == selectors.ENTRIES,
        "best": selectors.virtual_best(found, [one.submission_id for one in listed.entries]),
        "query": urlencode(choice.given),
    }
    return render(request, "leaderboard/programs.html", context)


def find_board(slug: str) -> Board:
    """The board of a page's address.

    Raises:
        Http404: There is none.
    """
    found = selectors.get_board(slug)
    if found is None:
        raise Http404(f"There is no board {slug!r}.")
    return found


def _about(found: Board, choice: BoardChoice) -> dict[str, Any]:
    """What all pages of a board say, and the filters that they offer."""
    return {
        "board": found,
        "metric": selectors.board_metric(found),
        "reference": selectors.board_reference(found),
        "choice": choice,
        "efforts": [*((one.slug, one.label) for one in EFFORT_CLASSES), (UNREPORTED, NOT_REPORTED)],
        "text_length": limits.FILTER_LENGTH,
    }


def _pending(found: Board, choice: BoardChoice) -> dict[str, Any]:
    """The entries that are being verified, the newest ones."""
    pending = selectors.pending_entries(found, choice)
    listed = pending[:PENDING]
    return {
        "pending": listed,
        "pending_count": len(pending) if len(listed) == PENDING else len(listed),
    }


def _is_undecided(rows: Sequence[EntryFigures]) -> bool:
    """Whether a board's first rows show that no two of its entries can be told apart."""
    ranked = [row for row in rows if row.rank is not None]
    return len(ranked) > 1 and all((row.rank, row.rank_high) == (1, ranked[0].rank_high) for row in ranked)


def rise_charts(rises: Sequence[Rise], until: datetime) -> dict[str, StepChart]:
    """The best score over time, with the reference as a level."""
    values = [(rise.at, rise.score) for rise in rises]
    return for_screens(
        lambda width: step_chart(values, until=until, width=width, level=1.0), wide=_WIDE, narrow=_NARROW
    )


def _effort_charts(efforts: Sequence[Effort]) -> dict[str, ScatterChart]:
    """The score of entries by the compilations that their owners report."""
    points = [
        Point(
            number=one.compilations,
            height=one.score,
            title=f"{one.agent}: {one.score:.4f} after {one.compilations:,}",
        )
        for one in efforts
    ]
    return for_screens(
        lambda width: scatter_chart(points, width=width, level=1.0), wide=_WIDE, narrow=_NARROW
    )
