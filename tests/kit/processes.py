"""Processes below this one and those that servers have left behind; their slices; waiting; threads."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from optarena.isolation import syscalls

NO_SLICES: Final = "Linux before 6.12 has no slices of a process's own"


def processes_of(state: Path) -> dict[int, str]:
    """Every living process that was started on a state folder, by its environment or its arguments."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal() or int(entry.name) == os.getpid():
            continue
        try:
            text = (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes()
            alive = "\nState:\tZ" not in (entry / "status").read_text()
            name = (entry / "comm").read_text().strip()
        except OSError:
            continue
        if alive and os.fsencode(state) in text:
            found[int(entry.name)] = name
    return found


def descendants(pid: int | None = None) -> set[int]:
    """Every process below one; below this one if None."""
    found: set[int] = set()
    todo = [os.getpid() if pid is None else pid]
    while todo:
        pids = children(todo.pop()) - found
        found |= pids
        todo.extend(pids)
    return found


def sessions() -> set[int]:
    """What this process's zygotes have started.

    Not the processes of its other children, which come and go by themselves: those of PostgreSQL, of the
    servers, and of what later tests will wait for.
    """
    zygotes = filter(_is_zygote, children(os.getpid()))
    return set[int]().union(*map(descendants, zygotes))


def _is_zygote(pid: int) -> bool:
    with suppress(OSError):
        return b"zygote_boot.py" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def children(pid: int) -> set[int]:
    """The processes that a process has started itself; none if it has ended."""
    found = set()
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found |= {int(child) for child in (task / "children").read_text().split()}
    return found


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def session_pid(env: Any) -> int:
    """The process of an environment's present session."""
    return int(env.unwrapped._episode.session._connection.worker.pid)


def wait_until(condition: Callable[[], object], seconds: float = 60) -> None:
    """Wait until something is so; it must be so in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, condition
        time.sleep(0.01)


def run_threads(targets: Iterable[Callable[[], object]]) -> None:
    """Run each in a thread of its own, all at once, and wait for their ends."""
    threads = [threading.Thread(target=target) for target in targets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def slice_of(pid: int) -> int:
    """The slice of a process in nanoseconds, of this one for 0; 0 where processes have none of their own."""
    attributes = ctypes.create_string_buffer(48)
    syscalls.syscall(315, pid, attributes, len(attributes), 0)  # sched_getattr
    return int.from_bytes(attributes.raw[24:32], sys.byteorder)
