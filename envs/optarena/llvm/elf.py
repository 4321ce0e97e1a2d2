"""Reads the little of an ELF64 object file that size metrics need. Pure data, no LLVM."""

from __future__ import annotations

import struct
from typing import Final

_SECTION_TABLE_OFFSET: Final = struct.Struct("<40xQ")
_SECTION_COUNTS: Final = struct.Struct("<58xHH")
_SECTION: Final = struct.Struct("<4xIQQQQ24x")
_PROGRAM_BITS: Final = 1
_EXECUTABLE: Final = 4


def executable_bytes(code: bytes) -> int:
    """Sum of the sizes of all sections with instructions, as ``size`` counts them as text of code.

    Raises:
        ValueError: It is not a 64-bit little-endian ELF file.
    """
    if code[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not a 64-bit little-endian ELF file")
    (table,) = _SECTION_TABLE_OFFSET.unpack_from(code)
    entry_size, count = _SECTION_COUNTS.unpack_from(code)
    if count == 0:  # more sections than fit the header: the first section's size holds their number
        count = _SECTION.unpack_from(code, table)[4]
    total = 0
    for index in range(count):
        kind, flags, _, _, size = _SECTION.unpack_from(code, table + index * entry_size)
        if kind == _PROGRAM_BITS and flags & _EXECUTABLE:
            total += size
    return total
