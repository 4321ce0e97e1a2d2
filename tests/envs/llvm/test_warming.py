"""Tests of the preparation of a process from which sessions are forked."""

from __future__ import annotations

import subprocess
import sys

FREE = """
import ctypes
from optarena.llvm.session import LlvmSession

class Heap(ctypes.Structure):
    names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
    _fields_ = [(name, ctypes.c_size_t) for name in names.split()]

libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Heap
LlvmSession.preload()
LlvmSession.finish_preloading()
heap = libc.mallinfo2()
print(heap.fordblks - heap.keepcost)
"""


def test_programs_are_not_put_into_holes_of_the_heap() -> None:
    done = subprocess.run([sys.executable, "-c", FREE], stdout=subprocess.PIPE, text=True, check=True)
    assert int(done.stdout) < 500_000  # bytes; almost 2,000,000 would be left
