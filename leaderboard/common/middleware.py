"""Middleware: request ids and a log line for each request, security headers, size limit of bodies."""

from __future__ import annotations

import re
import time
import uuid
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl

import structlog
from django.conf import settings
from django.http import Http404
from django.middleware.common import CommonMiddleware

from leaderboard.common.addresses import PROBE_METHODS, PROBES
from leaderboard.common.errors import (
    is_api,
    length_required,
    not_found,
    too_large,
    unavailable,
    unusable_parameter,
    unusable_value,
)
from leaderboard.common.unavailable import NO_DATABASE, OUTAGE, missing
from optarena.errors import InvalidInput, UnknownName
from optarena.limits import MAX_SUBMISSION_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
    from django.http.response import HttpResponseBase

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


class RequestContextMiddleware:
    """Gives each request an id (a proxy's is kept), and logs how the request ended."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        given = request.headers.get("X-Request-ID", "")
        request_id = given if _GIVEN_ID.fullmatch(given) else uuid.uuid4().hex
        started = time.perf_counter()
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
                )
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer what a page's view raises, if the request or the moment is to blame and not the server.

        That is 503 for what is missing at the moment, 404 for an environment whose plug-in was removed, and
        422 for an address with a value that cannot be used.
        """
        lacking = missing(exception)
        if lacking is not None:
            _log.warning("unavailable", detail=lacking)
            return unavailable(request, lacking)
        if isinstance(exception, UnknownName) and exception.field == "environment":
            return not_found(request, Http404(f"{exception.message} It is not installed on this server."))
        if isinstance(exception, InvalidInput) and not is_api(request):
            return unusable_value(request, exception)
        return None


class SecurityHeadersMiddleware:
    """Adds a content security policy that allows no inline script or style, unless the view set its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        response.headers.setdefault("Permissions-Policy", _PERMISSIONS_POLICY)
        return response


class RequestSizeLimitMiddleware:
    """Refuses a body over the limit by its announced length, before a byte of it is read."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request, or refuse its body."""
        announced = request.META.get("CONTENT_LENGTH") or "0"
        # Without a length nothing is read at all, and an empty body would be blamed on the caller.
        if request.headers.get("Transfer-Encoding"):
            return length_required(request)
        limit = MAX_SUBMISSION_BYTES
        if not is_api(request):
            limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE or limit
        if not announced.isdecimal() or int(announced) > limit:
            return too_large(request, announced, limit)
        return self.get_response(request)


class OutageMiddleware:
    """Answers 503 at once while no connection to the database can be made; see ``unavailable``."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request. Health checks go on: they name what is missing."""
        quiet = request.path in _QUIET and request.method in PROBE_METHODS
        if not quiet and OUTAGE.lasts():
            return unavailable(request, NO_DATABASE)
        return self.get_response(request)


class HostMiddleware(CommonMiddleware):
    """Refuses a host that is not the server's; health checks ask by whatever address reaches it."""

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        """Answer a request that is for another host, or whose address lacks the slash at its end."""
        return None if request.path_info in PROBES else super().process_request(request)


class PlainAddressMiddleware:
    """Refuses an address with a NUL: no name has one, and PostgreSQL refuses it in a query."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request, or refuse its address."""
        if "\0" in request.path_info:
            return not_found(request, Http404("There is no such address."))
        if "%00" in request.META.get("QUERY_STRING", ""):
            for name, value in parse_qsl(request.META["QUERY_STRING"], keep_blank_values=True):
                if "\0" in name + value:
                    return unusable_parameter(request, name, value)
        return self.get_response(request)
