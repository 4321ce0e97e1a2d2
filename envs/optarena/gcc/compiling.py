"""Runs cc1 and as: from a program and the words of a command line to assembly and an object file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from optarena.errors import InvalidInput
from optarena.gcc import pinned
from optarena.isolation.tools import ToolFailed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from optarena.gcc.toolchain import RunnableGcc

SOURCE: Final = "program.c"
_ASSEMBLY: Final = "program.s"
_OBJECT: Final = "program.o"
_DUMPS: Final = f"{SOURCE}.*r.dfinish"
_SHOWN: Final = 500


class Compiler:
    """A GCC at work on one program, in a folder.

    Args:
        toolchain: The GCC.
        folder: The folder, which holds the program and what is made of it.
        source: The program: preprocessed C.
        front_end: What each compilation has before its options.
    """

    def __init__(
        self,
        toolchain: RunnableGcc,
        folder: Path,
        source: bytes,
        front_end: Sequence[str] = pinned.FRONT_END,
    ) -> None:
        self._toolchain = toolchain
        self._source = source
        self._front_end = tuple(front_end)
        self.folder = folder

    def check(self) -> None:
        """Parse the program.

        Raises:
            InvalidInput: GCC refuses it; the message has its first errors.
        """
        try:
            self._run_cc1(["-fsyntax-only"])
        except ToolFailed as error:
            raise InvalidInput(
                f"GCC cannot compile the program: {_first_errors(error.said)}",
                field="program",
                remedy="Correct it; it must be preprocessed C, without #include.",
            ) from error

    def assembly(self, words: Sequence[str]) -> bytes:
        """The program as assembly after some options.

        Raises:
            ToolFailed, SessionTimeout, SessionOutOfMemory: The compiler fails, or needs too much.
        """
        self._run_cc1([*words, "-o", _ASSEMBLY])
        return (self.folder / _ASSEMBLY).read_bytes()

    def object_file(self, assembly: bytes) -> bytes:
        """Assembly as an object file.

        Raises:
            ToolFailed, SessionTimeout, SessionOutOfMemory: The assembler fails, or needs too much.
        """
        (self.folder / _ASSEMBLY).write_bytes(assembly)
        self._toolchain.run("as", ["--64", "-o", _OBJECT, _ASSEMBLY], self.folder)
        return (self.folder / _OBJECT).read_bytes()

    def rtl(self, words: Sequence[str]) -> bytes:
        """The program in GCC's register transfer language after the last pass.

        Raises:
            ToolFailed, SessionTimeout, SessionOutOfMemory: The compiler fails, or needs too much.
        """
        self._run_cc1([*words, "-fdump-rtl-dfinish", "-o", _ASSEMBLY])
        files = sorted(self.folder.glob(_DUMPS))
        try:
            return b"".join(file.read_bytes() for file in files)
        finally:
            for file in files:
                file.unlink(missing_ok=True)

    def _run_cc1(self, words: Sequence[str]) -> None:
        source = self.folder / SOURCE
        if not source.exists():  # the first time, in a copy, or if the folder was removed
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            source.write_bytes(self._source)
        self._toolchain.run("cc1", [*self._front_end, *words, SOURCE], self.folder)


def _first_errors(said: str) -> str:
    errors = [line.strip() for line in said.splitlines() if ": error: " in line or ": fatal error: " in line]
    return "; ".join(errors[:3] or said.splitlines()[:1])[:_SHOWN]
