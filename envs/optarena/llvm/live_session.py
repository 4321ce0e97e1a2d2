"""The part of an LLVM session that action sets and observations may use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.llvm.module import Module


class LiveSession(Protocol):
    """One program and the actions applied to it so far; see ``optarena.llvm.session.LlvmSession``."""

    program: bytes
    working_directory: Path

    @property
    def module(self) -> Module:
        """The program in its present state."""

    @property
    def function_names(self) -> list[str]:
        """The names of the functions that the original program defines, in its order."""

    def instruction_count(self) -> int:
        """Number of instructions of all defined functions."""

    def bitcode(self) -> bytes:
        """The program in its present state as bitcode."""

    def baseline(self, metric: str, level: str) -> int:
        """A metric of the original program after one of LLVM's own optimisation levels."""
