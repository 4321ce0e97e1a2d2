"""Where the project lies, the modules that processes started by tests import by name, and short folders."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PLUGINS: Final = ROOT / "tests/plugins"
EXAMPLES: Final = ROOT / "examples"

MEMORY: Final = Path("/dev/shm")  # noqa: S108 # folders of their own inside it, made with mode 0700
_SHORT: Final = Path("/tmp")  # noqa: S108 # as above
_PREFIX: Final = "optarena-tests-"
_locks: Final[dict[Path, int]] = {}  # The folders of this process


def short_folder(mode: int, parent: Path = _SHORT) -> Path:
    """A new folder, whose path is short enough for sockets; it is locked while this process lives."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        if _lock(path) and path.exists():  # else another run has just removed it
            path.chmod(mode)
            return path


def remove_short_folders() -> None:
    """Remove those of this process, and of processes that have ended, however they did."""
    for path in [*_SHORT.glob(f"{_PREFIX}*"), *MEMORY.glob(f"{_PREFIX}*")]:
        if path in _locks or (path.is_dir() and _lock(path)):
            shutil.rmtree(path, ignore_errors=True)
            os.close(_locks.pop(path))


def _lock(path: Path) -> bool:
    # Processes of other containers may use the folder, too: their numbers say nothing, and the lock does.
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return False
    _locks[path] = descriptor
    return True
