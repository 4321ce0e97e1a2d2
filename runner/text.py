"""Makes a program's output storable: PostgreSQL accepts neither NUL nor lone surrogates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def storable_text(text: str) -> str:
    """``text`` with every character that PostgreSQL refuses replaced by U+FFFD."""
    return (
        text.replace("\0", "\N{REPLACEMENT CHARACTER}")
        .encode("utf-16", "surrogatepass")
        .decode("utf-16", "replace")
    )


def storable(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """A JSON value with all its texts made storable, keys included."""
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, Mapping):
        return {storable_text(str(key)): storable(one) for key, one in value.items()}
    if isinstance(value, Sequence):
        return [storable(one) for one in value]
    return value
