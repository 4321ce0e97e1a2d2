"""The API of daily puzzles."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import generics, serializers

from datasets.fields import Address
from leaderboard.models import Puzzle
from leaderboard.play.queries import play_address
from leaderboard.puzzles import queries as puzzle_queries


class PuzzleBestSerializer(serializers.Serializer[Any]):
    """The best result of a puzzle that runners have verified."""

    value = serializers.FloatField(source="item.value")
    owner = serializers.CharField(source="item.submission.owner.username")
    agent = serializers.CharField(source="item.submission.agent")
    page_url = Address(lambda best: best.item.get_absolute_url(), "The item's page.", OpenApiTypes.URI)


class PuzzleSerializer(serializers.Serializer[Puzzle]):
    """A daily puzzle: a generated program with a board of its own.

    Of the next one only ``sha256`` is known (``announced``), until its day begins in UTC: the SHA-256 of
    ``nonce`` and the bitcode behind it. ``nonce`` is empty until then. A puzzle is ``open`` until the next
    one is published, or the server's environment changes; a ``closed`` one can still be played. ``par`` is
    the value of the board's reference.
    """

    number = serializers.IntegerField()
    state = serializers.CharField(help_text="`announced`, `open` or `closed`")
    sha256 = serializers.CharField()
    nonce = serializers.CharField(allow_blank=True)
    announced_at = serializers.DateTimeField()
    day = serializers.DateField(allow_null=True)
    board = serializers.CharField(source="board.slug", allow_null=True, default=None)
    benchmark = serializers.CharField(source="uri", allow_blank=True)
    par = serializers.FloatField(allow_null=True)
    best = PuzzleBestSerializer(allow_null=True)
    play_url = Address(
        lambda puzzle: play_address(puzzle.uri) if puzzle.uri else None,
        "The page on which it is played.",
        str | None,
    )


@extend_schema_view(get=extend_schema(operation_id="puzzles", tags=["boards"]))
class PuzzleListView(generics.ListAPIView[Puzzle]):
    """Daily puzzles: first the announced one, then the newest."""

    serializer_class = PuzzleSerializer
    cursor_ordering = "-number"

    def get_queryset(self) -> QuerySet[Puzzle]:
        return puzzle_queries.puzzles()

    def paginate_queryset(self, queryset: QuerySet[Puzzle]) -> list[Any] | None:  # type: ignore[override] # no other rows
        page = super().paginate_queryset(queryset)
        puzzle_queries.add_results(page or ())
        return page
