"""Translates the package's errors to gRPC statuses, and back.

The status code is enough for any client. In addition, our own services name the error's class in the trailing
metadata, so that our own clients raise the same class. Codes are plain numbers: this module does not import
grpc.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from optarena import errors
from optarena.errors import (
    InfrastructureFault,
    InvalidInput,
    OptArenaError,
    PlatformNotSupported,
    SandboxUnavailable,
    ServiceClosed,
    SessionCrashed,
    SessionLimitExceeded,
    SessionNotFound,
    SessionOutOfMemory,
    SessionTimeout,
    TooManySessions,
    TransportError,
)
from optarena.service.protocol.faults import LACKING
from optarena.service.protocol.replies import error_of
from optarena.service.protocol.status import RpcError, StatusCode

if TYPE_CHECKING:
    from collections.abc import Mapping

ERROR_KEY: Final = "optarena-error"
"""Trailing metadata: the class of the error in ``optarena.errors``."""
SIGNAL_KEY: Final = "optarena-signal"
"""Trailing metadata: the signal that killed a crashed session."""

_CODES: Final[tuple[tuple[type[Exception], StatusCode], ...]] = (
    (SessionNotFound, StatusCode.NOT_FOUND),
    (SessionTimeout, StatusCode.DEADLINE_EXCEEDED),
    (SessionOutOfMemory, StatusCode.RESOURCE_EXHAUSTED),
    (SessionLimitExceeded, StatusCode.RESOURCE_EXHAUSTED),
    (TooManySessions, StatusCode.RESOURCE_EXHAUSTED),
    (ServiceClosed, StatusCode.UNAVAILABLE),
    (TransportError, StatusCode.INTERNAL),  # UNAVAILABLE would be retried, but the session is lost
    (PlatformNotSupported, StatusCode.UNIMPLEMENTED),
    (NotImplementedError, StatusCode.UNIMPLEMENTED),
    (SandboxUnavailable, StatusCode.FAILED_PRECONDITION),
    (FileNotFoundError, StatusCode.NOT_FOUND),
    (PermissionError, StatusCode.PERMISSION_DENIED),
    (ValueError, StatusCode.INVALID_ARGUMENT),
    (TypeError, StatusCode.FAILED_PRECONDITION),
)
LOST: Final = (InfrastructureFault, ServiceClosed, TransportError, SessionNotFound, TooManySessions)
"""Errors that say nothing about a session's work: the session was lost, or there was none."""
_PLAIN: Final = frozenset({"InvalidInput", "OptArenaError", "ServiceError"})
"""Classes that the code alone identifies."""
_NEVER_NAMED: Final = (OptArenaError, errors.InvalidDocument)
_NO_FILE: Final = FileNotFoundError.__name__
"""Classes named beside NOT_FOUND, which otherwise means a missing session."""


def status_of(error: Exception) -> tuple[StatusCode, str, tuple[tuple[str, str], ...]]:
    """The status code, message and trailing metadata that report an error to a client."""
    if isinstance(error, RpcError):
        missing = isinstance(error_of(error.code, error.message), FileNotFoundError)
        told = _NO_FILE if missing else error.name
        return error.code, error.message, ((ERROR_KEY, told),) if told else ()
    code = next((code for kind, code in _CODES if isinstance(error, kind)), StatusCode.INTERNAL)
    message = error.message if isinstance(error, InvalidInput) and not error.remedy else str(error)
    name = _NO_FILE if isinstance(error, FileNotFoundError) else type(error).__name__
    metadata = (
        [(ERROR_KEY, name)]
        if name == _NO_FILE or (isinstance(error, OptArenaError) and name not in _PLAIN)
        else []
    )
    if isinstance(error, SessionCrashed) and error.signal is not None:
        metadata.append((SIGNAL_KEY, str(error.signal)))
    return code, message or name, tuple(metadata)


def error_named(code: int, message: str, name: str) -> Exception:
    """The error that a client raises for a status, with the name of its class if there is one."""
    return error_from(code, message, {ERROR_KEY: name})


def named_by_session(code: int, message: str, name: str) -> Exception:
    """The error for a status from a session's process, which names only what its machine lacks."""
    kind = getattr(errors, name, None)
    is_named = isinstance(kind, type) and issubclass(kind, LACKING)
    return error_named(code, message, name if is_named else "")


def error_from(code: int, message: str, metadata: Mapping[str, str]) -> Exception:
    """The error that a client raises for a status; the inverse of :func:`status_of`."""
    name = metadata.get(ERROR_KEY, "")
    if name == _NO_FILE and code == StatusCode.NOT_FOUND:
        return FileNotFoundError(message)
    kind = getattr(errors, name, None)
    if isinstance(kind, type) and issubclass(kind, SessionCrashed):
        signal = metadata.get(SIGNAL_KEY, "")
        return kind(message, signal=int(signal) if signal.isdecimal() else None)
    if isinstance(kind, type) and issubclass(kind, OptArenaError) and kind not in _NEVER_NAMED:
        return kind(message)
    return error_of(code, message)
