"""Exclusive use of a device among the processes of one machine, be they of different users.

A file in a folder that everybody shares is locked with ``flock``: the lock ends with the process that holds
it, however that ends. Containers share it if they share the folder.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from optarena.errors import DeviceUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER: Final = Path("/tmp")  # noqa: S108 # the one folder where every user may make a file; it holds nothing
WAIT_SECONDS: Final = 60.0
_POLL_SECONDS: Final = 0.005
_READ: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


@contextlib.contextmanager
def exclusive(identity: str, *, seconds: float = WAIT_SECONDS, folder: Path = FOLDER) -> Iterator[None]:
    """Hold a device; others wait.

    Args:
        identity: Of the device.
        seconds: How long to wait for those that hold it.
        folder: Where the lock's file is.

    Raises:
        DeviceUnavailable: It was held all the time, or its file cannot be opened.
    """
    path = folder / f"optarena-cuda-{re.sub('[^A-Za-z0-9_.-]', '_', identity)}.lock"
    deadline = time.monotonic() + seconds
    while (descriptor := _locked(path)) is None:
        if time.monotonic() >= deadline:
            raise DeviceUnavailable(
                f"The device {identity} is in use: {path} was locked for {seconds:g} s. Try again later."
            )
        time.sleep(_POLL_SECONDS)
    try:
        yield
    finally:
        os.close(descriptor)


def _locked(path: Path) -> int | None:
    """A descriptor that holds the lock; None if somebody else does."""
    try:
        descriptor = _opened(path)
    except OSError as error:
        raise DeviceUnavailable(
            f"The device cannot be reserved: {path}: {error.strerror}. It must be a plain file, or not exist."
        ) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _is_still(path, descriptor):
            return descriptor
    except BlockingIOError:
        pass
    os.close(descriptor)
    return None


def _opened(path: Path) -> int:
    """The file, made if need be.

    It is first opened without ``O_CREAT``: in a folder like ``/tmp`` Linux refuses that with it for files of
    other users (``fs.protected_regular``). A lock needs no right to write.
    """
    while True:
        with contextlib.suppress(FileNotFoundError):
            return os.open(path, _READ)
        with contextlib.suppress(FileExistsError):  # another process was faster
            descriptor = os.open(path, _READ | os.O_CREAT | os.O_EXCL, 0o444)
            os.fchmod(descriptor, 0o444)  # whatever the umask is
            return descriptor


def _is_still(path: Path, descriptor: int) -> bool:
    """Whether the file was not removed in the meantime, as by what tidies temporary files."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
