"""The progress of a call: a number in memory that a session's process shares with its client.

A process that crashes or exceeds a limit has no time to report what it was doing. So it records each unit of
work that it begins, an action or an observation, where the client can read it afterwards. This costs a
microsecond; a message would cost twenty.
"""

from __future__ import annotations

import io
import os
from typing import Final

_BYTES: Final = 8


def progress_file() -> io.FileIO:
    """A file in memory for the number; it is freed when the last process closes it."""
    return io.FileIO(os.memfd_create("progress"), "r+")


def note(descriptor: int, unit: int) -> None:
    """Record that this unit of the call's work begins; units count from 1, and 0 means none."""
    os.pwrite(descriptor, unit.to_bytes(_BYTES, "little"), 0)


def noted(descriptor: int) -> int:
    """The unit of work that began last."""
    return int.from_bytes(os.pread(descriptor, _BYTES, 0), "little")
