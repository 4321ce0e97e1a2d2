"""Programs that a dataset holds packed: where a manifest names ``x.units``, there may be ``x.units.xz``.

Sizes and hashes are always those of the program itself, since packers may change.
"""

from __future__ import annotations

import errno
import lzma
from typing import TYPE_CHECKING, Final

from optarena.datasets.plain import read_plain

if TYPE_CHECKING:
    from pathlib import Path

PACKED: Final = ".xz"
_MEMORY_BYTES: Final = 128 * 1024**2


def pack(program: bytes) -> bytes:
    """The packed form of a program."""
    return lzma.compress(program, preset=6)


def read_program(path: Path, limit: int) -> bytes:
    """The content of a program's file, or of the packed one beside its place.

    Args:
        path: The file that the manifest names.
        limit: The most bytes that the program may have.

    Raises:
        OSError: It cannot be read, is not a regular file or is not packed correctly; with ``EFBIG`` if it has
            more bytes.
    """
    packed = path.with_name(f"{path.name}{PACKED}")
    if path.exists() or not packed.exists():
        return read_plain(path, limit)
    reader = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_MEMORY_BYTES)
    try:
        # One byte more than allowed tells a program that is too long, without unpacking all of it.
        program = reader.decompress(read_plain(packed, limit + _HEADERS), max_length=limit + 1)
    except lzma.LZMAError as error:
        raise OSError(errno.EINVAL, f"it is not packed correctly ({error})", str(packed)) from error
    if len(program) > limit:
        raise OSError(errno.EFBIG, f"it has more than {limit} bytes", str(packed))
    if not reader.eof or reader.unused_data:
        raise OSError(errno.EINVAL, "it is cut off, or has something behind its end", str(packed))
    return program


_HEADERS: Final = 4096
"""What packing may add to a program that does not become smaller."""
