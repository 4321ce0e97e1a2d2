"""The CPU as a backend: buffers that stay, a cache of compiled nests, checked outputs and times."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from optarena.loop_tool.backend import Reading
from optarena.loop_tool.cpu import compiling, lowering, machine
from optarena.loop_tool.cpu.buffers import Buffers
from optarena.loop_tool.cpu.workers import new_shared, run_together
from optarena.loop_tool.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.loop_tool.cpu.driver import Shared
    from optarena.loop_tool.nest import Nest

BUDGET_SECONDS: Final = 0.1
"""Time of the samples of one reading."""
_PATIENCE_SECONDS: Final = 0.2
"""The same where not even the fewest samples are there; one suffices then."""
_WHOLE_SECONDS: Final = 0.25
"""Time of a whole reading: what opening and checking took beyond the usual, the samples give up."""
_BATCH_NS: Final = 1_000_000
_LEAST_SAMPLES: Final = 3
_MOST_SAMPLES: Final = 100
_SLOW_SECONDS: Final = 0.005
"""Of the call that is checked: beyond them it is warm-up enough."""


class CpuBackend:
    """Measures nests of one size on this machine. For one thread at a time.

    Args:
        elements: ``N``.
        workers: Threads at most; as many as this process may use CPUs if None.
        budget_seconds: Time of the samples of one reading.
        compile_plan: What makes native code of a plan; exchanged in tests.

    Attributes:
        elements: ``N``.
        emulated: False: times are real.
        cache: The compiled nests.

    Raises:
        PlatformNotSupported: This is not Linux.
    """

    emulated = False

    def __init__(
        self,
        elements: int,
        *,
        workers: int | None = None,
        budget_seconds: float = BUDGET_SECONDS,
        compile_plan: Callable[[Plan], compiling.Native] = compiling.compile_nest,
    ) -> None:
        begun = time.perf_counter()
        compiling.host()
        self.elements = elements
        self.cache = compiling.CompileCache(compile_plan)
        self._cpus = tuple(sorted(os.sched_getaffinity(0)))
        self._workers = workers or len(self._cpus)
        self._budget_seconds = budget_seconds
        self._opened: Buffers | None = Buffers(elements)
        self._times = np.zeros(_MOST_SAMPLES, np.int64)
        self._reference: compiling.Native | None = None
        self._was_slow = False
        self._opening = time.perf_counter() - begun

    def read(self, nest: Nest) -> Reading:
        """Compile a nest, check its output bit for bit, and measure it.

        Raises:
            IncorrectOutput: It computes something else; nothing was measured.
            DeviceUnavailable: The threads that it needs cannot be started.
            ValueError: It is a nest over another number of elements.
        """
        begun = time.perf_counter()
        native, workers, bounds = self._checked(nest)
        spent = time.perf_counter() - begun + self._opening
        self._opening = 0.0
        return self._reading(native, workers, bounds, spent)

    def verify(self, nest: Nest) -> int:
        """Compile a nest and check its output, without measuring it.

        Returns:
            The number of threads that shared the work.

        Raises:
            As :meth:`read`.
        """
        return self._checked(nest)[1]

    def reference(self) -> Reading:
        """Measure a plain loop as LLVM optimises it at level 3, with one thread."""
        if self._reference is None:
            self._reference = compiling.compile_ir(lowering.reference(self.elements), optimise=True)
        return self.read_native(self._reference, "The reference loop")

    def read_native(self, native: compiling.Native, what: str) -> Reading:
        """Check and measure, with one thread, code that is no nest but has a function of the same form.

        Args:
            native: The code.
            what: What to call it in an error.

        Raises:
            IncorrectOutput: It computes something else; nothing was measured.
        """
        bounds = np.array([0, 1], np.int64)
        self._check(native, bounds, what)
        return self._reading(native, 1, bounds, 0.0)

    def machine(self) -> dict[str, Any]:
        """What was measured on: the CPU, what LLVM knows of it, CPUs usable, whether threads are pinned."""
        return machine.facts(self._cpus)

    def close(self) -> None:
        """Free the code and the buffers; nothing can be measured afterwards."""
        self.cache.close()
        if self._reference is not None:
            self._reference.close()
        self._reference = None
        self._opened = None

    @property
    def _buffers(self) -> Buffers:
        if self._opened is None:
            raise ValueError("This backend is closed. Open another one.")
        return self._opened

    def _checked(self, nest: Nest) -> tuple[compiling.Native, int, np.ndarray[Any, Any]]:
        if nest.elements != self.elements:
            raise ValueError(
                f"The nest covers {nest.elements} elements, and the buffers have {self.elements}. "
                "Open a backend for as many as the nest covers."
            )
        plan = Plan.of(nest)
        native = self.cache.native(plan)
        workers = min(plan.parallel, self._workers)
        bounds = np.array([plan.parallel * part // workers for part in range(workers + 1)], np.int64)
        self._check(native, bounds, f"The nest\n{nest}")
        return native, workers, bounds

    def _check(self, native: compiling.Native, bounds: np.ndarray[Any, Any], what: str) -> None:
        self._buffers.spoil()
        begun = time.perf_counter()
        run_together(compiling.process_driver().once, self._shared(native, bounds), self._cpus)
        self._was_slow = time.perf_counter() - begun > _SLOW_SECONDS
        self._buffers.check(what)

    def _reading(
        self, native: compiling.Native, workers: int, bounds: np.ndarray[Any, Any], spent: float
    ) -> Reading:
        shared = self._shared(native, bounds)
        budget = min(self._budget_seconds, max(0.0, _WHOLE_SECONDS - spent))
        shared.budget_ns = round(budget * 1e9)
        shared.patience_ns = round(_PATIENCE_SECONDS * 1e9)
        shared.warm = self._was_slow
        run_together(compiling.process_driver().measure, shared, self._cpus)
        times = self._times[: shared.samples].tolist()
        return Reading(
            elements=self.elements,
            seconds=tuple(taken / 1e9 / shared.calls for taken in times),
            calls=shared.calls,
            threads=workers,
        )

    def _shared(self, native: compiling.Native, bounds: np.ndarray[Any, Any]) -> Shared:
        shared = new_shared()
        shared.a, shared.b, shared.c = (
            buffer.ctypes.data for buffer in (self._buffers.a, self._buffers.b, self._buffers.c)
        )
        shared.nest = native.address(lowering.NEST)
        shared.workers, shared.bounds = len(bounds) - 1, bounds.ctypes.data
        shared.target_ns, shared.calls = _BATCH_NS, 1
        shared.least, shared.most, shared.times = _LEAST_SAMPLES, _MOST_SAMPLES, self._times.ctypes.data
        return shared
