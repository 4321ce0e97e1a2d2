"""Executes an optimised kernel on the CPU, so that what passes made is tested without a GPU.

The NVPTX IR is retargeted as text: target, calling convention and address spaces go, thread and block
numbers are read from variables, a barrier switches to the next thread (``native/fibers.c``). LLVM's own code
generator then compiles it for a plain x86-64 without fused operations, so the same IR semantics give the
same bits.

Each case runs with its threads in ascending, descending and permuted order; all must write the same bytes.
Shared memory is filled with a pattern before each block, outputs and stacks before each launch, and there are
guards around every array and every variable in shared memory. A CPU has one kind of memory where a GPU has
several, so names of variables that are used as if they were in another kind are looked for in the text. Not
covered: ptxas, the memory model of a GPU, whether an addition is atomic, and numbers that depend on fused
multiplication and addition.
"""

from __future__ import annotations

import array
import ctypes
import hashlib
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from itertools import count
from typing import Any, Final

import llvmlite.binding as llvm

from optarena.errors import InvalidInput
from optarena.gpu_kernels import engine
from optarena.gpu_kernels.programs import VARIABLE, Argument, Case, drawn, parameters

GUARD: Final = 256  # bytes before and after each array
STACK_BYTES: Final = 64 * 1024  # of one thread: local arrays, and values that the CPU has no registers for
# A prime above any number of threads: its multiples visit all threads of a block in a mixed order.
PERMUTED: Final = 611_953
_ALIGNED: Final = 64
_FOREIGN: Final = b"\x5a"
_UNWRITTEN: Final = b"\xff"
_HEAD: Final = re.compile(r"^target (datalayout|triple) = .*$", re.MULTILINE)
_SHARED: Final = re.compile(
    rf"^(?P<name>{VARIABLE}) = [^\n]*?addrspace\(3\) global "
    r"(?P<type>.+?) (?:undef|poison|zeroinitializer)\b[^\n]*",
    re.MULTILINE,
)
_GUARDED: Final = f"{{[{GUARD} x i8], %s, [{GUARD} x i8]}}"  # a variable in shared memory, with its guards
_IN_GUARD: Final = f"i64 {GUARD}, i8 {_FOREIGN[0]}"
_REGISTERS: Final = {
    "tid": "optarena_thread",
    "ntid": "optarena_block_size",
    "ctaid": "optarena_block",
    "nctaid": "optarena_grid_size",
}
_CAST: Final = re.compile(
    r"addrspacecast \(?ptr(?: addrspace\((?P<own>\d+)\))? (?:getelementptr[^@\n]*)?"
    r"(?P<name>@\"[^\"\n]*\"|@[\w.$-]+)(?:(?:, i\d+ -?\d+)+\))? to ptr addrspace\((?P<other>\d+)\)"
)
_GLOBAL, _SHARED_SPACE, _CONSTANT, _LOCAL = 1, 3, 4, 5
# By LLVM's number; a variable without one is in global memory.
_KINDS: Final = {_GLOBAL: "global", _SHARED_SPACE: "shared", _CONSTANT: "constant", _LOCAL: "local"}
_BARRIER: Final = re.compile(r"@llvm\.nvvm\.barrier\.cta\.sync\.aligned\.all\(([^()\n]*)\)")
_LIFETIME: Final = re.compile(r"^ *(?:tail )?call void @llvm\.lifetime\.[^\n]*$", re.MULTILINE)
_ATTRIBUTES: Final = re.compile(r'"(?:target-cpu|target-features|tune-cpu)"="[^"]*"')
_DECLARED: Final = re.compile(r"^declare [^\n]*@llvm\.nvvm\.[^\n]*$", re.MULTILINE)


class _Launch(ctypes.Structure):
    """``struct launch`` of ``native/fibers.c``."""

    _fields_ = (
        ("grid", ctypes.c_uint32 * 2),
        ("block", ctypes.c_uint32 * 2),
        ("order", ctypes.c_void_p),
        ("stacks", ctypes.c_void_p),
        ("stack_bytes", ctypes.c_uint64),
        ("contexts", ctypes.c_void_p),
        ("ended", ctypes.c_void_p),
        ("places", ctypes.c_void_p),
        ("arguments", ctypes.c_void_p),
        ("changed_guard", ctypes.c_uint64),
        ("apart", ctypes.c_uint64),
    )


@cache
def fibers() -> str:  # read once: a confined process can open no file
    return resources.files("optarena.gpu_kernels").joinpath("native", "fibers.ll").read_text("utf-8")


class Emulated:
    """A kernel as code for this machine.

    Args:
        ir: The optimised NVPTX IR.
        kernel: The name of the function.

    Raises:
        InvalidInput: The IR cannot be executed on a CPU; the message names the construct.
    """

    def __init__(self, ir: str, kernel: str) -> None:
        self._misplaced = misplaced(ir)
        engine.kernels()  # registers the targets
        target = llvm.Target.from_default_triple()
        machine = target.create_target_machine(cpu="x86-64", features="", opt=1, jit=True)
        self._shared = [found["name"] for found in _SHARED.finditer(ir)]
        text = _retargeted(ir, kernel, machine.triple, str(machine.target_data))
        context = llvm.create_context()
        try:
            module = llvm.parse_assembly(text, context)
            module.verify()
        except RuntimeError as error:
            raise InvalidInput(
                f"The kernel cannot be executed on a CPU: {str(error)[:300]}",
                field="program",
                remedy="Report the kernel and its actions.",
            ) from error
        module.link_in(llvm.parse_assembly(fibers(), context))
        self._engine: Any = llvm.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()
        address = self._engine.get_function_address("optarena_launch")
        self._launch = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)

    def outputs(self, case: Case) -> list[bytes]:
        """Run a case in all orders of threads; the bytes of each output.

        Raises:
            WrongAccess: A thread wrote outside an array or into an input, the result depends on the order of
                threads, or a variable is used as if it were in another kind of memory.
        """
        if self._misplaced:
            raise WrongAccess(self._misplaced)
        if case.too_large:
            raise InvalidInput(
                f"The case has {case.too_large} can be executed on a CPU.",
                field="case",
                remedy="Choose a smaller case.",
            )
        found = [self._run_in_order(case, list(order)) for order in _orders(case.threads)]
        for other in found[1:]:
            for number, (one, two) in enumerate(zip(found[0], other, strict=True)):
                if one != two:
                    place = next(i for i, pair in enumerate(zip(one, two, strict=True)) if pair[0] != pair[1])
                    where = f"output {number}, element {place // 4}"
                    raise WrongAccess(f"{where}: it depends on the order of threads; a barrier is missing")
        return found[0]

    def launch(
        self, grid: tuple[int, int], block: tuple[int, int], words: list[int], order: list[int]
    ) -> None:
        values = [ctypes.c_uint64(word) for word in words]
        addresses = (ctypes.c_void_p * len(values))(*[ctypes.addressof(one) for one in values])
        threads, sequence = len(order), array.array("I", order)
        stacks = ctypes.create_string_buffer(threads * STACK_BYTES + _ALIGNED)
        ctypes.memset(stacks, _UNWRITTEN[0], len(stacks))  # zeros would be what many variables begin with
        contexts, ended = (ctypes.c_void_p * threads)(), ctypes.create_string_buffer(threads)
        places = (ctypes.c_uint32 * threads)()
        launch = _Launch(
            grid=(ctypes.c_uint32 * 2)(*grid),
            block=(ctypes.c_uint32 * 2)(*block),
            order=sequence.buffer_info()[0],
            stacks=-(-ctypes.addressof(stacks) // _ALIGNED) * _ALIGNED,
            stack_bytes=STACK_BYTES,
            contexts=ctypes.addressof(contexts),
            ended=ctypes.addressof(ended),
            places=ctypes.addressof(places),
            arguments=ctypes.addressof(addresses),
        )
        self._launch(ctypes.addressof(launch))
        if launch.apart:
            raise WrongAccess("threads of one warp wait at different barriers")
        if launch.changed_guard:
            raise WrongAccess(
                f"a thread wrote outside the shared variable {self._shared[launch.changed_guard - 1]}"
            )

    def _run_in_order(self, case: Case, order: list[int]) -> list[bytes]:
        arrays = [_Guarded(one) if one.kind != "int" else None for one in case.arguments]
        words = [
            given.address if given else one.value & 0xFFFFFFFF
            for given, one in zip(arrays, case.arguments, strict=True)
        ]
        self.launch(case.grid, case.block, words, order)
        for number, given in enumerate(arrays):
            if given and (problem := given.problem()):
                raise WrongAccess(f"argument {number}: {problem}")
        return [given.content() for given in arrays if given and given.is_output]

    def close(self) -> None:
        self._engine.close()


def misplaced(ir: str) -> str:
    # Which variable is used as if it were in another kind of memory. LLVM's `infer-address-spaces` and
    # `instcombine` together do this to a local array that is filled from a constant: the constant's own
    # address is then read as one in a thread's local memory, where nothing is.
    for found in _CAST.finditer(ir):
        own, other = int(found["own"] or _GLOBAL), int(found["other"])
        if other != own:
            name, kinds = found["name"], (_KINDS.get(own, str(own)), _KINDS.get(other, str(other)))
            return f"{name} is in {kinds[0]} memory, and is used as if it were in {kinds[1]} memory"
    return ""


class WrongAccess(Exception):  # never leaves this package: it becomes a program's output
    """What a kernel did that no kernel may."""


def output_text(outputs: list[bytes]) -> str:
    # As workloads record it: a line with length and sha256 for each output.
    lines = (
        f"output {number}: {len(one)} bytes, sha256 {hashlib.sha256(one).hexdigest()}\n"
        for number, one in enumerate(outputs)
    )
    return "".join(lines)


class _Guarded:
    def __init__(self, argument: Argument) -> None:
        self.is_output = argument.kind == "output"
        if self.is_output:
            self._given = (b"\0" if argument.is_integer else _UNWRITTEN) * argument.size_bytes
        else:
            self._given = drawn(argument).tobytes()
        self._buffer = ctypes.create_string_buffer(len(self._given) + 2 * GUARD + _ALIGNED)
        self._start = -(-ctypes.addressof(self._buffer) // _ALIGNED) * _ALIGNED
        self.address = self._start + GUARD
        whole = _FOREIGN * GUARD + self._given + _FOREIGN * GUARD
        ctypes.memmove(self._start, whole, len(whole))

    def content(self) -> bytes:
        return ctypes.string_at(self.address, len(self._given))

    def problem(self) -> str:
        if ctypes.string_at(self._start, GUARD).strip(_FOREIGN):
            return "a thread wrote before the array"
        if ctypes.string_at(self.address + len(self._given), GUARD).strip(_FOREIGN):
            return "a thread wrote behind the array"
        if not self.is_output and self.content() != self._given:
            return "a thread changed an input"
        return ""


def _orders(threads: int) -> Iterator[Iterator[int]]:
    yield iter(range(threads))
    yield iter(range(threads - 1, -1, -1))
    yield (PERMUTED * i % threads for i in range(threads))


def _retargeted(ir: str, kernel: str, triple: str, layout: str) -> str:
    types, shared = parameters(ir, kernel), [found["type"] for found in _SHARED.finditer(ir)]
    numbers = count()
    ir = _SHARED.sub(lambda found: _guard_variable(found["name"], found["type"], next(numbers)), ir)
    ir = _HEAD.sub(
        lambda found: f'target {found[1]} = "{layout if found[1] == "datalayout" else triple}"', ir
    )
    # With lifetimes, two variables may share a place, and one that is not set has the other's value.
    ir = _LIFETIME.sub("", ir)
    ir = _DECLARED.sub("", _ATTRIBUTES.sub("", ir)).replace("ptx_kernel ", "").replace("ptx_device ", "")
    ir = re.sub(r" ?addrspace\([1345]\)", "", ir)
    ir = re.sub(r"addrspacecast (\(?)ptr ", r"bitcast \1ptr ", ir)
    ir = re.sub(r' syncscope\("[a-z]+"\)', "", ir)
    places = count(1)
    ir = _BARRIER.sub(lambda found: f"@optarena_barrier({found[1]}, i32 {next(places)})", ir)
    ir = re.sub(
        r"@llvm\.nvvm\.read\.ptx\.sreg\.(tid|ntid|ctaid|nctaid)\.([xy])\(",
        lambda found: f"@{_REGISTERS[found[1]]}.{found[2]}(",
        ir,
    )
    return "\n".join(
        [ir, *_registers(ir), *_call_of(kernel, types), *_fill_shared(shared), *_check_shared(shared)]
    )


def _registers(ir: str) -> Iterator[str]:
    for name in _REGISTERS.values():
        yield f"@{name} = external global [2 x i32]"
        for index, part in enumerate("xy"):
            if f"@{name}.{part}(" in ir:
                yield (
                    f"define internal i32 @{name}.{part}() {{\n"
                    f"  %value = load i32, ptr getelementptr ([2 x i32], ptr @{name}, i64 0, i64 {index})\n"
                    "  ret i32 %value\n}"
                )
    if "@optarena_barrier(" in ir:
        yield "declare void @optarena_barrier(i32, i32)"


def _call_of(kernel: str, types: list[str]) -> Iterator[str]:
    yield "define void @optarena_kernel(ptr %arguments) {"
    for number, kind in enumerate(types):
        yield f"  %place{number} = getelementptr ptr, ptr %arguments, i64 {number}"
        yield f"  %address{number} = load ptr, ptr %place{number}"
        yield f"  %value{number} = load {kind}, ptr %address{number}"
    given = ", ".join(f"{kind} %value{number}" for number, kind in enumerate(types))
    yield f"  call void @{kernel}({given})\n  ret void\n}}"


def _guard_variable(name: str, kind: str, number: int) -> str:
    whole = _GUARDED % kind
    return (
        f"@optarena_shared.{number} = internal global {whole} undef, align {GUARD}\n"
        f"{name} = internal alias {kind}, {_part(whole, number, 1)}"
    )


def _part(whole: str, number: int, part: int) -> str:
    return f"ptr getelementptr ({whole}, ptr @optarena_shared.{number}, i32 0, i32 {part})"


def _fill_shared(shared: list[str]) -> Iterator[str]:  # a block must not find what another left
    yield "declare void @optarena_fill(ptr, i64, i8)"
    yield "define void @optarena_clear_shared() {"
    for number, kind in enumerate(shared):
        whole = _GUARDED % kind
        size = f"ptrtoint (ptr getelementptr ({kind}, ptr null, i64 1) to i64)"
        for part, given in enumerate((_IN_GUARD, f"i64 {size}, i8 {_UNWRITTEN[0]}", _IN_GUARD)):
            yield f"  call void @optarena_fill({_part(whole, number, part)}, {given})"
    yield "  ret void\n}"


def _check_shared(shared: list[str]) -> Iterator[str]:
    yield "declare void @optarena_check(ptr, i64, i8, i64)"
    yield "define void @optarena_check_shared() {"
    for number, kind in enumerate(shared):
        for part in (0, 2):
            guard = _part(_GUARDED % kind, number, part)
            yield f"  call void @optarena_check({guard}, {_IN_GUARD}, i64 {number + 1})"
    yield "  ret void\n}"
