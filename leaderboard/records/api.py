"""Thin views of records, and of the results of one benchmark."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from datasets.fields import Address, InContext
from datasets.selectors import find_benchmark
from leaderboard.boards import standings
from leaderboard.models import BoardRecord
from leaderboard.records import queries as record_queries
from leaderboard.submissions.api import FindSerializer, Readable, may_read
from optarena.errors import InvalidDocument
from optarena.specs.benchmark import BenchmarkUri

_COMMANDLINE: Final = "Null for those who may not read it."


def _commandline(record: BoardRecord, context: dict[str, Any]) -> str | None:
    return record.item.commandline if may_read(record.item, context) else None


class RecordSerializer(serializers.Serializer[BoardRecord]):
    """A find that was better than every earlier record of its benchmark on its board.

    ``former_ratio`` is the best before; null for the first result.
    """

    board = serializers.CharField(source="board.slug")
    benchmark = serializers.CharField(source="benchmark_uri")
    ratio = serializers.FloatField()
    former_ratio = serializers.FloatField(allow_null=True)
    value = serializers.FloatField(source="item.value")
    owner = serializers.CharField(source="item.submission.owner.username")
    agent = serializers.CharField(source="item.submission.agent")
    submission = serializers.UUIDField(source="item.submission_id")
    position = serializers.IntegerField(source="item.position")
    commandline = InContext(str | None, _commandline, _COMMANDLINE)
    verified_at = serializers.DateTimeField(source="at")
    page_url = Address(lambda record: record.item.get_absolute_url(), "The item's page.")


class BestSerializer(serializers.Serializer[Any]):
    """The best verified item of a benchmark on a board, which may be a copy."""

    ratio = serializers.FloatField()
    value = serializers.FloatField()
    owner = serializers.CharField(source="submission.owner.username")
    agent = serializers.CharField(source="submission.agent")
    submission = serializers.UUIDField(source="submission_id")
    position = serializers.IntegerField()
    commandline = Readable(str | None, lambda item: item.commandline, _COMMANDLINE)
    verified_at = serializers.DateTimeField(source="decided_at")


class BinSerializer(serializers.Serializer[Any]):
    """The number of verified items with a ratio in a range."""

    low = serializers.FloatField()
    high = serializers.FloatField()
    count = serializers.IntegerField()


class BoardResultsSerializer(serializers.Serializer[Any]):
    """The verified results of a benchmark on one board.

    ``first_by`` says who found the state of ``best`` first; it is null while that has no credit. ``distinct``
    is the number of different final states. ``records`` are the newest 10, oldest first.
    """

    board = serializers.CharField(source="board.slug")
    metric = serializers.CharField(source="board.metric")
    best = BestSerializer()
    first_by = FindSerializer(allow_null=True)
    verified = serializers.IntegerField()
    distinct = serializers.IntegerField()
    records = RecordSerializer(many=True)
    distribution = BinSerializer(many=True, source="bins")


class BenchmarkResultsSerializer(serializers.Serializer[Any]):
    """What is verified of a benchmark, by board."""

    benchmark = serializers.CharField()
    boards = BoardResultsSerializer(many=True)


class RecordListView(generics.ListAPIView[BoardRecord]):
    serializer_class = RecordSerializer
    cursor_ordering = ("-at", "-id")
    query_parameters = ("board", "benchmark", "owner")
    queryset = BoardRecord.objects.none()  # for the OpenAPI document

    def get_queryset(self) -> QuerySet[BoardRecord]:
        asked = self.request.query_params
        slug, owner = asked.get("board", ""), asked.get("owner", "")
        if problems := standings.unknown_filters(board=slug or None, owner=owner or None):
            raise InvalidDocument(problems)
        board = standings.get_board(slug) if slug else None
        return record_queries.list_records(board=board, uri=asked.get("benchmark", ""), owner=owner)

    def paginate_queryset(self, queryset: QuerySet[BoardRecord]) -> list[Any] | None:  # type: ignore[override] # no other rows
        page = super().paginate_queryset(queryset)
        record_queries.add_reading([one.item for one in page or ()], self.request.user)
        return page

    @extend_schema(
        operation_id="records",
        tags=["boards"],
        parameters=[
            OpenApiParameter("board", OpenApiTypes.STR, description="The slug of a board."),
            OpenApiParameter("benchmark", OpenApiTypes.STR, description="The URI of a benchmark."),
            OpenApiParameter("owner", OpenApiTypes.STR, description="A user name."),
        ],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - inherited
        """Records whose results still stand, newest first."""
        return super().get(request, *args, **kwargs)


class BenchmarkResultsView(APIView):
    @extend_schema(operation_id="results", responses=BenchmarkResultsSerializer)
    def get(self, request: Request, name: str, path: str) -> Response:
        """The best verified result of a benchmark, its records and the distribution, by board."""
        uri = f"benchmark://{name}/{path}"
        if find_benchmark(uri) is None:
            raise Http404(f"There is no benchmark {uri}.")
        canonical = str(BenchmarkUri.parse(uri))
        found = {"benchmark": canonical, "boards": record_queries.benchmark_results(canonical)}
        return Response(BenchmarkResultsSerializer(found, context={"request": request}).data)
