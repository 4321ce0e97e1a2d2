"""How a launch is timed: cold and warm, how often, and how sure the result is.

* *Cold*: the caches are overwritten before each sample, which is one launch between two events.
* *Warm*: a sample is a graph of as many launches as take about 2 ms, divided by them.

No time is subtracted. Where heat or power held the clocks down, a reading is made once more.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.loop_tool.backend import Reading, Temperature
    from optarena.loop_tool.cuda.clocks import Clocks
    from optarena.loop_tool.cuda.interface import Device, Work

SAMPLES: Final = 50
"""Samples of a reading, if they fit ``BUDGET_SECONDS``."""
MIN_SAMPLES: Final = 3
BUDGET_SECONDS: Final = 0.25
REPLAY_SECONDS: Final = 2e-3
"""What a sample of warm launches takes together."""
MAX_CALLS: Final = 1000
_PROBE_CALLS: Final = 16
_PROBE_SAMPLES: Final = 3
_WARM_UP: Final = 5
_RESAMPLES: Final = 1000
_CONFIDENCE: Final = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """Measured times.

    Attributes:
        seconds: Of one launch, a value for each sample.
        calls: Launches of one sample.
        before: The device's clocks before the first; None where nobody tells.
        after: The same after the last.
    """

    seconds: tuple[float, ...]
    calls: int
    before: Clocks | None = None
    after: Clocks | None = None

    @property
    def throttled(self) -> bool:
        """Whether heat or power held the clocks down."""
        return any(clocks is not None and clocks.throttled for clocks in (self.before, self.after))


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """A reading with what it was made under.

    Attributes:
        reading: The reading.
        interval: Between these two values the median seconds lie with a confidence of 95 %.
        samples: What was measured.
    """

    reading: Reading
    interval: tuple[float, float]
    samples: Samples

    def as_dict(self) -> dict[str, Any]:
        """The timing as JSON data."""
        clocks = {"before": self.samples.before, "after": self.samples.after}
        return {
            **self.reading.as_dict(),
            "interval_seconds": list(self.interval),
            "throttled": self.samples.throttled,
            "clocks": {when: None if one is None else one.as_dict() for when, one in clocks.items()},
        }


def interval(seconds: Sequence[float], *, confidence: float = _CONFIDENCE) -> tuple[float, float]:
    """A bootstrap interval of the median: the same for the same samples in whatever order.

    Args:
        seconds: The samples, at least one.
        confidence: Of the interval.
    """
    values = np.sort(np.asarray(seconds, dtype=np.float64))
    choices = np.random.default_rng(0).integers(len(values), size=(_RESAMPLES, len(values)))
    medians = np.median(values[choices], axis=1)
    low, high = np.quantile(medians, ((1 - confidence) / 2, (1 + confidence) / 2))
    return float(low), float(high)


def measure(device: Device, launch: Work, temperature: Temperature) -> Samples:
    """Time a launch, once more if the clocks were held down.

    Args:
        device: Where.
        launch: Enqueues the launch; it must have run before, since a first launch also loads code.
        temperature: Of the caches.
    """
    for _ in range(2):
        before = device.clocks()
        seconds, calls = (_cold if temperature == "cold" else _warm)(device, launch)
        samples = Samples(seconds=tuple(seconds), calls=calls, before=before, after=device.clocks())
        if not samples.throttled:
            break
    return samples


def _cold(device: Device, launch: Work) -> tuple[list[float], int]:
    estimate = device.seconds(launch, device.overwrite_caches, 1)[0]
    count = sample_count(estimate)
    if count == SAMPLES:
        device.seconds(launch, device.overwrite_caches, _WARM_UP)
    return device.seconds(launch, device.overwrite_caches, count), 1


def _warm(device: Device, launch: Work) -> tuple[list[float], int]:
    estimate = device.seconds(launch, launch, 1)[0]
    if estimate >= REPLAY_SECONDS:
        return device.seconds(launch, _nothing, sample_count(estimate)), 1
    probe = device.repeated(launch, _PROBE_CALLS)
    one = statistics.median(device.seconds(probe, probe, _PROBE_SAMPLES)) / _PROBE_CALLS
    calls = call_count(one)
    replay = device.repeated(launch, calls)
    device.seconds(replay, probe, _WARM_UP)
    # The probe is short, and keeps the device busy while the host enqueues the sample.
    totals = device.seconds(replay, probe, sample_count(one * calls))
    return [total / calls for total in totals], calls


def sample_count(seconds: float) -> int:
    """The samples of a reading if each takes that long: fewer for what is slow, as it is less noisy too."""
    if seconds * SAMPLES <= BUDGET_SECONDS:
        return SAMPLES
    return max(MIN_SAMPLES, int(BUDGET_SECONDS / seconds))


def call_count(seconds: float) -> int:
    """The launches of a warm sample if each takes that long."""
    if seconds * MAX_CALLS <= REPLAY_SECONDS:
        return MAX_CALLS
    return max(1, round(REPLAY_SECONDS / seconds))


def _nothing() -> None:
    """What comes before a sample so long that the host's share of it does not count."""
