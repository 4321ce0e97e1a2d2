"""Read which releases of step data there are."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from django.conf import settings

from optarena.data.releases import BUILTIN, METADATA, TABLES, Release, file_name, releases_in

if TYPE_CHECKING:
    from collections.abc import Callable


def data_root() -> Path:
    # Where this server writes its releases.
    return Path(settings.OPTARENA_DATA_ROOT)


def list_releases() -> list[Release]:
    """The releases of this server and those of the package, the newest first."""
    found = releases_in(data_root(), BUILTIN).values()
    return sorted(found, key=lambda one: (one.released, one.name), reverse=True)


def find_release(name: str) -> Release | None:
    return next((one for one in list_releases() if one.name == name), None)


class ReleaseFile(NamedTuple):
    name: str
    size_bytes: int
    sha256: str
    open: Callable[[], IO[bytes]]


def release_files(release: Release) -> list[ReleaseFile]:
    """Its description and its tables."""
    folder = release.folder or Path()
    places = [(METADATA, (folder / METADATA).stat().st_size, release.sha256)]
    places += [(file_name(name), release.tables[name].bytes, release.tables[name].sha256) for name in TABLES]
    return [ReleaseFile(*one, _opener(folder / one[0])) for one in places]


def _opener(path: Path) -> Callable[[], IO[bytes]]:
    return lambda: path.open("rb")
