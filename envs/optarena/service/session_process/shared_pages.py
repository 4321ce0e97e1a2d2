"""Has the processes that are forked from this one inherit its page tables of libraries.

The kernel does not copy the page table of a mapped file at a fork, unless the process has a changed page of
it. So every process would fault on each page of code at its first use. One page of each mapping is copied by
writing its first byte again, which changes nothing else.
"""

from __future__ import annotations

import ctypes
from typing import Final

_READ: Final = 1
_WRITE: Final = 2
_EXECUTE: Final = 4
_MIN_BYTES: Final = 1 << 20
"""Smaller mappings have few pages, for which the call takes longer than it saves."""


def inherit_mapped_files() -> None:
    """Prepare all large read-only private mappings of files; one that the system does not allow stays."""
    libc = ctypes.CDLL(None)
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:  # noqa: PTH123 # pathlib is slow to import
        lines = maps.read().splitlines()
    for line in lines:
        addresses, permissions, _, _, _, *path = line.split(maxsplit=5)
        begin, end = (int(address, 16) for address in addresses.split("-"))
        is_file = bool(path) and path[0].startswith("/")
        if not is_file or end - begin < _MIN_BYTES or permissions not in ("r-xp", "r--p"):
            continue
        mapping = ctypes.c_void_p(begin), ctypes.c_size_t(end - begin)
        before = _READ | (_EXECUTE if "x" in permissions else 0)
        if libc.mprotect(*mapping, before | _WRITE) == 0:
            first = ctypes.c_char.from_address(begin)
            first.value = first.value
            libc.mprotect(*mapping, before)
