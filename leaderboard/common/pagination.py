"""Pages of long lists, in the API and in pages."""

from __future__ import annotations

import re
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.paginator import Page, Paginator
from django.db import DataError
from django.db.models import QuerySet
from django.http import HttpRequest
from rest_framework import pagination
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.views import APIView

from leaderboard.common.problems import ProblemError
from optarena import limits
from optarena.errors import InvalidInput

_NUMBER: Final = re.compile(r"[0-9]{1,4}")
_LAST_PLACE: Final = 10**9
_LAST_PAGE: Final = 999_999
_PAGE_NUMBER: Final = re.compile(r"[1-9][0-9]{0,5}")


class CursorPagination(pagination.CursorPagination):
    """Pages of 50 rows (``page_size`` up to 100), newest first unless the view sets ``ordering``."""

    page_size = limits.PAGE_SIZE
    page_size_query_param = "page_size"
    max_page_size = limits.MAX_PAGE_SIZE
    ordering = "-pk"

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = super().get_schema_operation_parameters(view)
        bounds = {"type": "integer", "minimum": 1, "maximum": self.max_page_size, "default": self.page_size}
        sizes = [one for one in found if one["name"] == self.page_size_query_param]
        for one in sizes:
            one["schema"] = bounds
        return found

    def get_page_size(self, request: Request) -> int:
        asked = request.query_params.get(self.page_size_query_param)
        if asked is None:
            return self.page_size
        if not _NUMBER.fullmatch(asked) or not 1 <= int(asked) <= self.max_page_size:
            message = "The page size is not valid."
            remedy = f"Give a whole number from 1 to {self.max_page_size}."
            raise InvalidInput(message, field=self.page_size_query_param, value=asked, remedy=remedy)
        return int(asked)

    def paginate_queryset(
        self, queryset: QuerySet[Any], request: Request, view: APIView | None = None
    ) -> list[Any] | None:
        # A list may bring its own order: a dataset's benchmarks keep the order of its manifest.
        self.ordering = getattr(view, "cursor_ordering", type(self).ordering)
        try:
            return super().paginate_queryset(queryset, request, view)
        except InvalidInput:  # also a ValueError, but with a problem type of its own
            raise
        except (NotFound, ValidationError, ValueError, DataError) as error:
            raise ProblemError("invalid-cursor") from error


class PlacePagination(CursorPagination):
    """Pages of rows whose order is computed: a cursor names the place of its page's first row."""

    offset_cutoff = _LAST_PLACE + 1

    # Of the queryset only a slice is read.
    def paginate_queryset(
        self,
        queryset: QuerySet[Any],
        request: Request,
        view: APIView | None = None,  # noqa: ARG002 - the framework's signature
    ) -> list[Any] | None:
        self.base_url = request.build_absolute_uri()
        self.page_size = self.get_page_size(request)
        try:
            cursor = self.decode_cursor(request)
        except NotFound as error:
            raise ProblemError("invalid-cursor") from error
        self.start = cursor.offset if cursor else 0
        if cursor and (cursor.reverse or cursor.position is not None or self.start > _LAST_PLACE):
            raise ProblemError("invalid-cursor")
        rows = list(queryset[self.start : self.start + self.page_size + 1])
        self.has_next = len(rows) > self.page_size
        self.has_previous = self.start > 0
        return rows[: self.page_size]

    def get_next_link(self) -> str | None:
        return self._link(self.start + self.page_size) if self.has_next else None

    def get_previous_link(self) -> str | None:
        return self._link(max(0, self.start - self.page_size)) if self.has_previous else None

    def _link(self, start: int) -> str:
        link: str = self.encode_cursor(pagination.Cursor(offset=start, reverse=False, position=None))
        return link


def page_number(name: str, text: str | None) -> int:
    if text is None or text == "":
        return 1
    if not _PAGE_NUMBER.fullmatch(text):
        remedy = f"Give a number from 1 to {_LAST_PAGE}."
        raise InvalidInput("There is no such page.", field=name, value=text[:100], remedy=remedy)
    return int(text)


def page_of(rows: Any, size: int, request: HttpRequest) -> Page[Any]:  # noqa: ANN401 # counted and sliced
    """Return the page asked for, or the last one. ``rows`` may read its rows when a slice is asked for."""
    return Paginator(rows, size).get_page(page_number("page", request.GET.get("page")))
