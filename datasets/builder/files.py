"""Read and write files of a build, and its errors."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from optarena.errors import OptArenaError
from optarena.file_locks import lock

_DIGEST: Final = 65  # Length of a sha256 in hexadecimal digits, and a line's end.


def json_digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()


def write_whole(target: Path, data: bytes) -> None:
    # The file appears whole or not at all.
    with whole_file(target, data):
        pass


@contextmanager
def whole_file(target: Path, data: bytes, *, sync: bool = False) -> Iterator[None]:
    # The file gets its name at the block's end, unless that fails. With `sync` it is on the disk before.
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".part-{uuid.uuid4().hex}")
    try:
        write_new(part, data, sync=sync)
        yield
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    if sync:
        _sync(target.parent)


def write_new(path: Path, data: bytes, *, sync: bool = False) -> None:
    # Give the file the usual permissions of the user's files.
    with path.open("xb") as file:
        file.write(data)
        if sync:
            file.flush()
            os.fsync(file.fileno())


def store_content(target: Path, data: bytes) -> None:
    # Store the content for a later build, with its sha256 before it.
    if target.is_dir():
        discard(target)
    write_whole(target, hashlib.sha256(data).hexdigest().encode() + b"\n" + data)


def stored_content(target: Path) -> bytes | None:
    # Return None if nothing is stored, or if it has changed.
    if not target.is_file():  # a pipe would be waited for
        return None
    try:
        found = target.read_bytes()
    except OSError:
        return None
    data = found[_DIGEST:]
    return data if found[:_DIGEST] == hashlib.sha256(data).hexdigest().encode() + b"\n" else None


def tree_digest(folder: Path) -> str:
    # The names, the content and the modification times of its files.
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        about = path.lstat()
        if stat.S_ISDIR(about.st_mode):
            continue
        # Links and pipes are never unpacked, and not followed: a folder with one has another digest.
        plain = stat.S_ISREG(about.st_mode)
        content = hashlib.sha256(path.read_bytes()).hexdigest() if plain else "no plain file"
        digest.update(
            f"{path.relative_to(folder)}\0{about.st_mtime_ns}\0{content}\n".encode(errors="replace")
        )
    return digest.hexdigest()


def discard(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def whole_folder(target: Path) -> Iterator[Path]:
    # The folder becomes `target` at the end, unless another build was faster or it failed.
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as name:
        fresh = Path(name) / "fresh"
        fresh.mkdir()
        yield fresh
        try:
            fresh.rename(target)
        except OSError:
            if not target.is_dir():  # else another build was faster, with the same content
                raise


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    # Waits until no other build writes into a folder; other builds wait until the block ends.
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        lock(descriptor, seconds=None)
        yield
    finally:
        os.close(descriptor)


def replace_folder(fresh: Path, target: Path) -> None:
    # If the replacement fails, the old folder stays.
    old = fresh.with_name("old")
    had_one = target.exists()
    if had_one:
        target.rename(old)
    try:
        fresh.rename(target)
    except BaseException:  # an interrupt too: the old one must not be lost
        if had_one and not target.exists():
            old.rename(target)
        raise
    _sync(target.parent)
    with suppress(OSError):  # what is left of it is removed with the folder around it
        shutil.rmtree(old)


def _sync(folder: Path) -> None:
    # Do nothing where the file system cannot.
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


class ToolchainMissing(OptArenaError):
    """The pinned compiler, or a tool for linking and running its programs, is not on this machine."""


@dataclass(frozen=True, slots=True)
class Refusal:
    # Why a program, or a package of its sources, cannot be part of a dataset.
    program: str
    reason: str

    def __str__(self) -> str:
        return f"{self.program}: {self.reason}"


class DatasetRefused(OptArenaError):
    # `refusals` holds every reason found.

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        super().__init__("\n".join(str(refusal) for refusal in refusals))
        self.refusals = tuple(refusals)

    @classmethod
    def of(cls, program: str, *reasons: str) -> DatasetRefused:
        return cls([Refusal(program, reason) for reason in reasons])


class SourceUnavailable(OptArenaError):
    """A package is not available, is not the one that the suite names, or cannot be unpacked safely."""
