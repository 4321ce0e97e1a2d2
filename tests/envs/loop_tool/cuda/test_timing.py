"""How launches are timed, on a device whose clock only moves with its work: every duration is known.

Not yet run on a device: that real events and graphs behave so is not tested here.
"""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.loop_tool.cuda import timing
from optarena.loop_tool.cuda.clocks import Clocks, reasons_of
from tests.plugins.cuda_on_cpu import CpuDevice

if TYPE_CHECKING:
    from optarena.loop_tool.cuda.interface import Work

SECONDS = st.floats(1e-7, 10, allow_nan=False)
SAMPLES = st.lists(SECONDS, min_size=1, max_size=60)
OVERWRITING = 5e-5


class Simulated(CpuDevice):
    """A device on which a launch takes as long as it is told, and less if its caches are warm."""

    def __init__(self, cold: float, warm: float, clocks: list[Clocks] | None = None) -> None:
        super().__init__()
        self.now = 0.0
        self.launches = 0
        self._cold, self._warm = cold, warm
        self._is_cold = True
        self._clocks = clocks or []

    def launch(self) -> None:
        self.launches += 1
        self.now += self._cold if self._is_cold else self._warm
        self._is_cold = False

    def overwrite_caches(self) -> None:
        self.now += OVERWRITING
        self._is_cold = True

    def seconds(self, work: Work, before: Work, samples: int) -> list[float]:
        found = []
        for _ in range(samples):
            before()
            start = self.now
            work()
            found.append(self.now - start)
        return found

    def clocks(self) -> Any:
        return self._clocks.pop(0) if self._clocks else None


class TestInterval:
    """The bootstrap interval of the median."""

    @given(SAMPLES)
    def test_it_holds_the_median_and_lies_within_the_samples(self, seconds: list[float]) -> None:
        low, high = timing.interval(seconds)
        assert min(seconds) <= low <= statistics.median(seconds) * (1 + 1e-12)
        assert statistics.median(seconds) * (1 - 1e-12) <= high <= max(seconds)

    @given(SAMPLES, st.randoms())
    def test_the_order_of_samples_does_not_matter(self, seconds: list[float], random: Any) -> None:
        mixed = list(seconds)
        random.shuffle(mixed)
        assert timing.interval(mixed) == timing.interval(seconds)

    @given(SAMPLES)
    def test_its_unit_does_not_matter(self, seconds: list[float]) -> None:
        low, high = timing.interval(seconds)
        assert timing.interval([1024 * second for second in seconds]) == (1024 * low, 1024 * high)

    @given(SECONDS, st.integers(1, 60))
    def test_equal_samples_leave_no_doubt(self, second: float, count: int) -> None:
        assert timing.interval([second] * count) == (second, second)

    @given(SAMPLES)
    def test_more_confidence_needs_more_room(self, seconds: list[float]) -> None:
        low, high = timing.interval(seconds, confidence=0.5)
        lower, higher = timing.interval(seconds, confidence=0.99)
        assert lower <= low <= high <= higher

    def test_one_outlier_does_not_move_it(self) -> None:
        assert timing.interval([1.0] * 49 + [100.0]) == (1.0, 1.0)


class TestReadings:
    """Samples of launches whose duration is known."""

    @given(st.floats(2e-6, 1e-3), st.floats(0.1, 1))
    def test_each_cold_sample_is_one_launch_on_overwritten_caches(self, cold: float, share: float) -> None:
        device = Simulated(cold, cold * share)
        samples = timing.measure(device, device.launch, "cold")
        assert samples.calls == 1
        assert samples.seconds == pytest.approx([cold] * timing.SAMPLES)

    @given(st.floats(2e-6, 1e-3), st.floats(0.1, 1))
    def test_each_warm_sample_is_a_graph_of_about_two_milliseconds(self, cold: float, share: float) -> None:
        device = Simulated(cold, cold * share)
        samples = timing.measure(device, device.launch, "warm")
        assert samples.seconds == pytest.approx([cold * share] * timing.SAMPLES)
        if samples.calls < timing.MAX_CALLS:
            assert samples.calls * cold * share == pytest.approx(2e-3, rel=0.5)

    @pytest.mark.parametrize("temperature", ["cold", "warm"])
    @pytest.mark.parametrize("seconds", [0.004, 0.02, 0.5])
    def test_what_is_slow_is_measured_less_often(
        self, temperature: Literal["cold", "warm"], seconds: float
    ) -> None:
        device = Simulated(seconds, seconds)
        samples = timing.measure(device, device.launch, temperature)
        assert samples.calls == 1
        assert timing.MIN_SAMPLES <= len(samples.seconds) <= timing.SAMPLES
        assert device.now <= timing.BUDGET_SECONDS + 6 * seconds
        assert samples.seconds == pytest.approx([seconds] * len(samples.seconds))

    @given(st.floats(1e-9, 100))
    def test_counts_stay_in_their_range(self, seconds: float) -> None:
        assert timing.MIN_SAMPLES <= timing.sample_count(seconds) <= timing.SAMPLES
        assert 1 <= timing.call_count(seconds) <= timing.MAX_CALLS


class TestClocks:
    """What NVML says, and what follows from it."""

    HOT = Clocks(sm_mhz=900, reasons=("hardware thermal slowdown",))
    FINE = Clocks(sm_mhz=1980, reasons=("idle",))

    def test_a_throttled_reading_is_made_once_more(self) -> None:
        device = Simulated(0.02, 0.02, [self.FINE, self.HOT, self.FINE, self.FINE])
        samples = timing.measure(device, device.launch, "cold")
        assert not samples.throttled
        assert (samples.before, samples.after) == (self.FINE, self.FINE)

    def test_what_is_throttled_twice_says_so(self) -> None:
        device = Simulated(0.02, 0.02, [self.HOT] * 8)
        assert timing.measure(device, device.launch, "cold").throttled
        assert len(device.clocks().reasons) == 1

    def test_unknown_clocks_are_not_throttled(self) -> None:
        device = Simulated(0.02, 0.02)
        assert not timing.measure(device, device.launch, "cold").throttled

    def test_reasons_are_named(self) -> None:
        assert reasons_of(0) == ()
        assert reasons_of(0x1) == ("idle",)
        assert reasons_of(0x44) == ("power cap", "hardware thermal slowdown")
        assert reasons_of(0x1001) == ("idle", "0x1000")
        assert Clocks(reasons=reasons_of(0x4)).throttled
        assert not Clocks(reasons=reasons_of(0x3)).throttled
        assert self.HOT.as_dict()["reasons"] == ["hardware thermal slowdown"]
