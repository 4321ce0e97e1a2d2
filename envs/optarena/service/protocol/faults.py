"""Translates the exceptions of a session to status codes; no other module does.

``MemoryError`` does not become a status: it passes through, because only the transport can decide what
happens to the process. So does a ``KeyboardInterrupt`` in the main thread, which may be the user's.
Tracebacks of unexpected errors go to standard error, never into a reply.
"""

from __future__ import annotations

import contextlib
import threading
import traceback
from typing import TYPE_CHECKING, Final

from optarena.documents.texts import whole
from optarena.errors import (
    PlatformNotSupported,
    SessionKilled,
    SessionLimitExceeded,
    SessionTimeout,
    ToolMissing,
)
from optarena.service.protocol.replies import SESSION_NOT_FOUND
from optarena.service.protocol.status import RpcError, StatusCode

if TYPE_CHECKING:
    from types import TracebackType

_CODES: Final[tuple[tuple[type[Exception], StatusCode], ...]] = (
    (SessionLimitExceeded, StatusCode.RESOURCE_EXHAUSTED),
    (SessionTimeout, StatusCode.DEADLINE_EXCEEDED),
    (SessionKilled, StatusCode.INTERNAL),
    (PlatformNotSupported, StatusCode.UNIMPLEMENTED),
    (NotImplementedError, StatusCode.UNIMPLEMENTED),
    (FileNotFoundError, StatusCode.NOT_FOUND),
    (PermissionError, StatusCode.PERMISSION_DENIED),
    (ValueError, StatusCode.INVALID_ARGUMENT),
)
LACKING: Final = (PlatformNotSupported, ToolMissing)
"""What the machine lacks."""
_NAMED: Final = (*LACKING, SessionKilled)
"""The only errors whose classes a session names to clients; it says of a tool that it was killed."""
STATE_UNKNOWN: Final = frozenset(
    {StatusCode.INTERNAL, StatusCode.RESOURCE_EXHAUSTED, StatusCode.DEADLINE_EXCEEDED}
)
"""A Step that ends with one of these ends the session: it is unknown which actions were applied."""


class Fault(RpcError):
    """An error of session code, translated here; any other RpcError that session code raises is a bug."""


def text_of(error: BaseException) -> str:
    """The text of an exception, even if its ``__str__`` fails."""
    try:
        return whole(str(error))
    except Exception as another:  # noqa: BLE001 # session code wrote it, so it may raise anything
        return f"(no text: its __str__ raises {type(another).__name__})"


def rpc_error(error: BaseException) -> RpcError:
    """The RPC error for an exception of session code."""
    if isinstance(error, Fault):
        return error
    text, name = text_of(error), type(error).__name__
    for kind, code in _CODES:
        if isinstance(error, kind):
            taken = text.startswith(SESSION_NOT_FOUND)  # the client would read it as a missing session
            said = f"{name}: {text}" if taken else text or kind.__name__
            return Fault(code, said, name if isinstance(error, _NAMED) else "")
    with contextlib.suppress(Exception):  # standard error may be closed, or full
        traceback.print_exception(error)
    return Fault(StatusCode.INTERNAL, f"{name}: {text}" if text else name)


def passes(error: BaseException) -> bool:
    """Whether an exception does not become a status, but goes to the transport or the interrupting user."""
    if isinstance(error, KeyboardInterrupt):
        return threading.current_thread() is threading.main_thread()
    return isinstance(error, MemoryError)


class Translated:
    """A context in which exceptions of session code become RPC errors.

    Args:
        applied: What was done before, for the caller, if an error inside does not undo it; empty if an
            error leaves everything unchanged.
    """

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
