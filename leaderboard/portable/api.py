"""The API of portable boards and entries."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.models import User
from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from datasets.fields import Address, Computed
from leaderboard.models import PortableBoard, PortableEntry, PortableRound
from leaderboard.portable import queries as portable_queries
from leaderboard.portable import services as portable_services
from leaderboard.portable.services import ENTRY, withdraw
from leaderboard.submissions import quotas, uploads
from leaderboard.submissions.uploads import RawJson, as_problems
from optarena.documents import kinds


class PortableRoundSerializer(serializers.Serializer[PortableRound]):
    """A round: entries that are sealed before its end meet the programs that are drawn then.

    ``programs_sha256`` is known before the programs are: the SHA-256 of ``nonce`` and the addresses of the
    drawn programs, one per line without a last line end. ``nonce`` is empty until they are drawn.
    """

    ends_at = serializers.DateTimeField()
    programs = serializers.IntegerField()
    programs_sha256 = serializers.CharField()
    nonce = serializers.CharField(allow_blank=True)


class PortableBoardSerializer(serializers.Serializer[PortableBoard]):
    """A board of portable entries.

    ``programs`` of ``dataset`` are drawn for each round. Results are compared with ``baseline_level``.
    """

    slug = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    environment = serializers.CharField(source="environment_version.env_id")
    environment_digest = serializers.CharField(source="environment_version.digest")
    dataset = serializers.CharField()
    metric = serializers.CharField()
    baseline_level = serializers.CharField()
    programs = serializers.IntegerField()
    report_dataset = serializers.CharField(allow_blank=True)
    report_split = serializers.CharField(allow_blank=True)
    is_open = serializers.BooleanField()
    entries = serializers.IntegerField(source="number")
    page_url = Address(lambda board: board.get_absolute_url(), "The board's page.")


class PortableBoardPageSerializer(serializers.Serializer[Any]):
    """The only page of boards of portable entries."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = PortableBoardSerializer(many=True)


class PortableRowSerializer(serializers.Serializer[portable_queries.PortableRow]):
    """An entry on its board.

    Its rank is one of those from ``rank`` to ``rank_high``, or ``why`` says why it has none. ``own`` is the
    number of drawn programs on which the result is its owner's own. ``to_first`` is the geometric mean of the
    ratios to the first entry on each program, with its confidence interval.
    """

    rank = serializers.IntegerField(allow_null=True)
    rank_high = serializers.IntegerField(allow_null=True)
    why = serializers.CharField(allow_blank=True)
    own = serializers.IntegerField(allow_null=True)
    to_first = serializers.FloatField(source="to_first.ratio", allow_null=True, default=None)
    to_first_interval = serializers.ListField(
        source="to_first.interval", child=serializers.FloatField(), allow_null=True, default=None
    )
    entry = serializers.UUIDField(source="entry.pk")
    agent = serializers.CharField(source="entry.agent")
    owner = serializers.CharField(source="entry.owner.username")
    state = serializers.CharField(source="entry.state")
    sequences = serializers.IntegerField(source="entry.size")
    score = serializers.FloatField(source="entry.score", allow_null=True)
    report_score = serializers.FloatField(source="entry.report_score", allow_null=True)
    sealed_at = serializers.DateTimeField(source="entry.sealed_at")


class PortableBoardDetailSerializer(PortableBoardSerializer):
    """A board with the entries of a round: ranked ones by score, then the others, newest first.

    ``sealed`` are those that wait for their programs, ``rounds`` the ends of the last ones with entries, and
    ``open_round`` is that of what is sealed now; null if the board is closed.
    """

    round = PortableRoundSerializer(allow_null=True, read_only=True)
    rows = PortableRowSerializer(many=True, read_only=True)
    sealed = PortableRowSerializer(many=True, read_only=True)
    open_round = PortableRoundSerializer(allow_null=True, read_only=True)
    rounds = serializers.ListField(source="ends", child=serializers.DateTimeField(), read_only=True)


class PortableProgramSerializer(serializers.Serializer[Any]):
    """A program that an entry is applied to.

    It counts for the score if it was drawn, else for the report. ``value`` is the metric after the sequence
    number ``best``, from 0; if every sequence failed, ``best`` is null and ``value`` that of the program as
    given. Both are null until all replays have ended.
    """

    benchmark = serializers.CharField(source="benchmark_uri")
    is_drawn = serializers.BooleanField()
    reference = serializers.FloatField()
    unoptimised = serializers.FloatField()
    value = serializers.FloatField(allow_null=True)
    best = serializers.IntegerField(allow_null=True)
    ratio = serializers.FloatField(allow_null=True)


class PortableSequenceSerializer(serializers.Serializer[Any]):
    """One sequence of an entry.

    ``commandline`` is null where the environment has other actions today. Then ``names`` has the name of each
    action in the version of the entry, or its number where that is not known any more.
    """

    commandline = serializers.CharField(allow_null=True)
    actions = Computed(kinds.INTEGERS.schema, lambda sequence: list(sequence.actions))
    names = serializers.ListField(child=serializers.CharField())


class PortableEntrySerializer(serializers.Serializer[PortableEntry]):
    """A portable entry.

    Its programs are there once they have been drawn; ``sequences`` are null for others than the owner until
    the entry is published: all replays have ended, and none failed for the machines' sake.
    ``score_interval`` is the score's confidence interval over all programs that could have been drawn.
    ``defends`` is the former entry that this one is a repetition of, since it was among the first.
    ``content_sha256`` is null as long as ``sequences`` are: short ones could be found by it. ``why`` says why
    it has no rank.
    """

    id = serializers.UUIDField()
    board = serializers.CharField(source="board.slug")
    agent = serializers.CharField()
    owner = serializers.CharField(source="owner.username")
    state = serializers.CharField(
        help_text="`sealed`, `replaying`, `ended`, `failed`: without a score; `quarantined`: it waits for a "
        "reviewer; `refused` by one; or `withdrawn`."
    )
    content_sha256 = Computed(
        str | None,
        lambda entry: None if entry.readable is None else entry.content_sha256,
        "The hash of the set of its sequences.",
    )
    sealed_at = serializers.DateTimeField()
    round_ends_at = serializers.DateTimeField(source="round.ends_at")
    defends = serializers.UUIDField(source="defends_id", allow_null=True)
    drawn_at = serializers.DateTimeField(source="programs_drawn_at", allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    rank = serializers.IntegerField(source="place.rank", allow_null=True)
    rank_high = serializers.IntegerField(source="place.rank_high", allow_null=True)
    why = serializers.CharField(source="place.why", allow_blank=True)
    own = serializers.IntegerField(source="place.own", allow_null=True)
    score = serializers.FloatField(allow_null=True)
    score_interval = Computed(
        {"type": "array", "items": {"type": "number"}, "nullable": True}, lambda entry: entry.score_interval
    )
    report_score = serializers.FloatField(allow_null=True)
    replays = Computed(int, lambda entry: entry.figures["replays"], "How many replays there are.")
    ended_replays = Computed(int, lambda entry: entry.figures["ended"], "How many of them have ended.")
    unverified = serializers.IntegerField()
    sequences = PortableSequenceSerializer(source="readable", many=True, read_only=True, allow_null=True)
    programs = PortableProgramSerializer(many=True)
    url = Address(lambda entry: reverse("leaderboard-api:portable-entry", args=[entry.pk]), "Its address.")
    page_url = Address(lambda entry: entry.get_absolute_url(), "Its page.")


def _serialized(entry_id: uuid.UUID, request: Request) -> dict[str, Any]:
    entry = portable_queries.portable_entry(entry_id)
    if entry is None:
        raise Http404("There is no such portable entry; see /api/v1/portable/.")
    entry.figures = portable_queries.portable_figures(entry)
    entry.place = portable_queries.portable_place(entry)
    entry.readable = portable_queries.readable_sequences(entry, request.user.pk)
    data: dict[str, Any] = PortableEntrySerializer(entry, context={"request": request}).data
    return data


class PortableBoardListView(APIView):
    @extend_schema(operation_id="portable_boards", responses=PortableBoardPageSerializer)
    def get(self, request: Request) -> Response:
        """All boards of portable entries, on one page."""
        boards = portable_queries.portable_boards()
        listed = PortableBoardSerializer(boards, many=True, context={"request": request})  # type: ignore[arg-type] # many
        return Response({"next": None, "previous": None, "results": listed.data})


class PortableBoardView(APIView):
    query_parameters = ("round",)

    @extend_schema(
        operation_id="portable_board",
        parameters=[
            OpenApiParameter(
                "round", OpenApiTypes.DATETIME, description="The end of one of `rounds`; else the last one."
            )
        ],
        responses=PortableBoardDetailSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        """A board of portable entries with the entries of its last round, or of another one."""
        board = portable_queries.portable_board(slug)
        if board is None:
            raise Http404(str(portable_queries.unknown_board(slug)))
        portable_services.read_round(board, request.query_params.get("round", ""))
        return Response(PortableBoardDetailSerializer(board, context={"request": request}).data)


class PortableSealView(APIView):
    permission_classes = (IsAuthenticated,)
    parser_classes = (RawJson,)

    @extend_schema(
        operation_id="seal_portable_entry",
        parameters=list(uploads.QUOTA_HEADERS),
        request={"application/json": ENTRY.schema},
        responses={
            202: OpenApiResponse(
                PortableEntrySerializer, "The entry was sealed; its programs will be drawn."
            ),
            200: OpenApiResponse(PortableEntrySerializer, "The same entry of this agent was sealed before."),
        },
    )
    def post(self, request: Request) -> Response:
        """Seal a portable entry. All problems are reported at once, and nothing is stored if there is one.

        An entry over the owner's quota is refused with status 429; Retry-After says when to try again.
        """
        owner: User = request.user  # type: ignore[assignment] # the permission admits users only
        body = request.data
        with as_problems():
            entry, created = portable_services.seal_document(
                owner=owner, body=body if isinstance(body, bytes) else b""
            )
        data = _serialized(entry.pk, request)
        code = status.HTTP_202_ACCEPTED if created else status.HTTP_200_OK
        return Response(data, status=code, headers={"Location": data["url"], **quotas.headers(owner)})


class PortableEntryView(APIView):
    @extend_schema(operation_id="portable_entry", responses=PortableEntrySerializer)
    def get(self, request: Request, entry_id: uuid.UUID) -> Response:
        """A portable entry with its programs: everything that is needed to repeat it."""
        return Response(_serialized(entry_id, request))


class PortableWithdrawView(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="withdraw_portable_entry", request=None, responses=PortableEntrySerializer)
    def post(self, request: Request, entry_id: uuid.UUID) -> Response:
        """Withdraw one's own portable entry. It stays without a rank; replays that nobody else needs stop."""
        try:
            with as_problems():
                withdraw(entry_id=entry_id, actor=request.user)  # type: ignore[arg-type] # as above
        except PortableEntry.DoesNotExist as error:
            raise Http404("There is no such portable entry; see /api/v1/portable/.") from error
        return Response(_serialized(entry_id, request))
