"""Locks that threads and processes share, built from files. They only avoid doing work twice.

A process that waits too long goes on without the lock, and so do all where the file system has no locks: the
guarded work must be correct without it. The system frees the lock of a process that dies.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING, Final

from optarena.file_locks import FileLock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FIRST_PAUSE: Final = 0.01
_LONGEST_PAUSE: Final = 0.25


@contextlib.contextmanager
def locked(path: Path, seconds: float) -> Iterator[bool]:
    """Hold a lock while the block runs; yields whether it is held.

    Args:
        path: Its file, which exists while a process holds or wants the lock.
        seconds: How long to wait for it.
    """
    held = _taken(path, time.monotonic() + seconds)
    try:
        yield held is not None
    finally:
        if held is not None and held.is_held:
            with contextlib.suppress(OSError):
                path.unlink()  # before the lock is released: later, the file might be another process's
            held.close()


def _taken(path: Path, ends: float) -> FileLock | None:
    pause = _FIRST_PAUSE
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        while True:
            held = FileLock.take(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), path)
            if held is not None or time.monotonic() >= ends:
                return held
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
    except (ImportError, OSError):
        return None  # a folder that cannot be written, or a system without locks
