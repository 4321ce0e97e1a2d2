"""Reads the parts of ELF64 object files and executables that size metrics need, without LLVM."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

_SECTION_TABLE_OFFSET: Final = struct.Struct("<40xQ")
MAGIC: Final = b"\x7fELF"
_SECTION_COUNTS: Final = struct.Struct("<58xHH")
_SECTION: Final = struct.Struct("<IIQQQQ24x")
_NO_SECTION: Final = 0
_PROGRAM_BITS: Final = 1
_NO_BITS: Final = 8
_ALLOCATED: Final = 2
_EXECUTABLE: Final = 4
_THREAD_LOCAL: Final = 0x400
# Types of sections with functions that a loader calls.
_ARRAYS: Final = {14: "a constructor", 15: "a destructor", 16: "a constructor"}
_UNWINDING: Final = (".eh_frame", ".gcc_except_table")
_EXTENDED_INDEX: Final = 0xFFFF
_NAMES_INDEX: Final = struct.Struct("<62xH")
_LINK: Final = struct.Struct("<40xI")
_SYMBOLS: Final = 2
_SYMBOL_BYTES: Final = 24
_VISIBILITY_AT: Final = 5
_INTERNAL, _HIDDEN = 1, 2


def executable_bytes(code: bytes) -> int:
    # What `size` counts as text.
    return sum(
        size
        for _, kind, flags, _, _, size in _sections(code)
        if kind == _PROGRAM_BITS and flags & _EXECUTABLE
    )


def loaded_bytes(code: bytes) -> int:
    # Unwind tables do not count, nor does memory that begins as zeros. Instructions do, whatever the name of
    # their section.
    return sum(
        size
        for name, kind, flags, size in _named(code)
        if kind == _PROGRAM_BITS
        and flags & _ALLOCATED
        and (flags & _EXECUTABLE or not name.startswith(_UNWINDING))
    )


def needs_loader(code: bytes) -> str:
    # What only a real loader provides; empty if nothing.
    for name, kind, flags, size in _named(code):
        if size and (kind in _ARRAYS or name.startswith((".ctors", ".dtors"))):
            return _ARRAYS.get(kind, "a constructor")
        if flags & _THREAD_LOCAL:
            return "thread-local storage"
    return ""


def with_internal_hidden(code: bytes) -> bytes:
    # LLVM's linker does not know internal visibility, of the processor's supplement to the ABI. Like hidden,
    # it means that no other component sees the symbol, and it also promises that no pointer from outside
    # calls it.
    made = bytearray(code)
    for _, kind, _, _, start, size in _sections(code):
        if kind == _SYMBOLS:
            for place in range(start + _VISIBILITY_AT, start + size, _SYMBOL_BYTES):
                if made[place] & 3 == _INTERNAL:
                    made[place] = made[place] & ~3 | _HIDDEN
    return bytes(made)


def section_bytes(code: bytes, name: str) -> int:
    return sum(size for one, _, _, size in _named(code) if one == name)


def section_content(code: bytes, name: str) -> bytes:
    # Empty if there is no such section.
    for (one, _, _, size), (_, _, _, _, start, _) in zip(_named(code), _sections(code), strict=True):
        if one == name:
            return code[start : start + size]
    return b""


def _named(code: bytes) -> Iterator[tuple[str, int, int, int]]:
    # Name, type, flags and size of each section.
    sections = list(_sections(code))
    names = _names_index(code)
    if names >= len(sections):
        raise _damaged()
    strings = sections[names][4]
    for place, kind, flags, _, _, size in sections:
        start = strings + place
        end = code.find(b"\0", start)
        if end < 0:
            raise _damaged()
        yield code[start:end].decode(errors="replace"), kind, flags, size


def _names_index(code: bytes) -> int:
    try:
        (names,) = _NAMES_INDEX.unpack_from(code)
        if names == _EXTENDED_INDEX:  # too large for the header: the first section's link holds it
            (table,) = _SECTION_TABLE_OFFSET.unpack_from(code)
            (names,) = _LINK.unpack_from(code, table)
    except (struct.error, OverflowError) as error:
        raise _damaged() from error
    return int(names)


def _sections(code: bytes) -> Iterator[tuple[int, int, int, int, int, int]]:
    # Name's offset, type, flags, address, offset and size of each section.
    if code[:6] != MAGIC + b"\x02\x01":
        raise ValueError("not a 64-bit little-endian ELF file")
    try:
        (table,) = _SECTION_TABLE_OFFSET.unpack_from(code)
        entry_size, count = _SECTION_COUNTS.unpack_from(code)
        if count == 0 and table:  # too many for the header: the first section's size holds their number
            count = _SECTION.unpack_from(code, table)[5]
        if count and entry_size < _SECTION.size:
            raise _damaged()
        for index in range(count):
            section = _SECTION.unpack_from(code, table + index * entry_size)
            _, kind, _, _, start, size = section
            if kind not in {_NO_SECTION, _NO_BITS} and start + size > len(code):
                raise _damaged()
            yield section
    except (struct.error, OverflowError) as error:
        raise _damaged() from error


def _damaged() -> ValueError:
    return ValueError("a damaged ELF file: it ends before its sections")
