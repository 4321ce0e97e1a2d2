"""What action sets and observations may use of the LLVM session that they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.llvm.module import Module


class LiveSession(Protocol):
    """One program and what was done to it so far, as ``optarena.llvm.session.LlvmSession`` holds it."""

    program: bytes
    working_directory: Path

    @property
    def module(self) -> Module:
        """The program in its present state."""

    @property
    def function_names(self) -> list[str]:
        """The names of the functions that the program as given defines, in its order."""

    def instruction_count(self) -> int:
        """Number of instructions of all defined functions."""

    def bitcode(self) -> bytes:
        """The program in its present state as bitcode."""

    def baseline(self, metric: str, level: str) -> int:
        """What one of LLVM's own levels makes of the program as given, by one metric."""
