"""Adds problem answers and bearer tokens to the OpenAPI document, which the generator does not see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent

from leaderboard.common.problems import CONTENT_TYPE

if TYPE_CHECKING:
    from rest_framework.views import APIView

_TEXT: Final = {"type": "string"}
_PROBLEM: Final[dict[str, Any]] = {
    "type": "object",
    "description": "A problem document (RFC 9457). The types are listed at /problems/.",
    "required": ["type", "title", "status", "detail", "instance", "remedy"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": _TEXT,
        "status": {"type": "integer"},
        "detail": _TEXT,
        "instance": {"type": "string", "format": "uri-reference"},
        "remedy": _TEXT,
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "value", "message", "remedy"],
                "properties": {
                    "field": _TEXT,
                    "row": {"type": "integer"},
                    "value": _TEXT,
                    "message": _TEXT,
                    "remedy": _TEXT,
                },
            },
        },
    },
}


class ProblemAutoSchema(AutoSchema):
    """Every operation may answer with a problem; its summary is the first sentence of its docstring."""

    def get_summary(self) -> str | None:
        first = str(self.get_description()).partition("\n")[0].partition(". ")[0]
        return first.rstrip(".") or None

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:  # noqa: ANN401 - inherited
        operation: dict[str, Any] | None = super().get_operation(*args, **kwargs)
        if operation is not None:
            component = ResolvedComponent(  # type: ignore[no-untyped-call] # drf-spectacular types it in part
                name="Problem", type=ResolvedComponent.SCHEMA, schema=_PROBLEM, object="Problem"
            )
            self.registry.register_on_missing(component)
            if self.method == "GET":
                answers = operation["responses"]
                current = {"description": "The answer named by If-None-Match is still current"}
                answers.setdefault("304", current)
                if "application/json" in answers.get("200", {}).get("content", {}):
                    text = "Send it as If-None-Match to be answered 304 while nothing has changed."
                    answers["200"].setdefault("headers", {})["ETag"] = {"schema": _TEXT, "description": text}
            operation["responses"]["default"] = {
                "description": "A problem",
                "content": {CONTENT_TYPE: {"schema": component.ref}},
            }
        return operation


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call] # as above
    target_class = "leaderboard.accounts.authentication.BearerAuthentication"
    name = "bearer"

    def get_security_definition(self, auto_schema: AutoSchema | APIView) -> dict[str, Any]:  # noqa: ARG002 - inherited
        return {"type": "http", "scheme": "bearer"}
