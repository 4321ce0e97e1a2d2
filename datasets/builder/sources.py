"""Fetches the archives of pinned packages through the package index that pip is set up for, and keeps them.

Nothing of a package is executed: an archive is found by name, version and file name, downloaded, and believed
only if its sha256 is the one of the suite. Archives are kept by their hash, so that a build can be repeated
without a network.
"""

from __future__ import annotations

import hashlib
import re
import ssl
import threading
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from datasets.builder.archives import unpack
from datasets.builder.errors import SourceUnavailable
from datasets.builder.files import alone_in, discard, tree_digest, write_whole
from datasets.builder.processes import Processes

if TYPE_CHECKING:
    from pathlib import Path

    from unearth import PackageFinder

    from datasets.builder.suite import Package

_SECONDS: Final = 60
_CHUNK: Final = 1 << 20
_USER: Final = re.compile(r"//[^/@\s]*@")


class Sources:
    """Archives and unpacked packages below one folder.

    Args:
        folder: Where they are kept; may be deleted whenever no build runs.
        offline: Whether to use only what is kept.
        processes: Tells when the build is given up.
    """

    def __init__(self, folder: Path, *, offline: bool = False, processes: Processes | None = None) -> None:
        self._folder = folder
        self._offline = offline
        self._processes = processes or Processes()
        self._lock = threading.Lock()
        self._seen: dict[Path, str] = {}

    def archive(self, package: Package) -> Path:
        """The archive of a package, fetched if it is not kept.

        Raises:
            SourceUnavailable: It cannot be had, or its content is another one than the suite names.
        """
        target = self._folder / "archives" / package.sha256 / package.archive
        if target.is_file() and _sha256(target) == package.sha256:
            return target
        if self._offline:
            raise SourceUnavailable(
                f"{package.archive} is not kept in {target.parent}: build once without --offline."
            )
        with self._lock:  # two threads would ask pip twice
            finder = self._finder
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
        """The folder of a package's files, without the archive's outermost folder.

        Args:
            package: The package.
            only: Folders that are wanted, if not all.

        Raises:
            SourceUnavailable: It cannot be had, or cannot be unpacked safely.
        """
        part = hashlib.sha256("\n".join(only).encode()).hexdigest()[:12] if only else "all"
        target = self._folder / "unpacked" / package.sha256 / part
        if target not in self._seen:
            with alone_in(target.parent):  # another thread, or another build
                if target not in self._seen:
                    self._seen[target] = self._unpack(package, target, only)
        if problem := self._seen[target]:
            raise SourceUnavailable(problem)
        return target

    def _unpack(self, package: Package, target: Path, only: tuple[str, ...]) -> str:
        """Unpacks a package, unless what was unpacked before is whole; why it cannot be, once for all."""
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
    except OSError:  # a file of it cannot be read, or went away
        return False


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _downloaded(package: Package, finder: PackageFinder, processes: Processes) -> bytes:
    """The bytes that the index has under the archive's name; not believed yet."""
    import httpx2  # noqa: PLC0415 - of the extra `build`, as what follows
    from unearth.errors import UnpackError, URLError  # noqa: PLC0415 - as above

    data = bytearray()
    try:
        found = (one.link for one in finder.find_all_packages(package.name, allow_yanked=True))
        link = next((link for link in found if link.filename == package.archive), None)
        if link is None:
            raise SourceUnavailable(
                f"The package index has no {package.archive} of {package.name} {package.version}."
            )
        with finder.session.get_stream(link.normalized) as response:
            response.raise_for_status()
            for chunk in response.iter_bytes(_CHUNK):
                processes.check()
                data += chunk
                if len(data) > package.size_bytes:
                    raise SourceUnavailable(
                        f"{package.archive} has more than the {package.size_bytes} bytes of the suite."
                    )
    except (OSError, httpx2.HTTPError, UnpackError, URLError) as error:
        text = without_user(str(error)) or type(error).__name__
        raise SourceUnavailable(
            f"{package.archive} cannot be fetched: {text}. The index is the one that pip is set up for "
            "(pip config list)."
        ) from error
    return bytes(data)


def without_user(text: str) -> str:
    """A message without the names and passwords that stand in its addresses."""
    return _USER.sub("//", text)


def _finder() -> PackageFinder:
    """Finds archives where pip would look for them, as its files, variables and defaults say.

    Raises:
        SourceUnavailable: pip is not here, or cannot use its own settings.
    """
    from unearth import PackageFinder  # noqa: PLC0415 - of the extra `build`
    from unearth.fetchers import PyPIClient  # noqa: PLC0415 - as above

    try:
        # Private, but the only place where pip's settings and its default meet: this project names no index.
        from pip._internal.commands import create_command  # noqa: PLC0415 - as above
        from pip._internal.index.collector import LinkCollector  # noqa: PLC0415 - as above

        command: Any = create_command("download")
        options, _ = command.parse_args([])
        with command.main_context():
            places = LinkCollector.create(command.get_default_session(options), options).search_scope
    except (ImportError, AttributeError, TypeError, SystemExit) as error:
        said = f"exit code {error}" if isinstance(error, SystemExit) else str(error)
        message = (
            f"pip cannot be asked for its index ({said}): put pip into this environment, or build --offline."
        )
        raise SourceUnavailable(message) from error
    session = PyPIClient(
        timeout=_SECONDS, verify=ssl.create_default_context(cafile=options.cert), follow_redirects=True
    )
    return PackageFinder(
        session=session,  # type: ignore[arg-type] # the package's own class, which says more than its protocol
        index_urls=places.index_urls,
        find_links=places.find_links,
        trusted_hosts=options.trusted_hosts,
        ignore_compatibility=True,
    )
