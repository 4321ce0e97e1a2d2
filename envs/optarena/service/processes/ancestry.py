"""Finds the worker that a process descends from, whatever process group or session it has joined.

A process whose parent ends gets another parent, but all descendants inherit a process's limits. So the zygote
marks each worker by a limit that has no effect on it: the CPU time of real-time processes.
"""

from __future__ import annotations

import os
import resource
from typing import Final

_BASE: Final = 10**15
"""Above any limit in real use: in microseconds, 30 years."""


def mark(pid: int, number: int) -> None:
    """Mark a process and all its future descendants.

    Args:
        pid: One of this user's processes.
        number: The worker's number; more than 0.
    """
    try:
        _, hard = resource.prlimit(pid, resource.RLIMIT_RTTIME)
        resource.prlimit(pid, resource.RLIMIT_RTTIME, (_BASE + number, hard))
    except (OSError, ValueError):  # it has ended, or the hard limit is in use: descendants stay unmarked
        return


def unmark() -> None:
    """Remove the mark of this process, which is to become a worker itself."""
    _, hard = resource.getrlimit(resource.RLIMIT_RTTIME)
    resource.setrlimit(resource.RLIMIT_RTTIME, (hard, hard))


def worker_of(pid: int) -> int | None:
    """The number of the worker that a process is or descends from; None if unknown."""
    try:
        soft, _ = resource.prlimit(pid, resource.RLIMIT_RTTIME)
    except OSError:  # it has ended, or belongs to another user now
        return None
    return soft - _BASE if soft > _BASE else None


def children() -> set[int]:
    """The children of this process, which has only one thread; empty if the kernel does not list them."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:  # noqa: PTH123 # pathlib is slow to import
            return {int(pid) for pid in file.read().split()}
    except FileNotFoundError:
        return set()
