"""What limits a program on a device: its work, and how fast devices were measured to copy and to compute.

A launch can take no less than to move its bytes, nor than to do its operations (Williams et al., 2009).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Speeds:
    """How fast a device copies, and multiplies and adds in registers, as measured."""

    bytes_per_second: float
    flops_per_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Roofline:
    """The work of one launch of a benchmark, the speeds of devices by name, and what was measured on one.

    Attributes:
        moved_bytes: What a launch must move at least.
        flops: The operations of floats that it must do.
        speeds: By the device's name; of other devices nothing is known.
        device: The device on which ``seconds`` were measured; empty if there are none.
        seconds: Of a launch, by what was launched.
        note: How these were measured.
    """

    moved_bytes: int
    flops: int
    speeds: Mapping[str, Speeds]
    device: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)
    note: str = ""

    def shares(self, device: str, seconds: float) -> tuple[float, float]:
        """The shares that a launch reaches of the device's speeds of copying and of computing."""
        known = self.speeds[device]
        return (
            self.moved_bytes / known.bytes_per_second / seconds,
            self.flops / known.flops_per_second / seconds,
        )
