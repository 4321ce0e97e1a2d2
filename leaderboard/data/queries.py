"""Read which releases of step data there are."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import IO, NamedTuple

from django.conf import settings

from optarena import limits
from optarena.data.releases import (
    BUILTIN,
    METADATA,
    NAME,
    TABLES,
    Release,
    file_name,
    read_release,
    releases_in,
)
from optarena.errors import InvalidInput


def data_root() -> Path:
    # Where this server writes its releases.
    return Path(settings.OPTARENA_DATA_ROOT)


def list_releases() -> list[Release]:
    """The releases of this server and those of the package, the newest first."""
    found = releases_in(data_root(), BUILTIN).values()
    return sorted(found, key=lambda one: (one.released, one.name), reverse=True)


def find_release(name: str) -> Release | None:
    if NAME.fullmatch(name) and len(name) <= limits.RELEASE_NAME_LENGTH:
        for folder in (data_root(), BUILTIN):
            with contextlib.suppress(FileNotFoundError, InvalidInput):  # `releases_in` logs a damaged one
                return read_release(folder / name)
    return None


class ReleaseFile(NamedTuple):
    name: str
    size_bytes: int
    sha256: str


def release_files(release: Release) -> list[ReleaseFile]:
    """Its description and its tables."""
    tables = [(file_name(name), release.tables[name].bytes, release.tables[name].sha256) for name in TABLES]
    return [ReleaseFile(*one) for one in ((METADATA, release.metadata_bytes, release.sha256), *tables)]


def open_file(release: Release, name: str) -> IO[bytes] | None:
    """A file of a release; None if another release of this name has taken its place meanwhile."""
    folder = release.folder or Path()
    with contextlib.suppress(FileNotFoundError, InvalidInput), contextlib.ExitStack() as closing:
        file = closing.enter_context((folder / name).open("rb"))
        if read_release(folder).sha256 == release.sha256:
            closing.pop_all()
            return file
    return None
