"""An error as plain data, for the process that asked; ``client.launch.raise_error`` raises it there."""

from __future__ import annotations

from typing import Any

from optarena.errors import InvalidInput


def report(error: BaseException, message: str) -> dict[str, Any]:
    """An error's class and message, and what tells whether this machine is its cause.

    Args:
        error: The error.
        message: What to say instead of its own text.
    """
    told: dict[str, Any] = {"error": type(error).__name__, "message": message}
    if isinstance(error, InvalidInput):
        told["field"] = error.field
    if isinstance(error, OSError) and error.errno:
        told["errno"] = error.errno
    return told
