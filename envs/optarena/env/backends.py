"""Where an environment's sessions run: in processes of its own, in a service elsewhere, or in this process.

A backend opens sessions and says what its service offers. It is shared by an environment and its forks and
ends with the last of them. The backend with processes of its own has an episode begin in the process of an
earlier one, since a new process takes milliseconds to copy the memory that it writes to. While an agent works
on one episode, such a process starts the session of the next, on the same program. Whichever environment of
this process resets first takes it, so that many with one program need no more of them than one does.
"""

from __future__ import annotations

import logging
import os
import threading
import weakref
from abc import ABC, abstractmethod
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self, TypeVar

from optarena import limits
from optarena.env.session_client import ServiceInfo
from optarena.errors import InvalidInput, OptArenaError, SandboxUnavailable, ServiceClosed, ServiceError
from optarena.isolation.limits import ProcessLimits
from optarena.service import timeouts
from optarena.service.client.interface import MAX_SESSIONS, MAX_SPARE_BYTES, Connection
from optarena.service.client.options import ConnectionOptions
from optarena.service.client.target import ServiceTarget, TargetKind
from optarena.service.proto import compiler_gym_service_pb2 as pb

if TYPE_CHECKING:
    from optarena.service.client.connection import ManagedConnection
    from optarena.service.client.executable import ServiceProcess
    from optarena.service.client.grpc_connection import GrpcConnection
    from optarena.specs.benchmark import Benchmark

__all__ = ["Backend", "ManagedBackend"]

T = TypeVar("T")


class Backend(ABC):
    """Where sessions run. Thread-safe; ends with the ``close()`` of its last user.

    Nothing that was started here outlives the last ``close()``: whoever is still starting something then ends
    it and gets an error.

    Attributes:
        call_seconds: Time allowed for one unit of work: a start, an action, an observation.
        isolates_sessions: Whether a session that fails or hangs leaves the others unharmed.
        session_type: The name of the session type, if this process starts its sessions; else empty.
    """

    call_seconds: float = limits.ACTION_WALL_SECONDS
    isolates_sessions: bool = False
    session_type: str = ""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner = os.getpid()
        self._users = 1
        self._live: weakref.WeakSet[Connection] = weakref.WeakSet()

    @abstractmethod
    def info(self) -> ServiceInfo:
        """What the service offers.

        Raises:
            PlatformNotSupported: The compiler does not run here.
            ServiceError: The service cannot be started, or does not answer.
        """

    def start(
        self, benchmark: Benchmark, action_space: int, *, fresh: bool = False
    ) -> tuple[Connection, pb.StartSessionReply]:
        """Start a session; ``Connection.end`` with its id ends it.

        With ``fresh``, no other session has run in its process, if this backend has processes of its own.

        Raises:
            InvalidInput: The program is not one that the compiler can read.
            ServiceClosed: The last user has closed the backend, perhaps in the meantime.
            ServiceError: The service cannot be started, or the compiler crashed on the program.
        """
        with self._lock:
            self._check_open()
        connection, reply = (self._start_fresh if fresh else self._start)(benchmark, action_space)
        self.adopt(connection, reply.session_id)
        return connection, reply

    @abstractmethod
    def _start(self, benchmark: Benchmark, action_space: int) -> tuple[Connection, pb.StartSessionReply]:
        """Start a session, whether or not the backend is closed meanwhile."""

    def _start_fresh(
        self, benchmark: Benchmark, action_space: int
    ) -> tuple[Connection, pb.StartSessionReply]:
        return self._start(benchmark, action_space)

    def adopt(self, connection: Connection, session_id: int) -> None:
        """Take over a session made from one of this backend's; it is ended if the backend is closed.

        Raises:
            ServiceClosed: The last user has closed the backend.
        """
        try:
            with self._lock:
                self._check_open()
                self._live.add(connection)
        except ServiceClosed:
            connection.end(session_id)
            raise

    def end_soon(self, connection: Connection, session_id: int) -> None:
        """End a session, at the latest with the backend; nobody needs it any more."""
        connection.end(session_id)

    def retain(self) -> Self:
        """Return the same backend, with one more user; ServiceClosed if the last user has closed it."""
        with self._lock:
            self._check_open()
            self._users += 1
        return self

    def close(self) -> None:
        """Give up one user's share; the last ends the service if this process has started it.

        Nothing happens in a process forked from the owner's.
        """
        if self._owner != os.getpid():
            return
        with self._lock:
            self._users -= 1
            last = self._users == 0
        if not last:
            return
        self._end()
        with self._lock:
            live = list(self._live)
        for connection in live:
            connection.close()

    def _check_open(self) -> None:
        if self._users <= 0:
            raise ServiceClosed("The backend of the sessions is closed. Make a new environment.")

    def _end(self) -> None:  # noqa: B027 # most backends start nothing for one environment alone
        """End what was started for this backend alone."""


def start_request(
    benchmark: Benchmark, action_space: int, *, with_program: bool = True
) -> pb.StartSessionRequest:
    """The request for a session on a benchmark; a service that has the program needs it no second time."""
    program = pb.File(contents=benchmark.program()) if with_program else None
    message = pb.Benchmark(uri=benchmark.uri, program=program)
    return pb.StartSessionRequest(action_space=action_space, benchmark=message)


MAX_SPARES: Final = 4  # processes that may wait for the next episodes, even of fewer backends
_MAX_LEAVING: Final = 4  # processes that may be ending by themselves
_MAX_KNOWN_STARTS: Final = 4  # whose values may be long
_MAX_KNOWN_PROGRAMS: Final = 1000

logger = logging.getLogger(__name__)


class _Pool:
    # The spares of all backends of this process with one session type and limits; they end with the last one.

    def __init__(self) -> None:
        self.lock = threading.RLock()  # a signal handler may close meanwhile
        self.spares: list[ManagedConnection] = []
        self.backends: weakref.WeakSet[ManagedBackend] = weakref.WeakSet()

    @property
    def users(self) -> int:
        return sum(one._users for one in self.backends)  # noqa: SLF001 # of this module

    @property
    def most(self) -> int:
        # Backends may work on programs of their own, for which the spares of others are of no use.
        return max(MAX_SPARES, len(self.backends))

    def trim(self) -> list[ManagedConnection]:
        # The spares that nobody needs any more, also those of backends that nobody has closed.
        surplus = max(0, len(self.spares) - self.users)
        left, self.spares = self.spares[:surplus], self.spares[surplus:]
        return left


_pools: Final[weakref.WeakValueDictionary[object, _Pool]] = weakref.WeakValueDictionary()


def _after_fork() -> None:
    # What its parent's environments have is not for a forked process, and a thread may have held a lock.
    for pool in list(_pools.values()):
        pool.lock, pool.spares = threading.RLock(), []
    _pools.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class ManagedBackend(Backend):
    """Each session in a process that has no other one: a new one of the session type's zygote, or a spare.

    A *spare* is the process of an earlier episode that had no error, of any backend of this process with the
    same limits. Sessions that are confined, or do not declare ``starts_alike``, always get new processes.
    """

    isolates_sessions = True

    def __init__(self, session_type: str, process_limits: ProcessLimits | None, *, sandbox: bool) -> None:
        super().__init__()
        self.session_type = session_type
        self._limits = process_limits
        self._sandbox = sandbox
        self._pool = _pools.setdefault((session_type, process_limits, sandbox), _Pool())
        with self._pool.lock:
            self._pool.backends.add(self)
        self._leaving: deque[ManagedConnection] = deque()
        self._last_request: tuple[str, pb.StartSessionRequest] | None = None
        self._first_values: OrderedDict[str, dict[str, bytes | pb.Event]] = OrderedDict()
        self._existing: OrderedDict[str, set[str]] = OrderedDict()
        if process_limits is not None:
            self.call_seconds = process_limits.wall_seconds_per_call

    def info(self) -> ServiceInfo:
        """What the service offers."""
        return _managed_info(self.session_type)

    def _start(self, benchmark: Benchmark, action_space: int) -> tuple[Connection, pb.StartSessionReply]:
        # The key names all that a session depends on.
        key, last = f"{action_space} {benchmark.sha256} {benchmark.uri}", self._last_request
        request = last[1] if last and last[0] == key else start_request(benchmark, action_space)
        self._last_request = key, request
        self._close_leaving(_MAX_LEAVING)
        connection, reply = self._start_in_spare(key, request) or self._start_in_new(request)
        connection.started = key
        if connection.worker.starts_alike and not self._sandbox:
            with self._pool.lock:
                connection.first_values = _remember(self._first_values, key, {}, _MAX_KNOWN_STARTS)
                connection.existing = _remember(self._existing, key, set(), _MAX_KNOWN_PROGRAMS)
        return connection, reply

    def _start_fresh(
        self, benchmark: Benchmark, action_space: int
    ) -> tuple[Connection, pb.StartSessionReply]:
        return self._start_in_new(start_request(benchmark, action_space))

    def _start_in_new(
        self, request: pb.StartSessionRequest
    ) -> tuple[ManagedConnection, pb.StartSessionReply]:
        from optarena.service.client.connection import ManagedConnection  # noqa: PLC0415 # Linux only

        connection = ManagedConnection.open(self.session_type, limits=self._limits, sandbox=self._sandbox)
        try:
            return connection, connection.start_session(request, timeout=self.call_seconds)
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            connection.close()
            raise

    def _start_in_spare(
        self, key: str, request: pb.StartSessionRequest
    ) -> tuple[ManagedConnection, pb.StartSessionReply] | None:
        # After an error a new process says what is wrong.
        with self._pool.lock:
            connection = self._chosen_spare(key)
            if connection is None:
                return None
            with self._lock:
                self._live.add(connection)  # whoever closes this backend meanwhile need not wait for it
        reply = None
        try:
            if connection.is_restarting:
                reply = connection.finish_restart()
            if reply is None or connection.started != key:
                connection.begin_restart(request, self.call_seconds)
                reply = connection.finish_restart()
        except Exception as error:  # noqa: BLE001 # a new process says it again if it is not this one's
            logger.info("a session of %s needs a new process: %s", self.session_type, error)
            reply = None
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            connection.close()
            raise
        if reply is None or connection.has_ended or not connection.worker.zygote.is_alive():
            connection.close()  # it was killed meanwhile, or will be
            with self._lock:
                self._check_open()
            return None
        return connection, reply

    def _chosen_spare(self, key: str) -> ManagedConnection | None:
        # None if there is none, or if another one would spare environments from waiting for each other: as
        # many for a program as can start at a time, and one for each environment at most.
        spares = self._pool.spares
        alike = [one for one in spares if one.started == key]
        if not spares:
            return None
        ready = next((one for one in alike if not one.is_still_starting), None)
        chosen = ready or (alike or spares)[0]
        may_grow = len(spares) < min(self._pool.users, self._pool.most) and len(alike) < _cores()
        if ready is None and may_grow:
            return None
        spares.remove(chosen)
        return chosen

    def end_soon(self, connection: Connection, session_id: int) -> None:
        """Have a session end by itself, and its process start the next one if it may."""
        from optarena.service.client.connection import ManagedConnection  # noqa: PLC0415 # Linux only

        if not isinstance(connection, ManagedConnection):
            connection.end(session_id)
            return
        pool = self._pool
        is_spare = (
            len(pool.spares) < pool.most and self._may_restart(connection) and self._is_ready(connection)
        )
        with pool.lock:
            if is_spare and len(pool.spares) < pool.most and self in pool.backends:
                with self._lock:
                    self._live.discard(connection)  # the next episode may be another backend's
                pool.spares.append(connection)
                leaving = pool.trim()
            else:
                leaving = [connection]
            for one in leaving:
                one.hang_up()
            self._leaving.extend(leaving)
        self._close_leaving(_MAX_LEAVING)

    def _is_ready(self, connection: ManagedConnection) -> bool:
        # Has it start the next session ahead. Without the lock: another thread may be in a call of it.
        key, request = self._last_request or ("", None)
        try:
            if request is not None and connection.started == key:
                connection.begin_restart(request, self.call_seconds)
        except (OptArenaError, OSError) as error:
            logger.info("a session of %s could not start ahead: %s", self.session_type, error)
            return False
        return True

    def _may_restart(self, connection: ManagedConnection) -> bool:
        return (
            connection.worker.starts_alike
            and not self._sandbox
            and connection.limits.cpu_seconds_total is None  # of a process, and so of one session
            and connection.sessions < MAX_SESSIONS
            and not connection.has_ended
            and (connection.memory_bytes or 0) <= MAX_SPARE_BYTES
        )

    def _close_leaving(self, most: int) -> None:
        # Close the connections of processes that have ended; wait for the first if there are too many.
        while True:
            with self._pool.lock:
                if not self._leaving or (len(self._leaving) <= most and not self._leaving[0].has_ended):
                    return
                connection = self._leaving.popleft()
            connection.close()  # which may take a while, and others need the lock

    def _end(self) -> None:
        with self._pool.lock:
            self._pool.backends.discard(self)
            spares = self._pool.trim()
        for connection in spares:
            connection.hang_up()
        for connection in spares:
            connection.close()
        self._close_leaving(0)


def _cores() -> int:
    return len(os.sched_getaffinity(0))


def _remember(known: OrderedDict[str, T], key: str, new: T, most: int) -> T:
    value = known.setdefault(key, new)
    known.move_to_end(key)
    if len(known) > most:
        known.popitem(last=False)
    return value


@lru_cache(maxsize=16)
def _managed_info(session_type: str) -> ServiceInfo:
    from optarena.service.client.connection import offer_of  # noqa: PLC0415 # Linux only
    from optarena.service.session_process.session_types import is_own  # noqa: PLC0415 # as above

    offer = offer_of(session_type)
    spaces = pb.GetSpacesReply.FromString(offer.spaces)
    return ServiceInfo.of(offer.compiler_version, spaces, is_own=is_own(session_type))


IN_PROCESS: Final = "in-process"  # the name, as `service`, of a service in the environment's own process
# Programs of which a backend remembers that it sent them: about as many small ones as a service of this
# package keeps in its 52 MiB. A forgotten one is sent once more. A service that does not compare programs
# gets them with each start: another client may have given it another of that URI.
_MOST_SENT: Final = 10_000


def extended_limits(service: str, factor: float) -> ProcessLimits | None:
    """The limits of an environment's session processes, with their times multiplied by a factor.

    None if the service is elsewhere, and has limits of its own.
    """
    if ServiceTarget.parse(service).kind is not TargetKind.SESSION_TYPE:
        return None
    return ProcessLimits(
        cpu_seconds_per_call=limits.ACTION_CPU_SECONDS * factor,
        wall_seconds_per_call=limits.ACTION_WALL_SECONDS * factor,
    )


class InProcessBackend(Backend):
    """All sessions in this process: nothing is isolated, so a crash of the compiler crashes this process."""

    def __init__(self, session_type: str) -> None:
        super().__init__()
        self.session_type = session_type
        # Imported late, like the connection over gRPC: few environments need any of it.
        from optarena.service.client.in_process import InProcessConnection  # noqa: PLC0415 # few environments need it
        from optarena.service.processes import folders  # noqa: PLC0415 # few environments need it
        from optarena.service.session_process import session_types  # noqa: PLC0415 # few environments need it
        from optarena.service.session_process.compiler_gym_service import CompilerGymService  # noqa: PLC0415 # few environments need it

        folder, lock = folders.make_directory()
        self._remove_folder = weakref.finalize(
            self, _remove, folders.remove_directory, folder, lock, os.getpid()
        )
        service = CompilerGymService(Path(folder), session_types.load(session_type))
        self._connection = InProcessConnection(service)
        self._info: ServiceInfo | None = None

    def info(self) -> ServiceInfo:
        """What the service offers; asked once, since converting its spaces takes longer than most steps."""
        if self._info is None:
            self._info = ServiceInfo.ask(self._connection)
        return self._info

    def _start(self, benchmark: Benchmark, action_space: int) -> tuple[Connection, pb.StartSessionReply]:
        return self._connection, self._connection.start_session(start_request(benchmark, action_space))

    def _end(self) -> None:
        self._connection.close()
        self._remove_folder()


def _remove(remove: Callable[[str], None], folder: str, lock: int, owner: int) -> None:
    if os.getpid() == owner:  # a forked process has copies of its parent's objects
        remove(folder)
    os.close(lock)


@dataclass(slots=True)
class _Remote:
    # `must_add`: the service takes a program only by AddBenchmark, not with a start.

    connection: GrpcConnection
    process: ServiceProcess | None
    info: ServiceInfo
    must_add: bool = False
    sent: OrderedDict[str, str] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def is_usable(self, seconds: float) -> bool:
        if self.process is None:
            return not self.connection.closed
        return self.process.is_alive() and self.connection.is_answering(seconds)

    def close(self) -> None:
        if self.process is None or self.connection.is_answering(timeouts.REMOTE_LAST_WORD_SECONDS, ask=True):
            self.connection.close()
        else:
            self.connection.kill()


class RemoteBackend(Backend):
    """Sessions in a gRPC service: one that runs already, or an executable started for this backend.

    A started service that has died, or no longer answers, is started again for the next session.
    """

    def __init__(self, target: ServiceTarget, options: ConnectionOptions | None) -> None:
        super().__init__()
        self._target = target
        self._options = options or ConnectionOptions(rpc_call_max_seconds=timeouts.REMOTE_CALL_SECONDS)
        self._remote: _Remote | None = None
        self._opening = threading.Lock()
        self.call_seconds = self._options.rpc_call_max_seconds

    def info(self) -> ServiceInfo:
        """What the service offers; requested once, since a service does not change while it runs."""
        return (self._remote or self._opened()).info

    def _start(self, benchmark: Benchmark, action_space: int) -> tuple[Connection, pb.StartSessionReply]:
        remote = self._opened()
        always = self._options.always_send_benchmark_on_reset
        known = remote.sent.get(benchmark.uri) == benchmark.sha256 and not always
        add_first = remote.must_add and not known
        with_program = not (known or add_first)

        def ask(*, with_program: bool) -> pb.StartSessionReply:
            request = start_request(benchmark, action_space, with_program=with_program)
            request.program_sha256 = benchmark.sha256
            return remote.connection.start_session(request, timeout=self.call_seconds)

        def add() -> None:
            message = start_request(benchmark, 0).benchmark
            remote.connection.add_benchmark(pb.AddBenchmarkRequest(benchmark=[message]))

        if add_first:
            add()
        try:
            reply = ask(with_program=with_program)
        except FileNotFoundError:  # it dropped the benchmark, has another's, or only takes programs this way
            add()
            reply = ask(with_program=not with_program)
            remote.must_add = remote.must_add or with_program
        if reply.program_sha256 == benchmark.sha256:
            with remote.lock:
                remote.sent[benchmark.uri] = benchmark.sha256
                remote.sent.move_to_end(benchmark.uri)
                if len(remote.sent) > _MOST_SENT:
                    remote.sent.popitem(last=False)
        return remote.connection, reply

    def _opened(self) -> _Remote:
        with self._opening:
            remote = self._remote
            if remote is not None and remote.is_usable(self._options.rpc_init_max_seconds):
                return remote
            if remote is not None:
                remote.connection.kill()
            with self._lock:
                self._check_open()
            opened = self._open()
            if remote is not None and remote.info.action_spaces != opened.info.action_spaces:
                opened.close()
                message = f"{self._target.name} was started again and now offers other actions."
                raise ServiceError(f"{message} Make a new environment.")
            try:
                with self._lock:
                    self._check_open()
                    self._remote = opened
            except ServiceClosed:
                opened.close()
                raise
            return opened

    def _open(self) -> _Remote:
        from optarena.service.client.executable import ServiceProcess  # noqa: PLC0415 # few environments need it
        from optarena.service.client.grpc_connection import GrpcConnection  # noqa: PLC0415 # brings grpc

        process = None
        endpoint = self._target.name
        if self._target.kind is TargetKind.EXECUTABLE:
            process = ServiceProcess.start(Path(self._target.name), self._options)
            endpoint = process.endpoint
        try:
            connection = GrpcConnection.open(endpoint, self._options, process=process)
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            if process is not None:
                process.close()
            raise
        try:
            return _Remote(connection, process, ServiceInfo.ask(connection))
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            connection.close()
            raise

    def _end(self) -> None:
        if self._remote is not None:
            self._remote.close()


def backend_for(
    default: str,
    service: str | Path | Backend | None = None,
    *,
    process_limits: ProcessLimits | None = None,
    sandbox: bool = False,
    options: ConnectionOptions | None = None,
) -> Backend:
    """The backend that ``service`` names.

    Args:
        default: The environment's own service, by name; see :class:`ServiceTarget`.
        service: Another one, ``in-process``, or a backend to share.
        process_limits: Of each session's process.
        sandbox: Whether to confine each session's process.
        options: Of the connection to a service elsewhere.

    Raises:
        InvalidInput: The name cannot be understood, or an option does not fit that kind of service.
        SandboxUnavailable: A sandbox is requested, but this process cannot confine the service.
    """
    if isinstance(service, Backend):
        return service.retain()
    _check_types(process_limits, options)
    own = ServiceTarget.parse(default)
    in_process = service == IN_PROCESS
    target = own if service is None or in_process else ServiceTarget.parse(service)
    managed = target.kind is TargetKind.SESSION_TYPE
    if managed and not in_process:
        _refuse(options, "connection", target, "Leave it out: options are for services over gRPC.")
        return ManagedBackend(target.name, process_limits, sandbox=sandbox)
    if sandbox:
        name = IN_PROCESS if in_process else target.name
        remedy = "start it with `optarena service … --sandbox`, or leave `service` out."
        raise SandboxUnavailable(f"The service {name} cannot be confined from this process: {remedy}")
    remedy = "Leave it out: limits are for sessions in this package's own processes."
    _refuse(process_limits, "limits", target, remedy)
    if not in_process:
        return RemoteBackend(target, options)
    if not managed:
        message, remedy = f"{target.name} is not a session type.", "Leave `service` out."
        raise InvalidInput(message, field="service", value=IN_PROCESS, remedy=remedy)
    return InProcessBackend(target.name)


def _check_types(process_limits: object, options: object) -> None:
    for name, value, kind in (
        ("limits", process_limits, ProcessLimits),
        ("connection", options, ConnectionOptions),
    ):
        if value is not None and not isinstance(value, kind):
            message = f"{name} is {value!r:.100} ({type(value).__name__})."
            remedy = f"Give {kind.__name__}(…) or None."
            raise InvalidInput(message, field=name, value=value, remedy=remedy)


def _refuse(value: object, name: str, target: ServiceTarget, remedy: str) -> None:
    if value is not None:
        message = f"{name} has no meaning for the {target.kind.value} {target.name}."
        raise InvalidInput(message, field=name, value=value, remedy=remedy)
