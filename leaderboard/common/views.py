"""Pages about the API itself: its documentation, and the kinds of problems it answers with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView

from leaderboard.common.middleware import CONTENT_SECURITY_POLICY
from leaderboard.common.problem_types import PROBLEM_TYPES

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from rest_framework.request import Request
    from rest_framework.response import Response

# Swagger UI styles its own elements; scripts stay limited to our own files.
_DOCS_POLICY: Final = CONTENT_SECURITY_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")


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
    """All kinds of problems: what each means and what to do."""
    return render(request, "problems.html", {"problem_types": PROBLEM_TYPES.values()})
