"""Read-only fields of the API that functions compute, with their descriptions in the OpenAPI document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import resolve_type_hint
from rest_framework import serializers


class Computed(serializers.Field[Any, Any, Any, Any]):
    """The value that a function computes of a row.

    ``kind`` describes it: a type, a JSON schema, or a serializer, which then also makes the JSON of it.
    """

    def __init__(self, kind: Any, make: Callable[..., Any], text: str = "") -> None:  # noqa: ANN401 # of any kind
        super().__init__(source="*", read_only=True)
        self.kind, self.text, self._make = kind, text, make

    def bind(self, field_name: str, parent: serializers.BaseSerializer[Any]) -> None:
        super().bind(field_name, parent)
        if isinstance(self.kind, serializers.Field):
            self.kind.bind("", self)  # type: ignore[arg-type] # as a field of lists binds its child

    def to_representation(self, row: Any) -> Any:  # noqa: ANN401 # as above
        value = self.value_of(row)
        is_shown = value is not None and isinstance(self.kind, serializers.Field)
        return self.kind.to_representation(value) if is_shown else value

    def value_of(self, row: Any) -> Any:  # noqa: ANN401 # as above
        return self._make(row)


class InContext(Computed):
    """A computed value whose function also takes the context of the answer."""

    def value_of(self, row: Any) -> Any:  # noqa: ANN401 # as above
        return self._make(row, self.context)


class Address(Computed):
    """The absolute address of a path of this service; None and an empty text stay as they are."""

    def __init__(self, make: Callable[[Any], str | None], text: str, kind: Any = str) -> None:  # noqa: ANN401 # as above
        super().__init__(kind, make, text)

    def value_of(self, row: Any) -> str | None:  # noqa: ANN401 # as above
        path: str | None = super().value_of(row)
        return path and f"{origin(self.context)}{path}"


def origin(context: dict[str, Any]) -> str:
    """Return the address of the service; empty without a request. It is computed once for all rows."""
    if "origin" not in context:
        request = context.get("request")
        context["origin"] = "" if request is None else request.build_absolute_uri("/").removesuffix("/")
    return str(context["origin"])


class _Described(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call] # drf-spectacular has no types
    target_class = Computed
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:  # noqa: ANN401 # inherited
        kind, text = self.target.kind, self.target.text
        if isinstance(kind, serializers.Field):
            schema = auto_schema._map_serializer_field(kind, direction)  # type: ignore[no-untyped-call] # noqa: SLF001 # its only function for this
        else:
            schema = kind if isinstance(kind, dict) else resolve_type_hint(kind)  # type: ignore[no-untyped-call] # no types
        return {**schema, "description": text} if text else {**schema}
