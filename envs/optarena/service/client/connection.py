"""A session's process, driven through the interface that all connections share.

The managed connection owns one process, which has one session at a time. It turns status codes and ends of
processes into the package's own errors; after a fatal one the process is dead and reaped. A pass may have
corrupted the memory of the process, so what it sends is not evidence about anything but itself. Only its
zygote can tell that another process ended it. Copies are made by the process itself, or by replay.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

from google.protobuf.message import DecodeError, Message

from optarena import logs
from optarena.errors import (
    InvalidInput,
    OptArenaError,
    ServiceClosed,
    ServiceError,
    SessionCrashed,
    SessionKilled,
    SessionNotFound,
    SessionTimeout,
    TransportError,
    ValueUnavailable,
)
from optarena.isolation.limits import ProcessLimits
from optarena.limits import ACTION_WALL_SECONDS
from optarena.service import timeouts
from optarena.service.client.interface import MAX_SESSIONS, MAX_SPARE_BYTES, Connection, Reply
from optarena.service.client.zygote import Offer, Worker, Zygote
from optarena.service.processes import exit_status, supervision
from optarena.service.processes.exit_status import ending_error, quote_output
from optarena.service.processes.memory import own_memory
from optarena.service.processes.supervision import stderr_file
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.proto.envelope_pb2 import Envelope
from optarena.service.protocol import frames, status
from optarena.service.protocol.frames import MalformedFrame, PlainOutcome, PlainStep, is_plain
from optarena.service.protocol.messages import READINGS, Call, SessionHistory
from optarena.service.protocol.status import (
    FATAL,
    LOST,
    RESTART,
    SESSION_NOT_FOUND,
    STEPS,
    StatusCode,
    error_named,
    named_by_session,
)
from optarena.service.session_process.session_types import SESSION_MAIN

if TYPE_CHECKING:
    from optarena.isolation.sandbox import SandboxReport

__all__ = ["Connection", "ManagedConnection"]

logger = logging.getLogger(__name__)

M = TypeVar("M", bound=Message)
_STEP: Final = "Step"
_FORK: Final = "ForkSession"
_AT_ONCE: Final = 64  # actions that one call tries at most


class PendingCopy:
    """The channel, output and progress of a copy that a process makes of itself; without a channel it ends.

    Ended by :meth:`adopted` or :meth:`close`.

    Raises:
        InfrastructureFault: This process has no descriptors left.
    """

    def __init__(self) -> None:
        self._owner = os.getpid()
        with exit_status.acquire_all() as kept:
            self._ours, self.far_end = map(kept.enter_context, socket.socketpair())
            self._stderr = kept.enter_context(stderr_file())
            self._progress = kept.enter_context(supervision.progress_file())

    @property
    def theirs(self) -> list[int]:
        """The descriptors for the copy."""
        return [self.far_end.fileno(), self._stderr.fileno(), self._progress.fileno()]

    def adopted(self, zygote: Zygote) -> Worker:
        """The copy as a worker of its zygote; ServiceError if it has died."""
        worker = zygote.adopt(self._ours, self._stderr)
        worker.progress = self._progress
        return worker

    def close(self) -> None:
        """Give the copy up; nothing happens in a process forked from the owner's."""
        if self._owner != os.getpid():
            return
        self.far_end.close()
        with contextlib.suppress(OSError):  # the copy has ended
            self._ours.shutdown(socket.SHUT_RDWR)  # close alone is not seen while a forked process holds it
        self._ours.close()
        self._stderr.close()
        self._progress.close()


class ManagedConnection(Connection):
    """A connection that owns one process, in which one session at a time can be started.

    Thread-safe: calls wait for each other. Made by :meth:`open`.

    Attributes:
        started: What the session was started on, by a name of its backend.
        sessions: How many the process has had since it was forked from the zygote.
        is_restarting: Whether :meth:`finish_restart` has to follow.
    """

    def __init__(self, zygote: Zygote, worker: Worker, limits: ProcessLimits) -> None:
        self.worker = worker
        self.limits = limits
        self._unit_limits = limits
        self._zygote = zygote
        self._owner = os.getpid()
        self._lock = threading.RLock()  # held during each exchange; a signal handler may close during a call
        self._last_call = 0
        self._deadline = 0.0
        self._closing = False
        self._closed = ""
        self._begun: PlainStep | None = None
        self._by_replay = worker.fork_by == "replay"
        self._benchmarks: dict[str, pb.Benchmark] = {}
        self._history: SessionHistory | None = None
        self._copy: ManagedConnection | None = None  # in which the last look ahead tried actions
        self.started = ""
        self.sessions = 1
        self.is_restarting = False
        self._restart_seconds = 0.0

    @classmethod
    def open(
        cls, session_type: str, *, limits: ProcessLimits | None = None, sandbox: bool = False
    ) -> ManagedConnection:
        """Fork a process for one session of a type, ``module:class``.

        A confined session may not fork, so it is copied by replay, and it has no working directory.

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
            "confined": sandbox,
            "time_factor": limits.time_factor,
            "debug": logs.level(),
        }
        payload = json.dumps(order).encode()
        with exit_status.acquire_all() as kept:
            shared = kept.enter_context(supervision.progress_file())
            worker = zygote.spawn(
                SESSION_MAIN, limits=limits, sandbox=sandbox, fds=(shared.fileno(),), payload=payload
            )
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
    def memory_bytes(self) -> int | None:
        """Memory of the process without that of files; what copies share with their origin counts."""
        return own_memory(self.worker.pid)

    @property
    def closed(self) -> bool:
        """Whether the connection can no longer be used."""
        return bool(self._closed)

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended, so that :meth:`close` need not wait."""
        return self.closed or self._owner != os.getpid() or self.worker.wait(0) is not None

    def is_alive(self) -> bool:
        """Whether the process is alive, or a call to it is in progress; answers without waiting."""
        if not self._lock.acquire(blocking=False):
            return True
        try:
            return not self._closed and self.worker.wait(0) is None
        finally:
            self._lock.release()

    def get_version(
        self, request: pb.GetVersionRequest, *, timeout: float | None = None
    ) -> pb.GetVersionReply:
        """The versions of service and compiler; to look up that of the service takes longer than a start."""
        reply = super().get_version(request, timeout=timeout)
        reply.service_version = service_version()
        return reply

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

    def begin_plainly(self, step: PlainStep, *, timeout: float) -> bool:
        """Have the process begin a step."""
        if self._owner != os.getpid() or self._closed:
            return False
        with self._lock:
            frame = self._plain_frame(step, timeout)
            try:
                frames.send(self.worker.channel, frame, deadline=self._deadline)
            except OSError as error:  # waiting for the answer says the same
                logger.debug("process %d gets no step: %s", self.worker.pid, error)
            self._begun = step
        return True

    def step_plainly(
        self, step: PlainStep, *, timeout: float | None = None, cpu_seconds: float | None = None
    ) -> PlainOutcome:
        """Apply actions and observe, by frames of a fixed layout."""
        if self._owner != os.getpid():
            self._zygote.check_owner()
        seconds = min(timeout or ACTION_WALL_SECONDS * max(1, len(step.actions)), timeouts.LONGEST_SECONDS)
        with self._lock:
            started = time.monotonic()
            try:
                if cpu_seconds is not None:
                    self._unit_limits = self.limits.with_cpu_seconds(cpu_seconds)
                is_begun = self._begun is step and not self._closed
                if is_begun:
                    self._begun = None
                    # Its answer may have come while others were waited for.
                    self._deadline = max(self._deadline, started + timeouts.BEGUN_SECONDS)
                else:
                    self._send_frame(_STEP, self._plain_frame(step, seconds), seconds)
                outcome = self._receive_plainly(seconds, is_begun=is_begun)
            finally:
                self._unit_limits = self.limits
                if logger.isEnabledFor(logging.DEBUG):
                    taken = (time.monotonic() - started) * 1000
                    logger.debug(
                        "%s to process %d: %.2f ms, actions %.200s, observations %.200s",
                        _STEP,
                        self.worker.pid,
                        taken,
                        list(step.actions),
                        list(step.observations),
                    )
            if self._history is not None:
                self._history.record_step(step.message().action)
            return outcome

    def _plain_frame(self, step: PlainStep, seconds: float) -> bytes:
        cpu_ms = self._begin(seconds)
        try:
            return step.packed(self._last_call, int(seconds * 1000), cpu_ms)
        except MalformedFrame as error:
            raise InvalidInput(f"{_STEP}: {error}.") from error

    def steps(
        self, request: pb.StepRequest, *, timeout: float | None = None
    ) -> tuple[list[pb.StepReply], ServiceError | InvalidInput | None]:
        """Apply actions, and observe after each; all in one call, to which each action has a reply."""
        self._check_owner()
        seconds, replies = min(timeout or ACTION_WALL_SECONDS, timeouts.LONGEST_SECONDS), list[pb.StepReply]()
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
            if self.worker.starts_alike and self.limits.cpu_seconds_total is None:
                return self._look_ahead_in_copies(request, timeout)
            return super().look_ahead(request, timeout=timeout)
        with self._lock:
            try:
                return look_ahead(self.worker, self.limits, request, timeout, self._call)
            except status.Malformed as error:
                self._lose(breach_error(self.worker, f"The answer to a look ahead: {error}"))

    def _look_ahead_in_copies(
        self, request: pb.StepRequest, timeout: float | None
    ) -> list[PlainOutcome | ServiceError]:
        # A confined session may not fork. Its actions are tried in another process that is confined as it is,
        # each in a session of its own: to start and to confine a process takes longer than most walks. So it
        # is kept for the next look.
        answers: list[PlainOutcome | ServiceError] = []
        start, calls = self._recorded(request.session_id)
        copy, self._copy = self._copy, None  # another thread does not use it meanwhile
        try:
            for action in request.action:
                if copy is not None and (
                    copy.sessions >= MAX_SESSIONS
                    or copy.has_ended
                    or frames.has_come(copy.worker.channel)  # its end, which the zygote tells a little later
                ):
                    copy.close()
                    copy = None
                copy, session_id = self._repeated(start, calls, copy)
                step = pb.StepRequest(session_id=session_id, action=[action])
                step.observation_space.extend(request.observation_space)
                try:
                    answers.append(PlainOutcome.of(copy.step(step, timeout=timeout)))
                except ServiceError as error:
                    answers.append(error)
                    copy.close()  # what went wrong may be wrong in the next session, too
                    copy = None
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            if copy is not None:
                copy.close()
            raise
        if copy is not None and (copy.memory_bytes or 0) > MAX_SPARE_BYTES:
            copy.close()
            copy = None
        former, self._copy = self._copy, copy
        if former is not None:
            former.close()
        if self._closing:
            self._close_copy()
        return answers

    def _close_copy(self) -> None:
        copy, self._copy = self._copy, None
        if copy is not None:
            copy.close()

    def try_walks(
        self, request: pb.StepRequest, *, timeout: float | None = None
    ) -> list[list[PlainOutcome] | None]:
        """What each walk would give; a session that can be forked tries them in child processes."""
        if self._by_replay:
            return super().try_walks(request, timeout=timeout)
        number = len(request.action)
        most = max(len(walk.event_list.event) for walk in request.action)
        seconds = (timeout or ACTION_WALL_SECONDS) * number * most + timeouts.LOOK_AHEAD_SLACK_SECONDS
        with self._lock:
            told = self._call(status.WALKS, request, Envelope, seconds)
            try:
                answers = status.unpack(told.payload, number)
                return [
                    [PlainOutcome.unpacked(step, status.TRIED) for step in status.unpack(said, most)]
                    if said
                    else None
                    for said in answers
                ]
            except (status.Malformed, MalformedFrame) as error:
                self._lose(breach_error(self.worker, f"The answer to walks: {error}"))

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

    def begin_restart(self, request: pb.StartSessionRequest, seconds: float) -> None:
        """Have the process end its session and start another one; call :meth:`finish_restart` next."""
        self._check_owner()
        with self._lock:
            self.sessions, self.ran_before = self.sessions + 1, True
            if self._by_replay:
                self._history = SessionHistory(request.benchmark, request.action_space)
            self.worker.relay.forget()
            self._send(RESTART, request, seconds)
            self.is_restarting = True
            self._restart_seconds = seconds

    @property
    def is_still_starting(self) -> bool:
        """Whether :meth:`finish_restart` would have to wait."""
        return self.is_restarting and not frames.has_come(self.worker.channel)

    def finish_restart(self) -> pb.StartSessionReply:
        """Wait for the session that :meth:`begin_restart` has asked for."""
        self._check_owner()
        with self._lock:
            self.is_restarting = False
            self._deadline = time.monotonic() + self._restart_seconds
            with logs.timed(logger, "%s of process %d", RESTART, self.worker.pid):
                return self._receive(RESTART, pb.StartSessionReply, self._restart_seconds)

    def fork(self, session_id: int) -> tuple[ManagedConnection, int]:
        """Copy the session, by forking its process or by replaying its actions in a new one.

        Returns:
            A connection to the copy's process, and the copy's session id. Both sessions are in exactly
            the same state and live on independently.
        """
        if self._by_replay:
            return self._repeated(*self._recorded(session_id))
        self._check_owner()
        with self._lock:  # nothing may change the files until they are copied
            self._zygote.keep_directory()
            pending = PendingCopy()
            try:
                request = pb.ForkSessionRequest(session_id=session_id)
                self._send(_FORK, request, ACTION_WALL_SECONDS, pending.theirs)
                pending.far_end.close()  # the copy has it
                with logs.timed(logger, "%s to process %d", _FORK, self.worker.pid):
                    reply = self._receive(_FORK, pb.ForkSessionReply, ACTION_WALL_SECONDS)
                worker = pending.adopted(self._zygote)
            except BaseException:  # KeyboardInterrupt too: leave nothing behind
                pending.close()
                raise
        copy = ManagedConnection(self._zygote, worker, self.limits)
        copy.started, copy.sessions, copy.ran_before = self.started, self.sessions, self.ran_before
        return copy, reply.session_id

    def _recorded(self, session_id: int) -> tuple[pb.StartSessionRequest, list[Call]]:
        # The start and the calls that make a copy. What the session has measured, it does not measure anew.
        self._check_owner()
        with self._lock:
            if self._history is None:
                raise SessionNotFound(f"{SESSION_NOT_FOUND}: {session_id}")
            asked = pb.SendSessionParameterRequest(
                session_id=session_id, parameter=[pb.SessionParameter(key=READINGS)]
            )
            told = self._call("SendSessionParameter", asked, pb.SendSessionParameterReply, None)
            history = self._history.copy()
        start = pb.StartSessionRequest(benchmark=history.benchmark, action_space=history.action_space)
        return start, history.joined(told.reply[0])

    def _repeated(
        self, start: pb.StartSessionRequest, calls: Sequence[Call], copy: ManagedConnection | None = None
    ) -> tuple[ManagedConnection, int]:
        # A copy that is given begins again.
        is_new = copy is None
        copy = copy or ManagedConnection.open(
            self._zygote.session_type, limits=self.limits, sandbox=self.sandbox.confined
        )
        try:
            if is_new:
                copy_id = copy.start_session(start).session_id
            else:
                copy.begin_restart(start, ACTION_WALL_SECONDS)
                copy_id = copy.finish_restart().session_id
            for call in calls:
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

    def end(self, session_id: int) -> None:  # noqa: ARG002 # there is only one
        """End the session's process, and so the connection."""
        self.close()

    def hang_up(self) -> None:
        """Have the process end by itself, without waiting for it; :meth:`close` is still necessary."""
        if self._owner == os.getpid():
            self._closing = True
            if (copy := self._copy) is not None:
                copy.hang_up()
            self.worker.hang_up()

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

    def _check_owner(self) -> None:
        if self._owner != os.getpid():
            self._zygote.check_owner()

    def _call(self, method: str, request: Message, kind: type[Reply], timeout: float | None) -> Reply:
        self._check_owner()
        with self._lock:
            seconds = ACTION_WALL_SECONDS if timeout is None else min(timeout, timeouts.LONGEST_SECONDS)
            with logs.timed(logger, "%s to process %d", method, self.worker.pid):
                self._send(method, request, seconds)
                return self._receive(method, kind, seconds)

    def _send(self, method: str, request: Message, seconds: float, descriptors: Sequence[int] = ()) -> None:
        # The reply must be received next.
        cpu_ms = self._begin(seconds)
        call = Envelope(
            call_id=self._last_call,
            method=method,
            deadline_ms=int(seconds * 1000),
            payload=request.SerializeToString(),
            cpu_ms=cpu_ms,
        )
        self._send_frame(method, call.SerializeToString(), seconds, descriptors)

    def _begin(self, seconds: float) -> int:
        # Returns the CPU milliseconds of each unit, 0 for no limit.
        if self._closed:
            raise ServiceClosed(self._closed)
        if self._begun is not None:  # an interrupt came between the two calls
            self._lose(ServiceError("A step was begun whose outcome nobody waited for."))
        if self.worker.progress is not None:
            os.pwrite(self.worker.progress.fileno(), supervision.NO_UNIT, 0)
        self._deadline = time.monotonic() + seconds
        self._last_call += 1
        return int(1000 * (self._unit_limits.cpu_seconds_per_call or 0))

    def _send_frame(self, method: str, frame: bytes, seconds: float, descriptors: Sequence[int] = ()) -> None:
        failure = None
        try:
            frames.send(self.worker.channel, frame, descriptors, self._deadline)
        except ValueError as error:
            raise InvalidInput(f"{method}: {error}.") from error
        except OSError as error:
            failure = self._lost(method, seconds, error)
        except BaseException as error:  # noqa: BLE001 # or the next call would read this answer
            self._lose(error)
        if failure is not None:
            self._lose(failure)

    def _receive(self, method: str, kind: type[Reply], seconds: float) -> Reply:
        if self._closed:
            raise ServiceClosed(self._closed)
        try:
            reply = self._envelope(method, self._receive_frame(method, seconds))
            if not reply.status:
                return parse_message(self.worker, kind, reply.payload, f"{method}: the answer")
        except BaseException as error:  # noqa: BLE001 # or the next call would read this answer
            self._lose(error)
        raise self._refused(method, reply)

    def _receive_plainly(self, seconds: float, *, is_begun: bool) -> PlainOutcome:
        if self._closed:
            raise ServiceClosed(self._closed)
        try:
            frame = self._receive_frame(_STEP, seconds, beside_others=is_begun)
            if frame.startswith(frames.MARK):
                return PlainOutcome.unpacked(frame, self._last_call)
            reply = self._envelope(_STEP, frame)
        except MalformedFrame as error:
            self._lose(breach_error(self.worker, f"{_STEP}: the answer is {error}"))
        except BaseException as error:  # noqa: BLE001 # or the next call would read this answer
            self._lose(error)
        if not reply.status:
            self._lose(breach_error(self.worker, f"{_STEP}: the answer is a message"))
        raise self._refused(_STEP, reply)

    def _receive_frame(self, method: str, seconds: float, *, beside_others: bool = False) -> bytes:
        # Any error raised here has lost the session.
        data, problem = None, None
        try:
            channel, more_follow = self.worker.channel, method == STEPS
            data = frames.receive(
                channel, self._deadline, more_follow=more_follow, beside_others=beside_others
            )
        except (OSError, frames.BrokenFrame) as error:
            problem = error
        if data is None:
            raise self._lost(method, seconds, problem)
        if self.worker.stderr.seek(0, os.SEEK_END):
            self.worker.relay.trim()
        return data

    def _envelope(self, method: str, frame: bytes) -> Envelope:
        # Any error raised here has lost the session.
        reply = parse_message(self.worker, Envelope, frame, f"{method}: the answer")
        if reply.call_id != self._last_call:
            raise breach_error(
                self.worker, f"{method}: the answer is to call {reply.call_id}, not {self._last_call}"
            )
        return reply

    def _lost(self, method: str, seconds: float, error: Exception | None) -> ServiceError:
        if isinstance(error, TimeoutError):
            return SessionTimeout(f"{method}: no answer within {seconds:g} s")
        if self._closing:
            return ServiceClosed("The connection was closed during the call.")
        return unexpected_end(self.worker, self._unit_limits)

    def _refused(self, method: str, reply: Envelope) -> Exception:
        # An error that has lost the session is raised.
        failure = refusal_error(self.worker, reply, started=method != "StartSession")
        if reply.status == StatusCode.INVALID_ARGUMENT and isinstance(failure, ServiceError):
            return ValueUnavailable(str(failure), error_type=failure.error_type)
        ends = ServiceError if self.worker.sandbox.confined else SessionCrashed
        if reply.status in FATAL or isinstance(failure, ends):
            self._lose(failure)
        return failure

    def _lose(self, error: BaseException) -> NoReturn:
        # End the process because of an error; if the connection was closed, who did so ends it.
        if isinstance(error, ServiceClosed):
            raise error
        if self._closed and isinstance(error, Exception):  # by a signal handler, so this may be any error
            raise ServiceClosed("The connection was closed during the call.") from error
        unit = None if self._closed else self._progress()
        self._end(f"The connection was closed: {str(error) or type(error).__name__}")
        if isinstance(error, ServiceError):
            error.unit, error.cpu_seconds = unit, self.worker.cpu_seconds
        raise error

    def _progress(self) -> int | None:
        file = self.worker.progress
        return None if file is None else supervision.read_unit(file.fileno())

    def _end(self, reason: str, *, gently: bool = False) -> None:
        # Gently: let it end by itself if it does so quickly.
        if self._closed:
            return
        self._closed = reason
        logger.log(logging.INFO if gently else logging.ERROR, "process %d: %s", self.worker.pid, reason)
        if not gently and (output := self.worker.stderr_tail()):
            logger.error("process %d wrote:\n%s", self.worker.pid, quote_output(output))
        self.hang_up()
        if not (gently and self.worker.wait(timeouts.SESSION_END_SECONDS)):
            self.worker.kill()
            self.worker.wait(timeouts.KILLED_SESSION_SECONDS)
        self.worker.close()
        self._close_copy()


def breach_error(worker: Worker, problem: str) -> ServiceError:
    """The error for a process that breaks the protocol: it crashed, unless it was lost with its zygote."""
    return (SessionCrashed if worker.zygote.is_alive() else TransportError)(problem)


def unexpected_end(worker: Worker, limits: ProcessLimits) -> ServiceError:
    """The error for a process that has closed its channel or sent no frame; it is killed if it runs."""
    ended = worker.wait(timeouts.LAST_WORDS_SECONDS)
    if ended is not None:
        return ending_error(ended, worker.stderr_tail(), limits)
    worker.kill()
    return breach_error(worker, "The session's process runs, but has closed its channel or sent no frame.")


def parse_message(worker: Worker, kind: type[M], data: bytes, what: str) -> M:
    """Parse a message of a process; ServiceError if it is none."""
    try:
        return kind.FromString(data)
    except DecodeError as error:
        raise breach_error(worker, f"{what} cannot be read as a message {kind.__name__}") from error


def refusal_error(worker: Worker, reply: Envelope, *, started: bool) -> Exception:
    """The error that a process replies with.

    A confined process cannot say that it was killed or lost, nor, once it has started, that files or types
    are wrong on this machine: its own words never clear it. One that starts tools may say that one of them
    was killed, which nobody else sees; it could pass its own end off as a kill anyway.
    """
    of_a_tool = bool(worker.sandbox.tools) and reply.error == SessionKilled.__name__
    if of_a_tool or not worker.sandbox.confined:
        return error_named(reply.status, reply.message, reply.error)
    error = named_by_session(reply.status, reply.message, reply.error)
    said = f"The session's process replied with {type(error).__name__}: {error}"
    if isinstance(error, LOST):
        return SessionCrashed(said)
    is_of_machine = not isinstance(error, (OptArenaError, NotImplementedError))
    return ServiceError(said) if started and is_of_machine else error


def look_ahead(
    worker: Worker,
    limits: ProcessLimits,
    request: pb.StepRequest,
    timeout: float | None,
    call: Callable[[str, pb.StepRequest, type[Envelope], float | None], Envelope],
) -> list[PlainOutcome | ServiceError]:
    """What each action of a request would give: a reply, or the error in which it would end.

    Limits and ``timeout`` (seconds) hold for each action; ``call`` makes a call to the process.

    Raises:
        Malformed: The process has sent something else.
        InvalidInput: An action or an observation does not exist.
        ServiceError: The process has ended.
    """
    tried: list[PlainOutcome | ServiceError] = []
    while (first := len(tried)) < len(request.action):
        part = pb.StepRequest(
            session_id=request.session_id,
            action=request.action[first : first + _AT_ONCE],
            observation_space=request.observation_space,
        )
        seconds = (timeout or ACTION_WALL_SECONDS) * len(part.action) + timeouts.LOOK_AHEAD_SLACK_SECONDS
        reply = call(status.METHOD, part, Envelope, seconds)
        told = status.unpack(reply.payload, len(part.action))
        tried += [_understood(worker, limits, answer) for answer in told]
    return tried


def _understood(worker: Worker, limits: ProcessLimits, said: bytes) -> PlainOutcome | ServiceError:
    # The action may have garbled its answer, which comes from the process that it ran in.
    why: object = "a message without a status"
    try:
        if is_plain(said):
            return PlainOutcome.unpacked(said, status.TRIED)
        answer = Envelope.FromString(said)
        if answer.method == status.ENDED:
            return status.TrialEnd.unpacked(answer).error(limits)
        failure = refusal_error(worker, answer, started=True) if answer.status else None
    except (DecodeError, MalformedFrame, status.Malformed) as error:
        why, failure = error, None
    if failure is None:
        return SessionCrashed(f"The process that tried the action gave an answer that cannot be read: {why}")
    if not isinstance(failure, ServiceError):
        raise failure
    failure.unit = answer.call_id
    return failure


@cache
def service_version() -> str:
    """The version that services of this package tell."""
    from importlib import metadata  # noqa: PLC0415 # slow to import, and not needed to tell the spaces

    return metadata.version("optarena")


def offer_of(session_type: str, *, limits: ProcessLimits | None = None, sandbox: bool = False) -> Offer:
    """The version of the compiler, and the spaces; ``limits`` and ``sandbox`` are those of later sessions.

    A session type of this package need not be ready to start sessions: its zygote tells them before. Other
    code runs only in the processes of sessions, and so does what shows whether there is a sandbox.

    Raises:
        UnknownName, PlatformNotSupported, SandboxUnavailable, ServiceError: See these classes.
    """
    offer = None if sandbox else Zygote.shared(session_type).offer
    if offer is not None:
        return offer
    with ManagedConnection.open(session_type, limits=limits, sandbox=sandbox) as connection:
        version = connection.get_version(pb.GetVersionRequest())
        spaces = connection.get_spaces(pb.GetSpacesRequest())
    return Offer(version.compiler_version, spaces.SerializeToString())
