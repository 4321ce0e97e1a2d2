"""The CPU backend: permanent buffers, a cache of compiled nests, checked outputs and times."""

from __future__ import annotations

import contextlib
import ctypes
import math
import os
import random
import re
import time
from collections.abc import Callable, Collection, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from optarena.errors import DeviceUnavailable
from optarena.loop_tool.backend import IncorrectOutput, Reading
from optarena.loop_tool.cpu import compiling, lowering
from optarena.loop_tool.cpu.compiling import Shared, Task, Team
from optarena.loop_tool.nest import Nest, Plan
from optarena.measuring import machine
from optarena.measuring.machine import exclusive

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Bounds = np.ndarray[Any, np.dtype[np.int64]]

_PAGE: Final = 4096
# Of the three buffers in a page: they differ, since loads wait for stores to the same offset.
_OFFSETS: Final = (0, 21 * 64, 42 * 64)
_GUARD_BYTES: Final = 4096
_GUARD: Final = 0xA5
# Inputs repeat after these primes: filling is fast, and no pair occurs twice in the largest benchmark.
_PERIODS: Final = (65521, 65519)
_SEED: Final = 11
_CHUNK: Final = 1 << 16  # elements compared at once, few enough to stay in the cache


class Buffers:
    """Inputs without a zero, and an output between guard zones."""

    def __init__(self, elements: int) -> None:
        self.a, self.b = (_inputs(elements, number) for number in (0, 1))
        memory = _memory(elements, _OFFSETS[2])
        end = _GUARD_BYTES + 4 * elements
        self.c: NDArray[np.float32] = memory[_GUARD_BYTES:end].view(np.float32)
        self._guards = (memory[:_GUARD_BYTES], memory[end:])

    def spoil(self) -> None:  # NaN is wrong everywhere
        self.c.fill(np.nan)

    def check(self, what: str) -> None:
        total = len(self.c)
        expected = np.empty(min(_CHUNK, total), np.float32)
        for begin in range(0, total, _CHUNK):
            part = slice(begin, min(begin + _CHUNK, total))
            right = expected[: part.stop - begin]
            np.add(self.a[part], self.b[part], out=right)
            if not np.array_equal(self.c[part].view(np.uint32), right.view(np.uint32)):
                wrong = int(np.argmax(self.c[part].view(np.uint32) != right.view(np.uint32)))
                raise IncorrectOutput(
                    f"{what} computed {float(self.c[begin + wrong])} instead of {float(right[wrong])} for "
                    f"element {begin + wrong} of {total}. It was not timed."
                )
        if any((guard != _GUARD).any() for guard in self._guards):
            raise IncorrectOutput(f"{what} wrote outside its {total} elements. It was not timed.")


def _inputs(elements: int, number: int) -> NDArray[np.float32]:
    # Numbers in [1, 2), the same in every process.
    period = _PERIODS[number]
    bits = np.frombuffer(random.Random(_SEED + number).randbytes(4 * period), np.uint32)  # noqa: S311 # test data
    pattern = ((bits & 0x007FFFFF) | 0x3F800000).view(np.float32)
    memory = _memory(elements, _OFFSETS[number])
    values = memory[_GUARD_BYTES : _GUARD_BYTES + 4 * elements].view(np.float32)
    for begin in range(0, elements, period):
        values[begin : begin + period] = pattern[: elements - begin]
    return values


def _memory(elements: int, offset: int) -> NDArray[np.uint8]:  # with guard zones around them
    size = 4 * elements + 2 * _GUARD_BYTES
    raw: NDArray[Any] = np.empty(size + _PAGE, np.uint8)
    begin = (offset - raw.ctypes.data) % _PAGE
    memory = raw[begin : begin + size]
    # Guards surround the inputs too: the sum of two guards is not a guard, so adding and storing them shows.
    memory[:_GUARD_BYTES] = memory[-_GUARD_BYTES:] = _GUARD
    return memory


_GROUPS: Final = Path("/proc/self/cgroup")
_MOUNTS: Final = Path("/proc/self/mountinfo")
_ESCAPED: Final = re.compile(r"\\([0-7]{3})")
_ROOT, _POINT = 3, 4  # fields of a line of mounts: the mounted folder of the file system, and the mount point


@cache
def cpu_quota() -> float | None:
    # In CPUs. Read once: a confined process can open no file.
    quotas = [quota_in(folder) for folder in folders(machine.text_of(_GROUPS), machine.text_of(_MOUNTS))]
    return min((quota for quota in quotas if quota is not None), default=None)


def folders(groups: str, mounts: str) -> list[Path]:
    # From /proc/self/cgroup and /proc/self/mountinfo: the folders of the groups that limit a process's CPU
    # time, and of all groups above them.
    paths = {}
    for line in groups.splitlines():
        _, controllers, path = line.split(":", 2)
        if not controllers or "cpu" in controllers.split(","):
            paths["cgroup" if controllers else "cgroup2"] = PurePosixPath(path)
    found: list[Path] = []
    for line in mounts.splitlines():
        fields, _, rest = line.partition(" - ")
        kind, _, options = rest.partition(" ")
        if kind not in paths or (kind == "cgroup" and "cpu" not in re.split("[, ]", options)):
            continue
        root, point = (
            _ESCAPED.sub(lambda found: chr(int(found[1], 8)), fields.split()[field])
            for field in (_ROOT, _POINT)
        )
        # In a container the mount may begin at the process's own group, or the path at another's.
        inside = paths[kind].relative_to(root) if paths[kind].is_relative_to(root) else PurePosixPath()
        found += [Path(point, part) for part in (inside, *inside.parents) if ".." not in part.parts]
    return list(dict.fromkeys(found))


def quota_in(folder: Path) -> float | None:
    both = machine.text_of(folder / "cpu.max")
    parts = (machine.text_of(folder / f"cpu.cfs_{one}_us") for one in ("quota", "period"))
    return quota(both or " ".join(parts))


def quota(text: str) -> float | None:
    # 150000 100000, microseconds in a period, is 1.5; `max` and negative numbers mean no quota.
    match text.split():
        case [most, period] if most.isdecimal() and period.isdecimal() and int(period) > 0:
            return int(most) / int(period)
    return None


_FEATURES: Final = ("sse4.2", "avx", "avx2", "fma", "avx512f", "neon", "sve")


@cache
def fixed_facts() -> dict[str, Any]:  # read before a process is confined, when files can still be opened
    host = compiling.host()
    return {
        **machine.fixed_facts(),
        "llvm_cpu": host.cpu,
        "features": [name for name in _FEATURES if host.features.get(name)],
        "vector_elements": host.width,
        "llvm": compiling.llvm_version(),
        "cpu_quota": cpu_quota(),
    }


def facts(cpus: tuple[int, ...]) -> dict[str, Any]:
    core_of = machine.cores()
    cores = len({core_of[cpu] for cpu in cpus}) if core_of.keys() >= set(cpus) else None
    return {**fixed_facts(), "cpus": len(cpus), "cores": cores, "load_average": machine.load_average()}


def may_open_files() -> bool:
    try:
        os.close(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
    except PermissionError:
        return False
    return True


_ALIGNMENT: Final = 64
_WORD_BITS: Final = 64


def new_shared() -> Shared:  # all 0, at the start of a cache line
    memory = (ctypes.c_char * (ctypes.sizeof(Shared) + _ALIGNMENT))()
    return Shared.from_buffer(memory, -ctypes.addressof(memory) % _ALIGNMENT)


def run_together(entry: int, shared: Shared, cpus: Sequence[int]) -> None:
    """Call a native function as ``entry(shared, worker)`` once for each worker, at the same time.

    Worker ``i`` runs on CPU ``i`` modulo the length of the list. If pinning is refused, it runs on any CPU,
    and ``shared.unpinned`` counts it. Afterwards the calling thread may use the same CPUs as before. The
    function must check ``shared.aborted`` while it waits for other workers.
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


def _mask(cpus: Collection[int]) -> ctypes.Array[ctypes.c_uint64]:  # the kernel's format
    mask = (ctypes.c_uint64 * (max(cpus) // _WORD_BITS + 1))()
    for cpu in cpus:
        mask[cpu // _WORD_BITS] |= 1 << cpu % _WORD_BITS
    return mask


BUDGET_SECONDS: Final = 0.1  # of the samples of one reading
# Time of a whole reading after which one sample suffices: checking may have taken long. Opening and compiling
# are not counted, because a first reading might then be a single call.
_WHOLE_SECONDS: Final = 0.2
_SHORTEST_SECONDS: Final = 0.01  # of the samples, however long the rest took
# The limit over all threads together: a session has 10 s for an observation. The checked call and the last
# sample may each take at most as long again.
_CPU_SECONDS: Final = 2.0
_BATCH_NS: Final = 1_000_000
_LEAST_SAMPLES: Final = 3
_MOST_SAMPLES: Final = 100
# A checked call that takes longer is warm-up enough, and counts as a sample if time is short.
_SLOW_SECONDS: Final = 0.005

_NO_READING: Final[dict[str, Any]] = {"exclusive": None, "pinned": None, "cpu_share": None}


def limits(wanted: float, spent: float, workers: int) -> tuple[float, float]:
    # Wall time after which the minimum of samples suffices, and after which a single one does. Threads use
    # CPU time even while they wait.
    patience = min(max(_SHORTEST_SECONDS, _WHOLE_SECONDS - spent), _CPU_SECONDS / workers)
    return min(wanted, patience), patience


def usable_workers(cpus: int, quota: float | None) -> int:
    # With one more, all would be stopped now and then.
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
        compiling.process_driver()
        self.elements = elements
        self.cache = compiling.CompileCache(compile_plan)
        self._cpus = machine.cores_first(os.sched_getaffinity(0), machine.cores())
        self._workers = workers or usable_workers(len(self._cpus), cpu_quota())
        self._alone = alone
        self._budget_seconds = budget_seconds
        self._opened: Buffers | None = Buffers(elements)
        self._times = np.zeros(_MOST_SAMPLES, np.int64)
        self._reference: compiling.Native | None = None
        self._last = dict(_NO_READING)

    def read(self, nest: Nest) -> Reading:
        with self._exclusively():
            return self._measure(*self._prepare(nest))

    def verify(self, nest: Nest) -> int:  # returns the number of threads that shared the work
        with self._exclusively():
            return self._call_checked(*self._prepare(nest)).threads

    def reference(self) -> Reading:  # a plain loop that LLVM optimises at level 3, with one thread
        if self._reference is None:
            self._require_open()
            self._reference = compiling.compile_ir(lowering.reference(self.elements), optimise=True)
        bounds = np.array([0, 1], np.int64)
        with self._exclusively():
            return self._measure(self._reference, bounds, "The reference loop")

    def machine(self) -> dict[str, Any]:
        # Of the last reading, None before the first: whether other backends were kept from measuring, whether
        # all threads stayed on their CPUs, and the share of the time that a thread ran while samples were
        # taken.
        return {**facts(self._cpus), "workers": self._workers, **self._last}

    def close(self) -> None:
        self.cache.close()
        if self._reference is not None:
            self._reference.close()
        self._reference = None
        self._opened = None

    def _exclusively(self) -> contextlib.AbstractContextManager[None]:
        is_alone = self._alone and may_open_files()
        self._last = {**_NO_READING, "exclusive": is_alone}
        return exclusive(self.identity) if is_alone else contextlib.nullcontext()

    def _require_open(self) -> Buffers:
        if self._opened is None:
            raise ValueError("This backend is closed. Open another one.")
        return self._opened

    def _prepare(self, nest: Nest) -> tuple[compiling.Native, _Bounds, str]:
        # Code, each thread's first iteration and the end, and a name for messages.
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

    def _measure(self, native: compiling.Native, bounds: _Bounds, what: str) -> Reading:
        begun = time.perf_counter()
        checked = self._call_checked(native, bounds, what)
        budget, patience = limits(self._budget_seconds, time.perf_counter() - begun, checked.threads)
        # By the call's own time: a busy machine may let it wait.
        if checked.median_seconds > patience:
            return checked  # there is no time for a second call
        shared = self._make_shared(native, bounds)
        shared.target_ns, shared.warm = _BATCH_NS, checked.median_seconds > _SLOW_SECONDS
        shared.budget_ns, shared.patience_ns = round(budget * 1e9), round(patience * 1e9)
        shared.least, shared.most = _LEAST_SAMPLES, _MOST_SAMPLES
        return self._run(shared)

    def _call_checked(self, native: compiling.Native, bounds: _Bounds, what: str) -> Reading:
        # A single call.
        buffers = self._require_open()
        buffers.spoil()
        shared = self._make_shared(native, bounds)
        shared.warm = shared.most = 1
        reading = self._run(shared)
        buffers.check(what)
        return reading

    def _run(self, shared: Shared) -> Reading:
        begun, used = time.perf_counter(), time.process_time()
        run_together(compiling.process_driver().measure, shared, self._cpus)
        seconds = time.perf_counter() - begun
        ran = (time.process_time() - used) / seconds / shared.workers
        self._last |= {"pinned": shared.unpinned == 0, "cpu_share": min(1.0, round(ran, 3))}
        return Reading(
            elements=self.elements,
            seconds=tuple(taken / 1e9 / shared.calls for taken in self._times[: shared.samples].tolist()),
            calls=shared.calls,
            threads=shared.workers,
        )

    def _make_shared(self, native: compiling.Native, bounds: _Bounds) -> Shared:
        shared, buffers = new_shared(), self._require_open()
        shared.a, shared.b, shared.c = (buffer.ctypes.data for buffer in (buffers.a, buffers.b, buffers.c))
        shared.nest = native.address(lowering.NEST)
        shared.workers, shared.bounds = len(bounds) - 1, bounds.ctypes.data
        shared.calls, shared.times = 1, self._times.ctypes.data
        return shared
