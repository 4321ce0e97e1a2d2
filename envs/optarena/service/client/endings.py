"""Why a call to a session's process failed, if the process ends or breaks the protocol.

A pass may have corrupted the memory of the process, so what it sends is not evidence about anything but
itself. Only its zygote can tell that somebody else ended it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from google.protobuf.message import DecodeError, Message

from optarena.errors import OptArenaError, ServiceError, SessionCrashed, SessionKilled, TransportError
from optarena.service.processes.exit_status import ending_error
from optarena.service.protocol.rpc_errors import LOST, error_named, named_by_session

if TYPE_CHECKING:
    from optarena.isolation.limits import ProcessLimits
    from optarena.service.client.zygote import Worker
    from optarena.service.proto.envelope_pb2 import Envelope

M = TypeVar("M", bound=Message)
_END_SECONDS: Final = 10.0
"""Time for a process without a channel to end, and for its zygote to report that on a busy machine."""


def breach(worker: Worker, problem: str) -> ServiceError:
    """The error for a process that breaks the protocol: it crashed, unless it was lost with its zygote."""
    return (SessionCrashed if worker.zygote.is_alive() else TransportError)(problem)


def unexpected_end(worker: Worker, limits: ProcessLimits) -> ServiceError:
    """The error for a process that has closed its channel or sent no frame; it is killed if it still runs."""
    status = worker.wait(_END_SECONDS)
    if status is not None:
        return ending_error(status, worker.stderr_tail(), limits)
    worker.kill()
    return breach(worker, "The session's process runs, but has closed its channel or sent no frame.")


def parsed(worker: Worker, kind: type[M], data: bytes, what: str) -> M:
    """A message of a process.

    Raises:
        ServiceError: It is not such a message.
    """
    try:
        return kind.FromString(data)
    except DecodeError as error:
        raise breach(worker, f"{what} cannot be read as a message {kind.__name__}") from error


def refusal(worker: Worker, reply: Envelope, *, started: bool) -> Exception:
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
    is_plain = not isinstance(error, (OptArenaError, NotImplementedError))
    return ServiceError(said) if started and is_plain else error
