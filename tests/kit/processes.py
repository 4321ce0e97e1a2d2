"""Finds processes: those below this one, and what a run of the servers has left behind."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def processes_of(state: Path) -> dict[int, str]:
    """Every living process that was started on a state folder, by its environment or its arguments."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal() or int(entry.name) == os.getpid():
            continue
        try:
            text = (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes()
            alive = "\nState:\tZ" not in (entry / "status").read_text()
        except OSError:
            continue
        if alive and os.fsencode(state) in text:
            found[int(entry.name)] = (entry / "comm").read_text().strip()
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


def children(pid: int) -> set[int]:
    """The processes that a process has started itself; none if it has ended."""
    found = set()
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found |= {int(child) for child in (task / "children").read_text().split()}
    return found
