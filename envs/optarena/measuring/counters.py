"""Counts the instructions that a process retires, where the kernel and the processor allow it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from typing import TYPE_CHECKING, Final

from optarena.isolation import syscalls

if TYPE_CHECKING:
    from collections.abc import Iterator

_PERF_EVENT_OPEN: Final = 298
_HARDWARE: Final = 0
_INSTRUCTIONS: Final = 1
_ATTRIBUTE_BYTES: Final = 64
"""The first version of ``perf_event_attr``, which every kernel knows."""
_READ_FORMAT_AT: Final = 32
_TIMES: Final = 1 << 0 | 1 << 1
"""The counter is read with how long it was enabled, and how long it counted."""
_FLAGS_AT: Final = 40
_USER_MODE_ONLY: Final = 1 << 5 | 1 << 6
_CLOSE_ON_EXEC: Final = 1 << 3


class InstructionCounter:
    """The instructions that one process retires in user mode from now on; see :func:`count_instructions`."""

    def __init__(self, descriptor: int | None) -> None:
        self._descriptor = descriptor

    def read(self) -> int | None:
        """The number so far, also after the end of the process; None where it cannot be counted.

        The same is true where the kernel lent the counter to others meanwhile: that number is only a part.
        """
        if self._descriptor is None:
            return None
        counted, enabled, running = struct.unpack("QQQ", os.read(self._descriptor, 24))
        return int(counted) if enabled == running else None


@contextlib.contextmanager
def count_instructions(pid: int) -> Iterator[InstructionCounter]:
    """Count the instructions of a process of this user, which may be confined."""
    descriptor = _opened(pid)
    try:
        yield InstructionCounter(descriptor)
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _opened(pid: int) -> int | None:
    if not syscalls.is_supported_machine():
        return None
    attribute = bytearray(_ATTRIBUTE_BYTES)
    struct.pack_into("IIQ", attribute, 0, _HARDWARE, _ATTRIBUTE_BYTES, _INSTRUCTIONS)
    struct.pack_into("Q", attribute, _READ_FORMAT_AT, _TIMES)
    struct.pack_into("Q", attribute, _FLAGS_AT, _USER_MODE_ONLY)
    given = ctypes.create_string_buffer(bytes(attribute), _ATTRIBUTE_BYTES)
    try:
        return syscalls.syscall(_PERF_EVENT_OPEN, given, pid, -1, -1, _CLOSE_ON_EXEC)
    except OSError:  # no such counter, as on many virtual machines, or not allowed
        return None
