"""Forks a process that becomes a child of this one's parent, which reaps it."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from typing import Final

_SYS_CLONE: Final = 56
_CLONE_PARENT: Final = 0x8000
_POLL_SECONDS: Final = 0.00005

_process: Final = ctypes.PyDLL(None, use_errno=True)  # keeps Python's lock, as os.fork() does
_process.syscall.restype = ctypes.c_long


def fork_sibling() -> bool:
    """Fork a process whose parent is this process's parent; True in the new process.

    A process with one thread asks the kernel for it. One with more threads has to leave their locks to the C
    library, and so forks twice; its parent must be a subreaper.

    Raises:
        OSError: No further process can be created.
    """
    return _fork_once() if len(os.listdir("/proc/self/task")) == 1 else _fork_twice()  # noqa: PTH208 # pathlib is slow to import


def _fork_once() -> bool:
    python = ctypes.pythonapi
    python.PyOS_BeforeFork()
    pid = _process.syscall(
        ctypes.c_long(_SYS_CLONE), ctypes.c_long(_CLONE_PARENT | signal.SIGCHLD), *[ctypes.c_long(0)] * 4
    )
    if pid == 0:
        python.PyOS_AfterFork_Child()
        return True
    number = ctypes.get_errno()
    python.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(number, f"clone: {os.strerror(number)}")
    return False


def _fork_twice() -> bool:
    middle = os.fork()
    if middle:
        _, status = os.waitpid(middle, 0)
        if status:
            raise OSError(f"fork: the process between the two ended with status {status}")
        return False
    middle = os.getpid()
    try:
        is_copy = os.fork() == 0
    except OSError:
        os._exit(os.EX_OSERR)
    if not is_copy:
        os._exit(os.EX_OK)
    while os.getppid() == middle:  # a death signal set before the adoption would fire at it
        time.sleep(_POLL_SECONDS)
    return True
