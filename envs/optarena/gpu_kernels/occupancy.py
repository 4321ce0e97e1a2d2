"""The theoretical occupancy: the share of a multiprocessor's warps that a kernel lets be there at once.

The figures of compute capability 9.0 are those of the table "Technical Specifications per Compute
Capability" of the CUDA C++ Programming Guide.
"""

from __future__ import annotations

from typing import Final

WARP_THREADS: Final = 32
MAX_WARPS: Final = 64
MAX_BLOCKS: Final = 32
REGISTERS: Final = 65_536
REGISTER_UNIT: Final = 256
"""Registers are given to a warp in multiples of this number."""
SHARED_BYTES: Final = 228 * 1024
RESERVED_BYTES: Final = 1024
"""Shared memory that the system uses in each block."""
SHARED_UNIT: Final = 128


def occupancy(threads: int, registers: int, shared_bytes: int) -> float:
    """Warps at once, as a share of 64.

    Args:
        threads: Threads of a block.
        registers: Registers of a thread.
        shared_bytes: Shared memory of a block.
    """
    warps = -(-threads // WARP_THREADS)
    registers_of_warp = -(-registers * WARP_THREADS // REGISTER_UNIT) * REGISTER_UNIT
    shared = -(-(shared_bytes + RESERVED_BYTES) // SHARED_UNIT) * SHARED_UNIT
    blocks = min(
        MAX_BLOCKS,
        MAX_WARPS // warps,
        REGISTERS // registers_of_warp // warps if registers_of_warp else MAX_BLOCKS,
        SHARED_BYTES // shared,
    )
    return blocks * warps / MAX_WARPS
