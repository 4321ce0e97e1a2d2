"""Cursor pagination of every API list: ``{next, previous, results}``, stable while rows are added."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import DataError
from rest_framework import pagination
from rest_framework.exceptions import NotFound

from leaderboard.common.problems import ProblemError

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request
    from rest_framework.views import APIView


class CursorPagination(pagination.CursorPagination):
    """Pages of 50 rows (``page_size`` up to 200), newest first unless the view sets ``ordering``."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200
    ordering = "-pk"

    def paginate_queryset(
        self, queryset: QuerySet[Any], request: Request, view: APIView | None = None
    ) -> list[Any] | None:
        """The rows of the requested page.

        Raises:
            ProblemError: The cursor was not made by this server, or points nowhere.
        """
        # A list may bring its own order: a dataset's benchmarks keep the order of its manifest.
        self.ordering = getattr(view, "cursor_ordering", type(self).ordering)
        try:
            return super().paginate_queryset(queryset, request, view)
        except (NotFound, ValidationError, ValueError, DataError) as error:
            raise ProblemError("invalid-cursor") from error
