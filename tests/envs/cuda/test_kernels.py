"""Kernels beside those of schedules, executed on the CPU: what they read, and that they write nothing else.

That a GPU's caches are cold and clean afterwards is not tested.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from cuda_on_cpu import CpuDevice

from optarena.cuda.device import Caches
from optarena.cuda.kernels import CHAINS, COMPUTED, FOUND, computing_kernel, reading_kernel

if TYPE_CHECKING:
    from optarena.cuda.device import Launch
    from optarena.cuda.kernels import Kernel

VECTORS = 1000
SIZE = 16 * VECTORS


class Noting(CpuDevice):
    """A device that notes what is enqueued: writes with their sizes, and launches with what they read."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: dict[int, int] = {}
        self.notes: list[tuple[str, int, int]] = []

    def allocate(self, size: int) -> int:
        address = super().allocate(size)
        self.sizes[address] = size
        return address

    def fill(self, address: int, size: int, value: int) -> None:
        self.notes.append(("write", address, size))
        super().fill(address, size, value)

    def load(self, kernel: Kernel) -> Launch:
        launch = super().load(kernel)

        def noted(x: int, y: int, z: int) -> None:
            self.notes.append(("read", x, 16 * kernel.threads))
            launch(x, y, z)

        return noted


def operands() -> tuple[CpuDevice, int, int]:
    device = CpuDevice()
    x, z = device.allocate(SIZE), device.allocate(SIZE)
    device.fill(x, SIZE, 0)
    device.fill(z, SIZE, 0xFF)
    return device, x, z


def test_every_vector_is_read_and_zeros_leave_no_trace() -> None:
    device, x, z = operands()
    launch = device.load(reading_kernel(VECTORS))
    launch(x, x, z)
    assert (device.read(z, SIZE) == 0xFF).all()
    for element in (0, 1, 1023, 1024, 4 * VECTORS - 4, 4 * VECTORS - 1):
        values = np.zeros(4 * VECTORS, np.float32)
        values[element] = FOUND
        device.write(x, values)
        device.fill(z, SIZE, 0xFF)
        launch(x, x, z)
        assert device.read(z, 4).view(np.float32)[0] == FOUND


@pytest.mark.parametrize("flops", [1, 16, 17, 4096, 16 * 2**19 + 1])
def test_as_many_operations_are_done_as_are_wanted(flops: int) -> None:
    kernel, done = computing_kernel(flops)
    (rounds,) = map(int, re.findall(r"round < (\d+)u", kernel.source))
    assert done == 2 * CHAINS * rounds * kernel.threads
    assert flops <= done < flops + 2 * CHAINS * rounds


def test_computing_leaves_the_given_values_and_no_trace_and_others_show() -> None:
    device, x, z = operands()
    kernel, _ = computing_kernel(4096)
    launch = device.load(kernel)
    device.write(x, np.array(COMPUTED, np.float32))
    launch(x, x, z)
    assert (device.read(z, SIZE) == 0xFF).all()
    device.write(x, np.array([0.5, 1.0, *range(CHAINS)], np.float32))
    launch(x, x, z)
    assert device.read(z, 4).view(np.float32)[0] == sum(1 + i / 2 for i in range(CHAINS))  # after one round


def test_caches_are_written_over_and_then_read_over_with_something_else() -> None:
    device = Noting()
    caches = Caches(device, 10_000, min_written=1 << 16)
    device.notes.clear()
    caches.overwrite()
    (first, written, size_written), (second, read, size_read) = device.notes
    assert (first, second) == ("write", "read")
    assert written != read
    assert size_written == device.sizes[written] == 1 << 16
    assert 2 * 10_000 <= size_read == device.sizes[read]
    assert not device.read(read, size_read).any()
    assert not device.read(written, size_written).any()
