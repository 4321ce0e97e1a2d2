"""Calls over one gRPC channel: bytes in, bytes or one of the package's errors out.

A call is repeated while the service is unavailable. A call that changes something is repeated only if it
certainly never left this machine, since an action applied twice would be worse than an error. grpc reports
UNAVAILABLE in both cases, and the text may come from any server. Therefore, unless the channel has just
worked, a call that changes something is preceded by one that does not, and only that one is repeated.
"""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from google.protobuf.message import DecodeError

from optarena.errors import ServiceClosed, ServiceError, SessionNotFound, SessionTimeout, TransportError
from optarena.service.client.grpc_channel import (
    CallFailed,
    Status,
    call_metadata,
    checked_endpoint,
    open_channel,
    token_for,
    who_listens,
)
from optarena.service.client.options import TOKEN_VARIABLE
from optarena.service.processes import ownership
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.rpc_errors import ERROR_KEY, error_from
from optarena.service.protocol.status import StatusCode

if TYPE_CHECKING:
    from optarena.service.client.executable import ServiceProcess
    from optarena.service.client.options import ConnectionOptions

_SERVICE: Final = "compiler_gym.CompilerGymService"
_PROBE: Final = "GetVersion"
_METHODS: Final = (
    _PROBE, "GetSpaces", "StartSession", "ForkSession", "EndSession", "Step", "AddBenchmark",
    "SendSessionParameter",
)  # fmt: skip
_OF_A_SESSION: Final = frozenset({"ForkSession", "EndSession", "Step", "SendSessionParameter"})
_FRESH_SECONDS: Final = 1.0
"""A channel with an answer within this time counts as connected."""
_DEATH_SECONDS: Final = 0.5
"""Time to learn of a service's death after its connection has broken."""


@dataclass(slots=True)
class GrpcCall:
    """One call with all its attempts.

    Attributes:
        method: The method's name.
        payload: The request.
        changes: Whether the call must not be made twice.
        seconds: Time for all attempts together.
        attempts: The maximum number of attempts.
        deadline: The end of the time.
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


class GrpcCaller:
    """A channel and the rules for calls over it. Thread-safe.

    Args:
        endpoint: ``host:port`` or ``unix:/path``.
        options: Times, retries and token.
        process: The service's process, if it was started here.

    Raises:
        InvalidInput: The endpoint or the token cannot be used.
    """

    def __init__(self, endpoint: str, options: ConnectionOptions, process: ServiceProcess | None) -> None:
        self.endpoint = checked_endpoint(endpoint)
        self.closed = ""
        self._options = options
        self._process = process
        self._owner = os.getpid()
        self._metadata = call_metadata(process.token if process else token_for(options))
        self._channel = open_channel(self.endpoint, options)
        self._methods = {name: self._channel.unary_unary(f"/{_SERVICE}/{name}") for name in _METHODS}
        self._heard = float("-inf")
        self._closing = threading.RLock()  # a signal handler may close during a close

    def check_usable(self) -> None:
        """Refuse use after the end, or in a process forked from the owner's.

        Raises:
            ServiceClosed: The message says which of the two.
        """
        ownership.check_owner(self._owner)
        if self.closed:
            raise ServiceClosed(self.closed)

    def shut(self, reason: str) -> None:
        """Close the channel; nothing happens the second time, or in a process forked from the owner's."""
        if self._owner != os.getpid():
            return
        with self._closing:
            if not self.closed:
                self.closed = reason
                self._channel.close()

    def is_answering(self, seconds: float, *, ask: bool) -> bool:
        """Whether the service answers; without ``ask``, it is called only if the last call got no answer.

        A process forked from the owner's calls nothing, and gets no answer.
        """
        if self._owner != os.getpid():
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

    def exchange(self, call: GrpcCall) -> bytes:
        """Make a call, and repeat it if that is safe and the service is unavailable.

        Raises:
            Exception: One of the errors that ``Connection`` names; ``call.left`` says more.
        """
        wait = self._options.retry_wait_seconds
        attempt = 0
        while True:
            attempt += 1
            call.left, call.status = False, None
            try:
                if call.changes and time.monotonic() - self._heard > _FRESH_SECONDS:
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
            self.check_usable()
            wait *= self._options.retry_wait_backoff_exponent

    def greet(self) -> None:
        """Make sure that a compiler service answers.

        Raises:
            TransportError: No process listens there, or it does not answer, or is not a compiler service.
            ServiceError: The service refuses the token, or has died.
        """
        began = time.monotonic()
        until = began + self._options.init_max_seconds
        wait = self._options.retry_wait_seconds
        attempt = 0
        while (status := self._greet_once(until)) is not None:
            attempt += 1
            ending = self._ending()
            if ending is not None:
                raise ending
            if status.code not in {StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED}:
                raise self._strange(status)
            if attempt >= self._options.init_max_attempts or time.monotonic() + wait > until:
                tried = f"{attempt} attempts in {time.monotonic() - began:.1f} s"
                raise self._unreached(status, tried)
            time.sleep(wait)
            self.check_usable()
            wait *= self._options.retry_wait_backoff_exponent

    def _greet_once(self, until: float) -> Status | None:
        """Why the service does not answer; None if it does."""
        deadline = min(time.monotonic() + self._options.rpc_init_max_seconds, until)
        try:
            pb.GetVersionReply.FromString(self._send(_PROBE, b"", deadline))
        except DecodeError:
            raise self._stranger("its answer is not a GetVersionReply") from None
        except CallFailed as error:
            return Status.of(error)
        return None

    def _send(self, method: str, payload: bytes, deadline: float) -> bytes:
        """Make one attempt.

        Raises:
            CallFailed: The attempt failed.
            ServiceClosed: The channel was closed in the meantime.
        """
        seconds = max(0.0, deadline - time.monotonic())
        try:
            data: bytes = self._methods[method](payload, timeout=seconds, metadata=self._metadata)
        except ValueError:  # grpc's error for a closed channel
            self.check_usable()
            raise
        self._heard = time.monotonic()
        return data

    def _failure(self, call: GrpcCall, status: Status, attempt: int) -> Exception:
        """The error for the status of a failed call."""
        if self.closed:
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
            return TransportError(
                f"{call.method}: the connection to {self.endpoint} was lost, and it is unknown whether the "
                f"call took effect: {status.message}"
            )
        return TransportError(
            f"{call.method}: the service at {self.endpoint} is not available ({attempt} attempts): "
            f"{status.message}"
        )

    def _ending(self) -> ServiceError | None:
        """The error for the end of the service's process; None if it runs or was not started here."""
        if self._process is None or self._process.wait(_DEATH_SECONDS) is None:
            return None
        error = self._process.ending()
        self.shut(f"This connection was closed: {error}")
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
