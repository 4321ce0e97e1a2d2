"""Which worker a process descends from, whatever group or session it has put itself into.

Parents end and their children get another, but a process's limits go to all that it starts. So the zygote
marks each worker by a limit that means nothing to it: the CPU time of real-time processes.
"""

from __future__ import annotations

import os
import resource
from typing import Final

_BASE: Final = 10**15
"""Above any limit that somebody could mean: in microseconds, 30 years."""


def mark(pid: int, number: int) -> None:
    """Mark a process, and by that all that it will start.

    Args:
        pid: One of this user's processes.
        number: Of the worker; more than 0.
    """
    try:
        _, hard = resource.prlimit(pid, resource.RLIMIT_RTTIME)
        resource.prlimit(pid, resource.RLIMIT_RTTIME, (_BASE + number, hard))
    except (OSError, ValueError):  # it has ended, or the hard limit is in use: what it starts is not known
        return


def unmark() -> None:
    """Have this process descend from no worker: it is to become one of its own."""
    _, hard = resource.getrlimit(resource.RLIMIT_RTTIME)
    resource.setrlimit(resource.RLIMIT_RTTIME, (hard, hard))


def worker_of(pid: int) -> int | None:
    """The number of the worker that a process is or descends from; None if it is not known."""
    try:
        soft, _ = resource.prlimit(pid, resource.RLIMIT_RTTIME)
    except OSError:  # it has ended, or became another user's
        return None
    return soft - _BASE if soft > _BASE else None


def children() -> set[int]:
    """The children of this process, which has but one thread; empty where the kernel does not tell."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:  # noqa: PTH123 # pathlib is slow to import
            return {int(pid) for pid in file.read().split()}
    except FileNotFoundError:
        return set()
