"""Locks that threads and processes share, made of files. They save work twice done and are no more than that.

Who waits too long goes on without the lock, as does everybody where the file system has none: what is
guarded must be right without it. The system takes a lock from a process that dies.
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
    """Have a lock while the block runs; what is given is whether it is had.

    Args:
        path: Its file, which is there while somebody has or wants it.
        seconds: How long to wait for it.
    """
    held = _taken(path, time.monotonic() + seconds)
    try:
        yield held is not None
    finally:
        if held is not None and held.is_held:
            with contextlib.suppress(OSError):
                path.unlink()  # before the lock goes: later, the file might be another's
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
