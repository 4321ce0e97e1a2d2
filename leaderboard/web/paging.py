"""Pages of long lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Page, Paginator

from leaderboard.common.pagination import page_number

if TYPE_CHECKING:
    from django.http import HttpRequest


def page_of(rows: Any, size: int, request: HttpRequest) -> Page[Any]:  # noqa: ANN401 # counted and sliced
    """The page that the address names; the last one if there are fewer.

    Args:
        rows: A queryset, a list, or what reads its rows when a slice is asked for.
        size: Rows on a page.
        request: The request.

    Raises:
        InvalidInput: The page is not a number from 1 on.
    """
    return Paginator(rows, size).get_page(page_number("page", request.GET.get("page")))
