"""Readings of a kernel on a GPU that this process has alone: times, and what the device can do at best."""

from __future__ import annotations

import statistics
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from optarena.cuda import timing
from optarena.cuda.kernels import COMPUTED, computing_kernel
from optarena.measuring.blocks import in_turns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.cuda.interface import Device, Temperature, Work
    from optarena.gpu_kernels.programs import Case

TEMPERATURES: Final[tuple[Temperature, ...]] = ("cold", "warm")
_COPIED_UNIT: Final = 16


def paired(device: Device, candidate: Work, reference: Work, pairs: int) -> dict[str, Any]:
    """Readings of both in turns, with cold caches."""
    own, other = (partial(timing.measure, device, one, "cold") for one in (candidate, reference))
    read = in_turns(own, other, pairs=pairs)
    times = [tuple(statistics.median(one.seconds) for one in pair) for pair in read]
    return {
        "pairs": [two / one for one, two in times],
        "candidate": _figures([one for one, _ in times]),
        "reference": _figures([two for _, two in times]),
        "state": _state([one for pair in read for one in pair]),
    }


def _state(read: Sequence[timing.Samples]) -> dict[str, Any]:
    """Whether any of some readings was throttled, and the clocks after the last."""
    throttled = [one.throttled for one in read]
    clocks = read[-1].after
    return {
        "throttled": True if True in throttled else None if None in throttled else False,
        "clocks": None if clocks is None else clocks.as_dict(),
    }


def _median(device: Device, launch: Work, temperature: Temperature) -> float:
    return statistics.median(timing.measure(device, launch, temperature).seconds)


def _figures(seconds: list[float]) -> dict[str, Any]:
    return {"runtime_seconds": statistics.median(seconds), "readings": seconds}


def computed(device: Device, flops: int) -> dict[str, float]:
    """Seconds in which the device does as many operations in registers, by temperature."""
    kernel, done = computing_kernel(flops)
    given = np.array(COMPUTED, np.float32)
    source, target = device.allocate(given.nbytes), device.allocate(_COPIED_UNIT)
    device.write(source, given)
    launch = device.load(kernel)

    def compute() -> None:
        launch(source, source, target)

    compute()
    return {one: _median(device, compute, one) * flops / done for one in TEMPERATURES}


def copied(device: Device, moved_bytes: int) -> dict[str, float]:
    """Seconds of the device's own copy that reads and writes as many bytes, by temperature."""
    size = max(_COPIED_UNIT, moved_bytes // 2 // _COPIED_UNIT * _COPIED_UNIT)
    source, target = device.allocate(size), device.allocate(size)
    device.fill(source, size, 1)

    def copy() -> None:
        device.copy(target, source, size)

    copy()
    return {one: _median(device, copy, one) for one in TEMPERATURES}


def reading(device: Device, launch: Work, case: Case, temperature: Temperature) -> dict[str, Any]:
    """A reading of a launch, with what it means in bytes and operations per second."""
    samples = timing.measure(device, launch, temperature)
    median = statistics.median(samples.seconds)
    interval = timing.interval(samples.seconds)
    clocks = {"before": samples.before, "after": samples.after}
    return {
        "median_seconds": median,
        "interval_seconds": None if interval is None else list(interval),
        "fastest_seconds": min(samples.seconds),
        "samples": len(samples.seconds),
        "calls": samples.calls,
        "bytes_per_second": case.moved_bytes / median,
        "flops_per_second": case.flops / median,
        "throttled": samples.throttled,
        "clocks": {when: None if one is None else one.as_dict() for when, one in clocks.items()},
    }
