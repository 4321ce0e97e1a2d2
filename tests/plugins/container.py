"""Run a program as Docker's default profile would: 14 capabilities, no namespaces, no fixed addresses.

    python container.py [--no-pidfd] program arguments…

A filter that denies what moby's default.json denies and matters here: unshare, setns, mount, umount,
pivot_root, clone with new namespaces, clone3, and personality other than the usual ones.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

LOAD, EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x45, 0x06
ALLOW, DENY, MISSING = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
NAMESPACES = (272, 308, 165, 166, 155)
NEW_NAMESPACE_FLAGS = 0x7E020000
PERSONALITIES = (0, 8, 0x20000, 0x20008, 0xFFFFFFFF)
CAPABILITIES = {0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31}
LAST_CAPABILITY = 40


def contain(*denied: int) -> None:
    """Apply the profile to this process, and deny some more system calls."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(38, 1, 0, 0, 0)
    for capability in set(range(LAST_CAPABILITY + 1)) - CAPABILITIES:
        libc.prctl(24, capability, 0, 0, 0)
    program = [(LOAD, 0, 0, 0)]
    for number in (*NAMESPACES, *denied):
        program += [(EQUAL, 0, 1, number), (RETURN, 0, 0, DENY)]
    program += [(EQUAL, 0, 1, 435), (RETURN, 0, 0, MISSING)]
    tests = [step for value in PERSONALITIES for step in ((EQUAL, 0, 1, value), (RETURN, 0, 0, ALLOW))]
    program += [(EQUAL, 0, len(tests) + 2, 135), (LOAD, 0, 0, 16), *tests, (RETURN, 0, 0, DENY)]
    program += [
        (EQUAL, 0, 3, 56),
        (LOAD, 0, 0, 16),
        (ANY_BIT, 0, 1, NEW_NAMESPACE_FLAGS),
        (RETURN, 0, 0, DENY),
    ]
    program.append((RETURN, 0, 0, ALLOW))
    code = b"".join(struct.pack("=HBBI", *step) for step in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("HxxxxxxP", len(program), ctypes.addressof(buffer))
    if libc.prctl(22, 2, header, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "seccomp")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments[0] == "--no-pidfd":
        contain(434)
        del arguments[0]
    else:
        contain()
    os.execvp(arguments[0], arguments)  # noqa: S606 # that is what it is for
