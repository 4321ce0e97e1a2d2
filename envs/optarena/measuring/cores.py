"""A processor core for one measurement: no other measurement of this machine uses it meanwhile."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING, Final

from optarena.errors import DeviceBusy
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
        DeviceBusy: Others measured on all of them all the time.
        DeviceUnavailable: The locks cannot be used.
    """
    deadline = time.monotonic() + seconds
    first_of = _first_of_each()
    with shared(ALL, seconds=seconds), contextlib.ExitStack() as held:
        yield _first_free(first_of, held, deadline, seconds)


@contextlib.contextmanager
def all_cores(*, seconds: float) -> Iterator[int]:
    """Hold all cores: no other measurement of this machine runs meanwhile.

    Args:
        seconds: How long to wait for others.

    Yields:
        The number of the processor to use, the same each time.

    Raises:
        DeviceBusy: Others measured all the time.
        DeviceUnavailable: The locks cannot be used.
    """
    with exclusive(ALL, seconds=seconds):
        yield max(_first_of_each().items())[1]  # the first core serves most interrupts


def _first_of_each() -> dict[int, int]:
    """The first processor of each core, which is named by it or by one that this process may not use."""
    core_of = topology.cores()
    cpus = topology.cores_first(os.sched_getaffinity(0), core_of)
    return {core_of.get(cpu, cpu): cpu for cpu in reversed(cpus)}


def _first_free(first_of: dict[int, int], held: contextlib.ExitStack, deadline: float, seconds: float) -> int:
    while True:
        for core, cpu in sorted(first_of.items(), reverse=True):  # the first core serves most interrupts
            with contextlib.suppress(DeviceBusy):
                held.enter_context(exclusive(f"{ALL}-{core}", seconds=0.0))
                return cpu
        if time.monotonic() >= deadline:
            raise DeviceBusy(
                f"Other measurements used all {len(first_of)} cores for {seconds:g} s. Try again later."
            )
        time.sleep(_POLL_SECONDS)
