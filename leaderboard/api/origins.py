"""Addresses in the API's answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rest_framework import serializers


def absolute(serializer: serializers.BaseSerializer[Any], path: str) -> str:
    """A path's address; that of the service is made once for all rows of an answer."""
    context = serializer.context
    if "origin" not in context:
        request = context.get("request")
        context["origin"] = "" if request is None else request.build_absolute_uri("/").removesuffix("/")
    return f"{context['origin']}{path}"
