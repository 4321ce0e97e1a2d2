"""Whether the machine, or the group of processes that this one belongs to, runs short of memory.

A process that is killed or gets no memory then says nothing about its work. The kernel's own counts are read;
where it has none, nothing is known and nothing is claimed.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from optarena.service.processes.memory_groups import events_of, own_groups

_LEAST_AVAILABLE: Final = 0.02
"""The part of the machine's memory that must be available."""
_MOST_STALLED: Final = 10.0
"""The percentage of the last ten seconds in which all processes may have waited for memory."""


def own_memory(pid: int) -> int | None:
    """Bytes of a process's memory that are not of files; None if it has ended."""
    with contextlib.suppress(OSError, ValueError):
        _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
    return None


class MemoryWatch:
    """Watches memory from the moment it is made.

    Args:
        root: The folder below which the kernel's files are.
    """

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root
        self._before = {own: self._kills(own=own) for own in (False, True)}

    def shortage(self, *, own: bool = False) -> str:
        """How memory has been short since the watch began; empty if it has not, as far as is known.

        Args:
            own: Whether kills in other groups, such as other containers, do not matter.
        """
        kills = self._kills(own=own) - self._before[own]
        if kills > 0:
            return f"the kernel killed {kills} processes because memory ran out"
        memory = self._numbers("proc/meminfo")
        total, available = memory.get("MemTotal:", 0), memory.get("MemAvailable:", 0)
        if available < _LEAST_AVAILABLE * total:
            return f"only {available} of {total} KiB of memory are available"
        stalled = self._stalled()
        return f"all processes waited for memory {stalled:g} % of the time" if stalled > _MOST_STALLED else ""

    def _kills(self, *, own: bool) -> int:
        """Processes that the kernel has killed for lack of memory; one in this group is in both counts."""
        counts = [events_of(folder).get("oom_kill") for folder in own_groups(self._root)]
        of_group = [count for count in counts if count is not None]
        of_machine = self._numbers("proc/vmstat").get("oom_kill", 0)
        return max(of_group) if own and of_group else max([of_machine, *of_group])

    def _stalled(self) -> float:
        for line in self._text("proc/pressure/memory").splitlines():
            if line.startswith("full avg10="):
                return float(line.split()[1].partition("=")[2])
        return 0.0

    def _numbers(self, file: str) -> dict[str, int]:
        words = (line.split() for line in self._text(file).splitlines())
        return {pair[0]: int(pair[1]) for pair in words if len(pair) > 1 and pair[1].isdecimal()}

    def _text(self, file: str) -> str:
        with contextlib.suppress(OSError):  # this kernel or container does not have it
            return (self._root / file).read_text(encoding="ascii", errors="replace")
        return ""
