"""What the server needs and does not have at the moment: the database, or room on a disk.

Such a request is answered with 503 and may be repeated. While no connection to the database can be made, one
request at a time tries, and the others are answered at once: otherwise all threads would wait for it. That
all connections of this process are in use is not such an outage: it concerns the one request alone.
"""

from __future__ import annotations

import errno
import threading
from typing import TYPE_CHECKING, Final

import psycopg
import structlog
from django.db import Error as DatabaseError
from django.db import InterfaceError, OperationalError, connection
from psycopg_pool import PoolTimeout

if TYPE_CHECKING:
    from collections.abc import Iterator

RETRY_SECONDS: Final = 5
"""When to try again; our client waits so long."""
NO_DATABASE: Final = "The database cannot be reached."
_FULL: Final = "The server's disk is full."
_BROKEN: Final = "The database did not answer."
_BUSY: Final = "All connections to the database are in use."
_SAID: Final = {
    psycopg.errors.DiskFull: _FULL,
    psycopg.errors.OutOfMemory: "The database does not have enough memory.",
    psycopg.errors.ReadOnlySqlTransaction: "The database accepts no writes.",
}
_DISK: Final = {errno.ENOSPC: _FULL, errno.EDQUOT: _FULL, errno.EROFS: "The server's disk accepts no writes."}
_log = structlog.get_logger(__name__)


def missing(error: BaseException | None) -> str | None:
    """What is missing, if an error means that a repeated request may succeed; None for any other error."""
    if isinstance(error, DatabaseError):
        return _missing_in_database(error)
    if isinstance(error, OSError):
        return _DISK.get(error.errno or 0)
    return None


def _missing_in_database(error: DatabaseError) -> str | None:
    for cause in _causes(error):
        for kind, text in _SAID.items():
            if isinstance(cause, kind):
                return text
        if isinstance(cause, PoolTimeout):
            return NO_DATABASE if OUTAGE.begins() else _BUSY
    return _BROKEN if isinstance(error, OperationalError | InterfaceError) else None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


class Outage:
    """Whether connections to the database were impossible when this process last tried."""

    def __init__(self) -> None:
        self._down = False
        self._trying = threading.Lock()

    def begins(self) -> bool:
        """Whether a connection, which this process could not have in time, cannot be made at all."""
        with self._trying:
            if not self._down and not _reachable():
                _log.error("the database cannot be reached")
                self._down = True
        return self._down

    def lasts(self) -> bool:
        """Whether a request must do without the database; one at a time finds out."""
        if not self._down:
            return False
        if not self._trying.acquire(blocking=False):
            return True
        try:
            if _reachable():
                self._down = False
                _log.info("the database can be reached again")
        finally:
            self._trying.release()
        return self._down


def _reachable() -> bool:
    """Whether the database lets in a connection that is not of the pool."""
    parameters = connection.get_connection_params() | {"connect_timeout": RETRY_SECONDS}
    try:
        psycopg.connect(**parameters).close()
    except psycopg.Error:
        return False
    return True


OUTAGE: Final = Outage()
