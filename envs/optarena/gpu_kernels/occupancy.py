"""The theoretical occupancy: the share of a multiprocessor's warps that a kernel lets be there at once.

The figures of compute capability 9.0 are those of the table "Technical Specifications per Compute
Capability" of the CUDA C++ Programming Guide; the formula is that of NVIDIA's header cuda_occupancy.h.
"""

from __future__ import annotations

from typing import Final

WARP_THREADS: Final = 32
MAX_WARPS: Final = 64
MAX_BLOCKS: Final = 32
REGISTERS: Final = 65_536
REGISTER_UNIT: Final = 256
"""Registers are given to a warp in multiples of this number."""
PARTITIONS: Final = 4
"""Parts of a multiprocessor. Each has its share of the registers, and a warp stays in one of them."""
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
    shared = -(-(shared_bytes + RESERVED_BYTES) // SHARED_UNIT) * SHARED_UNIT
    blocks = min(
        MAX_BLOCKS, MAX_WARPS // warps, _blocks_by_registers(warps, registers), SHARED_BYTES // shared
    )
    return blocks * warps / MAX_WARPS


def _blocks_by_registers(warps: int, registers: int) -> int:
    """The blocks of so many warps whose registers a multiprocessor has."""
    of_warp = -(-registers * WARP_THREADS // REGISTER_UNIT) * REGISTER_UNIT
    if not of_warp:
        return MAX_BLOCKS
    warps_of_part = -(-warps // PARTITIONS)
    if warps_of_part * of_warp * PARTITIONS > REGISTERS:
        return 0  # a block that does not fit is refused at its launch
    return REGISTERS // PARTITIONS // of_warp * PARTITIONS // warps
