"""The status codes of the RPC interface and the one exception that carries them inside a service.

The numbers are gRPC's, so they mean the same over every transport. This module knows no transport.
"""

from __future__ import annotations

from enum import IntEnum


class StatusCode(IntEnum):
    """The outcome of a call."""

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
    """A call that ends with a status other than OK; transports turn it into their own form.

    Args:
        code: The status.
        message: One sentence for the caller.
        name: The class of the error in ``optarena.errors``, if the code alone does not identify it.
    """

    def __init__(self, code: StatusCode, message: str, name: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.name = name


def invalid(message: str) -> RpcError:
    """An INVALID_ARGUMENT error."""
    return RpcError(StatusCode.INVALID_ARGUMENT, message)


def not_found(message: str) -> RpcError:
    """A NOT_FOUND error."""
    return RpcError(StatusCode.NOT_FOUND, message)
