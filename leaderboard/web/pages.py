"""Thin views of the pages that everybody reads: home, boards, environments, queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_safe

from datasets.selectors import first_uri
from leaderboard import ranking, selectors
from leaderboard.api.views import wants_all
from leaderboard.models import Board
from optarena import limits
from optarena.errors import UnknownName
from optarena.specs import environment_spec, environment_specs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.core.paginator import Page
    from django.http import HttpRequest, HttpResponse

    from leaderboard.models import Standing

ROWS_A_PAGE: Final = 25
NEWEST_RECORDS: Final = 5


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The start page: the boards with their leaders, and how to start."""
    context = {
        "boards": selectors.list_boards(),
        "queue": selectors.queue_overview(details=False),
        "records": selectors.list_records()[:NEWEST_RECORDS],
        "latest": selectors.list_submissions().select_related("board")[:5],
        "server": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "leaderboard/home.html", context)


@require_safe
def boards(request: HttpRequest) -> HttpResponse:
    """All boards."""
    return render(request, "leaderboard/boards.html", {"boards": selectors.list_boards()})


@require_safe
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """One board: its rows, the compiler's own levels among them, and its rules."""
    found = _board(slug)
    every_entry = wants_all(request.GET.get("all"))
    standings = selectors.standings(found, every_entry=every_entry)
    page: Page[Standing] = Paginator(standings, ROWS_A_PAGE).get_page(request.GET.get("page"))  # type: ignore[arg-type] # a slice of it is a list
    rows = list(page.object_list)
    # The references stand among the first page's rows, where the top of the board is.
    references = [] if page.has_previous() else selectors.references(found)
    context = {
        "board": found,
        "metric": selectors.board_metric(found),
        "reference": selectors.board_reference(found),
        # Only the pages of measured boards show the runners.
        "hardware": None if found.exact else selectors.board_hardware(found),
        "notice": selectors.board_notice(found) if found.state == Board.State.OPEN else None,
        "rows": list(selectors.board_rows(rows, references)),
        "undecided": _is_undecided(rows),
        "page": page,
        "every_entry": every_entry,
        "limits": limits.as_dict(),
        "plausible_step": ranking.PLAUSIBLE_STEP,
        "server": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "leaderboard/board.html", context)


def _is_undecided(rows: Sequence[Standing]) -> bool:
    """Whether a board's first rows show that no two of its entries can be told apart."""
    ranked = [row for row in rows if row.rank is not None]
    return len(ranked) > 1 and all((row.rank, row.rank_high) == (1, ranked[0].rank_high) for row in ranked)


def _board(slug: str) -> Board:
    found = selectors.get_board(slug)
    if found is None:
        raise Http404(f"There is no board {slug!r}.")
    return found


@require_safe
def environments(request: HttpRequest) -> HttpResponse:
    """All environments."""
    boards_of = selectors.open_boards()
    listed = [(spec, boards_of.get(spec.slug, [])) for spec in environment_specs()]
    return render(request, "leaderboard/environments.html", {"environments": listed})


@require_safe
def environment(request: HttpRequest, slug: str) -> HttpResponse:
    """One environment with its action table."""
    try:
        spec = environment_spec(slug)
    except UnknownName as error:
        raise Http404(str(error)) from error
    actions = selectors.action_rows(spec)
    context = {
        "spec": spec,
        "actions": actions,
        "boards": selectors.open_boards(spec.slug).get(spec.slug, []),
        "detailed": any(action["pipeline"] for action in actions),
        "example": spec.benchmark or first_uri(spec.dataset),
    }
    return render(request, "leaderboard/environment.html", context)


@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """The queue: waiting and running replays, and the newest ones."""
    context = {"queue": selectors.queue_overview(), "recent": selectors.recent_verifications()}
    return render(request, "leaderboard/queue.html", context)
