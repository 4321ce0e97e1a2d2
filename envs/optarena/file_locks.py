"""Exclusive locks on files and folders between processes; the system frees those of a process that dies."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_FIRST_PAUSE: Final = 0.005
_LONGEST_PAUSE: Final = 0.25


def lock(descriptor: int, *, seconds: float | None = 0.0) -> bool:
    """Lock an open file or folder; return whether it is locked now.

    Args:
        descriptor: The file's descriptor. Every copy of it holds the lock, in forked processes too.
        seconds: How long to wait for the holder; None for no limit.

    Raises:
        OSError: The file system does not support locks.
        ImportError: The operating system does not support them.
    """
    import fcntl  # noqa: PLC0415 - not on every system

    if seconds is None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return True
    ends, pause = time.monotonic() + seconds, _FIRST_PAUSE
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= ends:
                return False
        else:
            return True
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


class FileLock:
    """A locked file of this process alone: a process that is forked from it does not keep it.

    Made by :meth:`take`.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor
        _held.add(self)

    @classmethod
    def take(cls, descriptor: int, path: Path) -> FileLock | None:
        """Lock a file, and own its descriptor.

        Args:
            descriptor: The file's descriptor; closed if the file is not locked.
            path: The path by which it was opened.

        Returns:
            The lock; None if another process has it, or the file was removed meanwhile, so that others would
            lock a different one.

        Raises:
            OSError, ImportError: As :func:`lock`.
        """
        taken = cls(descriptor)
        is_ours = False
        try:
            is_ours = lock(descriptor) and os.path.samestat(path.lstat(), os.fstat(descriptor))
        except FileNotFoundError:
            pass
        finally:
            if not is_ours:
                taken.close()
        return taken if is_ours else None

    def release(self) -> None:
        """Release the lock, even if a forked process still has the descriptor; do nothing there."""
        if self._descriptor is not None:
            import fcntl  # noqa: PLC0415 - it exists, since the lock was taken

            fcntl.flock(self._descriptor, fcntl.LOCK_UN)
        self.close()

    def close(self) -> None:
        """Close the file."""
        _held.discard(self)
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    @property
    def is_held(self) -> bool:
        """Whether this process has the lock, rather than the one it was forked from."""
        return self._descriptor is not None


_held: Final[set[FileLock]] = set()


def _forget() -> None:
    """In a forked process: close the parent's locks, which could not be released while a copy is open."""
    for held in tuple(_held):
        held.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
