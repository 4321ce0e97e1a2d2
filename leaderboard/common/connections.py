"""Connections to the database that do not wait for ever."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

import psycopg

if TYPE_CHECKING:
    from psycopg.abc import RV, PQGen

_INTERVAL: Final = 0.1  # Seconds between two looks for an interrupt; what psycopg itself uses.


# A server that has stopped, or a machine that is gone, closes no connection: without a limit its client
# would wait for an answer until the system's keep-alive ends, which takes hours.
def connection_class(seconds: float) -> type[psycopg.Connection[Any]]:
    class ImpatientConnection(psycopg.Connection[Any]):
        """Closed once the server has been silent for too long: a late answer belongs to no statement."""

        def wait(self, gen: PQGen[RV], interval: float = _INTERVAL, timeout: float | None = None) -> RV:
            if timeout is not None:  # the caller's own, after which the connection is still of use
                return super().wait(gen, interval, timeout)
            began = time.monotonic()
            try:
                return super().wait(gen, interval, seconds)
            except psycopg.OperationalError as error:
                if self.closed or time.monotonic() - began < seconds:
                    raise
                self.close()
                message = f"The database did not answer within {seconds:g} s."
                raise psycopg.OperationalError(message) from error

    return ImpatientConnection
