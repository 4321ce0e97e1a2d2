"""Thin view of the same programs by different compilers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_safe

from leaderboard import selectors
from leaderboard.web.paging import page_of

if TYPE_CHECKING:
    from django.core.paginator import Page
    from django.http import HttpRequest, HttpResponse

    from leaderboard.selectors.across import AcrossProgram

PROGRAMS_A_PAGE: Final = 40


@require_safe
def across(request: HttpRequest, metric: str) -> HttpResponse:
    """The least verified value of each program, compiler beside compiler."""
    found = selectors.across(metric)
    if found is None:
        raise Http404(f"No boards of different compilers can be compared by {metric!r}.")
    page: Page[AcrossProgram] = page_of(found, PROGRAMS_A_PAGE, request)
    return render(request, "leaderboard/across.html", {"found": found, "page": page})
