"""Fetch and unpack the sources of a suite, and check their digests.

Only plain files of an archive are unpacked, and only into its folder.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import re
import shutil
import ssl
import stat
import tarfile
import threading
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlsplit

from datasets.builder.files import (
    SourceUnavailable,
    discard,
    folder_lock,
    tree_digest,
    whole_folder,
    write_whole,
)
from datasets.builder.suite import Package
from datasets.builder.toolchain import Processes, Stopped
from optarena.documents.texts import printable

if TYPE_CHECKING:
    from unearth import PackageFinder


# Errors of the readers for what is not an archive, or is encrypted or packed by an unknown method.
_UNREADABLE: Final = (
    *(tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(EOFError, OSError, RuntimeError, ValueError),
)
_SECONDS: Final = 60  # Timeout of a single wait for a server.
_SAID: Final = 300
# The part before an @, with or without slashes; a password may have slashes too.
_USER: Final = re.compile(r"(?P<slashes>//)(?:[^/\s]*|[^\s/:@]*:\S*)@|(?<!\S)[^/\s]+@")


def unpack(archive: Path, target: Path, *, only: tuple[str, ...] = ()) -> None:
    # Without the archive's outermost folder, which a wheel does not have, into a folder that appears whole or
    # not at all.
    try:
        with whole_folder(target) as folder:
            _fill(folder, archive, only)
    except _UNREADABLE as error:
        raise SourceUnavailable(f"{archive.name} cannot be unpacked: {error}.") from error


def _fill(folder: Path, archive: Path, only: tuple[str, ...]) -> None:
    tops: set[str] = set()
    is_empty = True
    for name, open_file in _files(archive):
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            raise SourceUnavailable(
                f"{archive.name} has a member {name!r:.200}, which leads out of its folder."
            )
        parts = path.parts
        if archive.suffix != ".whl":
            tops.add(parts[0] if len(parts) > 1 else f"{name} beside it")
            parts = parts[1:]
            if len(tops) > 1 or not parts:
                named = ", ".join(sorted(tops))
                raise SourceUnavailable(
                    f"The files of {archive.name} are not all in one folder but in: {named:.200}."
                )
        if only and not "/".join(parts).startswith(tuple(f"{wanted}/" for wanted in only)):
            continue
        is_empty = False
        to = folder.joinpath(*parts)
        to.parent.mkdir(parents=True, exist_ok=True)
        with to.open("xb") as out, open_file() as source:
            shutil.copyfileobj(source, out)
        os.utime(to, (0, 0))  # __TIMESTAMP__ is the same on every machine
    if is_empty:
        raise SourceUnavailable(f"{archive.name} has no files{' in ' + ', '.join(only) if only else ''}.")


def _files(archive: Path) -> Iterator[tuple[str, Callable[[], IO[bytes]]]]:
    # Links are left out.
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed:
            for info in packed.infolist():
                if not info.is_dir() and not stat.S_ISLNK(info.external_attr >> 16):
                    yield info.filename, partial(packed.open, info)
    else:
        with tarfile.open(archive) as tar:
            for member in tar:
                if member.isreg():
                    yield member.name, cast("Callable[[], IO[bytes]]", partial(tar.extractfile, member))


class Sources:
    # The folder may be deleted when no build runs.

    def __init__(self, folder: Path, *, offline: bool = False, processes: Processes | None = None) -> None:
        self._folder = folder
        self._offline = offline
        self._processes = processes or Processes()
        self._lock = threading.Lock()
        self._seen: dict[Path, str] = {}

    def archive(self, package: Package) -> Path:
        target = self._folder / "archives" / package.sha256 / package.archive
        if target.is_file() and hashlib.sha256(target.read_bytes()).hexdigest() == package.sha256:
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
            with folder_lock(target.parent):  # another thread, or another build
                if target not in self._seen:
                    self._seen[target] = self._unpack(package, target, only)
        if problem := self._seen[target]:
            raise SourceUnavailable(problem)
        return target

    def _unpack(self, package: Package, target: Path, only: tuple[str, ...]) -> str:
        # Why a package cannot be unpacked is remembered, too.
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


def _downloaded(package: Package, finder: PackageFinder, processes: Processes) -> bytes:
    # The bytes that the index has under the archive's name; not verified yet.
    try:
        return _fetched(package, finder, processes)
    except (SourceUnavailable, Stopped):
        raise
    except Exception as error:  # the data of an index may make its parsers raise anything
        text = _said(error) or type(error).__name__
        raise SourceUnavailable(
            f"{package.archive} cannot be fetched: {text}. The index is the one that pip is configured for "
            "(pip config list)."
        ) from error


def _fetched(package: Package, finder: PackageFinder, processes: Processes) -> bytes:
    found = finder.find_all_packages(package.name, allow_yanked=True)
    link = next((one.link for one in found if one.link.filename == package.archive), None)
    if link is None:
        raise SourceUnavailable(
            f"The package index does not have {package.archive} of {package.name} {package.version}."
        )
    data = bytearray()
    with finder.session.get_stream(link.normalized) as response:
        response.raise_for_status()
        for piece in response.iter_bytes():
            processes.check()
            data += piece
            if len(data) > package.size_bytes:
                raise SourceUnavailable(
                    f"{package.archive} is larger than the {package.size_bytes} bytes that the suite names."
                )
    return bytes(data)


def without_user(text: str) -> str:
    return _USER.sub(r"\g<slashes>", text)


def _said(error: BaseException) -> str:
    line = " ".join(without_user(str(error)).split())
    return printable(line)[:_SAID].rstrip(". ")


def _finder() -> PackageFinder:
    # Finds archives where pip would look for them, by its configuration files, variables and defaults.
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
        session=client,  # type: ignore[arg-type] # its answers have more than the package's protocol
        index_urls=places.index_urls,
        find_links=places.find_links,
        trusted_hosts=options.trusted_hosts,
        ignore_compatibility=True,
    )


def _check(address: str) -> None:
    # The parsers' own messages would show parts of passwords.
    try:
        is_one = Path(address).exists() or ("://" in address and urlsplit(address).port != 0)
    except ValueError:
        is_one = False
    if not is_one:
        shown = "one of its addresses" if "@" in address else f"its address {address!r:.200}"
        raise ValueError(f"{shown} is neither a usable address nor a path")
