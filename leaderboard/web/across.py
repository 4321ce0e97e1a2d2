"""Thin view of the same programs by different compilers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_safe

from leaderboard import selectors

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
    page: Page[AcrossProgram] = Paginator(found, PROGRAMS_A_PAGE).get_page(request.GET.get("page"))  # type: ignore[arg-type] # a slice of it is a list
    return render(request, "leaderboard/across.html", {"found": found, "page": page})
