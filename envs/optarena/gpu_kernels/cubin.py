"""Reads machine code from a cubin: how many instructions it has, and of which classes.

An instruction of sm_90 has 16 bytes; the lowest 9 bits name the operation, and the next ones the form of its
operands. NVIDIA does not document the encoding. The table here was recorded from what ``nvdisasm`` prints
for all kernels of gpu-kernels-v0 after random passes, and a test compares the two. What is not in it counts
as other.
"""

from __future__ import annotations

import struct
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

INSTRUCTION_BYTES: Final = 16
_OPERATION_BITS: Final = 0x1FF
_NO_OPERATION: Final = 0x118
_TEXT: Final = b".text."
_CODES: Final[dict[str, tuple[int, ...]]] = {
    "floating_point": (0x08, 0x09, 0x0B, 0x20, 0x21, 0x23, 0x45, 0x102, 0x105, 0x108),
    "integer": (
        *(
            0x02,
            0x03,
            0x05,
            0x07,
            0x0C,
            0x10,
            0x11,
            0x12,
            0x16,
            0x19,
            0x1C,
            0x24,
            0x25,
            0x35,
            0x36,
            0x46,
            0x48,
        ),
        *(0x82, 0x87, 0x8C, 0x90, 0x91, 0x99, 0xA4, 0xA5, 0xCA, 0x119, 0x1C3),
    ),
    "global_load": (0x180, 0x181),
    "global_store": (0x185, 0x186),
    "shared_load": (0x184,),
    "shared_store": (0x188,),
    "local_load": (0x183,),
    "local_store": (0x187,),
    "constant_load": (0xB9, 0x182),
    "atomic": (0x18C, 0x1A8),
    "branch": (0x141, 0x143, 0x145, 0x147, 0x148, 0x14D, 0x150, 0x15C),
    "barrier": (0x11D,),
}
"""The operations of each class. Moves, comparisons and address arithmetic are integer operations."""
OTHER: Final = "other"
CLASSES: Final = (*_CODES, OTHER)
_CLASS_OF: Final = {code: name for name, codes in _CODES.items() for code in codes}


def classes(cubin: bytes) -> dict[str, int]:
    """The number of instructions of each class of :data:`CLASSES`, in all functions, without padding."""
    return dict(_counted(cubin))


@lru_cache(maxsize=64)
def _counted(cubin: bytes) -> Mapping[str, int]:
    """The same, remembered: a session asks again and again."""
    found: Counter[str] = Counter()
    for code in _functions(cubin):
        operations = [
            word & _OPERATION_BITS for (word,) in struct.iter_unpack("<H14x", code[: len(code) & ~15])
        ]
        while operations and operations[-1] == _NO_OPERATION:
            operations.pop()
        found.update(_CLASS_OF.get(one, OTHER) for one in operations)
    return {name: found[name] for name in CLASSES}


def _functions(cubin: bytes) -> list[bytes]:
    """The code of each function: the sections ``.text.NAME`` of an ELF file of 64 bits."""
    (start,), (size, count, names) = (
        struct.unpack_from("<Q", cubin, 40),
        struct.unpack_from("<HHH", cubin, 58),
    )
    headers = [struct.unpack_from("<II8xQQQ", cubin, start + size * index) for index in range(count)]
    _, _, _, place, _ = headers[names]
    return [
        cubin[offset : offset + length]
        for name, _, _, offset, length in headers
        if cubin.startswith(_TEXT, place + name)
    ]
