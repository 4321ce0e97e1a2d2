"""Feature vectors, counted by a helper in C that the engine compiles itself (see ``native``).

The helper is compiled once a process; the zygote does it before it forks, so that sessions inherit it.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from optarena.llvm.jit import Jit
from optarena.llvm.libllvm import library
from optarena.llvm.module import Module

if TYPE_CHECKING:
    from collections.abc import Callable

AUTOPHASE_NAMES: Final = (
    *("BBNumArgsHi", "BBNumArgsLo", "onePred", "onePredOneSuc", "onePredTwoSuc", "oneSuccessor", "twoPred"),
    *("twoPredOneSuc", "twoEach", "twoSuccessor", "morePreds", "BB03Phi", "BBHiPhi", "BBNoPhi", "BeginPhi"),
    *("BranchCount", "returnInt", "CriticalCount", "NumEdges", "const32Bit", "const64Bit"),
    *("numConstZeroes", "numConstOnes", "UncondBranches", "binaryConstArg", "NumAShrInst", "NumAddInst"),
    *("NumAllocaInst", "NumAndInst", "BlockMid", "BlockLow", "NumBitCastInst", "NumBrInst", "NumCallInst"),
    *("NumGetElementPtrInst", "NumICmpInst", "NumLShrInst", "NumLoadInst", "NumMulInst", "NumOrInst"),
    *("NumPHIInst", "NumRetInst", "NumSExtInst", "NumSelectInst", "NumShlInst", "NumStoreInst", "NumSubInst"),
    *("NumTruncInst", "NumXorInst", "NumZExtInst", "TotalBlocks", "TotalInsts", "TotalMemInst", "TotalFuncs"),
    *("ArgsPhi", "testUnary"),
)
AUTOPHASE_SIZE: Final = 56

_Vector = ctypes.c_int64 * AUTOPHASE_SIZE


def autophase(module: Module) -> list[int]:
    """The 56 features of Autophase, in the order of ``AUTOPHASE_NAMES``."""
    vector = _Vector()
    _helper()(module.handle, vector)
    return list(vector)


def compile_helpers() -> None:
    """Compiles the helper now, where that is not done yet."""
    _helper()


@lru_cache(maxsize=1)
def _helper() -> Callable[..., Any]:
    source = resources.files("optarena.llvm.native").joinpath("features.ll").read_bytes()
    jit = Jit()  # never closed: its code lives as long as the process
    jit.add_library_symbols(library().path)
    jit.add_module(Module.parse(source))
    prototype = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int64))
    return prototype(jit.address("optarena_autophase"))
