"""Finds what a run of the servers has left behind."""

from __future__ import annotations

import os
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
