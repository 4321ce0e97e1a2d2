"""Devices that misbehave, for ``OPTARENA_CUDA_DEVICE``: what a block of a measurement must survive."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from optarena.errors import DeviceBusy, DeviceUnavailable
from optarena.loop_tool.cuda.backend import GUARD_BYTES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optarena.cuda.kernels import Kernel


def missing() -> NoReturn:
    raise DeviceUnavailable("No device: the slot is empty.")


def busy() -> NoReturn:
    raise DeviceBusy("The device is in use.")


def hanging() -> NoReturn:
    time.sleep(600)
    raise AssertionError


def crashing() -> NoReturn:
    sys.stderr.write("the driver is sad\n")
    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError


def broken() -> NoReturn:
    """It fails in a way nobody has thought of."""
    raise RuntimeError("error 700")


SECONDS = (3.0, 1.0, 4.0, 2.0, 5.0)
"""Of an addition in one block after the other; a copy takes 1."""


class Imitation:
    """A device in this process's memory; odd numbers of elements it adds right. Its clock is made up."""

    emulated = True
    identity = "imitation"

    def __init__(self) -> None:
        self._memory: dict[int, NDArray[np.uint8]] = {}
        self._took = 0.0
        count = Path(os.environ["OPTARENA_CACHE"], "blocks")
        self._block = int(count.read_text()) if count.exists() else 0
        count.write_text(str(self._block + 1))

    def allocate(self, size: int) -> int:
        memory = np.zeros(size + 256, np.uint8)
        address = memory.ctypes.data + -memory.ctypes.data % 256
        self._memory[address] = memory
        return address

    def write(self, address: int, data: NDArray[Any]) -> None:
        ctypes.memmove(address, data.ctypes.data, data.nbytes)

    def read(self, address: int, size: int) -> NDArray[np.uint8]:
        return np.frombuffer(ctypes.string_at(address, size), np.uint8)

    def fill(self, address: int, size: int, value: int) -> None:
        ctypes.memset(address, value, size)

    def copy(self, target: int, source: int, size: int) -> None:
        self._took = 1.0
        ctypes.memmove(target, source, size)

    def overwrite_caches(self) -> None:
        """There are none."""

    def load(self, kernel: Kernel) -> Callable[[int, int, int], None]:
        del kernel
        return self._add

    def _add(self, x: int, y: int, z: int) -> None:
        elements = (len(self._memory[x - GUARD_BYTES]) - 256 - 2 * GUARD_BYTES) // 4
        left, right, output = (
            np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_float)), (elements,))
            for address in (x, y, z)
        )
        output[:] = left + right
        self._took = SECONDS[self._block % len(SECONDS)]
        if elements % 2 == 0:
            output[3] = 0.5

    def repeated(self, work: Callable[[], None], times: int) -> Callable[[], None]:
        del times
        return work

    def seconds(self, work: Callable[[], None], before: Callable[[], None], samples: int) -> list[float]:
        before()
        work()
        return [self._took] * samples

    def clocks(self) -> None:
        """Nobody tells."""

    def describe(self) -> dict[str, Any]:
        """What this process sees of its environment, too."""
        environment = json.dumps(dict(os.environ))
        return {"device": "imitation", "environment": environment, "block": self._block}

    def close(self) -> None:
        self._memory.clear()


def imitation() -> Imitation:
    return Imitation()
