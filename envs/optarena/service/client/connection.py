"""Connections: a session's process, driven through the interface that all connections share.

The managed connection owns one process, forked for one session. It turns status codes and ends of processes
into the package's own errors; after a fatal one the process is dead and reaped.
"""

from __future__ import annotations

import importlib.metadata
import json
import logging
import os
import socket
import threading
import time
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from optarena import logs
from optarena.errors import (
    InvalidInput,
    ServiceClosed,
    ServiceError,
    SessionCrashed,
    SessionNotFound,
    SessionTimeout,
    TransportError,
)
from optarena.isolation.limits import ProcessLimits
from optarena.limits import ACTION_WALL_SECONDS
from optarena.service.client.calls import CallingConnection, Reply
from optarena.service.client.endings import breach, parsed, refusal, unexpected_end
from optarena.service.client.interface import Connection
from optarena.service.client.zygote import Worker, Zygote
from optarena.service.processes import progress
from optarena.service.processes.exit_status import quoted
from optarena.service.processes.outputs import stderr_file
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.proto.envelope_pb2 import Envelope
from optarena.service.protocol import wire
from optarena.service.protocol.history import SessionHistory
from optarena.service.protocol.replies import FATAL, SESSION_NOT_FOUND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from google.protobuf.message import Message

    from optarena.isolation.sandbox import SandboxReport

__all__ = ["Connection", "ManagedConnection"]

logger = logging.getLogger(__name__)

_ENTRY: Final = "optarena.service.session_process.session_main:session_main"
_END_SECONDS: Final = 2.0
_REAP_SECONDS: Final = 30.0
_LONGEST_SECONDS: Final = 4_000_000.0
"""The longest timeout: its milliseconds fit the envelope."""


class ManagedConnection(CallingConnection):
    """A connection that owns one fresh process, in which one session can be started.

    Thread-safe: calls wait for each other. Made by :meth:`open`.
    """

    def __init__(self, zygote: Zygote, worker: Worker, limits: ProcessLimits) -> None:
        self.worker = worker
        self.limits = limits
        self._unit_limits = limits
        self._zygote = zygote
        self._owner = os.getpid()
        self._lock = threading.RLock()  # a signal handler may close during a call
        self._last_call = 0
        self._closing = False
        self._closed = ""
        self._by_replay = worker.fork_by == "replay"
        self._benchmarks: dict[str, pb.Benchmark] = {}
        self._history: SessionHistory | None = None

    @classmethod
    def open(
        cls, session_type: str, *, limits: ProcessLimits | None = None, sandbox: bool = False
    ) -> ManagedConnection:
        """Fork a process for one session.

        Args:
            session_type: ``module:class`` of a :class:`~optarena.service.CompilationSession`.
            limits: What the process may use; the defaults of :class:`ProcessLimits` if not given.
            sandbox: Whether to confine the process, for untrusted work. Such a session may not fork, so it is
                copied by replay, and it has no working directory.

        Raises:
            UnknownName, PlatformNotSupported, SandboxUnavailable, ServiceError: See these classes.
        """
        limits = limits or ProcessLimits()
        zygote = Zygote.shared(session_type)
        try:
            return cls._open(zygote, limits, sandbox=sandbox)
        except TransportError:  # it died between two sessions; shared() starts another
            if zygote.is_alive() and zygote.owes_an_answer():  # it does not answer, and will not next time
                raise
            return cls._open(Zygote.shared(session_type), limits, sandbox=sandbox)

    @classmethod
    def _open(cls, zygote: Zygote, limits: ProcessLimits, *, sandbox: bool) -> ManagedConnection:
        order = {
            "session_type": zygote.session_type,
            "directory": zygote.directory,
            "service_version": _service_version(),
            "confined": sandbox,
            "debug": logs.level(),
        }
        shared = progress.progress_file()
        try:
            worker = zygote.spawn(
                _ENTRY,
                limits=limits,
                sandbox=sandbox,
                fds=(shared.fileno(),),
                payload=json.dumps(order).encode(),
            )
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            shared.close()
            raise
        worker.progress = shared
        logger.info("process %d: a session of %s, %s", worker.pid, zygote.session_type, worker.sandbox)
        return cls(zygote, worker, limits)

    @property
    def sandbox(self) -> SandboxReport:
        """The sandbox of the process."""
        return self.worker.sandbox

    @property
    def confinement(self) -> dict[str, Any]:
        """The sandbox of the process, as JSON data."""
        return self.sandbox.as_dict()

    @property
    def closed(self) -> bool:
        """Whether the connection can no longer be used."""
        return bool(self._closed)

    def is_alive(self) -> bool:
        """Whether the process is alive, or a call to it is in progress; answers without waiting."""
        if not self._lock.acquire(blocking=False):
            return True
        try:
            return not self._closed and self.worker.wait(0) is None
        finally:
            self._lock.release()

    def start_session(
        self, request: pb.StartSessionRequest, *, timeout: float | None = None
    ) -> pb.StartSessionReply:
        """Start the session; a second one in the same process raises TypeError."""
        self._check_owner()
        with self._lock:
            reply = super().start_session(request, timeout=timeout)
            if self._by_replay:
                given = request.benchmark
                benchmark = given if given.HasField("program") else self._benchmarks.get(given.uri, given)
                self._history = SessionHistory(benchmark, request.action_space)
            return reply

    def step(
        self, request: pb.StepRequest, *, timeout: float | None = None, cpu_seconds: float | None = None
    ) -> pb.StepReply:
        """Apply actions and observe; the default timeout is that of one action for each."""
        if timeout is None:
            timeout = ACTION_WALL_SECONDS * max(1.0, len(request.action))
        self._check_owner()
        with self._lock:
            self._unit_limits = self.limits.with_cpu_seconds(cpu_seconds)
            try:
                reply = super().step(request, timeout=timeout)
            finally:
                self._unit_limits = self.limits
            if self._history is not None:
                self._history.record_step(request.action)
            return reply

    def add_benchmark(
        self, request: pb.AddBenchmarkRequest, *, timeout: float | None = None
    ) -> pb.AddBenchmarkReply:
        """Put benchmarks into the process's cache."""
        reply = super().add_benchmark(request, timeout=timeout)
        if self._by_replay:
            self._benchmarks.update({benchmark.uri: benchmark for benchmark in request.benchmark})
        return reply

    def send_session_parameter(
        self, request: pb.SendSessionParameterRequest, *, timeout: float | None = None
    ) -> pb.SendSessionParameterReply:
        """Set or query parameters of the session."""
        self._check_owner()
        with self._lock:
            reply = super().send_session_parameter(request, timeout=timeout)
            if self._history is not None:
                self._history.record_parameters(request.parameter)
            return reply

    def fork(self, session_id: int) -> tuple[ManagedConnection, int]:
        """Copy the session, by forking its process or by replaying its actions in a new one.

        Returns:
            A connection to the copy's process, and the copy's session id. Both sessions are in exactly
            the same state and live on independently.
        """
        return self._replay(session_id) if self._by_replay else self._fork_process(session_id)

    def end(self, session_id: int) -> None:  # noqa: ARG002 # there is only one
        """End the session's process, and so the connection."""
        self.close()

    def close(self) -> None:
        """End the process; nothing happens in a process forked from the owner's.

        May be called twice, and from another thread during a call, which then raises ServiceClosed.
        """
        if self._owner != os.getpid():
            return
        self._closing = True
        if not self._lock.acquire(blocking=False):
            self.worker.kill()
            self._lock.acquire()
        try:
            self._end("The connection was closed.", gently=True)
        finally:
            self._lock.release()

    def _call(
        self,
        method: str,
        request: Message,
        kind: type[Reply],
        timeout: float | None,
        descriptors: Sequence[int] = (),
    ) -> Reply:
        self._check_owner()
        with self._lock:
            if self._closed:
                raise ServiceClosed(self._closed)
            seconds = ACTION_WALL_SECONDS if timeout is None else min(timeout, _LONGEST_SECONDS)
            self._note_no_progress()
            try:
                with logs.timed(logger, "%s to process %d", method, self.worker.pid):
                    reply = self._exchange(method, request.SerializeToString(), seconds, descriptors)
                if not reply.status:
                    return parsed(self.worker, kind, reply.payload, f"{method}: the answer")
            except (InvalidInput, ServiceClosed):
                raise
            except BaseException as error:  # or the next call would read this answer
                unit = self._progress()
                self._end(f"The connection was closed: {str(error) or type(error).__name__}")
                if isinstance(error, ServiceError):
                    error.unit, error.cpu_seconds = unit, self.worker.cpu_seconds
                raise
            failure = refusal(self.worker, reply, started=method != "StartSession")
            ends = ServiceError if self.worker.sandbox.confined else SessionCrashed
            if reply.status in FATAL or isinstance(failure, ends):
                unit = self._progress()
                self._end(f"The connection was closed: {failure}")
                if isinstance(failure, ServiceError):
                    failure.unit, failure.cpu_seconds = unit, self.worker.cpu_seconds
            raise failure

    def _exchange(self, method: str, payload: bytes, seconds: float, descriptors: Sequence[int]) -> Envelope:
        """Send a call and receive its reply; any error raised here has lost the session."""
        channel = self.worker.channel
        self._last_call += 1
        call = Envelope(
            call_id=self._last_call, method=method, deadline_ms=int(seconds * 1000), payload=payload
        )
        call.cpu_ms = int(1000 * (self._unit_limits.cpu_seconds_per_call or 0))
        deadline = time.monotonic() + seconds
        data = None
        try:
            wire.limit(channel, deadline)
            wire.send(channel, call.SerializeToString(), descriptors)
            data = wire.receive(channel, deadline)
        except ValueError as error:
            raise InvalidInput(f"{method}: {error}.") from error
        except TimeoutError:
            raise SessionTimeout(f"{method}: no answer within {seconds:g} s") from None
        except (OSError, wire.BrokenFrame):
            data = None
        if data is None and self._closing:
            raise ServiceClosed("The connection was closed during the call.")
        if data is None:
            raise unexpected_end(self.worker, self._unit_limits)
        reply = parsed(self.worker, Envelope, data, f"{method}: the answer")
        if reply.call_id != self._last_call:
            problem = f"{method}: the answer is to call {reply.call_id}, not {self._last_call}"
            raise breach(self.worker, problem)
        self.worker.trim_stderr()
        return reply

    def _note_no_progress(self) -> None:
        if self.worker.progress is not None:
            progress.note(self.worker.progress.fileno(), 0)

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

    def _fork_process(self, session_id: int) -> tuple[ManagedConnection, int]:
        self._check_owner()
        with self._lock:  # nothing may change the files until they are copied
            self._zygote.keep_directory()
            return self._fork_process_locked(session_id)

    def _fork_process_locked(self, session_id: int) -> tuple[ManagedConnection, int]:
        ours, theirs = socket.socketpair()
        stderr, shared = stderr_file(), progress.progress_file()
        try:
            request = pb.ForkSessionRequest(session_id=session_id)
            descriptors = [theirs.fileno(), stderr.fileno(), shared.fileno()]
            reply = self._call("ForkSession", request, pb.ForkSessionReply, None, descriptors)
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            ours.close()
            stderr.close()
            shared.close()
            raise
        finally:
            theirs.close()
        try:
            worker = self._zygote.adopt(ours, stderr)
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            shared.close()
            raise
        worker.progress = shared
        return ManagedConnection(self._zygote, worker, self.limits), reply.session_id

    def _replay(self, session_id: int) -> tuple[ManagedConnection, int]:
        self._check_owner()
        with self._lock:
            if self._history is None:
                raise SessionNotFound(f"{SESSION_NOT_FOUND}: {session_id}")
            probe = pb.SendSessionParameterRequest(session_id=session_id)  # no parameter: is it alive?
            self._call("SendSessionParameter", probe, pb.SendSessionParameterReply, None)
            history = self._history.copy()
        copy = ManagedConnection.open(
            self._zygote.session_type, limits=self.limits, sandbox=self.sandbox.confined
        )
        try:
            start = pb.StartSessionRequest(benchmark=history.benchmark, action_space=history.action_space)
            copy_id = copy.start_session(start).session_id
            for call in history.calls:
                if isinstance(call, pb.StepRequest):
                    copy.step(pb.StepRequest(session_id=copy_id, action=call.action))
                else:
                    copy.send_session_parameter(
                        pb.SendSessionParameterRequest(session_id=copy_id, parameter=call.parameter)
                    )
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            copy.close()
            raise
        return copy, copy_id

    def _check_owner(self) -> None:
        if self._owner != os.getpid():
            self._zygote.check_owner()


@cache
def _service_version() -> str:
    return importlib.metadata.version("optarena")
