"""A connection to the database outside Django's pool, for threads of a worker's main process.

That process may fork its pool's processes at any time, and these would share a pool of connections. So a
thread has a connection only while it works.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
_CONNECT_SECONDS: Final = 5


def with_connection(act: Callable[[], T]) -> T:
    """Call a function that uses the database, with a connection of this thread that is closed afterwards."""
    connections[DEFAULT_DB_ALIAS] = _plain_connection()
    try:
        return act()
    finally:
        connection.close()


class _PlainWrapper(DatabaseWrapper):
    """Without a pool, Django gives no choice of the connection's class: this one is the pool's."""

    connection_class: type[psycopg.Connection[Any]] = psycopg.Connection

    def get_new_connection(self, conn_params: dict[str, Any]) -> psycopg.Connection[Any]:
        return self.connection_class.connect(**conn_params)


def _plain_connection() -> _PlainWrapper:
    given = connections.settings[DEFAULT_DB_ALIAS]
    options = {**given["OPTIONS"], "connect_timeout": _CONNECT_SECONDS}
    pool = options.pop("pool", {})
    wrapper = _PlainWrapper({**given, "OPTIONS": options}, DEFAULT_DB_ALIAS)
    wrapper.connection_class = pool.get("connection_class", psycopg.Connection)
    return wrapper
