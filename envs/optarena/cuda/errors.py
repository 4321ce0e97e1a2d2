"""The errors of a device that callers distinguish; nothing here imports cupy or numpy."""

from __future__ import annotations

from typing import Final

from optarena.errors import ServiceError


class DeviceFailed(ServiceError):
    """A device, its driver or its compiler reports an error; this process cannot use the device again."""


class DeviceFull(DeviceFailed):
    """The device does not have as much free memory."""


class KernelFaulted(DeviceFailed):
    """A kernel did what the device stops it for, such as an access to memory that nobody allocated."""


_FULL: Final = 2
"""``cudaErrorMemoryAllocation``, and ``CUDA_ERROR_OUT_OF_MEMORY`` of the driver."""
_FAULTS: Final = frozenset({700, 714, 715, 716, 717, 718, 719})
"""An illegal address, stack, instruction, alignment, address space or program counter, and a failed launch.

Runtime and driver number them alike; see ``cudaError_t`` in CUDA's ``driver_types.h``.
"""


def kind_of(error: Exception) -> type[DeviceFailed]:
    """What an error of cupy means: those of CUDA have a number, a lack of memory is a ``MemoryError``."""
    status = getattr(error, "status", None)
    if isinstance(error, MemoryError) or status == _FULL:
        return DeviceFull
    return KernelFaulted if status in _FAULTS else DeviceFailed
