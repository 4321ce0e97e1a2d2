"""Status codes of the RPC interface; they translate a session's exceptions to the client's errors.

The numbers are gRPC's, so they mean the same over every transport; this module imports no grpc. The code is
enough for any client. In addition, our own services name the error's class in the trailing metadata, so
that our own clients raise the same class. ``MemoryError`` does not become a status: it passes through,
because only the transport can decide what happens to the process. So does a ``KeyboardInterrupt`` in the
main thread, which may be the user's. Tracebacks of unexpected errors go to standard error, never into a
reply.

The answers to a look ahead travel in one payload. Each is the reply to a plain step, or an envelope: a
status with a message, as from a call of its own, whose call id is the unit of work that failed, 1 for the
action and more for an observation. If the child process that tried the action ended without one, it is how
that process ended. There are fewer answers than actions if they are long: then the client asks again for
the rest.
"""

from __future__ import annotations

import contextlib
import json
import struct
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import IntEnum
from types import TracebackType
from typing import TYPE_CHECKING, Final

from optarena import errors
from optarena.documents.texts import escape_surrogates
from optarena.service.processes.exit_status import ExitStatus, ending_error
from optarena.service.proto.envelope_pb2 import Envelope

if TYPE_CHECKING:
    from optarena.isolation.limits import ProcessLimits


class StatusCode(IntEnum):
    OK = 0
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16


class RpcError(Exception):
    # A call that ends with a status other than OK; transports turn it into their own form. `name` is the
    # class of the error in `optarena.errors`, if the code alone does not identify it.

    def __init__(self, code: StatusCode, message: str, name: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.name = name


def invalid(message: str) -> RpcError:
    return RpcError(StatusCode.INVALID_ARGUMENT, message)


def not_found(message: str) -> RpcError:
    return RpcError(StatusCode.NOT_FOUND, message)


_ERRORS: Final[dict[int, Callable[[str], Exception]]] = {
    StatusCode.INVALID_ARGUMENT: errors.InvalidInput,
    StatusCode.DEADLINE_EXCEEDED: errors.SessionTimeout,
    StatusCode.NOT_FOUND: FileNotFoundError,
    StatusCode.PERMISSION_DENIED: PermissionError,
    StatusCode.RESOURCE_EXHAUSTED: errors.SessionLimitExceeded,
    StatusCode.FAILED_PRECONDITION: TypeError,
    StatusCode.UNIMPLEMENTED: NotImplementedError,
    StatusCode.UNAVAILABLE: errors.TransportError,
}
_CANCELLED: Final = 1
_ABORTED: Final = 10  # two codes that only foreign services send
# After these the session's state is unknown, so it is ended, over every transport
FATAL: Final[frozenset[int]] = frozenset({
    StatusCode.UNKNOWN, StatusCode.DEADLINE_EXCEEDED, StatusCode.RESOURCE_EXHAUSTED, StatusCode.INTERNAL,
    StatusCode.UNAVAILABLE, StatusCode.DATA_LOSS, _CANCELLED, _ABORTED,
})  # fmt: skip


def error_of(status: int, message: str) -> Exception:
    if status == StatusCode.NOT_FOUND and message.startswith(SESSION_NOT_FOUND):
        return errors.SessionNotFound(message)
    return _ERRORS.get(status, errors.ServiceError)(message)


# the first words of a NOT_FOUND message for a session, rather than a file or benchmark
SESSION_NOT_FOUND: Final = "Session not found"


_CODES_OF_SESSION_ERRORS: Final[tuple[tuple[type[Exception], StatusCode], ...]] = (
    (errors.SessionLimitExceeded, StatusCode.RESOURCE_EXHAUSTED),
    (errors.SessionTimeout, StatusCode.DEADLINE_EXCEEDED),
    (errors.SessionKilled, StatusCode.INTERNAL),
    (errors.PlatformNotSupported, StatusCode.UNIMPLEMENTED),
    (NotImplementedError, StatusCode.UNIMPLEMENTED),
    (FileNotFoundError, StatusCode.NOT_FOUND),
    (PermissionError, StatusCode.PERMISSION_DENIED),
    (ValueError, StatusCode.INVALID_ARGUMENT),
)
LACKING: Final = (errors.PlatformNotSupported, errors.ToolMissing)  # what the machine lacks
# The only errors whose classes a session names to clients; it says of a tool that it was killed
_NAMED: Final = (*LACKING, errors.SessionKilled)
# A Step that ends with one of these ends the session: it is unknown which actions were applied
STATE_UNKNOWN: Final = frozenset(
    {StatusCode.INTERNAL, StatusCode.RESOURCE_EXHAUSTED, StatusCode.DEADLINE_EXCEEDED}
)


class Fault(RpcError):
    """An error of session code, translated here; any other RpcError that session code raises is a bug."""


def text_of(error: BaseException) -> str:
    # Even if its `__str__` fails.
    try:
        return escape_surrogates(str(error))
    except Exception as another:  # noqa: BLE001 # session code wrote it, so it may raise anything
        return f"(no text: its __str__ raises {type(another).__name__})"


def rpc_error(error: BaseException) -> RpcError:
    if isinstance(error, Fault):
        return error
    text, name = text_of(error), type(error).__name__
    for kind, code in _CODES_OF_SESSION_ERRORS:
        if isinstance(error, kind):
            taken = text.startswith(SESSION_NOT_FOUND)  # the client would read it as a missing session
            said = f"{name}: {text}" if taken else text or kind.__name__
            return Fault(code, said, name if isinstance(error, _NAMED) else "")
    with contextlib.suppress(Exception):  # standard error may be closed, or full
        traceback.print_exception(error)
    return Fault(StatusCode.INTERNAL, f"{name}: {text}" if text else name)


def passes(error: BaseException) -> bool:
    # It goes to the transport or to the interrupting user.
    if isinstance(error, KeyboardInterrupt):
        return threading.current_thread() is threading.main_thread()
    return isinstance(error, MemoryError)


class Translated:
    # Exceptions of session code become RPC errors. `applied` tells the caller what was done before, if an
    # error inside does not undo it.

    __slots__ = ("_applied",)

    def __init__(self, applied: str = "") -> None:
        self._applied = applied

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None or passes(error):
            return
        fault = rpc_error(error)
        if self._applied and fault.code not in STATE_UNKNOWN:
            message = f"{fault.message} (the session has ended: {self._applied})"
            raise Fault(StatusCode.INTERNAL, message) from error
        if fault is not error:
            raise fault from error


ERROR_KEY: Final = "optarena-error"  # trailing metadata: the class of the error in `optarena.errors`
# trailing metadata: the short name of why a value cannot be computed
TYPE_KEY: Final = "optarena-error-type"
SIGNAL_KEY: Final = "optarena-signal"  # trailing metadata: the signal that killed a crashed session

_CODES_OF_ERRORS: Final[tuple[tuple[type[Exception], StatusCode], ...]] = (
    (errors.ValueUnavailable, StatusCode.INVALID_ARGUMENT),
    (errors.SessionNotFound, StatusCode.NOT_FOUND),
    (errors.SessionTimeout, StatusCode.DEADLINE_EXCEEDED),
    (errors.SessionOutOfMemory, StatusCode.RESOURCE_EXHAUSTED),
    (errors.SessionLimitExceeded, StatusCode.RESOURCE_EXHAUSTED),
    (errors.TooManySessions, StatusCode.RESOURCE_EXHAUSTED),
    (errors.ServiceClosed, StatusCode.UNAVAILABLE),
    (errors.TransportError, StatusCode.INTERNAL),  # UNAVAILABLE would be retried, but the session is lost
    (errors.PlatformNotSupported, StatusCode.UNIMPLEMENTED),
    (NotImplementedError, StatusCode.UNIMPLEMENTED),
    (errors.SandboxUnavailable, StatusCode.FAILED_PRECONDITION),
    (FileNotFoundError, StatusCode.NOT_FOUND),
    (PermissionError, StatusCode.PERMISSION_DENIED),
    (ValueError, StatusCode.INVALID_ARGUMENT),
    (TypeError, StatusCode.FAILED_PRECONDITION),
)
# These say nothing about a session's work: it was lost, or there was none
LOST: Final = (
    errors.InfrastructureFault,
    errors.ServiceClosed,
    errors.TransportError,
    errors.SessionNotFound,
    errors.TooManySessions,
)
# the code alone identifies these
_PLAIN: Final = frozenset({"InvalidInput", "OptArenaError", "ServiceError"})
_NEVER_NAMED: Final = (errors.OptArenaError, errors.InvalidDocument)
# named beside NOT_FOUND, which otherwise means a missing session
_NO_FILE: Final = FileNotFoundError.__name__


def status_of(error: Exception) -> tuple[StatusCode, str, tuple[tuple[str, str], ...]]:
    if isinstance(error, RpcError):
        missing = isinstance(error_of(error.code, error.message), FileNotFoundError)
        told = _NO_FILE if missing else error.name
        return error.code, error.message, ((ERROR_KEY, told),) if told else ()
    code = next((code for kind, code in _CODES_OF_ERRORS if isinstance(error, kind)), StatusCode.INTERNAL)
    message = error.message if isinstance(error, errors.InvalidInput) and not error.remedy else str(error)
    name = _NO_FILE if isinstance(error, FileNotFoundError) else type(error).__name__
    metadata = (
        [(ERROR_KEY, name)]
        if name == _NO_FILE or (isinstance(error, errors.OptArenaError) and name not in _PLAIN)
        else []
    )
    if isinstance(error, errors.SessionCrashed) and error.signal is not None:
        metadata.append((SIGNAL_KEY, str(error.signal)))
    if isinstance(error, errors.ValueUnavailable):
        metadata.append((TYPE_KEY, error.error_type))
    return code, message or name, tuple(metadata)


def error_named(code: int, message: str, name: str) -> Exception:
    return error_from(code, message, {ERROR_KEY: name})


def named_by_session(code: int, message: str, name: str) -> Exception:
    # A session's process names only what its machine lacks.
    kind = getattr(errors, name, None)
    is_named = isinstance(kind, type) and issubclass(kind, LACKING)
    return error_named(code, message, name if is_named else "")


def error_from(code: int, message: str, metadata: Mapping[str, str]) -> Exception:
    name = metadata.get(ERROR_KEY, "")
    if name == _NO_FILE and code == StatusCode.NOT_FOUND:
        return FileNotFoundError(message)
    kind = getattr(errors, name, None)
    if isinstance(kind, type) and issubclass(kind, errors.SessionCrashed):
        signal = metadata.get(SIGNAL_KEY, "")
        return kind(message, signal=int(signal) if signal.isdecimal() else None)
    if kind is errors.ValueUnavailable:
        return kind(message, error_type=metadata.get(TYPE_KEY, kind.error_type))
    if isinstance(kind, type) and issubclass(kind, errors.OptArenaError) and kind not in _NEVER_NAMED:
        return kind(message)
    return error_of(code, message)


METHOD: Final = "LookAhead"  # exists between a session's process and its client alone
WALKS: Final = "Walks"  # the same for lists of actions, of which each is followed
RESTART: Final = "Restart"  # like StartSession, in a process whose session ends before
STEPS: Final = "Steps"  # a step for each action of its request, and a reply for each
ENDED: Final = "ended"  # the method of an envelope that says how a child process ended
_FAILED: Final = errors.SessionCrashed.__name__
TRIED: Final = 0  # the number of the call that an answer's plain reply names
_LENGTH: Final = struct.Struct("<I")


class Malformed(Exception):
    """The bytes are not answers."""


@dataclass(frozen=True, slots=True)
class TrialEnd:
    # The end of a child process that gave no answer. `unit` is the unit of work that it began last: 1 for the
    # action, more for an observation, 0 for none. `seconds` is the wall time after which its parent ended it,
    # if it did.

    status: ExitStatus
    unit: int
    output: str
    seconds: float | None = None

    def packed(self) -> bytes:
        told = {**asdict(self.status), "unit": self.unit, "output": self.output, "seconds": self.seconds}
        return Envelope(method=ENDED, payload=json.dumps(told).encode()).SerializeToString()

    def error(self, limits: ProcessLimits) -> errors.ServiceError:
        if self.seconds is not None:
            error: errors.ServiceError = errors.SessionTimeout(f"no answer within {self.seconds:g} s")
        else:
            error = ending_error(self.status, self.output, limits)
        error.unit, error.cpu_seconds = self.unit, self.status.cpu_seconds
        return error

    @classmethod
    def unpacked(cls, answer: Envelope) -> TrialEnd:
        try:
            told = json.loads(answer.payload)
            code, signal, cpu, unit = (told[key] for key in ("code", "signal", "cpu_seconds", "unit"))
            seconds = None if told["seconds"] is None else float(told["seconds"])
            if {type(code), type(signal), type(unit)} <= {int, type(None)}:
                status = ExitStatus(code, signal, None if cpu is None else float(cpu))
                return cls(status, unit or 0, str(told["output"]), seconds)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise Malformed(f"the end of a process is {answer.payload[:100]!r}") from error
        raise Malformed(f"the end of a process is {answer.payload[:100]!r}")


def value_fault(said: Envelope, limits: ProcessLimits) -> RpcError:
    # What a child of the session said that was to compute a value, or how it ended: the session is as before.
    # A refusal stays one; any other error is named, so that the client knows it from one of the session. If
    # the child was killed from outside, nobody knows anything about the value.
    if said.method == ENDED:
        error = TrialEnd.unpacked(said).error(limits)
        return rpc_error(error) if isinstance(error, errors.SessionKilled) else lost_value(error)
    if not said.status:
        raise Malformed("a message without a status")
    if said.status in FATAL:
        return Fault(StatusCode.INVALID_ARGUMENT, said.message, said.error or _FAILED)
    return Fault(StatusCode(said.status), said.message, said.error)


def lost_value(error: errors.ServiceError) -> Fault:
    return Fault(StatusCode.INVALID_ARGUMENT, str(error), type(error).__name__)


def refusal_reply(call_id: int, error: RpcError) -> Envelope:
    reply = Envelope(call_id=call_id, status=error.code or StatusCode.INTERNAL)
    reply.message = escape_surrogates(error.message)
    reply.error = error.name
    return reply


def in_order(answers: Mapping[int, bytes]) -> list[bytes]:
    # As far as there is one for each.
    found: list[bytes] = []
    while len(found) in answers:
        found.append(answers[len(found)])
    return found


def pack(answers: Sequence[bytes]) -> bytes:
    number = _LENGTH.pack(len(answers))
    return number + b"".join(_LENGTH.pack(len(answer)) + answer for answer in answers)


def unpack(payload: bytes, most: int) -> list[bytes]:
    # At least one answer, unless there may be none.
    found: list[bytes] = []
    number, place = int.from_bytes(payload[: _LENGTH.size], "little"), _LENGTH.size
    while place + _LENGTH.size <= len(payload):
        (length,) = _LENGTH.unpack_from(payload, place)
        place += _LENGTH.size
        found.append(payload[place : place + length])
        place += length
    if not min(1, most) <= number <= most or len(found) != number or place != len(payload):
        raise Malformed(f"{len(payload)} bytes are not between 1 and {most} answers")
    return found
