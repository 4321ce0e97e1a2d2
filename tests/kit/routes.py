"""All addresses of the server, as its URL configuration has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.urls import URLPattern, URLResolver, get_resolver


def routes() -> list[str]:
    """Every route as it is written, with its parameters in angle brackets."""
    return sorted(set(_walk(get_resolver().url_patterns, "")))


def _walk(patterns: Sequence[URLPattern | URLResolver], prefix: str) -> Iterator[str]:
    for entry in patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from _walk(entry.url_patterns, route)
        else:
            yield route
