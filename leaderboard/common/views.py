"""Pages about the API itself: its documentation and its problem types."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from leaderboard.common.middleware import CONTENT_SECURITY_POLICY
from leaderboard.common.problem_types import PROBLEM_TYPES

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.renderers import BaseRenderer
    from rest_framework.request import Request
    from rest_framework.response import Response

# Swagger UI styles its own elements; scripts stay limited to our own files.
_DOCS_POLICY: Final = CONTENT_SECURITY_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")


_writing = threading.Lock()
_written: dict[str, bytes] = {}
"""By media type."""


class SchemaView(SpectacularAPIView):
    """The OpenAPI document, which a process writes once: that takes a second, and anybody may ask."""

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
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call] # ships none
    body: bytes = renderer.render(schema, renderer_context={})
    return body


class ApiDocsView(SpectacularSwaggerSplitView):
    """The API's documentation, from files of this server only."""

    template_name = "api_docs.html"

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - inherited
        """The page, or its script."""
        response: Response = super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call] # ships none
        response.headers["Content-Security-Policy"] = _DOCS_POLICY
        return response


@require_safe
def problems(request: HttpRequest) -> HttpResponse:
    """All problem types: what each means and what to do."""
    return render(request, "problems.html", {"problem_types": PROBLEM_TYPES.values()})
