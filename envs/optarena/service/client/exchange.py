"""The exchange of calls and replies with a session's process, and the end of one that fails."""

from __future__ import annotations

import logging
import os
import threading
import time
from typing import TYPE_CHECKING, Final, NoReturn

from optarena.errors import InvalidInput, ServiceClosed, ServiceError, SessionCrashed, SessionTimeout
from optarena.service.client.calls import CallingConnection, Reply
from optarena.service.client.endings import breach, parsed, refusal, unexpected_end
from optarena.service.processes import progress
from optarena.service.processes.exit_status import quoted
from optarena.service.proto.envelope_pb2 import Envelope
from optarena.service.protocol import plain, wire
from optarena.service.protocol.answers import STEPS
from optarena.service.protocol.replies import FATAL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from google.protobuf.message import Message

    from optarena.isolation.limits import ProcessLimits
    from optarena.service.client.zygote import Worker, Zygote

logger = logging.getLogger(__name__)

STEP: Final = "Step"
_END_SECONDS: Final = 2.0
_REAP_SECONDS: Final = 30.0


class Exchange(CallingConnection):
    """A connection to one process. Its lock is held during each exchange."""

    def __init__(self, zygote: Zygote, worker: Worker, limits: ProcessLimits) -> None:
        self.worker = worker
        self.limits = limits
        self._unit_limits = limits
        self._zygote = zygote
        self._owner = os.getpid()
        self._lock = threading.RLock()  # a signal handler may close during a call
        self._last_call = 0
        self._deadline = 0.0
        self._closing = False
        self._closed = ""

    def _send(self, method: str, request: Message, seconds: float, descriptors: Sequence[int] = ()) -> None:
        """Send a call, the reply to which must be received next."""
        self._begin(seconds)
        call = Envelope(
            call_id=self._last_call,
            method=method,
            deadline_ms=int(seconds * 1000),
            payload=request.SerializeToString(),
            cpu_ms=self._cpu_ms,
        )
        self._send_frame(method, call.SerializeToString(), seconds, descriptors)

    def _send_plainly(self, step: plain.PlainStep, seconds: float) -> None:
        """Send a plain step, the reply to which must be received next."""
        self._begin(seconds)
        try:
            frame = step.packed(self._last_call, int(seconds * 1000), self._cpu_ms)
        except plain.MalformedFrame as error:
            raise InvalidInput(f"{STEP}: {error}.") from error
        self._send_frame(STEP, frame, seconds)

    @property
    def _cpu_ms(self) -> int:
        return int(1000 * (self._unit_limits.cpu_seconds_per_call or 0))

    def _begin(self, seconds: float) -> None:
        """Begin a call that may take this long."""
        if self._closed:
            raise ServiceClosed(self._closed)
        if self.worker.progress is not None:
            progress.note(self.worker.progress.fileno(), 0)
        self._deadline = time.monotonic() + seconds
        self._last_call += 1

    def _send_frame(self, method: str, frame: bytes, seconds: float, descriptors: Sequence[int] = ()) -> None:
        failure = None
        try:
            wire.limit(self.worker.channel, self._deadline)
            wire.send(self.worker.channel, frame, descriptors)
        except ValueError as error:
            raise InvalidInput(f"{method}: {error}.") from error
        except OSError as error:
            failure = self._lost(method, seconds, error)
        except BaseException as error:  # noqa: BLE001 # or the next call would read this answer
            self._lose(error)
        if failure is not None:
            self._lose(failure)

    def _receive(self, method: str, kind: type[Reply], seconds: float) -> Reply:
        """Receive the reply to the call that was sent last."""
        if self._closed:
            raise ServiceClosed(self._closed)
        try:
            reply = self._envelope(method, self._receive_frame(method, seconds))
            if not reply.status:
                return parsed(self.worker, kind, reply.payload, f"{method}: the answer")
        except BaseException as error:  # noqa: BLE001 # or the next call would read this answer
            self._lose(error)
        raise self._refused(method, reply)

    def _receive_plainly(self, seconds: float) -> plain.PlainOutcome:
        """Receive the reply to the plain step that was sent last."""
        if self._closed:
            raise ServiceClosed(self._closed)
        try:
            frame = self._receive_frame(STEP, seconds)
            if plain.is_plain(frame):
                return plain.PlainOutcome.unpacked(frame, self._last_call)
            reply = self._envelope(STEP, frame)
        except plain.MalformedFrame as error:
            self._lose(breach(self.worker, f"{STEP}: the answer is {error}"))
        except BaseException as error:  # noqa: BLE001 # or the next call would read this answer
            self._lose(error)
        if not reply.status:
            self._lose(breach(self.worker, f"{STEP}: the answer is a message"))
        raise self._refused(STEP, reply)

    def _refused(self, method: str, reply: Envelope) -> Exception:
        """The error in a reply; one that has lost the session is raised."""
        failure = refusal(self.worker, reply, started=method != "StartSession")
        ends = ServiceError if self.worker.sandbox.confined else SessionCrashed
        if reply.status in FATAL or isinstance(failure, ends):
            self._lose(failure)
        return failure

    def _lose(self, error: BaseException) -> NoReturn:
        """End the process because of an error, which is raised; if it was closed, who did so ends it."""
        if isinstance(error, ServiceClosed):
            raise error
        if self._closed and isinstance(error, Exception):  # by a signal handler, so this may be any error
            raise ServiceClosed("The connection was closed during the call.") from error
        unit = None if self._closed else self._progress()
        self._end(f"The connection was closed: {str(error) or type(error).__name__}")
        if isinstance(error, ServiceError):
            error.unit, error.cpu_seconds = unit, self.worker.cpu_seconds
        raise error

    def _receive_frame(self, method: str, seconds: float) -> bytes:
        """The next frame; any error raised here has lost the session."""
        data, problem = None, None
        try:
            data = wire.receive(self.worker.channel, self._deadline, more_follow=method == STEPS)
        except (OSError, wire.BrokenFrame) as error:
            problem = error
        if data is None:
            raise self._lost(method, seconds, problem)
        self.worker.trim_stderr()
        return data

    def _envelope(self, method: str, frame: bytes) -> Envelope:
        """The reply in a frame; any error raised here has lost the session."""
        reply = parsed(self.worker, Envelope, frame, f"{method}: the answer")
        if reply.call_id != self._last_call:
            raise breach(
                self.worker, f"{method}: the answer is to call {reply.call_id}, not {self._last_call}"
            )
        return reply

    def _lost(self, method: str, seconds: float, error: Exception | None) -> ServiceError:
        """Why no reply came."""
        if isinstance(error, TimeoutError):
            return SessionTimeout(f"{method}: no answer within {seconds:g} s")
        if self._closing:
            return ServiceClosed("The connection was closed during the call.")
        return unexpected_end(self.worker, self._unit_limits)

    def _progress(self) -> int | None:
        """The unit of work of the present call that was begun last."""
        file = self.worker.progress
        return None if file is None else progress.noted(file.fileno())

    def _end(self, reason: str, *, gently: bool = False) -> None:
        """End the process and reap it; gently means to let it end by itself if it does so quickly."""
        if self._closed:
            return
        self._closed = reason
        logger.log(logging.INFO if gently else logging.ERROR, "process %d: %s", self.worker.pid, reason)
        if not gently and (output := self.worker.stderr_tail()):
            logger.error("process %d wrote:\n%s", self.worker.pid, quoted(output))
        self.worker.hang_up()
        if not (gently and self.worker.wait(_END_SECONDS)):
            self.worker.kill()
            self.worker.wait(_REAP_SECONDS)
        self.worker.close()
