"""How long Linux lets a process work before others have their turn."""

from __future__ import annotations

import ctypes
import sys
from typing import Final

from optarena.isolation import syscalls

NO_SLICES: Final = "Linux before 6.12 has no slices of a process's own"


def slice_of(pid: int) -> int:
    """The slice of a process in nanoseconds, of this one for 0; 0 where processes have none of their own."""
    attributes = ctypes.create_string_buffer(48)
    syscalls.syscall(315, pid, attributes, len(attributes), 0)  # sched_getattr
    return int.from_bytes(attributes.raw[24:32], sys.byteorder)
