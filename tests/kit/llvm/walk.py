"""Modules walked in Python over LLVM's C interface, slowly and plainly, for references in tests."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from optarena.llvm.feature_names import OPCODES
from optarena.machine_code.libllvm import library

if TYPE_CHECKING:
    from optarena.llvm.module import Module

_NUMBERS: Final = frozenset(
    (
        *("IsDeclaration", "GetInstructionOpcode", "GetNumSuccessors", "IsConditional", "GetNumOperands"),
        *(
            "GetTypeKind",
            "GetIntTypeWidth",
            "GetLinkage",
            "GetIntrinsicID",
        ),
    )
)
_OPCODES: Final = {number: name for name, number in OPCODES.items()}
_INDEXED: Final = frozenset({"GetOperand", "GetSuccessor", "GetSwitchCaseValue"})


@cache
def c(name: str) -> Callable[..., Any]:
    """A function of the C interface: handles in, a number or a handle out."""
    function = _handle()[f"LLVM{name}"]
    function.argtypes = [ctypes.c_void_p, *([ctypes.c_uint] if name in _INDEXED else [])]
    function.restype = ctypes.c_int if name in _NUMBERS else ctypes.c_void_p
    if name == "ConstIntGetSExtValue":
        function.restype = ctypes.c_longlong
    return function


def functions(module: Module) -> list[int]:
    return list(_each(c("GetFirstFunction")(module.handle), c("GetNextFunction")))


def blocks(function: int) -> list[int]:
    return list(_each(c("GetFirstBasicBlock")(function), c("GetNextBasicBlock")))


def instructions(block: int) -> list[int]:
    return list(_each(c("GetFirstInstruction")(block), c("GetNextInstruction")))


def operands(instruction: int) -> list[int]:
    return [c("GetOperand")(instruction, i) for i in range(c("GetNumOperands")(instruction))]


def successors(block: int) -> list[int]:
    terminator = c("GetBasicBlockTerminator")(block)
    return [c("GetSuccessor")(terminator, i) for i in range(c("GetNumSuccessors")(terminator))]


def opcode(instruction: int) -> str:
    """The name of the instruction's opcode; ``test_instcount`` checks the names."""
    return _OPCODES[c("GetInstructionOpcode")(instruction)]


def is_call(instruction: int) -> bool:
    return opcode(instruction) in ("Call", "Invoke", "CallBr")


def callee(call: int) -> int | None:
    """The function that a call names and calls by its own type."""
    called: int = c("GetCalledValue")(call)
    if not c("IsAFunction")(called):
        return None
    same = c("GlobalGetValueType")(called) == c("GetCalledFunctionType")(call)
    return called if same else None


def is_local(function: int) -> bool:
    internal, private = 8, 9
    return c("GetLinkage")(function) in (internal, private)


def name(value: int) -> str:
    length = ctypes.c_size_t()
    pointer = library().GetValueName2(value, ctypes.byref(length))
    return ctypes.string_at(pointer, length.value).decode()


def _each(first: int | None, following: Callable[[int], int | None]) -> Iterator[int]:
    while first:
        yield first
        first = following(first)


@cache
def _handle() -> ctypes.CDLL:
    return ctypes.CDLL(str(library().path))
