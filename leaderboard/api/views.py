"""Thin views of boards, environments, limits and the queue."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse
from drf_spectacular.helpers import forced_singular_serializer
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import generics
from rest_framework.response import Response
from rest_framework.views import APIView

from leaderboard import selectors
from leaderboard.api import serializers
from leaderboard.models import Board, Standing
from optarena import limits
from optarena.errors import UnknownName
from optarena.specs import environment_spec, environment_specs

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request

# The serializer is of a page and not of a row, which the generator would put into a page of pages.
_ONE_PAGE = forced_singular_serializer(serializers.StandingsPageSerializer)  # type: ignore[no-untyped-call] # ships none


def find_board(slug: str) -> Board:
    """The board of an address.

    Raises:
        Http404: There is none.
    """
    board = selectors.list_boards().filter(slug=slug).first()
    if board is None:
        raise Http404(f"There is no board {slug!r}; see /api/v1/boards/.")
    return board


class LimitsView(APIView):
    """The limits of the system."""

    @extend_schema(
        operation_id="limits",
        tags=["environments"],
        responses={200: {"type": "object", "additionalProperties": {"type": "integer"}}},
    )
    def get(self, request: Request) -> Response:  # noqa: ARG002 - the framework's signature
        """Every limit by name."""
        return Response(limits.as_dict())


class EnvironmentListView(APIView):
    """The environments of this installation."""

    @extend_schema(
        operation_id="environments",
        tags=["environments"],
        responses=serializers.EnvironmentPageSerializer,
    )
    def get(self, request: Request) -> Response:  # noqa: ARG002 - as above
        """All environments; a short list that never changes, so one page."""
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

    @extend_schema(operation_id="queue", tags=["boards"], responses=serializers.QueueSerializer)
    def get(self, request: Request) -> Response:  # noqa: ARG002 - as above
        """How many replays wait and run and who does them, for each hardware class with work or a runner."""
        return Response(serializers.QueueSerializer(selectors.queue_overview()).data)


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
        """A board: what it compares, and who leads."""
        serializer = serializers.BoardSerializer(find_board(slug), context={"request": request})
        return Response(serializer.data)


@extend_schema_view(
    get=extend_schema(
        operation_id="standings",
        tags=["boards"],
        parameters=[
            OpenApiParameter("all", OpenApiTypes.BOOL, description="Every entry, not only each agent's best.")
        ],
        responses=_ONE_PAGE,
    )
)
class StandingsView(generics.ListAPIView[Standing]):
    """The rows of a board."""

    serializer_class = serializers.StandingSerializer
    cursor_ordering = "position"

    def get_queryset(self) -> QuerySet[Standing]:
        """The best entry of each agent, or every entry with ``?all=1``."""
        if getattr(self, "swagger_fake_view", False):
            return Standing.objects.none()
        self.board = find_board(self.kwargs["slug"])
        return selectors.standings(self.board, every_entry=wants_all(self.request.query_params.get("all")))

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - inherited
        """A page of rows, ranked ones first, and the compiler's own levels to compare with.

        A provisional board ranks nobody: its rows stand in the order of their scores.
        """
        response = super().list(request, *args, **kwargs)
        references = selectors.reference_rows(self.board)
        response.data["provisional"] = self.board.provisional
        response.data["provisional_notice"] = self.board.provisional_notice
        response.data["references"] = serializers.ReferenceSerializer(references, many=True).data
        return response


class StandingsCsvView(APIView):
    """All rows of a board as one file."""

    @extend_schema(
        operation_id="standings_csv", tags=["boards"], responses={(200, "text/csv"): OpenApiTypes.STR}
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Every row as CSV, references included (without a rank)."""
        board = find_board(slug)
        every_entry = wants_all(request.query_params.get("all"))
        response = HttpResponse(content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{board.slug}.csv"'
        writer = csv.writer(response, lineterminator="\n")
        writer.writerow(selectors.EXPORT_COLUMNS)
        writer.writerows(selectors.export_rows(board, every_entry=every_entry))
        return response


def wants_all(text: str | None) -> bool:
    """Whether a query asks for every entry."""
    return (text or "").lower() in {"1", "true", "yes"}
