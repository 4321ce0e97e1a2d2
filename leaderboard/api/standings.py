"""Thin views of the rows of a board, and of its benchmarks: by the same choices as its page."""

from __future__ import annotations

import csv
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from django.http import StreamingHttpResponse
from drf_spectacular.helpers import forced_singular_serializer
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import generics
from rest_framework.response import Response  # noqa: TC002 - drf-spectacular evaluates the hints
from rest_framework.views import APIView

from leaderboard import selectors
from leaderboard.api import standing_serializers as serializers
from leaderboard.api.views import find_board
from leaderboard.common.pagination import PlacePagination, page_number
from leaderboard.effort import EFFORT_CLASSES, UNREPORTED
from leaderboard.models import Standing
from leaderboard.permalinks import permalink

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request

PENDING: Final = 10
"""Entries that are being verified, and that page and API list; the newest ones."""
# The serializer is of a page and not of a row, which the generator would put into a page of pages.
_ONE_PAGE = forced_singular_serializer(serializers.StandingsPageSerializer)  # type: ignore[no-untyped-call] # ships none
_PROGRAMS = forced_singular_serializer(serializers.ProgramsPageSerializer)  # type: ignore[no-untyped-call] # as above
_CHOICES: Final = [
    OpenApiParameter("all", OpenApiTypes.BOOL, description="Every entry, not only the best ones."),
    OpenApiParameter(
        "effort",
        OpenApiTypes.STR,
        enum=[*(one.slug for one in EFFORT_CLASSES), UNREPORTED],
        description="Entries whose reported effort is of this class.",
    ),
    OpenApiParameter(
        "trained", OpenApiTypes.BOOL, description="Entries whose agents saw the programs in training, or not."
    ),
    OpenApiParameter("owner", OpenApiTypes.STR, description="Entries of this user."),
    OpenApiParameter("text", OpenApiTypes.STR, description="Part of an agent's name or description."),
    OpenApiParameter(
        "sort",
        OpenApiTypes.STR,
        enum=[sign + name for name in selectors.SORTABLE for sign in ("", "-") if sign + name != "-rank"],
        description="A column to sort by, with a minus before it in descending order.",
    ),
    OpenApiParameter(
        "as_of",
        OpenApiTypes.STR,
        description="A day, meaning its beginning in UTC, or a moment in ISO 8601: the rows of then.",
    ),
]


@extend_schema_view(
    get=extend_schema(operation_id="standings", tags=["boards"], parameters=_CHOICES, responses=_ONE_PAGE)
)
class StandingsView(generics.ListAPIView[Standing]):
    """The rows of a board."""

    serializer_class = serializers.StandingSerializer  # type: ignore[assignment] # also of rows of the past
    query_parameters = selectors.CHOICES
    pagination_class = PlacePagination

    def get_queryset(self) -> QuerySet[Standing]:
        """The rows that are asked for.

        Raises:
            InvalidDocument: A parameter has an impossible value.
        """
        if getattr(self, "swagger_fake_view", False):
            return Standing.objects.none()
        self.board = find_board(self.kwargs["slug"])
        self.choice = selectors.choice_of(self.request.query_params)
        return selectors.standings(self.board, self.choice)  # type: ignore[return-value] # only sliced

    def paginate_queryset(self, queryset: QuerySet[Standing]) -> list[Any] | None:  # type: ignore[override] # no other rows
        """A page of rows, and the virtual best that they compare with."""
        page = super().paginate_queryset(queryset) or []
        shown = [row.submission_id for row in page]
        self.best = None if self.choice.as_of else selectors.virtual_best(self.board, shown)
        return page

    def get_serializer_context(self) -> dict[str, Any]:
        """The rows' board and virtual best, which are the same for all."""
        return super().get_serializer_context() | {"board": self.board, "virtual_best": self.best}

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - inherited
        """A page of rows, ranked ones first, and what they compare with.

        A provisional board has no ranks: its rows are in the order of their scores.
        """
        response = super().list(request, *args, **kwargs)
        data, board, moment = response.data, self.board, self.choice.as_of
        context = self.get_serializer_context()
        pending = selectors.pending_entries(board, self.choice)
        listed = pending[:PENDING]
        references = [] if moment else selectors.references(board)
        data["provisional"] = board.provisional
        data["provisional_notice"] = board.provisional_notice
        data["references"] = serializers.ReferenceSerializer(references, many=True, context=context).data
        data["virtual_best"] = self.best and serializers.VirtualBestSerializer(self.best).data
        data["pending"] = serializers.PendingEntrySerializer(listed, many=True, context=context).data  # type: ignore[arg-type] # many
        data["pending_count"] = len(pending)
        data["as_of"] = moment
        data["environment_digest"] = board.environment_version.digest
        data["dataset_sha256"] = board.dataset_version.manifest_sha256
        data["bibtex"] = permalink(request, board, self.choice, moment).bibtex if moment else ""
        return response


class StandingsCsvView(APIView):
    """All rows of a board as one file."""

    query_parameters = selectors.CHOICES

    @extend_schema(
        operation_id="standings_csv",
        tags=["boards"],
        parameters=_CHOICES,
        responses={(200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        """Every row as CSV.

        A whole board begins with the virtual best, and has the references among its rows (without a rank).
        The entries that are being verified stand at the end, without a score.
        """
        board = find_board(slug)
        choice = selectors.choice_of(request.query_params)
        rows = [selectors.EXPORT_COLUMNS], selectors.export_rows(board, choice)
        lines = map(csv.writer(_Line(), lineterminator="\n").writerow, chain(*rows))
        response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{board.slug}.csv"'
        return response


class _Line:
    """A file that keeps nothing: writing returns the text."""

    def write(self, text: str) -> str:
        return text


@extend_schema_view(
    get=extend_schema(
        operation_id="programs",
        tags=["boards"],
        parameters=[
            *(one for one in _CHOICES if one.name != "as_of"),
            OpenApiParameter(
                "entries",
                {"type": "integer", "minimum": 1, "default": 1},
                description=f"Which entries to list, as a page of {selectors.ENTRIES} of them.",
            ),
        ],
        responses=_PROGRAMS,
    )
)
class ProgramsView(generics.ListAPIView[Standing]):
    """The benchmarks of a board, with the results of some of its entries."""

    serializer_class = serializers.BoardProgramSerializer  # type: ignore[assignment] # of no model
    query_parameters = (*(one for one in selectors.CHOICES if one != "as_of"), "entries")
    pagination_class = PlacePagination

    def get_queryset(self) -> QuerySet[Standing]:
        """The benchmarks in the board's order.

        Raises:
            InvalidDocument: A parameter has an impossible value.
            InvalidInput: The page of entries is not a number.
        """
        if getattr(self, "swagger_fake_view", False):
            return Standing.objects.none()
        board = find_board(self.kwargs["slug"])
        asked = self.request.query_params
        first = (page_number("entries", asked.get("entries")) - 1) * selectors.ENTRIES
        self.found = selectors.programs(board, selectors.choice_of(asked), first=first)
        return self.found  # type: ignore[return-value] # only sliced

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - inherited
        """A page of benchmarks, each with its best verified result and those of the entries."""
        response = super().list(request, *args, **kwargs)
        entries = list(self.found.entries)
        response.data["entries"] = serializers.ProgramEntrySerializer(entries, many=True).data  # type: ignore[arg-type] # many
        return response
