"""What a process forked from a test's own does with what it has inherited."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable


def in_forked_process(function: Callable[[], object]) -> str:
    """What a function says when it runs in a process forked from this one."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        signal.alarm(20)
        try:
            said = function()
        except BaseException as error:  # noqa: BLE001 # told to the test
            said = f"{type(error).__name__}: {error}"
        os.write(write, str(said).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        said = pipe.read()
    os.waitpid(pid, 0)
    return said
