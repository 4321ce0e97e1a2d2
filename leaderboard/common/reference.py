"""The OpenAPI document, the page of the API, and the page that explains problem types."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView

from leaderboard.common.problems import PROBLEM_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.http import HttpRequest
    from rest_framework.renderers import BaseRenderer
    from rest_framework.request import Request

Json = dict[str, Any]
_METHODS: Final = ("get", "post", "put", "patch", "delete")
_COMPONENT: Final = "#/components/schemas/"
_NUMBER: Final = {"integer": "whole number", "number": "number", "boolean": "true or false", "string": "text"}


# `schema` names the schema that the text leads to, if any.
@dataclass(frozen=True, slots=True, kw_only=True)
class ValueKind:
    text: str
    schema: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentedField:
    name: str
    kind: ValueKind
    place: str = ""
    needed: bool = False
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentedContent:
    media: str
    kind: ValueKind
    fields: tuple[DocumentedField, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentedAnswer:
    status: str
    description: str
    contents: tuple[DocumentedContent, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentedOperation:
    id: str
    method: str
    path: str
    summary: str
    description: str
    needs_token: bool
    parameters: tuple[DocumentedField, ...]
    bodies: tuple[DocumentedContent, ...]
    answers: tuple[DocumentedAnswer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentedSection:
    name: str
    operations: tuple[DocumentedOperation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentedSchema:
    name: str
    description: str
    fields: tuple[DocumentedField, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiReference:
    description: str
    sections: tuple[DocumentedSection, ...]
    schemas: tuple[DocumentedSchema, ...]


def reference(document: Json) -> ApiReference:
    by_tag: dict[str, list[DocumentedOperation]] = {}
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if method in methods:
                operation = methods[method]
                by_tag.setdefault(operation["tags"][0], []).append(_operation(path, method, operation))
    schemas = document["components"]["schemas"]
    return ApiReference(
        description=document["info"]["description"],
        sections=tuple(
            DocumentedSection(name=tag, operations=tuple(found)) for tag, found in sorted(by_tag.items())
        ),
        schemas=tuple(
            DocumentedSchema(name=name, description=one.get("description", ""), fields=tuple(_fields(one)))
            for name, one in sorted(schemas.items())
        ),
    )


def _operation(path: str, method: str, found: Json) -> DocumentedOperation:
    summary = found.get("summary", "")
    description = str(found.get("description", ""))
    return DocumentedOperation(
        id=found["operationId"],
        method=method.upper(),
        path=path,
        summary=summary,
        description=description.removeprefix(summary).lstrip(". \n"),
        needs_token={} not in found.get("security", [{}]),
        parameters=tuple(
            DocumentedField(
                name=one["name"],
                kind=_kind(one["schema"]),
                place=one["in"],
                needed=one.get("required", False),
                description=one.get("description", ""),
            )
            for one in found.get("parameters", [])
        ),
        bodies=_contents(found.get("requestBody", {})),
        answers=tuple(
            DocumentedAnswer(
                status="other" if status == "default" else status,
                description=one.get("description", ""),
                contents=_contents(one),
            )
            for status, one in found["responses"].items()
        ),
    )


def _contents(holder: Json) -> tuple[DocumentedContent, ...]:
    found = holder.get("content", {})
    return tuple(
        DocumentedContent(media=media, kind=_kind(one["schema"]), fields=tuple(_fields(one["schema"])))
        for media, one in found.items()
    )


# Also the fields of objects in it that have no name of their own.
def _fields(schema: Json, inside: str = "") -> Iterator[DocumentedField]:
    needed = schema.get("required", ())
    for name, one in schema.get("properties", {}).items():
        yield DocumentedField(
            name=inside + name,
            kind=_kind(one),
            needed=name in needed,
            description=one.get("description", ""),
        )
        yield from _fields(one, f"{inside}{name}.")
        yield from _fields(one.get("items", {}), f"{inside}{name}[].")


def _kind(schema: Json) -> ValueKind:
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_COMPONENT)
        return ValueKind(text=name, schema=name)
    for several in ("oneOf", "anyOf", "allOf"):
        if several in schema and "properties" not in schema:
            return _joined([_kind(one) for one in schema[several]])
    if "enum" in schema:
        return ValueKind(text=" | ".join("null" if one is None else f"`{one}`" for one in schema["enum"]))
    types = schema.get("type", "anything")
    if isinstance(types, list):
        return _joined([_kind(schema | {"type": one}) for one in types])
    return _simple(types, schema)


def _simple(name: str, schema: Json) -> ValueKind:
    if name == "array":
        item = _kind(schema.get("items", {}))
        return ValueKind(text=f"list of {item.text}", schema=item.schema)
    further = schema.get("additionalProperties")
    if name == "object" and isinstance(further, dict) and further:
        value = _kind(further)
        return ValueKind(text=f"object of {value.text}", schema=value.schema)
    text = _NUMBER.get(name, name)
    if "format" in schema and name == "string":
        text = str(schema["format"])
    return ValueKind(text=text + _bounds(schema))


def _bounds(schema: Mapping[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f" from {low} to {high}"
    return "" if low is None else f" from {low}"


def _joined(kinds: list[ValueKind]) -> ValueKind:
    texts = dict.fromkeys(one.text for one in kinds)
    return ValueKind(text=" or ".join(texts), schema=next((one.schema for one in kinds if one.schema), ""))


_writing = threading.Lock()
_written: dict[str, bytes] = {}  # By media type.


# A process writes the document once: that takes a second, and anybody may ask.
class SchemaView(SpectacularAPIView):
    query_parameters = ("format",)

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:  # noqa: ANN401, ARG002 - inherited
        renderer = request.accepted_renderer
        with _writing:
            if renderer.media_type not in _written:
                _written[renderer.media_type] = _document(renderer)
            body = _written[renderer.media_type]
        kind = renderer.media_type + (f"; charset={renderer.charset}" if renderer.charset else "")
        named = f'inline; filename="OptArena.{renderer.format}"'
        return HttpResponse(body, content_type=kind, headers={"Content-Disposition": named})


def _document(renderer: BaseRenderer) -> bytes:
    body: bytes = renderer.render(_schema(), renderer_context={})
    return body


@cache
def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call] # ships none
    return schema


@cache
def _reference() -> ApiReference:
    return reference(_schema())


@require_safe
def api_docs(request: HttpRequest) -> HttpResponse:
    with _writing:
        found = _reference()
    example = f"curl '{request.build_absolute_uri('/api/v1/boards/')}?page_size=3'"
    return render(request, "api_docs.html", {"reference": found, "example": example})


@require_safe
def problems(request: HttpRequest) -> HttpResponse:
    return render(request, "problems.html", {"problem_types": PROBLEM_TYPES.values()})
