"""Where OptArena keeps files. Every folder may be deleted while nothing runs; none is created here."""

from __future__ import annotations

import getpass
import os
import tempfile
from pathlib import Path


def _folder(variable: str, default: Path) -> Path:
    value = os.environ.get(variable, "").strip()
    return Path(value).expanduser().absolute() if value else default


def site_data() -> Path:
    """The user's data: ``$OPTARENA_SITE_DATA``, else ``~/.local/share/optarena``.

    Its folder ``datasets`` has additional datasets.
    """
    return _folder("OPTARENA_SITE_DATA", Path.home() / ".local/share/optarena")


def cache() -> Path:
    """Files that can be rebuilt: ``$OPTARENA_CACHE``, else ``~/.local/cache/optarena``."""
    return _folder("OPTARENA_CACHE", Path.home() / ".local/cache/optarena")


def transient_cache() -> Path:
    """Files that live as long as an environment: ``$OPTARENA_TRANSIENT_CACHE``, else in memory if possible.

    The default is ``/dev/shm/optarena_$USER``, or a folder of that name among the system's temporary files.
    """
    name = f"optarena_{_user()}"
    shared_memory = Path("/dev/shm")  # noqa: S108 # a folder of the user's own inside it, made with mode 0700
    parent = shared_memory if os.access(shared_memory, os.W_OK) else Path(tempfile.gettempdir())
    return _folder("OPTARENA_TRANSIENT_CACHE", parent / name)


def logs() -> Path:
    """Results of agents: ``$OPTARENA_LOGS``, else ``~/logs/optarena``."""
    return _folder("OPTARENA_LOGS", Path.home() / "logs/optarena")


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user id without an entry in the password file
        return str(os.getuid())
