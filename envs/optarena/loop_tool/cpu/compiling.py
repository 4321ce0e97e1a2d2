"""Compiles IR to native code for this host with llvmlite, which no other module uses.

Every LLVM object has one owner here: a :class:`Native` owns the engine that holds its code, the cache owns
the natives, and ``close()`` frees both.
"""

from __future__ import annotations

import ctypes
import platform
import re
import sys
from collections import OrderedDict
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

import llvmlite
import llvmlite.binding as llvm

from optarena.errors import PlatformNotSupported
from optarena.loop_tool.cpu import lowering

if TYPE_CHECKING:
    from optarena.loop_tool.nest import Plan

MEASURE: Final = "measure"
TOGETHER: Final = "together"
_LINE_WORDS: Final = 8  # 64-bit words of a cache line


class Shared(ctypes.Structure):
    """What the workers share; the parts that several write have a cache line each."""

    _fields_ = (
        # Addresses of both operands, of the result and of the function that is called; the number of workers;
        # the address of their first shared-out iterations, and of the end: ``workers + 1`` numbers.
        *((name, ctypes.c_int64) for name in ("a", "b", "c", "nest", "workers", "bounds")),
        # Nanoseconds: the least CPU time of a batch; on the clock, after which ``least`` samples do, and
        # after which any number does.
        *((name, ctypes.c_int64) for name in ("target_ns", "budget_ns", "patience_ns")),
        # Samples at least, where there is time, and at most, for which ``times`` has room (an address;
        # nanoseconds); workers that were not allowed to stay on their CPU.
        *((name, ctypes.c_int64) for name in ("least", "most", "times", "unpinned")),
        ("_padding0", ctypes.c_int64 * 3),
        # Calls of a batch; samples so far; whether the last batch was run; whether a batch that is long
        # enough was run, or none is needed; the clock at the start; the largest CPU time of a worker in this
        # batch.
        *((name, ctypes.c_int64) for name in ("calls", "samples", "done", "warm", "begun", "used")),
        ("_padding1", ctypes.c_int64 * 2),
        ("arrived", ctypes.c_int64),  # workers that wait at the barrier
        ("_padding2", ctypes.c_int64 * (_LINE_WORDS - 1)),
        ("round", ctypes.c_int64),  # how often all have met there
        ("aborted", ctypes.c_int64),  # not 0: waiting has no sense, a worker is missing
        ("_padding3", ctypes.c_int64 * (_LINE_WORDS - 2)),
    )


class Task(ctypes.Structure):
    """What a worker does: the function ``entry`` on the CPUs of a mask.

    The native code notes ``thread``; the first worker has none of its own.
    """

    _fields_ = tuple(
        (name, ctypes.c_int64) for name in ("shared", "worker", "entry", "mask", "mask_bytes", "thread")
    )


class Team(ctypes.Structure):
    """The tasks of all workers, and the set of CPUs that the calling thread gets back.

    The native code notes in ``started`` how many workers there were, the calling thread among them.
    """

    _fields_ = tuple(
        (name, ctypes.c_int64) for name in ("tasks", "workers", "before", "before_bytes", "started")
    )


_SPIN_HINTS: Final = {"x86_64": "pause", "aarch64": "yield"}  # tells a core that its thread only waits
# Attributes of the functions: what clang compiled for.
_TARGET: Final = re.compile(r' "(?:target-cpu|target-features|tune-cpu)"="[^"]*"')


def driver(architecture: str) -> str:
    """The driver's IR, for code that is generated for any 64-bit Linux.

    It has ``measure(shared, worker)``, and ``together(team)``, which calls it or another function as each
    worker. The result of ``together`` is 0, or the error number where a thread could not be started: then no
    worker has met all others, and each was told to give up by ``aborted``.
    """
    text = resources.files(f"{__package__}.native").joinpath("driver.ll").read_text()
    hint = _SPIN_HINTS.get(architecture, "")
    return _TARGET.sub("", text).replace('asm sideeffect "pause"', f'asm sideeffect "{hint}"')


_CACHED: Final = 64
_OPTIMISATION: Final = 3
_SAMPLE_ELEMENTS: Final = 1 << 20  # of the reference loop that shows which vectors LLVM prefers for this CPU
_VECTOR: Final = re.compile(r"<(\d+) x float>")
_SCALABLE: Final = re.compile(r"<vscale x (\d+) x float>")

# A call releases Python's global interpreter lock.
_Together = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)


class Native:
    def __init__(self, engine: Any) -> None:  # noqa: ANN401 # llvmlite has no types
        self._engine = engine

    def address(self, name: str) -> int:  # valid until `close()`
        return int(self._engine.get_function_address(name))

    def close(self) -> None:
        self._engine.close()


class Host:
    """The CPU that code is compiled for.

    ``width`` has the elements of the widest vector in straight-line code: that of the optimised reference, so
    that the comparison is fair. With AVX-512, LLVM prefers 256 bits for some CPUs and 512 for others.
    """

    def __init__(self) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        llvm.initialize_native_asmparser()  # the driver has inline assembly
        self.cpu = str(llvm.get_host_cpu_name())
        self.features: dict[str, bool] = dict(llvm.get_host_cpu_features())
        machine = self.machine()
        with _module(lowering.reference(_SAMPLE_ELEMENTS), machine, optimise=True) as module:
            self.width = widest_vector(str(module))

    def machine(self) -> Any:  # noqa: ANN401 # llvmlite has no types
        # An engine then owns it.
        return llvm.Target.from_default_triple().create_target_machine(
            cpu=self.cpu,
            features=",".join(f"{'+' if on else '-'}{name}" for name, on in sorted(self.features.items())),
            opt=_OPTIMISATION,
            jit=True,
        )


def widest_vector(text: str) -> int:
    # A scalable vector counts with its minimum length: straight-line code has vectors of fixed length.
    kinds = [_VECTOR, _SCALABLE]
    return max((int(found[1]) for kind in kinds for found in kind.finditer(text)), default=1)


@cache
def host() -> Host:
    if sys.platform != "linux":
        raise PlatformNotSupported(
            f"loop_tool measures on the CPU only under Linux; this is {platform.system()}. "
            "Use the container image, or name a service on a Linux machine."
        )
    return Host()


def compile_ir(text: str, *, optimise: bool = False) -> Native:
    # With LLVM's own passes, vectoriser and unroller included, at level 3 if `optimise`.
    machine = host().machine()
    engine = llvm.create_mcjit_compiler(_module(text, machine, optimise=optimise), machine)
    engine.finalize_object()
    return Native(engine)


def _module(text: str, machine: Any, *, optimise: bool) -> Any:  # noqa: ANN401 # llvmlite has no types
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    module.verify()
    if optimise:
        options = llvm.create_pipeline_tuning_options(speed_level=_OPTIMISATION)
        options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = True
        builder = llvm.create_pass_builder(machine, options)
        with builder.getModulePassManager() as passes:
            passes.run(module, builder)
        builder.close()
    return module


def compile_nest(plan: Plan) -> Native:
    return compile_ir(lowering.lower(plan, host().width))


class Driver:
    def __init__(self) -> None:
        self._native = compile_ir(driver(platform.machine()))
        self.measure = self._native.address(MEASURE)
        self.together = _Together(self._native.address(TOGETHER))


@cache
def process_driver() -> Driver:  # forked processes inherit it
    return Driver()


class CompileCache:
    def __init__(self, compile_plan: Callable[[Plan], Native] = compile_nest, size: int = _CACHED) -> None:
        self.hits = 0
        self.misses = 0
        self._compile = compile_plan
        self._size = size
        self._kept: OrderedDict[Plan, Native] = OrderedDict()

    def native(self, plan: Plan) -> Native:  # valid until the next call
        if plan in self._kept:
            self.hits += 1
            self._kept.move_to_end(plan)
            return self._kept[plan]
        self.misses += 1
        native = self._kept[plan] = self._compile(plan)
        if len(self._kept) > self._size:
            _, oldest = self._kept.popitem(last=False)
            oldest.close()
        return native

    def close(self) -> None:
        while self._kept:
            self._kept.popitem()[1].close()


def llvm_version() -> str:
    return f"{'.'.join(map(str, llvm.llvm_version_info))} (llvmlite {llvmlite.__version__})"
