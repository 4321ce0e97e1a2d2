"""Turns every error of an API request into an RFC 9457 problem document.

A problem is ``{type, title, status, detail, instance, remedy, errors: [{field, row?, value, message,
remedy}]}``. Views and services only raise; nothing else builds an error answer.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpResponse, UnreadablePostError
from django.utils.encoding import escape_uri_path
from rest_framework import exceptions
from rest_framework.permissions import SAFE_METHODS
from rest_framework.response import Response
from rest_framework.views import set_rollback

from leaderboard.common.field_errors import field_errors, problem_as_dict
from leaderboard.common.problem_types import PROBLEM_TYPES, ProblemType, type_for_status
from leaderboard.common.unavailable import RETRY_SECONDS, missing
from optarena.documents.places import shown
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.limits import MAX_PROBLEMS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import HttpRequest
    from rest_framework.request import Request

_STOPPED: Final = f"At least {MAX_PROBLEMS} values cannot be used; the first {MAX_PROBLEMS} are listed."
CONTENT_TYPE: Final = "application/problem+json"


class ProblemError(exceptions.APIException):
    """Raise this in a view to answer with a given kind of problem.

    Args:
        type_id: A key of ``PROBLEM_TYPES``.
        detail: What is wrong with this request.
        errors: The offending fields, if any.
        headers: Headers to send along.
    """

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
    """A problem document, ready to be written as JSON."""
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
    """A problem as a plain Django response, for what fails outside the REST framework."""
    kind = PROBLEM_TYPES[type_id]
    listed = [problem_as_dict(one) for one in errors]
    body = document(kind, detail=detail or kind.title, instance=escape_uri_path(request.path), errors=listed)
    return HttpResponse(json.dumps(body), status=int(kind.status), content_type=CONTENT_TYPE)


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> Response | None:
    """The REST framework's exception handler. An unknown exception becomes a 500 problem."""
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
    if isinstance(exc, InvalidInput):
        return _from_invalid_input(exc)
    if isinstance(exc, exceptions.ValidationError):
        errors = field_errors(exc.detail, _data_of(request))
        return PROBLEM_TYPES["invalid-document"], count_of(len(errors)), errors, {}
    if isinstance(exc, exceptions.APIException):
        return _from_api_exception(exc)
    if (lacking := missing(exc)) is not None:
        return PROBLEM_TYPES["unavailable"], lacking, [], {"Retry-After": str(RETRY_SECONDS)}
    return _from_django(exc)


def _from_invalid_input(exc: InvalidInput) -> _Parts:
    kind = PROBLEM_TYPES["invalid-document"]
    if isinstance(exc, InvalidDocument):
        detail = count_of(len(exc.problems)) if exc.is_complete else _STOPPED
        return kind, detail, [problem_as_dict(item) for item in exc.problems], {}
    return kind, exc.message, [problem_as_dict(Problem.of(exc, value=shown(exc.value)))], {}


def _from_api_exception(exc: exceptions.APIException) -> _Parts:
    codes = exc.get_codes()
    code = codes if isinstance(codes, str) else ""
    if isinstance(exc, exceptions.ParseError):
        code = "malformed-document"
    kind = PROBLEM_TYPES.get(code) or type_for_status(exc.status_code)
    headers: dict[str, str] = {}
    if challenge := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if (wait := getattr(exc, "wait", None)) is not None:
        headers["Retry-After"] = str(max(1, int(wait)))
    listed = [problem_as_dict(one) for one in getattr(exc, "errors", ())]
    return kind, str(exc.detail), listed, headers


def _from_django(exc: Exception) -> _Parts | None:
    if isinstance(exc, Http404):
        return PROBLEM_TYPES["not-found"], str(exc) or PROBLEM_TYPES["not-found"].title, [], {}
    if isinstance(exc, PermissionDenied):
        kind = PROBLEM_TYPES["permission-denied"]
        return kind, str(exc) or kind.title, [], {}
    if isinstance(exc, UnreadablePostError):
        return PROBLEM_TYPES["body-timeout"], PROBLEM_TYPES["body-timeout"].title, [], {}
    if isinstance(exc, RequestDataTooBig):
        return PROBLEM_TYPES["too-large"], PROBLEM_TYPES["too-large"].title, [], {}
    if isinstance(exc, SuspiciousOperation):
        return type_for_status(HTTPStatus.BAD_REQUEST), "The request was refused as unsafe.", [], {}
    return None


def _data_of(request: Request) -> object:
    if request.method in SAFE_METHODS:
        return request.query_params
    try:
        return request.data
    except exceptions.APIException:
        return None


def count_of(number: int) -> str:
    """The sentence that says how many values cannot be used."""
    return "One value cannot be used." if number == 1 else f"{number} values cannot be used."
