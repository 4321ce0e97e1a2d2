"""Which CPUs are threads of one core, and in which order workers are given CPUs: cores first."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_SIBLINGS: Final = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"


@cache
def cores() -> dict[int, int]:
    """The core, told by its first CPU, of each CPU that this process may use; without those not known.

    Read once: a confined process can open no file.
    """
    found = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        try:
            found[cpu] = min(listed(Path(_SIBLINGS.format(cpu)).read_text()))
        except (OSError, ValueError):
            continue
    return found


def listed(text: str) -> list[int]:
    """The numbers of a list as the kernel writes it: ``0-2,64`` is 0, 1, 2, 64.

    Raises:
        ValueError: It is none.
    """
    found: list[int] = []
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def cores_first(cpus: Iterable[int], core_of: Mapping[int, int]) -> tuple[int, ...]:
    """One CPU of each core, then the second of each, and so on; each time in ascending order.

    Args:
        cpus: To order.
        core_of: The core of a CPU; one that is missing is a core of its own.
    """
    taken: dict[int, int] = {}
    turns = {}
    for cpu in sorted(cpus):
        core = core_of.get(cpu, cpu)
        turns[cpu] = taken[core] = taken.get(core, -1) + 1
    return tuple(sorted(turns, key=lambda cpu: (turns[cpu], cpu)))
