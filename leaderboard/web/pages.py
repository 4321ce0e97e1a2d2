"""Thin views of the pages that everybody reads: home, environments, queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.http import Http404
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from datasets.selectors import first_uri
from leaderboard import selectors
from leaderboard.web.boards import rise_charts
from optarena.errors import UnknownName
from optarena.specs import board_specs, environment_spec, environment_specs

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


NEWEST_RECORDS: Final = 5
_RECORDS_LOOKED_AT: Final = 50


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The start page: what there is, the first board's best score over time, all boards, and how to start."""
    usual = next((spec.slug for spec in board_specs()), "")
    boards = sorted(selectors.list_boards(), key=lambda one: one.board.slug != usual)
    main = boards[0].board if boards else None
    rises = selectors.best_over_time(main) if main else []
    context = {
        "boards": boards,
        "board": main,
        "rises": rises,
        "rise_charts": rise_charts(rises, timezone.now()),
        "counts": selectors.site_counts(boards),
        "queue": selectors.queue_overview(details=False),
        "records": selectors.better_records(NEWEST_RECORDS, among=_RECORDS_LOOKED_AT),
        "latest": selectors.list_submissions().select_related("board")[:5],
        "server": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "leaderboard/home.html", context)


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
    """The queue: what runs, what comes next in the order of turns, and the newest requests."""
    overview = selectors.queue_overview()
    context = {"queue": overview, "order": selectors.queue_order(overview)}
    return render(request, "leaderboard/queue.html", context)
