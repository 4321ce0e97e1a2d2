"""How a launch is timed: cold and warm, how often, and how sure the result is.

* *Cold*: before each sample, which is one launch between two events, more than the caches hold is written,
  and then more than they hold is read of something else: so the launch finds nothing of its own there, and no
  line that must be written back first.
* *Warm*: a sample is a graph of as many launches as take about 2 ms, divided by them; one launch where that
  takes longer.

Before a sample the device does something that takes it about 50 us, so that the host has enqueued the sample
when it begins. Before the first sample it works for 20 ms, so that its clocks have risen. All of it counts:
a reading takes at most 0.3 s of the device, and more only where two launches do.

No time is subtracted. Where heat or power held the clocks down, a reading is made once more.
"""

from __future__ import annotations

import math
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
MIN_SAMPLES: Final = 2
MIN_FOR_INTERVAL: Final = 6
"""Of fewer samples not even all together hold the median with 95 %: of 6 they do with 1 - 2 / 2**6 = 97 %."""
BUDGET_SECONDS: Final = 0.25
"""What a reading may take of the device, without what warms it up."""
REPLAY_SECONDS: Final = 2e-3
"""What a sample of warm launches takes together."""
WARM_UP_SECONDS: Final = 0.02
LEAD_SECONDS: Final = 5e-5
"""What the device does before a sample takes about as long: the host enqueues the sample in less."""
MAX_CALLS: Final = 1000
_LONG_SECONDS: Final = 0.01
"""From this on nothing comes before a sample: the host's share, some 10 us, is less than a thousandth."""
_ESTIMATES: Final = 3
_PROBE_CALLS: Final = 16
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
    def throttled(self) -> bool | None:
        """Whether heat or power held the clocks down; None where nobody tells."""
        found = [None if clocks is None else clocks.throttled for clocks in (self.before, self.after)]
        return True if True in found else None if None in found else False


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """A reading with what it was made under.

    Attributes:
        reading: The reading.
        interval: Between these two values the median seconds lie with a confidence of 95 %; None of fewer
            than 6 samples.
        samples: What was measured.
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


def interval(seconds: Sequence[float], *, confidence: float = _CONFIDENCE) -> tuple[float, float] | None:
    """A bootstrap interval of the median: the same for the same samples in whatever order.

    Args:
        seconds: The samples.
        confidence: Of the interval.

    Returns:
        The interval; None of fewer than 6 samples, of which no interval has this confidence.
    """
    if len(seconds) < MIN_FOR_INTERVAL:
        return None
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


def sample_count(seconds: float, budget: float = BUDGET_SECONDS) -> int:
    """The samples of a reading if each takes that long: fewer for what is slow, as it is less noisy too."""
    if seconds * SAMPLES <= max(budget, 0):
        return SAMPLES
    return max(MIN_SAMPLES, int(budget / seconds))


def call_count(seconds: float, together: float = REPLAY_SECONDS) -> int:
    """The launches that take about so long together, if each takes that long."""
    if seconds * MAX_CALLS <= together:
        return MAX_CALLS
    return max(1, round(together / seconds))


def _cold(device: Device, launch: Work) -> tuple[list[float], int]:
    spent = _Spent(device)
    before = _Lead(device.overwrite_caches, spent.warm_up(device.overwrite_caches))
    return spent.rest(launch, before, spent.estimates(launch, before)), 1


def _warm(device: Device, launch: Work) -> tuple[list[float], int]:
    spent = _Spent(device)
    (first,) = spent.samples(launch, _NO_LEAD, 1)  # it finds the caches cold, and is no sample
    before = _NO_LEAD if first >= _LONG_SECONDS else _Lead(launch, first)
    estimates = spent.estimates(launch, before)
    one = min(estimates)
    if one >= REPLAY_SECONDS:
        spent.warm_up(launch, spent.seconds)
        found = spent.rest(launch, before, estimates)
        # The host may have been held up at every estimate; not at half of the samples, too.
        if statistics.median(found) >= REPLAY_SECONDS:
            return found, 1
        one = min(found)
    return _replayed(spent, launch, one)


def _replayed(spent: _Spent, launch: Work, one: float) -> tuple[list[float], int]:
    """Samples of graphs of launches, of which one takes at most so long."""
    probed = min(_PROBE_CALLS, call_count(one, LEAD_SECONDS))
    if probed > 1:  # of a launch that short the two events take a part
        probe = spent.repeated(launch, probed)
        one = min(spent.samples(probe, _Lead(probe, probed * one), _ESTIMATES)) / probed
    leading = min(MAX_CALLS, max(1, math.ceil(LEAD_SECONDS / max(one, LEAD_SECONDS / MAX_CALLS))))
    before = _Lead(launch if leading == 1 else spent.repeated(launch, leading), leading * one)
    calls = call_count(one)
    replay = spent.repeated(launch, calls)
    spent.warm_up(replay)
    count = sample_count(calls * one + before.seconds, BUDGET_SECONDS - spent.seconds)
    return [total / calls for total in spent.samples(replay, before, count)], calls


def _nothing() -> None:
    """What comes before a sample so long that the host's share of it does not count."""


@dataclass(frozen=True, slots=True)
class _Lead:
    """What comes before a sample, and about how long it takes."""

    work: Work
    seconds: float


_NO_LEAD: Final = _Lead(_nothing, 0.0)


class _Spent:
    """What a reading has taken of a device, all but its warm-up.

    Attributes:
        seconds: The sum.
    """

    def __init__(self, device: Device) -> None:
        self.seconds = 0.0
        self.repeated = device.repeated
        self._device = device

    def samples(self, work: Work, before: _Lead, count: int) -> list[float]:
        """Time some work so often."""
        found = self._device.seconds(work, before.work, count)
        self.seconds += sum(found) + count * before.seconds
        return found

    def estimates(self, launch: Work, before: _Lead) -> list[float]:
        """Three samples; two of what is so slow that they use up the budget."""
        found: list[float] = []
        while len(found) < MIN_SAMPLES or (len(found) < _ESTIMATES and self.seconds < BUDGET_SECONDS):
            found += self.samples(launch, before, 1)
        return found

    def rest(self, launch: Work, before: _Lead, estimates: list[float]) -> list[float]:
        """As many samples as fit the budget; the estimates where no more do.

        The least estimate says how long one takes: a host that is held up only makes others longer.
        """
        count = sample_count(min(estimates) + before.seconds, BUDGET_SECONDS - self.seconds)
        return estimates if count <= len(estimates) else self.samples(launch, before, count)

    def warm_up(self, work: Work, already: float = 0.0) -> float:
        """Repeat some work until the device has worked long enough.

        Args:
            work: What to do.
            already: Seconds that it has worked.

        Returns:
            The seconds that the work takes; 0 if it was not done.
        """
        if already >= WARM_UP_SECONDS:
            return 0.0
        found = self._device.seconds(work, _nothing, _ESTIMATES)
        one = min(found)
        left = WARM_UP_SECONDS - already - sum(found)
        if left > 0:
            self._device.seconds(
                work, _nothing, min(MAX_CALLS, math.ceil(left / max(one, WARM_UP_SECONDS / MAX_CALLS)))
            )
        return one
