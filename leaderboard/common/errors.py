"""Answers to what fails outside a view: a problem document under /api/, a page elsewhere."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import structlog
from django.core.exceptions import DisallowedHost
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from leaderboard.common.problem_types import PROBLEM_TYPES
from leaderboard.common.problems import count_of, problem_response
from leaderboard.common.unavailable import RETRY_SECONDS, missing
from optarena.documents.places import shown
from optarena.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest

    from optarena.errors import InvalidInput

API_PREFIX: Final = "/api/"
_OTHER_HOST: Final = (
    "This server does not answer to that name.",
    "Use a name of the server; its operator lists them in OPTARENA_ALLOWED_HOSTS.",
)


def is_api(request: HttpRequest) -> bool:
    """Whether the caller is a program, which gets problem documents."""
    return request.path.startswith(API_PREFIX)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Status 400; the exception's text may repeat hostile input and is not shown."""
    if isinstance(exception, DisallowedHost):
        return _unusable(request, "Host", request.META.get("HTTP_HOST", ""), *_OTHER_HOST)
    return _answer(request, "bad-request")


def unusable_parameter(request: HttpRequest, name: str, value: str) -> HttpResponse:
    """Status 400, for a parameter of the address with a NUL."""
    return _unusable(request, name, value, "It has a NUL character.", "Remove the %00.")


def unusable_value(request: HttpRequest, error: InvalidInput) -> HttpResponse:
    """Status 422, for a page whose address has a value that cannot be used."""
    said = f"{error.message} {error.remedy}"
    field = f"{error.field}: "
    return _answer(request, "invalid-document", said if said.startswith(field) else field + said)


def unusable_parameters(request: HttpRequest, problems: Sequence[Problem]) -> HttpResponse:
    """Status 422, for parameters of the address that cannot be used."""
    return _answer(request, "invalid-document", count_of(len(problems)), problems)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Status 403."""
    return _answer(request, "permission-denied", str(exception))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Status 404."""
    said = str(exception) if exception.args and isinstance(exception.args[0], str) else ""
    return _answer(request, "not-found", said)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Status 403, for a form whose token is missing or wrong."""
    return _answer(request, "csrf-failed", reason)


def too_large(request: HttpRequest, announced: str, limit: int) -> HttpResponse:
    """Status 413, for a body whose announced length is over the limit."""
    size = f"{int(announced):,} bytes" if announced.isdecimal() else f"a length of {announced[:20]!r}"
    return _answer(request, "too-large", f"The body has {size}; at most {limit:,} bytes are allowed.")


def length_required(request: HttpRequest) -> HttpResponse:
    """Status 411, for a body of unknown length."""
    return _answer(request, "length-required")


def unavailable(request: HttpRequest, detail: str) -> HttpResponse:
    """Status 503, for what the same request may find later. The page needs no database."""
    if is_api(request):
        response = problem_response(request, "unavailable", detail)
    else:
        context = {"problem": PROBLEM_TYPES["unavailable"], "detail": detail}
        response = HttpResponse(render_to_string("503.html", context), status=503)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Status 500, or 503 if what failed is missing only for the moment.

    The page needs neither a database nor a session, since these may be what failed.
    """
    lacking = missing(sys.exc_info()[1])
    if lacking is not None:
        return unavailable(request, lacking)
    request_id = str(structlog.contextvars.get_contextvars().get("request_id", ""))
    if is_api(request):
        return problem_response(request, "internal-error", f"Request {request_id} failed.")
    context = {"problem": PROBLEM_TYPES["internal-error"], "request_id": request_id}
    return HttpResponse(render_to_string("500.html", context), status=500)


def _unusable(request: HttpRequest, field: str, value: str, message: str, remedy: str) -> HttpResponse:
    problem = Problem(field=field, value=value, message=message, remedy=remedy)
    return _answer(request, "bad-request", f"{shown(field)}: {message} {remedy}", [problem])


def _answer(
    request: HttpRequest, type_id: str, detail: str = "", errors: Sequence[Problem] = ()
) -> HttpResponse:
    if is_api(request):
        return problem_response(request, type_id, detail, errors)
    kind = PROBLEM_TYPES[type_id]
    template = "404.html" if type_id == "not-found" else "problem.html"
    return render(request, template, {"problem": kind, "detail": detail}, status=int(kind.status))
