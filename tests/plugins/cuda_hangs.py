"""What takes a GPU's place in tests, and never answers where it gets a certain number of elements."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from cuda_on_cpu import CpuDevice

if TYPE_CHECKING:
    from numpy.typing import NDArray

HANGS_WITH = 1024


class HangingDevice(CpuDevice):
    """A device whose driver does not come back from some copies."""

    def write(self, address: int, data: NDArray[Any]) -> None:
        while len(data) == HANGS_WITH:
            time.sleep(1)
        super().write(address, data)


def device() -> HangingDevice:
    return HangingDevice()
