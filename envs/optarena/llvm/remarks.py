"""What LLVM's passes tell about what they did, could not do, and found out: optimisation remarks.

LLVM asks the diagnostic handler of a context whether remarks are wanted. The C interface cannot say so for
one context, and the options ``-pass-remarks`` say so for the whole process, where passes then do more work.
So one context's handler gets another table of virtual functions.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any, Final, TypeAlias

from optarena.llvm.module import Module, helper_address, printable_name, remark_takers, value_name
from optarena.machine_code.libllvm import library

Remark: TypeAlias = dict[str, str | int]

_TABLE: Final = "_ZTVN4llvm17DiagnosticHandlerE"
_ASKED: Final = (
    "_ZNK4llvm17DiagnosticHandler23isAnalysisRemarkEnabledENS_9StringRefE",
    "_ZNK4llvm17DiagnosticHandler24isMissedOptRemarkEnabledENS_9StringRefE",
    "_ZNK4llvm17DiagnosticHandler24isPassedOptRemarkEnabledENS_9StringRefE",
    "_ZNK4llvm17DiagnosticHandler18isAnyRemarkEnabledEv",
)
_HANDLER_OF: Final = "_ZNK4llvm11LLVMContext17getDiagHandlerPtrEv"
# The table begins with two words that are not functions; those of this class are fewer than so many.
_WORDS: Final = 10
_HEAD: Final = 2
_WORD: Final = 8
# By the class of the diagnostic, whose table it points at.
_KINDS: Final = {
    "_ZTVN4llvm18OptimizationRemarkE": "passed",
    "_ZTVN4llvm24OptimizationRemarkMissedE": "missed",
    "_ZTVN4llvm26OptimizationRemarkAnalysisE": "analysis",
    "_ZTVN4llvm34OptimizationRemarkAnalysisAliasingE": "analysis",
    "_ZTVN4llvm35OptimizationRemarkAnalysisFPCommuteE": "analysis",
}
# Where a program has no line numbers.
_NOWHERE: Final = "<unknown>:0:0: "


class _Remark(ctypes.Structure):
    # llvm::DiagnosticInfoOptimizationBase, as far as it is read.
    _fields_ = (
        ("table", ctypes.c_uint64),
        ("kind_and_severity", ctypes.c_uint64),
        ("function", ctypes.c_void_p),
        ("file", ctypes.c_void_p),
        ("line_and_column", ctypes.c_uint64),
        ("pass_name", ctypes.c_char_p),
        ("name", ctypes.c_void_p),
        ("name_length", ctypes.c_uint64),
    )


def collect(module: Module, found: list[Remark]) -> None:
    """Have the remarks of all passes that run on this module from now on appended to a list."""
    llvm = library()
    context = llvm.GetModuleContext(module.handle)
    handler_of = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(llvm.symbol(_HANDLER_OF))
    words = _willing_table()
    ctypes.c_uint64.from_address(handler_of(context)).value = ctypes.addressof(words) + _HEAD * _WORD

    def take(info: int) -> None:
        remark = _Remark.from_address(info)
        kind = _kinds().get(remark.table - _HEAD * _WORD)
        if kind is not None:
            found.append(
                {
                    "kind": kind,
                    "pass": (remark.pass_name or b"").decode(errors="replace"),
                    "name": ctypes.string_at(remark.name, remark.name_length).decode(errors="replace"),
                    "function": printable_name(value_name(remark.function)),
                    "message": llvm.take_string(llvm.GetDiagInfoDescription(info)).removeprefix(_NOWHERE),
                }
            )

    remark_takers[context] = take


@lru_cache(maxsize=1)
def _willing_table() -> Any:  # noqa: ANN401 # an array of ctypes
    llvm = library()
    yes = helper_address("optarena_yes")
    asked = {llvm.symbol(name) for name in _ASKED}
    own = (ctypes.c_uint64 * _WORDS).from_address(llvm.symbol(_TABLE))
    return (ctypes.c_uint64 * _WORDS)(*(yes if word in asked else word for word in own))


@lru_cache(maxsize=1)
def _kinds() -> dict[int, str]:
    return {library().symbol(name): kind for name, kind in _KINDS.items()}
