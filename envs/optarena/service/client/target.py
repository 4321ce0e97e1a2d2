"""The values of ``service=``: a session type, an executable, or the endpoint of a running service."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final, Self

from optarena.errors import InvalidInput

_HOST_AND_PORT: Final = re.compile(
    r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*\.?):(?P<port>[0-9]{1,5})"
)
_SESSION_TYPE: Final = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")
_UNIX: Final = "unix:"
_LARGEST_PORT: Final = 65_535
_LONGEST_HOST: Final = 255
_LONGEST_SOCKET_PATH: Final = 107  # bytes in the path of a Unix socket on Linux


class TargetKind(Enum):
    """The three ways to name a service."""

    SESSION_TYPE = "session type"
    EXECUTABLE = "executable"
    ENDPOINT = "endpoint"


@dataclass(frozen=True, slots=True)
class ServiceTarget:
    """A service by name.

    ======================================  =================================================
    ``module:Class``, ``/path/x.py:Class``  a session type; each session gets a process
    ``/path/to/executable``                 a service to start, called over gRPC
    ``host:port``, ``unix:/path``           a running service, called over gRPC
    ======================================  =================================================
    """

    kind: TargetKind
    name: str

    @classmethod
    def parse(cls, text: str | Path) -> Self:
        """Read a name.

        Raises:
            InvalidInput: The text has none of these forms.
        """
        if not isinstance(text, (str, Path)) or "\0" in str(text):
            raise _unclear(text)
        if isinstance(text, Path):
            return cls(TargetKind.EXECUTABLE, str(text.absolute()))
        if text.startswith(_UNIX):
            return cls(TargetKind.ENDPOINT, _unix(text))
        match = _HOST_AND_PORT.fullmatch(text)
        if match and len(match["host"]) <= _LONGEST_HOST and 0 < int(match["port"]) <= _LARGEST_PORT:
            return cls(TargetKind.ENDPOINT, text)
        path, _, name = text.rpartition(":")
        if path.endswith(".py") and name.isidentifier():
            return cls(TargetKind.SESSION_TYPE, f"{Path(path).absolute()}:{name}")
        if _SESSION_TYPE.fullmatch(text):
            return cls(TargetKind.SESSION_TYPE, text)
        if "/" in text and ":" not in text:
            return cls(TargetKind.EXECUTABLE, str(Path(text).absolute()))
        raise _unclear(text)


def _unix(text: str) -> str:
    path = text.removeprefix(_UNIX).removeprefix("//")
    if not path:
        message = f"The service {text!r} has no path."
        raise InvalidInput(message, field="service", value=text, remedy="Give 'unix:/path'.")
    absolute = str(Path(path).absolute())
    try:
        size = len(os.fsencode(absolute))
    except UnicodeEncodeError:
        raise _unclear(text) from None
    if size > _LONGEST_SOCKET_PATH:
        most = f"at most {_LONGEST_SOCKET_PATH} are possible"
        message = f"The path of the socket {absolute[:200]!r} has {size} bytes; {most}."
        remedy = "Let the service listen at a shorter path."
        raise InvalidInput(message, field="service", value=text, remedy=remedy)
    return f"{_UNIX}{absolute}"


def _unclear(text: object) -> InvalidInput:
    shown = text[:200] if isinstance(text, str) else text
    message = f"The service {shown!r:.250} has an unknown form."
    remedy = "Give 'host:port', 'unix:/path', the path of an executable, or 'module:Class'."
    return InvalidInput(message, field="service", value=text, remedy=remedy)
