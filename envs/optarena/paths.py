"""Where OptArena keeps files. Every folder may be deleted while nothing runs; none is created here.

A folder below the home of a user who has none is an ``InvalidInput`` that names the variable.
"""

from __future__ import annotations

import getpass
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from optarena.errors import InvalidInput


def _folder(variable: str, default: str) -> Path:
    value = os.environ.get(variable, "").strip()
    try:
        return Path(value or default).expanduser().absolute()
    except RuntimeError as error:
        told = f"${variable} is {value}" if value else f"${variable} is not set, so its folder is {default}"
        message, remedy = (
            f"{told}, but that user has no home folder.",
            "Set it to the whole path of a folder.",
        )
        raise InvalidInput(message, field=variable, value=value, remedy=remedy) from error


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name the file in errors of the operating system that name none, such as that the disk is full."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def site_data() -> Path:
    """The user's data: ``$OPTARENA_SITE_DATA``, else ``~/.local/share/optarena``.

    Its folder ``datasets`` has additional datasets.
    """
    return _folder("OPTARENA_SITE_DATA", "~/.local/share/optarena")


def cache() -> Path:
    """Files that can be rebuilt: ``$OPTARENA_CACHE``, else ``~/.local/cache/optarena``."""
    return _folder("OPTARENA_CACHE", "~/.local/cache/optarena")


def transient_cache() -> Path:
    """Files that live as long as an environment: ``$OPTARENA_TRANSIENT_CACHE``, else in memory if possible.

    The default is ``/dev/shm/optarena_$USER``, or a folder of that name among the system's temporary files.
    """
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container's user id without an entry in the password file
        user = str(os.getuid())
    name = f"optarena_{user}"
    shared_memory = Path("/dev/shm")  # noqa: S108 # a folder of the user's own inside it, made with mode 0700
    parent = shared_memory if os.access(shared_memory, os.W_OK) else Path(tempfile.gettempdir())
    return _folder("OPTARENA_TRANSIENT_CACHE", str(parent / name))


def logs() -> Path:
    """Results of agents: ``$OPTARENA_LOGS``, else ``~/logs/optarena``."""
    return _folder("OPTARENA_LOGS", "~/logs/optarena")


# Root's own folders are mostly closed to the user of confined processes.
_EVERYBODYS = Path("/usr/local/lib/optarena/toolchains")


def toolchains(name: str) -> tuple[Path, Path]:
    """The folders of a toolchain of this name: the user's own, and everybody's on this machine."""
    return site_data() / "toolchains" / name, _EVERYBODYS / name


def new_toolchain(name: str) -> Path:
    """Where a toolchain of this name is installed: in everybody's folder for root, else in the user's own."""
    own, everybodys = toolchains(name)
    is_own = os.geteuid() != 0 or os.environ.get("OPTARENA_SITE_DATA", "").strip()
    return own if is_own else everybodys
