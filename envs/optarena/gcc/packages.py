"""Reads Debian packages: takes the named members of a .deb, which is an ar archive around a tar archive."""

from __future__ import annotations

import io
import tarfile
from typing import TYPE_CHECKING, Final

from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_MAGIC: Final = b"!<arch>\n"
_HEADER_BYTES: Final = 60
_NAME: Final = slice(0, 16)
_SIZE: Final = slice(48, 58)
_MAX_MEMBER_BYTES: Final = 256 * 1024**2


def members(package: Path, names: Iterable[str]) -> dict[str, bytes]:
    """The contents of some files of a package.

    Links are not followed: a member must be a file itself.

    Args:
        package: The .deb.
        names: Their paths in it, without a slash at the beginning.

    Raises:
        InvalidInput: The file is not a package, or one of the members is missing, not a file, or too large.
    """
    wanted = set(names)
    found: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(_data(package.read_bytes())), mode="r:*") as archive:
            for member in archive:
                name = member.name.removeprefix("./")
                if name in wanted:
                    found[name] = _content(archive, member)
    except (OSError, tarfile.TarError, EOFError, ValueError) as error:
        raise _unusable(package, str(error)) from error
    if missing := sorted(wanted - found.keys()):
        raise _unusable(package, f"it has no {missing[0]}")
    return found


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    if not member.isreg() or member.size > _MAX_MEMBER_BYTES:
        raise ValueError(f"{member.name} is not a file of a usual size")
    file = archive.extractfile(member)
    return b"" if file is None else file.read()


def _data(archive: bytes) -> bytes:
    """The tar archive with the package's files."""
    if not archive.startswith(_MAGIC):
        raise ValueError("it is not a Debian package")
    place = len(_MAGIC)
    while place + _HEADER_BYTES <= len(archive):
        header = archive[place : place + _HEADER_BYTES]
        size = int(header[_SIZE])
        place += _HEADER_BYTES
        if header[_NAME].startswith(b"data.tar"):
            if place + size > len(archive):
                raise ValueError("it is cut off")
            return archive[place : place + size]
        place += size + size % 2
    raise ValueError("it has no data.tar")


def _unusable(package: Path, problem: str) -> InvalidInput:
    return InvalidInput(
        f"{package.name} cannot be unpacked: {problem}.", field="from", value=str(package),
        remedy="Get the package again.",
    )  # fmt: skip
