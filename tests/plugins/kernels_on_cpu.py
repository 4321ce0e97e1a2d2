"""A stand-in for a GPU that executes kernels on the CPU: ``OPTARENA_CUDA_DEVICE=kernels_on_cpu:device``.

It takes NVPTX IR in the place of machine code, which no CPU can execute. All else of a job is as on a GPU:
the arrays with their guards, the comparison with the reference, readings in turns. Its times mean nothing.
"""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING, NoReturn
from unittest.mock import patch

from cuda_on_cpu import CpuDevice

from optarena.cuda.missing import DeviceFull, KernelFaulted
from optarena.cuda.timing import UnsteadyDevice
from optarena.errors import DeviceBusy
from optarena.gpu_kernels import references
from optarena.gpu_kernels.emulation import Emulated

if TYPE_CHECKING:
    from optarena.cuda.device import Arguments, Pair, Work

ROOM_BYTES = 2**10


class KernelDevice(CpuDevice):
    """Executes IR in the place of cubins."""

    def load_code(self, code: bytes, name: str, grid: Pair, block: Pair, arguments: Arguments) -> Work:
        emulated = Emulated(code.decode(), name)
        order = list(range(block[0] * block[1]))
        words = [int(one) & 0xFFFFFFFFFFFFFFFF for one in arguments]
        return lambda: emulated.launch(grid, block, words, order)


class SmallDevice(KernelDevice):
    """One with little memory."""

    def allocate(self, size: int) -> int:
        if size > ROOM_BYTES:
            raise DeviceFull(f"The device failed: out of memory allocating {size} bytes")
        return super().allocate(size)


class OtherDevice(KernelDevice):
    """One of another generation."""

    def describe(self) -> dict[str, object]:
        return {**super().describe(), "compute_capability": "8.6"}


class HangingDevice(KernelDevice):
    """One on which no kernel ends but those that say so, and one that says so ends the process.

    One that damages it ends the process when it is closed.
    """

    damaged = False

    def close(self) -> None:
        super().close()
        if self.damaged:
            os.kill(os.getpid(), signal.SIGSEGV)

    def load_code(self, code: bytes, name: str, grid: Pair, block: Pair, arguments: Arguments) -> Work:
        self.damaged = b"; damages" in code
        if self.damaged or b"; ends" in code:
            return super().load_code(code, name, grid, block, arguments)
        if b"; dies" in code:
            return lambda: os.kill(os.getpid(), signal.SIGSEGV)

        def never() -> None:
            time.sleep(3600)

        return never


class FaultingDevice(KernelDevice):
    """One that stops kernels which say that they do what is forbidden."""

    def load_code(self, code: bytes, name: str, grid: Pair, block: Pair, arguments: Arguments) -> Work:
        launch = super().load_code(code, name, grid, block, arguments)
        if b"; faults" not in code:
            return launch

        def stop() -> None:
            raise KernelFaulted("The device failed: cudaErrorIllegalAddress: an illegal memory access")

        return stop


class UnsteadyKernels(KernelDevice):
    """One whose readings never repeat themselves."""

    def seconds(self, work: Work, before: Work, samples: int) -> list[float]:
        raise UnsteadyDevice("Each of 3 readings of the same code was unsteady.")


class Real(KernelDevice):
    """One that does not say that it is emulated."""

    emulated = False


def device() -> KernelDevice:
    return KernelDevice()


def small() -> KernelDevice:
    return SmallDevice()


def other() -> KernelDevice:
    return OtherDevice()


def hanging() -> KernelDevice:
    return HangingDevice()


def busy() -> KernelDevice:
    raise DeviceBusy("The device is in use.")


def slowly_compared() -> KernelDevice:
    patch.object(references, "difference", lambda *_: time.sleep(3600)).start()
    return KernelDevice()


def faulting() -> KernelDevice:
    return FaultingDevice()


def unsteady() -> KernelDevice:
    return UnsteadyKernels()


def unsteady_at_once() -> NoReturn:
    raise UnsteadyDevice("Each of 3 readings of the same code was unsteady.")


def real() -> KernelDevice:
    return Real()
