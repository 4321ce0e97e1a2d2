"""One job on a GPU: loads a cubin, checks what it computes, and times it. Run as a process of its own.

The job comes as JSON on standard input (see ``device_jobs.job``), and the result is one line of JSON on
standard output. Arrays have guards, outputs begin with a pattern, and nothing is timed before the output was
compared with the reference in numpy. The device is locked meanwhile.
"""

from __future__ import annotations

import base64
import importlib
import json
import os
import statistics
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from optarena.cuda import timing
from optarena.cuda.device import CupyDevice
from optarena.cuda.kernels import COMPUTED, computing_kernel
from optarena.cuda.sampling import Sampler
from optarena.cuda.variables import STAND_IN
from optarena.errors import DeviceUnavailable, OptArenaError
from optarena.gpu_kernels import references
from optarena.gpu_kernels.device_jobs import ERRORS
from optarena.gpu_kernels.errors import OutOfDeviceMemory, WrongOutput
from optarena.gpu_kernels.programs import Argument, Case
from optarena.isolation.limits import be_killed_first
from optarena.isolation.syscalls import die_with_parent
from optarena.measuring.blocks import in_turns
from optarena.measuring.exclusive import exclusive

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    from optarena.cuda.interface import Device, Temperature, Work

GUARD_BYTES: Final = 4096
QUEUE_SECONDS: Final = 30.0
"""How long a job waits until no other process measures on the device."""
_FOREIGN: Final = 0x3F
_UNWRITTEN: Final = 0xFF
_COPIED_UNIT: Final = 16
_TEMPERATURES: Final[tuple[Temperature, ...]] = ("cold", "warm")
_SUPPORTED: Final = "9."
"""The compute capabilities that the cubins are made for."""


def done(job: dict[str, Any]) -> dict[str, Any]:
    """Do a job.

    Raises:
        DeviceUnavailable: There is no GPU, it is of another kind, or others use it for too long.
        WrongOutput: The output of a cubin differs from the reference.
        OutOfDeviceMemory: The arrays do not fit.
    """
    case = _case(job["case"])
    device = _open()
    try:
        described = device.describe()
        _check_capability(described)
        wanted = references.expected(job["kernel"], case)  # takes seconds in which others may measure
        with _alone(device):
            launches = _Launches(device, job["kernel"], case, wanted)
        if "more" in job:
            found: dict[str, Any] = {"each": list(_each(job, device, launches, case))}
        else:
            with _alone(device):
                found = _found(job, device, launches, case)
        return {**found, "machine": {**described, "emulated": device.emulated}, "emulated": device.emulated}
    finally:
        device.close()


def _found(job: Mapping[str, Any], device: Device, launches: _Launches, case: Case) -> dict[str, Any]:
    cubin = base64.b64decode(job["cubin"])
    if job.get("sampled"):
        return {"sampled": _sampled(job["kernel"], device, launches, cubin)}
    candidate = launches.checked(cubin)
    if job.get("profiled"):
        return {}
    return _paired(job, launches, candidate) if job["pairs"] else _both(device, launches, candidate, case)


def _each(
    job: Mapping[str, Any], device: Device, launches: _Launches, case: Case
) -> Iterator[dict[str, Any]]:
    """What each cubin of a job gives, up to one after which the device cannot be relied on."""
    for cubin in (job["cubin"], *job["more"]):
        try:
            with _alone(device):
                yield _found({**job, "cubin": cubin}, device, launches, case)
        except OptArenaError as error:
            yield failure(error)
            if not isinstance(error, WrongOutput) or isinstance(error, _Damaged):
                return


def _alone(device: Device) -> AbstractContextManager[None]:
    return exclusive(device.identity, seconds=QUEUE_SECONDS)


class _Damaged(WrongOutput):
    """A kernel wrote where it must not: the arrays are not those that the next one needs."""


class _Launches:
    """The arguments of a kernel on a device, and what its outputs must be."""

    def __init__(self, device: Device, kernel: str, case: Case, wanted: list[NDArray[Any]]) -> None:
        self._device, self._kernel, self._case, self._wanted = device, kernel, case, wanted
        self._inputs: dict[int, NDArray[Any]] = {}
        """Each input, by its place."""
        self.references: dict[str, Any] = {}
        """What the device's copy and its computing take, once they were measured."""
        try:
            self._arrays = [self._placed(one) for one in case.arguments]
        except OptArenaError as error:
            if "memory" not in str(error).lower():
                raise
            needed = sum(one.size_bytes for one in case.arguments)
            raise OutOfDeviceMemory(f"{kernel} needs {needed} bytes of the device: {error}") from error

    def checked(self, cubin: bytes) -> Work:
        """What launches a cubin, after its output was found to be right.

        Raises:
            WrongOutput: It is not.
        """
        numbers = tuple(
            np.uint64(place) if place else np.int32(one.value)
            for place, one in zip(self._arrays, self._case.arguments, strict=True)
        )
        launch = self._device.load_code(cubin, self._kernel, self._case.grid, self._case.block, numbers)
        for place, one in self._outputs():
            self._device.fill(place, one.size_bytes, 0 if one.is_integer else _UNWRITTEN)
        launch()
        found = [self._read(place, one) for place, one in self._outputs()]
        self._check_inputs()
        if problem := references.difference(self._kernel, found, self._wanted):
            raise WrongOutput(f"On the GPU, {self._kernel} is wrong: {problem}.")
        return launch

    def _outputs(self) -> list[tuple[int, Argument]]:
        pairs = zip(self._arrays, self._case.arguments, strict=True)
        return [(place, one) for place, one in pairs if one.kind == "output"]

    def _placed(self, argument: Argument) -> int:
        if argument.kind == "int":
            return 0
        size = argument.size_bytes + 2 * GUARD_BYTES
        start = self._device.allocate(size)
        self._device.fill(start, size, _FOREIGN)
        if argument.kind != "output":
            drawn = references.drawn(argument)
            self._device.write(start + GUARD_BYTES, drawn)
            self._inputs[start + GUARD_BYTES] = drawn.view(np.uint8)
        return start + GUARD_BYTES

    def _check_inputs(self) -> None:
        """Find inputs and their guards as they were: another kernel is to be timed on them next."""
        for place, one in zip(self._arrays, self._case.arguments, strict=True):
            if place in self._inputs:
                content = self._read(place, one, "an input").view(np.uint8)
                if not np.array_equal(content, self._inputs[place]):
                    raise _Damaged(f"On the GPU, {self._kernel} changes an input.")

    def _read(self, place: int, argument: Argument, what: str = "an output") -> NDArray[Any]:
        raw = self._device.read(place - GUARD_BYTES, argument.size_bytes + 2 * GUARD_BYTES)
        for guard, where in ((raw[:GUARD_BYTES], "before"), (raw[-GUARD_BYTES:], "behind")):
            if not (guard == _FOREIGN).all():
                raise _Damaged(f"On the GPU, {self._kernel} writes {where} {what}.")
        kind = np.int32 if argument.is_integer else np.float32
        return raw[GUARD_BYTES:-GUARD_BYTES].view(kind)


def _sampled(kernel: str, device: Device, launches: _Launches, cubin: bytes) -> dict[str, Any]:
    with Sampler() as sampler:  # before the kernel is loaded
        launch = launches.checked(cubin)
        return sampler.sampled(kernel, lambda: device.seconds(launch, lambda: None, 1)).as_dict()


def _paired(job: Mapping[str, Any], launches: _Launches, candidate: Work) -> dict[str, Any]:
    """Readings of the candidate and the reference in turns, with cold caches."""
    reference = launches.checked(base64.b64decode(job["reference"]))
    device = launches._device  # noqa: SLF001 # of this module
    own, other = (partial(_median, device, one, "cold") for one in (candidate, reference))
    pairs = in_turns(own, other, pairs=job["pairs"])
    return {
        "pairs": [two / one for one, two in pairs],
        "candidate": _figures([one for one, _ in pairs]),
        "reference": _figures([two for _, two in pairs]),
    }


def _median(device: Device, launch: Work, temperature: Temperature) -> float:
    return statistics.median(timing.measure(device, launch, temperature).seconds)


def _figures(seconds: list[float]) -> dict[str, Any]:
    return {"runtime_seconds": statistics.median(seconds), "readings": seconds}


def _both(device: Device, launches: _Launches, launch: Work, case: Case) -> dict[str, Any]:
    found: dict[str, Any] = {one: _reading(device, launch, case, one) for one in _TEMPERATURES}
    if not launches.references:
        launches.references = {
            "copy": _copied(device, case.moved_bytes),
            "computing": _computed(device, case.flops) if case.flops else None,
        }
    return {**found, **launches.references}


def _computed(device: Device, flops: int) -> dict[str, float]:
    """Seconds in which the device does as many operations in registers, by temperature."""
    kernel, done = computing_kernel(flops)
    given = np.array(COMPUTED, np.float32)
    source, target = device.allocate(given.nbytes), device.allocate(_COPIED_UNIT)
    device.write(source, given)
    launch = device.load(kernel)

    def compute() -> None:
        launch(source, source, target)

    compute()
    return {one: _median(device, compute, one) * flops / done for one in _TEMPERATURES}


def _copied(device: Device, moved_bytes: int) -> dict[str, float]:
    """Seconds of the device's own copy that reads and writes as many bytes, by temperature."""
    size = max(_COPIED_UNIT, moved_bytes // 2 // _COPIED_UNIT * _COPIED_UNIT)
    source, target = device.allocate(size), device.allocate(size)
    device.fill(source, size, 1)

    def copy() -> None:
        device.copy(target, source, size)

    copy()
    return {one: _median(device, copy, one) for one in _TEMPERATURES}


def _reading(device: Device, launch: Work, case: Case, temperature: Temperature) -> dict[str, Any]:
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


def _open() -> Device:
    name = os.environ.get(STAND_IN, "").strip()
    if not name:
        return CupyDevice()
    module, _, function = name.partition(":")
    device: Device = getattr(importlib.import_module(module), function)()
    if not device.emulated:
        raise DeviceUnavailable(f"{STAND_IN}={name!r:.200} is not an emulated device; unset it.")
    return device


def _check_capability(described: dict[str, Any]) -> None:
    capability = str(described.get("compute_capability", _SUPPORTED))
    if not capability.startswith(_SUPPORTED):
        raise DeviceUnavailable(
            f"The device's compute capability is {capability}, and kernels are compiled for {_SUPPORTED}x: "
            "use an H100 or an H200."
        )


def _case(given: dict[str, Any]) -> Case:
    arguments = tuple(Argument(**one) for one in given["arguments"])
    return Case(
        **{**given, "grid": tuple(given["grid"]), "block": tuple(given["block"]), "arguments": arguments}
    )


def failure(error: Exception) -> dict[str, Any]:
    """What a result says of an error."""
    kind = next((name for name, kind in ERRORS.items() if isinstance(error, kind)), type(error).__name__)
    return {"error": kind, "message": str(error)}


def main() -> None:
    """Read the job, do it, write the result; the argument is the process to die with, or 0 for the parent."""
    for parent in sys.argv[1:]:
        die_with_parent(int(parent) or os.getppid())
    be_killed_first()
    try:
        result = done(json.load(sys.stdin))
    except (OptArenaError, ValueError) as error:
        result = failure(error)
    print(json.dumps(result, allow_nan=False))  # noqa: T201 # the result of this program


if __name__ == "__main__":
    main()
