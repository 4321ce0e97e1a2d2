"""Makes the caches of a device cold and clean: filled with unrelated data that needs no writing back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from optarena.cuda.kernels import ELEMENTS_OF_VECTOR, reading_kernel

if TYPE_CHECKING:
    from optarena.cuda.interface import Device

MIN_WRITTEN: Final = 256 * 2**20
"""The minimum of bytes written, which takes as long as the host needs to enqueue a launch meanwhile."""
_FLOAT_BYTES: Final = 4
_VECTOR_BYTES: Final = _FLOAT_BYTES * ELEMENTS_OF_VECTOR


class Caches:
    """Two buffers, each at least twice what a device's L2 cache holds: one to write, another to read.

    A write alone would leave the cache full of dirty lines, and the next launch would pay for writing them
    back to memory. Reading as many other bytes makes the device write them back before.

    Args:
        device: The device; the buffers and the reading kernel exist as long as it does.
        l2_bytes: Size of the device's L2 cache.
        min_written: The minimum of bytes written.
    """

    def __init__(self, device: Device, l2_bytes: int, *, min_written: int = MIN_WRITTEN) -> None:
        self._device = device
        vectors = max(1, -(-2 * l2_bytes // _VECTOR_BYTES))
        self._written = max(2 * l2_bytes, min_written)
        self._writing = device.allocate(self._written)
        self._reading = device.allocate(vectors * _VECTOR_BYTES)
        device.fill(self._reading, vectors * _VECTOR_BYTES, 0)
        self._read = device.load(reading_kernel(vectors))
        self.overwrite()

    def overwrite(self) -> None:
        """Enqueue the write and then the read."""
        self._device.fill(self._writing, self._written, 0)
        self._read(self._reading, self._reading, self._writing)
