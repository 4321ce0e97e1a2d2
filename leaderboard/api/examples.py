"""The body of a submission for the OpenAPI document, as the reader declares it."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from drf_spectacular.utils import OpenApiParameter

from leaderboard.services.documents import ABOUT, EFFORT, SUBMISSION

if TYPE_CHECKING:
    from optarena.documents.kinds import Field

SUBMISSION_SCHEMA: Final[dict[str, Any]] = SUBMISSION.schema

CSV_SCHEMA: Final[dict[str, Any]] = {
    "type": "string",
    "description": "benchmark,reward,walltime,commandline, and one column for each claimed metric",
}

REQUEST: Final = {"application/json": SUBMISSION_SCHEMA, "text/csv": CSV_SCHEMA}


def _parameter(name: str, field: Field) -> OpenApiParameter:
    """A field of JSON bodies, as the query parameter that accompanies a CSV body."""
    return OpenApiParameter(name, field.kind.schema, description=f"For text/csv: {field.description}")


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
