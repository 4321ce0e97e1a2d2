"""Fetch and unpack the sources of a suite, and check their digests.

Archives are not trusted: no file may be written outside the folder. Only plain files are unpacked. A name or
a link that leads out of the folder, a device, or more content than any source package has is refused, and
then nothing is left behind.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import os
import re
import shutil
import ssl
import stat
import struct
import tarfile
import threading
import time
import zipfile
import zlib
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, Final, TypeVar, cast
from urllib.parse import urlsplit

from datasets.builder.files import (
    SourceUnavailable,
    alone_in,
    discard,
    tree_digest,
    whole_folder,
    write_whole,
)
from datasets.builder.toolchain import Processes, Stopped
from optarena.documents.texts import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import httpx2
    from unearth import Link, PackageFinder
    from unearth.fetchers import PyPIClient

    from datasets.builder.suite import Package

T = TypeVar("T")

MAX_BYTES: Final = 1 << 30
MAX_FILES: Final = 50_000
# All members count, folders and links too: each costs time, and packs to less than a byte.
MAX_MEMBERS: Final = 100_000
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


# A plain file of an archive; `open` gives no more than `size` bytes.
@dataclass(frozen=True, slots=True)
class _Member:
    name: str
    size: int
    open: Callable[[], IO[bytes]]


# Without the archive's outermost folder, which a wheel does not have, into a folder that appears whole or
# not at all.
def unpack(archive: Path, target: Path, *, only: tuple[str, ...] = ()) -> None:
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


# Reads an archive in small pieces, whatever length a header claims.
class _Bounded(io.BufferedReader):
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


# Links inside an archive are left out; one that leads out of it, or a device, is refused.
def _check_special(archive: Path, name: str, target: str | None, *, hard: bool = False) -> None:
    place = PurePosixPath() if hard else PurePosixPath(name).parent  # hard links count from the top
    for step in PurePosixPath(target or "").parts:
        place = place.parent if step == ".." and place.parts else place / step
    if target is None or ".." in place.parts or place.is_absolute():
        what = "a device" if target is None else f"a link to {target!r:.200}"
        raise SourceUnavailable(f"{archive.name} has a member {name!r:.200}, which is {what}.")


_T = TypeVar("_T")
_SECONDS: Final = 60  # Timeout of a single wait for a server.
_PAGE_SECONDS: Final = 120  # Timeout for finding an archive, with all pages that are read for it.
_BYTES_A_SECOND: Final = 50_000  # At least, of an archive.
_MAX_PAGE_BYTES: Final = 64 * 1024**2
_POLL_SECONDS: Final = 0.1
_TOO_SLOW: Final = "the index sends too slowly"
_SAID: Final = 300
_OF_TRANSFER: Final = ("content-encoding", "content-length", "transfer-encoding")
# The part before an @, with or without slashes; a password may have slashes too.
_USER: Final = re.compile(r"(?P<slashes>//)(?:[^/\s]*|[^\s/:@]*:\S*)@|(?<!\S)[^/\s]+@")


# The folder may be deleted when no build runs.
class Sources:
    def __init__(self, folder: Path, *, offline: bool = False, processes: Processes | None = None) -> None:
        self._folder = folder
        self._offline = offline
        self._processes = processes or Processes()
        self._lock = threading.Lock()
        self._seen: dict[Path, str] = {}

    def archive(self, package: Package) -> Path:
        target = self._folder / "archives" / package.sha256 / package.archive
        if target.is_file() and _sha256(target) == package.sha256:
            return target
        if self._offline:
            raise SourceUnavailable(
                f"{package.archive} is not in {target.parent}: build once without --offline."
            )
        try:
            with self._lock:  # two threads would both run pip
                finder = self._finder
        except SourceUnavailable as error:
            raise SourceUnavailable(f"{package.archive} cannot be fetched: {error}") from error
        data = _downloaded(package, finder, self._processes)
        actual = hashlib.sha256(data).hexdigest()
        if actual != package.sha256:
            raise SourceUnavailable(
                f"{package.archive} has the sha256 {actual}, but the suite names {package.sha256}: what the "
                "index serves is not the package that was pinned."
            )
        if target.is_dir():
            discard(target)
        write_whole(target, data)
        return target

    @cached_property
    def _finder(self) -> PackageFinder:
        return _finder()

    def unpacked(self, package: Package, *, only: tuple[str, ...] = ()) -> Path:
        part = hashlib.sha256("\n".join(only).encode()).hexdigest()[:12] if only else "all"
        target = self._folder / "unpacked" / package.sha256 / part
        if target not in self._seen:
            with alone_in(target.parent):  # another thread, or another build
                if target not in self._seen:
                    self._seen[target] = self._unpack(package, target, only)
        if problem := self._seen[target]:
            raise SourceUnavailable(problem)
        return target

    # Why a package cannot be unpacked is remembered, too.
    def _unpack(self, package: Package, target: Path, only: tuple[str, ...]) -> str:
        digest = target.with_name(f"{target.name}.sha256")
        try:
            if _is_whole(target, digest):
                return ""
            archive = self.archive(package)
            for damaged in (target, digest):
                discard(damaged)
            unpack(archive, target, only=only)
            write_whole(digest, tree_digest(target).encode())
        except SourceUnavailable as error:
            return str(error)
        return ""


def _is_whole(folder: Path, digest: Path) -> bool:
    try:
        return digest.is_file() and folder.is_dir() and digest.read_bytes() == tree_digest(folder).encode()
    except OSError:  # one of its files cannot be read, or was deleted
        return False


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# The bytes that the index has under the archive's name; not verified yet.
def _downloaded(package: Package, finder: PackageFinder, processes: Processes) -> bytes:
    allowed = _PAGE_SECONDS + package.size_bytes / _BYTES_A_SECOND
    try:
        link = _within(_PAGE_SECONDS, processes, lambda _: _found(package, finder))
        return _within(allowed, processes, lambda ends: _content(package, link, finder, ends))
    except (SourceUnavailable, Stopped):
        raise
    except Exception as error:  # the data of an index may make its parsers raise anything
        text = _said(error) or type(error).__name__
        raise SourceUnavailable(
            f"{package.archive} cannot be fetched: {text}. The index is the one that pip is configured for "
            "(pip config list)."
        ) from error


# No single wait may be too long where an index sends slowly; after the time limit the thread is abandoned.
# `work` gets the limit as a time of `time.monotonic`.
def _within(seconds: float, processes: Processes, work: Callable[[float], _T]) -> _T:
    ends = time.monotonic() + seconds
    outcome: Future[_T] = Future()

    def run() -> None:
        try:
            outcome.set_result(work(ends))
        except BaseException as error:  # noqa: BLE001 - raised again in the waiting thread
            outcome.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    while not wait([outcome], _POLL_SECONDS).done:
        processes.check()
        if time.monotonic() > ends:
            raise TimeoutError(_TOO_SLOW)
    return outcome.result()


def _found(package: Package, finder: PackageFinder) -> Link:
    for one in finder.find_all_packages(package.name, allow_yanked=True):
        if one.link.filename == package.archive:
            return one.link
    raise SourceUnavailable(
        f"The package index does not have {package.archive} of {package.name} {package.version}."
    )


def _content(package: Package, link: Link, finder: PackageFinder, ends: float) -> bytes:
    with finder.session.get_stream(link.normalized) as response:
        response.raise_for_status()
        data = _read(response.iter_bytes(), package.size_bytes, ends)
    if data is None:
        raise SourceUnavailable(
            f"{package.archive} is larger than the {package.size_bytes} bytes that the suite names."
        )
    return data


# None if the body is too large.
def _read(pieces: Iterator[bytes], limit: int, ends: float) -> bytes | None:
    data = bytearray()
    for piece in pieces:
        data += piece
        if len(data) > limit:
            return None
        if time.monotonic() > ends:
            raise TimeoutError(_TOO_SLOW)
    return bytes(data)


# The finder's client for pages, with limits on time and size.
class _Session:
    def __init__(self, client: PyPIClient) -> None:
        self._client = client
        self.head, self.get_stream = client.head, client.get_stream
        self.iter_secure_origins = client.iter_secure_origins
        client.event_hooks = {"response": [_leave_unread]}

    def get(self, url: str, *, headers: Mapping[str, str] | None = None) -> httpx2.Response:
        import httpx2  # noqa: PLC0415 - of the extra `build`

        ends = time.monotonic() + _PAGE_SECONDS
        with self._client.stream("GET", url, headers=headers) as response:
            data = _read(response.iter_bytes(), _MAX_PAGE_BYTES, ends)
            if data is None:
                raise OSError(f"a page of the index has more than {_MAX_PAGE_BYTES} bytes")
            # The content is decoded, so the headers about its encoding are dropped.
            kept = [(name, text) for name, text in response.headers.items() if name not in _OF_TRANSFER]
            return httpx2.Response(response.status_code, headers=kept, content=data, request=response.request)


# The size of a redirection's body is not limited.
def _leave_unread(response: httpx2.Response) -> None:
    import httpx2  # noqa: PLC0415 - as above

    if response.has_redirect_location:
        cast("httpx2.SyncByteStream", response.stream).close()
        response.headers.pop("Content-Encoding", None)
        response.stream = httpx2.ByteStream(b"")


def without_user(text: str) -> str:
    return _USER.sub(r"\g<slashes>", text)


def _said(error: BaseException) -> str:
    line = " ".join(without_user(str(error)).split())
    return printable(line)[:_SAID].rstrip(". ")


# Finds archives where pip would look for them, by its configuration files, variables and defaults.
def _finder() -> PackageFinder:
    from unearth import PackageFinder  # noqa: PLC0415 - of the extra `build`
    from unearth.fetchers import PyPIClient  # noqa: PLC0415 - as above

    try:
        # Private, but the only place with both pip's settings and its default: this project names no index.
        from pip._internal.commands import create_command  # noqa: PLC0415 - as above
        from pip._internal.index.collector import LinkCollector  # noqa: PLC0415 - as above

        command: Any = create_command("download")
        options, _ = command.parse_args([])
        with command.main_context():
            places = LinkCollector.create(command.get_default_session(options), options).search_scope
        for address in (*places.index_urls, *places.find_links):
            _check(address)
        client = PyPIClient(
            timeout=_SECONDS, verify=ssl.create_default_context(cafile=options.cert), follow_redirects=True
        )
    except (ImportError, AttributeError, TypeError, ValueError, OSError, SystemExit) as error:
        said = f"exit code {error}" if isinstance(error, SystemExit) else _said(error)
        message = (
            f"pip does not give its index ({said}): install pip in this environment, correct its "
            "settings (pip config list), or build --offline."
        )
        raise SourceUnavailable(message) from error
    return PackageFinder(
        session=_Session(client),  # type: ignore[arg-type] # its answers have more than the package's protocol
        index_urls=places.index_urls,
        find_links=places.find_links,
        trusted_hosts=options.trusted_hosts,
        ignore_compatibility=True,
    )


# The parsers' own messages would show parts of passwords.
def _check(address: str) -> None:
    try:
        is_one = Path(address).exists() or ("://" in address and urlsplit(address).port != 0)
    except ValueError:
        is_one = False
    if not is_one:
        shown = "one of its addresses" if "@" in address else f"its address {address!r:.200}"
        raise ValueError(f"{shown} is neither a usable address nor a path")
