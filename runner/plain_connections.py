"""A connection to the database outside Django's pool, for threads of a worker's main process.

That process may fork its pool's processes at any time, and these would share a pool of connections. So a
thread has a connection only while it works.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.utils import load_backend

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.backends.base.base import BaseDatabaseWrapper

T = TypeVar("T")
_CONNECT_SECONDS: Final = 5


def with_connection(act: Callable[[], T]) -> T:
    """Call a function that uses the database, with a connection of this thread that is closed afterwards."""
    connections[DEFAULT_DB_ALIAS] = _plain_connection()
    try:
        return act()
    finally:
        connection.close()


def _plain_connection() -> BaseDatabaseWrapper:
    given = connections.settings[DEFAULT_DB_ALIAS]
    options = {name: value for name, value in given["OPTIONS"].items() if name != "pool"}
    settings = {**given, "OPTIONS": {**options, "connect_timeout": _CONNECT_SECONDS}}
    wrapper: BaseDatabaseWrapper = load_backend(given["ENGINE"]).DatabaseWrapper(settings, DEFAULT_DB_ALIAS)
    return wrapper
