"""The interface of a device for the CUDA backend, implemented by a GPU and by emulated devices in tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from optarena.cuda.clocks import Clocks
    from optarena.cuda.kernels import Kernel

Work = Callable[[], None]
"""Enqueues work on the device's stream, and does not wait for it."""
Launch = Callable[[int, int, int], None]
"""Enqueues a kernel on the addresses of ``x``, ``y`` and ``z``."""
Temperature = Literal["warm", "cold"]
"""Whether the operands may still be in a cache from the previous call."""
Pair = tuple[int, int]
Arguments = tuple["np.uint64 | np.int32", ...]


class Device(Protocol):
    """One device with one stream, which does all work in order.

    Attributes:
        emulated: Whether the device is only emulated, so that its times mean nothing.
        identity: Name of the device, the same in all processes that use it.
    """

    emulated: bool
    identity: str

    def allocate(self, size: int) -> int:
        """The address of ``size`` new bytes, a multiple of 256; closing the device frees them."""

    def write(self, address: int, data: NDArray[Any]) -> None:
        """Copy an array to the device, and wait for it."""

    def read(self, address: int, size: int) -> NDArray[np.uint8]:
        """Wait for everything, then copy bytes from the device."""

    def fill(self, address: int, size: int, value: int) -> None:
        """Enqueue setting bytes to one value."""

    def copy(self, target: int, source: int, size: int) -> None:
        """Enqueue the device's own copy of bytes."""

    def overwrite_caches(self) -> None:
        """Enqueue work that evicts all other data from the caches, and leaves nothing to be written back."""

    def load(self, kernel: Kernel) -> Launch:
        """Compile a kernel for this device, and load it."""

    def load_code(self, code: bytes, name: str, grid: Pair, block: Pair, arguments: Arguments) -> Work:
        """Load machine code, and return what enqueues its kernel ``name``.

        Args:
            code: A cubin for this device.
            name: The kernel.
            grid: Blocks, in x and y.
            block: Threads of a block, in x and y.
            arguments: Addresses and numbers, each of its own type.
        """

    def repeated(self, work: Work, times: int) -> Work:
        """A graph that does some work several times, launched as one."""

    def seconds(self, work: Work, before: Work, samples: int) -> list[float]:
        """How long the device takes for some work, by events around it; waits for each sample.

        Args:
            work: The work that is timed.
            before: Work before each sample, which is not timed. It also keeps the device busy until the host
                has enqueued the sample; otherwise the sample would contain the host's time.
            samples: Number of samples.
        """

    def clocks(self) -> Clocks | None:
        """The present clocks; None if they are unknown."""

    def describe(self) -> dict[str, Any]:
        """The properties that identify this device and its software, as JSON data."""

    def close(self) -> None:
        """Free everything."""
