"""Finds which CPUs are threads of one core, and orders CPUs for workers: one CPU of each core first."""

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
    """The core of each CPU that this process may use, named by its first CPU; without unknown ones.

    It is read once: a confined process can open no file.
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
        ValueError: The text is not such a list.
    """
    found: list[int] = []
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def cores_first(cpus: Iterable[int], core_of: Mapping[int, int]) -> tuple[int, ...]:
    """One CPU of each core, then the second of each, and so on; each time in ascending order.

    Args:
        cpus: The CPUs to order.
        core_of: The core of each CPU; a missing CPU is a core of its own.
    """
    taken: dict[int, int] = {}
    turns = {}
    for cpu in sorted(cpus):
        core = core_of.get(cpu, cpu)
        turns[cpu] = taken[core] = taken.get(core, -1) + 1
    return tuple(sorted(turns, key=lambda cpu: (turns[cpu], cpu)))
