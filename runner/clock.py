"""One clock for all machines: the database's. Leases are compared by it, never by a worker's clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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
