"""The files of Unix sockets: private to this user, never replacing a running service's, removed at the end.

This module knows files and sockets, but not the protocol over them.
"""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from typing import TYPE_CHECKING, Final

from optarena.errors import InvalidInput
from optarena.file_locks import lock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LONGEST_PATH_BYTES: Final = 107
_CONNECT_SECONDS: Final = 5.0
_LOCK_SECONDS: Final = 5.0
_ONLY_OWNER: Final = 0o177


@contextlib.contextmanager
def claimed(path: Path) -> Iterator[None]:
    """Reserve a path for a socket that the body creates, with mode 0600.

    The file of a dead service is removed. Two services that start at the same time wait for each other here,
    so that neither mistakes the other's file for that of a dead service.

    Raises:
        InvalidInput: A running service listens there, the path is not a socket, other users can write to the
            folder, or the path is too long.
    """
    if len(os.fsencode(path)) > _LONGEST_PATH_BYTES:
        raise _refused(path, f"is longer than the {_LONGEST_PATH_BYTES} bytes that a socket's path may have")
    with _locked(path):
        _clear(path)
        mask = os.umask(_ONLY_OWNER)
        try:
            yield
        finally:
            os.umask(mask)


def identity(path: Path) -> tuple[int, int]:
    """A value that distinguishes this file from a later one of the same name."""
    info = path.stat()
    return info.st_dev, info.st_ino


def remove(path: Path, made: tuple[int, int]) -> None:
    """Remove the created file, unless another service has replaced it."""
    with contextlib.suppress(FileNotFoundError):
        if identity(path) == made:
            path.unlink()


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise _refused(path, f"cannot be made: {path.parent}: {error.strerror}") from error
    try:
        mode = os.fstat(folder).st_mode
        if mode & (stat.S_IWGRP | stat.S_IWOTH) and not mode & stat.S_ISVTX:
            raise _refused(path, f"is in a folder to which other users can write: {path.parent}")
        if not lock(folder, seconds=_LOCK_SECONDS):
            raise _refused(path, f"is in a folder that another process has locked: {path.parent}")
        yield
    finally:
        os.close(folder)


def _clear(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise _refused(path, "exists and is not a socket")
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(_CONNECT_SECONDS)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            pass
        except OSError as error:
            raise _refused(path, f"exists, and a connection to it fails: {error}") from error
        else:
            raise _refused(path, "is taken: a service listens there")
    try:
        path.unlink()
    except OSError as error:
        raise _refused(path, f"belongs to a dead service and cannot be removed: {error.strerror}") from error


def _refused(path: Path, why: str) -> InvalidInput:
    return InvalidInput(
        f"The socket {path} {why}.", field="unix", value=str(path), remedy="Give another path."
    )
