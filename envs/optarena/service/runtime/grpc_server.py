"""The service over gRPC: listening, bytes in and out, and a token if one is required.

The ``.proto`` file's descriptor gives the calls of the interface; ``servicer`` answers them.
"""

from __future__ import annotations

import errno
import hmac
import os
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, NoReturn
from urllib.parse import quote

import grpc
from google.protobuf.message_factory import GetMessageClass

from optarena.errors import InvalidInput
from optarena.limits import MAX_MESSAGE_BYTES
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.programs import names_a_file
from optarena.service.protocol.status import RpcError, StatusCode, invalid
from optarena.service.runtime import unix_sockets
from optarena.service.runtime.peers import is_own_user
from optarena.service.runtime.servicer import GrpcServicer, refuse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from google.protobuf.descriptor import MethodDescriptor

    from optarena.service.runtime.servicer import Service

INTERFACE: Final = pb.DESCRIPTOR.services_by_name["CompilerGymService"]
THREADS: Final = 512
"""Concurrent calls; further calls wait. Threads are started when they are first needed."""
_QUICK_THREADS: Final = 256
"""Threads for the calls below, which are answered even if every session hangs."""
_QUICK: Final = frozenset({"GetVersion", "GetSpaces", "EndSession"})
MAX_METADATA_BYTES: Final = 512 * 1024
_AUTHORIZATION: Final = "authorization"
_BRING_PROGRAMS: Final = frozenset({"StartSession", "AddBenchmark"})


class GrpcServer:
    """A gRPC server in front of a service. Bind it, start it, stop it.

    Args:
        service: The service that answers the calls; it is not closed with the server.
        token: Bearer token that every call must carry; none if empty.
        max_message_bytes: Size of the largest message received or sent.
        files_for_all: Whether the service may read files for every caller, not only for this user's.
    """

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
        """Listen on a TCP port; 0 lets the system choose one. Returns the endpoint, ``host:port``.

        Raises:
            InvalidInput: The port is taken or may not be used, or the address is not this machine's.
        """
        host = f"[{address}]" if ":" in address else address
        _check_free(address, port)
        try:
            bound = self._server.add_insecure_port(f"{host}:{port}")
        except RuntimeError as error:
            raise _unusable(address, port, str(error)) from error
        self._ports.add(bound)
        return f"{host}:{bound}"

    def bind_unix(self, path: Path) -> str:
        """Listen on a Unix socket that only this user can use. Returns the endpoint, ``unix:/path``.

        Raises:
            InvalidInput: The errors of :func:`~optarena.service.runtime.unix_sockets.claimed`.
        """
        with unix_sockets.claimed(path):
            try:
                self._server.add_insecure_port(f"unix:{quote(str(path))}")
            except RuntimeError as error:
                raise InvalidInput(
                    f"The socket {path} cannot be made: {error}.", field="unix", value=str(path)
                ) from error
            self._socket = (path, unix_sockets.identity(path))
        return f"unix:{path}"

    def start(self) -> None:
        """Begin to answer."""
        self._server.start()

    def stop(self, grace_seconds: float) -> None:
        """Accept no further calls, and give running ones this long. The socket's file is removed."""
        self._server.stop(grace_seconds).wait()
        for pool in (self._pool, self._quick_pool):
            pool.shutdown(wait=False, cancel_futures=True)
        self.remove_socket()

    def join(self, seconds: float) -> bool:
        """Wait, after the stop, for the threads of calls; returns whether all have ended."""
        deadline = time.monotonic() + seconds
        threads = [thread for thread in threading.enumerate() if thread.name.startswith(self._name)]
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in threads)

    def remove_socket(self) -> None:
        """Remove the socket's file, if there is one."""
        if self._socket is not None:
            unix_sockets.remove(*self._socket)

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
        """Refuse to read a file for another user: the service reads it with its own user's permissions."""
        benchmarks = [request.benchmark] if isinstance(request, pb.StartSessionRequest) else request.benchmark
        named = next((one.program.uri for one in benchmarks if names_a_file(one)), None)
        if named is not None and not is_own_user(context.peer(), self._ports):
            raise invalid(
                f"Program {named!r}: over TCP this service reads files only for its own user's processes. "
                "Send the program's contents instead, or start the service with --allow-files"
            )


class _Calls(grpc.GenericRpcHandler):  # type: ignore[misc] # gRPC has no types
    """Finds what answers a call, before the call's message is received."""

    def __init__(self, handlers: Mapping[str, grpc.RpcMethodHandler], token: bytes | None) -> None:
        self._handlers = handlers
        self._token = token

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
        """The handler of a call; without the token, one that receives no message."""
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
    """Why a call does not carry the token; empty if it does."""
    for key, value in metadata:
        if key == _AUTHORIZATION:
            scheme, _, given = value.partition(" ")
            right = scheme.lower() == "bearer" and hmac.compare_digest(given.encode(), expected)
            return "" if right else "The token is not the service's"
    return "The service requires a token: send the metadata 'authorization: Bearer …'"


def _check_free(address: str, port: int) -> None:
    """Find out why a port cannot be used, which gRPC does not report."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            why = "it is taken" if taken else os.strerror(error.errno or 0)
            raise _unusable(address, port, why) from error


def _unusable(address: str, port: int, why: str) -> InvalidInput:
    return InvalidInput(
        f"Port {port} of {address} cannot be used: {why}.",
        field="port",
        value=port,
        remedy="Give another port, or 0 for any that is free.",
    )
