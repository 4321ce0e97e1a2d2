"""One block of a measurement, in a process of its own: ``python -m optarena.loop_tool.measure``.

Reads a job as JSON from standard input, ``{"benchmark": URI, "actions": [0, 1, ...]}``, and writes the result
to standard output: ``{"pairs": [...], "candidate": ..., "reference": ..., "machine": ..., "emulated": ...}``,
or ``{"error": class, "message": text}``. The schedule and its reference take turns, so that both run under
the same conditions, and no other process measures on the device meanwhile. If a device error makes a process
unusable, only its block fails.
"""

from __future__ import annotations

import json
import statistics
import sys
from typing import TYPE_CHECKING, Any, Final

from optarena.errors import DeviceBusy, DeviceUnavailable, InvalidInput, OptArenaError, PlatformNotSupported
from optarena.isolation.limits import be_killed_first
from optarena.isolation.syscalls import die_with_parent
from optarena.loop_tool.backend import IncorrectOutput
from optarena.loop_tool.benchmarks import parse_benchmark
from optarena.loop_tool.devices import open_backend
from optarena.loop_tool.nest import Tuning
from optarena.measuring.blocks import in_turns
from optarena.measuring.exclusive import exclusive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.loop_tool.backend import Reading

PAIRS: Final = 2
"""Pairs of readings in one block, each of the schedule and of the reference; an even number favours none."""
QUEUE_SECONDS: Final = 30.0
"""How long a block waits for other measurements: with the wait for opening a GPU, half of its time."""
ERRORS: Final[dict[str, type[OptArenaError]]] = {
    kind.__name__: kind
    for kind in (DeviceBusy, DeviceUnavailable, PlatformNotSupported, IncorrectOutput, InvalidInput)
}
"""The errors that a block may end with, by name; the first class that matches is reported."""


def measured(job: dict[str, Any]) -> dict[str, Any]:
    """Do a job.

    Raises:
        ValueError: The job names an unknown benchmark, or an action that does not exist.
        DeviceUnavailable: The device is not available, or others use it for too long (``DeviceBusy``).
        IncorrectOutput: The output of the nest is wrong.
    """
    device, elements = parse_benchmark(job["benchmark"])
    tuning = Tuning.initial(elements)
    for action in job["actions"]:
        tuning = tuning.after(action)
    backend = open_backend(device, elements)
    try:
        with exclusive(backend.identity, seconds=QUEUE_SECONDS):
            pairs = in_turns(lambda: backend.read(tuning.nest), backend.reference, pairs=PAIRS)
        return {
            "pairs": [candidate.gflops / reference.gflops for candidate, reference in pairs],
            "candidate": _figures([candidate for candidate, _ in pairs]),
            "reference": _figures([reference for _, reference in pairs]),
            "machine": backend.machine(),
            "emulated": backend.emulated,
        }
    finally:
        backend.close()


def _figures(readings: Sequence[Reading]) -> dict[str, Any]:
    """The reading with the median flops, beside the flops of all."""
    by_flops = {reading.gflops: reading for reading in readings}
    middle = by_flops[statistics.median_low(reading.gflops for reading in readings)]
    return {**middle.as_dict(), "readings": [reading.gflops for reading in readings]}


def main() -> None:
    """Read the job, do it, write the result; the argument, if any, is the process to die with."""
    for parent in sys.argv[1:]:
        die_with_parent(int(parent))
    be_killed_first()
    try:
        result = measured(json.load(sys.stdin))
    except (OptArenaError, ValueError) as error:
        kind = next((name for name, kind in ERRORS.items() if isinstance(error, kind)), type(error).__name__)
        result = {"error": kind, "message": str(error)}
    print(json.dumps(result, allow_nan=False))  # noqa: T201 # the result of this program


if __name__ == "__main__":
    main()
