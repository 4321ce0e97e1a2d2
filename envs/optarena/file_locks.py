"""Exclusive locks of files and folders among processes; the system takes one from a process that dies."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_FIRST_PAUSE: Final = 0.005
_LONGEST_PAUSE: Final = 0.25


def lock(descriptor: int, *, seconds: float | None = 0.0) -> bool:
    """Lock an open file or folder; whether it is locked now.

    Args:
        descriptor: Of the file. Every copy of it holds the lock, in forked processes too.
        seconds: How long to wait for who holds it; None for as long as it takes.

    Raises:
        OSError: The file system has no locks.
        ImportError: The operating system has none.
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
            descriptor: Of the file; closed if it is not locked.
            path: Where it was opened.

        Returns:
            The lock; None if somebody else has it, or the file was removed meanwhile and others would lock
            another one.

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
        """Give the lock back, even where a forked process still has the descriptor; nothing in such a one."""
        if self._descriptor is not None:
            import fcntl  # noqa: PLC0415 - as above; it is there, since the lock is

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
        """Whether this process has the lock, and not one that it was forked from."""
        return self._descriptor is not None


_held: Final[set[FileLock]] = set()


def _forget() -> None:
    """In a forked process: the locks are its parent's, which would not be free while a copy is open."""
    for held in tuple(_held):
        held.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
