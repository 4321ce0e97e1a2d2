"""The OpenAPI document, the pages of the API by tag, and the page that explains problem types."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

from leaderboard.common.problems import PROBLEM_TYPES

Json = dict[str, Any]
_METHODS: Final = ("get", "post", "put", "patch", "delete")
_COMPONENT: Final = "#/components/schemas/"
_NUMBER: Final = {"integer": "whole number", "number": "number", "boolean": "true or false", "string": "text"}


class ValueKind(NamedTuple):
    """The values that a field takes, as text, and the schema that the text leads to, if any."""

    text: str
    schema: str = ""


def _reference(document: Json) -> Json:
    """Return what the templates show of an OpenAPI document of version 3.1, by tag.

    The page of a tag has all schemas that its operations lead to, so some are on several pages. The index
    leads to each on the smallest of them.
    """
    by_tag: dict[str, list[tuple[str, str, Json]]] = defaultdict(list)
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if method in methods:
                by_tag[methods[method]["tags"][0]].append((path, method, methods[method]))
    schemas: dict[str, Json] = document["components"]["schemas"]
    used = {tag: _schemas_of([one for *_, one in found], schemas) for tag, found in by_tag.items()}
    return {
        "description": document["info"]["description"],
        "sections": {
            tag: {
                "name": tag,
                "operations": [_operation(*one) for one in found],
                "schemas": [
                    {
                        "name": name,
                        "description": schemas[name].get("description", ""),
                        "fields": list(_fields(schemas[name])),
                    }
                    for name in sorted(used[tag])
                ],
            }
            for tag, found in sorted(by_tag.items())
        },
        "schemas": [
            (name, min((tag for tag in used if name in used[tag]), key=lambda tag: len(used[tag])))
            for name in sorted(set().union(*used.values()))
        ],
    }


def _schemas_of(found: object, schemas: dict[str, Json]) -> set[str]:
    """Return the names of all schemas that a part of the document refers to, also through others."""
    names: set[str] = set()
    waiting = [found]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            name = str(one.get("$ref", "")).removeprefix(_COMPONENT)
            if name in schemas and name not in names:
                names.add(name)
                waiting.append(schemas[name])
            waiting += one.values()
    return names


def _operation(path: str, method: str, found: Json) -> Json:
    summary = found.get("summary", "")
    return {
        "id": found["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": summary,
        "description": str(found.get("description", "")).removeprefix(summary).lstrip(". \n"),
        "needs_token": {} not in found.get("security", [{}]),
        "parameters": [
            {
                "name": one["name"],
                "kind": _kind(one["schema"]),
                "place": one["in"],
                "needed": one.get("required", False),
                "description": one.get("description", ""),
            }
            for one in found.get("parameters", [])
        ],
        "bodies": _contents(found.get("requestBody", {})),
        "answers": [
            {
                "status": "other" if status == "default" else status,
                "description": one.get("description", ""),
                "contents": _contents(one),
            }
            for status, one in found["responses"].items()
        ],
    }


def _contents(holder: Json) -> list[Json]:
    return [
        {"media": media, "kind": _kind(one["schema"]), "fields": list(_fields(one["schema"]))}
        for media, one in holder.get("content", {}).items()
    ]


def _fields(schema: Json, inside: str = "") -> Iterator[Json]:
    """Yield the fields of an object, and of objects in it that have no name of their own."""
    needed = schema.get("required", ())
    for name, one in schema.get("properties", {}).items():
        described = {"description": one.get("description", ""), "needed": name in needed}
        yield {"name": inside + name, "kind": _kind(one), "place": "", **described}
        yield from _fields(one, f"{inside}{name}.")
        yield from _fields(one.get("items", {}), f"{inside}{name}[].")


def _kind(schema: Json) -> ValueKind:
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_COMPONENT)
        return ValueKind(name, name)
    for several in ("oneOf", "anyOf", "allOf"):
        if several in schema and "properties" not in schema:
            return _joined(schema[several])
    if "enum" in schema:
        return ValueKind(" | ".join("null" if one is None else f"`{one}`" for one in schema["enum"]))
    types = schema.get("type", "anything")
    if isinstance(types, list):
        return _joined([schema | {"type": one} for one in types])
    further = schema.get("additionalProperties") or {}
    if types == "array" or (types == "object" and isinstance(further, dict) and further):
        inner = _kind(schema.get("items", {}) if types == "array" else further)
        return ValueKind(f"{'list' if types == 'array' else 'object'} of {inner.text}", inner.schema)
    text = str(schema["format"] if "format" in schema and types == "string" else _NUMBER.get(types, types))
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None:
        text += f" from {low}" + (f" to {high}" if high is not None else "")
    return ValueKind(text)


def _joined(schemas: list[Json]) -> ValueKind:
    kinds = [_kind(one) for one in schemas]
    texts = dict.fromkeys(one.text for one in kinds)
    return ValueKind(" or ".join(texts), next((one.schema for one in kinds if one.schema), ""))


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
                _written[renderer.media_type] = renderer.render(_schema(), renderer_context={})
            body = _written[renderer.media_type]
        kind = renderer.media_type + (f"; charset={renderer.charset}" if renderer.charset else "")
        named = f'inline; filename="OptArena.{renderer.format}"'
        return HttpResponse(body, content_type=kind, headers={"Content-Disposition": named})


@cache
def _schema() -> Json:
    schema: Json = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call] # ships none
    return schema


@cache
def _written_reference() -> Json:
    return _reference(_schema())


def _shown_reference() -> Json:
    with _writing:
        return _written_reference()


@require_safe
def api_docs(request: HttpRequest) -> HttpResponse:
    example = f"curl '{request.build_absolute_uri('/api/v1/boards/')}?page_size=3'"
    return render(request, "api_docs.html", {"reference": _shown_reference(), "example": example})


@require_safe
def api_docs_of(request: HttpRequest, tag: str) -> HttpResponse:
    sections = _shown_reference()["sections"]
    if tag not in sections:
        raise Http404(f"The API has no part {tag!r}; all are listed at {reverse('docs')}.")
    return render(request, "api_docs_of.html", {"section": sections[tag], "sections": sections.values()})


@require_safe
def problems(request: HttpRequest) -> HttpResponse:
    return render(request, "problems.html", {"problem_types": PROBLEM_TYPES.values()})
