"""The connection over gRPC: many sessions of one service, from this package or another, over one channel."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any, Final, Self

from google.protobuf.message import DecodeError

from optarena import logs
from optarena.errors import (
    InvalidInput,
    OptArenaError,
    ServiceClosed,
    SessionCrashed,
    SessionNotFound,
    SessionOutOfMemory,
    TooManySessions,
    TransportError,
)
from optarena.service.client.calls import CallingConnection, Reply
from optarena.service.client.grpc_caller import GrpcCall, GrpcCaller
from optarena.service.client.options import ConnectionOptions
from optarena.service.client.touching import SessionToucher
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.replies import FATAL

if TYPE_CHECKING:
    from optarena.service.client.executable import ServiceProcess

logger = logging.getLogger(__name__)

_CHANGING: Final = frozenset({"StartSession", "ForkSession", "EndSession", "SendSessionParameter"})
_KNOWN_STATE: Final = (SessionNotFound, ServiceClosed, TooManySessions)
_GONE: Final = (SessionNotFound, ServiceClosed, SessionCrashed, SessionOutOfMemory)
_ANY_ERROR: Final = (OptArenaError, OSError, TypeError, NotImplementedError)
"""The errors that a status can become."""
_END_SECONDS: Final = 2.0
"""Seconds to end a session: its caller has finished with it, whatever the service says."""
_ABANDON_SECONDS: Final = 1.0
"""Seconds to end a session that no longer answers."""
_LONGEST_SECONDS: Final = 4_000_000.0


class GrpcConnection(CallingConnection):
    """A connection to a service that speaks gRPC. Thread-safe; made by :meth:`open`.

    A session whose state is no longer known is given up: its calls raise ServiceClosed, and the others go
    on. Only the end of the service's own process closes the connection.

    Attributes:
        process: The service's process, if it ends with the connection.
    """

    def __init__(
        self, caller: GrpcCaller, options: ConnectionOptions, process: ServiceProcess | None
    ) -> None:
        self.process = process
        self._caller = caller
        self._options = options
        self._owner = os.getpid()
        self._given_up: dict[int, str] = {}
        self._held = SessionToucher(self._touch, options.touch_seconds)

    @classmethod
    def open(
        cls,
        endpoint: str,
        options: ConnectionOptions | None = None,
        *,
        process: ServiceProcess | None = None,
    ) -> Self:
        """Connect to a service, and check that it is one.

        Args:
            endpoint: ``host:port`` or ``unix:/path``.
            options: Times, retries and token.
            process: The service's process, to be ended with the connection; if this call fails, that is
                left to the caller.

        Raises:
            InvalidInput: The endpoint or the token cannot be used.
            TransportError: Nothing listens there, or it does not answer, or is not a compiler service.
            ServiceError: The service refuses the token, or has died.
        """
        options = options or ConnectionOptions()
        caller = GrpcCaller(endpoint, options, process)
        try:
            caller.greet()
        except BaseException as error:  # KeyboardInterrupt too: leave nothing behind
            caller.shut(f"The connection could not be opened: {error}")
            raise
        logger.info("connected to the service at %s", caller.endpoint)
        return cls(caller, options, process)

    @property
    def endpoint(self) -> str:
        """Where the service is: ``host:port`` or ``unix:/path``."""
        return self._caller.endpoint

    @property
    def closed(self) -> bool:
        """Whether the connection can no longer be used."""
        return bool(self._caller.closed)

    def fork(self, session_id: int) -> tuple[GrpcConnection, int]:
        """Copy a session within the service.

        Returns:
            This connection, and the copy's session id.
        """
        return self, self._fork_session(session_id)

    def end(self, session_id: int) -> None:
        """End a session; the connection and its other sessions stay.

        Nothing that the service does is an error here, and this call does not wait for it for long.
        """
        self._held.ended(session_id)
        lost = self._given_up.pop(session_id, "")
        request = pb.EndSessionRequest(session_id=session_id)
        seconds = min(_ABANDON_SECONDS if lost else _END_SECONDS, self._options.rpc_call_max_seconds)
        try:
            self._call("EndSession", request, pb.EndSessionReply, seconds, attempts=1)
        except _GONE as error:
            logger.info("session %d had already ended: %s", session_id, error)
        except _ANY_ERROR as error:
            why = f" (it was given up: {lost})" if lost else ""
            logger.warning("session %d does not end%s: %s", session_id, why, error)

    def is_answering(self, seconds: float, *, ask: bool = False) -> bool:
        """Whether the service answers, as far as known.

        Args:
            seconds: Its time to answer, if it is asked.
            ask: Whether to ask even a service whose last call did not time out; it may just be busy.
        """
        return not self.closed and self._caller.is_answering(seconds, ask=ask)

    def kill(self) -> None:
        """Close as :meth:`close` does, but without asking a service that does not answer to end."""
        if self._owner == os.getpid() and self.process is not None:
            self.process.kill()
        self.close()

    def close(self) -> None:
        """Close the channel, and end the service if it was started for this connection.

        Sessions of a service that goes on are not ended. May be called twice, and from another thread
        during a call, which then raises ServiceClosed; nothing happens in a process forked from the
        owner's.
        """
        if self._owner != os.getpid():
            return
        self._held.close()
        self._caller.shut("The connection was closed.")
        if self.process is not None:
            self.process.close()

    def _call(
        self,
        method: str,
        request: Any,  # noqa: ANN401 # one of eight messages
        kind: type[Reply],
        timeout: float | None,
        attempts: int = 0,
    ) -> Reply:
        self._caller.check_usable()
        session_id: int | None = getattr(request, "session_id", None)
        if session_id in self._given_up and method != "EndSession":
            raise ServiceClosed(f"Session {session_id} was given up: {self._given_up[session_id]}")
        call = self._prepared(method, request, timeout, attempts)
        self._held.ended(
            session_id
        )  # a touch would wait for this call, and end the session if it waits too long
        try:
            with logs.timed(logger, "%s to %s", method, self.endpoint):
                reply = kind.FromString(self._caller.exchange(call))
        except DecodeError:
            error = TransportError(f"{method}: the answer of {self.endpoint} is not a {kind.__name__}")
            self._give_up(call, session_id, error)
            raise error from None
        except BaseException as error:  # KeyboardInterrupt too: leave nothing behind
            self._give_up(call, session_id, error)
            raise
        finally:
            if self.process is not None:
                self.process.pass_on_output()
            if method != "EndSession":
                self._held.called(session_id)
        self._held.called(getattr(reply, "session_id", None))
        return reply

    def _touch(self, session_id: int) -> None:
        self.step(pb.StepRequest(session_id=session_id))

    def _prepared(self, method: str, request: Any, timeout: float | None, attempts: int) -> GrpcCall:  # noqa: ANN401 # one of eight messages
        payload = request.SerializeToString()
        limit = self._options.max_message_bytes
        if len(payload) > limit:
            raise InvalidInput(
                f"{method}: The message has {len(payload)} bytes; at most {limit} are allowed."
            )
        seconds = min(self._options.rpc_call_max_seconds if timeout is None else timeout, _LONGEST_SECONDS)
        changes = method in _CHANGING or (method == "Step" and bool(request.action))
        return GrpcCall(method, payload, changes, seconds, attempts or max(1, self._options.rpc_max_retries))

    def _give_up(self, call: GrpcCall, session_id: int | None, error: BaseException) -> None:
        """Remember that the state of a call's session is unknown, unless it is known."""
        changes_session = call.left and call.method in {"Step", "SendSessionParameter"}
        unknown = call.status is None or call.status in FATAL
        if changes_session and session_id is not None and unknown and not isinstance(error, _KNOWN_STATE):
            self._given_up[session_id] = str(error) or type(error).__name__
