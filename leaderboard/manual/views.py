"""Thin views of the manual, its search, and the sources that it names."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_safe

from leaderboard.manual.files import manual_files
from leaderboard.manual.rendering import code_page, folder_anchor, rendered
from leaderboard.manual.searching import search
from optarena.limits import SEARCH_LENGTH

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

MOST_SHOWN: Final = 30
"""So many sections are shown of those that a search found."""


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All chapters; with ``?q=``, the sections that contain its words."""
    query = request.GET.get("q", "").strip()[:SEARCH_LENGTH]
    hits = search(query)
    context = {
        "chapters": manual_files().chapters.values(),
        "query": query,
        "hits": hits[:MOST_SHOWN],
        "found": len(hits),
    }
    return render(request, "manual/index.html", context)


@require_safe
def chapter(request: HttpRequest, slug: str) -> HttpResponse:
    """One chapter, with its neighbours."""
    chapters = manual_files().chapters
    if slug not in chapters:
        raise Http404(f"The manual has no chapter {slug!r}; all are listed at /docs/.")
    order = list(chapters.values())
    place = order.index(chapters[slug])
    context = {
        "chapter": chapters[slug],
        "chapters": order,
        "page": rendered(chapters[slug].path),
        "before": order[place - 1] if place else None,
        "after": order[place + 1] if place + 1 < len(order) else None,
    }
    return render(request, "manual/chapter.html", context)


@require_safe
def sources(request: HttpRequest) -> HttpResponse:
    """The sources that the manual names, by folder, and where all others are."""
    folders = [(path, folder_anchor(path), found) for path, found in manual_files().folders().items()]
    context = {"folders": folders, "repository": settings.OPTARENA_SOURCE_URL}
    return render(request, "manual/sources.html", context)


@require_safe
def source(request: HttpRequest, path: str) -> HttpResponse:
    """One source, as text or as code."""
    found = PurePosixPath(path)
    if found not in manual_files().sources:
        raise Http404(f"The manual does not name a source {path!r}; those that it names are at /source/.")
    is_text = found.suffix == ".md"
    text = manual_files().read(found)
    context = {
        "path": found,
        "folder": folder_anchor(found.parent),
        "page": rendered(found) if is_text else None,
        "code": "" if is_text else code_page(found, text),
        "lines": text.count("\n"),
    }
    return render(request, "manual/source.html", context)
