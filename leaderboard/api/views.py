"""Thin views of boards, environments, limits and the queue."""

from __future__ import annotations

import csv
from itertools import chain
from typing import TYPE_CHECKING, Any

from django.http import Http404, StreamingHttpResponse
from drf_spectacular.helpers import forced_singular_serializer
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import generics
from rest_framework.response import Response
from rest_framework.views import APIView

from leaderboard import selectors
from leaderboard.api import serializers
from leaderboard.api.queue_serializers import QueueSerializer
from leaderboard.common.pagination import PlacePagination
from leaderboard.common.queries import flag
from leaderboard.models import Board, Standing
from optarena import limits
from optarena.errors import UnknownName
from optarena.specs import environment_spec, environment_specs

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request

# The serializer is of a page and not of a row, which the generator would put into a page of pages.
_ONE_PAGE = forced_singular_serializer(serializers.StandingsPageSerializer)  # type: ignore[no-untyped-call] # ships none
_ALL = OpenApiParameter("all", OpenApiTypes.BOOL, description="Every entry, not only the best ones.")


def find_board(slug: str) -> Board:
    """The board of an address.

    Raises:
        Http404: There is none.
    """
    board = selectors.get_board(slug)
    if board is None:
        raise _no_board(slug)
    return board


def _no_board(slug: str) -> Http404:
    return Http404(f"There is no board {slug!r}; see /api/v1/boards/.")


class LimitsView(APIView):
    """The limits of the system."""

    @extend_schema(
        operation_id="limits",
        tags=["environments"],
        responses={200: {"type": "object", "additionalProperties": {"type": "integer"}}},
    )
    def get(self, request: Request) -> Response:  # noqa: ARG002 - the framework's signature
        """All limits by name."""
        return Response(limits.as_dict())


class EnvironmentListView(APIView):
    """The environments of this installation."""

    @extend_schema(
        operation_id="environments",
        tags=["environments"],
        responses=serializers.EnvironmentPageSerializer,
    )
    def get(self, request: Request) -> Response:  # noqa: ARG002 - as above
        """All environments, on one page."""
        results = [serializers.EnvironmentSerializer(spec).data for spec in environment_specs()]
        return Response({"next": None, "previous": None, "results": results})


class EnvironmentView(APIView):
    """One environment."""

    @extend_schema(
        operation_id="environment", tags=["environments"], responses=serializers.EnvironmentDetailSerializer
    )
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - as above
        """An environment with its metrics and its action table."""
        try:
            spec = environment_spec(slug)
        except UnknownName as error:
            raise Http404(str(error)) from error
        return Response(serializers.EnvironmentDetailSerializer(spec).data)


class QueueView(APIView):
    """The queue of replays."""

    @extend_schema(operation_id="queue", tags=["boards"], responses=QueueSerializer)
    def get(self, request: Request) -> Response:  # noqa: ARG002 - as above
        """The waiting and running replays and the live runners of each hardware class that has any."""
        return Response(QueueSerializer(selectors.queue_overview()).data)


@extend_schema_view(get=extend_schema(operation_id="boards", tags=["boards"]))
class BoardListView(generics.ListAPIView[Board]):
    """All boards."""

    serializer_class = serializers.BoardSerializer
    cursor_ordering = "slug"

    def get_queryset(self) -> QuerySet[Board]:
        """Every board with its leaders."""
        return selectors.list_boards()


class BoardView(APIView):
    """One board."""

    @extend_schema(operation_id="board", tags=["boards"], responses=serializers.BoardSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """A board: what it compares, and its leaders."""
        board = selectors.list_boards().filter(slug=slug).first()
        if board is None:
            raise _no_board(slug)
        serializer = serializers.BoardSerializer(board, context={"request": request})
        return Response(serializer.data)


@extend_schema_view(
    get=extend_schema(
        operation_id="standings",
        tags=["boards"],
        parameters=[_ALL],
        responses=_ONE_PAGE,
    )
)
class StandingsView(generics.ListAPIView[Standing]):
    """The rows of a board."""

    serializer_class = serializers.StandingSerializer
    query_parameters = ("all",)
    pagination_class = PlacePagination

    def get_queryset(self) -> QuerySet[Standing]:
        """The best entry of each agent, or every entry with ``?all=1``."""
        if getattr(self, "swagger_fake_view", False):
            return Standing.objects.none()
        self.board = find_board(self.kwargs["slug"])
        every_entry = wants_all(self.request.query_params.get("all"))
        return selectors.standings(self.board, every_entry=every_entry)  # type: ignore[return-value] # only sliced

    def get_serializer_context(self) -> dict[str, Any]:
        """The rows' board, which is the same for all."""
        return super().get_serializer_context() | {"board": self.board}

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - inherited
        """A page of rows, ranked ones first, and the compiler's own levels for comparison.

        A provisional board has no ranks: its rows are in the order of their scores.
        """
        response = super().list(request, *args, **kwargs)
        references = selectors.references(self.board)
        response.data["provisional"] = self.board.provisional
        response.data["provisional_notice"] = self.board.provisional_notice
        response.data["references"] = serializers.ReferenceSerializer(
            references, many=True, context=self.get_serializer_context()
        ).data
        return response


class StandingsCsvView(APIView):
    """All rows of a board as one file."""

    query_parameters = ("all",)

    @extend_schema(
        operation_id="standings_csv",
        tags=["boards"],
        parameters=[_ALL],
        responses={(200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        """Every row as CSV, references included (without a rank)."""
        board = find_board(slug)
        every_entry = wants_all(request.query_params.get("all"))
        rows = [selectors.EXPORT_COLUMNS], selectors.export_rows(board, every_entry=every_entry)
        lines = map(csv.writer(_Line(), lineterminator="\n").writerow, chain(*rows))
        response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{board.slug}.csv"'
        return response


class _Line:
    """A file that keeps nothing: writing returns the text."""

    def write(self, text: str) -> str:
        return text


def wants_all(text: str | None) -> bool:
    """Whether a query asks for every entry.

    Raises:
        InvalidInput: It says neither yes nor no.
    """
    return flag("all", text)
