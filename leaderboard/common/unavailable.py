"""What the server needs and does not have at the moment: the database, or room on a disk.

Such a request is answered with 503 and may be repeated. While no connection to the database can be made, one
request at a time tries, and the others are answered at once: otherwise all threads would wait for it.
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
_READ_ONLY: Final = "The database accepts no writes."
_FULL: Final = "The server's disk is full."
_BROKEN: Final = "The database did not answer."
_FULL_ERRORS: Final = (psycopg.errors.DiskFull, psycopg.errors.OutOfMemory)
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
    causes = tuple(_causes(error))
    if any(isinstance(one, _FULL_ERRORS) for one in causes):
        return _FULL
    if any(isinstance(one, psycopg.errors.ReadOnlySqlTransaction) for one in causes):
        return _READ_ONLY
    if any(isinstance(one, PoolTimeout) for one in causes):
        OUTAGE.begin()
        return NO_DATABASE
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

    def begin(self) -> None:
        """A connection could not be made in time."""
        if not self._down:
            _log.error("the database cannot be reached")
        self._down = True

    def lasts(self) -> bool:
        """Whether a request must do without the database; one at a time finds out."""
        if not self._down:
            return False
        if not self._trying.acquire(blocking=False):
            return True
        try:
            connection.ensure_connection()
            self._down = False
            _log.info("the database can be reached again")
        except DatabaseError:
            return True
        finally:
            self._trying.release()
        return False


OUTAGE: Final = Outage()
