"""The API of comparisons and of scores across boards."""

from __future__ import annotations

from typing import Any, Final, cast

from django.http import Http404
from django.urls import reverse
from drf_spectacular.helpers import forced_singular_serializer
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from datasets.fields import Address, Computed
from leaderboard.boards import standings
from leaderboard.boards.queries import against_text
from leaderboard.common.pagination import PlacePagination
from leaderboard.compare import alignments
from leaderboard.compare import queries as comparison_queries
from leaderboard.compare.queries import MetricAcross  # the OpenAPI document is made of annotations
from leaderboard.models import Board, Submission


class ComparedColumnSerializer(serializers.Serializer[Any]):
    """What is compared. ``wins`` counts the programs that all columns have and on which it alone is ahead.

    Beside two others the virtual best is not counted, and its ``wins`` are null. ``geometric_mean`` is that
    of its ratios over the programs that all columns have; null without any. A ``submission`` has a ``rank``
    if it is ranked.
    """

    letter = serializers.CharField()
    entry = serializers.CharField(source="choice")
    kind = serializers.CharField(help_text="`submission`, `level` or `virtual-best`.")
    label = serializers.CharField()  # type: ignore[assignment] # a field of the answer, not of the serializer
    submission = serializers.UUIDField(source="submission.pk", allow_null=True, default=None)
    page_url = Address(
        lambda column: column["submission"].get_absolute_url() if column["submission"] else "",
        "The submission's page; empty for others.",
    )
    score = serializers.FloatField(allow_null=True)
    against_reference = serializers.CharField(
        allow_blank=True, help_text="The score in words, such as `2.1 % larger than -Oz`; empty without one."
    )
    rank = serializers.IntegerField(source="standing.rank", allow_null=True, default=None)
    rank_high = serializers.IntegerField(source="standing.rank_high", allow_null=True, default=None)
    wins = serializers.IntegerField(allow_null=True)
    geometric_mean = serializers.FloatField(allow_null=True)


class PairSerializer(serializers.Serializer[Any]):
    """Wins, ties and losses of the column ``one`` against ``other``, on the programs that both have."""

    one = serializers.CharField()
    other = serializers.CharField()
    wins = serializers.IntegerField()
    ties = serializers.IntegerField()
    losses = serializers.IntegerField()


class CellSerializer(serializers.Serializer[Any]):
    """What a column has for a program; ``value`` and ``ratio`` are null where it is not verified.

    Of a reference that is measured the value may be unknown, and its ratio is 1.
    """

    letter = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    ratio = serializers.FloatField(allow_null=True)
    verdict = serializers.CharField(allow_blank=True)
    submission = serializers.UUIDField(allow_null=True)
    position = serializers.IntegerField(allow_null=True)


class ProgramSerializer(serializers.Serializer[Any]):
    """One program. ``winner`` is the letter of the only column that no other is ahead of, or null."""

    benchmark = serializers.CharField()
    winner = serializers.CharField(allow_null=True)
    cells = CellSerializer(many=True)


class AlignedStepSerializer(serializers.Serializer[Any]):
    """A step; number 0 is the program before any action."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    cost = serializers.FloatField(allow_null=True)


class AlignedRowSerializer(serializers.Serializer[Any]):
    """Steps beside each other: one or null for each sequence that is not ``absent``."""

    shared = serializers.BooleanField(source="is_shared")
    steps = serializers.ListField(child=AlignedStepSerializer(allow_null=True))


class AlignedSequenceSerializer(serializers.Serializer[Any]):
    """The sequence of a column, or why it is ``absent``.

    ``parts_at`` is the number of its first step after those that all sequences share; null where it has
    ended by then, or all are equal. ``without_effect`` actions are left out.
    """

    letter = serializers.CharField()
    absent = serializers.CharField(allow_blank=True)
    actions = serializers.IntegerField()
    without_effect = serializers.IntegerField()
    parts_at = serializers.IntegerField(allow_null=True)


class AlignmentSerializer(serializers.Serializer[Any]):
    """The sequences of one program, aligned by the states of the program or by the texts of actions."""

    benchmark = serializers.CharField(source="uri")
    by = serializers.ChoiceField(["states", "actions"])
    equal = serializers.BooleanField(source="are_equal")
    cut = serializers.BooleanField(source="is_cut")
    sequences = AlignedSequenceSerializer(many=True)
    rows = AlignedRowSerializer(many=True)


class ComparisonSerializer(serializers.Serializer[Any]):
    """A page of a comparison: ``results`` has the programs.

    ``exact`` says whether the board's values are exact; otherwise a result is ahead of another only if they
    differ by more than chance explains. ``common`` is the number of programs that all columns have.
    """

    board = serializers.CharField()
    exact = serializers.BooleanField()
    common = serializers.IntegerField()
    columns = ComparedColumnSerializer(many=True)
    pairs = PairSerializer(many=True)
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = ProgramSerializer(many=True)
    alignment = AlignmentSerializer(allow_null=True)


# As for standings: the serializer is of a page and not of a row.
_COMPARISON_PAGE = forced_singular_serializer(ComparisonSerializer)  # type: ignore[no-untyped-call] # ships none


class CompareView(generics.ListAPIView[Any]):
    serializer_class = ProgramSerializer
    pagination_class = PlacePagination
    query_parameters = ("entry", "board", "program")
    repeated_parameters = ("entry",)
    queryset = Submission.objects.none()  # for the OpenAPI document

    def get_queryset(self) -> Any:  # noqa: ANN401 - only sliced
        asked = self.request.query_params
        self.found = comparison_queries.compare(asked.getlist("entry"), slug=asked.get("board", ""))
        return self.found.rows

    def paginate_queryset(self, queryset: Any) -> list[Any] | None:  # noqa: ANN401 - as above
        page = super().paginate_queryset(queryset)
        return page and [_program(self.found, row) for row in page]

    @extend_schema(
        operation_id="compare",
        tags=["comparisons"],
        parameters=[
            OpenApiParameter(
                "entry",
                OpenApiTypes.STR,
                many=True,
                required=True,
                description="Two to four: the id of a submission, `level:` and a level, or `virtual-best`.",
            ),
            OpenApiParameter(
                "board",
                OpenApiTypes.STR,
                description="The slug of a board, if none of the entries is a submission.",
            ),
            OpenApiParameter(
                "program",
                OpenApiTypes.STR,
                description="The name or URI of the program whose sequences are aligned; without it the "
                "first on which one column is ahead.",
            ),
        ],
        responses=_COMPARISON_PAGE,
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - inherited
        """Compare entries, the compiler's levels and the best of everybody, program by program."""
        response = super().get(request, *args, **kwargs)
        found, program = self.found, request.query_params.get("program", "")
        place = found.place_of(program)
        row = None if place is None else found.rows[place]
        viewer = cast("Any", request.user)
        alignment = None if row is None else alignments.aligned_sequences(found, row, viewer)
        columns = [
            {name: getattr(column, name) for name in _OF_COLUMN}
            | {"wins": wins, "geometric_mean": mean, "against_reference": against_text(found.board, column)}
            for column, wins, mean in zip(found.columns, found.wins, found.means, strict=True)
        ]
        pairs = [
            {"one": found.columns[one].letter, "other": found.columns[other].letter, **numbers._asdict()}
            for one, other, numbers in found.pairs
        ]
        context = {"request": request}
        response.data |= {
            "board": found.board.slug,
            "exact": found.board.exact,
            "common": found.common,
            "columns": ComparedColumnSerializer(columns, many=True, context=context).data,
            "pairs": pairs,
            "alignment": None if alignment is None else AlignmentSerializer(alignment).data,
        }
        return response


_OF_COLUMN: Final = ("letter", "choice", "kind", "label", "submission", "score", "standing")


def _program(found: comparison_queries.Comparison, row: comparison_queries.ProgramRow) -> dict[str, Any]:
    return {
        "benchmark": row.uri,
        "winner": None if row.winner is None else found.columns[row.winner].letter,
        "cells": [
            {
                "letter": column.letter,
                "value": cell.value,
                "ratio": cell.ratio,
                "verdict": cell.verdict,
                "submission": cell.submission,
                "position": cell.position,
            }
            for column, cell in zip(found.columns, row.cells, strict=True)
        ],
    }


class MetricAcrossSerializer(serializers.Serializer[MetricAcross]):
    """A metric by which boards of different compilers can be compared; ``boards`` has their names."""

    metric = serializers.CharField(source="metric.name")
    title = serializers.CharField(source="metric.title")
    unit = serializers.CharField(source="metric.unit")
    boards = Computed(
        list[str], lambda one: [board.slug for board in one.boards], "The boards' names in addresses."
    )
    url = Address(
        lambda one: reverse("leaderboard-api:across", args=[one.metric.name]),
        "The address of the comparison.",
    )
    page_url = Address(lambda one: reverse("leaderboard:across", args=[one.metric.name]), "Its page.")


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
    benchmark = Computed(
        str | None, lambda cell: cell.uri or None, "The program's URI in the board's dataset."
    )
    value = serializers.FloatField(source="best.item.value", allow_null=True, default=None)
    ratio = serializers.FloatField(source="best.item.ratio", allow_null=True, default=None)
    is_least = serializers.BooleanField()
    agent = serializers.CharField(source="best.submission.agent", allow_null=True, default=None)
    owner = serializers.CharField(source="best.submission.owner.username", allow_null=True, default=None)
    page_url = Address(
        lambda cell: cell.best and cell.best.item.get_absolute_url(), "The page of the result.", str | None
    )


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
_ACROSS_PAGE = forced_singular_serializer(AcrossSerializer)  # type: ignore[no-untyped-call] # ships none


class AcrossListView(APIView):
    @extend_schema(operation_id="across_metrics", tags=["comparisons"], responses=MetricAcrossPageSerializer)
    def get(self, request: Request) -> Response:
        """The metrics that boards of different compilers share, each with its boards, on one page."""
        found = comparison_queries.metrics_across(standings.listed_boards().order_by("slug"))
        listed = MetricAcrossSerializer(found, many=True, context={"request": request})  # type: ignore[arg-type] # many
        return Response({"next": None, "previous": None, "results": listed.data})


class AcrossView(generics.ListAPIView[Any]):
    serializer_class = AcrossProgramSerializer
    pagination_class = PlacePagination
    queryset = Board.objects.none()  # for the OpenAPI document

    def get_queryset(self) -> Any:  # noqa: ANN401 - only sliced
        metric = self.kwargs["metric"]
        found = comparison_queries.across(metric)
        if found is None:
            raise Http404(
                f"No boards of different compilers can be compared by {metric!r}; see /api/v1/across/."
            )
        self.found = found
        return found

    @extend_schema(operation_id="across", tags=["comparisons"], responses=_ACROSS_PAGE)
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
