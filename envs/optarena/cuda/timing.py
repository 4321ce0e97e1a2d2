"""Times a launch, cold or warm: the number of samples, and the confidence interval of the result.

* *Cold*: a sample is one launch between two events. Before it, more than the size of the caches is written,
  and then more than their size is read from another buffer: so the caches hold none of the launch's data, and
  no line that must be written back first.
* *Warm*: a sample is a graph of as many launches as take about 2 ms, divided by their number; one launch if
  it takes longer.

Before a sample the device does other work for about 50 us, so that the host has enqueued the sample when it
begins. Before the first sample it works for 20 ms, so that its clocks rise. All of this counts: a reading
takes at most 0.3 s of the device, and more only if two launches do.

No time is subtracted. If heat or power lowered the clocks, the reading is repeated once.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.cuda.device import Clocks, Device, Temperature, Work

SAMPLES: Final = 50  # of a reading, if they fit BUDGET_SECONDS
MIN_SAMPLES: Final = 2
# The range of fewer samples contains the median with less than 95 %; that of 6 with 1 - 2 / 2**6 = 97 %.
MIN_FOR_INTERVAL: Final = 6
BUDGET_SECONDS: Final = 0.25  # of the device, for a reading without the warm-up
REPLAY_SECONDS: Final = 2e-3  # of one sample of warm launches
WARM_UP_SECONDS: Final = 0.02
LEAD_SECONDS: Final = 5e-5  # of the work before a sample, during which the host enqueues the sample
MAX_CALLS: Final = 1000
# Samples of at least this many seconds need no work before: the host's 10 us are less than a thousandth.
_LONG_SECONDS: Final = 0.01
_ESTIMATES: Final = 3
_PROBE_CALLS: Final = 16
_RESAMPLES: Final = 1000
_CONFIDENCE: Final = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    seconds: tuple[float, ...]  # of one launch, a value for each sample
    calls: int  # launches of one sample
    before: Clocks | None = None  # the device's clocks before the first sample
    after: Clocks | None = None  # the device's clocks after the last sample

    @property
    def throttled(self) -> bool | None:
        found = [None if clocks is None else clocks.throttled for clocks in (self.before, self.after)]
        return True if True in found else None if None in found else False

    def as_dict(self) -> dict[str, Any]:
        around = interval(self.seconds)
        clocks = {"before": self.before, "after": self.after}
        return {
            "interval_seconds": None if around is None else list(around),
            "throttled": self.throttled,
            "clocks": {when: None if one is None else one.as_dict() for when, one in clocks.items()},
        }


def interval(seconds: Sequence[float], *, confidence: float = _CONFIDENCE) -> tuple[float, float] | None:
    """A bootstrap interval of the median: the same for the same samples in any order."""
    if len(seconds) < MIN_FOR_INTERVAL:
        return None
    values = np.sort(np.asarray(seconds, dtype=np.float64))
    choices = np.random.default_rng(0).integers(len(values), size=(_RESAMPLES, len(values)))
    medians = np.median(values[choices], axis=1)
    low, high = np.quantile(medians, ((1 - confidence) / 2, (1 + confidence) / 2))
    return float(low), float(high)


def measure(device: Device, launch: Work, temperature: Temperature) -> Samples:
    # The launch must have run before, since a first launch also loads code.
    for _ in range(2):
        before = device.clocks()
        seconds, calls = (_cold if temperature == "cold" else _warm)(device, launch)
        samples = Samples(seconds=tuple(seconds), calls=calls, before=before, after=device.clocks())
        if not samples.throttled:
            break
    return samples


def sample_count(seconds: float, budget: float = BUDGET_SECONDS) -> int:
    # Fewer for slow launches, which are less noisy too.
    if seconds * SAMPLES <= max(budget, 0):
        return SAMPLES
    return max(MIN_SAMPLES, int(budget / seconds))


def call_count(seconds: float, together: float = REPLAY_SECONDS) -> int:
    if seconds * MAX_CALLS <= together:
        return MAX_CALLS
    return max(1, round(together / seconds))


def _cold(device: Device, launch: Work) -> tuple[list[float], int]:
    spent = _ReadingTime(device)
    before = _WorkBefore(device.overwrite_caches, spent.warm_up(device.overwrite_caches))
    return spent.rest(launch, before, spent.estimates(launch, before)), 1


def _warm(device: Device, launch: Work) -> tuple[list[float], int]:
    spent = _ReadingTime(device)
    (first,) = spent.samples(launch, _NO_LEAD, 1)  # its caches are cold, so it is not a sample
    before = _NO_LEAD if first >= _LONG_SECONDS else _WorkBefore(launch, first)
    estimates = spent.estimates(launch, before)
    one = min(estimates)
    if one >= REPLAY_SECONDS:
        spent.warm_up(launch, spent.seconds)
        found = spent.rest(launch, before, estimates)
        # The host may have been delayed at every estimate, but hardly at half of the samples, too.
        if statistics.median(found) >= REPLAY_SECONDS:
            return found, 1
        one = min(found)
    return _measure_graphs(spent, launch, one)


def _measure_graphs(spent: _ReadingTime, launch: Work, one: float) -> tuple[list[float], int]:
    # One launch takes at most `one` seconds.
    probed = min(_PROBE_CALLS, call_count(one, LEAD_SECONDS))
    if probed > 1:  # the two events are a part of the time of so short a launch
        probe = spent.repeated(launch, probed)
        one = min(spent.samples(probe, _WorkBefore(probe, probed * one), _ESTIMATES)) / probed
    leading = min(MAX_CALLS, max(1, math.ceil(LEAD_SECONDS / max(one, LEAD_SECONDS / MAX_CALLS))))
    before = _WorkBefore(launch if leading == 1 else spent.repeated(launch, leading), leading * one)
    calls = call_count(one)
    replay = spent.repeated(launch, calls)
    spent.warm_up(replay)
    count = sample_count(calls * one + before.seconds, BUDGET_SECONDS - spent.seconds)
    return [total / calls for total in spent.samples(replay, before, count)], calls


@dataclass(frozen=True, slots=True)
class _WorkBefore:
    """The work before a sample, and its approximate time."""

    work: Work
    seconds: float


_NO_LEAD: Final = _WorkBefore(lambda: None, 0.0)  # for samples so long that the host's time is negligible


class _ReadingTime:
    """The time that a reading has taken of a device, without its warm-up."""

    def __init__(self, device: Device) -> None:
        self.seconds = 0.0
        self.repeated = device.repeated
        self._device = device

    def samples(self, work: Work, before: _WorkBefore, count: int) -> list[float]:
        found = self._device.seconds(work, before.work, count)
        self.seconds += sum(found) + count * before.seconds
        return found

    def estimates(self, launch: Work, before: _WorkBefore) -> list[float]:
        # Two samples if they use up the budget.
        found: list[float] = []
        while len(found) < MIN_SAMPLES or (len(found) < _ESTIMATES and self.seconds < BUDGET_SECONDS):
            found += self.samples(launch, before, 1)
        return found

    def rest(self, launch: Work, before: _WorkBefore, estimates: list[float]) -> list[float]:
        # The smallest estimate counts as the time of one sample: a delayed host only makes others longer.
        count = sample_count(min(estimates) + before.seconds, BUDGET_SECONDS - self.seconds)
        return estimates if count <= len(estimates) else self.samples(launch, before, count)

    def warm_up(self, work: Work, already: float = 0.0) -> float:
        # Returns the seconds that the work takes; 0 if the device has worked long enough before.
        if already >= WARM_UP_SECONDS:
            return 0.0
        found = self._device.seconds(work, _NO_LEAD.work, _ESTIMATES)
        one = min(found)
        left = WARM_UP_SECONDS - already - sum(found)
        if left > 0:
            self._device.seconds(
                work, _NO_LEAD.work, min(MAX_CALLS, math.ceil(left / max(one, WARM_UP_SECONDS / MAX_CALLS)))
            )
        return one
