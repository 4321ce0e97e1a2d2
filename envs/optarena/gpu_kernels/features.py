"""The static features of a kernel, in their order in the vector ``features``; each needs no GPU."""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from optarena.gpu_kernels.ptxas import Assembled

_OPERATION_BITS: Final = 0x1FF
_NO_OPERATION: Final = 0x118
_TEXT: Final = b".text."
# Moves, comparisons and address arithmetic are integer operations.
_CODES: Final[dict[str, tuple[int, ...]]] = {
    "floating_point": (0x08, 0x09, 0x0B, 0x20, 0x21, 0x23, 0x45, 0x102, 0x105, 0x108),
    "integer": (
        0x02, 0x03, 0x05, 0x07, 0x0C, 0x10, 0x11, 0x12, 0x16, 0x19, 0x1C, 0x24, 0x25, 0x35, 0x36, 0x46, 0x48,
        0x82, 0x87, 0x8C, 0x90, 0x91, 0x99, 0xA4, 0xA5, 0xCA, 0x119, 0x1C3,
    ),
    "global_load": (0x180, 0x181),
    "global_store": (0x185, 0x186),
    "shared_load": (0x184,),
    "shared_store": (0x188,),
    "local_load": (0x183,),
    "local_store": (0x187,),
    "constant_load": (0xB9, 0x182),
    "atomic": (0x18C, 0x1A8),
    "branch": (0x141, 0x143, 0x144, 0x145, 0x147, 0x148, 0x14D, 0x150, 0x15C),
    "barrier": (0x11D,),
}  # fmt: skip
OTHER: Final = "other"
CLASSES: Final = (*_CODES, OTHER)
_CLASS_OF: Final = {code: name for name, codes in _CODES.items() for code in codes}


@lru_cache(maxsize=64)  # a session asks again and again
def classes(cubin: bytes) -> Mapping[str, int]:  # in all functions, without padding
    found: Counter[str] = Counter()
    for code in _functions(cubin):
        operations = [
            word & _OPERATION_BITS for (word,) in struct.iter_unpack("<H14x", code[: len(code) & ~15])
        ]
        while operations and operations[-1] == _NO_OPERATION:
            operations.pop()
        found.update(_CLASS_OF.get(one, OTHER) for one in operations)
    return {name: found[name] for name in CLASSES}


def _functions(cubin: bytes) -> list[bytes]:  # the sections .text.NAME of an ELF file of 64 bits
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


WARP_THREADS: Final = 32
MAX_WARPS: Final = 64
MAX_BLOCKS: Final = 32
REGISTERS: Final = 65_536
REGISTER_UNIT: Final = 256  # registers are given to a warp in multiples of this number
# Parts of a multiprocessor. Each has its share of the registers, and a warp stays in one of them.
PARTITIONS: Final = 4
SHARED_BYTES: Final = 228 * 1024
RESERVED_BYTES: Final = 1024  # shared memory that the system uses in each block
SHARED_UNIT: Final = 128


def occupancy(threads: int, registers: int, shared_bytes: int) -> float:
    """Warps at once, as a share of 64."""
    warps = -(-threads // WARP_THREADS)
    shared = -(-(shared_bytes + RESERVED_BYTES) // SHARED_UNIT) * SHARED_UNIT
    blocks = min(
        MAX_BLOCKS, MAX_WARPS // warps, _blocks_by_registers(warps, registers), SHARED_BYTES // shared
    )
    return blocks * warps / MAX_WARPS


def _blocks_by_registers(warps: int, registers: int) -> int:
    # The blocks of so many warps whose registers a multiprocessor has.
    of_warp = -(-registers * WARP_THREADS // REGISTER_UNIT) * REGISTER_UNIT
    if not of_warp:
        return MAX_BLOCKS
    warps_of_part = -(-warps // PARTITIONS)
    if warps_of_part * of_warp * PARTITIONS > REGISTERS:
        return 0  # a block that does not fit is refused at its launch
    return REGISTERS // PARTITIONS // of_warp * PARTITIONS // warps


REGISTER_BYTES: Final = 4
_PTX_INSTRUCTION: Final = re.compile(r"^\t(?:@!?%p\d+ )?[a-z][\w.]*(?:\s[^\n]*)?;$", re.MULTILINE)
NAMES: Final = (
    "ir_instructions",
    "ptx_instructions",
    "sass_instructions",
    "registers",
    "stack_bytes",
    "spill_bytes",
    "shared_bytes",
    "thread_bytes",
    *(f"sass_{name}" for name in CLASSES),
)


def thread_bytes(assembled: Assembled) -> int:
    # The static cost: bytes of registers and local memory of a thread. It is always taken at -O3 of ptxas. A
    # lower level unrolls less, so it needs fewer registers; but it makes slower code, and would be the best
    # choice for every kernel.
    return REGISTER_BYTES * assembled.registers + assembled.stack_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    values: dict[str, int]
    occupancy: float

    @classmethod
    def of(
        cls, *, ir_instructions: int, ptx: str, assembled: Assembled, thread_bytes: int, threads: int
    ) -> Features:
        sass = classes(assembled.cubin)
        values = {
            "ir_instructions": ir_instructions,
            "ptx_instructions": len(_PTX_INSTRUCTION.findall(ptx)),
            "sass_instructions": sum(sass.values()),
            "registers": assembled.registers,
            "stack_bytes": assembled.stack_bytes,
            "spill_bytes": assembled.spill_bytes,
            "shared_bytes": assembled.shared_bytes,
            "thread_bytes": thread_bytes,
            **{f"sass_{name}": count for name, count in sass.items()},
        }
        share = occupancy(threads, assembled.registers, assembled.shared_bytes)
        return cls(values=values, occupancy=share)

    @property
    def summary(self) -> str:  # what people compare kernels by
        registers, stack, spilled, instructions = (
            self.values[name] for name in ("registers", "stack_bytes", "spill_bytes", "sass_instructions")
        )
        local = f"{stack} bytes of local memory" + (f" ({spilled} spilled)" if spilled else "")
        shares = f"occupancy {self.occupancy:.0%}"
        return f"{registers} registers, {local}, {instructions} machine instructions, {shares}"
