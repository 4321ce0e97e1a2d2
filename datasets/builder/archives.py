"""Unpacks the archives of packages. They are not trusted: no file may be written outside the folder.

Only plain files are unpacked. A name or a link that leads out of the folder, a device, or more content than
any source package has is refused, and then nothing is left behind.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import shutil
import stat
import struct
import tarfile
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Final, TypeVar, cast

from datasets.builder.errors import SourceUnavailable
from datasets.builder.files import whole_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")

MAX_BYTES: Final = 1 << 30
MAX_FILES: Final = 50_000
MAX_MEMBERS: Final = 100_000
"""All members count, folders and links too: each costs time, and packs to less than a byte."""
MAX_LINK_BYTES: Final = 4096
_MAX_READ: Final = 16 << 20
# Errors of the readers for an archive that is damaged, encrypted or packed by an unknown method.
_UNREADABLE: Final = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    OverflowError,
)


@dataclass(frozen=True, slots=True)
class _Member:
    """A plain file of an archive, with a way to read it, which gives no more than ``size`` bytes."""

    name: str
    size: int
    open: Callable[[], IO[bytes]]


def unpack(archive: Path, target: Path, *, only: tuple[str, ...] = ()) -> None:
    """Unpacks an archive, without its outermost folder, into a folder that appears whole or not at all.

    Args:
        archive: A ``.tar.*`` file, ``.zip`` file or wheel.
        target: The folder to make. A wheel has no outermost folder of its own, and keeps all its folders.
        only: Folders that are wanted, if not all.

    Raises:
        SourceUnavailable: It is damaged, or not safe to unpack; names the archive and the member.
    """
    try:
        with whole_folder(target) as folder:
            _fill(folder, archive, only)
    except _UNREADABLE as error:
        raise SourceUnavailable(f"{archive.name} cannot be unpacked: {error}.") from error


def _fill(folder: Path, archive: Path, only: tuple[str, ...]) -> None:
    left, count, tops = MAX_BYTES, 0, set()
    for member in _members(archive):
        parts = _parts(archive, member.name)
        if archive.suffix != ".whl":
            tops.add(parts[0] if len(parts) > 1 else f"{member.name} beside it")
            parts = parts[1:]
            if len(tops) > 1 or not parts:
                named = ", ".join(sorted(tops))
                raise SourceUnavailable(
                    f"The files of {archive.name} are not all in one folder but in: {named:.200}."
                )
        path = "/".join(parts)
        if not parts or (only and not path.startswith(tuple(f"{wanted}/" for wanted in only))):
            continue
        if member.size < 0:  # a global header of a tar file may say so; it would raise what is left
            raise SourceUnavailable(
                f"{archive.name} has a member {member.name!r:.200} of {member.size} bytes."
            )
        left, count = left - member.size, count + 1
        if left < 0 or count > MAX_FILES:
            raise SourceUnavailable(
                f"{archive.name} is too large: it has more than {MAX_BYTES} bytes or {MAX_FILES} files."
            )
        _extract(archive, member, folder.joinpath(*parts))
    if not count:
        raise SourceUnavailable(f"{archive.name} has no files{' in ' + ', '.join(only) if only else ''}.")


def _extract(archive: Path, member: _Member, to: Path) -> None:
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        out = to.open("xb")
    except (FileExistsError, NotADirectoryError) as error:
        raise SourceUnavailable(f"{archive.name} has a member {member.name!r:.200} twice.") from error
    with out, member.open() as source:
        shutil.copyfileobj(source, out)
    os.utime(to, (0, 0))  # __TIMESTAMP__ is the same on every machine


def _parts(archive: Path, name: str) -> tuple[str, ...]:
    if not name:
        raise SourceUnavailable(f"{archive.name} has a member without a name.")
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name:
        raise SourceUnavailable(f"{archive.name} has a member {name!r:.200}, which leads out of its folder.")
    return tuple(part for part in path.parts if part != ".")


def _members(archive: Path) -> Iterator[_Member]:
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed:
            yield from _zip_members(packed, archive)
    else:
        with _decompressed(archive) as stream, tarfile.open(fileobj=stream, mode="r:") as packed:
            yield from _tar_members(packed, archive)
            # The reader takes a damaged header for the end.
            stream.seek(packed.offset)
            if stream.read(tarfile.BLOCKSIZE) != bytes(tarfile.BLOCKSIZE):
                raise SourceUnavailable(
                    f"{archive.name} cannot be unpacked: it is damaged or cut off at byte {packed.offset}."
                )


class _Bounded(io.BufferedReader):
    """Reads an archive in small pieces, whatever length a header claims."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or not 0 <= size <= _MAX_READ:
            raise SourceUnavailable(f"An archive has a header of {size} bytes; at most {_MAX_READ} are read.")
        return super().read(size)


@contextmanager
def _decompressed(archive: Path) -> Iterator[_Bounded]:
    with archive.open("rb") as file:
        start = file.read(6)
        file.seek(0)
        kinds: dict[bytes, Callable[[IO[bytes]], object]] = {
            b"\x1f\x8b": lambda packed: gzip.GzipFile(fileobj=packed),
            b"BZh": bz2.BZ2File,
            b"\xfd7zXZ": lzma.LZMAFile,
            b"\x5d\0\0": lzma.LZMAFile,
        }
        opened = next((kind for magic, kind in kinds.items() if start.startswith(magic)), None)
        # Each has what a buffer asks of a raw stream, whatever class it is of.
        yield _Bounded(cast("io.RawIOBase", opened(file) if opened else file))


def _zip_members(packed: zipfile.ZipFile, archive: Path) -> Iterator[_Member]:
    for info in _counted(packed.infolist(), archive):
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            target = None
            if stat.S_ISLNK(kind):
                with packed.open(info) as link:
                    target = link.read(MAX_LINK_BYTES).decode(errors="replace")
            _check_special(archive, info.filename, target)
        elif not info.filename.endswith("/"):  # is_dir() fails on a member without a name
            yield _Member(info.filename, info.file_size, partial(packed.open, info))


def _tar_members(packed: tarfile.TarFile, archive: Path) -> Iterator[_Member]:
    for info in _counted(iter(packed.next, None), archive):
        packed.members.clear()  # type: ignore[attr-defined] # undocumented; else every one would be kept
        if info.isreg():
            yield _Member(info.name, info.size, partial(_opened, packed, info))
        elif not info.isdir():
            target = info.linkname if info.issym() or info.islnk() else None
            _check_special(archive, info.name, target, hard=info.islnk())


def _counted(members: Iterable[T], archive: Path) -> Iterator[T]:
    """The members of an archive, which may not be too many."""
    for count, member in enumerate(members, 1):
        if count > MAX_MEMBERS:
            raise SourceUnavailable(
                f"{archive.name} has too many members: more than {MAX_MEMBERS}, folders and links included."
            )
        yield member


def _opened(packed: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    file = packed.extractfile(info)
    if file is None:
        raise tarfile.ReadError(f"the member {info.name!r:.200} cannot be read")
    return file


def _check_special(archive: Path, name: str, target: str | None, *, hard: bool = False) -> None:
    """Links inside an archive are left out; one that leads out of it, or a device, is refused."""
    place = PurePosixPath() if hard else PurePosixPath(name).parent  # hard links count from the top
    for step in PurePosixPath(target or "").parts:
        place = place.parent if step == ".." and place.parts else place / step
    if target is None or ".." in place.parts or place.is_absolute():
        what = "a device" if target is None else f"a link to {target!r:.200}"
        raise SourceUnavailable(f"{archive.name} has a member {name!r:.200}, which is {what}.")
