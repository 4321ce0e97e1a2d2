"""What each process that the package starts is given: a folder, and an environment without secrets.

The environment is an allow-list. A folder is locked as long as any process has it open, so that what a
killed process has left is told from what is in use.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import shutil
import stat
import tempfile
import time
from pathlib import Path
from typing import Final

from optarena import paths

_INHERITED: Final = (
    "HOME",
    "LD_LIBRARY_PATH",
    "OPTARENA_CACHE",
    "OPTARENA_DEBUG",
    "OPTARENA_LIBLLVM",
    "OPTARENA_LOGS",
    "OPTARENA_SITE_DATA",
    "OPTARENA_TRANSIENT_CACHE",
)
"""What a process inherits; server settings and tokens, which are secrets, are not among it."""
_FOLDERS: Final = "services"
_STALE_AFTER_SECONDS: Final = 60.0


def environment(*more: str) -> dict[str, str]:
    """The environment of a started process.

    Args:
        more: Further variables to inherit.
    """
    inherited = {name: os.environ[name] for name in (*_INHERITED, *more) if name in os.environ}
    return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0", **inherited}


def make_directory() -> tuple[str, int]:
    """A new folder, and a descriptor of it that holds a lock: it is in use as long as anyone has it open.

    Raises:
        OSError: There is no room for it, or no right to make it.
    """
    parent = paths.transient_cache() / _FOLDERS
    if _is_private(parent):
        _remove_stale(parent)
        directory = parent / f"{os.getpid()}-{secrets.token_hex(8)}"
        directory.mkdir(mode=0o700)
    else:
        directory = Path(tempfile.mkdtemp(prefix="optarena-"))
    lock = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    fcntl.flock(lock, fcntl.LOCK_EX)
    return str(directory), lock


def _is_private(folder: Path) -> bool:
    """Whether the folder is ours alone, made if need be; others may have put one in the way."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        owners = [(info.st_uid, info.st_mode) for info in (folder.stat(), folder.parent.stat())]
    except OSError:
        return False
    return all(uid == os.geteuid() and not mode & stat.S_IWOTH for uid, mode in owners)


def _remove_stale(parent: Path) -> None:
    """Remove the folders that killed processes have left: nobody holds their lock."""
    for directory in parent.iterdir():
        with contextlib.suppress(OSError):  # in use, or another process was faster
            if time.time() - directory.stat().st_mtime < _STALE_AFTER_SECONDS:
                continue
            descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(directory, ignore_errors=True)
            finally:
                os.close(descriptor)
