"""Fetches the archives of pinned packages through the package index that pip is set up for, and keeps them.

Nothing of a package is executed: an archive is found by name, version and file name, downloaded, and believed
only if its sha256 is the one of the suite. Archives are kept by their hash, so that a build can be repeated
without a network.
"""

from __future__ import annotations

import ast
import hashlib
import ssl
import subprocess
import sys
from functools import cached_property
from typing import TYPE_CHECKING, Final

from datasets.builder.archives import unpack
from datasets.builder.errors import SourceUnavailable
from datasets.builder.files import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from unearth import PackageFinder

    from datasets.builder.suite import Package

_SECONDS: Final = 60
_CHUNK: Final = 1 << 20


class Sources:
    """Archives and unpacked packages below one folder.

    Args:
        folder: Where they are kept; may be deleted whenever no build runs.
        offline: Whether to use only what is kept.
    """

    def __init__(self, folder: Path, *, offline: bool = False) -> None:
        self._folder = folder
        self._offline = offline

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
        data = _downloaded(package, self._finder)
        actual = hashlib.sha256(data).hexdigest()
        if actual != package.sha256:
            raise SourceUnavailable(
                f"{package.archive} has the sha256 {actual}, but the suite names {package.sha256}: what the "
                "index serves is not the package that was pinned."
            )
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
        if not target.is_dir():
            unpack(self.archive(package), target, only=only)
        return target


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _downloaded(package: Package, finder: PackageFinder) -> bytes:
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
                data += chunk
                if len(data) > package.size_bytes:
                    raise SourceUnavailable(
                        f"{package.archive} has more than the {package.size_bytes} bytes of the suite."
                    )
    except (OSError, httpx2.HTTPError, UnpackError, URLError) as error:
        text = str(error) or type(error).__name__
        raise SourceUnavailable(
            f"{package.archive} cannot be fetched: {text}. The index is the one that pip is set up for "
            "(pip config list)."
        ) from error
    return bytes(data)


def _finder() -> PackageFinder:
    """Finds archives where pip would look for them."""
    from pip._internal.models.index import PyPI  # noqa: PLC0415 - the one place that names pip's default
    from unearth import PackageFinder  # noqa: PLC0415 - of the extra `build`
    from unearth.fetchers import PyPIClient  # noqa: PLC0415 - as above

    settings = _pip_settings()
    index = settings.get("index-url", PyPI.simple_url)
    indexes = [] if settings.get("no-index") in {"1", "true", "yes", "on"} else [index]
    session = PyPIClient(
        timeout=_SECONDS,
        verify=ssl.create_default_context(cafile=settings.get("cert")),
        follow_redirects=True,
    )
    return PackageFinder(
        session=session,  # type: ignore[arg-type] # the package's own class, which says more than its protocol
        index_urls=[*indexes, *settings.get("extra-index-url", "").split()] if indexes else [],
        find_links=settings.get("find-links", "").split(),
        trusted_hosts=settings.get("trusted-host", "").split(),
        ignore_compatibility=True,
    )


def _pip_settings() -> dict[str, str]:
    """The settings of pip by their names, whichever file or variable they stand in."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"],
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    settings: dict[str, str] = {}
    for line in done.stdout.splitlines():
        name, _, value = line.partition("=")
        section, _, key = name.partition(".")
        if section == "global":
            settings.setdefault(key, ast.literal_eval(value))
        elif section in {"install", "download", ":env:"}:
            settings[key.lstrip(".")] = ast.literal_eval(value)
    return settings
