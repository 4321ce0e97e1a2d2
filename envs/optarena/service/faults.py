"""What a session's exceptions mean: the one place where they become status codes.

``MemoryError`` is no status: it passes through, because only the carrier can decide what becomes of the
process. Tracebacks of unexpected errors go to standard error, never into a reply.
"""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Final

from optarena.errors import PlatformNotSupported, SessionLimitExceeded
from optarena.service.status import RpcError, StatusCode

if TYPE_CHECKING:
    from types import TracebackType

_CODES: Final[tuple[tuple[type[Exception], StatusCode], ...]] = (
    (SessionLimitExceeded, StatusCode.RESOURCE_EXHAUSTED),
    (PlatformNotSupported, StatusCode.UNIMPLEMENTED),
    (NotImplementedError, StatusCode.UNIMPLEMENTED),
    (FileNotFoundError, StatusCode.NOT_FOUND),
    (PermissionError, StatusCode.PERMISSION_DENIED),
    (ValueError, StatusCode.INVALID_ARGUMENT),
)
STATE_UNKNOWN: Final = frozenset(
    {StatusCode.INTERNAL, StatusCode.RESOURCE_EXHAUSTED, StatusCode.DEADLINE_EXCEEDED}
)
"""After a Step that ends with one of these the session is over: nobody knows what was applied."""


def rpc_error(error: Exception) -> RpcError:
    """The RPC error that an exception of session code stands for."""
    for kind, code in _CODES:
        if isinstance(error, kind):
            return RpcError(code, str(error) or kind.__name__)
    traceback.print_exception(error)
    return RpcError(StatusCode.INTERNAL, f"{type(error).__name__}: {error}")


class Translated:
    """A context in which exceptions of session code become RPC errors.

    Args:
        applied: What the caller must know was done before, if an error inside leaves it done; empty if
            an error leaves everything as it was.
    """

    __slots__ = ("_applied",)

    def __init__(self, applied: str = "") -> None:
        self._applied = applied

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(error, Exception) or isinstance(error, MemoryError):
            return
        fault = error if isinstance(error, RpcError) else rpc_error(error)
        if self._applied and fault.code not in STATE_UNKNOWN:
            message = f"{fault.message} (the session has ended: {self._applied})"
            raise RpcError(StatusCode.INTERNAL, message) from error
        if fault is not error:
            raise fault from error
