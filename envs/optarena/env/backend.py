"""Where an environment's sessions run. The kinds of backends are in ``backends`` and ``managed_backend``.

A backend opens sessions and says what its service offers. It is shared by an environment and its forks and
ends with the last of them.
"""

from __future__ import annotations

import os
import threading
import weakref
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Self

from optarena import limits
from optarena.errors import ServiceClosed
from optarena.service.proto import compiler_gym_service_pb2 as pb

if TYPE_CHECKING:
    from optarena.env.service_info import ServiceInfo
    from optarena.service.client.interface import Connection
    from optarena.specs.benchmark import Benchmark


class Backend(ABC):
    """Where sessions run. Thread-safe; ends with the ``close()`` of its last user.

    Nothing that was started here outlives the last ``close()``: whoever is still starting something then ends
    it and gets an error.

    Attributes:
        call_seconds: Time allowed for one unit of work: a start, an action, an observation.
        isolates_sessions: Whether a session that fails or hangs leaves the others unharmed.
        session_type: The name of the session type, if this process starts its sessions; else empty.
    """

    call_seconds: float = limits.ACTION_WALL_SECONDS
    isolates_sessions: bool = False
    session_type: str = ""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner = os.getpid()
        self._users = 1
        self._live: weakref.WeakSet[Connection] = weakref.WeakSet()

    @abstractmethod
    def info(self) -> ServiceInfo:
        """What the service offers.

        Raises:
            PlatformNotSupported: The compiler does not run here.
            ServiceError: The service cannot be started, or does not answer.
        """

    def start(self, benchmark: Benchmark, action_space: int) -> tuple[Connection, pb.StartSessionReply]:
        """Start a session; ``Connection.end`` with its id ends it.

        Raises:
            InvalidInput: The program is not one that the compiler can read.
            ServiceClosed: The last user has closed the backend, perhaps in the meantime.
            ServiceError: The service cannot be started, or the compiler crashed on the program.
        """
        with self._lock:
            self._check_open()
        connection, reply = self._start(benchmark, action_space)
        self.adopt(connection, reply.session_id)
        return connection, reply

    @abstractmethod
    def _start(self, benchmark: Benchmark, action_space: int) -> tuple[Connection, pb.StartSessionReply]:
        """Start a session, whether or not the backend is closed meanwhile."""

    def adopt(self, connection: Connection, session_id: int) -> None:
        """Take over a session made from one of this backend's, which ends with the backend.

        Raises:
            ServiceClosed: The last user has closed the backend; the session is ended.
        """
        try:
            with self._lock:
                self._check_open()
                self._live.add(connection)
        except ServiceClosed:
            connection.end(session_id)
            raise

    def end_soon(self, connection: Connection, session_id: int) -> None:
        """End a session, at the latest with the backend; nobody needs it any more."""
        connection.end(session_id)

    def catch_up(self) -> None:  # noqa: B027 # most backends put nothing off
        """Do what was put off so that it does not slow the first steps of an episode."""

    def retain(self) -> Self:
        """The same backend, with one more user.

        Raises:
            ServiceClosed: The last user has closed it.
        """
        with self._lock:
            self._check_open()
            self._users += 1
        return self

    def close(self) -> None:
        """Give up one user's share; the last ends the service if this process has started it.

        Nothing happens in a process forked from the owner's.
        """
        if self._owner != os.getpid():
            return
        with self._lock:
            self._users -= 1
            last = self._users == 0
            live = list(self._live) if last else []
        if last:
            self._end()
        for connection in live:
            connection.close()

    def _check_open(self) -> None:
        if self._users <= 0:
            raise ServiceClosed("The backend of the sessions is closed. Make a new environment.")

    def _end(self) -> None:  # noqa: B027 # most backends start nothing for one environment alone
        """End what was started for this backend alone."""


def start_request(
    benchmark: Benchmark, action_space: int, *, with_program: bool = True
) -> pb.StartSessionRequest:
    """The request for a session on a benchmark; a service that has the program needs it no second time."""
    program = pb.File(contents=benchmark.program()) if with_program else None
    message = pb.Benchmark(uri=benchmark.uri, program=program)
    return pb.StartSessionRequest(action_space=action_space, benchmark=message)
