"""The CPU time of this process and of everything below it."""

from __future__ import annotations

import os
import time
from pathlib import Path


def cpu_seconds() -> float:
    """CPU time in seconds so far: this process, its live descendants, and those that have ended.

    Sessions are children of their zygote, whose time ``getrusage`` reports only once it has ended. Where
    there is no ``/proc``, the own process alone is counted.
    """
    total, waiting = 0, _children(os.getpid())
    while waiting:
        pid = waiting.pop()
        try:
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:  # it has just ended, and its parent counts it
            continue
        total += sum(map(int, fields.rpartition(")")[2].split()[11:15]))  # its own, and of ended children
        waiting += _children(pid)
    below = total / os.sysconf("SC_CLK_TCK")
    ended = os.times()  # of children that this process has waited for, and their own
    return time.process_time() + ended.children_user + ended.children_system + below


def _children(pid: int) -> list[int]:
    """The child processes of a process, whichever of its threads started them."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, task.read_text(encoding="ascii").split())
        except OSError:  # the thread has just ended
            continue
    return found
