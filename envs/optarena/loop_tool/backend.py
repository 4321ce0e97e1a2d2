"""The interface of backends, which measure nests: there is one backend for each kind of device."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from optarena.errors import ProgramFailed

if TYPE_CHECKING:
    from optarena.cuda.device import Temperature
    from optarena.loop_tool.nest import Nest


class IncorrectOutput(ProgramFailed):
    """The output of the compiled nest is not the sum; the message says where and what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One measurement of a nest whose output was right."""

    elements: int  # N: additions of one call
    # Of one call, for each sample: the time of `calls` calls, divided by their number. On CPUs it is the CPU
    # time of the thread that used most, waiting for others included; on GPUs the time between two events.
    seconds: tuple[float, ...]
    calls: int  # of one sample
    threads: int
    temperature: Temperature = "warm"

    @property
    def median_seconds(self) -> float:
        return statistics.median(self.seconds)

    @property
    def gflops(self) -> float:  # counting additions
        return self.elements / self.median_seconds / 1e9

    def as_dict(self) -> dict[str, Any]:
        ordered = sorted(self.seconds)
        return {
            "gflops": self.gflops,
            "median_seconds": self.median_seconds,
            "fastest_seconds": ordered[0],
            "slowest_seconds": ordered[-1],
            "samples": len(ordered),
            "calls": self.calls,
            "threads": self.threads,
            "temperature": self.temperature,
        }


class MeasuringBackend(Protocol):
    """Buffers for ``elements`` elements on one device, and the measurements with them."""

    elements: int  # N
    emulated: bool  # then its times mean nothing
    identity: str  # of the device: the same in all processes of a machine that use it, for its lock

    def read(self, nest: Nest) -> Reading:
        """Compile a nest, check its output bit for bit, and measure it; raises ``IncorrectOutput``."""

    def reference(self) -> Reading:
        """Measure what results are compared with: a compiled plain loop, or a device's copy."""

    def machine(self) -> dict[str, Any]:
        """The machine that was measured on, as JSON data: identifying properties and present state."""

    def close(self) -> None:
        """Free everything."""
