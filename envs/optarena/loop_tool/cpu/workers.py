"""Runs native code on several pinned threads at once; the calling thread is the first of them.

The others are native threads that never hold Python's lock: they need no memory once they run, and creating
one either works or fails at once. They exist only during one run, so a process that forks between runs loses
none. A Python interrupt waits for the end of the run.
"""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Final

from optarena.errors import DeviceUnavailable
from optarena.loop_tool.cpu import compiling
from optarena.loop_tool.cpu.driver import Shared, Task, Team

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_ALIGNMENT: Final = 64
_WORD_BITS: Final = 64


def new_shared() -> Shared:
    """The shared state of workers, all 0, at the start of a cache line."""
    memory = (ctypes.c_char * (ctypes.sizeof(Shared) + _ALIGNMENT))()
    return Shared.from_buffer(memory, -ctypes.addressof(memory) % _ALIGNMENT)


def run_together(entry: int, shared: Shared, cpus: Sequence[int]) -> None:
    """Call a native function as ``entry(shared, worker)`` once for each worker, at the same time.

    Worker ``i`` runs on CPU ``i`` modulo the length of the list. If pinning is refused, it runs on any CPU,
    and ``shared.unpinned`` counts it. Afterwards the calling thread may use the same CPUs as before.

    Args:
        entry: Address of the function; while it waits for other workers it must check ``shared.aborted``.
        shared: The shared state of the workers; ``shared.workers`` is their number.
        cpus: CPUs to pin them to.

    Raises:
        DeviceUnavailable: A thread cannot be started; all started threads have ended.
    """
    workers: int = shared.workers
    masks = [_mask((cpu,)) for cpu in cpus[:workers]]
    tasks = (Task * workers)()
    for worker, task in enumerate(tasks):
        mask = masks[worker % len(masks)]
        task.shared, task.worker, task.entry = ctypes.addressof(shared), worker, entry
        task.mask, task.mask_bytes = ctypes.addressof(mask), ctypes.sizeof(mask)
    before = _mask(os.sched_getaffinity(0))
    team = Team(ctypes.addressof(tasks), workers, ctypes.addressof(before), ctypes.sizeof(before))
    failed = compiling.process_driver().together(ctypes.addressof(team))
    if failed:
        raise DeviceUnavailable(
            f"Thread {team.started + 1} of {workers} for the threaded loops cannot be started here: "
            f"{os.strerror(failed)}. A confined session may not start threads: measure in an unconfined "
            "session, or switch the loops' threading off."
        )


def _mask(cpus: Collection[int]) -> ctypes.Array[ctypes.c_uint64]:
    """A set of CPUs in the kernel's format."""
    mask = (ctypes.c_uint64 * (max(cpus) // _WORD_BITS + 1))()
    for cpu in cpus:
        mask[cpu // _WORD_BITS] |= 1 << cpu % _WORD_BITS
    return mask
