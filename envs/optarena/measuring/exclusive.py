"""Exclusive use of a device among the processes of one machine, also of different users.

A file in a shared folder is locked with ``flock``: the lock ends with the process that holds it, however the
process ends. Containers share locks if they share the folder, which ``$OPTARENA_LOCKS`` names.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from optarena.errors import DeviceBusy, DeviceUnavailable
from optarena.file_locks import VARIABLE, FileLock, machine_folder, open_for_all

if TYPE_CHECKING:
    from collections.abc import Iterator

WAIT_SECONDS: Final = 20.0
"""Much less than the time limit of an action or of a block, so that the error reports the wait."""
_POLL_SECONDS: Final = 0.005


class _Hold:
    """The state of one lock in this process.

    Attributes:
        mine: A lock of this process, held by the thread that uses the device; it may enter again.
        entered: How often that thread has entered.
        lock: The lock of the file, while it is held.
    """

    def __init__(self) -> None:
        self.mine = threading.RLock()
        self.entered = 0
        self.lock: FileLock | None = None


_holds: defaultdict[Path, _Hold] = defaultdict(_Hold)
_finding = threading.Lock()


@contextlib.contextmanager
def exclusive(identity: str, *, seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold a device; other processes wait, and so do other threads of this one.

    A thread that holds the device may enter again, and holds it until it has left as often.

    Args:
        identity: Name of the device: the same in all processes that use it.
        seconds: How long to wait for other holders.

    Raises:
        DeviceBusy: The device was held all the time.
        DeviceUnavailable: Its file cannot be opened.
    """
    path = _path(identity)
    deadline = time.monotonic() + seconds
    with _finding:
        hold = _holds[path]
    if not hold.mine.acquire(timeout=max(0.0, seconds)):
        raise _in_use(identity, path, seconds)
    try:
        if not hold.entered:
            hold.lock = _wait(identity, path, deadline, seconds)
        hold.entered += 1
        try:
            yield
        finally:
            hold.entered -= 1
            if not hold.entered and hold.lock is not None:
                hold.lock.release()
    finally:
        hold.mine.release()


@contextlib.contextmanager
def shared(identity: str, *, seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold a device together with others who share it; nobody has it exclusively meanwhile.

    Raises:
        DeviceBusy: The device was held exclusively all the time.
        DeviceUnavailable: Its file cannot be opened.
    """
    path = _path(identity)
    lock = _wait(identity, path, time.monotonic() + seconds, seconds, shared=True)
    try:
        yield
    finally:
        lock.release()


def _path(identity: str) -> Path:
    folder = machine_folder()
    if not Path(folder).is_absolute():  # processes run in different folders, and would use different files
        raise DeviceUnavailable(f"${VARIABLE} is {folder!r:.200}. Give the absolute path of a folder.")
    return Path(folder, f"optarena-{re.sub('[^A-Za-z0-9_.-]', '_', identity)}.lock")


def _in_use(identity: str, path: Path, seconds: float) -> DeviceBusy:
    return DeviceBusy(
        f"The device {identity} is in use: {path} was locked for {seconds:g} s. Try again later."
    )


def _wait(identity: str, path: Path, deadline: float, seconds: float, *, shared: bool = False) -> FileLock:
    """The lock of the file.

    The next waiting process holds a second lock: otherwise a process that returns at once would always win.
    """
    in_use = _in_use(identity, path, seconds)
    turn = _until(deadline, path.with_suffix(".next"), in_use, shared=shared)
    try:
        return _until(deadline, path, in_use, shared=shared)
    finally:
        turn.release()


def _until(deadline: float, path: Path, in_use: DeviceBusy, *, shared: bool) -> FileLock:
    while (lock := _locked(path, shared=shared)) is None:
        if time.monotonic() >= deadline:
            raise in_use
        time.sleep(_POLL_SECONDS)
    return lock


def _locked(path: Path, *, shared: bool) -> FileLock | None:
    """The lock; None if another process has it."""
    try:
        return FileLock.take(open_for_all(path), path, shared=shared)
    except OSError as error:
        raise DeviceUnavailable(
            f"The device cannot be reserved: {path}: {error.strerror}. It must be a plain file that all may "
            "read, or not exist, in a local folder where files can be made; "
            f"set ${VARIABLE} to another folder."
        ) from error


def _forget() -> None:
    """Forget all locks after a fork: the child holds none; its copies of the locks are closed already."""
    global _finding  # noqa: PLW0603 # another thread may have held it during the fork
    _finding = threading.Lock()
    _holds.clear()


os.register_at_fork(after_in_child=_forget)
