"""Times a launch, cold or warm: the number of samples, and the confidence interval of the result.

* *Cold*: a sample is one launch between two events. Before it, more than the size of the caches is written,
  and then more than their size is read from another buffer: so the caches hold none of the launch's data, and
  no line that must be written back first.
* *Warm*: a sample is a graph of as many launches as take about 2 ms, divided by their number; one launch if
  it takes longer.

Before a sample the device does other work for about 50 us, so that the host has enqueued the sample when it
begins. Before the first sample it works for 20 ms, so that its clocks rise. All of this counts: a reading
takes at most 0.3 s of the device, and more only if two launches do.

No time is subtracted. A reading is repeated if heat or power lowered the clocks, once, or if it is not
steady: at most twice, and then it fails. Samples of one code sometimes have two levels, or drift. Then they
do not repeat each other, and an interval that takes them for independent is too narrow.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from optarena.errors import InfrastructureFault
from optarena.specs.results import UNSTEADY

if TYPE_CHECKING:
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
_CONFIDENCE: Final = 0.95
_BLOCKS: Final = 10  # of samples in their order, of which an interval has the medians
TRIES: Final = 3  # of a reading until it is steady
# How far both halves of a reading may differ, and its quartiles and its interval extend to each side. The
# interval of all but two of 864 committed readings of an H200 and an H100 extends a tenth of this.
STEADY: Final = 0.03
EVENT_SECONDS: Final = 1e-6  # what the two events of a sample cannot tell apart: each has steps of 0.5 us


class UnsteadyDevice(InfrastructureFault):
    """Readings of one code on a device did not repeat each other, so none of them is its time."""

    def __init__(self, message: str) -> None:
        super().__init__(message, reason=UNSTEADY)


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

    @property
    def is_steady(self) -> bool:
        middle = len(self.seconds) // 2
        one, other = (statistics.median(half) for half in (self.seconds[:middle], self.seconds[middle:]))
        low, median, high = statistics.quantiles(self.seconds, n=4, method="inclusive")
        below, above = interval(self.seconds) or (median, median)
        reach = max(abs(one - other), (high - low) / 2, (above - below) / 2)
        return reach <= max(STEADY * median, EVENT_SECONDS / self.calls)

    def as_dict(self) -> dict[str, Any]:
        around = interval(self.seconds)
        clocks = {"before": self.before, "after": self.after}
        return {
            "interval_seconds": None if around is None else list(around),
            "throttled": self.throttled,
            "clocks": {when: None if one is None else one.as_dict() for when, one in clocks.items()},
        }


def interval(seconds: Sequence[float]) -> tuple[float, float] | None:
    """An interval of the median, by the order of the medians of consecutive blocks of samples.

    Blocks rather than samples, since consecutive samples may have in common what others have not.
    """
    if len(seconds) < MIN_FOR_INTERVAL:
        return None
    size = max(1, len(seconds) // _BLOCKS)
    size -= 1 - size % 2  # the median of an odd number is as often too high as too low
    medians = sorted(statistics.median(seconds[at : at + size]) for at in range(0, len(seconds), size))
    count, left, outside = len(medians), 0.5 ** len(medians), -1
    # As many medians are left out at each end as the confidence allows (the sign test).
    while left <= (1 - _CONFIDENCE) / 2:
        outside += 1
        left += math.comb(count, outside + 1) * 0.5**count
    return medians[outside], medians[-1 - outside]


def measure(device: Device, launch: Work, temperature: Temperature) -> Samples:
    # The launch must have run before, since a first launch also loads code.
    return _repeat_until_steady(device, lambda: _read(device, launch, temperature, SAMPLES))


def measure_cold_and_warm(device: Device, launch: Work) -> tuple[Samples, Samples]:
    """Return a cold and a warm reading; both halves of the cold one are readings, with the warm one between.

    So what slows the device for as long as a reading is not taken for the time of the code.
    """
    warm: list[Samples] = []

    def read() -> Samples:
        one = _read(device, launch, "cold", SAMPLES // 2)
        warm.append(measure(device, launch, "warm"))
        other = _read(device, launch, "cold", SAMPLES // 2)
        return replace(one if one.throttled else other, seconds=one.seconds + other.seconds)

    return _repeat_until_steady(device, read), warm[-1]


def _repeat_until_steady(device: Device, read: Callable[[], Samples]) -> Samples:
    # The times of an emulated device mean nothing, so it need not be steady.
    for _ in range(TRIES):
        samples = read()
        if device.emulated or samples.is_steady:
            return samples
    raise UnsteadyDevice(
        f"Each of {TRIES} readings of the same code was unsteady: its halves differ by more than "
        f"{STEADY:.0%}, or half of its samples or its interval extend beyond ± {STEADY:.0%}."
    )


def _read(device: Device, launch: Work, temperature: Temperature, most: int) -> Samples:
    for _ in range(2):
        before = device.clocks()
        seconds, calls = (_cold if temperature == "cold" else _warm)(device, launch, most)
        samples = Samples(seconds=tuple(seconds), calls=calls, before=before, after=device.clocks())
        if not samples.throttled:
            break
    return samples


def call_count(seconds: float, together: float = REPLAY_SECONDS) -> int:
    if seconds * MAX_CALLS <= together:
        return MAX_CALLS
    return max(1, round(together / seconds))


def _cold(device: Device, launch: Work, most: int) -> tuple[list[float], int]:
    spent = _ReadingTime(device, most)
    before = _WorkBefore(device.overwrite_caches, spent.warm_up(device.overwrite_caches))
    return spent.rest(launch, before, spent.estimates(launch, before)), 1


def _warm(device: Device, launch: Work, most: int) -> tuple[list[float], int]:
    spent = _ReadingTime(device, most)
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
    count = spent.count(calls * one + before.seconds)
    return [total / calls for total in spent.samples(replay, before, count)], calls


@dataclass(frozen=True, slots=True)
class _WorkBefore:
    """The work before a sample, and its approximate time."""

    work: Work
    seconds: float


_NO_LEAD: Final = _WorkBefore(lambda: None, 0.0)  # for samples so long that the host's time is negligible


class _ReadingTime:
    """The time that a reading has taken of a device, without its warm-up."""

    def __init__(self, device: Device, most: int) -> None:
        self.seconds = 0.0
        self._most, self._budget = most, BUDGET_SECONDS * most / SAMPLES
        self.repeated = device.repeated
        self._device = device

    def samples(self, work: Work, before: _WorkBefore, count: int) -> list[float]:
        found = self._device.seconds(work, before.work, count)
        self.seconds += sum(found) + count * before.seconds
        return found

    def estimates(self, launch: Work, before: _WorkBefore) -> list[float]:
        # Two samples if they use up the budget.
        found: list[float] = []
        while len(found) < MIN_SAMPLES or (len(found) < _ESTIMATES and self.seconds < self._budget):
            found += self.samples(launch, before, 1)
        return found

    def count(self, seconds: float) -> int:  # of samples that still fit
        budget = self._budget - self.seconds
        # Fewer for slow launches, which are less noisy too.
        if seconds * self._most <= max(budget, 0):
            return self._most
        return max(MIN_SAMPLES, int(budget / seconds))

    def rest(self, launch: Work, before: _WorkBefore, estimates: list[float]) -> list[float]:
        # The smallest estimate counts as the time of one sample: a delayed host only makes others longer.
        count = self.count(min(estimates) + before.seconds)
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
