"""Files for what a search finds: replaced as a whole, and reserved before the work that fills them."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from optarena.errors import InvalidInput
from optarena.file_locks import FileLock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextlib.contextmanager
def reserved(path: Path) -> Iterator[None]:
    """Have a file for oneself while the block runs; its folder is made, the file itself is not touched.

    A hidden file beside it is locked meanwhile. Where the file system has no locks, nothing keeps others out.

    Args:
        path: The file that will be written.

    Raises:
        InvalidInput: Another process has reserved it, or it has no name.
        OSError: It cannot be written.
    """
    if not path.name:
        message, remedy = f"{str(path)!r} does not name a file.", "Name one, such as results.csv."
        raise InvalidInput(message, field="output", value=str(path), remedy=remedy)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.lock")
    descriptor = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        held = FileLock.take(descriptor, beside)
    except (ImportError, OSError):  # a system without locks; the descriptor is closed
        beside.unlink(missing_ok=True)
        yield
        return
    if held is None:
        message = f"Another process is writing {path}."
        remedy = "Wait until it ends, or give another --output."
        raise InvalidInput(message, field="output", value=str(path), remedy=remedy)
    try:
        yield
    finally:
        beside.unlink(missing_ok=True)  # before the lock is released: later, it might be another process's
        held.release()


def check_new(path: Path, remedy: str) -> None:
    """Refuse to write over a file.

    Args:
        path: The file.
        remedy: What to do if there is one.

    Raises:
        InvalidInput: There is such a file.
    """
    if path.exists():
        raise InvalidInput(f"{path} exists.", field="output", value=str(path), remedy=remedy)


def replace_file(path: Path, content: str | bytes) -> None:
    """Write a file so that there is either the former content or the whole new one.

    Raises:
        OSError: It cannot be written; the former one is still there.
    """
    part = _part(path)
    try:
        part.write_bytes(content.encode() if isinstance(content, str) else content)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _part(path: Path) -> Path:
    return path.with_name(f".{path.name}.part")
