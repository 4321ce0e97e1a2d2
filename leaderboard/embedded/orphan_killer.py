"""A small process that ends the processes that outlive a killed supervisor. Standard library only.

The kernel sends a death signal to the supervisor's children, but not to their children, and a child may delay
its end: a busy Celery worker finishes its task first. The keeper notices the supervisor's death by the end of
its pipe, waits a moment, and kills the process groups that are left.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

GRACE_SECONDS: Final = 3.0
_BEGIN, _END = "+", "-"


class Keeper:
    # The supervisor's end of the pipe. Start one before the processes that it is to watch.

    def __init__(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - this file
            [sys.executable, "-I", __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            text=True,
        )

    def watch(self, group: int) -> None:
        self._send(f"{_BEGIN}{group}\n")

    def forget(self, group: int) -> None:
        # The kernel may use the number of a group that has ended again.
        self._send(f"{_END}{group}\n")

    def close(self) -> None:
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):
                self._process.stdin.close()
        self._process.wait()

    def _send(self, line: str) -> None:
        # If the keeper was killed, only the death signals are left.
        with suppress(BrokenPipeError):
            if self._process.stdin is not None:
                self._process.stdin.write(line)
                self._process.stdin.flush()


def main(lines: Iterable[str]) -> None:
    groups: set[int] = set()
    for line in lines:
        change = groups.add if line[0] == _BEGIN else groups.discard
        change(int(line[1:]))
    deadline = time.monotonic() + GRACE_SECONDS
    while any(map(_lives, groups)) and time.monotonic() < deadline:
        time.sleep(0.05)
    for group in filter(_lives, groups):
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)


def _lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


if __name__ == "__main__":
    main(sys.stdin)
