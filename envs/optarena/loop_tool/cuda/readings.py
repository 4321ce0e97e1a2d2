"""A reading of work on a GPU, with its interval and its conditions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from optarena.cuda.timing import Samples
    from optarena.loop_tool.backend import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """A reading with its conditions.

    Attributes:
        reading: The reading.
        interval: The 95 % confidence interval of the median seconds; None for fewer than 6 samples.
        samples: The measured times.
    """

    reading: Reading
    interval: tuple[float, float] | None
    samples: Samples

    def as_dict(self) -> dict[str, Any]:
        """The timing as JSON data."""
        clocks = {"before": self.samples.before, "after": self.samples.after}
        return {
            **self.reading.as_dict(),
            "interval_seconds": None if self.interval is None else list(self.interval),
            "throttled": self.samples.throttled,
            "clocks": {when: None if one is None else one.as_dict() for when, one in clocks.items()},
        }
