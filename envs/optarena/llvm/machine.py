"""The pinned target machine, and the data layout that it has."""

from __future__ import annotations

import ctypes
from functools import lru_cache

from optarena.errors import InvalidInput
from optarena.llvm import pinned
from optarena.llvm.libllvm import library


def create_machine(triple: str, *, optimisation: int = pinned.OPTIMISATION_DEFAULT) -> int:
    """The pinned target machine, which the caller disposes of; ``opt`` and ``llc`` without options agree.

    Args:
        triple: Of the program.
        optimisation: Level of the code generator, 0 to 3; only the pinned one measures anything.

    Raises:
        InvalidInput: LLVM knows no machine for the triple.
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
    """How the target machine lays data out, in LLVM's words; raises what ``create_machine`` does."""
    llvm = library()
    machine = create_machine(triple)
    layout = llvm.CreateTargetDataLayout(machine)
    try:
        return llvm.take_string(llvm.CopyStringRepOfTargetData(layout)).encode()
    finally:
        llvm.DisposeTargetData(layout)
        llvm.DisposeTargetMachine(machine)
