"""The connection over gRPC: many sessions of one service, from this package or another, over one channel.

A call is repeated while the service is unavailable. A call that changes something is repeated only if it
certainly never left this machine, since an action applied twice would be worse than an error. grpc reports
UNAVAILABLE in both cases, and the text may come from any server. Therefore, unless the channel has just
worked, a call that changes something is preceded by one that does not, and only that one is repeated.

No other module of the client's side imports grpc; modules that a session's process imports must not import
this one.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import quote

import grpc
from google.protobuf.message import DecodeError

from optarena import logs
from optarena.documents.texts import printable
from optarena.errors import (
    InvalidInput,
    OptArenaError,
    ServiceClosed,
    ServiceError,
    SessionCrashed,
    SessionNotFound,
    SessionOutOfMemory,
    SessionTimeout,
    TooManySessions,
    TransportError,
)
from optarena.service import timeouts
from optarena.service.client.interface import Connection, Reply
from optarena.service.client.options import TOKEN_VARIABLE, ConnectionOptions
from optarena.service.client.target import ServiceTarget, TargetKind
from optarena.service.processes import exit_status
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.status import ERROR_KEY, FATAL, StatusCode, error_from

if TYPE_CHECKING:
    from optarena.service.client.executable import ServiceProcess

os.environ.setdefault("GRPC_VERBOSITY", "ERROR")  # read at import; this package reports lost connections


CallFailed: Final = grpc.RpcError  # the exception that grpc raises; see Status
_UNIX: Final = "unix:"
_METADATA_BYTES: Final = 512 * 1024
_LONGEST_MESSAGE: Final = 8_000
# characters read of a value in a status's metadata: our own services send names and numbers
_LONGEST_METADATA: Final = 200


def open_channel(endpoint: str, options: ConnectionOptions) -> Any:  # noqa: ANN401 # grpc ships no types
    """A new, unshared channel to an endpoint; it connects at its first use."""
    settings = [
        ("grpc.max_send_message_length", -1),  # checked before it is sent, as by every transport
        ("grpc.max_receive_message_length", options.max_message_bytes),
        ("grpc.max_metadata_size", _METADATA_BYTES),
        ("grpc.absolute_max_metadata_size", 2 * _METADATA_BYTES),
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.service_config_disable_resolution", 1),  # name servers must not configure retries
        ("grpc.initial_reconnect_backoff_ms", int(1000 * timeouts.RECONNECT_SECONDS)),
        ("grpc.max_reconnect_backoff_ms", int(1000 * timeouts.LONGEST_RECONNECT_SECONDS)),
    ]
    host = endpoint.rpartition(":")[0].strip("[]")
    if endpoint.startswith(_UNIX) or host in {"localhost", "::1"} or host.startswith("127."):
        settings.append(("grpc.enable_http_proxy", 0))
    target = f"dns:///{endpoint}"
    if endpoint.startswith(_UNIX):
        target = _UNIX + quote(endpoint.removeprefix(_UNIX))
    return grpc.insecure_channel(target, options=settings)


@dataclass(frozen=True, slots=True)
class Status:
    """The status of a failed call.

    Attributes:
        code: The status code, a number.
        message: The service's message, or grpc's; shortened, and without control characters.
        metadata: The trailing metadata.
    """

    code: int
    message: str
    metadata: Mapping[str, str]

    @classmethod
    def of(cls, error: Any) -> Self:  # noqa: ANN401 # grpc ships no types
        """The status in grpc's error; a foreign service may have sent anything."""
        code = error.code()
        number: int = (code if isinstance(code, grpc.StatusCode) else grpc.StatusCode.UNKNOWN).value[0]
        message = str(error.details() or f"status {number} without a message")
        kept = message[:_LONGEST_MESSAGE]
        # A terminal would execute control characters.
        shown = printable(kept, keep="\n\t") + ("…" if len(message) > len(kept) else "")
        metadata = {
            key: value
            for key, value in error.trailing_metadata() or ()
            if isinstance(key, str) and isinstance(value, str) and len(value) <= _LONGEST_METADATA
        }
        return cls(number, shown, metadata)


def who_listens(endpoint: str) -> str:
    """Why an endpoint cannot be reached; empty if a process accepts connections there."""
    try:
        if endpoint.startswith(_UNIX):
            with socket.socket(socket.AF_UNIX) as sock:
                sock.settimeout(timeouts.ENDPOINT_PROBE_SECONDS)
                sock.connect(endpoint.removeprefix(_UNIX))
        else:
            host, _, port = endpoint.rpartition(":")
            socket.create_connection((host.strip("[]"), int(port)), timeouts.ENDPOINT_PROBE_SECONDS).close()
    except UnicodeError:  # of the codec for host names
        return "the host name is not valid"
    except socket.gaierror as error:
        return f"the host is unknown ({error.strerror})"
    except OSError as error:
        return f"no process listens there ({error.strerror or error})"
    return ""


_SERVICE: Final = "compiler_gym.CompilerGymService"
_PROBE: Final = "GetVersion"
_METHODS: Final = (
    _PROBE, "GetSpaces", "StartSession", "ForkSession", "EndSession", "Step", "AddBenchmark",
    "SendSessionParameter",
)  # fmt: skip
_OF_A_SESSION: Final = frozenset({"ForkSession", "EndSession", "Step", "SendSessionParameter"})


@dataclass(slots=True)
class GrpcCall:
    """One call with all its attempts.

    Attributes:
        changes: Whether the call must not be made twice.
        seconds: Time for all attempts together.
        attempts: The maximum number of attempts.
        left: Whether the last attempt may have reached the service.
        status: The status code of the last attempt; None if it was answered or interrupted.
    """

    method: str
    payload: bytes
    changes: bool
    seconds: float
    attempts: int
    deadline: float = field(init=False)
    left: bool = False
    status: int | None = None

    def __post_init__(self) -> None:
        self.deadline = time.monotonic() + self.seconds


_CHECKS: Final = 4  # looks at a session in the time that it may be without a call


class SessionToucher:
    """Touches the sessions of one connection. Thread-safe.

    Args:
        touch: Makes a call to the session of a number that changes nothing.
        seconds: How long a session may be without a call.
    """

    def __init__(self, touch: Callable[[int], object], seconds: float) -> None:
        self._touch = touch
        self._seconds = seconds
        self._last: dict[int, float] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def called(self, session_id: int | None) -> None:
        """Note that a call to a session that is held has ended; None for a call to no session."""
        if session_id is None:
            return
        with self._lock:
            self._last[session_id] = time.monotonic()
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._work, daemon=True, name="touching sessions")
                self._thread.start()

    def ended(self, session_id: int | None) -> None:
        """Note that a session is no longer held, or is called now; None for a call to no session."""
        with self._lock:
            if session_id is not None:
                self._last.pop(session_id, None)

    def close(self) -> None:
        """Touch nothing any more."""
        self._closed.set()

    def _work(self) -> None:
        while not self._closed.wait(self._seconds / _CHECKS):
            before = time.monotonic() - self._seconds
            with self._lock:
                idle = [(number, last) for number, last in self._last.items() if last < before]
            for number, last in idle:
                self._try(number, last)

    def _try(self, session_id: int, last: float) -> None:
        # If the session is still there, a touch that fails is repeated at the next check.
        try:
            self._touch(session_id)
        except (SessionNotFound, ServiceClosed, SessionCrashed, InvalidInput, NotImplementedError) as error:
            logger.info("session %d is gone, or cannot be touched: %s", session_id, error)
            self.ended(session_id)  # whoever holds it gets the error of its next call
        except Exception as error:  # noqa: BLE001 # or the thread would end, and touch no session any more
            logger.info("session %d could not be touched: %s", session_id, error)
            with self._lock:
                if session_id in self._last:  # the touch was noted as a call
                    self._last[session_id] = last


logger = logging.getLogger(__name__)

_CHANGING: Final = frozenset({"StartSession", "ForkSession", "EndSession", "SendSessionParameter"})
_KNOWN_STATE: Final = (SessionNotFound, ServiceClosed, TooManySessions)
_GONE: Final = (SessionNotFound, ServiceClosed, SessionCrashed, SessionOutOfMemory)
_ANY_ERROR: Final = (OptArenaError, OSError, TypeError, NotImplementedError)  # what a status can become


class GrpcConnection(Connection):
    """A connection to a service that speaks gRPC. Thread-safe; made by :meth:`open`.

    A session whose state is no longer known is given up: its calls raise ServiceClosed, and the others go
    on. Only the end of the service's own process closes the connection.

    Attributes:
        process: The service's process, if it ends with the connection.
    """

    def __init__(
        self, endpoint: str, options: ConnectionOptions, process: ServiceProcess | None = None
    ) -> None:
        target = ServiceTarget.parse(endpoint)
        if target.kind is not TargetKind.ENDPOINT:
            message = f"The endpoint {endpoint[:200]!r} is not valid."
            remedy = "Give 'host:port' or 'unix:/path'."
            raise InvalidInput(message, field="endpoint", value=endpoint, remedy=remedy)
        token = process.token if process else options.token or os.environ.get(TOKEN_VARIABLE, "")
        if not (token.isascii() and token.isprintable()):
            message = "The token of the service has characters that cannot be sent."
            remedy = f"Use printable ASCII in ConnectionOptions(token=…) and ${TOKEN_VARIABLE}."
            raise InvalidInput(message, field="token", remedy=remedy)
        self.endpoint = target.name
        self.process = process
        self._options = options
        self._owner = os.getpid()
        self._metadata = (("authorization", f"Bearer {token}"),) if token else None
        self._channel = open_channel(self.endpoint, options)
        self._methods = {name: self._channel.unary_unary(f"/{_SERVICE}/{name}") for name in _METHODS}
        self._heard = float("-inf")
        self._closed = ""
        self._closing = threading.RLock()  # a signal handler may close during a close
        self._given_up: dict[int, str] = {}
        self._held = SessionToucher(
            lambda number: self.step(pb.StepRequest(session_id=number)), options.touch_seconds
        )

    @classmethod
    def open(
        cls, endpoint: str, options: ConnectionOptions | None = None, *, process: ServiceProcess | None = None
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
        connection = cls(endpoint, options or ConnectionOptions(), process)
        try:
            connection._greet()
        except BaseException as error:  # KeyboardInterrupt too: leave nothing behind
            connection._shut(f"The connection could not be opened: {error}")
            raise
        logger.info("connected to the service at %s", connection.endpoint)
        return connection

    @property
    def closed(self) -> bool:
        """Whether the connection can no longer be used."""
        return bool(self._closed)

    def end(self, session_id: int) -> None:
        """End a session; the connection and its other sessions stay.

        Nothing that the service does is an error here, and this call does not wait for it for long.
        """
        self._held.ended(session_id)
        lost = self._given_up.pop(session_id, "")
        request = pb.EndSessionRequest(session_id=session_id)
        seconds = timeouts.REMOTE_ABANDON_SECONDS if lost else timeouts.REMOTE_END_SECONDS
        seconds = min(seconds, self._options.rpc_call_max_seconds)
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
        if self._closed or self._owner != os.getpid():
            return False
        if not ask and self._heard != float("-inf"):
            return True
        try:
            self._send(_PROBE, b"", time.monotonic() + seconds)
        except CallFailed as error:
            return Status.of(error).code not in {StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED}
        except (ServiceClosed, ValueError):
            return False
        return True

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
        self._shut("The connection was closed.")
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
        self._check_usable()
        session_id: int | None = getattr(request, "session_id", None)
        if session_id in self._given_up and method != "EndSession":
            raise ServiceClosed(f"Session {session_id} was given up: {self._given_up[session_id]}")
        payload = request.SerializeToString()
        limit = self._options.max_message_bytes
        if len(payload) > limit:
            raise InvalidInput(
                f"{method}: The message has {len(payload)} bytes; at most {limit} are allowed."
            )
        seconds = self._options.rpc_call_max_seconds if timeout is None else timeout
        seconds = min(seconds, timeouts.LONGEST_SECONDS)
        changes = method in _CHANGING or (method == "Step" and bool(request.action))
        call = GrpcCall(method, payload, changes, seconds, attempts or max(1, self._options.rpc_max_retries))
        self._held.ended(
            session_id
        )  # a touch would wait for this call, and end the session if it waits too long
        try:
            with logs.timed(logger, "%s to %s", method, self.endpoint):
                reply = kind.FromString(self._exchange(call))
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

    def _give_up(self, call: GrpcCall, session_id: int | None, error: BaseException) -> None:
        # Make no further call to a session whose state the failed call has left unknown.
        changes_session = call.left and call.method in {"Step", "SendSessionParameter"}
        unknown = call.status is None or call.status in FATAL
        if changes_session and session_id is not None and unknown and not isinstance(error, _KNOWN_STATE):
            self._given_up[session_id] = str(error) or type(error).__name__

    def _check_usable(self) -> None:
        # After the end, or in a process forked from the owner's.
        exit_status.check_owner(self._owner)
        if self._closed:
            raise ServiceClosed(self._closed)

    def _shut(self, reason: str) -> None:
        if self._owner != os.getpid():
            return
        with self._closing:
            if not self._closed:
                self._closed = reason
                self._channel.close()

    def _exchange(self, call: GrpcCall) -> bytes:
        # Repeat a call if that is safe and the service is unavailable; `call.left` says more about an error.
        wait = self._options.retry_wait_seconds
        attempt = 0
        while True:
            attempt += 1
            call.left, call.status = False, None
            try:
                if call.changes and time.monotonic() - self._heard > timeouts.FRESH_CHANNEL_SECONDS:
                    self._send(_PROBE, b"", call.deadline)
                call.left = True
                return self._send(call.method, call.payload, call.deadline)
            except CallFailed as error:
                status = Status.of(error)
                call.status = status.code
                unavailable = status.code == StatusCode.UNAVAILABLE
                call.left = call.left and (call.changes or not unavailable)
                failure = self._failure(call, status, attempt)
                if call.left or not (unavailable and isinstance(failure, TransportError)):
                    raise failure from None
                if attempt >= call.attempts or time.monotonic() + wait > call.deadline:
                    raise failure from None
            time.sleep(wait)
            self._check_usable()
            wait *= self._options.retry_wait_backoff_exponent

    def _greet(self) -> None:
        # Make sure that a compiler service answers.
        began = time.monotonic()
        until = began + self._options.init_max_seconds
        wait = self._options.retry_wait_seconds
        attempt = 0
        while True:
            attempt += 1
            deadline = min(time.monotonic() + self._options.rpc_init_max_seconds, until)
            try:
                pb.GetVersionReply.FromString(self._send(_PROBE, b"", deadline))
            except DecodeError:
                raise self._stranger("its answer is not a GetVersionReply") from None
            except CallFailed as error:
                status = Status.of(error)
            else:
                return
            ending = self._ending()
            if ending is not None:
                raise ending
            if status.code not in {StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED}:
                raise self._strange(status)
            if attempt >= self._options.init_max_attempts or time.monotonic() + wait > until:
                tried = f"{attempt} attempts in {time.monotonic() - began:.1f} s"
                raise self._unreached(status, tried)
            time.sleep(wait)
            self._check_usable()
            wait *= self._options.retry_wait_backoff_exponent

    def _send(self, method: str, payload: bytes, deadline: float) -> bytes:
        seconds = max(0.0, deadline - time.monotonic())
        try:
            data: bytes = self._methods[method](payload, timeout=seconds, metadata=self._metadata)
        except ValueError:  # grpc's error for a closed channel
            self._check_usable()
            raise
        self._heard = time.monotonic()
        return data

    def _failure(self, call: GrpcCall, status: Status, attempt: int) -> Exception:
        if self._closed:
            return ServiceClosed("This connection was closed during the call.")
        named = ERROR_KEY in status.metadata
        if status.code == StatusCode.UNAVAILABLE:
            self._heard = float("-inf")
            lost = self._ending()
            if lost is not None or not named:
                return lost or self._lost(call, status, attempt)
        elif status.code == StatusCode.DEADLINE_EXCEEDED and not named:
            self._heard = float("-inf")
            return SessionTimeout(f"{call.method}: no answer within {call.seconds:g} s from {self.endpoint}")
        elif status.code == StatusCode.NOT_FOUND and call.method in _OF_A_SESSION and not named:
            return SessionNotFound(status.message)  # another service may use any text
        elif status.code == StatusCode.UNAUTHENTICATED:
            return self._refused(status)
        return error_from(status.code, status.message, status.metadata)

    def _lost(self, call: GrpcCall, status: Status, attempt: int) -> TransportError:
        if call.left:
            what = (
                f"the connection to {self.endpoint} was lost, and it is unknown whether the call took effect"
            )
        else:
            what = f"the service at {self.endpoint} is not available ({attempt} attempts)"
        return TransportError(f"{call.method}: {what}: {status.message}")

    def _ending(self) -> ServiceError | None:
        # None if the service's process runs or was not started here.
        if self.process is None or self.process.wait(timeouts.SERVICE_DEATH_SECONDS) is None:
            return None
        error = self.process.ending()
        self._shut(f"This connection was closed: {error}")
        return error

    def _unreached(self, status: Status, tried: str) -> TransportError:
        absent = who_listens(self.endpoint)
        if absent:
            return TransportError(f"No service can be reached at {self.endpoint}: {absent}; {tried}.")
        if status.code == StatusCode.DEADLINE_EXCEEDED:
            seconds = self._options.rpc_init_max_seconds
            return TransportError(
                f"The process that listens at {self.endpoint} does not answer within {seconds:g} s; {tried}."
            )
        return self._stranger(f"{status.message}; {tried}")

    def _strange(self, status: Status) -> ServiceError:
        if status.code in {StatusCode.UNAUTHENTICATED, StatusCode.PERMISSION_DENIED}:
            return self._refused(status)
        if status.code == StatusCode.UNIMPLEMENTED:
            return self._stranger(f"it speaks gRPC but has no {_SERVICE}")
        return self._stranger(status.message)

    def _stranger(self, why: str) -> TransportError:
        return TransportError(f"The process at {self.endpoint} is not a compiler service: {why}.")

    def _refused(self, status: Status) -> ServiceError:
        what = "rejects the token" if self._metadata else "requires a token"
        return ServiceError(
            f"The service at {self.endpoint} {what} ({status.message}). "
            f"Give it as ConnectionOptions(token=…) or in ${TOKEN_VARIABLE}."
        )
