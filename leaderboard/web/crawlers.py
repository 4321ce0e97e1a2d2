"""What search engines and browsers ask for at fixed addresses: robots, the sitemap, and the old icon."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from datasets.selectors import dataset_versions
from leaderboard.manual.files import manual_files
from leaderboard.models import Board
from optarena.specs import environment_specs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest

_PAGES: Final = (
    *("leaderboard:home", "leaderboard:boards", "leaderboard:portable", "datasets:list"),
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
    "/submissions/*?step=",
    "/submissions/*?effective=",
    "/submit/",
)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """What crawlers may read, and where all pages are listed."""
    lines = [
        "User-agent: *",
        *(f"Disallow: {path}" for path in _CLOSED),
        f"Sitemap: {request.build_absolute_uri(reverse('leaderboard:sitemap'))}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """The pages that last: those of boards, datasets, environments and the manual, not of single results."""
    addresses = [request.build_absolute_uri(address) for address in _addresses()]
    return render(request, "sitemap.xml", {"addresses": addresses}, content_type="application/xml")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - a view takes a request
    """The icon, for programs that look for it without reading a page."""
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
