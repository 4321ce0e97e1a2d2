"""Reading the files of a dataset's folder, which may come from an untrusted source."""

from __future__ import annotations

import errno
import os
import stat
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Final

_PIECE: Final = 1024**2
# Without O_NONBLOCK, opening a pipe waits until somebody writes to it. Some systems lack some of these.
_WANTED: Final = ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
_FLAGS: Final = reduce(or_, (getattr(os, name, 0) for name in _WANTED), os.O_RDONLY)


def read_plain(path: Path, limit: int) -> bytes:
    """The content of a regular file, or of a link to one.

    The function never waits for a pipe, nor reads a device.

    Args:
        path: The file.
        limit: The most bytes that it may have.

    Raises:
        OSError: It cannot be read or is not a regular file; with ``EFBIG`` if it has more bytes.
    """
    descriptor = os.open(path, _FLAGS)
    with open(descriptor, "rb", buffering=0) as file:  # noqa: PTH123 # a descriptor has no path
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        content = bytearray()
        # In pieces: a limit may come from a document, and be larger than the memory.
        while piece := file.read(min(_PIECE, limit + 1 - len(content))):
            content += piece
            if len(content) > limit:
                raise OSError(errno.EFBIG, f"it has more than {limit} bytes", str(path))
    return bytes(content)


def leads_out(folder: Path, file: str) -> bool:
    """Whether a path inside a folder leads outside of it by links."""
    # Not Path.resolve(), which raises for circular links.
    return not Path(os.path.realpath(folder / file)).is_relative_to(os.path.realpath(folder))
