"""The pinned target machine and its data layout."""

from __future__ import annotations

import ctypes
from functools import lru_cache

from optarena.errors import InvalidInput
from optarena.llvm import pinned
from optarena.llvm.libllvm import library


def create_machine(triple: str, *, optimisation: int = pinned.OPTIMISATION_DEFAULT) -> int:
    """The pinned target machine, the default of ``opt`` and ``llc``; the caller frees it.

    Args:
        triple: The program's target triple.
        optimisation: The code generator's level, 0 to 3; measurements use only the pinned one.

    Raises:
        InvalidInput: LLVM does not know the triple.
    """
    llvm = library()
    target, message = ctypes.c_void_p(), ctypes.c_void_p()
    if llvm.GetTargetFromTriple(triple.encode(), ctypes.byref(target), ctypes.byref(message)):
        raise InvalidInput(llvm.take_string(message.value), field="program", value=triple)
    machine: int = llvm.CreateTargetMachine(
        target,
        triple.encode(),
        pinned.CPU.encode(),
        pinned.FEATURES.encode(),
        optimisation,
        pinned.RELOCATION_DEFAULT,
        pinned.CODE_MODEL_DEFAULT,
    )
    return machine


@lru_cache(maxsize=16)
def data_layout(triple: str) -> bytes:
    """The target machine's data layout string; raises the errors of ``create_machine``."""
    llvm = library()
    machine = create_machine(triple)
    layout = llvm.CreateTargetDataLayout(machine)
    try:
        return llvm.take_string(llvm.CopyStringRepOfTargetData(layout)).encode()
    finally:
        llvm.DisposeTargetData(layout)
        llvm.DisposeTargetMachine(machine)
