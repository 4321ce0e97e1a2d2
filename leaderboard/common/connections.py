"""Connections to the database that do not wait for ever."""

from __future__ import annotations

import math
import select
import time
from typing import Any, Final

import psycopg
from psycopg.abc import RV, PQGen

_INTERVAL: Final = 0.1  # Seconds between two looks for an interrupt; what psycopg itself uses.
_FRESH_SECONDS: Final = 1.0  # A connection that has answered so lately is looked at, and not asked.


# A server that has stopped, or a machine that is gone, closes no connection: without a limit its client
# would wait for an answer until the system's keep-alive ends, which takes hours. A pool checks a connection
# before it gives it away, by a statement without text that any server answers at once: who wants the
# connection waits for the check. One that has just been used is not asked again.
def connection_class(seconds: float, *, check_seconds: float = math.inf) -> type[psycopg.Connection[Any]]:
    class ImpatientConnection(psycopg.Connection[Any]):
        """Closed once the server has been silent for too long: a late answer belongs to no statement."""

        patience = seconds
        heard = -math.inf

        def execute(self, query: Any, *arguments: Any, **options: Any) -> psycopg.Cursor[Any]:  # noqa: ANN401 - psycopg's
            if not query and time.monotonic() - self.heard < _FRESH_SECONDS and not self._has_news():
                return self.cursor()
            self.patience = seconds if query else min(seconds, check_seconds)
            try:
                return super().execute(query, *arguments, **options)
            finally:
                self.patience = seconds

        def wait(self, gen: PQGen[RV], interval: float = _INTERVAL, timeout: float | None = None) -> RV:
            if timeout is not None:  # the caller's own, after which the connection is still of use
                return super().wait(gen, interval, timeout)
            began, patience = time.monotonic(), self.patience
            try:
                answer = super().wait(gen, interval, patience)
            except psycopg.OperationalError as error:
                if self.closed or time.monotonic() - began < patience:
                    raise
                self.close()
                message = f"The database did not answer within {patience:g} s."
                raise psycopg.OperationalError(message) from error
            self.heard = time.monotonic()
            return answer

        def _has_news(self) -> bool:
            # Such as its end, of which the server tells before it closes a connection.
            socket = select.poll()
            socket.register(self.fileno(), select.POLLIN)
            return bool(socket.poll(0))

    return ImpatientConnection
