"""Middleware of the API alone: refuses unknown parameters, and lets programs and other sites read cheaply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.http import HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers, set_response_etag

from leaderboard.common.errors import is_api, unusable_parameters
from leaderboard.common.queries import known_parameters, refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

_READING: Final = ("GET", "HEAD")
_EVERY_SITE: Final = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "Content-Disposition, Content-Range, ETag, Retry-After, X-Request-ID",
}
# Not Authorization: other sites read what everybody reads.
_ANSWER_BEFORE: Final = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "Accept, If-Match, If-None-Match, If-Range, Range",
    "Access-Control-Max-Age": "86400",
}


class KnownParametersMiddleware:
    """Refuses query parameters that a view of the API does not read: a misspelt one would change nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        return self.get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponseBase],
        arguments: Sequence[Any],  # noqa: ARG002 - Django's signature
        keywords: Mapping[str, Any],  # noqa: ARG002 - as above
    ) -> HttpResponse | None:
        """Status 422 with every parameter that cannot be used."""
        kind = getattr(view, "cls", None)
        if kind is None or not is_api(request) or request.method in getattr(kind, "free_queries", ()):
            return None
        problems = refused(request.GET, known_parameters(kind), getattr(kind, "repeated_parameters", ()))
        return unusable_parameters(request, problems) if problems else None


class ReadingMiddleware:
    """Gives what is read an ETag, answers 304 to whoever has it, and lets pages of other sites read it.

    Other sites read as nobody: a browser sends them neither the cookies nor the token of its user.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        if not is_api(request):
            return self.get_response(request)
        shared = settings.OPTARENA_CROSS_ORIGIN
        if shared and _asks_before(request):
            return HttpResponse(status=204, headers=_ANSWER_BEFORE)
        response = self.get_response(request)
        if request.method in _READING:
            response = _tagged(request, response)
            if shared:
                for name, value in _EVERY_SITE.items():
                    response[name] = value
        return response


def _asks_before(request: HttpRequest) -> bool:
    """Whether a browser asks if a page of another site may read; only OPTIONS is a question."""
    return request.method == "OPTIONS" and request.headers.get("Access-Control-Request-Method") in _READING


def _tagged(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """An answer with its ETag, or 304. A download brings its own; a stream has none."""
    if response.status_code != HttpResponse.status_code or "ETag" in response.headers:
        return response
    if not isinstance(response, HttpResponse) or "no-store" in response.headers.get("Cache-Control", ""):
        return response
    # Whoever keeps an answer asks each time whether it still holds.
    response.headers.setdefault("Cache-Control", "private, no-cache")
    patch_vary_headers(response, ("Authorization", "Cookie"))
    set_response_etag(response)
    answer = get_conditional_response(request, etag=response["ETag"], response=response)
    return response if answer is None else answer
