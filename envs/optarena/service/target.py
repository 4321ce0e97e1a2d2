"""What ``service=`` may name: a session type, an executable, or the endpoint of a service that runs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final, Self

from optarena.errors import InvalidInput

_HOST_AND_PORT: Final = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):(?P<port>\d{1,5})")
_SESSION_TYPE: Final = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")
_UNIX: Final = "unix:"
_LARGEST_PORT: Final = 65_535


class TargetKind(Enum):
    """The three things a service can be named by."""

    SESSION_TYPE = "session type"
    EXECUTABLE = "executable"
    ENDPOINT = "endpoint"


@dataclass(frozen=True, slots=True)
class ServiceTarget:
    """A service by name.

    ======================================  =================================================
    ``module:Class``, ``/path/x.py:Class``  a session type; each session gets a process
    ``/path/to/executable``                 a service to be started, spoken to over gRPC
    ``host:port``, ``unix:/path``           a service that runs, spoken to over gRPC
    ======================================  =================================================
    """

    kind: TargetKind
    name: str

    @classmethod
    def parse(cls, text: str | Path) -> Self:
        """Read a name.

        Raises:
            InvalidInput: It is none of the three.
        """
        if isinstance(text, Path):
            return cls(TargetKind.EXECUTABLE, str(text.absolute()))
        if text.startswith(_UNIX):
            return cls(TargetKind.ENDPOINT, _unix(text))
        match = _HOST_AND_PORT.fullmatch(text)
        if match and 0 < int(match["port"]) <= _LARGEST_PORT:
            return cls(TargetKind.ENDPOINT, text)
        path, _, name = text.rpartition(":")
        if path.endswith(".py") and name.isidentifier():
            return cls(TargetKind.SESSION_TYPE, f"{Path(path).absolute()}:{name}")
        if _SESSION_TYPE.fullmatch(text):
            return cls(TargetKind.SESSION_TYPE, text)
        if "/" in text and ":" not in text:
            return cls(TargetKind.EXECUTABLE, str(Path(text).absolute()))
        raise InvalidInput(
            f"The service {text[:200]!r} cannot be understood.",
            field="service",
            value=text,
            remedy="Give 'host:port', 'unix:/path', the path of an executable, or 'module:Class'.",
        )


def _unix(text: str) -> str:
    path = text.removeprefix(_UNIX).removeprefix("//")
    if not path:
        raise InvalidInput(
            f"The service {text!r} has no path.", field="service", value=text, remedy="Give 'unix:/path'."
        )
    return f"{_UNIX}{Path(path).absolute()}"
