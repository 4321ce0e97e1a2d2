"""Autophase in slow and plain Python, over LLVM's C interface: what the compiled helper must equal."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from optarena.llvm.feature_names import AUTOPHASE_NAMES
from optarena.machine_code.libllvm import library

if TYPE_CHECKING:
    from optarena.llvm.module import Module

_INTEGER_KIND: Final = 8
_INVOKE: Final = 5
_BRANCH: Final = 2
_CALL: Final = 45
_PHI: Final = 44
_OPCODES: Final = dict(
    zip(
        (1, 2, 8, 10, 12, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 41, 42, 44, 45, 46),
        (
            *("Ret", "Br", "Add", "Sub", "Mul", "Shl", "LShr", "AShr", "And", "Or", "Xor", "Alloca", "Load"),
            *("Store", "GetElementPtr", "Trunc", "ZExt", "SExt", "BitCast", "ICmp", "PHI", "Call", "Select"),
        ),
        strict=True,
    )
)
_INTEGER_RESULTS: Final = frozenset(
    (
        *("IsDeclaration", "GetInstructionOpcode", "GetNumSuccessors", "IsConditional", "CountIncoming"),
        *("GetNumOperands", "GetTypeKind", "GetIntTypeWidth", "IsNull"),
    )
)


def reference(module: Module) -> list[int]:
    counts: Counter[str] = Counter()
    for function in _each(_c("GetFirstFunction")(module.handle), _c("GetNextFunction")):
        if _c("IsDeclaration")(function):
            continue
        counts["TotalFuncs"] += 1
        blocks = list(_each(_c("GetFirstBasicBlock")(function), _c("GetNextBasicBlock")))
        successors = {block: _successors(block) for block in blocks}
        predecessors = Counter(target for targets in successors.values() for target in targets)
        for block in blocks:
            _count_edges(counts, successors[block], predecessors, block)
            _count_block(counts, list(_each(_c("GetFirstInstruction")(block), _c("GetNextInstruction"))))
    counts["BranchCount"] = counts["NumBrInst"]
    counts["TotalMemInst"] = counts["invoke"] + sum(
        counts[f"Num{name}Inst"] for name in ("GetElementPtr", "Load", "Store", "Call", "Alloca")
    )
    return [counts[name] for name in AUTOPHASE_NAMES]


def _count_edges(counts: Counter[str], targets: list[int], predecessors: Counter[int], block: int) -> None:
    after, before = len(targets), predecessors[block]
    counts["TotalBlocks"] += 1
    counts["NumEdges"] += after
    counts["CriticalCount"] += sum(after > 1 and predecessors[target] > 1 for target in targets)
    for name, holds in {
        "oneSuccessor": after == 1,
        "twoSuccessor": after == 2,
        "onePred": before == 1,
        "onePredOneSuc": (before, after) == (1, 1),
        "onePredTwoSuc": (before, after) == (1, 2),
        "twoPred": before == 2,
        "twoPredOneSuc": (before, after) == (2, 1),
        "twoEach": (before, after) == (2, 2),
        "morePreds": before > 2,
    }.items():
        counts[name] += holds


def _count_block(counts: Counter[str], instructions: list[int]) -> None:
    size = len(instructions)
    phis = [i for i in instructions if _c("GetInstructionOpcode")(i) == _PHI]
    incoming = sum(_c("CountIncoming")(phi) for phi in phis)
    counts["TotalInsts"] += size
    counts["ArgsPhi"] += incoming
    for name, holds in {
        "BlockLow": size < 15,
        "BlockMid": 15 <= size <= 500,
        "BBNumArgsHi": incoming > 5,
        "BBNumArgsLo": 1 <= incoming <= 5,
        "BBNoPhi": not phis,
        "BB03Phi": 1 <= len(phis) <= 3,
        "BBHiPhi": len(phis) > 3,
        "BeginPhi": phis[:1] == instructions[:1],
    }.items():
        counts[name] += holds
    for instruction in instructions:
        _count_instruction(counts, instruction)


def _count_instruction(counts: Counter[str], instruction: int) -> None:
    opcode = _c("GetInstructionOpcode")(instruction)
    if opcode in _OPCODES:
        counts[f"Num{_OPCODES[opcode]}Inst"] += 1
    counts["invoke"] += opcode == _INVOKE
    counts["UncondBranches"] += opcode == _BRANCH and not _c("IsConditional")(instruction)
    counts["testUnary"] += _c("IsAUnaryInstruction")(instruction) is not None
    counts["returnInt"] += opcode == _CALL and _returns_integer(instruction)
    operands = [_c("GetOperand")(instruction, i) for i in range(_c("GetNumOperands")(instruction))]
    counts["binaryConstArg"] += _c("IsABinaryOperator")(instruction) is not None and any(
        _c("IsAConstant")(operand) for operand in operands
    )
    for operand in operands:
        if _c("IsAConstantInt")(operand):
            _count_constant(counts, operand)


def _count_constant(counts: Counter[str], constant: int) -> None:
    width = _c("GetIntTypeWidth")(_c("TypeOf")(constant))
    text = library().take_string(_c("PrintValueToString")(constant))
    counts["const32Bit"] += width == 32
    counts["const64Bit"] += width == 64
    counts["numConstZeroes"] += text in (f"i{width} 0", "i1 false")
    counts["numConstOnes"] += text in (f"i{width} 1", "i1 true")


def _returns_integer(call: int) -> bool:
    callee = _c("GetCalledValue")(call)
    if not _c("IsAFunction")(callee):
        return False
    kind = _c("GlobalGetValueType")(callee)
    same: bool = kind == _c("GetCalledFunctionType")(call)
    return same and _c("GetTypeKind")(_c("GetReturnType")(kind)) == _INTEGER_KIND


def _successors(block: int) -> list[int]:
    terminator = _c("GetBasicBlockTerminator")(block)
    return [_c("GetSuccessor")(terminator, i) for i in range(_c("GetNumSuccessors")(terminator))]


def _each(first: int | None, following: Callable[[int], int | None]) -> Iterator[int]:
    while first:
        yield first
        first = following(first)


@cache
def _handle() -> ctypes.CDLL:
    return ctypes.CDLL(str(library().path))


@cache
def _c(name: str) -> Callable[..., Any]:
    """A function of the C interface: handles in, a number or a handle out."""
    function = _handle()[f"LLVM{name}"]
    takes_index = name in ("GetOperand", "GetSuccessor")
    function.argtypes = [ctypes.c_void_p, ctypes.c_uint] if takes_index else [ctypes.c_void_p]
    function.restype = ctypes.c_int if name in _INTEGER_RESULTS else ctypes.c_void_p
    return function
