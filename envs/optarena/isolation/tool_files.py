"""The files that a program needs when it runs: itself, its loader and its libraries; and its sha256."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from optarena.errors import ToolMissing
from optarena.isolation.tools import ToolAccess

LOADER: Final = Path("/lib64/ld-linux-x86-64.so.2")
CACHE: Final = Path("/etc/ld.so.cache")  # where the loader looks libraries up
_LISTED: Final = re.compile(r"(?:.* => )?(/.+) \(0x[0-9a-f]+\)")
_SECONDS: Final = 20.0


def sha256_of(path: Path) -> str:
    """The sha256 of a file, in hexadecimal digits.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def access_to(programs: Mapping[str, Path]) -> ToolAccess:
    """The access of sessions that start programs of this machine.

    Args:
        programs: The path of each, by its name.

    Raises:
        ToolMissing: One of them cannot be read, or its loader does not find all its libraries.
    """
    files: dict[Path, None] = {}
    hashes = {}
    for name, path in programs.items():
        try:
            hashes[name] = sha256_of(path)
        except OSError as error:
            raise ToolMissing(f"{path} cannot be read: {error.strerror}.", field=name) from error
        files.update(dict.fromkeys([path.resolve(), *libraries_of(path)]))
    return ToolAccess(hashes=hashes, files=tuple(files), data=(CACHE,) if os.access(CACHE, os.R_OK) else ())


def libraries_of(program: Path, *, loader: Path = LOADER, folder: str | None = None) -> tuple[Path, ...]:
    """The loader of a program, and the libraries that it finds for it; real paths.

    Args:
        program: The program.
        loader: Its loader.
        folder: The folder of its libraries, or several with colons between, if they are not the system's.

    Raises:
        ToolMissing: A library is missing, or the file is not a program of this machine.
    """
    where = [] if folder is None else ["--library-path", folder]
    command = [str(loader), *where, "--list", str(program)]
    try:
        done = subprocess.run(  # noqa: S603 # the loader, on a program that somebody chose
            command, capture_output=True, text=True, timeout=_SECONDS, check=False, env={"LC_ALL": "C"}
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolMissing(f"{loader} cannot be started: {error}.", field=program.name) from error
    if done.returncode or "not found" in done.stdout:
        said = (done.stderr or done.stdout).strip()[-300:]
        raise ToolMissing(f"{program} cannot run on this machine: {said}", field=program.name)
    found = [match[1] for line in done.stdout.splitlines() if (match := _LISTED.fullmatch(line.strip()))]
    return tuple(dict.fromkeys(Path(path).resolve() for path in (str(loader), *found)))
