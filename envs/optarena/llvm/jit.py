"""The just-in-time compiler for the pinned generic CPU."""

from __future__ import annotations

from optarena.llvm import pinned
from optarena.llvm.machine import create_machine
from optarena.machine_code.jit import ObjectJit


class Jit(ObjectJit):
    """One LLJIT instance that compiles modules.

    Args:
        optimisation: The code generator's optimisation level, 0 to 3.
    """

    def __init__(self, *, optimisation: int = pinned.OPTIMISATION_DEFAULT) -> None:
        super().__init__(create_machine(pinned.TRIPLE, optimisation=optimisation))
