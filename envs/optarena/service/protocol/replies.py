"""Translates status codes to the package's errors, for the client."""

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
"""Two codes that only foreign services send."""
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
"""Errors after which the session's state is unknown, so it is ended, over every transport."""


def error_of(status: int, message: str) -> Exception:
    """The error for a reply with this status and message."""
    if status == StatusCode.NOT_FOUND and message.startswith(SESSION_NOT_FOUND):
        return SessionNotFound(message)
    return _ERRORS.get(status, ServiceError)(message)


SESSION_NOT_FOUND: Final = "Session not found"
"""The first words of a NOT_FOUND message for a session, rather than a file or benchmark."""
