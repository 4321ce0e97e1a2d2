"""The pinned target machine, its data layout, and the machines that wait for their next module.

A machine makes a subtarget for each combination of attributes that its functions have, which takes longer
than most passes. So a closed module leaves its machine to the next one. A machine serves one module at a
time, since LLVM's are not thread-safe.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from optarena.errors import InvalidInput
from optarena.llvm import pinned
from optarena.machine_code.libllvm import library

_MAX_IDLE: Final = 2
"""How many machines of one triple wait: as many as one session uses."""
_MAX_TRIPLES: Final = 4
_MAX_MODULES: Final = 1000
"""How many modules a machine serves: its subtargets, one for each combination of attributes, stay with it."""


@dataclass(slots=True)
class TargetMachine:
    """A target machine that serves one module after another.

    Attributes:
        triple: The target triple of its programs.
        handle: The ``LLVMTargetMachineRef``.
        modules: How many modules it has served.
    """

    triple: str
    handle: int
    modules: int = 0

    @staticmethod
    def take(triple: str) -> TargetMachine:
        """The pinned target machine for a triple: one that waits, or a new one.

        Raises:
            InvalidInput: LLVM does not know the triple.
        """
        try:
            return _idle[triple].pop()
        except (KeyError, IndexError):
            return TargetMachine(triple, create_machine(triple))

    def leave(self) -> None:
        """Leave it to the next module; its present one has no more use for it."""
        self.modules += 1
        if self.triple not in _idle and len(_idle) < _MAX_TRIPLES:
            _idle[self.triple] = []
        waiting = _idle.get(self.triple)
        if waiting is not None and len(waiting) < _MAX_IDLE and self.modules < _MAX_MODULES:
            waiting.append(self)
        else:
            library().DisposeTargetMachine(self.handle)


_idle: Final[dict[str, list[TargetMachine]]] = {}
"""The machines that wait, by triple. Dictionaries and lists are thread-safe."""


def create_machine(
    triple: str,
    *,
    optimisation: int = pinned.OPTIMISATION_DEFAULT,
    relocation: int = pinned.RELOCATION_DEFAULT,
) -> int:
    """The pinned target machine, the default of ``opt`` and ``llc``; the caller frees it.

    Args:
        triple: The program's target triple.
        optimisation: The code generator's level, 0 to 3; measurements use only the pinned one.
        relocation: The relocation model, the pinned one or ``pinned.RELOCATION_PIC``.

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
        relocation,
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
