"""Middleware of pages and of the API, and the query parameters that a view of the API knows.

A view names its own in ``query_parameters``, and those that may be repeated in ``repeated_parameters`` too.
Those of its filters and of its pages are known without that.
"""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qsl

import structlog
from django.conf import settings
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponsePermanentRedirect,
    QueryDict,
)
from django.http.response import HttpResponseBase
from django.middleware.common import CommonMiddleware
from django.middleware.security import SecurityMiddleware
from django.urls import URLPattern, URLResolver, get_resolver, is_valid_path
from django.urls.resolvers import RoutePattern
from django.utils.cache import get_conditional_response, patch_vary_headers, set_response_etag
from django.utils.encoding import escape_uri_path
from rest_framework.mixins import ListModelMixin

from leaderboard.common.addresses import PROBE_METHODS, PROBES
from leaderboard.common.problems import (
    NO_DATABASE,
    OUTAGE,
    is_api,
    missing,
    not_found,
    refusal,
    unavailable,
    unusable,
    unusable_parameters,
    unusable_value,
    without_parameters,
)
from optarena.errors import InvalidInput, Problem, UnknownName
from optarena.limits import MAX_SUBMISSION_BYTES
from optarena.specs import unknown_name

_GIVEN_ID: Final = re.compile(r"[A-Za-z0-9-]{8,64}")
STATIC_PREFIX: Final = "/static/"
_QUIET: Final = PROBES | {"/metrics"}

_POLICY: Final = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
CONTENT_SECURITY_POLICY: Final = "; ".join(f"{name} {value}" for name, value in _POLICY.items())
_PERMISSIONS_POLICY: Final = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"

_log = structlog.get_logger("leaderboard.request")


class _Middleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)


# A proxy's request id is kept.
class RequestContextMiddleware(_Middleware):
    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if _GIVEN_ID.fullmatch(given) else uuid.uuid4().hex
        started, busy = time.perf_counter(), time.thread_time()
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            response = self.get_response(request)
            response["X-Request-ID"] = request_id
            if request.path not in _QUIET and not request.path.startswith(STATIC_PREFIX):
                _log.info(
                    "request",
                    method=request.method,
                    path=request.path,
                    status=response.status_code,
                    milliseconds=round(1000 * (time.perf_counter() - started), 1),
                    cpu_milliseconds=round(1000 * (time.thread_time() - busy), 1),
                )
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer what a page's view raises where the request or the moment is to blame.

        That is 503 for what is missing at the moment, 404 for an environment whose plug-in was removed, and
        422 for a value that cannot be used.
        """
        lacking = missing(exception)
        if lacking is not None:
            _log.warning("unavailable", detail=lacking)
            return unavailable(request, lacking)
        if isinstance(exception, UnknownName) and exception.field == "environment":
            said = f"{exception.message} It is not installed on this server."
            return not_found(request, Http404(said), near=without_parameters(request))
        if isinstance(exception, InvalidInput) and not is_api(request):
            return unusable_value(request, exception)
        return None


# The policy allows no inline script or style; a view may have set its own.
class SecurityHeadersMiddleware(_Middleware):
    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        response.headers.setdefault("Permissions-Policy", _PERMISSIONS_POLICY)
        return response


_CHARSETS: Final = ("utf-8", "utf8", "us-ascii", "ascii")


class RequestBodyMiddleware(_Middleware):
    """Refuses, before a byte is read, a body over the limit or in a coding that nothing here decodes."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        announced = request.META.get("CONTENT_LENGTH") or "0"
        # Without a length nothing is read at all, and an empty body would be blamed on the caller.
        if request.headers.get("Transfer-Encoding"):
            return refusal(request, "length-required")
        limit = MAX_SUBMISSION_BYTES
        if not is_api(request):
            limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE or limit
        if not announced.isdecimal() or int(announced) > limit:
            size = f"{int(announced):,} bytes" if announced.isdecimal() else f"a length of {announced[:20]!r}"
            said = f"The body has {size}; at most {limit:,} bytes are allowed."
            return refusal(request, "too-large", said)
        return (_undecodable(request) if int(announced) else None) or self.get_response(request)


def _undecodable(request: HttpRequest) -> HttpResponse | None:
    coding = request.headers.get("Content-Encoding", "").strip()
    charset = (request.content_params or {}).get("charset", "").strip()
    if coding.lower() not in {"", "identity"}:
        response = _unsupported(request, "Content-Encoding", coding, "Send the body without compression.")
        response["Accept-Encoding"] = "identity"  # RFC 9110, section 12.5.3
        return response
    if charset and charset.lower() not in _CHARSETS:
        return _unsupported(request, "Content-Type", charset, "Send the body as UTF-8.")
    return None


def _unsupported(request: HttpRequest, field: str, value: str, remedy: str) -> HttpResponse:
    message = f"The body is in {value[:_SHOWN]!r}, which is not read here."
    problem = Problem(field=field, value=value[:_SHOWN], message=message, remedy=remedy)
    return refusal(request, "unsupported-media-type", f"{message} {remedy}", [problem])


# Health checks go on: they name what is missing.
class OutageMiddleware(_Middleware):
    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        quiet = request.path in _QUIET and request.method in PROBE_METHODS
        if not quiet and OUTAGE.lasts():
            return unavailable(request, NO_DATABASE)
        return self.get_response(request)


# A client repeats a request as it was: after 301 many turn a POST into a GET, which would read.
class _SameRequest(HttpResponsePermanentRedirect):
    status_code = HTTPStatus.PERMANENT_REDIRECT


class HttpsMiddleware(SecurityMiddleware):
    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        found = super().process_request(request)
        return None if found is None else _SameRequest(found.url)


# Health checks ask by whatever address reaches the server.
class HostMiddleware(CommonMiddleware):
    response_redirect_class = _SameRequest

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        if is_api(request) and _STRAY.search(request.path_info):
            return _to_meant(request) or super().process_request(request)
        return None if request.path_info in PROBES else super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Lead an address of the API that is nearly right to the one that is meant, whatever the method."""
        is_nowhere = response.status_code in _NOWHERE and is_api(request)
        return super().process_response(request, (_to_meant(request) if is_nowhere else None) or response)


_STRAY: Final = re.compile(r"//|\s(?:/|$)|/\s")
_NOWHERE: Final = {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}
_API_ROUTES: Final = "api/v1/"
_PARAMETER: Final = re.compile(r"<(\w+):(\w+)>")


def _to_meant(request: HttpRequest) -> _SameRequest | None:
    # Slashes and spaces are put right; if that does not suffice, the case of ids and of the fixed words too.
    path = "/".join(one for one in map(str.strip, request.path_info.split("/")) if one)
    found = [f"/{one}" for one in (f"{path}/", path) if is_valid_path(f"/{one}")]
    if not found or request.path_info in found:
        found = [*_in_small_letters(f"{path}/"), *_in_small_letters(path)]
    if not found or found[0] == request.path_info:
        return None
    query = request.META.get("QUERY_STRING", "")
    return _SameRequest(escape_uri_path(found[0]) + (f"?{query}" if query else ""))


def _in_small_letters(path: str) -> Iterator[str]:
    # What stands for a parameter is left as it is, except an id.
    for route, pattern in _api_routes():
        if match := pattern.match(path):
            given = match.groupdict()
            yield "/" + _PARAMETER.sub(
                lambda one: given[one[2]].lower() if one[1] == "uuid" else given[one[2]],  # noqa: B023 # called here
                route,
            )


@cache
def _api_routes() -> list[tuple[str, re.Pattern[str]]]:
    def routes(patterns: Iterable[URLPattern | URLResolver], before: str) -> Iterator[str]:
        for one in patterns:
            route = before + str(one.pattern)
            inside = getattr(one, "url_patterns", None)
            yield from (route,) if inside is None else routes(inside, route)

    found = [one for one in routes(get_resolver().url_patterns, "") if one.startswith(_API_ROUTES)]
    return [
        (one, re.compile(RoutePattern(one, is_endpoint=True).regex.pattern, re.IGNORECASE)) for one in found
    ]


# No name has a NUL, and PostgreSQL refuses it in a query.
class PlainAddressMiddleware(_Middleware):
    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if "\0" in request.path_info:
            return not_found(request, Http404("There is no such address."))
        if "%00" in request.META.get("QUERY_STRING", ""):
            for name, value in parse_qsl(request.META["QUERY_STRING"], keep_blank_values=True):
                if "\0" in name + value:
                    return unusable(request, name, value, "It has a NUL character.", "Remove the %00.")
        return self.get_response(request)


_PAGING: Final = ("cursor", "page_size")
_FLAGS: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
_SHOWN: Final = 100


def known_parameters(view: type[object]) -> tuple[str, ...]:
    filters = getattr(getattr(view, "filterset_class", None), "base_filters", {})
    paging = _PAGING if issubclass(view, ListModelMixin) else ()
    return (*getattr(view, "query_parameters", ()), *filters, *paging)


# A parameter that is unknown, or given more than once, would have no effect.
def parameter_problems(
    given: QueryDict, known: tuple[str, ...], repeated: tuple[str, ...] = ()
) -> list[Problem]:
    problems = []
    for name, values in given.lists():
        value = values[-1][:_SHOWN]
        if name not in known:
            error = unknown_name("parameter", name, known)
            remedy = error.remedy if known else "Leave it out: this request takes none."
            problems.append(Problem(field=name[:_SHOWN], value=value, message=error.message, remedy=remedy))
        elif len(values) > 1 and name not in repeated:
            message = f"The parameter is given {len(values)} times."
            problems.append(Problem(field=name, value=value, message=message, remedy="Give it once."))
    return problems


def flag(name: str, text: str | None) -> bool:
    if text is None:
        return False
    if text.lower() not in _FLAGS:
        message = f"The parameter {name} is neither true nor false."
        remedy = "Give `true` or `false`, or leave it out."
        raise InvalidInput(message, field=name, value=text[:_SHOWN], remedy=remedy)
    return _FLAGS[text.lower()]


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


# A misspelt parameter of the API would change nothing.
class KnownParametersMiddleware(_Middleware):
    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponseBase], *_: object
    ) -> HttpResponse | None:
        kind = getattr(view, "cls", None)
        if kind is None or not is_api(request) or request.method in getattr(kind, "free_queries", ()):
            return None
        problems = parameter_problems(
            request.GET, known_parameters(kind), getattr(kind, "repeated_parameters", ())
        )
        return unusable_parameters(request, problems) if problems else None


_OF_A_BUTTON: Final = "This is the address of a button. Go to the page that has it, and press it there."


def _page_above(path: str) -> str | None:
    parts = path.strip("/").split("/")
    above = (f"/{'/'.join(parts[:end])}/" for end in range(len(parts) - 1, 0, -1))
    return next(filter(is_valid_path, above), None)


# Django's own answer is an empty page, which a user meets whose login leads back to the address of a button.
class AllowedMethodsMiddleware(_Middleware):
    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not isinstance(response, HttpResponseNotAllowed) or is_api(request):
            return response
        is_read = request.method in {"GET", "HEAD"}
        above = _page_above(request.path) if is_read else None
        near = (above, "The page with the button") if above else None
        page = refusal(request, "method-not-allowed", _OF_A_BUTTON if is_read else "", near=near)
        page["Allow"] = response["Allow"]
        return page


# Other sites read as nobody: a browser sends them neither the cookies nor the token of its user.
class ReadingMiddleware(_Middleware):
    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not is_api(request):
            return self.get_response(request)
        shared = settings.OPTARENA_CROSS_ORIGIN
        asked = request.headers.get("Access-Control-Request-Method")
        if shared and request.method == "OPTIONS" and asked in _READING:  # only OPTIONS is a question
            return HttpResponse(status=204, headers=_ANSWER_BEFORE)
        response = self.get_response(request)
        if request.method not in _READING:
            return response
        control = response.headers.get("Cache-Control", "")
        is_plain = "ETag" not in response.headers and "no-store" not in control  # a download has one
        if isinstance(response, HttpResponse) and response.status_code == HTTPStatus.OK and is_plain:
            # Whoever keeps an answer asks each time whether it still holds.
            response.headers.setdefault("Cache-Control", "private, no-cache")
            patch_vary_headers(response, ("Authorization", "Cookie"))
            set_response_etag(response)
            etag = response["ETag"]
            # Compressed, the same answer had a weak tag.
            if (asked := request.headers.get("If-Match", "")).startswith('W/"'):
                request.META["HTTP_IF_MATCH"] = asked.removeprefix("W/")
            response = get_conditional_response(request, etag=etag, response=response) or response
        if shared:
            for name, value in _EVERY_SITE.items():
                response[name] = value
        return response
