"""Locks that threads and processes share, made of files. They save work twice done and are no more than that.

Who waits too long goes on without the lock, as does everybody where the file system has none: what is
guarded must be right without it. The system takes a lock from a process that dies.
"""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FIRST_PAUSE: Final = 0.01
_LONGEST_PAUSE: Final = 0.25


@dataclass(slots=True, eq=False)
class _Held:
    """A lock that this process has: the open file, or None once it is given back."""

    descriptor: int | None


_held: Final[set[_Held]] = set()


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
        if held is not None:
            _give_back(held, path)


def _taken(path: Path, ends: float) -> _Held | None:
    pause = _FIRST_PAUSE
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        while True:
            held = _tried(path)
            if held is not None or time.monotonic() >= ends:
                return held
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
    except (ImportError, OSError):
        return None  # a folder that cannot be written, or a system without locks


def _tried(path: Path) -> _Held | None:
    """The lock, if nobody else has it."""
    import fcntl  # noqa: PLC0415 - not on every system

    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    held = _Held(descriptor)
    _held.add(held)
    is_ours = False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Who had it may have removed the file: then others would lock another than this one.
        is_ours = os.path.samestat(os.fstat(descriptor), path.stat())
    except (BlockingIOError, FileNotFoundError):
        pass
    finally:
        if not is_ours:
            _close(held)
    return held if is_ours else None


def _give_back(held: _Held, path: Path) -> None:
    if held.descriptor is not None:
        with contextlib.suppress(OSError):
            path.unlink()  # before the lock goes: later, the file might be another's
    _close(held)


def _close(held: _Held) -> None:
    _held.discard(held)
    descriptor, held.descriptor = held.descriptor, None
    if descriptor is not None:
        with contextlib.suppress(OSError):
            os.close(descriptor)


def _forget() -> None:
    """In a forked process: the locks are its parent's, which would not be free while a copy is open."""
    for held in tuple(_held):
        _close(held)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
