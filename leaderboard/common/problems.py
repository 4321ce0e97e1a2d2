"""The kinds of problems that the server answers with (RFC 9457), and what errors, fields and outages become.

Ids of problems are part of the API: one is never renamed or reused. What lacks the database, or room on a
disk, is answered with 503 and may be repeated. While no connection to the database can be made, one request
at a time tries, and the others are answered at once: otherwise all threads would wait for it. That all
connections of this process are in use is not such an outage: it concerns the one request alone.
"""

from __future__ import annotations

import errno
import json
import math
import re
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, cast
from urllib.parse import urlsplit

import psycopg
import structlog
from django.core.exceptions import DisallowedHost, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import Error as DatabaseError
from django.db import InterfaceError, OperationalError, connection
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.encoding import escape_uri_path
from django.utils.http import url_has_allowed_host_and_scheme
from psycopg_pool import PoolTimeout
from rest_framework import exceptions
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import set_rollback

from datasets.site import formats
from optarena.documents.places import quote_value
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.limits import MAX_PROBLEMS


@dataclass(frozen=True, slots=True)
class ProblemType:
    id: str
    status: HTTPStatus
    title: str
    remedy: str

    @property
    def uri(self) -> str:
        return f"/problems/#{self.id}"


# Each with its id, its status, its title, and what the caller can do.
_ALL: Final = tuple(ProblemType(kind, HTTPStatus(status), title, remedy) for kind, status, title, remedy in (
    ("bad-request", 400, "The request cannot be understood",
     "Compare the request with the API's documentation at /api/v1/docs/."),
    ("malformed-document", 400, "The body cannot be parsed",
     "Send a body that is valid in the format named by its Content-Type."),
    ("body-timeout", 408, "The request did not arrive in time",
     "Send the whole request at once, or try again over a better connection."),
    ("not-authenticated", 401, "Authentication is needed",
     "Send the header `Authorization: Bearer <token>`; make a token at /accounts/tokens/."),
    ("invalid-token", 401, "The token is not valid",
     "Check that the whole token was copied, or make a new one at /accounts/tokens/."),
    ("account-closed", 401, "The account is closed",
     "Ask the operator of this server."),
    ("token-expired", 401, "The token has expired",
     "Make a new token at /accounts/tokens/ or with POST /api/v1/auth/token/."),
    ("invalid-credentials", 401, "User name or password is wrong",
     "Check both, or sign up at /accounts/signup/."),
    ("permission-denied", 403, "You do not have permission to do this",
     "Use the account that owns it."),
    ("csrf-failed", 403, "The form's security token is missing or wrong",
     "Reload the page, allow its cookie and send the form again; scripts use a token instead."),
    ("not-found", 404, "There is nothing here",
     "Check the address; /api/v1/docs/ shows all addresses of the API."),
    ("invalid-cursor", 404, "The cursor does not point into this list",
     "Follow the `next` and `previous` links of an answer, or start without a cursor."),
    ("method-not-allowed", 405, "This method is not allowed here",
     "Use one of the methods named in the Allow header."),
    ("not-acceptable", 406, "None of the formats you accept is available",
     "Accept `application/json`."),
    ("conflict", 409, "The request contradicts what is stored",
     "Look at the stored state first, then send a request that fits it."),
    ("idempotency-key-reused", 409, "This Idempotency-Key was used with another body",
     "Send a new key for a new submission, or the same body for the same key."),
    ("length-required", 411, "The length of the body must be known",
     "Send a Content-Length header instead of a chunked body."),
    ("precondition-failed", 412, "The file is not the one that you expect",
     "Leave out If-Match, or send the ETag that a HEAD request returns."),
    ("range-not-satisfiable", 416, "The requested bytes do not exist",
     "Request bytes below the size that the Content-Range header gives, or leave out Range."),
    ("too-large", 413, "The body is too large",
     "Split the submission; the limits are listed at /api/v1/limits/."),
    ("head-too-large", 431, "The headers are too large",
     "Send fewer or shorter headers, and a shorter address."),
    ("unsupported-media-type", 415, "This media type is not supported here",
     "Send `application/json`, or `text/csv` where the documentation allows it."),
    ("invalid-document", 422, "Some values cannot be used",
     "Every problem is listed in `errors`, each with what to do. The request has changed nothing."),
    ("throttled", 429, "Too many requests",
     "Wait as long as the answer says: its header Retry-After has the seconds."),
    ("quota-exceeded", 429, "Your quota does not suffice now",
     "Wait as long as the answer says, or submit less; nothing was stored."),
    ("internal-error", 500, "The server failed because of an internal error",
     "Try again later; if it happens again, report the request id in the X-Request-ID header."),
    ("unavailable", 503, "The server cannot do this at the moment",
     ("Send the same request again after the seconds in the Retry-After header; a submission with "
      "an Idempotency-Key is stored once.")),
))  # fmt: skip

PROBLEM_TYPES: Final[dict[str, ProblemType]] = {kind.id: kind for kind in _ALL}

# The first of several kinds with a status is the general one.
_BY_STATUS: Final = {int(kind.status): kind for kind in reversed(_ALL)}


def type_for_status(status: int) -> ProblemType:
    fallback = "internal-error" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "bad-request"
    return _BY_STATUS.get(status) or PROBLEM_TYPES[fallback]


_SECRET_FIELDS: Final = frozenset({"password", "new_password", "token"})
_REMEDIES: Final = {
    "required": "Add this field.",
    "null": "Give a value, or leave the field out.",
    "blank": "Give a value that is not empty.",
    "empty": "Give at least one element.",
    "invalid": "Give a value of the documented type.",
    "invalid_choice": "Use one of the documented values.",
    "does_not_exist": "Use an existing name; the lists under /api/v1/ show them.",
    "max_length": "Shorten the value.",
    "min_length": "Give a longer value.",
    "max_value": "Give a smaller value.",
    "min_value": "Give a larger value.",
    "not_a_list": "Give a list.",
    "unique": "Choose another value.",
}


def problem_as_dict(problem: Problem) -> dict[str, Any]:
    entry: dict[str, Any] = {"field": problem.field}
    if problem.row is not None:
        entry["row"] = problem.row
    return entry | {"value": quote_value(problem.value), "message": problem.message, "remedy": problem.remedy}


def _field_errors(detail: object, data: object) -> list[dict[str, Any]]:
    """Return all errors of a validation in document order. Values are quoted from ``data``, never secrets."""
    found = []
    for path, error in _walk((), detail):
        entry: dict[str, Any] = {"field": ".".join(map(str, path))}
        row = next((step for step in path if isinstance(step, int)), None)
        if row is not None:
            entry["row"] = row
        code = str(getattr(error, "code", "invalid"))
        entry["value"] = _value_at(path, data)
        entry["message"] = str(error)
        entry["remedy"] = getattr(error, "remedy", "") or _REMEDIES.get(code, _REMEDIES["invalid"])
        found.append(entry)
    return found


def _walk(path: tuple[str | int, ...], detail: object) -> Iterator[tuple[tuple[str | int, ...], object]]:
    if isinstance(detail, dict):
        for key, inner in detail.items():
            yield from _walk(path if key == "non_field_errors" else (*path, key), inner)
    elif isinstance(detail, list):
        for position, inner in enumerate(detail):
            yield from _walk((*path, position) if isinstance(inner, dict | list) else path, inner)
    else:
        yield path, detail


def _value_at(path: tuple[str | int, ...], data: object) -> str:
    if not path or _SECRET_FIELDS.intersection(path):
        return ""
    for step in path:
        if isinstance(data, dict):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return ""
    return quote_value(data)


RETRY_SECONDS: Final = 5  # Our client waits so long.
NO_DATABASE: Final = "The database cannot be reached."
_FULL: Final = "The server's disk is full."
_BROKEN: Final = "The database did not answer."
_BUSY: Final = "All connections to the database are in use."
_SAID: Final = {
    psycopg.errors.DiskFull: _FULL,
    psycopg.errors.OutOfMemory: "The database does not have enough memory.",
    psycopg.errors.ReadOnlySqlTransaction: "The database accepts no writes.",
}
_DISK: Final = {errno.ENOSPC: _FULL, errno.EDQUOT: _FULL, errno.EROFS: "The server's disk accepts no writes."}
_log = structlog.get_logger(__name__)


def missing(error: BaseException | None) -> str | None:
    if isinstance(error, OSError):
        return _DISK.get(error.errno or 0)
    if not isinstance(error, DatabaseError):
        return None
    cause: BaseException | None = error
    while cause is not None:
        for kind, text in _SAID.items():
            if isinstance(cause, kind):
                return text
        if isinstance(cause, PoolTimeout):
            return NO_DATABASE if OUTAGE.begins(is_full=_pool_is_full()) else _BUSY
        cause = cause.__cause__
    return _BROKEN if isinstance(error, OperationalError | InterfaceError) else None


class Outage:
    def __init__(self) -> None:
        self._down = False
        self._trying = threading.Lock()

    def begins(self, *, is_full: bool) -> bool:
        """Whether one lasts; asked when this process could not have a connection in time.

        If it has as many as it may, others use them all, and only a further one tells.
        """
        with self._trying:
            if not self._down and not (is_full and _reachable()):
                _log.error("the database cannot be reached")
                self._down = True
        return self._down

    def lasts(self) -> bool:
        """Whether one still lasts: one request at a time finds out."""
        if not self._down:
            return False
        if not self._trying.acquire(blocking=False):
            return True
        try:
            if _reachable():
                self._down = False
                _log.info("the database can be reached again")
        finally:
            self._trying.release()
        return self._down


def _pool_is_full() -> bool:
    figures = cast("Any", connection).pool.get_stats()
    return bool(figures["pool_size"] >= figures["pool_max"])


# By a connection that is not of the pool.
def _reachable() -> bool:
    parameters = connection.get_connection_params() | {"connect_timeout": RETRY_SECONDS}
    try:
        psycopg.connect(**parameters).close()
    except psycopg.Error:
        return False
    return True


OUTAGE: Final = Outage()


_STOPPED: Final = f"At least {MAX_PROBLEMS} values cannot be used; the first {MAX_PROBLEMS} are listed."
CONTENT_TYPE: Final = "application/problem+json"


class ProblemError(exceptions.APIException):
    """Raise this in a view to answer with a kind of problem, named by a key of ``PROBLEM_TYPES``."""

    def __init__(
        self,
        type_id: str,
        detail: str = "",
        *,
        errors: Sequence[Problem] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.problem_type = PROBLEM_TYPES[type_id]
        super().__init__(detail or self.problem_type.title, code=type_id)
        self.status_code = int(self.problem_type.status)
        self.errors = tuple(errors)
        self.headers = dict(headers or {})


def document(
    kind: ProblemType, *, detail: str, instance: str, errors: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    body: dict[str, Any] = {
        "type": kind.uri,
        "title": kind.title,
        "status": int(kind.status),
        "detail": detail,
        "instance": instance,
        "remedy": kind.remedy,
    }
    if errors:
        body["errors"] = list(errors)
    return body


def problem_response(
    request: HttpRequest, type_id: str, detail: str = "", errors: Sequence[Problem] = ()
) -> HttpResponse:
    kind = PROBLEM_TYPES[type_id]
    listed = [problem_as_dict(one) for one in errors]
    body = document(kind, detail=detail or kind.title, instance=escape_uri_path(request.path), errors=listed)
    return HttpResponse(json.dumps(body), status=int(kind.status), content_type=CONTENT_TYPE)


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> Response | None:
    request, view = context["request"], context["view"]
    if isinstance(exc, exceptions.NotAuthenticated) and request.method not in view.allowed_methods:
        # Permission is asked for before the method is looked up, and no login would make it exist.
        exc = exceptions.MethodNotAllowed(request.method)
    error = _as_problem(exc, request)
    if error is None:
        return None
    kind, detail, errors, headers = error
    set_rollback()
    body = document(kind, detail=detail, instance=escape_uri_path(request.path), errors=errors)
    return Response(body, status=int(kind.status), headers=headers, content_type=CONTENT_TYPE)


_Parts = tuple[ProblemType, str, "list[dict[str, Any]]", dict[str, str]]


def _as_problem(exc: Exception, request: Request) -> _Parts | None:
    if isinstance(exc, ProblemError):
        listed = [problem_as_dict(item) for item in exc.errors]
        return exc.problem_type, str(exc.detail), listed, exc.headers
    invalid = PROBLEM_TYPES["invalid-document"]
    if isinstance(exc, InvalidDocument):
        detail = _count_of(exc.problems) if exc.is_complete else _STOPPED
        return invalid, detail, [problem_as_dict(item) for item in exc.problems], {}
    if isinstance(exc, InvalidInput):
        return invalid, exc.message, [problem_as_dict(Problem.of(exc, value=quote_value(exc.value)))], {}
    if isinstance(exc, exceptions.ValidationError):
        errors = _field_errors(exc.detail, _data_of(request))
        return invalid, _count_of(errors), errors, {}
    if isinstance(exc, exceptions.APIException):
        if isinstance(exc, exceptions.NotAuthenticated) and "Authorization" in request.headers:
            said = "The header Authorization is not Bearer, a space and a token."
            exc.detail = exceptions.ErrorDetail(said, exc.default_code)
        return _from_api_exception(exc)
    return _from_django(exc)


def _from_api_exception(exc: exceptions.APIException) -> _Parts:
    codes = exc.get_codes()
    code = codes if isinstance(codes, str) else ""
    if isinstance(exc, exceptions.ParseError):
        code = "malformed-document"
    kind = PROBLEM_TYPES.get(code) or type_for_status(exc.status_code)
    headers: dict[str, str] = {}
    if challenge := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    detail = str(exc.detail)
    if (wait := getattr(exc, "wait", None)) is not None:
        seconds = max(1, math.ceil(wait))
        headers["Retry-After"] = str(seconds)
        detail = f"You have asked too often. Ask again in {formats.wait(seconds)}."
    return kind, detail, [problem_as_dict(one) for one in getattr(exc, "errors", ())], headers


def _from_django(exc: Exception) -> _Parts | None:
    if (lacking := missing(exc)) is not None:
        return PROBLEM_TYPES["unavailable"], lacking, [], {"Retry-After": str(RETRY_SECONDS)}
    if isinstance(exc, Http404 | PermissionDenied):
        kind = PROBLEM_TYPES["not-found" if isinstance(exc, Http404) else "permission-denied"]
        return kind, str(exc) or kind.title, [], {}
    if isinstance(exc, UnreadablePostError | RequestDataTooBig):
        kind = PROBLEM_TYPES["body-timeout" if isinstance(exc, UnreadablePostError) else "too-large"]
        return kind, kind.title, [], {}
    if isinstance(exc, SuspiciousOperation):
        return PROBLEM_TYPES["bad-request"], "The request was refused as unsafe.", [], {}
    return None


def _data_of(request: Request) -> object:
    if request.method in SAFE_METHODS:
        return request.query_params
    try:
        return request.data
    except exceptions.APIException:
        return None


def _count_of(errors: Sized) -> str:
    number = len(errors)
    return "One value cannot be used." if number == 1 else f"{number} values cannot be used."


_API: Final = re.compile(r"/+\s*api\s*(?:/|$)", re.IGNORECASE)
_OTHER_HOST: Final = (
    "This server does not answer to that name.",
    "Use a name of the server; its operator lists them in OPTARENA_ALLOWED_HOSTS.",
)


# Programs get problem documents, also at an address that is almost one of the API.
def is_api(request: HttpRequest) -> bool:
    return _API.match(request.path) is not None


# The exception's text may repeat hostile input and is not shown.
def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, DisallowedHost):
        return unusable(request, "Host", request.META.get("HTTP_HOST", ""), *_OTHER_HOST)
    return refusal(request, "bad-request")


def unusable_value(
    request: HttpRequest, error: InvalidInput, near: tuple[str, str] | None = None
) -> HttpResponse:
    """Answer for a page whose address has a value that cannot be used; ``near`` is as in ``refusal``."""
    said = f"{error.message} {error.remedy}"
    field = f"{error.field}: "
    detail = said if said.startswith(field) else field + said
    return refusal(request, "invalid-document", detail, near=near or without_parameters(request))


def without_parameters(request: HttpRequest) -> tuple[str, str] | None:
    is_asked = request.method in {"GET", "HEAD"} and request.GET
    return (request.path, "The page without parameters") if is_asked else None


def unusable_parameters(request: HttpRequest, problems: Sequence[Problem]) -> HttpResponse:
    return refusal(request, "invalid-document", _count_of(problems), problems)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return refusal(request, "permission-denied", str(exception))


def not_found(
    request: HttpRequest, exception: Exception, near: tuple[str, str] | None = None
) -> HttpResponse:
    said = str(exception) if exception.args and isinstance(exception.args[0], str) else ""
    return refusal(request, "not-found", said, near=near)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    # Who has logged in or out in another tab goes back to the form, and gets its new token.
    try:
        sender = urlsplit(request.headers.get("Referer", ""))
    except ValueError:  # as of http://[
        return refusal(request, "csrf-failed", reason)
    address = sender._replace(scheme="", netloc="", fragment="").geturl()
    is_ours = sender.netloc == request.get_host() and url_has_allowed_host_and_scheme(address, None)
    near = (address, "The page with the form") if is_ours else None
    return refusal(request, "csrf-failed", reason, near=near)


# The page needs no database.
def unavailable(request: HttpRequest, detail: str) -> HttpResponse:
    if is_api(request):
        response = problem_response(request, "unavailable", detail)
    else:
        context = {"problem": PROBLEM_TYPES["unavailable"], "detail": detail}
        response = HttpResponse(render_to_string("503.html", context), status=503)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


# The page needs neither a database nor a session, since these may be what failed.
def server_error(request: HttpRequest) -> HttpResponse:
    lacking = missing(sys.exc_info()[1])
    if lacking is not None:
        return unavailable(request, lacking)
    request_id = str(structlog.contextvars.get_contextvars().get("request_id", ""))
    if is_api(request):
        return problem_response(request, "internal-error", f"Request {request_id} failed.")
    context = {"problem": PROBLEM_TYPES["internal-error"], "request_id": request_id}
    return HttpResponse(render_to_string("500.html", context), status=500)


def unusable(request: HttpRequest, field: str, value: str, message: str, remedy: str) -> HttpResponse:
    problem = Problem(field=field, value=value, message=message, remedy=remedy)
    return refusal(request, "bad-request", f"{quote_value(field)}: {message} {remedy}", [problem])


def refusal(
    request: HttpRequest,
    type_id: str,
    detail: str = "",
    errors: Sequence[Problem] = (),
    near: tuple[str, str] | None = None,
) -> HttpResponse:
    """A problem document of the API, or a page; ``near`` is the address and the name of one to go on from."""
    if is_api(request):
        return problem_response(request, type_id, detail, errors)
    kind = PROBLEM_TYPES[type_id]
    template = "404.html" if type_id == "not-found" else "problem.html"
    context = {"problem": kind, "detail": detail, "near": near}
    return render(request, template, context, status=int(kind.status))
