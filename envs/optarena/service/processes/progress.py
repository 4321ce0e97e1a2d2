"""How far a call has come: a number in memory that a session's process shares with its client.

What ends a process (a crash, a limit) leaves it no time to say what it was doing. So it notes each unit of
work that it begins, an action or an observation, where the client can read it afterwards. That costs a
microsecond; a message would cost twenty.
"""

from __future__ import annotations

import io
import os
from typing import Final

_BYTES: Final = 8


def progress_file() -> io.FileIO:
    """A place for the number; it goes when the last process closes it."""
    return io.FileIO(os.memfd_create("progress"), "r+")


def note(descriptor: int, unit: int) -> None:
    """Note that this unit of the call's work begins; they are counted from 1, and 0 means none."""
    os.pwrite(descriptor, unit.to_bytes(_BYTES, "little"), 0)


def noted(descriptor: int) -> int:
    """The unit of work that was begun last."""
    return int.from_bytes(os.pread(descriptor, _BYTES, 0), "little")
