"""The kinds of problems the API can answer with (RFC 9457): one table, read by handler, page and tests.

Ids are part of the API: one is never renamed or reused.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Final


@dataclass(frozen=True, slots=True)
class ProblemType:
    """One kind of problem: its stable id, HTTP status, title and what the caller can do."""

    id: str
    status: HTTPStatus
    title: str
    remedy: str

    @property
    def uri(self) -> str:
        """The ``type`` member: a reference to the page that explains this kind."""
        return f"/problems/#{self.id}"


_ALL: Final = (
    ProblemType(
        "bad-request",
        HTTPStatus.BAD_REQUEST,
        "The request cannot be understood",
        "Compare the request with the API's documentation at /api/v1/docs/.",
    ),
    ProblemType(
        "malformed-document",
        HTTPStatus.BAD_REQUEST,
        "The body cannot be parsed",
        "Send a body that is valid in the format named by its Content-Type.",
    ),
    ProblemType(
        "body-timeout",
        HTTPStatus.REQUEST_TIMEOUT,
        "The request did not arrive in time",
        "Send the whole request at once, or try again over a better connection.",
    ),
    ProblemType(
        "not-authenticated",
        HTTPStatus.UNAUTHORIZED,
        "Authentication is needed",
        "Send the header `Authorization: Bearer <token>`; make a token at /accounts/tokens/.",
    ),
    ProblemType(
        "invalid-token",
        HTTPStatus.UNAUTHORIZED,
        "The token is not valid",
        "Check that the whole token was copied, or make a new one at /accounts/tokens/.",
    ),
    ProblemType(
        "token-expired",
        HTTPStatus.UNAUTHORIZED,
        "The token has expired",
        "Make a new token at /accounts/tokens/ or with POST /api/v1/auth/token/.",
    ),
    ProblemType(
        "invalid-credentials",
        HTTPStatus.UNAUTHORIZED,
        "User name or password is wrong",
        "Check both, or sign up at /accounts/signup/.",
    ),
    ProblemType(
        "permission-denied",
        HTTPStatus.FORBIDDEN,
        "You do not have permission to do this",
        "Use the account that owns it.",
    ),
    ProblemType(
        "csrf-failed",
        HTTPStatus.FORBIDDEN,
        "The form's security token is missing or wrong",
        "Reload the page, allow its cookie and send the form again; scripts use a token instead.",
    ),
    ProblemType(
        "not-found",
        HTTPStatus.NOT_FOUND,
        "There is nothing here",
        "Check the address; /api/v1/docs/ shows all addresses of the API.",
    ),
    ProblemType(
        "invalid-cursor",
        HTTPStatus.NOT_FOUND,
        "The cursor does not point into this list",
        "Follow the `next` and `previous` links of an answer, or start without a cursor.",
    ),
    ProblemType(
        "method-not-allowed",
        HTTPStatus.METHOD_NOT_ALLOWED,
        "This method is not allowed here",
        "Use one of the methods named in the Allow header.",
    ),
    ProblemType(
        "not-acceptable",
        HTTPStatus.NOT_ACCEPTABLE,
        "None of the formats you accept is available",
        "Accept `application/json`.",
    ),
    ProblemType(
        "conflict",
        HTTPStatus.CONFLICT,
        "The request contradicts what is stored",
        "Look at the stored state first, then send a request that fits it.",
    ),
    ProblemType(
        "idempotency-key-reused",
        HTTPStatus.CONFLICT,
        "This Idempotency-Key was used with another body",
        "Send a new key for a new submission, or the same body for the same key.",
    ),
    ProblemType(
        "length-required",
        HTTPStatus.LENGTH_REQUIRED,
        "The length of the body must be known",
        "Send a Content-Length header instead of a chunked body.",
    ),
    ProblemType(
        "precondition-failed",
        HTTPStatus.PRECONDITION_FAILED,
        "The file is not the one that you expect",
        "Leave out If-Match, or send the ETag that a HEAD request returns.",
    ),
    ProblemType(
        "range-not-satisfiable",
        HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
        "The requested bytes do not exist",
        "Request bytes below the size that the Content-Range header gives, or leave out Range.",
    ),
    ProblemType(
        "too-large",
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "The body is too large",
        "Split the submission; the limits are listed at /api/v1/limits/.",
    ),
    ProblemType(
        "head-too-large",
        HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
        "The headers are too large",
        "Send fewer or shorter headers, and a shorter address.",
    ),
    ProblemType(
        "unsupported-media-type",
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        "This media type is not supported here",
        "Send `application/json`, or `text/csv` where the documentation allows it.",
    ),
    ProblemType(
        "invalid-document",
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "Some values cannot be used",
        "Every problem is listed in `errors`, each with what to do. The request has changed nothing.",
    ),
    ProblemType(
        "throttled",
        HTTPStatus.TOO_MANY_REQUESTS,
        "Too many requests",
        "Wait for the number of seconds in the Retry-After header.",
    ),
    ProblemType(
        "quota-exceeded",
        HTTPStatus.TOO_MANY_REQUESTS,
        "Your quota does not suffice now",
        "Wait for the number of seconds in the Retry-After header, or submit less; nothing was stored.",
    ),
    ProblemType(
        "internal-error",
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "The server failed because of an internal error",
        "Try again later; if it happens again, report the request id in the X-Request-ID header.",
    ),
    ProblemType(
        "unavailable",
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The server cannot do this at the moment",
        "Send the same request again after the seconds in the Retry-After header; a submission with "
        "an Idempotency-Key is stored once.",
    ),
)

PROBLEM_TYPES: Final[dict[str, ProblemType]] = {kind.id: kind for kind in _ALL}

_BY_STATUS: Final[dict[int, str]] = {
    400: "bad-request",
    401: "not-authenticated",
    403: "permission-denied",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    408: "body-timeout",
    409: "conflict",
    411: "length-required",
    412: "precondition-failed",
    413: "too-large",
    415: "unsupported-media-type",
    416: "range-not-satisfiable",
    422: "invalid-document",
    429: "throttled",
    431: "head-too-large",
    503: "unavailable",
}


def type_for_status(status: int) -> ProblemType:
    """The general kind of problem with this HTTP status."""
    fallback = "internal-error" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "bad-request"
    return PROBLEM_TYPES[_BY_STATUS.get(status, fallback)]
