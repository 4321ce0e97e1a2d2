"""The CPU backend: permanent buffers, a cache of compiled nests, checked outputs and times."""

from __future__ import annotations

import contextlib
import math
import os
import time
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from optarena.loop_tool.backend import Reading
from optarena.loop_tool.cpu import compiling, lowering, machine, quota
from optarena.loop_tool.cpu.buffers import Buffers
from optarena.loop_tool.cpu.workers import new_shared, run_together
from optarena.loop_tool.plan import Plan
from optarena.measuring import topology
from optarena.measuring.exclusive import exclusive

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.loop_tool.cpu.driver import Shared
    from optarena.loop_tool.nest import Nest

    _Bounds = np.ndarray[Any, np.dtype[np.int64]]

BUDGET_SECONDS: Final = 0.1
"""Time of the samples of one reading."""
_WHOLE_SECONDS: Final = 0.2
"""Time of a whole reading after which one sample suffices: compiling and checking may have taken long.
Opening is not counted, because the first reading of a large size might then be a single call."""
_SHORTEST_SECONDS: Final = 0.01
"""Time of the samples, however long the rest took."""
_CPU_SECONDS: Final = 2.0
"""The limit over all threads together: a session has 10 s for an observation. The checked call and the last
sample may each take at most as long again."""
_BATCH_NS: Final = 1_000_000
_LEAST_SAMPLES: Final = 3
_MOST_SAMPLES: Final = 100
_SLOW_SECONDS: Final = 0.005
"""A checked call that takes longer is warm-up enough, and counts as a sample if time is short."""

_NO_READING: Final[dict[str, Any]] = {"exclusive": None, "pinned": None, "cpu_share": None}


def limits(wanted: float, spent: float, workers: int) -> tuple[float, float]:
    """How long samples are taken, in seconds of wall time.

    Args:
        wanted: The requested time.
        spent: The time that the reading has taken so far.
        workers: Number of threads, all of which use CPU time even while they wait.

    Returns:
        The time after which the minimum of samples suffices, and the time after which a single one does.
    """
    patience = min(max(_SHORTEST_SECONDS, _WHOLE_SECONDS - spent), _CPU_SECONDS / workers)
    return min(wanted, patience), patience


def usable_workers(cpus: int, quota: float | None) -> int:
    """The number of threads that can run all the time: with one more, all would be stopped now and then.

    Args:
        cpus: Number of CPUs that this process may use.
        quota: Limit of its CPU time, in CPUs, if there is one.
    """
    return cpus if quota is None else max(1, min(cpus, math.floor(quota)))


class CpuBackend:
    """Measures nests of one size on this machine. Use it from one thread at a time.

    No two backends of a machine check or measure at the same time, unless they may open no file.

    Args:
        elements: ``N``.
        workers: Maximum number of threads; None for the CPUs that this process may use, by number and quota.
        budget_seconds: Time of the samples of one reading.
        compile_plan: Compiles a plan to native code; replaced in tests.
        alone: Whether to wait for other backends' readings; False for times that are not used.

    Attributes:
        identity: Name of the device, on which only one process may measure at a time: all CPUs are one.
        elements: ``N``.
        emulated: False: times are real.
        cache: The compiled nests.

    Raises:
        PlatformNotSupported: This is not Linux.
    """

    identity = "cpu"
    emulated = False

    def __init__(
        self,
        elements: int,
        *,
        workers: int | None = None,
        budget_seconds: float = BUDGET_SECONDS,
        compile_plan: Callable[[Plan], compiling.Native] = compiling.compile_nest,
        alone: bool = True,
    ) -> None:
        compiling.host()
        self.elements = elements
        self.cache = compiling.CompileCache(compile_plan)
        self._cpus = topology.cores_first(os.sched_getaffinity(0), topology.cores())
        self._workers = workers or usable_workers(len(self._cpus), quota.cpu_quota())
        self._alone = alone
        self._budget_seconds = budget_seconds
        self._opened: Buffers | None = Buffers(elements)
        self._times = np.zeros(_MOST_SAMPLES, np.int64)
        self._reference: compiling.Native | None = None
        self._last = dict(_NO_READING)

    def read(self, nest: Nest) -> Reading:
        """Compile a nest, check its output bit for bit, and measure it.

        Raises:
            IncorrectOutput: The output is wrong; nothing was measured.
            DeviceUnavailable: The threads cannot be started, or others measure for too long.
            ValueError: The nest covers another number of elements.
        """
        with self._exclusively():
            begun = time.perf_counter()
            return self._measured(*self._prepared(nest), begun)

    def verify(self, nest: Nest) -> int:
        """Compile a nest and check its output, without measuring it.

        Returns:
            The number of threads that shared the work.

        Raises the errors of :meth:`read`.
        """
        with self._exclusively():
            reading, _ = self._checked(*self._prepared(nest))
            return reading.threads

    def reference(self) -> Reading:
        """Measure a plain loop that LLVM optimises at level 3, with one thread."""
        if self._reference is None:
            self._require_open()
            self._reference = compiling.compile_ir(lowering.reference(self.elements), optimise=True)
        return self.read_native(self._reference, "The reference loop")

    def read_native(self, native: compiling.Native, what: str) -> Reading:
        """Check and measure, with one thread, code that is not a nest but has a function of the same form.

        Args:
            native: The code.
            what: Its name in an error message.

        Raises:
            IncorrectOutput: The output is wrong; nothing was measured.
        """
        bounds = np.array([0, 1], np.int64)
        with self._exclusively():
            return self._measured(native, bounds, what, time.perf_counter())

    def machine(self) -> dict[str, Any]:
        """The machine that was measured on, and the conditions of the last reading.

        Returns:
            The result of :func:`machine.facts`, the maximum number of threads as ``workers``, and facts of
            the last reading, None before the first: whether other backends were kept from measuring
            (``exclusive``), whether all threads stayed on their CPUs (``pinned``), and which share of the
            time a thread ran while samples were taken (``cpu_share``, 1 if nothing else ran on its CPU).
        """
        return {**machine.facts(self._cpus), "workers": self._workers, **self._last}

    def close(self) -> None:
        """Free the code and the buffers; nothing can be measured afterwards."""
        self.cache.close()
        if self._reference is not None:
            self._reference.close()
        self._reference = None
        self._opened = None

    def _exclusively(self) -> contextlib.AbstractContextManager[None]:
        """Keeps other backends from measuring; if no file may be opened, this is only recorded."""
        is_alone = self._alone and machine.may_open_files()
        self._last = {**_NO_READING, "exclusive": is_alone}
        return exclusive(self.identity) if is_alone else contextlib.nullcontext()

    def _require_open(self) -> Buffers:
        if self._opened is None:
            raise ValueError("This backend is closed. Open another one.")
        return self._opened

    def _prepared(self, nest: Nest) -> tuple[compiling.Native, _Bounds, str]:
        """A nest's code, each thread's first iteration and the end, and a name for messages."""
        self._require_open()
        if nest.elements != self.elements:
            raise ValueError(
                f"The nest covers {nest.elements} elements, and the buffers have {self.elements}. "
                "Open a backend for as many as the nest covers."
            )
        plan = Plan.of(nest)
        native = self.cache.native(plan)
        workers = min(plan.parallel, self._workers)
        bounds = np.array([plan.parallel * part // workers for part in range(workers + 1)], np.int64)
        return native, bounds, f"The nest\n{nest}"

    def _measured(self, native: compiling.Native, bounds: _Bounds, what: str, begun: float) -> Reading:
        checked, call = self._checked(native, bounds, what)
        budget, patience = limits(self._budget_seconds, time.perf_counter() - begun, checked.threads)
        if call > patience:
            return checked  # there is no time for a second call
        shared = self._shared(native, bounds)
        shared.target_ns, shared.warm = _BATCH_NS, checked.median_seconds > _SLOW_SECONDS
        shared.budget_ns, shared.patience_ns = round(budget * 1e9), round(patience * 1e9)
        shared.least, shared.most = _LEAST_SAMPLES, _MOST_SAMPLES
        return self._run(shared)[0]

    def _checked(self, native: compiling.Native, bounds: _Bounds, what: str) -> tuple[Reading, float]:
        """The reading of a single call, whose output was checked, and its seconds of wall time."""
        buffers = self._require_open()
        buffers.spoil()
        shared = self._shared(native, bounds)
        shared.warm = shared.most = 1
        reading, seconds = self._run(shared)
        buffers.check(what)
        return reading, seconds

    def _run(self, shared: Shared) -> tuple[Reading, float]:
        """A reading, and its seconds of wall time."""
        begun, used = time.perf_counter(), time.process_time()
        run_together(compiling.process_driver().measure, shared, self._cpus)
        seconds = time.perf_counter() - begun
        ran = (time.process_time() - used) / seconds / shared.workers
        self._last |= {"pinned": shared.unpinned == 0, "cpu_share": min(1.0, round(ran, 3))}
        reading = Reading(
            elements=self.elements,
            seconds=tuple(taken / 1e9 / shared.calls for taken in self._times[: shared.samples].tolist()),
            calls=shared.calls,
            threads=shared.workers,
        )
        return reading, seconds

    def _shared(self, native: compiling.Native, bounds: _Bounds) -> Shared:
        shared, buffers = new_shared(), self._require_open()
        shared.a, shared.b, shared.c = (buffer.ctypes.data for buffer in (buffers.a, buffers.b, buffers.c))
        shared.nest = native.address(lowering.NEST)
        shared.workers, shared.bounds = len(bounds) - 1, bounds.ctypes.data
        shared.calls, shared.times = 1, self._times.ctypes.data
        return shared
