"""Thin views of people and their agents."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from datasets.fields import Address, Computed, InContext, origin
from leaderboard.accounts.api import PublicUserSerializer
from leaderboard.accounts.queries import profile_of
from leaderboard.boards import standings
from leaderboard.boards.api import AGAINST, NO_RANK, EffortSerializer
from leaderboard.boards.queries import against_text
from leaderboard.common.addresses import agent_address, person_address
from leaderboard.common.pagination import PlacePagination
from leaderboard.models import Standing
from leaderboard.people import queries as people_queries
from leaderboard.people.queries import AgentRow
from optarena import limits
from optarena.errors import InvalidDocument, InvalidInput


def _agent_page(agent: AgentRow, context: dict[str, Any]) -> str:
    return origin(context) + agent_address(context["view"].kwargs["username"], agent.name)


class EntrySerializer(serializers.Serializer[Standing]):
    """An entry of a board. ``rank`` is null where it is listed without one, and ``unranked`` says why."""

    board = serializers.CharField(source="board.slug")
    submission = serializers.UUIDField(source="submission_id")
    agent = serializers.CharField(source="submission.agent")
    rank = serializers.IntegerField(allow_null=True)
    rank_high = serializers.IntegerField(allow_null=True)
    score = serializers.FloatField(allow_null=True)
    score_interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    against_reference = Computed(str, lambda one: against_text(one.board, one), AGAINST)
    verified = serializers.IntegerField()
    pending = serializers.IntegerField()
    total = serializers.IntegerField()
    own_items = serializers.IntegerField()
    effort = EffortSerializer(source="submission")
    created = serializers.DateTimeField(source="submission.created")
    unranked = Computed(str, lambda one: standings.why_without_rank(one, one.board), NO_RANK)
    page_url = Address(lambda one: one.submission.get_absolute_url(), "The submission's page.")


class FiguresSerializer(serializers.Serializer[Any]):
    """The number of somebody's submissions, finds and records."""

    entries = serializers.IntegerField()
    finds = serializers.IntegerField()
    records = serializers.IntegerField()


class PersonSerializer(PublicUserSerializer):
    """Somebody with what everybody may know. ``best`` has the best entry on each board."""

    figures = Computed(FiguresSerializer(), people_queries.figures_of)
    best = Computed(EntrySerializer(many=True), people_queries.best_entries)
    page_url = Address(lambda user: person_address(user.username), "Their page.")


class AgentSerializer(serializers.Serializer[AgentRow]):
    """Entries of one owner whose names differ only in case, signs and numbers: they compete for one rank.

    ``name`` is that of the newest entry, and ``entries`` their number, without withdrawn ones.
    """

    family = serializers.CharField()
    name = serializers.CharField()
    entries = serializers.IntegerField()
    first = serializers.DateTimeField()
    last = serializers.DateTimeField()
    boards = serializers.ListField(child=serializers.CharField())
    page_url = InContext(str, _agent_page, "The agent's page.")


class PersonView(APIView):
    @extend_schema(operation_id="user", tags=["accounts"], responses=PersonSerializer)
    def get(self, request: Request, username: str) -> Response:
        """A user: profile, figures, and the best entry on each board."""
        found = people_queries.get_person(username)
        context = {"request": request, "profile": profile_of(found)}
        return Response(PersonSerializer(found, context=context).data)


@extend_schema_view(get=extend_schema(operation_id="agents", tags=["accounts"]))
class AgentListView(generics.ListAPIView[Any]):
    """The agents of a user."""

    serializer_class = AgentSerializer
    pagination_class = PlacePagination
    queryset = Standing.objects.none()  # for the OpenAPI document

    def get_queryset(self) -> Any:  # noqa: ANN401 - only sliced
        return people_queries.Agents(people_queries.get_person(self.kwargs["username"]).pk)


class EntryListView(generics.ListAPIView[Standing]):
    serializer_class = EntrySerializer
    cursor_ordering = ("-submitted_at", "submission_id")
    query_parameters = ("agent", "board")
    queryset = Standing.objects.none()  # for the OpenAPI document

    def get_queryset(self) -> QuerySet[Standing]:
        owner, asked = people_queries.get_person(self.kwargs["username"]), self.request.query_params
        agent, slug = asked.get("agent", ""), asked.get("board")
        if problems := standings.unknown_filters(board=slug, owner=None):
            raise InvalidDocument(problems)
        board = None if slug is None else standings.get_board(slug)
        if not agent.strip() or len(agent) > limits.AGENT_LENGTH:
            raise InvalidInput(
                "An agent must be named." if not agent.strip() else "No agent's name is so long.",
                field="agent",
                value=agent,
                remedy=f"Give the name of an agent that /api/v1/users/{owner.username}/agents/ lists.",
            )
        return people_queries.entries_of_agent(owner, agent, board=board)

    def paginate_queryset(self, queryset: QuerySet[Standing]) -> list[Any] | None:  # type: ignore[override] # no other rows
        page = super().paginate_queryset(queryset)
        return page and list(people_queries.shown_entries(page))

    @extend_schema(
        operation_id="entries",
        tags=["accounts"],
        parameters=[
            OpenApiParameter("agent", OpenApiTypes.STR, required=True, description="The agent's name."),
            OpenApiParameter("board", OpenApiTypes.STR, description="The slug of a board."),
        ],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - inherited
        """The entries of an agent, newest first. Withdrawn ones are not among them."""
        return super().get(request, *args, **kwargs)
