"""What a status code means to the client: which of the package's errors it becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from optarena.errors import (
    InvalidInput,
    ServiceError,
    SessionLimitExceeded,
    SessionNotFound,
    SessionTimeout,
    TransportError,
)
from optarena.service.protocol.status import StatusCode

if TYPE_CHECKING:
    from collections.abc import Callable

_ERRORS: Final[dict[int, Callable[[str], Exception]]] = {
    StatusCode.INVALID_ARGUMENT: InvalidInput,
    StatusCode.DEADLINE_EXCEEDED: SessionTimeout,
    StatusCode.NOT_FOUND: FileNotFoundError,
    StatusCode.PERMISSION_DENIED: PermissionError,
    StatusCode.RESOURCE_EXHAUSTED: SessionLimitExceeded,
    StatusCode.FAILED_PRECONDITION: TypeError,
    StatusCode.UNIMPLEMENTED: NotImplementedError,
    StatusCode.UNAVAILABLE: TransportError,
}
_CANCELLED: Final = 1
_ABORTED: Final = 10
"""Two that only foreign services say."""
FATAL: Final[frozenset[int]] = frozenset(
    {
        StatusCode.UNKNOWN,
        StatusCode.DEADLINE_EXCEEDED,
        StatusCode.RESOURCE_EXHAUSTED,
        StatusCode.INTERNAL,
        StatusCode.UNAVAILABLE,
        StatusCode.DATA_LOSS,
        _CANCELLED,
        _ABORTED,
    }
)
"""After these the state of the session is unknown, so it is ended: over every transport the same."""


def error_of(status: int, message: str) -> Exception:
    """The error that a reply with this status and message stands for."""
    if status == StatusCode.NOT_FOUND and message.startswith(SESSION_NOT_FOUND):
        return SessionNotFound(message)
    return _ERRORS.get(status, ServiceError)(message)


SESSION_NOT_FOUND: Final = "Session not found"
"""How the message of a NOT_FOUND for a session, rather than a file or benchmark, begins."""
