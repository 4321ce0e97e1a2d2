"""A cache of programs by sha256, in a folder of bounded size: the last used ones stay.

Threads and processes share it without knowing of each other. A file appears whole or not at all, and one
that was damaged afterwards is not given out. The folder may be deleted at any time; where it cannot be
written, nothing is kept. Locks only avoid doing work twice: a process that waits too long goes on without
one, and so do all where the file system has none. The system frees the lock of a process that dies.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from optarena import paths
from optarena.errors import InvalidInput
from optarena.file_locks import FileLock

if TYPE_CHECKING:
    from pathlib import Path

_FIRST_PAUSE: Final = 0.01
_LONGEST_PAUSE: Final = 0.25


@contextlib.contextmanager
def try_lock(path: Path, seconds: float) -> Iterator[bool]:
    """Hold a lock while the block runs; yields whether it is held."""
    held = _acquire(path, time.monotonic() + seconds)
    try:
        yield held is not None
    finally:
        if held is not None and held.is_held:
            with contextlib.suppress(OSError):
                path.unlink()  # before the lock is released: later, the file might be another process's
            held.close()


def _acquire(path: Path, ends: float) -> FileLock | None:
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


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, in the place of a former one, so that others see all of it or nothing."""
    part = path.with_name(f"{path.name}.{secrets.token_hex(8)}{_PART}")
    try:
        with paths.naming(path):
            part.write_bytes(content)
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)


LIMIT_VARIABLE: Final = "OPTARENA_DATASET_CACHE_BYTES"
DEFAULT_LIMIT: Final = 2 * 1024**3
# The share of the limit that is kept by a removal, so that not every new program causes one.
_FULL: Final = 0.9
# Seconds after which a partial file is taken to be from a process that died.
_ABANDONED_SECONDS: Final = 86_400
_PART: Final = ".part"
_LOCKS: Final = ".locks"
# Seconds to wait while another process downloads or makes a program, before doing it as well.
_MAKING_SECONDS: Final = 300.0
_ROOM_SECONDS: Final = 10.0
_MOST_DIGITS: Final = 18


@dataclass(frozen=True, slots=True)
class ProgramStore:
    """Programs in a folder."""

    folder: Path
    limit: int | None = None

    def get(self, sha256: str) -> bytes | None:
        """The program of this sha256, which counts as used now; None if it is not here, or damaged."""
        path = self._path(sha256)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        is_good = self._is_good(sha256, data)
        with contextlib.suppress(OSError):  # another user's, or already gone
            os.utime(path) if is_good else path.unlink()
        return data if is_good else None

    def _is_good(self, sha256: str, data: bytes) -> bool:
        return hashlib.sha256(data).hexdigest() == sha256

    def __contains__(self, sha256: str) -> bool:
        """Whether it has a file, which is not read."""
        return self._path(sha256).exists()

    def get_or_make(self, sha256: str, make: Callable[[], bytes]) -> bytes:
        """The program of this sha256; if it is not here, what ``make`` returns, which must be the program.

        If several need it at a time, one makes it, and the others wait for a limited time.
        """
        data = self.get(sha256)
        if data is not None:
            return data
        limit = self._limit()
        with try_lock(self.folder / _LOCKS / sha256, _MAKING_SECONDS):
            data = self.get(sha256)
            if data is not None:
                return data
            data = make()
            if len(data) <= limit:
                with contextlib.suppress(OSError):  # no home folder, or a full disk: it is downloaded again
                    self._put(sha256, data, limit)
        return data

    def _path(self, sha256: str) -> Path:
        return self.folder / sha256[:2] / sha256

    def _limit(self) -> int:
        if self.limit is not None:
            return self.limit
        text = os.environ.get(LIMIT_VARIABLE, "").strip()
        if not text:
            return DEFAULT_LIMIT
        if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
            return int(text)
        remedy = "Give a number of bytes: 2147483648 is 2 GiB, and 0 keeps nothing."
        message = f"${LIMIT_VARIABLE} is {text!r:.100}."
        raise InvalidInput(message, field=LIMIT_VARIABLE, value=text, remedy=remedy)

    def _put(self, sha256: str, data: bytes, limit: int) -> None:
        # The total size is kept in a file, so that it need not be counted each time. It is counted again once
        # the file says that there is too much, so a wrong number after a crash does no harm.
        target = self._path(sha256)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        size = self.folder / "size"
        with try_lock(self.folder / _LOCKS / "size", _ROOM_SECONDS):
            total = None
            with contextlib.suppress(OSError, ValueError):
                total = max(0, int(size.read_text()))
            if total is None or total + len(data) > limit:
                total = self._make_room(limit - len(data), limit)
            size.write_text(str(total + len(data)))
            write_whole(target, data)

    def _make_room(self, wanted: int, limit: int) -> int:
        # Returns how many bytes are left.
        files = sorted(self._files())
        total = sum(size for _, size, _ in files)
        if total <= wanted:
            return total
        for _, size, path in files:
            if total <= min(wanted, _FULL * limit):
                break
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
                total -= size
        return total

    def _files(self) -> Iterator[tuple[float, int, Path]]:
        # Partial files of dead processes are removed.
        for path in self.folder.glob("??/*"):
            try:
                status = path.stat()
            except OSError:
                continue  # already gone
            if path.name.startswith("."):
                continue
            if path.suffix != _PART:
                yield status.st_mtime, status.st_size, path
            elif time.time() - status.st_mtime > _ABANDONED_SECONDS:
                path.unlink(missing_ok=True)
