"""The machines that programs may be made for: their triples and data layouts."""

from __future__ import annotations

import re
from typing import Final

from optarena.errors import InvalidInput
from optarena.llvm import pinned
from optarena.llvm.machine import data_layout
from optarena.machine_code.libllvm import library

_TRIPLE: Final = re.compile(r"x86_64-[\w.]*-?linux[\w.-]*")
_OTHER_FILES: Final = ("coff", "dxcontainer", "goff", "macho", "spirv", "wasm")
"""What LLVM reads at the end of a triple as an object format; some have ELF's data layout."""
_BITCODE: Final = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")


def is_bitcode(data: bytes) -> bool:
    """Whether a program is bitcode, and not text."""
    return data.startswith(_BITCODE)


def complete(module: int, triple: str) -> bool:
    """Checks the triple of a module, and fills in a missing data layout, as ``opt`` does.

    Returns:
        Whether its data layout is the machine's.

    Raises:
        InvalidInput: The program is for another kind of machine, or names none.
    """
    if not _is_supported(triple):
        raise InvalidInput(
            f"The program is made for {triple!r:.100}." if triple else "The program names no target.",
            field="program",
            value=triple[:100],
            remedy="Only 64-bit ELF for Linux on x86_64 is supported: compile with "
            f"--target={pinned.TRIPLE}, or add to IR without a target the line: "
            f'target triple = "{pinned.TRIPLE}"',
        )
    llvm = library()
    given: bytes = llvm.GetDataLayoutStr(module)
    if not given:
        llvm.SetDataLayout(module, data_layout(triple))
    return not given or given == data_layout(triple)


def _is_supported(triple: str) -> bool:
    if not _TRIPLE.fullmatch(triple) or triple.endswith(_OTHER_FILES):
        return False
    return data_layout(triple) == data_layout(pinned.TRIPLE)  # not so with 32-bit pointers, as of gnux32


def wrong_layout(module: int, triple: str) -> InvalidInput:
    """The error for a module with another data layout than the machine's."""
    layout = library().GetDataLayoutStr(module).decode(errors="replace")
    return InvalidInput(
        f"The program has the data layout {layout[:200]!r}; that of the machine is "
        f"{data_layout(triple).decode()!r}.",
        field="program",
        value=layout[:200],
        remedy="Leave the line `target datalayout` out, or compile with clang 22.",
    )
