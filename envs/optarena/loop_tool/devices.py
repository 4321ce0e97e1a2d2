"""Opens the backend of a device."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from optarena.loop_tool.backend import MeasuringBackend
    from optarena.loop_tool.nest import Device


def open_backend(device: Device, elements: int) -> MeasuringBackend:
    # Imported late: each loads a compiler, and a session needs at most one of them.
    if device == "cpu":
        from optarena.loop_tool.cpu.backend import CpuBackend  # noqa: PLC0415 # loads a compiler

        return CpuBackend(elements)
    from optarena.loop_tool.cuda.backend import open_device  # noqa: PLC0415 # loads a compiler

    return open_device(elements)
