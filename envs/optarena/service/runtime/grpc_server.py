"""The service over gRPC: listening, bytes in and out, and a token if one is required.

The ``.proto`` file's descriptor gives the calls of the interface; ``servicer`` answers them.
"""

from __future__ import annotations

import contextlib
import errno
import hmac
import ipaddress
import logging
import os
import socket
import stat
import textwrap
import threading
import time
import traceback
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias
from urllib.parse import quote, unquote

import grpc
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass
from grpc import ServicerContext as Context

from optarena.documents.texts import printable
from optarena.errors import InvalidInput, OptArenaError, SessionOutOfMemory
from optarena.file_locks import lock
from optarena.limits import MAX_MESSAGE_BYTES
from optarena.service import timeouts
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.proto.compiler_gym_service_pb2_grpc import CompilerGymServiceServicer
from optarena.service.protocol.messages import names_a_file
from optarena.service.protocol.status import RpcError, StatusCode, invalid, status_of

if TYPE_CHECKING:
    from google.protobuf.descriptor import MethodDescriptor

    from optarena.service.runtime.serving import IsolatedService
    from optarena.service.session_process.compiler_gym_service import CompilerGymService

    Service: TypeAlias = CompilerGymService | IsolatedService

_TABLES: Final = ("/proc/net/tcp", "/proc/net/tcp6")
_ESTABLISHED: Final = "01"
_ROOT: Final = 0
_FIELDS: Final = 10


def is_own_user(peer: str, ports: Container[int]) -> bool:
    # Whether a caller is a process of this user, or of root, on this machine. `peer` is as gRPC writes it:
    # unix:/path, ipv4:127.0.0.1:4711, ipv6:%5B::1%5D:4711; `ports` are those on which this process listens.
    kind, _, rest = unquote(peer).partition(":")
    if kind == "unix":
        return True
    host, _, port = rest.rpartition(":")
    try:
        address, number = ipaddress.ip_address(_unmapped(host.strip("[]"))), int(port)
    except ValueError:
        return False
    if not address.is_loopback:
        return False
    owners: set[int] = set()
    for table in _TABLES:
        try:
            lines = Path(table).read_text(encoding="ascii").splitlines()[1:]
        except OSError:  # no IPv6, or no /proc
            continue
        for fields in map(str.split, lines):
            # Linux reports root as the owner of connections in any other state.
            if len(fields) < _FIELDS or fields[3] != _ESTABLISHED or fields[9] == "0":
                continue
            digits, _, its_port = fields[1].partition(":")
            other_port = int(fields[2].rpartition(":")[2], 16)
            if (_address(digits), int(its_port, 16)) == (str(address), number) and other_port in ports:
                owners.add(int(fields[7]))
    return bool(owners) and owners <= {_ROOT, os.geteuid()}


def _address(digits: str) -> str:
    # The table has hexadecimal words of four bytes, each in the machine's byte order.
    words = bytes.fromhex(digits)
    data = b"".join(words[start : start + 4][::-1] for start in range(0, len(words), 4))
    return _unmapped(str(ipaddress.ip_address(data)))


def _unmapped(text: str) -> str:
    # An IPv4 address written as IPv6 becomes IPv4.
    address = ipaddress.ip_address(text)
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


logger = logging.getLogger(__name__)

# With an error's message of this length, trailing metadata stays below what any client accepts
_MESSAGE_BYTES: Final = 2000
_STATUSES: Final = {status.value[0]: status for status in grpc.StatusCode}


class GrpcServicer(CompilerGymServiceServicer):
    """A service of one compiler for a gRPC server, as thread-safe as the service, which is closed after it.

    An exception of the service ends the call with a status: its code and message, and in the trailing
    metadata the error's class, from which this package's clients raise the same error. The server goes on.
    """

    def __init__(self, service: Service) -> None:
        self._service = service


def _answering(name: str) -> Callable[[GrpcServicer, Any, Context], Any]:
    def answer(self: GrpcServicer, request: Any, context: Context) -> Any:  # noqa: ANN401 # one of eight messages
        service = self._service  # this function becomes a method
        try:
            reply = getattr(service, name)(request, context)
        except Exception as error:  # noqa: BLE001 # each becomes a status, and the server goes on
            refuse(context, name, error)
        # The client that gives up before it gets the reply could never end its new session. A callback at the
        # call's end would see a little more, but gRPC never frees a call that has one.
        is_start = name in ("StartSession", "ForkSession")
        if is_start and (not context.is_active() or context.time_remaining() <= 0):
            with suppress(Exception):
                service.EndSession(pb.EndSessionRequest(session_id=reply.session_id), context)
        return reply

    return answer


INTERFACE: Final = pb.DESCRIPTOR.services_by_name["CompilerGymService"]
for _method in INTERFACE.methods:
    setattr(GrpcServicer, _method.name, _answering(_method.name))


def refuse(context: Context, name: str, error: Exception) -> NoReturn:
    # Always raises: gRPC ends a call by it.
    if isinstance(error, DecodeError):
        error = invalid(f"Malformed request for {name}: {error}")
    elif isinstance(error, MemoryError) and not isinstance(error, OptArenaError):
        error = SessionOutOfMemory("The service is out of memory.")
    code, message, metadata = status_of(error)
    unexpected = code is StatusCode.INTERNAL and not isinstance(error, RpcError | OptArenaError)
    if unexpected:
        message = f"{type(error).__name__}: {error}"
    trace = ""
    if unexpected:  # indented so that no line looks like one of the log's own
        whole = printable("".join(traceback.format_exception(error)), keep="\n")
        trace = "\n" + textwrap.indent(whole, "  ")
    level = logging.ERROR if unexpected else logging.DEBUG
    logger.log(level, "%s: %s: %s%s", name, code.name, printable(message), trace)
    context.set_trailing_metadata(metadata)
    # The beginning and end, short enough for metadata; invalid Unicode is replaced.
    data = printable(message, keep="\n\t").encode(errors="replace")
    if len(data) > _MESSAGE_BYTES:
        half = _MESSAGE_BYTES // 2
        data = data[:half] + b" ... " + data[-half:]
    context.abort(_STATUSES[code], data.decode(errors="replace"))
    raise AssertionError  # abort() raises


_LONGEST_PATH_BYTES: Final = 107


@contextlib.contextmanager
def claim_socket(path: Path) -> Iterator[None]:
    # Reserve a path for a socket that the body creates, with mode 0600. The file of a dead service is
    # removed. Two services that start at the same time wait for each other here, so that neither mistakes the
    # other's file for that of a dead service.
    if len(os.fsencode(path)) > _LONGEST_PATH_BYTES:
        raise _refused(path, f"is longer than the {_LONGEST_PATH_BYTES} bytes that a socket's path may have")
    with _locked(path):
        _clear(path)
        mask = os.umask(0o177)
        try:
            yield
        finally:
            os.umask(mask)


def identity(path: Path) -> tuple[int, int]:
    # Distinguishes this file from a later one of the same name.
    info = path.stat()
    return info.st_dev, info.st_ino


def remove(path: Path, made: tuple[int, int]) -> None:
    # Unless another service has replaced it.
    with contextlib.suppress(FileNotFoundError):
        if identity(path) == made:
            path.unlink()


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise _refused(path, f"cannot be made: {path.parent}: {error.strerror}") from error
    try:
        mode = os.fstat(folder).st_mode
        if mode & (stat.S_IWGRP | stat.S_IWOTH) and not mode & stat.S_ISVTX:
            raise _refused(path, f"is in a folder to which other users can write: {path.parent}")
        if not lock(folder, seconds=timeouts.SOCKET_LOCK_SECONDS):
            raise _refused(path, f"is in a folder that another process has locked: {path.parent}")
        yield
    finally:
        os.close(folder)


def _clear(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise _refused(path, "exists and is not a socket")
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(timeouts.SOCKET_CONNECT_SECONDS)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            pass
        except OSError as error:
            raise _refused(path, f"exists, and a connection to it fails: {error}") from error
        else:
            raise _refused(path, "is taken: a service listens there")
    try:
        path.unlink()
    except OSError as error:
        raise _refused(path, f"belongs to a dead service and cannot be removed: {error.strerror}") from error


def _refused(path: Path, why: str) -> InvalidInput:
    message = f"The socket {path} {why}."
    return InvalidInput(message, field="unix", value=str(path), remedy="Give another path.")


THREADS: Final = 512  # Concurrent calls; further calls wait. Threads are started when they are first needed.
_QUICK_THREADS: Final = 256  # for the calls below, which are answered even if every session hangs
_QUICK: Final = frozenset({"GetVersion", "GetSpaces", "EndSession"})
MAX_METADATA_BYTES: Final = 512 * 1024

_BRING_PROGRAMS: Final = frozenset({"StartSession", "AddBenchmark"})


class GrpcServer:
    # A gRPC server in front of a service, which it does not close. `files_for_all`: the service may read
    # files for every caller, not only for this user's.

    def __init__(
        self,
        service: Service,
        *,
        token: str = "",
        max_message_bytes: int = MAX_MESSAGE_BYTES,
        files_for_all: bool = False,
    ) -> None:
        self._servicer = GrpcServicer(service)
        self._files_for_all = files_for_all
        self._ports: set[int] = set()
        self._socket: tuple[Path, tuple[int, int]] | None = None
        self._name = f"calls-{id(self):x}"
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix=self._name)
        self._quick_pool = ThreadPoolExecutor(_QUICK_THREADS, thread_name_prefix=self._name)
        self._server = grpc.server(
            self._pool,
            options=[
                ("grpc.so_reuseport", 0),  # otherwise a second service could silently share the port
                ("grpc.max_receive_message_length", max_message_bytes),
                ("grpc.max_send_message_length", max_message_bytes),
                ("grpc.max_metadata_size", MAX_METADATA_BYTES),
                ("grpc.absolute_max_metadata_size", MAX_METADATA_BYTES),
            ],
        )
        handlers = {
            f"/{INTERFACE.full_name}/{method.name}": self._handler(method) for method in INTERFACE.methods
        }
        self._server.add_generic_rpc_handlers((_Calls(handlers, token.encode() if token else None),))

    def bind(self, address: str, port: int) -> str:
        # Port 0 lets the system choose one. Returns the endpoint, host:port.
        host = f"[{address}]" if ":" in address else address
        # gRPC does not report why a port cannot be used.
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address, port))
            except OSError as error:
                taken = error.errno == errno.EADDRINUSE
                why = "it is taken" if taken else os.strerror(error.errno or 0)
                raise _unusable(address, port, why) from error
        try:
            bound = self._server.add_insecure_port(f"{host}:{port}")
        except RuntimeError as error:
            raise _unusable(address, port, str(error)) from error
        self._ports.add(bound)
        return f"{host}:{bound}"

    def bind_unix(self, path: Path) -> str:
        # Only this user can use the socket. Returns the endpoint, unix:/path.
        with claim_socket(path):
            try:
                self._server.add_insecure_port(f"unix:{quote(str(path))}")
            except RuntimeError as error:
                message = f"The socket {path} cannot be made: {error}."
                raise InvalidInput(message, field="unix", value=str(path)) from error
            self._socket = (path, identity(path))
        return f"unix:{path}"

    def start(self) -> None:
        self._server.start()

    def stop(self, grace_seconds: float) -> None:
        # Running calls have `grace_seconds`.
        self._server.stop(grace_seconds).wait()
        for pool in (self._pool, self._quick_pool):
            pool.shutdown(wait=False, cancel_futures=True)
        self.remove_socket()

    def join(self, seconds: float) -> bool:
        # After the stop, for the threads of calls.
        deadline = time.monotonic() + seconds
        threads = [thread for thread in threading.enumerate() if thread.name.startswith(self._name)]
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in threads)

    def remove_socket(self) -> None:
        if self._socket is not None:
            remove(*self._socket)

    def _handler(self, method: MethodDescriptor) -> grpc.RpcMethodHandler:
        name = method.name
        # Requests are parsed here and not by gRPC, whose status for a malformed one blames the server.
        parse: Callable[[bytes], Any] = GetMessageClass(method.input_type).FromString
        call: Callable[[Any, grpc.ServicerContext], Any] = getattr(self._servicer, name)
        check = self._check_files if name in _BRING_PROGRAMS and not self._files_for_all else None

        def answer(data: bytes, context: grpc.ServicerContext) -> Any:  # noqa: ANN401 # one of eight messages
            try:
                request = parse(data)
                if check is not None:
                    check(request, context)
            except Exception as error:  # noqa: BLE001 # each becomes a status, and the server goes on
                refuse(context, name, error)
            return call(request, context)

        if name in _QUICK:
            answer.experimental_thread_pool = self._quick_pool  # type: ignore[attr-defined] # gRPC's way
        serialise = GetMessageClass(method.output_type).SerializeToString
        return grpc.unary_unary_rpc_method_handler(answer, response_serializer=serialise)

    def _check_files(
        self, request: pb.StartSessionRequest | pb.AddBenchmarkRequest, context: grpc.ServicerContext
    ) -> None:
        # The service would read the file with its own user's permissions.
        benchmarks = [request.benchmark] if isinstance(request, pb.StartSessionRequest) else request.benchmark
        named = next((one.program.uri for one in benchmarks if names_a_file(one)), None)
        if named is not None and not is_own_user(context.peer(), self._ports):
            raise invalid(
                f"Program {named!r}: over TCP this service reads files only for its own user's processes. "
                "Send the program's contents instead, or start the service with --allow-files"
            )


class _Calls(grpc.GenericRpcHandler):  # type: ignore[misc] # gRPC has no types
    # Finds what answers a call, before the call's message is received.

    def __init__(self, handlers: Mapping[str, grpc.RpcMethodHandler], token: bytes | None) -> None:
        self._handlers = handlers
        self._token = token

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
        # Without the token, one that receives no message.
        handler = self._handlers.get(handler_call_details.method)
        if handler is None or self._token is None:
            return handler
        why = _what_is_wrong(handler_call_details.invocation_metadata, self._token)
        if not why:
            return handler

        def unauthenticated(_requests: object, context: grpc.ServicerContext) -> NoReturn:
            refuse(context, handler_call_details.method, RpcError(StatusCode.UNAUTHENTICATED, why))

        # Of a stream, only messages that the handler reads are received.
        return grpc.stream_unary_rpc_method_handler(unauthenticated)


def _what_is_wrong(metadata: Iterable[tuple[str, str]], expected: bytes) -> str:
    # Empty if the call carries the token.
    for key, value in metadata:
        if key == "authorization":
            scheme, _, given = value.partition(" ")
            right = scheme.lower() == "bearer" and hmac.compare_digest(given.encode(), expected)
            return "" if right else "The token is not the service's"
    return "The service requires a token: send the metadata 'authorization: Bearer …'"


def _unusable(address: str, port: int, why: str) -> InvalidInput:
    message = f"Port {port} of {address} cannot be used: {why}."
    remedy = "Give another port, or 0 for any that is free."
    return InvalidInput(message, field="port", value=port, remedy=remedy)
