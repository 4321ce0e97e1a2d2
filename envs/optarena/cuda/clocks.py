"""Reads a device's clocks from NVML, and the reasons why they are lower than they could be.

NVML's Python module ``pynvml`` comes with the extras ``cuda12`` and ``cuda13``. Without it, or if NVML gives
no values, as in some containers, the clocks are unknown.
"""

from __future__ import annotations

import contextlib
import importlib
from dataclasses import asdict, dataclass
from typing import Any, Final

_REASONS: Final = {
    0x01: "idle",
    0x02: "application clocks",
    0x04: "power cap",
    0x08: "hardware slowdown",
    0x10: "sync boost",
    0x20: "software thermal slowdown",
    0x40: "hardware thermal slowdown",
    0x80: "power brake",
    0x100: "display clocks",
}
"""``nvmlClocksEventReason*`` of nvml.h."""
_THROTTLES: Final = frozenset({
    "power cap", "hardware slowdown", "software thermal slowdown", "hardware thermal slowdown", "power brake",
})  # fmt: skip
"""The reasons for which one reading is slower than another of the same work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """The state of a device at one moment; values that NVML does not report are None.

    Attributes:
        sm_mhz: Clock of the multiprocessors.
        memory_mhz: Clock of the memory.
        celsius: Temperature.
        watts: Power drawn.
        reasons: Why the clocks are lower than they could be; empty if they are not.
    """

    sm_mhz: int | None = None
    memory_mhz: int | None = None
    celsius: int | None = None
    watts: float | None = None
    reasons: tuple[str, ...] | None = None

    @property
    def throttled(self) -> bool | None:
        """Whether heat or power lowers the clocks; None if NVML does not report it."""
        return None if self.reasons is None else not _THROTTLES.isdisjoint(self.reasons)

    def as_dict(self) -> dict[str, Any]:
        """The state as JSON data."""
        return {**asdict(self), "reasons": None if self.reasons is None else list(self.reasons)}


def reasons_of(bits: int) -> tuple[str, ...]:
    """The names of the reasons in NVML's bit mask; unknown reasons as numbers."""
    known = tuple(name for bit, name in _REASONS.items() if bits & bit)
    rest = bits & ~sum(_REASONS)
    return (*known, hex(rest)) if rest else known


class Nvml:
    """NVML's interface to one device.

    Args:
        module: ``pynvml``, initialised.
        handle: NVML's handle of the device.
    """

    def __init__(self, module: Any, handle: Any) -> None:  # noqa: ANN401 # pynvml ships no types
        self._module = module
        self._handle = handle

    @classmethod
    def open(cls, pci_bus_id: str) -> Nvml | None:
        """The device at an address on the PCI bus; None without ``pynvml``, or if NVML does not know it."""
        try:
            module = importlib.import_module("pynvml")
        except ImportError:  # cupy can be installed without it
            return None
        try:
            module.nvmlInit()
            return cls(module, module.nvmlDeviceGetHandleByPciBusId(pci_bus_id.encode()))
        except module.NVMLError:  # such as a container without the library, or a part of a device
            return None

    def driver(self) -> str | None:
        """The version of the driver, such as ``580.95``."""
        version = self._asked("nvmlSystemGetDriverVersion")
        return version.decode() if isinstance(version, bytes) else version

    def clocks(self) -> Clocks:
        """The present state."""
        nvml, handle = self._module, self._handle
        milliwatts = self._asked("nvmlDeviceGetPowerUsage", handle)
        bits = self._asked("nvmlDeviceGetCurrentClocksEventReasons", handle)
        if bits is None:  # the function's name before NVML 12
            bits = self._asked("nvmlDeviceGetCurrentClocksThrottleReasons", handle)
        return Clocks(
            sm_mhz=self._asked("nvmlDeviceGetClockInfo", handle, nvml.NVML_CLOCK_SM),
            memory_mhz=self._asked("nvmlDeviceGetClockInfo", handle, nvml.NVML_CLOCK_MEM),
            celsius=self._asked("nvmlDeviceGetTemperature", handle, nvml.NVML_TEMPERATURE_GPU),
            watts=None if milliwatts is None else milliwatts / 1000,
            reasons=None if bits is None else reasons_of(bits),
        )

    def close(self) -> None:
        """Shut NVML down."""
        self._asked("nvmlShutdown")

    def _asked(self, function: str, *arguments: Any) -> Any:  # noqa: ANN401 # pynvml ships no types
        """NVML's answer; None if it has none, which depends on device, driver and privilege."""
        with contextlib.suppress(AttributeError, self._module.NVMLError):
            return getattr(self._module, function)(*arguments)
        return None
