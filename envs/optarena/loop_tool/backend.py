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
    """One measurement of a nest whose output was right.

    Attributes:
        elements: ``N``: additions of one call.
        seconds: Seconds of one call, for each sample: the time of ``calls`` calls, divided by their number.
        On CPUs it is the CPU time of the thread that used most, waiting for others included; on GPUs the time
        between two events.
        calls: Calls of one sample.
        threads: Threads that shared the work.
        temperature: Whether the caches were cold or warm.
    """

    elements: int
    seconds: tuple[float, ...]
    calls: int
    threads: int
    temperature: Temperature = "warm"

    @property
    def median_seconds(self) -> float:
        """The median of the samples."""
        return statistics.median(self.seconds)

    @property
    def gflops(self) -> float:
        """GFLOP/s, counting additions: ``elements / median_seconds / 1e9``."""
        return self.elements / self.median_seconds / 1e9

    def as_dict(self) -> dict[str, Any]:
        """The reading as JSON data, with the spread of its samples."""
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
    """Buffers for ``elements`` elements on one device, and the measurements with them.

    Attributes:
        elements: ``N``.
        emulated: Whether the device is only emulated, so that its times mean nothing.
        identity: Name of the device: the same in all processes of a machine that use it, for its lock.
    """

    elements: int
    emulated: bool
    identity: str

    def read(self, nest: Nest) -> Reading:
        """Compile a nest, check its output bit for bit, and measure it.

        Raises:
            IncorrectOutput: The output is wrong; nothing was measured.
        """

    def reference(self) -> Reading:
        """Measure the reference that results are compared with: a compiled plain loop, or a device's copy."""

    def machine(self) -> dict[str, Any]:
        """The machine that was measured on, as JSON data: identifying properties and present state."""

    def close(self) -> None:
        """Free everything."""
