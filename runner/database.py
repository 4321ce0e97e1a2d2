"""The database's clock, rows by statements of our own, and text that it can store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.db import connection
from django.db.models import DateTimeField, Func

# The time in a column of a query, where one of its own would be one too many.
CLOCK: Final[Func] = Func(function="clock_timestamp", output_field=DateTimeField())


def read_rows(statement: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> list[tuple[Any, ...]]:
    # By a statement that Django cannot express, or builds more slowly than PostgreSQL answers it.
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def database_now() -> datetime:
    # Not the transaction's time: it may have begun earlier.
    [(now,)] = read_rows("SELECT clock_timestamp()")
    moment: datetime = now
    return moment


def storable_text(text: str) -> str:
    # PostgreSQL refuses some characters; U+FFFD replaces them.
    return (
        text.replace("\0", "\N{REPLACEMENT CHARACTER}")
        .encode("utf-16", "surrogatepass")
        .decode("utf-16", "replace")
    )


def storable(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, Mapping):
        return {storable_text(str(key)): storable(one) for key, one in value.items()}
    if isinstance(value, Sequence):
        return [storable(one) for one in value]
    return value
