"""The connection without a transport: a service in this process, called directly.

For debugging a session type, and for compilers that cannot crash. Nothing is isolated or limited.
"""

from __future__ import annotations

import contextlib
import copy
import logging
import os
import threading
from collections.abc import Iterator
from typing import Any, Final

from optarena import errors, logs
from optarena.service.client.interface import Connection, Reply
from optarena.service.processes import exit_status
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.status import FATAL, RpcError, error_named
from optarena.service.session_process.compiler_gym_service import CallDeadline, CompilerGymService

logger = logging.getLogger(__name__)

_BRING_BENCHMARKS: Final = frozenset({"StartSession", "AddBenchmark"})
# Calls that leave a session in an unknown state if they fail through no fault of the caller
_ENDS_ITS_SESSION: Final = frozenset({"Step", "SendSessionParameter"})


class InProcessConnection(Connection):
    """A connection to a service in this process, which it owns. Thread-safe, if the session type is.

    A timeout is noticed between two actions, not within one.

    Args:
        service: The service; closed with the connection.
    """

    def __init__(self, service: CompilerGymService) -> None:
        self._service = service
        self._owner = os.getpid()
        self._lock = threading.RLock()  # a signal handler may close during a call
        self._calls = 0
        self._closing = False
        self._ended = False

    @property
    def closed(self) -> bool:
        """Whether the connection can no longer be used."""
        return self._closing

    def steps(
        self, request: pb.StepRequest, *, timeout: float | None = None
    ) -> tuple[list[pb.StepReply], errors.ServiceError | errors.InvalidInput | None]:
        """Apply actions, and observe after each; none is applied if one of them is invalid."""
        try:
            with self._calling("Step", request):
                self._service.check_step(request)
        except (errors.ServiceError, errors.InvalidInput) as error:
            return [], error
        return super().steps(request, timeout=timeout)

    def end(self, session_id: int) -> None:
        """End a session; the others stay."""
        try:
            self.end_session(pb.EndSessionRequest(session_id=session_id))
        except (errors.ServiceClosed, errors.SessionNotFound):  # gone already
            pass
        except (errors.OptArenaError, OSError, TypeError, NotImplementedError) as error:
            logger.warning("session %d did not end cleanly: %s", session_id, error)

    def close(self) -> None:
        """End every session, after the calls that run; nothing happens in a process forked from the owner's.

        May be called twice, and from another thread during a call, which then raises ServiceClosed.
        """
        if self._owner != os.getpid():
            return
        self._closing = True
        self._end_after_last_call()

    def _call(
        self,
        method: str,
        request: Any,  # noqa: ANN401 # one of eight messages
        kind: type[Reply],  # noqa: ARG002 # the service's own method answers one
        timeout: float | None,
    ) -> Reply:
        with self._calling(method, request), logs.timed(logger, "%s in this process", method):
            # The service keeps benchmarks, which the caller may change later.
            given = copy.deepcopy(request) if method in _BRING_BENCHMARKS else request
            reply: Reply = getattr(self._service, method)(given, CallDeadline(timeout))
        if self._closing:
            raise errors.ServiceClosed("The connection was closed during the call.")
        return reply

    @contextlib.contextmanager
    def _calling(self, method: str, request: Any) -> Iterator[None]:  # noqa: ANN401 # one of eight messages
        # Only by its owner, not after the end, and with the package's errors.
        exit_status.check_owner(self._owner)
        with self._lock:
            if self._closing:
                raise errors.ServiceClosed("The connection was closed.")
            self._calls += 1
        try:
            yield
        except RpcError as error:
            if error.code in FATAL:
                self._abandon(method, request)
            raise error_named(error.code, error.message, error.name) from error
        except MemoryError as error:
            self._abandon(method, request)
            raise errors.SessionOutOfMemory(
                f"{method}: this process has run out of memory. {error}".strip()
            ) from error
        except KeyboardInterrupt:
            self._abandon(method, request)
            raise
        finally:
            with self._lock:
                self._calls -= 1
            self._end_after_last_call()

    def _abandon(self, method: str, request: Any) -> None:  # noqa: ANN401 # one of eight messages
        # The call has left the session in an unknown state.
        if method in _ENDS_ITS_SESSION:
            with contextlib.suppress(RpcError):  # the service did
                self._service.EndSession(
                    pb.EndSessionRequest(session_id=request.session_id), CallDeadline(None)
                )

    def _end_after_last_call(self) -> None:
        # A session must not be ended while it works.
        with self._lock:
            last = self._closing and not self._calls and not self._ended
            self._ended = self._ended or last
        if last:
            self._service.close()
