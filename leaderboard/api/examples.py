"""The body of a submission for the OpenAPI document, as the reader declares it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drf_spectacular.utils import OpenApiParameter

from leaderboard.services.documents import ABOUT, EFFORT, SUBMISSION

if TYPE_CHECKING:
    from optarena.documents.records import Field

SUBMISSION_SCHEMA: Final[dict[str, Any]] = SUBMISSION.schema()

CSV_SCHEMA: Final[dict[str, Any]] = {
    "type": "string",
    "description": "benchmark,reward,walltime,commandline, and one column for each claimed metric",
}

REQUEST: Final = {"application/json": SUBMISSION_SCHEMA, "text/csv": CSV_SCHEMA}


def _parameter(name: str, field: Field) -> OpenApiParameter:
    """A field of JSON bodies, as the query parameter that accompanies a CSV body."""
    return OpenApiParameter(name, field.kind.schema(), description=f"For text/csv: {field.description}")


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
