"""Prepares a process from which sessions are forked: what their first passes would do once is done here.

Every curated pass runs on a small program. So the subtargets of the target machine exist, LLVM has set up
what it sets up once, and the code of the passes is in memory. Nothing of this changes what a pass does later.
"""

from __future__ import annotations

import ctypes
import mmap
from functools import lru_cache
from importlib import resources
from typing import Final

from optarena.llvm.actions import CURATED
from optarena.llvm.module import Module

_libc: Final = ctypes.CDLL(None)
_libc.sbrk.restype = ctypes.c_void_p
_libc.malloc.restype = ctypes.c_void_p
_libc.malloc.argtypes = [ctypes.c_size_t]
_libc.free.argtypes = [ctypes.c_void_p]
_POPULATE_WRITE: Final = 23
"""MADV_POPULATE_WRITE, since Linux 5.14; before, pages are copied at the first write."""
MAKE_SUBTARGETS: Final = "function(require<target-ir>)"
"""A pipeline that changes nothing, but has the target machine make a subtarget for each kind of function."""
FIRST_ACTION: Final = "mem2reg"
_LEVEL: Final = "default<Oz>"
"""The level of most baselines."""
_HOLES: Final = (*(1 << power for power in range(16, 9, -1)), *range(1000, 8, -16))
"""Sizes in bytes of the blocks that fill the holes of the heap: those above may be outside the heap.

Below 1 KiB it is all sizes that the C library distinguishes: passes allocate thousands of small blocks.
"""
_TOP: Final = 1 << 18
"""The free end of the heap, in bytes: a block in it, or above it, did not come from a hole."""


def heap_end() -> int:
    """The address at which the heap of the C library ends, which grows upwards."""
    return int(_libc.sbrk(0) or 0)


def touch(begin: int) -> None:
    """In a process that was forked from a warm one: have memory of its own for what passes write.

    Args:
        begin: Where the heap ended before the session's program was read; what is above it is mostly this
            program. Its pages are copied now, and not one by one at the first write to each.
    """
    begin, end = -(-begin // mmap.PAGESIZE) * mmap.PAGESIZE, heap_end()
    if end > begin:
        _libc.madvise(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), _POPULATE_WRITE)
    with Module.parse(warm_up_program()) as module:
        module.run(CURATED.action(CURATED.index(FIRST_ACTION)).pipeline)


@lru_cache(maxsize=1)
def warm_up_program() -> bytes:
    """The program on which passes are run for this."""
    return resources.files("optarena.llvm.native").joinpath("warm_up.ll").read_bytes()


@lru_cache(maxsize=1)
def warm_up() -> None:
    """Do it, once in this process."""
    # Two at a time, so that there is a machine for a session's program and one for its baselines.
    with Module.parse(warm_up_program()) as session, Module.parse(warm_up_program()) as baseline:
        for index in range(len(CURATED)):
            session.run(CURATED.action(index).pipeline)
        baseline.run(MAKE_SUBTARGETS)
        baseline.run(_LEVEL)
        session.bitcode()
    _fill_holes()


def _fill_holes() -> None:
    """Use up the free blocks inside the heap, so that a session's program lies above it, in one piece.

    In a process that was forked from this one, the first write to each page of a hole would copy the page.
    """
    for size in _HOLES:
        end = heap_end()
        while 0 < (block := _libc.malloc(size) or 0) < end - _TOP:
            pass
        _libc.free(block)
