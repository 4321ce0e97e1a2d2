"""Tries all attempts in a process forked from this one and confined: ``python confined.py PLACE``."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable
from typing import Any, Final

import container
import hostile

from optarena.isolation import limits, sandbox
from optarena.isolation.limits import ProcessLimits

NOBODY: Final = 65534
LIMITS: Final = ProcessLimits(memory_bytes=1 << 29, cpu_seconds_per_call=20)


def become_nobody() -> None:
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)


def confined_fork(prepare: list[Callable[[], None]]) -> dict[str, Any]:
    """The outcomes of all attempts in a process forked from this one and confined after some preparation."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            for step in prepare:
                step()
            hostile.CHANNEL = write
            close_others(write)
            limits.apply_limits(LIMITS)
            os.environ.clear()
            report = sandbox.confine(parent=os.getppid())
            assert hostile.is_filtered()
            said = {"report": report.as_dict(), "outcomes": hostile.run_all()}
            os.write(write, json.dumps(said).encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    os.waitpid(pid, 0)
    return dict(json.loads(text))


def close_others(keep: int) -> None:
    for number in range(3, 256):
        if number != keep:
            with contextlib.suppress(OSError):
                os.close(number)


PREPARATIONS: Final[dict[str, list[Callable[[], None]]]] = {
    "forked": [],
    "nobody": [become_nobody],
    "container": [container.contain],
    "container as nobody": [container.contain, become_nobody],
}

if __name__ == "__main__":
    sys.stdout.write(json.dumps(confined_fork(PREPARATIONS[sys.argv[1]])))
