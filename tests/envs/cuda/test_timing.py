"""Timing launches, on a device whose clock only moves with its work; and the kernels beside schedules.

That real events, graphs and caches behave so is not tested here.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest
from cuda_on_cpu import CpuDevice
from hypothesis import given
from hypothesis import strategies as st

from optarena.cuda import timing
from optarena.cuda.device import Caches, Clocks, Launch, Work, reasons_of
from optarena.cuda.kernels import CHAINS, COMPUTED, FOUND, Kernel, computing_kernel, reading_kernel

SECONDS = st.floats(1e-7, 10, allow_nan=False)
SAMPLES = st.lists(SECONDS, min_size=6, max_size=60)
OVERWRITING = 5e-5


class Simulated(CpuDevice):
    """A device on which a launch takes as long as it is told, and less if its caches are warm."""

    def __init__(
        self,
        cold: float,
        warm: float,
        clocks: list[Clocks] | None = None,
        delays: dict[int, float] | None = None,
    ) -> None:
        super().__init__()
        self.now = 0.0
        self.samples: list[tuple[float, float]] = []
        """Of each: what the device did before it since the last, and when it began."""
        self._delays = delays or {}
        """How long the host is held up in a sample, by the sample's number."""
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
            end = self.now
            before()
            start = self.now
            self.now += self._delays.get(len(self.samples), 0.0)
            work()
            self.samples.append((start - end, start))
            found.append(self.now - start)
        return found

    def clocks(self) -> Any:
        return self._clocks.pop(0) if self._clocks else None


def interval(seconds: list[float]) -> tuple[float, float]:
    found = timing.interval(seconds)
    assert found is not None
    return found


class TestInterval:
    def test_of_fewer_than_six_samples_none_has_its_confidence(self) -> None:
        assert [timing.interval([1.0, 2.0, 3.0, 4.0, 5.0][:count]) for count in range(6)] == [None] * 6
        assert 1 - 2 * 0.5**5 < 0.95 < 1 - 2 * 0.5**6

    def test_it_holds_the_true_median_about_as_often_as_it_says(self) -> None:
        generator = np.random.default_rng(3)
        for count, least in ((6, 0.9), (50, 0.92)):
            intervals = [interval(list(generator.lognormal(size=count))) for _ in range(300)]
            assert sum(low <= 1 <= high for low, high in intervals) >= least * len(intervals)

    @given(SAMPLES)
    def test_it_holds_the_median_and_lies_within_the_samples(self, seconds: list[float]) -> None:
        low, high = interval(seconds)
        assert min(seconds) <= low <= statistics.median(seconds) * (1 + 1e-12)
        assert statistics.median(seconds) * (1 - 1e-12) <= high <= max(seconds)

    def test_one_outlier_does_not_move_it(self) -> None:
        assert interval([1.0] * 49 + [100.0]) == (1.0, 1.0)

    def test_samples_that_come_in_runs_widen_it(self) -> None:
        runs = [1.0] * 15 + [1.5] * 10 + [1.0] * 25
        assert interval(runs) == (1.0, 1.5)
        assert interval(runs[::5] * 5) == (1.0, 1.0)


class TestReadings:
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
    def test_slow_work_is_measured_less(self, temperature: Literal["cold", "warm"], seconds: float) -> None:
        device = Simulated(seconds, seconds)
        samples = timing.measure(device, device.launch, temperature)
        assert samples.calls == 1
        assert timing.MIN_SAMPLES <= len(samples.seconds) <= timing.SAMPLES
        assert device.now <= max(0.3, 4 * seconds)
        assert samples.seconds == pytest.approx([seconds] * len(samples.seconds))

    @given(st.floats(1e-7, 1e-1), st.sampled_from(["cold", "warm"]))
    def test_no_reading_takes_too_long(self, seconds: float, temperature: Literal["cold", "warm"]) -> None:
        device = Simulated(seconds, seconds)
        timing.measure(device, device.launch, temperature)
        assert device.now <= max(0.31, 4 * seconds)

    @given(st.floats(2e-6, 9e-3))
    def test_the_device_is_busy_while_the_host_enqueues_a_sample(self, seconds: float) -> None:
        device = Simulated(seconds, seconds)
        count = len(timing.measure(device, device.launch, "warm").seconds)
        assert all(
            50e-6 * 0.99 <= busy <= max(1.01e-4, 1.01 * seconds) for busy, _ in device.samples[-count:]
        )

    @given(st.floats(2e-6, 1), st.sampled_from(["cold", "warm"]))
    def test_it_warms_up_before_it_samples(
        self, seconds: float, temperature: Literal["cold", "warm"]
    ) -> None:
        device = Simulated(seconds, seconds)
        count = len(timing.measure(device, device.launch, temperature).seconds)
        _, first = device.samples[-count]
        assert first >= 0.99 * timing.WARM_UP_SECONDS

    @pytest.mark.parametrize(
        ("delayed", "delay"),
        [(delayed, delay) for delayed in ([0], [1], [3], [0, 1]) for delay in (5e-3, 0.05, 1.0)]
        + [([0, 1, 2, 3], 5e-3)],  # all that is estimated from
    )
    @pytest.mark.parametrize("temperature", ["cold", "warm"])
    def test_a_host_that_is_held_up_does_not_change_how_a_short_launch_is_timed(
        self, temperature: Literal["cold", "warm"], delayed: list[int], delay: float
    ) -> None:
        device = Simulated(2e-6, 2e-6, delays=dict.fromkeys(delayed, delay))
        samples = timing.measure(device, device.launch, temperature)
        assert statistics.median(samples.seconds) == pytest.approx(2e-6)
        assert samples.calls == (1 if temperature == "cold" else timing.MAX_CALLS)


class Drawn(Simulated):
    """A real device whose launches take as long as is drawn, by their number."""

    emulated = False

    def __init__(self, seconds: Callable[[int], float]) -> None:
        super().__init__(0.0, 0.0)
        self._seconds = seconds

    def launch(self) -> None:
        self.now += self._seconds(self.launches)
        self.launches += 1


def noisy(generator: np.random.Generator, level: float, spread: float) -> float:
    return float(level * generator.lognormal(0, spread))


class TestSteadiness:
    @given(st.integers(0, 2**32), st.floats(0, 0.01))
    def test_honest_noise_is_read_once_and_within_its_interval(self, seed: int, spread: float) -> None:
        generator = np.random.default_rng(seed)
        device = Drawn(lambda _: noisy(generator, 143e-6, spread))
        cold, _ = timing.measure_cold_and_warm(device, device.launch)
        assert len(cold.seconds) == timing.SAMPLES
        assert statistics.median(cold.seconds) == pytest.approx(143e-6, rel=0.01)
        low, high = interval(list(cold.seconds))
        assert high / low <= 1.03

    @given(st.integers(0, 2**32), st.sampled_from([(143e-6, 222e-6), (114e-6, 155e-6)]), st.floats(0.2, 0.8))
    def test_of_two_levels_none_is_taken_for_the_time(
        self, seed: int, levels: tuple[float, float], share: float
    ) -> None:
        """A cold reading said 222 us ± 3.5 % of code that takes 143, another 155 ± 12.8 % for 114."""
        generator = np.random.default_rng(seed)
        held = share_of_level = 0

        def seconds(_: int) -> float:
            nonlocal held, share_of_level
            if not held:  # a level holds for some launches
                held, share_of_level = int(generator.integers(1, 10)), int(generator.random() < share)
            held -= 1
            return noisy(generator, levels[share_of_level], 0.01)

        check_published(Drawn(seconds), levels)

    @given(st.integers(0, 2**32), st.floats(0.04, 1), st.integers(5, 1000))
    def test_drift_is_not_taken_for_the_time(self, seed: int, beyond: float, launches: int) -> None:
        """A device that begins slowly, and becomes faster within some launches."""
        generator = np.random.default_rng(seed)
        device = Drawn(
            lambda number: noisy(
                generator, 143e-6 * (1 + beyond * max(0.0, 1 - number / (200 + launches))), 0.002
            )
        )
        check_published(device, (143e-6,))

    def test_a_reading_that_is_slow_as_a_whole_is_read_again(self) -> None:
        """Whatever slows the device for a tenth of a second: both halves of a reading are apart."""
        device = Drawn(lambda number: 222e-6 if number < 60 else 143e-6)
        cold, warm = timing.measure_cold_and_warm(device, device.launch)
        assert statistics.median(cold.seconds) == statistics.median(warm.seconds) == pytest.approx(143e-6)

    def test_one_that_never_repeats_itself_says_so_and_why(self) -> None:
        device = Drawn(lambda number: 143e-6 * (1 + number % 2))
        with pytest.raises(timing.UnsteadyDevice, match=r"Each of 3 readings .* unsteady: .* 3%") as caught:
            timing.measure(device, device.launch, "cold")
        assert caught.value.reason == "infra:unsteady-machine"

    def test_a_launch_as_short_as_a_step_of_the_clock_can_be_read(self) -> None:
        device = Drawn(lambda number: 2e-6 + 0.5e-6 * (number % 2))
        assert timing.measure(device, device.launch, "cold").is_steady

    @pytest.mark.parametrize("temperature", ["cold", "warm"])
    def test_few_samples_must_agree_too(self, temperature: Literal["cold", "warm"]) -> None:
        device = Drawn(lambda number: 0.2 * 1.1**number)
        with pytest.raises(timing.UnsteadyDevice):
            timing.measure(device, device.launch, temperature)


def check_published(device: Drawn, levels: tuple[float, ...]) -> None:
    # What is published is one of the levels, within 5 %.
    try:
        read = timing.measure_cold_and_warm(device, device.launch)
    except timing.UnsteadyDevice:
        return
    for samples in read:
        assert min(abs(statistics.median(samples.seconds) / one - 1) for one in levels) <= 0.05


class TestClocks:
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

    def test_of_unknown_clocks_nothing_is_said(self) -> None:
        device = Simulated(0.02, 0.02)
        assert timing.measure(device, device.launch, "cold").throttled is None
        assert Clocks(sm_mhz=900).throttled is None
        assert Clocks(sm_mhz=900).as_dict()["reasons"] is None
        mute = Simulated(0.02, 0.02, [Clocks(sm_mhz=900)] * 2)
        assert timing.measure(mute, mute.launch, "cold").throttled is None

    def test_one_moment_is_enough_to_say_that_they_were_held_down(self) -> None:
        device = Simulated(0.02, 0.02, [Clocks(), self.HOT] * 2)
        assert timing.measure(device, device.launch, "cold").throttled is True

    def test_reasons_are_named(self) -> None:
        assert reasons_of(0) == ()
        assert reasons_of(0x1) == ("idle",)
        assert reasons_of(0x44) == ("power cap", "hardware thermal slowdown")
        assert reasons_of(0x1001) == ("idle", "0x1000")
        assert Clocks(reasons=reasons_of(0x4)).throttled
        assert Clocks(reasons=reasons_of(0x3)).throttled is False
        assert self.HOT.as_dict()["reasons"] == ["hardware thermal slowdown"]


VECTORS = 1000
SIZE = 16 * VECTORS


class Noting(CpuDevice):
    """A device that notes what is enqueued: writes with their sizes, and launches with what they read."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: dict[int, int] = {}
        self.notes: list[tuple[str, int, int]] = []

    def allocate(self, size: int) -> int:
        address = super().allocate(size)
        self.sizes[address] = size
        return address

    def fill(self, address: int, size: int, value: int) -> None:
        self.notes.append(("write", address, size))
        super().fill(address, size, value)

    def load(self, kernel: Kernel) -> Launch:
        launch = super().load(kernel)

        def noted(x: int, y: int, z: int) -> None:
            self.notes.append(("read", x, 16 * kernel.threads))
            launch(x, y, z)

        return noted


def operands() -> tuple[CpuDevice, int, int]:
    device = CpuDevice()
    x, z = device.allocate(SIZE), device.allocate(SIZE)
    device.fill(x, SIZE, 0)
    device.fill(z, SIZE, 0xFF)
    return device, x, z


def test_every_vector_is_read_and_zeros_leave_no_trace() -> None:
    device, x, z = operands()
    launch = device.load(reading_kernel(VECTORS))
    launch(x, x, z)
    assert (device.read(z, SIZE) == 0xFF).all()
    for element in (0, 1, 1023, 1024, 4 * VECTORS - 4, 4 * VECTORS - 1):
        values = np.zeros(4 * VECTORS, np.float32)
        values[element] = FOUND
        device.write(x, values)
        device.fill(z, SIZE, 0xFF)
        launch(x, x, z)
        assert device.read(z, 4).view(np.float32)[0] == FOUND


@pytest.mark.parametrize("flops", [1, 16, 17, 4096, 16 * 2**19 + 1])
def test_as_many_operations_are_done_as_are_wanted(flops: int) -> None:
    kernel, done = computing_kernel(flops)
    (rounds,) = map(int, re.findall(r"round < (\d+)u", kernel.source))
    assert done == 2 * CHAINS * rounds * kernel.threads
    assert flops <= done < flops + 2 * CHAINS * rounds


def test_computing_leaves_the_given_values_and_no_trace_and_others_show() -> None:
    device, x, z = operands()
    kernel, _ = computing_kernel(4096)
    launch = device.load(kernel)
    device.write(x, np.array(COMPUTED, np.float32))
    launch(x, x, z)
    assert (device.read(z, SIZE) == 0xFF).all()
    device.write(x, np.array([0.5, 1.0, *range(CHAINS)], np.float32))
    launch(x, x, z)
    assert device.read(z, 4).view(np.float32)[0] == sum(1 + i / 2 for i in range(CHAINS))  # after one round


def test_caches_are_written_over_and_then_read_over_with_something_else() -> None:
    device = Noting()
    caches = Caches(device, 10_000, min_written=1 << 16)
    device.notes.clear()
    caches.overwrite()
    (first, written, size_written), (second, read, size_read) = device.notes
    assert (first, second) == ("write", "read")
    assert written != read
    assert size_written == device.sizes[written] == 1 << 16
    assert 2 * 10_000 <= size_read == device.sizes[read]
    assert not device.read(read, size_read).any()
    assert not device.read(written, size_written).any()
