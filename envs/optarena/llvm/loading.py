"""The bytes of a program that are loaded: those that can be compared with another compiler's.

The code is position-independent, as other compilers make it for the same linker. Code alone would say less:
it can be moved into tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from optarena.llvm import pinned
from optarena.llvm.machine import create_machine
from optarena.machine_code import elf
from optarena.machine_code.libllvm import library

if TYPE_CHECKING:
    from optarena.llvm.module import Module


def position_independent_code(module: Module) -> bytes:
    """The ELF object file with position-independent code; the module itself stays unchanged.

    Raises:
        InvalidInput: LLVM has no machine code for the program.
    """
    machine = create_machine(module.triple, relocation=pinned.RELOCATION_PIC)
    try:
        with module.clone() as copy:
            return copy.emit_in_place(machine)
    finally:
        library().DisposeTargetMachine(machine)


def loaded_size(module: Module) -> int:
    """Bytes of code, read-only data and data, without unwind tables; see ``elf.loaded_bytes``.

    Raises:
        InvalidInput: LLVM has no machine code for the program.
    """
    return elf.loaded_bytes(position_independent_code(module))
