"""Connections to the database that do not wait for ever."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

import psycopg

if TYPE_CHECKING:
    from psycopg.abc import RV, PQGen

_INTERVAL: Final = 0.1
"""How often an interrupt is looked for, in seconds; what psycopg itself uses."""


def giving_up_after(seconds: float) -> type[psycopg.Connection[Any]]:
    """The class of connections on which no statement waits longer for the server.

    A server that has stopped, or a machine that is gone, closes no connection: without a limit its client
    would wait for an answer until the system's keep-alive ends, which takes hours.
    """

    class ImpatientConnection(psycopg.Connection[Any]):
        """Closed once the server has been silent for too long: a late answer belongs to no statement."""

        def wait(self, gen: PQGen[RV], interval: float = _INTERVAL, timeout: float | None = None) -> RV:
            """Wait for an answer.

            Raises:
                OperationalError: None came in time; the connection is closed.
            """
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
