"""Finds the backend of an environment: processes of its own, a service elsewhere, or this process."""

from __future__ import annotations

import os
import threading
import weakref
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from optarena import limits
from optarena.env.backend import Backend, start_request
from optarena.env.managed_backend import ManagedBackend
from optarena.env.service_info import ServiceInfo
from optarena.errors import InvalidInput, SandboxUnavailable, ServiceError
from optarena.isolation.limits import ProcessLimits
from optarena.service.client.options import ConnectionOptions
from optarena.service.client.target import ServiceTarget, TargetKind
from optarena.service.proto import compiler_gym_service_pb2 as pb

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.service.client.executable import ServiceProcess
    from optarena.service.client.grpc_connection import GrpcConnection
    from optarena.service.client.interface import Connection
    from optarena.specs.benchmark import Benchmark

__all__ = ["Backend", "ManagedBackend"]

IN_PROCESS: Final = "in-process"
"""The name, as ``service``, of a service in the environment's own process."""
REMOTE_CALL_SECONDS: Final = 300.0
"""Seconds allowed for one call from an environment to a service elsewhere, unless options say otherwise."""
_LAST_WORD_SECONDS: Final = 1.0
"""Seconds for a started service that has not answered yet to show that it can be asked to end."""
_MOST_SENT: Final = 10_000
"""Programs of which a backend remembers that it sent them: about as many as a service of this package keeps,
whose 52 MiB have room for 10,000 small ones. A program that was forgotten is sent once more. A service that
does not compare programs gets them with each start: another client may have given it another of that URI."""


def extended_limits(service: str, factor: float) -> ProcessLimits | None:
    """The limits of an environment's session processes, with more time.

    Args:
        service: The environment's service, by name.
        factor: What its limits on time are multiplied by.

    Returns:
        The limits; None if the service is elsewhere, and has limits of its own.
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
        """Start a session in this process."""
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
    """A connection to a service elsewhere, what it offers, and the programs it was sent.

    ``must_add``: it takes no program with a start, only by AddBenchmark.
    """

    connection: GrpcConnection
    process: ServiceProcess | None
    info: ServiceInfo
    must_add: bool = False
    sent: OrderedDict[str, str] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note_sent(self, benchmark: Benchmark) -> None:
        with self.lock:
            self.sent[benchmark.uri] = benchmark.sha256
            self.sent.move_to_end(benchmark.uri)
            if len(self.sent) > _MOST_SENT:
                self.sent.popitem(last=False)

    def is_usable(self, seconds: float) -> bool:
        if self.process is None:
            return not self.connection.closed
        return self.process.is_alive() and self.connection.is_answering(seconds)

    def close(self) -> None:
        if self.process is None or self.connection.is_answering(_LAST_WORD_SECONDS, ask=True):
            self.connection.close()
        else:
            self.connection.kill()


def _add(remote: _Remote, benchmark: Benchmark) -> None:
    message = start_request(benchmark, 0).benchmark
    remote.connection.add_benchmark(pb.AddBenchmarkRequest(benchmark=[message]))


class RemoteBackend(Backend):
    """Sessions in a gRPC service: one that runs already, or an executable started for this backend.

    A started service that has died, or no longer answers, is started again for the next session.
    """

    def __init__(self, target: ServiceTarget, options: ConnectionOptions | None) -> None:
        super().__init__()
        self._target = target
        self._options = options or ConnectionOptions(rpc_call_max_seconds=REMOTE_CALL_SECONDS)
        self._remote: _Remote | None = None
        self._opening = threading.Lock()
        self.call_seconds = self._options.rpc_call_max_seconds

    def info(self) -> ServiceInfo:
        """What the service offers; requested once, since a service does not change while it runs."""
        return (self._remote or self._opened()).info

    def _start(self, benchmark: Benchmark, action_space: int) -> tuple[Connection, pb.StartSessionReply]:
        """Start a session; the program is sent only if the service may not have it."""
        remote = self._opened()
        always = self._options.always_send_benchmark_on_reset
        known = remote.sent.get(benchmark.uri) == benchmark.sha256 and not always
        add_first = remote.must_add and not known
        with_program = not (known or add_first)
        if add_first:
            _add(remote, benchmark)
        try:
            reply = self._asked(remote, benchmark, action_space, with_program=with_program)
        except FileNotFoundError:  # it dropped the benchmark, has another's, or only takes programs this way
            _add(remote, benchmark)
            reply = self._asked(remote, benchmark, action_space, with_program=not with_program)
            remote.must_add = remote.must_add or with_program
        if reply.program_sha256 == benchmark.sha256:
            remote.note_sent(benchmark)
        return remote.connection, reply

    def _asked(
        self, remote: _Remote, benchmark: Benchmark, action_space: int, *, with_program: bool
    ) -> pb.StartSessionReply:
        request = start_request(benchmark, action_space, with_program=with_program)
        request.program_sha256 = benchmark.sha256
        return remote.connection.start_session(request, timeout=self.call_seconds)

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
            try:
                if remote is not None:
                    self._check_unchanged(remote.info, opened.info)
                with self._lock:
                    self._check_open()
                    self._remote = opened
            except ServiceError:
                opened.close()
                raise
            return opened

    def _check_unchanged(self, before: ServiceInfo, now: ServiceInfo) -> None:
        """Refuse a service that has changed since the environment was made; each further start asks it anew.

        Raises:
            ServiceError: It offers other actions.
        """
        if now.action_spaces != before.action_spaces:
            message = f"{self._target.name} was started again and now offers other actions."
            raise ServiceError(f"{message} Make a new environment.")

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
    return _in_process(target)


def _check_types(process_limits: object, options: object) -> None:
    for name, value, kind in (
        ("limits", process_limits, ProcessLimits),
        ("connection", options, ConnectionOptions),
    ):
        if value is not None and not isinstance(value, kind):
            message = f"{name} is {value!r:.100} ({type(value).__name__})."
            remedy = f"Give {kind.__name__}(…) or None."
            raise InvalidInput(message, field=name, value=value, remedy=remedy)


def _in_process(target: ServiceTarget) -> Backend:
    if target.kind is not TargetKind.SESSION_TYPE:
        remedy = "Leave `service` out."
        raise InvalidInput(
            f"{target.name} is not a session type.", field="service", value=IN_PROCESS, remedy=remedy
        )
    return InProcessBackend(target.name)


def _refuse(value: object, name: str, target: ServiceTarget, remedy: str) -> None:
    if value is not None:
        message = f"{name} has no meaning for the {target.kind.value} {target.name}."
        raise InvalidInput(message, field=name, value=value, remedy=remedy)
