"""Executes generated CUDA C on the CPU, in place of a GPU: ``OPTARENA_CUDA_DEVICE=cuda_on_cpu:device``.

Clang's CUDA front end makes NVPTX IR of the kernel's own text, which llvmlite compiles for this machine after
four changes: the target, the calling convention, the registers that number threads and blocks, which become
variables, and a call before each access to memory that counts those which are not aligned as they say. Each
thread of the grid then runs to its end, in a chosen order. So what is executed is the kernel that a GPU would
get, up to NVIDIA's code generator, and a result that depends on the order of threads shows. Its times are
those of the emulation and mean nothing.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optarena.cuda.device import Arguments, Launch, Pair, Work
    from optarena.cuda.kernels import Kernel

HEADER = """
#define __global__ __attribute__((global))
#define __launch_bounds__(n) __attribute__((launch_bounds(n)))
#define __device__ __attribute__((device))
struct optarena_index { unsigned x; };
#define threadIdx (optarena_index{(unsigned)__nvvm_read_ptx_sreg_tid_x()})
#define blockIdx (optarena_index{(unsigned)__nvvm_read_ptx_sreg_ctaid_x()})
struct __attribute__((aligned(8))) float2 { float x, y; };
struct __attribute__((aligned(16))) float4 { float x, y, z, w; };
static __device__ inline float2 make_float2(float x, float y) { return {x, y}; }
static __device__ inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
"""
"""What the kernels use of CUDA's own headers."""
FRONT_END = (
    "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib", "-std=c++17",
    "-Wno-unknown-cuda-version", "-O1", "-S", "-emit-llvm", "-o", "-",
)  # fmt: skip
REGISTERS = {"tid": "optarena.thread", "ctaid": "optarena.block"}
"""The special registers of PTX that kernels read, and the functions that take their place."""
RUNNER = """
define void @run.{name}(ptr %x, ptr %y, ptr %z, ptr %order, i64 %count) {{
entry:
  br label %next
next:
  %i = phi i64 [0, %entry], [%following, %body]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %body, label %done
body:
  %place = getelementptr i64, ptr %order, i64 %i
  %number = load i64, ptr %place
  %block64 = udiv i64 %number, {block}
  %thread64 = urem i64 %number, {block}
  %block = trunc i64 %block64 to i32
  %thread = trunc i64 %thread64 to i32
  store i32 %block, ptr @optarena.block.value
  store i32 %thread, ptr @optarena.thread.value
  call void @{name}(ptr %x, ptr %y, ptr %z)
  %following = add i64 %i, 1
  br label %next
done:
  ret void
}}
"""
ACCESS = re.compile(r"^  (?=(?:%\d+ = load|store) .*, ptr (%\d+), align (\d+))", re.MULTILINE)
"""An access to memory in the IR of a kernel, and where its line begins."""
MISALIGNED = "optarena.misaligned"
COUNTER = f"""
@{MISALIGNED} = global i64 0
define internal void @optarena.access(ptr %p, i64 %alignment) {{
  %address = ptrtoint ptr %p to i64
  %rest = urem i64 %address, %alignment
  %wrong = icmp ne i64 %rest, 0
  %one = zext i1 %wrong to i64
  %before = load i64, ptr @{MISALIGNED}
  %after = add i64 %before, %one
  store i64 %after, ptr @{MISALIGNED}
  ret void
}}
"""
ASCENDING, DESCENDING = "ascending", "descending"


def device() -> CpuDevice:
    return CpuDevice()


def thread_order(threads: int, order: str | int) -> NDArray[np.int64]:
    """The numbers of threads: ascending, descending, or permuted by a seed."""
    numbers = np.arange(threads, dtype=np.int64)
    if isinstance(order, int):
        return np.random.default_rng(order).permutation(numbers)
    return numbers if order == ASCENDING else numbers[::-1].copy()


class Compiled:
    """Kernels of different names as code for this machine.

    Args:
        kernels: The kernels; all in one go, since each start of clang takes longer than a kernel.
    """

    def __init__(self, kernels: Sequence[Kernel]) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        self._machine = llvm.Target.from_default_triple().create_target_machine(opt=0, jit=True)
        module = llvm.parse_assembly(self._retargeted(front_end(kernels), kernels))
        module.verify()
        self._engine = llvm.create_mcjit_compiler(module, self._machine)
        self._engine.finalize_object()

    def run(self, kernel: Kernel, x: int, y: int, z: int, threads: NDArray[np.int64]) -> None:
        """Run some of a kernel's threads, in the order given, on the addresses of the operands."""
        address = self._engine.get_function_address(f"run.{kernel.name}")
        word = ctypes.c_void_p
        function = ctypes.CFUNCTYPE(None, word, word, word, word, ctypes.c_int64)(address)
        function(x, y, z, threads.ctypes.data, len(threads))

    def misaligned(self) -> int:
        """The accesses so far that were not aligned as a GPU needs it for their width."""
        return ctypes.c_int64.from_address(self._engine.get_global_value_address(MISALIGNED)).value

    def _retargeted(self, ir: str, kernels: Sequence[Kernel]) -> str:
        ir = re.sub(r"^target datalayout.*\n", "", ir, flags=re.MULTILINE)
        ir = re.sub(
            r'^target triple = ".*"$', f'target triple = "{self._machine.triple}"', ir, flags=re.MULTILINE
        )
        ir = re.sub(r'"(target-cpu|target-features|tune-cpu)"="[^"]*"', "", ir).replace("ptx_kernel ", "")
        ir = ACCESS.sub(r"  call void @optarena.access(ptr \1, i64 \2)\n  ", ir)
        more = [COUNTER, *(RUNNER.format(name=kernel.name, block=kernel.block) for kernel in kernels)]
        for register, name in REGISTERS.items():
            intrinsic = f"@llvm.nvvm.read.ptx.sreg.{register}.x"
            ir = re.sub(rf"^declare .*{re.escape(intrinsic)}\(\).*$", "", ir, flags=re.MULTILINE)
            ir = ir.replace(intrinsic, f"@{name}")
            more.append(
                f"@{name}.value = internal global i32 0\n"
                f"define internal i32 @{name}() {{\n  %v = load i32, ptr @{name}.value\n  ret i32 %v\n}}\n"
            )
        if unknown := re.search(r"@llvm\.nvvm\.[\w.]+", ir):
            raise NotImplementedError(unknown[0])
        return "\n".join([ir, *more])


def front_end(kernels: Sequence[Kernel]) -> str:
    """The NVPTX IR of kernels.

    Raises:
        RuntimeError: Clang refuses them; has its messages.
    """
    clang = Path(sys.prefix, "bin", "clang-22")
    with tempfile.NamedTemporaryFile("w", suffix=".cu") as file:
        file.write("\n".join([HEADER, *(kernel.source for kernel in kernels)]))
        file.flush()
        done = subprocess.run([clang, *FRONT_END, file.name], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout


class CpuDevice:
    """A device whose threads run one after the other on the CPU.

    Args:
        order: In which order: ``ascending``, ``descending`` or the seed of a permutation.
    """

    emulated = True
    identity = "emulated"

    def __init__(self, order: str | int = 2022) -> None:
        self._order = order
        self._memory: list[NDArray[np.uint8]] = []

    def allocate(self, size: int) -> int:
        memory = np.empty(size + 256, np.uint8)
        self._memory.append(memory)
        return memory.ctypes.data + -memory.ctypes.data % 256

    def write(self, address: int, data: NDArray[Any]) -> None:
        ctypes.memmove(address, np.ascontiguousarray(data).ctypes.data, data.nbytes)

    def read(self, address: int, size: int) -> NDArray[np.uint8]:
        return np.frombuffer(ctypes.string_at(address, size), np.uint8).copy()

    def fill(self, address: int, size: int, value: int) -> None:
        ctypes.memset(address, value, size)

    def copy(self, target: int, source: int, size: int) -> None:
        ctypes.memmove(target, source, size)

    def overwrite_caches(self) -> None:
        pass

    def load(self, kernel: Kernel) -> Launch:
        compiled = Compiled([kernel])
        threads = thread_order(kernel.grid * kernel.block, self._order)
        return lambda x, y, z: compiled.run(kernel, x, y, z, threads)

    def load_code(self, code: bytes, name: str, grid: Pair, block: Pair, arguments: Arguments) -> Work:
        raise NotImplementedError(f"{name}: machine code of a GPU cannot be executed on a CPU")

    def repeated(self, work: Work, times: int) -> Work:
        def replay() -> None:
            for _ in range(times):
                work()

        return replay

    def seconds(self, work: Work, before: Work, samples: int) -> list[float]:
        found = []
        for _ in range(samples):
            before()
            start = time.perf_counter()
            work()
            found.append(time.perf_counter() - start)
        return found

    def clocks(self) -> None:
        return None

    def describe(self) -> dict[str, Any]:
        return {"device": "emulated on the CPU"}

    def close(self) -> None:
        self._memory.clear()
