"""The home page, the queue and other pages of the site, and the files for crawlers."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from datasets.models import Benchmark
from datasets.selectors import dataset_versions, first_uri
from leaderboard.boards import queries as board_queries
from leaderboard.boards.pages import rise_charts
from leaderboard.manual.files import manual_files
from leaderboard.models import Board
from leaderboard.puzzles import queries as puzzle_queries
from leaderboard.records import queries as record_queries
from leaderboard.runners import queries as runner_queries
from leaderboard.settings.environment import BASE_DIR
from leaderboard.site.search import search as site_search
from leaderboard.submissions import queries as submission_queries
from optarena.errors import UnknownName
from optarena.limits import SEARCH_LENGTH
from optarena.specs import board_specs, environment_spec, environment_specs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest


NEWEST_RECORDS: Final = 5
_RECORDS_LOOKED_AT: Final = 50


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    usual = next((spec.slug for spec in board_specs()), "")
    boards = sorted(board_queries.list_boards(), key=lambda one: one.board.slug != usual)
    main = boards[0].board if boards else None
    rises = record_queries.best_over_time(main) if main else []
    context = {
        "boards": boards,
        "board": main,
        "rises": rises,
        "rise_charts": rise_charts(main, rises, timezone.now()) if main else {},
        "counts": {
            "programs": Benchmark.objects.count(),
            "entries": sum(one.entries for one in boards),
            "verified": sum(one.verified for one in boards),
        },
        "puzzle": puzzle_queries.published().first(),
        "queue": runner_queries.queue_overview(details=False),
        "records": record_queries.better_records(NEWEST_RECORDS, among=_RECORDS_LOOKED_AT),
        "latest": submission_queries.list_submissions().select_related("board")[:5],
        "server": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "leaderboard/home.html", context)


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    asked = request.GET.get("q", "").strip()[:SEARCH_LENGTH]
    return render(request, "leaderboard/search.html", {"searched": asked, "sections": site_search(asked)})


@require_safe
def environments(request: HttpRequest) -> HttpResponse:
    boards_of = board_queries.open_boards()
    listed = [(spec, boards_of.get(spec.slug, [])) for spec in environment_specs()]
    return render(request, "leaderboard/environments.html", {"environments": listed})


@require_safe
def environment(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        spec = environment_spec(slug)
    except UnknownName as error:
        raise Http404(str(error)) from error
    actions = board_queries.action_rows(spec)
    context = {
        "spec": spec,
        "actions": actions,
        "boards": board_queries.open_boards(spec.slug).get(spec.slug, []),
        "detailed": any(action["pipeline"] for action in actions),
        "example": spec.benchmark or first_uri(spec.dataset),
    }
    return render(request, "leaderboard/environment.html", context)


@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    overview = runner_queries.queue_overview()
    context = {"queue": overview, "order": runner_queries.queue_order(overview)}
    return render(request, "leaderboard/queue.html", context)


_PAGES: Final = (
    *("leaderboard:home", "leaderboard:boards", "leaderboard:portable", "leaderboard:puzzle"),
    "datasets:list",
    *("leaderboard:environments", "leaderboard:records", "leaderboard:submissions"),
    *("leaderboard:queue", "leaderboard:runners"),
    *("manual:index", "manual:sources", "docs", "problems"),
)
_CLOSED: Final = (
    "/admin/",
    "/accounts/",
    "/api/v1/submissions/",
    "/api/v1/compare/",
    "/compare/",
    "/play/*?",
    "/search/",
    "/submissions/*?step=",
    "/submissions/*?effective=",
    "/submit/",
)


_LINK: Final = re.compile(r"\]\(([\w./-]+)\)")
_OWN_TEXTS: Final = {"AGENTS.md": "/AGENTS.md", "docs/openapi.yaml": "/api/v1/schema/"}


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    lines = [
        "User-agent: *",
        *(f"Disallow: {path}" for path in _CLOSED),
        f"Sitemap: {request.build_absolute_uri(reverse('leaderboard:sitemap'))}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    # Pages that last: not those of single results.
    addresses = [request.build_absolute_uri(address) for address in _addresses()]
    return render(request, "sitemap.xml", {"addresses": addresses}, content_type="application/xml")


@require_safe
def text_for_agents(request: HttpRequest, name: str) -> HttpResponse:
    # Its links to chapters lead to their pages here.
    path = BASE_DIR / name
    if not path.is_file():
        raise Http404(f"{name} is not installed.")

    def lead(link: re.Match[str]) -> str:
        chapter = manual_files().chapter_at(PurePosixPath(link[1]))
        address = _OWN_TEXTS.get(link[1]) or (chapter and reverse("manual:chapter", args=[chapter.slug]))
        return f"]({request.build_absolute_uri(address)})" if address else link[0]

    text = _LINK.sub(lead, path.read_text(encoding="utf-8"))
    kind = "markdown" if path.suffix == ".md" else "plain"
    return HttpResponse(text, content_type=f"text/{kind}; charset=utf-8")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - a view takes a request
    # For programs that look for it without reading a page.
    return redirect(static("site/favicon.ico"), permanent=True)


def _addresses() -> Iterator[str]:
    boards = Board.objects.order_by("slug").values_list("slug", flat=True)
    datasets = dataset_versions().values_list("name", flat=True)
    yield from map(reverse, _PAGES)
    yield from chain(
        (reverse("leaderboard:board", args=[slug]) for slug in boards),
        (reverse("datasets:dataset", args=[name]) for name in datasets),
        (reverse("leaderboard:environment", args=[spec.slug]) for spec in environment_specs()),
        (reverse("manual:chapter", args=[slug]) for slug in manual_files().chapters),
    )
