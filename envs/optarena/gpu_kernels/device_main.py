"""One job on a GPU: loads a cubin, checks what it computes, and times it. Run as a process of its own.

The job comes as JSON on standard input (see ``device_jobs.job``), and the result of each of its cubins is a
line of JSON on standard output, printed when it is known. Arrays have guards, outputs begin with a pattern,
and nothing is timed before the output was compared with the reference in numpy. The device is locked while
it is used.
"""

from __future__ import annotations

import base64
import importlib
import json
import os
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from optarena.cuda import timing
from optarena.cuda.device import CupyDevice, Device, Temperature, Work
from optarena.cuda.kernels import COMPUTED, computing_kernel
from optarena.cuda.missing import DeviceFull, KernelFaulted
from optarena.cuda.sampling import Sampler
from optarena.cuda.variables import STAND_IN
from optarena.errors import DeviceUnavailable, InvalidInput, OptArenaError
from optarena.gpu_kernels import references
from optarena.gpu_kernels.device_jobs import (
    AT,
    CANDIDATE,
    COMPARED,
    ERRORS,
    REFERENCE,
    BrokenReference,
    KernelCrashes,
    OutOfDeviceMemory,
    WrongOutput,
)
from optarena.gpu_kernels.programs import Argument, Case
from optarena.isolation.limits import be_killed_first, raise_address_space
from optarena.isolation.syscalls import die_with_parent
from optarena.measuring.blocks import read_in_turns
from optarena.measuring.machine import exclusive

if TYPE_CHECKING:
    from numpy.typing import NDArray


TEMPERATURES: Final[tuple[Temperature, ...]] = ("cold", "warm")
_COPIED_UNIT: Final = 16


def measure_pairs(
    device: Device, candidate: Work, reference: Work, own: Work | None, pairs: int
) -> dict[str, Any]:
    # With cold caches.
    measured, compared = (partial(timing.measure, device, one, "cold") for one in (candidate, reference))
    beside: dict[str, timing.Samples] = {}

    def measure_own() -> None:
        if own is not None:
            beside["reference_seconds"] = timing.measure(device, own, "cold")

    read = read_in_turns(measured, compared, pairs=pairs, halfway=measure_own)
    times = [tuple(statistics.median(one.seconds) for one in pair) for pair in read]
    return {
        "pairs": [two / one for one, two in times],
        "candidate": _figures([one for one, _ in times]),
        "reference": _figures([two for _, two in times])
        | {name: statistics.median(one.seconds) for name, one in beside.items()},
        "state": _state([*beside.values(), *(one for pair in read for one in pair)]),
    }


def _state(read: Sequence[timing.Samples]) -> dict[str, Any]:
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
    # Seconds in which the device does as many operations in registers, by temperature.
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
    # Seconds of the device's own copy that reads and writes as many bytes, by temperature.
    size = max(_COPIED_UNIT, moved_bytes // 2 // _COPIED_UNIT * _COPIED_UNIT)
    source, target = device.allocate(size), device.allocate(size)
    device.fill(source, size, 1)

    def copy() -> None:
        device.copy(target, source, size)

    copy()
    return {one: _median(device, copy, one) for one in TEMPERATURES}


def reading(samples: timing.Samples, case: Case) -> dict[str, Any]:
    # With what it means in bytes and operations per second.
    median = statistics.median(samples.seconds)
    return {
        "median_seconds": median,
        "fastest_seconds": min(samples.seconds),
        "samples": len(samples.seconds),
        "calls": samples.calls,
        "bytes_per_second": case.moved_bytes / median,
        "flops_per_second": case.flops / median,
        **samples.as_dict(),
    }


GUARD_BYTES: Final = 4096
QUEUE_SECONDS: Final = 30.0  # how long a job waits until no other process measures on the device
# A job still waits so long, however long it has waited before: an error must not say 0.
_LEAST_WAIT: Final = 1.0
_FOREIGN: Final = 0x3F
_UNWRITTEN: Final = 0xFF
_SUPPORTED: Final = "9."  # the compute capabilities that the cubins are made for


def done(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    case = _case(job["case"])
    device = _open()
    try:
        described = device.describe()
        capability = str(described.get("compute_capability", _SUPPORTED))
        if not capability.startswith(_SUPPORTED):
            raise DeviceUnavailable(
                f"The device's compute capability is {capability}, and kernels are compiled for "
                f"{_SUPPORTED}x: use an H100 or an H200."
            )
        wanted = _expected(job["kernel"], case)  # takes seconds in which others may measure
        launches = _Launches(device, job["kernel"], case, wanted)
        common = {"machine": {**described, "emulated": device.emulated}, "emulated": device.emulated}
        for found in _measure_cubins(job, launches) if "more" in job else (_measure_cubin(job, launches),):
            yield {**found, **common}
    finally:
        device.close()


def _measure_cubin(job: Mapping[str, Any], launches: _Launches) -> dict[str, Any]:
    cubin = base64.b64decode(job["cubin"])
    if job.get("sampled"):
        with launches.turns.alone():
            return {"sampled": _sample_cubin(launches, cubin)}
    candidate = launches.checked(cubin)
    if job.get("profiled"):
        return {}
    if not job["pairs"]:
        with launches.turns.alone():
            _print({AT: CANDIDATE})
            return launches.read_both(candidate)
    reference = launches.reference(base64.b64decode(job["reference"]))
    own = launches.reference(base64.b64decode(job["own"])) if job["own"] else None
    with launches.turns.alone():
        _print({AT: CANDIDATE})
        return measure_pairs(launches.device, candidate, reference, own, job["pairs"])


def _measure_cubins(job: Mapping[str, Any], launches: _Launches) -> Iterator[dict[str, Any]]:
    # Ends after a cubin that leaves the device in doubt.
    for number, cubin in enumerate((job["cubin"], *job["more"])):
        if number:
            launches.turns.begin()
        try:
            yield _measure_cubin({**job, "cubin": cubin}, launches)
        except OptArenaError as error:
            goes_on = isinstance(error, WrongOutput | timing.UnsteadyDevice)
            is_last = not goes_on or isinstance(error, _ArraysDamaged)
            yield {**failure(error), "last": is_last}
            if is_last:
                return


class _ExclusiveDevice:
    """A device that this process has at times alone; in all it waits no longer for others than a job may."""

    def __init__(self, device: Device) -> None:
        self._identity = device.identity
        self.begin()

    def begin(self) -> None:  # the next job may wait as long
        self._left = QUEUE_SECONDS

    @contextmanager
    def alone(self) -> Iterator[None]:
        start = time.monotonic()
        with exclusive(self._identity, seconds=self._left):
            self._left = max(_LEAST_WAIT, self._left - (time.monotonic() - start))
            yield


class _ArraysDamaged(WrongOutput):
    """A kernel wrote where it must not: the arrays are not those that the next one needs."""


class _Launches:
    """The arguments of a kernel on a device, and what its outputs must be."""

    def __init__(self, device: Device, kernel: str, case: Case, wanted: list[NDArray[Any]]) -> None:
        self.device, self.kernel, self._case, self._wanted = device, kernel, case, wanted
        self.turns = _ExclusiveDevice(device)
        # By place.
        self._inputs: dict[int, NDArray[Any]] = {}
        # What launches the code of the reference, once it was found to be right.
        self._right: dict[bytes, Work] = {}
        # What the device's copy and its computing take, once they were measured.
        self._speeds: dict[str, Any] = {}
        try:
            values = [references.argument_value(one) for one in case.arguments]  # this takes seconds, too
            with self.turns.alone():
                self._arrays = [
                    self._place_argument(*one) for one in zip(case.arguments, values, strict=True)
                ]
        except DeviceFull as error:
            needed = sum(one.size_bytes for one in case.arguments)
            raise OutOfDeviceMemory(f"{kernel} needs {needed} bytes of the device: {error}") from error

    def checked(self, cubin: bytes, whose: str = CANDIDATE) -> Work:
        # Others may measure on the device while the processor compares.
        try:
            with self.turns.alone():
                _print({AT: whose})
                launch = self._launch(cubin)
                found = [self._read(place, one) for place, one in self._output_arguments()]
                inputs = [
                    (place, self._read(place, one, "an input"))
                    for place, one in zip(self._arrays, self._case.arguments, strict=True)
                    if place in self._inputs
                ]
                _print({AT: ""})  # it has ended, whatever follows takes long
        except KernelFaulted as error:
            raise KernelCrashes(f"On the GPU, {self.kernel} is stopped: {error}") from error
        self._compare(inputs, found)
        return launch

    def reference(self, cubin: bytes) -> Work:  # one serves for many codes
        if cubin not in self._right:
            try:
                self._right[cubin] = self.checked(cubin, REFERENCE)
            except (WrongOutput, KernelCrashes) as error:
                raise BrokenReference(f"{COMPARED}: {error}") from error
        return self._right[cubin]

    def read_both(self, launch: Work) -> dict[str, Any]:
        read = timing.measure_cold_and_warm(self.device, launch)
        found: dict[str, Any] = {
            name: reading(one, self._case) for name, one in zip(TEMPERATURES, read, strict=True)
        }
        if not self._speeds:
            flops = self._case.flops
            self._speeds = {
                "copy": copied(self.device, self._case.moved_bytes),
                "computing": computed(self.device, flops) if flops else None,
            }
        return {**found, **self._speeds}

    def _launch(self, cubin: bytes) -> Work:
        numbers = tuple(
            np.uint64(place) if place else np.int32(one.value)
            for place, one in zip(self._arrays, self._case.arguments, strict=True)
        )
        launch = self.device.load_code(cubin, self.kernel, self._case.grid, self._case.block, numbers)
        for place, one in self._output_arguments():
            self.device.fill(place, one.size_bytes, 0 if one.is_integer else _UNWRITTEN)
        launch()
        return launch

    def _compare(self, inputs: list[tuple[int, NDArray[Any]]], found: list[NDArray[Any]]) -> None:
        # Another kernel is timed on the inputs next, so they must be as they were.
        for place, content in inputs:
            if not np.array_equal(content.view(np.uint8), self._inputs[place]):
                raise _ArraysDamaged(f"On the GPU, {self.kernel} changes an input.")
        if problem := references.difference(self.kernel, found, self._wanted):
            raise WrongOutput(f"On the GPU, {self.kernel} is wrong: {problem}.")

    def _output_arguments(self) -> list[tuple[int, Argument]]:
        pairs = zip(self._arrays, self._case.arguments, strict=True)
        return [(place, one) for place, one in pairs if one.kind == "output"]

    def _place_argument(self, argument: Argument, values: NDArray[Any] | int | None) -> int:
        if isinstance(values, int):
            return 0
        size = argument.size_bytes + 2 * GUARD_BYTES
        start = self.device.allocate(size)
        self.device.fill(start, size, _FOREIGN)
        if values is not None:
            self.device.write(start + GUARD_BYTES, values)
            self._inputs[start + GUARD_BYTES] = values.view(np.uint8)
        return start + GUARD_BYTES

    def _read(self, place: int, argument: Argument, what: str = "an output") -> NDArray[Any]:
        raw = self.device.read(place - GUARD_BYTES, argument.size_bytes + 2 * GUARD_BYTES)
        for guard, where in ((raw[:GUARD_BYTES], "before"), (raw[-GUARD_BYTES:], "behind")):
            if not (guard == _FOREIGN).all():
                raise _ArraysDamaged(f"On the GPU, {self.kernel} writes {where} {what}.")
        kind = np.int32 if argument.is_integer else np.float32
        return raw[GUARD_BYTES:-GUARD_BYTES].view(kind)


def _sample_cubin(launches: _Launches, cubin: bytes) -> dict[str, Any]:
    with Sampler() as sampler:  # before the kernel is loaded
        launch = launches.checked(cubin)
        _print({AT: CANDIDATE})
        seconds = partial(launches.device.seconds, launch, lambda: None, 1)
        return sampler.sampled(launches.kernel, seconds).as_dict()


def _expected(kernel: str, case: Case) -> list[NDArray[Any]]:
    # The launch may be somebody's own, which the reference does not compute.
    try:
        return references.expected(kernel, case)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise InvalidInput(
            f"The reference of {kernel} cannot compute this launch: {type(error).__name__}: {error}",
            field="case",
            remedy="Launch it with the arguments of the kernel of this name, or rename it.",
        ) from error


def _open() -> Device:
    name = os.environ.get(STAND_IN, "").strip()
    if not name:
        return CupyDevice()
    module, _, function = name.partition(":")
    device: Device = getattr(importlib.import_module(module), function)()
    if not device.emulated:
        raise DeviceUnavailable(f"{STAND_IN}={name!r:.200} is not an emulated device; unset it.")
    return device


def _case(given: dict[str, Any]) -> Case:
    arguments = tuple(Argument(**one) for one in given["arguments"])
    return Case(
        **{**given, "grid": tuple(given["grid"]), "block": tuple(given["block"]), "arguments": arguments}
    )


def failure(error: Exception) -> dict[str, Any]:
    if isinstance(error, DeviceFull | MemoryError):
        error = OutOfDeviceMemory(f"The job needs more memory than there is: {error}")
    kind = next((name for name, kind in ERRORS.items() if isinstance(error, kind)), type(error).__name__)
    return {"error": kind, "message": str(error)}


def main() -> None:  # the argument is the process to die with, or 0 for the parent
    for parent in sys.argv[1:]:
        die_with_parent(int(parent) or os.getppid())
    be_killed_first()
    raise_address_space()  # a session's process has a limit
    try:
        for result in done(json.load(sys.stdin)):
            _print(result)
    except (OptArenaError, ValueError, MemoryError) as error:
        _print(failure(error))


def _print(result: dict[str, Any]) -> None:
    # At once: of a kernel that hangs behind it, nothing will be said.
    print(json.dumps(result, allow_nan=False), flush=True)  # noqa: T201 # the results of this program


if __name__ == "__main__":
    main()
