"""Read-only fields of the API whose values are made of a row, and what the OpenAPI document says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.plumbing import resolve_type_hint
from rest_framework import serializers

if TYPE_CHECKING:
    from collections.abc import Callable

    from drf_spectacular.openapi import AutoSchema


class Computed(serializers.Field[Any, Any, Any, Any]):
    """What a function makes of a row: of a type, or shown by a serializer, or described by a JSON schema."""

    def __init__(self, kind: Any, make: Callable[..., Any], text: str = "") -> None:  # noqa: ANN401 # as above
        super().__init__(source="*", read_only=True)
        self.kind, self.text, self._make = kind, text, make

    def bind(self, field_name: str, parent: serializers.BaseSerializer[Any]) -> None:
        super().bind(field_name, parent)
        if isinstance(self.kind, serializers.Field):
            self.kind.bind("", self)  # type: ignore[arg-type] # as a field of lists binds its child

    def to_representation(self, row: Any) -> Any:  # noqa: ANN401 # as above
        value = self.made(row)
        is_shown = value is not None and isinstance(self.kind, serializers.Field)
        return self.kind.to_representation(value) if is_shown else value

    def made(self, row: Any) -> Any:  # noqa: ANN401 # as above
        return self._make(row)


class InContext(Computed):
    """As above, by a function that also takes the context of the answer."""

    def made(self, row: Any) -> Any:  # noqa: ANN401 # as above
        return self._make(row, self.context)


class Address(Computed):
    """The address of a path of this service; what is empty stays so."""

    def __init__(self, make: Callable[[Any], str | None], text: str, kind: Any = str) -> None:  # noqa: ANN401 # as above
        super().__init__(kind, make, text)

    def made(self, row: Any) -> str | None:  # noqa: ANN401 # as above
        path: str | None = super().made(row)
        return path and f"{origin(self.context)}{path}"


def origin(context: dict[str, Any]) -> str:
    """The address of the service, made once for all rows of an answer; empty without a request."""
    if "origin" not in context:
        request = context.get("request")
        context["origin"] = "" if request is None else request.build_absolute_uri("/").removesuffix("/")
    return str(context["origin"])


class _Described(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call] # drf-spectacular ships none
    target_class = Computed
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:  # noqa: ANN401 # inherited
        kind, text = self.target.kind, self.target.text
        if isinstance(kind, serializers.Field):
            schema = auto_schema._map_serializer_field(kind, direction)  # type: ignore[no-untyped-call] # noqa: SLF001 # its only way to map one
        else:
            schema = kind if isinstance(kind, dict) else resolve_type_hint(kind)  # type: ignore[no-untyped-call] # ships none
        return {**schema, "description": text} if text else {**schema}
