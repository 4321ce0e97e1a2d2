"""What every line of the logs goes through: it has no secrets, and a client cannot make two of one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from structlog.typing import EventDict, WrappedLogger

_RESET: Final = re.compile(r"(/accounts/reset/)[^/\s]+/[^/\s]+")
"""The address of a new password: its token is as good as the password."""
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_LINES: Final = frozenset({"exception", "stack"})
"""Tracebacks, which have lines."""


def plain(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:  # noqa: ARG001 - as structlog calls it
    """Mask secrets and escape control characters: a path that a client sends may have either."""
    for key, value in event.items():
        if isinstance(value, str):
            text = _RESET.sub(r"\1***", value)
            event[key] = text if key in _LINES else _CONTROL.sub(_escaped, text)
    return event


def _escaped(found: re.Match[str]) -> str:
    return repr(found[0])[1:-1]
