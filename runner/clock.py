"""The database's clock, and text that the database can store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from django.db import connection
from django.db.models import DateTimeField, Func

if TYPE_CHECKING:
    from datetime import datetime

CLOCK: Final[Func] = Func(function="clock_timestamp", output_field=DateTimeField())
"""The time in a column of a query, where one of its own would be one too many."""


def database_now() -> datetime:
    """The time now, also inside a transaction that began earlier."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (now,) = cursor.fetchone()
    moment: datetime = now
    return moment


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
