"""A processor core for one measurement: no other measurement of this machine uses it meanwhile."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING, Final

from optarena.errors import DeviceUnavailable
from optarena.measuring import topology
from optarena.measuring.exclusive import exclusive, shared

if TYPE_CHECKING:
    from collections.abc import Iterator

ALL: Final = "cpu"
"""The identity of all cores together, which measurements with threads hold."""
_POLL_SECONDS: Final = 0.05


@contextlib.contextmanager
def reserved_core(*, seconds: float) -> Iterator[int]:
    """Hold a core that no other measurement uses, whichever is free first.

    Only one processor of each physical core is ever used. Other work of the machine may run on it.

    Args:
        seconds: How long to wait for one.

    Yields:
        The number of its processor.

    Raises:
        DeviceUnavailable: Others measured on all of them all the time, or the locks cannot be used.
    """
    deadline = time.monotonic() + seconds
    core_of = topology.cores()
    cpus = topology.cores_first(os.sched_getaffinity(0), core_of)
    first_of = {core_of.get(cpu, cpu): cpu for cpu in reversed(cpus)}
    with shared(ALL, seconds=seconds), contextlib.ExitStack() as held:
        yield _first_free(first_of, held, deadline, seconds)


def _first_free(first_of: dict[int, int], held: contextlib.ExitStack, deadline: float, seconds: float) -> int:
    while True:
        for core, cpu in sorted(first_of.items(), reverse=True):  # the first core serves most interrupts
            with contextlib.suppress(DeviceUnavailable):
                held.enter_context(exclusive(f"{ALL}-{core}", seconds=0.0))
                return cpu
        if time.monotonic() >= deadline:
            raise DeviceUnavailable(
                f"Other measurements used all {len(first_of)} cores for {seconds:g} s. Try again later."
            )
        time.sleep(_POLL_SECONDS)
