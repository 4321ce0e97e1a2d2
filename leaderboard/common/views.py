"""Pages about the API itself: its documentation and its problem types."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView

from leaderboard.common.problem_types import PROBLEM_TYPES
from leaderboard.common.reference import ApiReference, reference

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.renderers import BaseRenderer
    from rest_framework.request import Request

_writing = threading.Lock()
_written: dict[str, bytes] = {}
"""By media type."""


class SchemaView(SpectacularAPIView):
    """The OpenAPI document, which a process writes once: that takes a second, and anybody may ask."""

    query_parameters = ("format",)

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:  # noqa: ANN401, ARG002 - inherited
        """The document, as YAML or JSON."""
        renderer = request.accepted_renderer
        with _writing:
            if renderer.media_type not in _written:
                _written[renderer.media_type] = _document(renderer)
            body = _written[renderer.media_type]
        kind = renderer.media_type + (f"; charset={renderer.charset}" if renderer.charset else "")
        named = f'inline; filename="OptArena.{renderer.format}"'
        return HttpResponse(body, content_type=kind, headers={"Content-Disposition": named})


def _document(renderer: BaseRenderer) -> bytes:
    body: bytes = renderer.render(_schema(), renderer_context={})
    return body


@cache
def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call] # ships none
    return schema


@cache
def _reference() -> ApiReference:
    return reference(_schema())


@require_safe
def api_docs(request: HttpRequest) -> HttpResponse:
    """The API's reference: every operation with its parameters, bodies and answers."""
    with _writing:
        found = _reference()
    example = f"curl '{request.build_absolute_uri('/api/v1/boards/')}?page_size=3'"
    return render(request, "api_docs.html", {"reference": found, "example": example})


@require_safe
def problems(request: HttpRequest) -> HttpResponse:
    """All problem types: what each means and what to do."""
    return render(request, "problems.html", {"problem_types": PROBLEM_TYPES.values()})
