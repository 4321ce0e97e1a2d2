"""What measures a nest: one backend for each kind of device, all with this interface."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from optarena.errors import ProgramFailed

if TYPE_CHECKING:
    from optarena.loop_tool.nest import Nest

Temperature = Literal["warm", "cold"]
"""Whether the operands may still lie in a cache from the call before."""


class IncorrectOutput(ProgramFailed):
    """The compiled nest computed something else than the addition; says where and what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One measurement of a nest that has given the right output.

    Attributes:
        elements: ``N``: additions of one call.
        seconds: Seconds of one call, one value for each sample: a batch of ``calls`` calls, divided by them.
        calls: Calls of one sample.
        threads: Threads that shared the work.
        temperature: Of the caches.
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
        """Additions in a second, in thousand millions: ``elements / median_seconds / 1e9``."""
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
    """Buffers for ``elements`` elements on one device, and what can be measured with them.

    Attributes:
        elements: ``N``.
        emulated: Whether the device is only imitated, so that no time means anything.
        identity: Names the device: the same in all processes of a machine that use it, as its lock's name.
    """

    elements: int
    emulated: bool
    identity: str

    def read(self, nest: Nest) -> Reading:
        """Compile a nest, check its output bit for bit, and measure it.

        Raises:
            IncorrectOutput: It computes something else; nothing was measured.
        """

    def reference(self) -> Reading:
        """Measure what a result is compared with: a compiled plain loop, or a device's own copy."""

    def machine(self) -> dict[str, Any]:
        """What was measured on, as JSON data: what tells one machine from another, and its present state."""

    def close(self) -> None:
        """Free everything."""
