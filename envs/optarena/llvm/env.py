"""The LLVM environment: what only a program in LLVM IR has, beside gymnasium's calls."""

from __future__ import annotations

from pathlib import Path

from optarena.env import CompilerEnv


class LlvmEnv(CompilerEnv):
    """An environment whose programs are LLVM modules; see ``CompilerEnv`` for its arguments."""

    @property
    def ir(self) -> str:
        """The module as text."""
        return str(self.observe("Ir"))

    def write_ir(self, path: Path | str) -> Path:
        """Write the module as text (``.ll``) and return the path."""
        target = Path(path)
        target.write_text(self.ir, encoding="utf-8")
        return target

    def write_bitcode(self, path: Path | str) -> Path:
        """Write the module as bitcode (``.bc``) and return the path."""
        target = Path(path)
        target.write_bytes(self.observe("Bitcode"))
        return target

    def _program_text(self) -> str:
        return "; the compiler failed\n" if self.error else self.ir
