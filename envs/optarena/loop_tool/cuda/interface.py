"""What a backend asks of a device. A GPU has it, and so has what takes a GPU's place in tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from optarena.loop_tool.cuda.clocks import Clocks
    from optarena.loop_tool.cuda.lowering import Kernel

Work = Callable[[], None]
"""Enqueues something on the device's stream, and does not wait for it."""
Launch = Callable[[int, int, int], None]
"""Enqueues a kernel on the addresses of ``x``, ``y`` and ``z``."""


class Device(Protocol):
    """One device with one stream, which does all work in order.

    Attributes:
        emulated: Whether the device is only imitated, so that no time means anything.
        identity: Names the device; the same in all processes that use it.
    """

    emulated: bool
    identity: str

    def allocate(self, size: int) -> int:
        """The address of ``size`` new bytes, a multiple of 256; they last until the device is closed."""

    def write(self, address: int, data: NDArray[Any]) -> None:
        """Copy an array to the device, and wait for it."""

    def read(self, address: int, size: int) -> NDArray[np.uint8]:
        """Wait for everything, then copy bytes from the device."""

    def fill(self, address: int, size: int, value: int) -> None:
        """Enqueue setting bytes to one value."""

    def copy(self, target: int, source: int, size: int) -> None:
        """Enqueue the device's own copy of bytes."""

    def overwrite_caches(self) -> None:
        """Enqueue what pushes everything else out of the caches, and leaves nothing to be written back."""

    def load(self, kernel: Kernel) -> Launch:
        """Compile a kernel for this device, and load it."""

    def repeated(self, work: Work, times: int) -> Work:
        """A graph that does some work several times, launched as one."""

    def seconds(self, work: Work, before: Work, samples: int) -> list[float]:
        """How long the device takes for some work, as events around it say; it waits for each sample.

        Args:
            work: What is timed.
            before: Enqueued before each sample and not timed. It also keeps the device busy until the host
                has enqueued the sample, whose time would else contain the host's.
            samples: How many.
        """

    def clocks(self) -> Clocks | None:
        """The present clocks; None where nobody tells."""

    def describe(self) -> dict[str, Any]:
        """What tells this device and its software from others, as JSON data."""

    def close(self) -> None:
        """Free everything."""
