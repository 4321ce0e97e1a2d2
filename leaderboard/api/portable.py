"""Thin views of boards of portable entries, and of their entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework.views import APIView

from leaderboard import selectors
from leaderboard.api import examples
from leaderboard.api import portable_serializers as serializers
from leaderboard.api.errors import as_problems
from leaderboard.api.parsers import RawJson
from leaderboard.models import PortableEntry
from leaderboard.services import portable, quotas
from leaderboard.services.portable_decisions import withdraw
from leaderboard.services.portable_documents import ENTRY

if TYPE_CHECKING:
    import uuid

    from django.contrib.auth.models import User
    from rest_framework.request import Request


def _serialized(entry_id: uuid.UUID, request: Request) -> dict[str, Any]:
    entry = selectors.portable_entry(entry_id)
    if entry is None:
        raise Http404("There is no such portable entry; see /api/v1/portable/.")
    data: dict[str, Any] = serializers.PortableEntrySerializer(entry, context={"request": request}).data
    return data


class PortableBoardListView(APIView):
    """The boards of portable entries."""

    @extend_schema(
        operation_id="portable_boards", tags=["portable"], responses=serializers.PortableBoardPageSerializer
    )
    def get(self, request: Request) -> Response:
        """All boards of portable entries, on one page."""
        boards = selectors.portable_boards()
        listed = serializers.PortableBoardSerializer(boards, many=True, context={"request": request})  # type: ignore[arg-type] # many
        return Response({"next": None, "previous": None, "results": listed.data})


class PortableBoardView(APIView):
    """One board of portable entries."""

    @extend_schema(
        operation_id="portable_board", tags=["portable"], responses=serializers.PortableBoardDetailSerializer
    )
    def get(self, request: Request, slug: str) -> Response:
        """A board of portable entries with its newest entries."""
        board = selectors.portable_board(slug)
        if board is None:
            raise Http404(f"There is no board of portable entries {slug!r}; see /api/v1/portable/.")
        found = serializers.PortableBoardDetailSerializer(board, context={"request": request})
        return Response(found.data)


class PortableSealView(APIView):
    """Sealing of portable entries."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (RawJson,)

    @extend_schema(
        operation_id="seal_portable_entry",
        tags=["portable"],
        parameters=list(examples.QUOTA_HEADERS),
        request={"application/json": ENTRY.schema},
        responses={
            202: OpenApiResponse(
                serializers.PortableEntrySerializer, "The entry was sealed; its programs will be drawn."
            ),
            200: OpenApiResponse(
                serializers.PortableEntrySerializer, "The same entry of this agent was sealed before."
            ),
        },
    )
    def post(self, request: Request) -> Response:
        """Seal a portable entry. All problems are reported at once, and nothing is stored if there is one.

        An entry over the owner's quota is refused with status 429; Retry-After says when to try again.
        """
        owner: User = request.user  # type: ignore[assignment] # the permission admits users only
        body = request.data
        with as_problems():
            entry, created = portable.receive(owner=owner, body=body if isinstance(body, bytes) else b"")
        data = _serialized(entry.pk, request)
        code = status.HTTP_202_ACCEPTED if created else status.HTTP_200_OK
        return Response(data, status=code, headers={"Location": data["url"], **quotas.headers(owner)})


class PortableEntryView(APIView):
    """One portable entry."""

    @extend_schema(
        operation_id="portable_entry", tags=["portable"], responses=serializers.PortableEntrySerializer
    )
    def get(self, request: Request, entry_id: uuid.UUID) -> Response:
        """A portable entry with its programs: everything that is needed to repeat it."""
        return Response(_serialized(entry_id, request))


class PortableWithdrawView(APIView):
    """Withdrawal of a portable entry."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="withdraw_portable_entry",
        tags=["portable"],
        request=None,
        responses=serializers.PortableEntrySerializer,
    )
    def post(self, request: Request, entry_id: uuid.UUID) -> Response:
        """Withdraw one's own portable entry. It stays without a rank; replays that nobody else needs stop."""
        try:
            with as_problems():
                withdraw(entry_id=entry_id, actor=request.user)  # type: ignore[arg-type] # as above
        except PortableEntry.DoesNotExist as error:
            raise Http404("There is no such portable entry; see /api/v1/portable/.") from error
        return Response(_serialized(entry_id, request))
