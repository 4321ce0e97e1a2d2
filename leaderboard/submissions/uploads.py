"""What the API's views of uploads share: problem types, parsers, and the described bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import IO, Any, Final

from drf_spectacular.utils import OpenApiParameter
from rest_framework.parsers import BaseParser

from leaderboard.common.problems import ProblemError
from leaderboard.submissions.documents import ABOUT, SUBMISSION, DocumentTooLarge, MalformedDocument
from leaderboard.submissions.quotas import QuotaExceeded
from leaderboard.submissions.services import Conflict, KeyReused
from optarena import limits
from optarena.documents.kinds import Field
from optarena.documents.places import quote_value
from optarena.errors import InvalidInput, Problem
from optarena.state import EFFORT

_TYPES: Final[dict[type[InvalidInput], str]] = {
    MalformedDocument: "malformed-document",
    DocumentTooLarge: "too-large",
    KeyReused: "idempotency-key-reused",
    Conflict: "conflict",
    QuotaExceeded: "quota-exceeded",
}


@contextmanager
def as_problems() -> Iterator[None]:
    try:
        yield
    except tuple(_TYPES) as error:
        problem = Problem.of(error, value=quote_value(error.value))
        headers = error.headers if isinstance(error, QuotaExceeded) else {}
        raise ProblemError(_TYPES[type(error)], error.message, errors=[problem], headers=headers) from error


SUBMISSION_SCHEMA: Final[dict[str, Any]] = SUBMISSION.schema

CSV_SCHEMA: Final[dict[str, Any]] = {
    "type": "string",
    "description": "benchmark,reward,walltime,commandline, and one column for each claimed metric",
}

REQUEST: Final = {"application/json": SUBMISSION_SCHEMA, "text/csv": CSV_SCHEMA}


def _parameter(name: str, field: Field) -> OpenApiParameter:
    description = f"For text/csv and for items alone: {field.description}"
    return OpenApiParameter(name, field.kind.schema, description=description)


CSV_PARAMETERS: Final = tuple(
    _parameter(name, field)
    for name, field in {**ABOUT.fields, **EFFORT.fields}.items()
    if field.kind is not EFFORT
)

KEY_PARAMETER: Final = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="A repeated request with the same key and body returns the same submission.",
)

_ANSWERED: Final = [int(one) for one in (HTTPStatus.OK, HTTPStatus.ACCEPTED, HTTPStatus.TOO_MANY_REQUESTS)]

QUOTA_HEADERS: Final = (
    OpenApiParameter(
        "RateLimit-Policy",
        str,
        OpenApiParameter.HEADER,
        description="The quotas: each with its size `q`, and its window `w` in seconds. Staff have none.",
        response=_ANSWERED,
    ),
    OpenApiParameter(
        "RateLimit",
        str,
        OpenApiParameter.HEADER,
        description="What remains of each quota, `r`, and in how many seconds it is whole again, `t`.",
        response=_ANSWERED,
    ),
    OpenApiParameter(
        "Retry-After",
        int,
        OpenApiParameter.HEADER,
        description="In how many seconds the quota suffices for this submission.",
        response=[int(HTTPStatus.TOO_MANY_REQUESTS)],
    ),
)


class RawBody(BaseParser):
    """Reads at most one byte more than allowed, which is enough to see that a body is too large."""

    def parse(  # type: ignore[override] # the stubs know only parsers that parse
        self,
        stream: IO[bytes],
        media_type: str | None = None,  # noqa: ARG002 - the framework's signature
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002 - as above
    ) -> bytes:
        return stream.read(limits.MAX_SUBMISSION_BYTES + 1)


class RawJson(RawBody):
    media_type = "application/json"


class RawCsv(RawBody):
    media_type = "text/csv"
