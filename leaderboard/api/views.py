"""Thin views of boards, environments, limits and the queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import generics
from rest_framework.response import Response
from rest_framework.views import APIView

from leaderboard import selectors
from leaderboard.api import serializers
from leaderboard.api.queue_serializers import QueueSerializer
from optarena import limits
from optarena.errors import UnknownName
from optarena.specs import environment_spec, environment_specs

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request

    from leaderboard.models import Board


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
class BoardListView(generics.ListAPIView[Any]):
    """All boards."""

    serializer_class = serializers.BoardSerializer
    cursor_ordering = "slug"

    def get_queryset(self) -> QuerySet[Board]:
        """Every board."""
        return selectors.boards_with_versions()

    def paginate_queryset(self, queryset: Any) -> list[Any] | None:  # noqa: ANN401 # as the base class
        """A page of boards with their leaders."""
        page: list[Any] | None = super().paginate_queryset(queryset)
        return page and selectors.board_summaries(page)


class BoardView(APIView):
    """One board."""

    @extend_schema(operation_id="board", tags=["boards"], responses=serializers.BoardSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """A board: what it compares, and its leaders."""
        board = selectors.get_board(slug)
        if board is None:
            raise _no_board(slug)
        [summary] = selectors.board_summaries([board])
        serializer = serializers.BoardSerializer(summary, context={"request": request})
        return Response(serializer.data)
