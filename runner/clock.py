"""One clock for all machines: the database's. Leases are compared by it, never by a worker's clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

if TYPE_CHECKING:
    from datetime import datetime


def database_now() -> datetime:
    """The time now, also inside a transaction that began earlier."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (now,) = cursor.fetchone()
    moment: datetime = now
    return moment
