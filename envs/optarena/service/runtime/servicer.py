"""The eight calls for gRPC's servers: replies are returned, errors are set on the context as statuses.

``GrpcServer`` is built on it, and users can build their own server by the generated
``compiler_gym_service_pb2_grpc.add_CompilerGymServiceServicer_to_server``.
"""

from __future__ import annotations

import logging
import textwrap
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

import grpc
from google.protobuf.message import DecodeError

from optarena.documents.texts import printable
from optarena.errors import OptArenaError, SessionOutOfMemory
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.proto.compiler_gym_service_pb2_grpc import CompilerGymServiceServicer
from optarena.service.protocol.rpc_errors import status_of
from optarena.service.protocol.status import RpcError, StatusCode, invalid

if TYPE_CHECKING:
    from collections.abc import Callable

    from grpc import ServicerContext as Context

    from optarena.service.runtime.isolated_service import IsolatedService
    from optarena.service.session_process.compiler_gym_service import CompilerGymService

    Service = CompilerGymService | IsolatedService

Request = TypeVar("Request")
Reply = TypeVar("Reply")
Started = TypeVar("Started", pb.StartSessionReply, pb.ForkSessionReply)

logger = logging.getLogger(__name__)

_MESSAGE_BYTES: Final = 2000
"""Length of an error's message: with it, trailing metadata stays below what any client accepts."""
_STATUSES: Final = {status.value[0]: status for status in grpc.StatusCode}


class GrpcServicer(CompilerGymServiceServicer):
    """A service of one compiler for a gRPC server. It is as thread-safe as the service.

    An exception of the service ends the call with a status: its code and message, and in the trailing
    metadata the error's class, from which this package's clients raise the same error. The server goes on.

    Args:
        service: The service that answers: a ``CompilerGymService``, whose sessions share this process, or an
            ``IsolatedService``. Close it after the server has stopped.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    def GetVersion(self, request: pb.GetVersionRequest, context: Context) -> pb.GetVersionReply:  # noqa: N802 # the interface's
        """The versions of the service and of the compiler."""
        return _answered(self._service.GetVersion, request, context)

    def GetSpaces(self, request: pb.GetSpacesRequest, context: Context) -> pb.GetSpacesReply:  # noqa: N802 # the interface's
        """The action and observation spaces, in the order of their indices."""
        return _answered(self._service.GetSpaces, request, context)

    def StartSession(self, request: pb.StartSessionRequest, context: Context) -> pb.StartSessionReply:  # noqa: N802 # the interface's
        """Start a session on a benchmark from the cache, or on one from the request."""
        return self._told(_answered(self._service.StartSession, request, context), context)

    def ForkSession(self, request: pb.ForkSessionRequest, context: Context) -> pb.ForkSessionReply:  # noqa: N802 # the interface's
        """Copy a session."""
        return self._told(_answered(self._service.ForkSession, request, context), context)

    def EndSession(self, request: pb.EndSessionRequest, context: Context) -> pb.EndSessionReply:  # noqa: N802 # the interface's
        """End a session and return how many remain."""
        return _answered(self._service.EndSession, request, context)

    def Step(self, request: pb.StepRequest, context: Context) -> pb.StepReply:  # noqa: N802 # the interface's
        """Apply all actions or, if one of them is invalid, none; then observe."""
        return _answered(self._service.Step, request, context)

    def AddBenchmark(self, request: pb.AddBenchmarkRequest, context: Context) -> pb.AddBenchmarkReply:  # noqa: N802 # the interface's
        """Put benchmarks into the cache: all of them or, if one cannot be used, none."""
        return _answered(self._service.AddBenchmark, request, context)

    def SendSessionParameter(  # noqa: N802 # the interface's
        self, request: pb.SendSessionParameterRequest, context: Context
    ) -> pb.SendSessionParameterReply:
        """Set or query parameters, in order; one reply for each."""
        return _answered(self._service.SendSessionParameter, request, context)

    def _told(self, reply: Started, context: Context) -> Started:
        """End the new session if its client has given up before it gets the reply: it could never end it."""
        # A callback at the call's end would see a little more, but gRPC never frees a call that has one.
        if not context.is_active() or context.time_remaining() <= 0:
            with suppress(Exception):
                self._service.EndSession(pb.EndSessionRequest(session_id=reply.session_id), context)
        return reply


def refuse(context: Context, name: str, error: Exception) -> NoReturn:
    """End a call with the status for an exception.

    Raises:
        Exception: Always raised: gRPC ends a call by it.
    """
    if isinstance(error, DecodeError):
        error = invalid(f"Malformed request for {name}: {error}")
    elif isinstance(error, MemoryError) and not isinstance(error, OptArenaError):
        error = SessionOutOfMemory("The service is out of memory.")
    code, message, metadata = status_of(error)
    unexpected = code is StatusCode.INTERNAL and not isinstance(error, RpcError | OptArenaError)
    if unexpected:
        message = f"{type(error).__name__}: {error}"
    logger.log(logging.ERROR if unexpected else logging.DEBUG, "%s: %s: %s%s", name, code.name,
               printable(message), _trace(error) if unexpected else "")  # fmt: skip
    context.set_trailing_metadata(metadata)
    context.abort(_STATUSES[code], _shortened(printable(message, keep="\n\t")))
    raise AssertionError  # abort() raises


def _answered(call: Callable[[Request, Context], Reply], request: Request, context: Context) -> Reply:
    """The service's reply; kept short, because every call runs it."""
    try:
        return call(request, context)
    except Exception as error:  # noqa: BLE001 # each becomes a status, and the server goes on
        refuse(context, call.__name__, error)


def _trace(error: Exception) -> str:
    """An error's traceback for a log, indented so that no line looks like one of the log's own."""
    return "\n" + textwrap.indent(printable("".join(traceback.format_exception(error)), keep="\n"), "  ")


def _shortened(message: str) -> str:
    """The beginning and end of a message, short enough for metadata; invalid Unicode is replaced."""
    data = message.encode(errors="replace")
    if len(data) > _MESSAGE_BYTES:
        half = _MESSAGE_BYTES // 2
        data = data[:half] + b" ... " + data[-half:]
    return data.decode(errors="replace")
