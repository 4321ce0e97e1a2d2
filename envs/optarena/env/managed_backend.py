"""The backend whose sessions run in processes of their own, forked from this process's zygote."""

from __future__ import annotations

import logging
import threading
from collections import deque
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from optarena.env.backend import Backend, start_request
from optarena.env.service_info import ServiceInfo
from optarena.env.templates import Templates
from optarena.errors import OptArenaError
from optarena.service.proto import compiler_gym_service_pb2 as pb

if TYPE_CHECKING:
    from optarena.isolation.limits import ProcessLimits
    from optarena.service.client.connection import ManagedConnection
    from optarena.service.client.interface import Connection
    from optarena.specs.benchmark import Benchmark

_MAX_LEAVING: Final = 4
"""How many sessions may be ending by themselves."""

logger = logging.getLogger(__name__)


class ManagedBackend(Backend):
    """Each session in a process of its own, forked from the zygote of the session type or from a template."""

    isolates_sessions = True

    def __init__(self, session_type: str, process_limits: ProcessLimits | None, *, sandbox: bool) -> None:
        super().__init__()
        self.session_type = session_type
        self._limits = process_limits
        self._sandbox = sandbox
        self._templates = Templates()
        self._leaving: deque[ManagedConnection] = deque()
        self._leaving_lock = threading.RLock()  # a signal handler may close meanwhile
        if process_limits is not None:
            self.call_seconds = process_limits.wall_seconds_per_call

    def info(self) -> ServiceInfo:
        """What the service offers."""
        return _managed_info(self.session_type)

    def _start(self, benchmark: Benchmark, action_space: int) -> tuple[Connection, pb.StartSessionReply]:
        """Start a session in a fresh process, or in a copy of one that has just started."""
        from optarena.service.client.connection import ManagedConnection  # noqa: PLC0415 # Linux only

        self._see_off(_MAX_LEAVING)
        key = f"{action_space} {benchmark.sha256} {benchmark.uri}"
        if (copy := self._templates.take(key)) is not None:
            return copy
        request = start_request(benchmark, action_space)
        connection = ManagedConnection.open(self.session_type, limits=self._limits, sandbox=self._sandbox)
        try:
            reply = connection.start_session(request, timeout=self.call_seconds)
            self._offer(key, connection, reply)
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            connection.close()
            raise
        return connection, reply

    def _offer(self, key: str, connection: ManagedConnection, reply: pb.StartSessionReply) -> None:
        try:
            self._templates.offer(key, connection, reply)
        except (OptArenaError, OSError) as error:
            if connection.closed:
                raise
            logger.warning("no template of %s: %s", self.session_type, error)

    def end_soon(self, connection: Connection, session_id: int) -> None:
        """Have a session end by itself while the next one works, from ``catch_up()`` on."""
        from optarena.service.client.connection import ManagedConnection  # noqa: PLC0415 # Linux only

        if not isinstance(connection, ManagedConnection):
            connection.end(session_id)
            return
        with self._leaving_lock:  # `catch_up` of another environment may be going through them
            self._leaving.append(connection)
        self._see_off(_MAX_LEAVING)

    def catch_up(self) -> None:
        """Have the sessions of former episodes end, and the next copies of the present template made."""
        with self._leaving_lock:
            for connection in list(self._leaving):
                connection.hang_up()
        self._templates.prepare()

    def _see_off(self, most: int) -> None:
        """Close the connections of processes that have ended; wait for the first if there are too many."""
        with self._leaving_lock:
            for connection in list(self._leaving)[: max(0, len(self._leaving) - most)]:
                connection.hang_up()
            while self._leaving and (len(self._leaving) > most or self._leaving[0].has_ended):
                self._leaving.popleft().close()

    def _end(self) -> None:
        self._templates.close()
        self._see_off(0)


@lru_cache(maxsize=16)
def _managed_info(session_type: str) -> ServiceInfo:
    from optarena.service.client.offers import offer_of  # noqa: PLC0415 # Linux only

    offer = offer_of(session_type)
    return ServiceInfo.of(offer.compiler_version, pb.GetSpacesReply.FromString(offer.spaces))
