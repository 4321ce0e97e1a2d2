"""Runs a service's process: listens, announces its endpoint, serves, and removes its files at the end.

Call it from a program's main thread: it sets signal handlers and does not restore them.
"""

from __future__ import annotations

import logging
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from optarena import logs
from optarena.errors import InfrastructureFault, InvalidInput, ServiceClosed, TooManySessions
from optarena.limits import ACTION_WALL_SECONDS, MAX_MESSAGE_BYTES, MAX_SESSIONS, USUAL_SESSION_BYTES
from optarena.service import timeouts
from optarena.service.client.connection import ManagedConnection, offer_of, service_version
from optarena.service.client.options import TOKEN_VARIABLE
from optarena.service.processes import folders
from optarena.service.processes.exit_status import is_used_up
from optarena.service.processes.memory import usable_memory
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.messages import is_cache_parameter
from optarena.service.protocol.status import SESSION_NOT_FOUND, RpcError, StatusCode, invalid, not_found
from optarena.service.runtime.grpc_server import GrpcServer
from optarena.service.session_process import session_types
from optarena.service.session_process.benchmarks import Benchmarks, item_at
from optarena.service.session_process.compiler_gym_service import CallContext, CompilerGymService

if TYPE_CHECKING:
    from optarena.isolation.limits import ProcessLimits
    from optarena.service.runtime.create_and_run import ServeOptions
    from optarena.service.session import CompilationSession

logger = logging.getLogger(__name__)

# calls that may wait for one session, so that a hanging session cannot block more threads
MAX_WAITING: Final = 8
_CLOSERS: Final = 16  # sessions that are ended in parallel when all are ended


@dataclass(slots=True, eq=False)
class _Session:
    # `inner_id` is its id in its process.

    connection: ManagedConnection
    inner_id: int
    lock: threading.Lock = field(default_factory=threading.Lock)
    last_used: float = field(default_factory=time.monotonic)
    calls: int = 0  # that use it or wait for it; guarded by the service's lock


class IsolatedService:
    # The service of one session type, `module:class` or `/path.py:class`. Thread-safe: calls to one session
    # wait for each other. It keeps the benchmarks, ids and spaces; each session's process answers for its
    # session. An error that leaves a session's state unknown ends that session. `idle_seconds` is the time
    # without a call after which a session is ended; None for never.

    def __init__(  # noqa: PLR0913 # all but the first by keyword
        self,
        session_type: str,
        *,
        limits: ProcessLimits | None = None,
        sandbox: bool = False,
        max_sessions: int | None = None,
        idle_seconds: float | None = None,
        files: bool = True,
    ) -> None:
        _check_positive("max_sessions", max_sessions)
        _check_positive("idle_seconds", idle_seconds)
        self.session_type = session_type
        self._limits = limits
        self._sandbox = sandbox
        self._max_sessions, self._why_max = (
            _default_sessions() if max_sessions is None else (max_sessions, "")
        )
        self._idle_seconds = idle_seconds
        self._benchmarks = Benchmarks(files=files)
        self._lock = threading.Lock()
        self._sessions: dict[int, _Session] = {}
        self._starting: dict[int, ManagedConnection | None] = {}
        self._last_id = 0
        self._closed = threading.Event()
        with _resources():
            offer = offer_of(session_type, limits=limits, sandbox=sandbox)
        self._compiler_version = offer.compiler_version
        self._spaces = pb.GetSpacesReply.FromString(offer.spaces)
        if idle_seconds is not None:
            threading.Thread(target=self._end_idle, args=(idle_seconds,), daemon=True, name="idle").start()

    def GetVersion(self, request: pb.GetVersionRequest, context: CallContext) -> pb.GetVersionReply:  # noqa: ARG002, N802 # the interface's
        return pb.GetVersionReply(service_version=service_version(), compiler_version=self._compiler_version)

    def GetSpaces(self, request: pb.GetSpacesRequest, context: CallContext) -> pb.GetSpacesReply:  # noqa: ARG002, N802 # the interface's
        return self._spaces

    def StartSession(self, request: pb.StartSessionRequest, context: CallContext) -> pb.StartSessionReply:  # noqa: N802 # the interface's
        benchmark = self._benchmarks.find(request.benchmark, request.program_sha256)
        item_at(self._spaces.action_space_list, request.action_space, "action space")
        for index in request.observation_space:
            item_at(self._spaces.observation_space_list, index, "observation space")
        with self._place() as session_id:
            with _resources():
                connection = ManagedConnection.open(
                    self.session_type, limits=self._limits, sandbox=self._sandbox
                )
            self._hold(session_id, connection)
            inner = pb.StartSessionRequest(
                action_space=request.action_space,
                observation_space=request.observation_space,
                benchmark=benchmark,
            )
            reply = connection.start_session(inner, timeout=_seconds(context))
            self._register(session_id, connection, reply.session_id)
        reply.session_id, reply.program_sha256 = session_id, request.program_sha256
        return reply

    def ForkSession(self, request: pb.ForkSessionRequest, context: CallContext) -> pb.ForkSessionReply:  # noqa: N802 # the interface's
        with self._using(request.session_id, context) as session, self._place() as session_id:
            with _resources():
                connection, inner_id = session.connection.fork(session.inner_id)
            self._hold(session_id, connection)
            self._register(session_id, connection, inner_id)
        return pb.ForkSessionReply(session_id=session_id)

    def EndSession(self, request: pb.EndSessionRequest, context: CallContext) -> pb.EndSessionReply:  # noqa: ARG002, N802 # the interface's
        # Even during another call to the session.
        if not self._forget(request.session_id):
            raise self._not_found(request.session_id)
        with self._lock:
            remaining = [session.connection for session in self._sessions.values()]
        return pb.EndSessionReply(remaining_sessions=sum(one.is_alive() for one in remaining))

    def Step(self, request: pb.StepRequest, context: CallContext) -> pb.StepReply:  # noqa: N802 # the interface's
        actions = len(request.action)
        with self._using(request.session_id, context, actions) as session:
            inner = pb.StepRequest()
            inner.CopyFrom(request)
            inner.session_id = session.inner_id
            return session.connection.step(inner, timeout=_seconds(context, actions))

    def AddBenchmark(self, request: pb.AddBenchmarkRequest, context: CallContext) -> pb.AddBenchmarkReply:  # noqa: ARG002, N802 # the interface's
        self._benchmarks.add(request.benchmark)
        return pb.AddBenchmarkReply()

    def SendSessionParameter(  # noqa: N802 # the interface's
        self, request: pb.SendSessionParameterRequest, context: CallContext
    ) -> pb.SendSessionParameterReply:
        replies: list[str] = []
        with self._using(request.session_id, context) as session:

            def send(parameters: Iterable[pb.SessionParameter]) -> Iterable[str]:
                inner = pb.SendSessionParameterRequest(session_id=session.inner_id, parameter=parameters)
                return session.connection.send_session_parameter(inner, timeout=_seconds(context)).reply

            for of_cache, group in groupby(request.parameter, lambda one: is_cache_parameter(one.key)):
                if not of_cache:
                    replies += send(group)
                    continue
                for parameter in group:
                    reply = self._benchmarks.handle_parameter(parameter.key, parameter.value)
                    if reply is None:
                        raise invalid(f"Unknown parameter: {parameter.key}")
                    replies.append(reply)
            if not request.parameter:  # only checks whether the session exists
                send([])
        return pb.SendSessionParameterReply(reply=replies)

    def close(self) -> None:
        # Also while calls run; later calls raise ServiceClosed.
        with self._lock:
            self._closed.set()
            connections = [session.connection for session in self._sessions.values()]
            connections += [connection for connection in self._starting.values() if connection is not None]
            self._sessions.clear()
            self._starting.clear()
        if connections:
            with ThreadPoolExecutor(_CLOSERS, thread_name_prefix="close") as pool:
                list(pool.map(ManagedConnection.close, connections))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _place(self) -> Iterator[int]:
        # Reserve the id of a new session; released if the body fails.
        if len(self._sessions) + len(self._starting) >= self._max_sessions:
            self._forget_dead()
        with self._lock:
            self._check_open()
            if len(self._sessions) + len(self._starting) >= self._max_sessions:
                raise TooManySessions(
                    f"The service has {self._max_sessions} sessions, which is its limit{self._why_max}. "
                    "End sessions that are no longer needed, or start the service with more --max-sessions."
                )
            self._last_id += 1
            session_id = self._last_id
            self._starting[session_id] = None
        try:
            yield session_id
        except BaseException as error:  # an interrupt too: nothing may be left behind
            with self._lock:
                connection = self._starting.pop(session_id, None)
            if connection is not None:
                connection.close()
            if isinstance(error, ServiceClosed):
                self._check_open()
            raise

    def _hold(self, session_id: int, connection: ManagedConnection) -> None:
        # So that it is closed with the service.
        with self._lock:
            if session_id in self._starting:
                self._starting[session_id] = connection
                return
        connection.close()
        self._check_open()

    def _register(self, session_id: int, connection: ManagedConnection, inner_id: int) -> None:
        with self._lock:
            self._check_open()
            del self._starting[session_id]
            self._sessions[session_id] = _Session(connection, inner_id)

    @contextmanager
    def _using(self, session_id: int, context: CallContext, actions: int = 0) -> Iterator[_Session]:
        # For exclusive use, after at most a few other calls; removed if it does not survive the body.
        session = self._sessions.get(session_id)
        if session is None:
            raise self._not_found(session_id)
        with self._lock:
            if session.calls > MAX_WAITING:
                raise TooManySessions(  # this status means that nothing was done and the session goes on
                    f"Session {session_id} is busy: {MAX_WAITING} calls wait for it already. "
                    "Wait for their answers, or end the session."
                )
            session.calls += 1
        try:
            seconds = _seconds(context, actions)
            if not session.lock.acquire(timeout=seconds):
                message = f"Session {session_id} was busy with another call for {seconds:g} s"
                raise RpcError(StatusCode.DEADLINE_EXCEEDED, message)
            try:
                yield session
            except ServiceClosed:  # the session was ended by another call, or with the service
                raise self._not_found(session_id) from None
            finally:
                try:
                    session.last_used = time.monotonic()
                    if session.connection.closed:
                        self._forget(session_id)
                finally:
                    session.lock.release()
        finally:
            with self._lock:
                session.calls -= 1

    def _forget(self, session_id: int) -> bool:
        with self._lock:
            session = self._sessions.pop(session_id, None)
        if session is None:
            return False
        session.connection.close()
        return True

    def _forget_dead(self) -> None:
        # Their processes have ended between two calls.
        with self._lock:
            sessions = list(self._sessions.items())
        for session_id, session in sessions:
            if not session.connection.is_alive():
                logger.info("session %d: its process has ended", session_id)
                self._forget(session_id)

    def _end_idle(self, idle_seconds: float) -> None:
        pause = min(idle_seconds / 4, timeouts.IDLE_CHECK_SECONDS)
        while not self._closed.wait(pause):
            self._forget_dead()
            before = time.monotonic() - idle_seconds
            with self._lock:
                idle = [(number, one) for number, one in self._sessions.items() if one.last_used < before]
            for session_id, session in idle:
                if session.lock.acquire(blocking=False):
                    try:
                        if session.last_used < before:
                            logger.info("session %d: ended, idle for %g s", session_id, idle_seconds)
                            self._forget(session_id)
                    finally:
                        session.lock.release()

    def _check_open(self) -> None:
        if self._closed.is_set():
            raise ServiceClosed("The service is ending.")

    def _not_found(self, session_id: int) -> Exception:
        if self._closed.is_set():
            return ServiceClosed("The service is ending.")
        message = f"{SESSION_NOT_FOUND}: {session_id}"
        if self._idle_seconds is not None and 0 < session_id <= self._last_id:
            message += f" (sessions are ended after {self._idle_seconds:g} s without a call)"
        return not_found(message)


def _default_sessions() -> tuple[int, str]:
    # With the reason if memory limits them; a quarter of it is for everything else.
    memory = usable_memory()
    fitting = max(1, 3 * memory // 4 // USUAL_SESSION_BYTES)
    if not memory or fitting >= MAX_SESSIONS:
        return MAX_SESSIONS, ""
    each = USUAL_SESSION_BYTES >> 20
    return fitting, f" on {memory / 1024**3:.1f} GiB of memory, at {each} MiB for each"


@contextmanager
def _resources() -> Iterator[None]:
    # Explain that this process has no files or processes left.
    try:
        yield
    except InfrastructureFault as error:
        if not is_used_up(error.__cause__):
            raise
        raise TooManySessions(
            f"No further session can be started: {error.__cause__}. End sessions, or raise the limits of the "
            "service's process (ulimit -n, ulimit -u)."
        ) from error


def _seconds(context: CallContext, actions: int = 1) -> float:
    # The caller's time, but at most the limit for the actions.
    most = float(ACTION_WALL_SECONDS * max(1, actions))
    remaining = context.time_remaining()
    if remaining is None:
        return most
    if remaining <= 0:
        raise RpcError(StatusCode.DEADLINE_EXCEEDED, "The time for this call is over")
    return min(most, remaining)


def _check_positive(field_name: str, value: float | None) -> None:
    if value is not None and not value > 0:
        message = f"{field_name} must be more than 0, not {value}."
        raise InvalidInput(message, field=field_name, value=value, remedy="Give a positive number.")


_LEAST_DEBUG_LEVEL: Final = 1
_SHELL_SIGNAL_EXIT: Final = 128


def serve(session_type: str | type[CompilationSession], options: ServeOptions) -> int:
    # Until SIGTERM or SIGINT; a second one ends it at once. Prints "listening on ENDPOINT" when it can be
    # called. A class, rather than its name, runs in this process.
    signals = _Signals()
    token = options.token()
    logs.configure(_LEAST_DEBUG_LEVEL + max(0, options.verbosity) * 2)
    with ExitStack() as stack:
        service = _service(session_type, options, stack)
        stack.callback(service.close)
        size = options.max_message_bytes or MAX_MESSAGE_BYTES
        server = GrpcServer(service, token=token, max_message_bytes=size, files_for_all=options.allow_files)
        endpoint = _listen(server, options, stack)
        signals.at_once(server.remove_socket)
        grace = timeouts.GRACE_SECONDS if options.grace_seconds is None else options.grace_seconds
        server.start()
        stack.callback(server.stop, grace)
        if options.is_public and not token:
            print(  # noqa: T201 # a service reports on standard error
                f"warning: other machines can reach {endpoint}, and there is no token. "
                f"Set ${TOKEN_VARIABLE} or give --token-file.",
                file=sys.stderr,
            )
        if options.working_dir is not None:
            stack.enter_context(_handshake(options.working_dir, endpoint, signals))
        print(f"listening on {endpoint}", flush=True)  # noqa: T201 # what the caller waits for
        signals.wait()
    if not server.join(timeouts.SERVER_THREADS_SECONDS):  # a session in this process does not end
        os._exit(0)  # leaving normally would wait for it
    return 0


def _service(
    session_type: str | type[CompilationSession], options: ServeOptions, stack: ExitStack
) -> CompilerGymService | IsolatedService:
    files = options.allow_files or not (options.is_public or options.sandbox)
    if options.in_process:
        loaded = session_types.load(session_type) if isinstance(session_type, str) else session_type
        return CompilerGymService(options.working_dir or _own_folder(stack), loaded, files=files)
    return IsolatedService(
        session_type if isinstance(session_type, str) else session_types.name_of(session_type),
        sandbox=options.sandbox,
        max_sessions=options.max_sessions,
        idle_seconds=options.ends_idle_after,
        files=files,
    )


def _listen(server: GrpcServer, options: ServeOptions, stack: ExitStack) -> str:
    if options.transport == "tcp":
        return server.bind(options.address, options.port or 0)
    if options.unix is not None:
        return server.bind_unix(options.unix.absolute())
    return server.bind_unix(_own_folder(stack) / "endpoint" / "socket")  # the folder itself stays locked


def _own_folder(stack: ExitStack) -> Path:
    # Removed at the end, or by a later service if this one is killed.
    folder, lock = folders.make_directory()
    stack.callback(os.close, lock)
    stack.callback(folders.remove_directory, folder)
    return Path(folder)


@contextmanager
def _handshake(folder: Path, endpoint: str, signals: _Signals) -> Iterator[None]:
    # The files tell the process that started the service where it can be called. They are written atomically
    # and in order: clients wait for the last one.
    port = "" if endpoint.startswith("unix:") else endpoint.rpartition(":")[2]
    contents = {folder / "pid.txt": str(os.getpid()), folder / "port.txt": port}
    contents = {path: text for path, text in contents.items() if text}

    def remove() -> None:
        for path in contents:
            path.unlink(missing_ok=True)

    signals.at_once(remove)
    try:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for path, text in contents.items():
                unfinished = folder / f".{path.name}.{os.getpid()}"
                unfinished.write_text(text, encoding="ascii")
                unfinished.rename(path)
        except OSError as error:
            message = f"--working_dir {folder} cannot be used: {error.strerror}."
            remedy = "Give a folder that this user may write to."
            raise InvalidInput(message, field="working_dir", value=str(folder), remedy=remedy) from error
        yield
    finally:
        with suppress(OSError):  # the folder was removed
            remove()


class _Signals:
    # The first signal ends the process in order, the second at once.

    def __init__(self) -> None:
        self._arrived: queue.SimpleQueue[int] = queue.SimpleQueue()  # its put may interrupt anything
        self._last_words: list[Callable[[], None]] = []
        self._count = 0
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._handle)

    def at_once(self, action: Callable[[], None]) -> None:
        # It runs even on an immediate end, such as removing files.
        self._last_words.append(action)

    def wait(self) -> int:
        # The system may give a signal to another thread, gRPC's for example. Then nothing wakes this one,
        # which is the one that runs handlers, so it looks from time to time.
        while True:
            with suppress(queue.Empty):
                return self._arrived.get(timeout=timeouts.SIGNAL_CHECK_SECONDS)

    def _handle(self, number: int, _frame: object) -> None:
        self._count += 1
        if self._count == 1:
            self._arrived.put(number)
            return
        for action in self._last_words:
            with suppress(OSError):
                action()
        os._exit(_SHELL_SIGNAL_EXIT + number)  # the sessions' processes end with this one
