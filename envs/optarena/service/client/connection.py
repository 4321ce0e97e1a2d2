"""Connections: a session's process, driven through the interface that all connections share.

The managed connection owns one process, forked for one session. It turns status codes and ends of processes
into the package's own errors; after a fatal one the process is dead and reaped.
"""

from __future__ import annotations

import logging
import os
import time
from typing import TYPE_CHECKING, Any, Final

from optarena import logs
from optarena.errors import (
    InvalidInput,
    ServiceError,
    SessionNotFound,
    TransportError,
)
from optarena.isolation.limits import ProcessLimits
from optarena.limits import ACTION_WALL_SECONDS
from optarena.service.client.copying import PendingCopy, readings_request, replayed
from optarena.service.client.endings import breach
from optarena.service.client.exchange import STEP, Exchange
from optarena.service.client.interface import Connection
from optarena.service.client.looking_ahead import BrokenAnswers, look_ahead
from optarena.service.client.starting import start_worker
from optarena.service.client.zygote import Worker, Zygote
from optarena.service.processes.memory import own_memory
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.answers import FORK_AHEAD, STEPS
from optarena.service.protocol.history import SessionHistory
from optarena.service.protocol.replies import SESSION_NOT_FOUND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from google.protobuf.message import Message

    from optarena.isolation.sandbox import SandboxReport
    from optarena.service.client.calls import Reply
    from optarena.service.protocol.plain import PlainOutcome, PlainStep

__all__ = ["Connection", "ManagedConnection"]

logger = logging.getLogger(__name__)

_FORK: Final = "ForkSession"
_LONGEST_SECONDS: Final = 4_000_000.0
"""The longest timeout: its milliseconds fit the envelope."""


class ManagedConnection(Exchange):
    """A connection that owns one fresh process, in which one session can be started.

    Thread-safe: calls wait for each other. Made by :meth:`open`.
    """

    def __init__(self, zygote: Zygote, worker: Worker, limits: ProcessLimits) -> None:
        super().__init__(zygote, worker, limits)
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
        return cls(zygote, start_worker(zygote, limits, sandbox=sandbox), limits)

    @property
    def sandbox(self) -> SandboxReport:
        """The sandbox of the process."""
        return self.worker.sandbox

    @property
    def confinement(self) -> dict[str, Any]:
        """The sandbox of the process, as JSON data."""
        return self.sandbox.as_dict()

    @property
    def memory_bytes(self) -> int | None:
        """Memory of the process without that of files; what copies share with their origin counts."""
        return own_memory(self.worker.pid)

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

    def step_plainly(
        self, step: PlainStep, *, timeout: float | None = None, cpu_seconds: float | None = None
    ) -> PlainOutcome:
        """Apply actions and observe, by frames of a fixed layout."""
        self._check_owner()
        seconds = min(timeout or ACTION_WALL_SECONDS * max(1, len(step.actions)), _LONGEST_SECONDS)
        with self._lock, logs.timed(logger, "%s to process %d", STEP, self.worker.pid):
            self._unit_limits = self.limits.with_cpu_seconds(cpu_seconds)
            try:
                self._send_plainly(step, seconds)
                outcome = self._receive_plainly(seconds)
            finally:
                self._unit_limits = self.limits
            if self._history is not None:
                self._history.record_step(step.message().action)
            return outcome

    def steps(
        self, request: pb.StepRequest, *, timeout: float | None = None
    ) -> tuple[list[pb.StepReply], ServiceError | InvalidInput | None]:
        """Apply actions, and observe after each; all in one call, to which each action has a reply."""
        self._check_owner()
        seconds, replies = min(timeout or ACTION_WALL_SECONDS, _LONGEST_SECONDS), list[pb.StepReply]()
        with self._lock, logs.timed(logger, "%s to process %d", STEPS, self.worker.pid):
            try:
                self._send(STEPS, request, seconds)
                for action in request.action:
                    self._deadline = time.monotonic() + seconds
                    replies.append(self._receive(STEPS, pb.StepReply, seconds))
                    if self._history is not None:
                        self._history.record_step([action])
                    if replies[-1].end_of_session:
                        break
            except (ServiceError, InvalidInput) as error:
                return replies, error
        return replies, None

    def look_ahead(
        self, request: pb.StepRequest, *, timeout: float | None = None
    ) -> list[PlainOutcome | ServiceError]:
        """What each action would give; a session that can be forked tries them in child processes."""
        if self._by_replay:
            return super().look_ahead(request, timeout=timeout)
        with self._lock:
            try:
                return look_ahead(self.worker, self.limits, request, timeout, self._call)
            except BrokenAnswers as error:
                self._lose(breach(self.worker, f"The answer to a look ahead: {error}"))

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

    def hang_up(self) -> None:
        """Have the process end by itself, without waiting for it; :meth:`close` is still necessary."""
        if self._owner == os.getpid():
            self._closing = True
            self.worker.hang_up()

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended, so that :meth:`close` need not wait."""
        return self.closed or self._owner != os.getpid() or self.worker.wait(0) is not None

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
            seconds = ACTION_WALL_SECONDS if timeout is None else min(timeout, _LONGEST_SECONDS)
            with logs.timed(logger, "%s to process %d", method, self.worker.pid):
                self._send(method, request, seconds, descriptors)
                return self._receive(method, kind, seconds)

    def _fork_process(self, session_id: int) -> tuple[ManagedConnection, int]:
        self._check_owner()
        with self._lock:  # nothing may change the files until they are copied
            return self.finish_copy(self.begin_copy(session_id))

    def begin_copy(self, session_id: int, *, ahead: bool = False) -> PendingCopy:
        """Have the process copy itself; the next call must be :meth:`finish_copy`.

        Args:
            session_id: The session.
            ahead: Whether there is time for the copy to warm up.
        """
        self._check_owner()
        with self._lock:
            self._zygote.keep_directory()
            pending = PendingCopy()
            try:
                request = pb.ForkSessionRequest(session_id=session_id)
                method = FORK_AHEAD if ahead else _FORK
                self._send(method, request, ACTION_WALL_SECONDS, pending.theirs)
            except BaseException:  # KeyboardInterrupt too: leave nothing behind
                pending.close()
                raise
            pending.close_theirs()
            return pending

    def finish_copy(self, pending: PendingCopy) -> tuple[ManagedConnection, int]:
        """Wait for a copy; the result of :meth:`fork`."""
        self._check_owner()
        with self._lock:
            self._deadline = time.monotonic() + ACTION_WALL_SECONDS
            try:
                with logs.timed(logger, "%s to process %d", _FORK, self.worker.pid):
                    reply = self._receive(_FORK, pb.ForkSessionReply, ACTION_WALL_SECONDS)
                worker = pending.adopted(self._zygote)
            except BaseException:  # KeyboardInterrupt too: leave nothing behind
                pending.close()
                raise
        return ManagedConnection(self._zygote, worker, self.limits), reply.session_id

    def _replay(self, session_id: int) -> tuple[ManagedConnection, int]:
        self._check_owner()
        with self._lock:
            if self._history is None:
                raise SessionNotFound(f"{SESSION_NOT_FOUND}: {session_id}")
            asked = readings_request(session_id)
            told = self._call("SendSessionParameter", asked, pb.SendSessionParameterReply, None)
            history = self._history.copy()
        copy = ManagedConnection.open(
            self._zygote.session_type, limits=self.limits, sandbox=self.sandbox.confined
        )
        try:
            return copy, replayed(history, copy, told.reply[0])
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            copy.close()
            raise

    def _check_owner(self) -> None:
        if self._owner != os.getpid():
            self._zygote.check_owner()
