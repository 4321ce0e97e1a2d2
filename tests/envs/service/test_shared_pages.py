"""Tests of the page tables that processes inherit."""

from __future__ import annotations

import subprocess
import sys

TOUCHES = """
import ctypes, hashlib, os, resource, sys
from optarena.llvm.libllvm import find_library, library
from optarena.service.session_process.shared_pages import inherit_mapped_files

def mappings():
    for line in open("/proc/self/maps"):
        if str(find_library()) in line:
            addresses, permissions = line.split()[:2]
            yield *(int(address, 16) for address in addresses.split("-")), permissions

def touch():
    for begin, end, permissions in code:
        for address in range(begin, end, 1 << 12):
            ctypes.string_at(address, 1)

library()
before = list(mappings())
code = [one for one in before if one[2] == "r-xp"]
def digests():
    return [hashlib.sha256(ctypes.string_at(begin, end - begin)).digest() for begin, end, _ in code]

content = digests()
touch()
if sys.argv[1] == "prepared":
    inherit_mapped_files()
    assert list(mappings()) == before
    assert digests() == content
reading, writing = os.pipe()
if os.fork() == 0:
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    touch()
    os.write(writing, repr(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults).encode())
    os._exit(0)
os.wait()
print(os.read(reading, 100).decode())
"""


def faults(how: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", TOUCHES, how], capture_output=True, text=True, check=True, timeout=120
    )
    return int(done.stdout)


def test_a_forked_process_does_not_fault_on_pages_that_were_touched_before() -> None:
    assert 4 * faults("prepared") < faults("not prepared")
