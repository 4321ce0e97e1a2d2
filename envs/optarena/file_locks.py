"""Locks on files and folders between processes; the system frees those of a process that dies."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_FIRST_PAUSE: Final = 0.005
_LONGEST_PAUSE: Final = 0.25
_READ: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
# Environment variable: the folder of the locks that processes of different users share.
VARIABLE: Final = "OPTARENA_LOCKS"
# The default folder.
FOLDER: Final = "/tmp"  # noqa: S108 # the one folder where every user may make a file; the file stays empty


def machine_folder() -> str:
    """The folder of the locks that all processes of this machine share; nobody has checked it yet."""
    return os.environ.get(VARIABLE) or FOLDER


def open_for_all(path: Path) -> int:
    """Open a file that processes of different users lock, created if necessary.

    The file is first opened without ``O_CREAT``, which Linux refuses for files of other users in a folder
    like ``/tmp`` (``fs.protected_regular``). On a local file system a lock needs no write permission.

    Raises:
        OSError: It is not a plain file that all may read, or it cannot be made.
    """
    while True:
        with contextlib.suppress(FileNotFoundError):
            return os.open(path, _READ)
        with contextlib.suppress(FileExistsError):  # another process was faster
            descriptor = os.open(path, _READ | os.O_CREAT | os.O_EXCL, 0o444)
            os.fchmod(descriptor, 0o444)  # whatever the umask is
            return descriptor


def lock(descriptor: int, *, seconds: float | None = 0.0, shared: bool = False) -> bool:
    """Lock an open file or folder, exclusively or shared with others; return whether it is locked now.

    Every copy of the descriptor holds the lock, in forked processes too. ``seconds`` is how long to wait for
    the holder, None for no limit. OSError or ImportError say that the file system or Python has no locks.
    """
    import fcntl  # noqa: PLC0415 - not on every system

    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    if seconds is None:
        fcntl.flock(descriptor, kind)
        return True
    ends, pause = time.monotonic() + seconds, _FIRST_PAUSE
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
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
    def take(cls, descriptor: int, path: Path, *, shared: bool = False) -> FileLock | None:
        """Lock a file, and own its descriptor, which is closed if the file is not locked.

        Return None if another process has the lock, or the file was removed meanwhile, so that others would
        lock a different one. Errors are those of :func:`lock`.
        """
        taken = cls(descriptor)
        is_ours = False
        try:
            is_ours = lock(descriptor, shared=shared) and os.path.samestat(path.lstat(), os.fstat(descriptor))
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
    # The parent's locks could not be released while a copy is open.
    for held in tuple(_held):
        held.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
