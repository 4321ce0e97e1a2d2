"""Reading the files of a dataset's folder, which somebody else may have filled."""

from __future__ import annotations

import errno
import os
import stat
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Final

_PIECE: Final = 1024**2
# Without O_NONBLOCK, opening a pipe waits until somebody writes to it. Not every system has all of them.
_WANTED: Final = ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
_FLAGS: Final = reduce(or_, (getattr(os, name, 0) for name in _WANTED), os.O_RDONLY)


def read_plain(path: Path, limit: int) -> bytes:
    """The content of a regular file; links to one are followed.

    A pipe is not waited for, and a device is not read.

    Args:
        path: The file.
        limit: The most bytes that it may have.

    Raises:
        OSError: It cannot be read or is no regular file; with ``EFBIG`` if it has more bytes.
    """
    descriptor = os.open(path, _FLAGS)
    with open(descriptor, "rb", buffering=0) as file:  # noqa: PTH123 # a descriptor has no path
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        content = bytearray()
        # In pieces: a limit may be a number that somebody wrote, far more than there is memory.
        while piece := file.read(min(_PIECE, limit + 1 - len(content))):
            content += piece
            if len(content) > limit:
                raise OSError(errno.EFBIG, f"it has more than {limit} bytes", str(path))
    return bytes(content)


def leads_out(folder: Path, file: str) -> bool:
    """Whether a path inside a folder is, by links, that of something outside it."""
    # Not Path.resolve(), which raises for links that lead in a circle.
    return not Path(os.path.realpath(folder / file)).is_relative_to(os.path.realpath(folder))
