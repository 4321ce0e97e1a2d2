"""The entrance of the API: the addresses that need no key of a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

if TYPE_CHECKING:
    from rest_framework.request import Request

_NAMED: Final = {
    "across": "leaderboard-api:across-list",
    "boards": "leaderboard-api:boards",
    "compare": "leaderboard-api:compare",
    "datasets": "api-datasets",
    "environments": "leaderboard-api:environments",
    "limits": "leaderboard-api:limits",
    "me": "api-me",
    "portable": "leaderboard-api:portable",
    "portable_entries": "leaderboard-api:portable-entries",
    "queue": "leaderboard-api:queue",
    "records": "leaderboard-api:records",
    "runners": "leaderboard-api:runners",
    "signup": "api-signup",
    "submissions": "leaderboard-api:submissions",
    "token": "api-token",
    "validate": "leaderboard-api:validate",
    "schema": "schema",
    "documentation": "docs",
}


class IndexView(APIView):
    """The entrance."""

    @extend_schema(
        operation_id="index",
        tags=["index"],
        responses={
            200: {
                "type": "object",
                "required": list(_NAMED),
                "additionalProperties": {"type": "string", "format": "uri"},
            }
        },
    )
    def get(self, request: Request) -> Response:
        """The addresses of all lists and of what takes no key, by name."""
        return Response({name: request.build_absolute_uri(reverse(view)) for name, view in _NAMED.items()})
