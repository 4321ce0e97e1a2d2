"""Runs native code on several pinned threads at once, the calling thread being the first of them.

The others are native threads that never hold Python's lock: they need no memory once they run, and creating
one either works or fails at once. They live as long as one run, so a process that is copied between runs
loses none.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from typing import TYPE_CHECKING, Final

from optarena.errors import DeviceUnavailable
from optarena.loop_tool.cpu import compiling
from optarena.loop_tool.cpu.driver import Shared, Task

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_STACK_BYTES: Final = 1 << 18
"""Of a worker; the usual 8 MiB each would not fit a limited address space on large machines."""
_ALIGNMENT: Final = 64
_ATTRIBUTE_BYTES: Final = 256
"""More than ``pthread_attr_t`` has anywhere."""
_WORD_BITS: Final = 64


def new_shared() -> Shared:
    """What workers share, all 0, at the start of a cache line."""
    memory = (ctypes.c_char * (ctypes.sizeof(Shared) + _ALIGNMENT))()
    return Shared.from_buffer(memory, -ctypes.addressof(memory) % _ALIGNMENT)


def run_together(entry: int, shared: Shared, cpus: Sequence[int]) -> None:
    """Call a native function as ``entry(shared, worker)`` once for each worker, at the same time.

    Worker ``i`` runs on CPU ``i`` of the list, round and round; where pinning is refused, anywhere:
    ``shared.unpinned`` counts those.

    Args:
        entry: Address of the function; where it waits for other workers it must heed ``shared.aborted``.
        shared: What the workers share; ``shared.workers`` is their number.
        cpus: CPUs to pin them to.

    Raises:
        DeviceUnavailable: A thread cannot be started; those that were have ended.
    """
    team = _Team(entry, shared, cpus)
    is_pinned = True
    try:
        team.start()
        with pinned(cpus[0]) as is_pinned:
            compiling.Entry(entry)(ctypes.addressof(shared), 0)
    except BaseException:
        shared.aborted = 1  # an interrupt, or a thread too few: nobody may go on waiting for all
        raise
    finally:
        team.end()
        shared.unpinned += not is_pinned  # now that nobody else counts


@contextlib.contextmanager
def pinned(cpu: int) -> Iterator[bool]:
    """Keep the calling thread on one CPU for a while; yields whether that was allowed."""
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {cpu})
    except OSError:
        yield False
        return
    try:
        yield True
    finally:
        os.sched_setaffinity(0, before)


class _Team:
    """The workers but the first, each a native thread."""

    def __init__(self, entry: int, shared: Shared, cpus: Sequence[int]) -> None:
        self._workers: int = shared.workers
        self._masks = [_mask(cpu) for cpu in cpus]
        self._tasks = [self._task(entry, shared, worker) for worker in range(self._workers)]
        self._threads: list[ctypes.c_ulong] = []
        self._c = ctypes.CDLL(None)

    def start(self) -> None:
        """Start all threads, or say why not."""
        if self._workers == 1:
            return
        attributes = ctypes.create_string_buffer(_ATTRIBUTE_BYTES)
        main = ctypes.c_void_p(compiling.process_driver().thread)
        with _signals_blocked():  # the threads inherit it: signals are for those that run Python
            self._c.pthread_attr_init(attributes)
            self._c.pthread_attr_setstacksize(attributes, ctypes.c_size_t(_STACK_BYTES))
            for task in self._tasks[1:]:
                thread = ctypes.c_ulong()
                failed = self._c.pthread_create(ctypes.byref(thread), attributes, main, ctypes.byref(task))
                if failed:
                    raise self._refusal(failed)
                self._threads.append(thread)

    def end(self) -> None:
        """Wait for the threads; by now all have done their part, or have been told to give up."""
        with _signals_blocked():  # they use memory of the caller
            while self._threads:
                self._c.pthread_join(self._threads.pop(), None)

    def _task(self, entry: int, shared: Shared, worker: int) -> Task:
        mask = self._masks[worker % len(self._masks)]
        return Task(ctypes.addressof(shared), worker, entry, ctypes.addressof(mask), ctypes.sizeof(mask))

    def _refusal(self, number: int) -> DeviceUnavailable:
        return DeviceUnavailable(
            f"Thread {len(self._threads) + 2} of {self._workers} for the threaded loops cannot be started "
            f"here: {os.strerror(number)}. A confined session may start none: measure in one that is not "
            "confined, or switch the loops' threading off."
        )


def _mask(cpu: int) -> ctypes.Array[ctypes.c_uint64]:
    """A set of one CPU, as the kernel reads it."""
    mask = (ctypes.c_uint64 * (cpu // _WORD_BITS + 1))()
    mask[cpu // _WORD_BITS] = 1 << cpu % _WORD_BITS
    return mask


@contextlib.contextmanager
def _signals_blocked() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
