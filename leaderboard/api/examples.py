"""What a submission's body looks like, for the OpenAPI document."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from optarena.specs import board_specs

_NUMBER_OR_NULL: Final = {"type": ["number", "null"]}

SUBMISSION_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["board", "agent", "items"],
    "additionalProperties": False,
    "properties": {
        "board": {"type": "string", "example": next(iter(board_specs())).slug},
        "agent": {"type": "string", "example": "random search"},
        "description": {"type": "string"},
        "url": {"type": "string"},
        "effort": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "compilations": {"type": ["integer", "null"]},
                "walltime_seconds": _NUMBER_OR_NULL,
                "trained_on_test_set": {"type": "boolean"},
            },
        },
        "items": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "description": "Either `commandline` or `actions`, not both.",
                "required": ["benchmark"],
                "additionalProperties": False,
                "properties": {
                    "benchmark": {"type": "string", "example": "benchmark://kernels-v0/quicksort"},
                    "commandline": {"type": "string"},
                    "actions": {"type": "array", "items": {"type": "integer"}},
                    "reward": _NUMBER_OR_NULL,
                    "walltime": _NUMBER_OR_NULL,
                    "claims": {
                        "type": "object",
                        "additionalProperties": {"type": "number"},
                        "example": {"ir_instructions": 123},
                    },
                },
            },
        },
    },
}

CSV_SCHEMA: Final[dict[str, Any]] = {
    "type": "string",
    "description": "benchmark,reward,walltime,commandline, and one column for each claimed metric",
}

REQUEST: Final = {"application/json": SUBMISSION_SCHEMA, "text/csv": CSV_SCHEMA}

CSV_PARAMETERS: Final = tuple(
    OpenApiParameter(name, kind, description=f"For text/csv: {text}")
    for name, kind, text in (
        ("board", OpenApiTypes.STR, "the board"),
        ("agent", OpenApiTypes.STR, "the agent's name"),
        ("description", OpenApiTypes.STR, "what the agent does"),
        ("url", OpenApiTypes.STR, "where to read more"),
        ("compilations", OpenApiTypes.INT, "compilations of one program during the search"),
        ("walltime_seconds", OpenApiTypes.FLOAT, "seconds of the whole search"),
        ("trained_on_test_set", OpenApiTypes.BOOL, "whether the agent saw these programs in training"),
    )
)

KEY_PARAMETER: Final = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="Repeating a request with the same key and body answers with the same submission.",
)
