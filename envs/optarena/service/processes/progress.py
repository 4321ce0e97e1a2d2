"""The progress of a call: a number in memory that a session's process shares with its client.

A process that crashes or exceeds a limit has no time to report what it was doing. So it records each unit of
work that it begins, an action or an observation, where the client can read it afterwards. A message would
take longer than many actions. The client does not map the file: a process could cut it, and reading what was
cut off ends a process.
"""

from __future__ import annotations

import ctypes
import io
import mmap
import os
import struct
from typing import Final

_NUMBER: Final = struct.Struct("<Q")


def progress_file() -> io.FileIO:
    """A file in memory for the number; it is freed when the last process closes it."""
    file = io.FileIO(os.memfd_create("progress"), "r+")
    file.truncate(_NUMBER.size)
    return file


class SharedProgress:
    """The session's end of such a file, mapped into the memory of its process.

    Args:
        descriptor: The file, which may be closed afterwards.

    Attributes:
        address: Where the number is, as 8 bytes, for as long as this object exists.
    """

    def __init__(self, descriptor: int) -> None:
        self._memory = mmap.mmap(descriptor, _NUMBER.size)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))

    def note(self, unit: int) -> None:
        """The same as the function ``note``, without a call of the system."""
        _NUMBER.pack_into(self._memory, 0, unit)


def note(descriptor: int, unit: int) -> None:
    """Record that this unit of the call's work begins; units count from 1, and 0 means none."""
    os.pwrite(descriptor, _NUMBER.pack(unit), 0)


def noted(descriptor: int) -> int:
    """The unit of work that began last."""
    return int.from_bytes(os.pread(descriptor, _NUMBER.size, 0), "little")
