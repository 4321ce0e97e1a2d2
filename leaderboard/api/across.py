"""Thin view of the same programs by different compilers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.helpers import forced_singular_serializer
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from leaderboard import selectors
from leaderboard.api.origins import absolute
from leaderboard.common.pagination import PlacePagination
from leaderboard.models import Board
from leaderboard.selectors import AcrossCell, MetricAcross  # the OpenAPI document is made of annotations

if TYPE_CHECKING:
    from rest_framework.request import Request


class MetricAcrossSerializer(serializers.Serializer[MetricAcross]):
    """A metric by which boards of different compilers can be compared; ``boards`` has their names."""

    metric = serializers.CharField(source="metric.name")
    title = serializers.CharField(source="metric.title")
    unit = serializers.CharField(source="metric.unit")
    boards = serializers.SerializerMethodField()
    url = serializers.SerializerMethodField()
    page_url = serializers.SerializerMethodField()

    def get_boards(self, one: MetricAcross) -> list[str]:
        """The boards' names in addresses."""
        return [board.slug for board in one.boards]

    def get_url(self, one: MetricAcross) -> str:
        """The address of the comparison."""
        return absolute(self, reverse("leaderboard-api:across", args=[one.metric.name]))

    def get_page_url(self, one: MetricAcross) -> str:
        """Its page."""
        return absolute(self, reverse("leaderboard:across", args=[one.metric.name]))


class MetricAcrossPageSerializer(serializers.Serializer[Any]):
    """The only page of metrics."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = MetricAcrossSerializer(many=True)


class AcrossBoardSerializer(serializers.Serializer[Any]):
    """A board. ``least`` counts the ``common`` programs, verified on every board, on which it has the least.

    ``more`` is how many times the least value it has of these, the geometric mean; null without any.
    """

    board = serializers.CharField(source="board.slug")
    compiler = serializers.CharField()
    dataset = serializers.CharField(source="board.dataset_version.name")
    common = serializers.IntegerField()
    least = serializers.IntegerField()
    more = serializers.FloatField(allow_null=True)


class AcrossCellSerializer(serializers.Serializer[Any]):
    """The best verified result of a program on a board; all but ``board`` may be null."""

    board = serializers.CharField(source="board.slug")
    benchmark = serializers.SerializerMethodField()
    value = serializers.FloatField(source="best.item.value", allow_null=True, default=None)
    ratio = serializers.FloatField(source="best.item.ratio", allow_null=True, default=None)
    is_least = serializers.BooleanField()
    agent = serializers.CharField(source="best.submission.agent", allow_null=True, default=None)
    owner = serializers.CharField(source="best.submission.owner.username", allow_null=True, default=None)
    page_url = serializers.SerializerMethodField()

    def get_benchmark(self, cell: AcrossCell) -> str | None:
        """The program's URI in the board's dataset."""
        return cell.uri or None

    def get_page_url(self, cell: AcrossCell) -> str | None:
        """The page of the result."""
        return absolute(self, cell.best.item.get_absolute_url()) if cell.best else None


class AcrossProgramSerializer(serializers.Serializer[Any]):
    """One program, with a cell for each board."""

    name = serializers.CharField()
    cells = AcrossCellSerializer(many=True)


class AcrossSerializer(serializers.Serializer[Any]):
    """A page of programs: what the boards of different compilers have of each."""

    metric = serializers.CharField()
    unit = serializers.CharField()
    boards = AcrossBoardSerializer(many=True)
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = AcrossProgramSerializer(many=True)


# As for standings: the serializer is of a page and not of a row.
_ONE_PAGE = forced_singular_serializer(AcrossSerializer)  # type: ignore[no-untyped-call] # ships none


class AcrossListView(APIView):
    """The metrics by which boards of different compilers can be compared."""

    @extend_schema(operation_id="across_metrics", tags=["boards"], responses=MetricAcrossPageSerializer)
    def get(self, request: Request) -> Response:
        """All such metrics, each with its boards, on one page."""
        found = selectors.metrics_across(selectors.boards_with_versions().order_by("slug"))
        listed = MetricAcrossSerializer(found, many=True, context={"request": request})  # type: ignore[arg-type] # many
        return Response({"next": None, "previous": None, "results": listed.data})


class AcrossView(generics.ListAPIView[Any]):
    """The same programs by different compilers."""

    serializer_class = AcrossProgramSerializer
    pagination_class = PlacePagination

    def get_queryset(self) -> Any:  # noqa: ANN401 - only sliced
        """The programs, in the order of their names."""
        if getattr(self, "swagger_fake_view", False):
            return Board.objects.none()
        metric = self.kwargs["metric"]
        found = selectors.across(metric)
        if found is None:
            raise Http404(
                f"No boards of different compilers can be compared by {metric!r}; see /api/v1/across/."
            )
        self.found = found
        return found

    @extend_schema(operation_id="across", tags=["boards"], responses=_ONE_PAGE)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - inherited
        """The least verified value of each program, compiler beside compiler."""
        response = super().get(request, *args, **kwargs)
        found, context = self.found, {"request": request}
        response.data |= {
            "metric": found.metric.name,
            "unit": found.metric.unit,
            "boards": AcrossBoardSerializer(found.boards, many=True, context=context).data,
        }
        return response
