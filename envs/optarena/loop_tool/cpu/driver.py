"""The native driver, ``native/driver.c``: its IR, and the structures that it shares with Python.

``measure`` calls a nest again and again and reads the clock: neither Python nor ctypes is timed. All workers
of a nest enter it once, each on its own thread. They meet at a spinning barrier before the first call and
after every call, so that one call is the whole nest and none overlaps the next. Each reads its own CPU time
around a batch of calls; the largest is the batch's time. Waiting at the barrier counts, so nobody's part is
forgotten. What a single worker loses to other processes does not count, while the time on the clock would say
more about these on a busy machine; of several workers the others wait for one that has lost its core, and
that counts. Worker 0 then decides, while the others wait, what comes next:

* a batch shorter than ``target_ns`` was too short to time: twice the calls, and all begins anew;
* the first batch that is long enough is a warm-up, those after it are samples;
* it ends with ``most`` samples, with at least ``least`` once ``budget_ns`` are over, or with any number of
  them after ``patience_ns``.

With ``target_ns`` 0, ``warm`` and ``most`` 1 it makes a single call. The nest is called through a pointer, by
code that is not compiled with it, so no call can be left out.

``together`` starts a thread for each worker but the first, whose part it does itself, and ends when all have
ended: one call from Python's view. Python runs its signal handlers, and raises what they raise, only once a
native call has returned. By then no thread is left that uses the caller's memory, and the calling thread may
run where it could before. Blocking signals in the calling thread would not do: the process's other threads,
such as those of numpy's libraries, take them in its place.
"""

from __future__ import annotations

import ctypes
import re
from importlib import resources
from typing import Final

MEASURE: Final = "measure"
TOGETHER: Final = "together"
_LINE_WORDS: Final = 8
"""64-bit words of a cache line."""


class Shared(ctypes.Structure):
    """What the workers share; the parts that several write have a cache line each.

    Attributes:
        a: Address of the first operand.
        b: Address of the second operand.
        c: Address of the result.
        nest: Address of the function that is called.
        workers: Their number.
        bounds: Address of their first shared-out iterations, and of the end: ``workers + 1`` numbers.
        target_ns: Nanoseconds of CPU time of a batch, at least.
        budget_ns: Nanoseconds on the clock after which ``least`` samples do.
        patience_ns: Nanoseconds on the clock after which any number of samples does.
        least: Samples at least, where there is time.
        most: Samples at most, and the room there is for them.
        times: Address of the samples, in nanoseconds.
        unpinned: Workers that were not allowed to stay on their CPU.
        calls: Calls of a batch.
        samples: How many there are.
        done: Whether the last batch was run.
        warm: Whether a batch that is long enough was run, or none is needed.
        begun: The clock at the start.
        used: The largest CPU time of the workers in the present batch, in nanoseconds.
        arrived: Workers that wait at the barrier.
        round: How often all have met there.
        aborted: Not 0: waiting has no sense, a worker is missing.
    """

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("a", "b", "c", "nest", "workers", "bounds")),
        *((name, ctypes.c_int64) for name in ("target_ns", "budget_ns", "patience_ns")),
        *((name, ctypes.c_int64) for name in ("least", "most", "times", "unpinned")),
        ("_padding0", ctypes.c_int64 * 3),
        *((name, ctypes.c_int64) for name in ("calls", "samples", "done", "warm", "begun", "used")),
        ("_padding1", ctypes.c_int64 * 2),
        ("arrived", ctypes.c_int64),
        ("_padding2", ctypes.c_int64 * (_LINE_WORDS - 1)),
        ("round", ctypes.c_int64),
        ("aborted", ctypes.c_int64),
        ("_padding3", ctypes.c_int64 * (_LINE_WORDS - 2)),
    )


class Task(ctypes.Structure):
    """What a worker does.

    Attributes:
        shared: Address of what the workers share.
        worker: Its number.
        entry: Address of the function that it calls.
        mask: Address of the set of CPUs that it may run on.
        mask_bytes: Size of that set.
        thread: Its thread, which the native code notes; the first worker has none of its own.
    """

    _fields_ = tuple(
        (name, ctypes.c_int64) for name in ("shared", "worker", "entry", "mask", "mask_bytes", "thread")
    )


class Team(ctypes.Structure):
    """All workers.

    Attributes:
        tasks: Address of their tasks, one after the other.
        workers: Their number, at least 1.
        before: Address of the set of CPUs that the calling thread gets back.
        before_bytes: Size of that set.
        started: How many workers there were, the calling thread among them; the native code notes it.
    """

    _fields_ = tuple(
        (name, ctypes.c_int64) for name in ("tasks", "workers", "before", "before_bytes", "started")
    )


_SPIN_HINTS: Final = {"x86_64": "pause", "aarch64": "yield"}
"""The instruction that tells a core that its thread only waits."""
_TARGET: Final = re.compile(r' "(?:target-cpu|target-features|tune-cpu)"="[^"]*"')
"""Attributes of the functions: what clang compiled for."""


def driver(architecture: str) -> str:
    """The driver's IR, for code that is generated for any 64-bit Linux.

    It has ``measure(shared, worker)``, and ``together(team)``, which calls it or another function as each
    worker. The result of ``together`` is 0, or the error number where a thread could not be started: then no
    worker has met all others, and each was told to give up by ``aborted``.

    Args:
        architecture: As ``uname -m`` names it; how to spin politely is known for some.
    """
    text = resources.files(f"{__package__}.native").joinpath("driver.ll").read_text()
    hint = _SPIN_HINTS.get(architecture, "")
    return _TARGET.sub("", text).replace('asm sideeffect "pause"', f'asm sideeffect "{hint}"')
