"""Measures this machine's calibration: ``python -m optarena.calibration`` prints what it found, as JSON.

A worker starts it in a process of its own, when it starts and once a day. It takes about two seconds. While
it reads times, it holds the lock of all cores, so it neither disturbs a measurement nor is disturbed by one.
"""

from __future__ import annotations

import json
import statistics
import sys
from typing import Any, Final

from optarena.errors import DeviceUnavailable, OptArenaError
from optarena.isolation import syscalls
from optarena.measuring import machine
from optarena.measuring.machine import WAIT_SECONDS, all_cores
from optarena.specs import calibration_specs, calibration_version
from optarena.specs.environment import Reading, load

# Readings of each entry; they go round, so that a short disturbance meets one reading of each.
ROUNDS: Final = 5


def measure(*, seconds: float = WAIT_SECONDS) -> dict[str, Any]:
    """Measure all registered calibration sets.

    Args:
        seconds: How long to wait for other measurements of this machine.

    Returns:
        The ``version`` of the set; the ``vector``, which has for each entry its ``seconds``, the least of all
        readings, since others can only add to a time, and the ``spread`` by which their median is above it;
        and the ``conditions``: the processor, its clock where that is known, and the load of the machine.

    Raises:
        DeviceUnavailable: Others measured all the time.
        OptArenaError: A workload failed.
    """
    entries: dict[str, Reading] = {}
    for spec in calibration_specs():
        entries |= load(spec.prepare)()
    readings: dict[str, list[float]] = {name: [] for name in entries}
    with all_cores(seconds=seconds) as cpu:
        for _ in range(ROUNDS):
            for name, read in entries.items():
                readings[name].append(read(cpu))
        meanwhile = {
            "processor": cpu,
            "mhz": machine.present_mhz(cpu),
            "load_average": machine.load_average(),
        }
    return {
        "version": calibration_version(),
        "vector": {name: summary(taken) for name, taken in readings.items()},
        "conditions": {name: value for name, value in meanwhile.items() if value is not None},
    }


def summary(readings: list[float]) -> dict[str, float]:
    """One entry of the vector: the least reading, and by which part of it the median is above."""
    least = min(readings)
    return {"seconds": least, "spread": statistics.median(readings) / least - 1}


def main() -> None:
    """Carry out the order on the standard input, and print the answer or why there is none."""
    order = json.load(sys.stdin)
    syscalls.die_with_parent(order.pop("parent"))
    try:
        answer = measure(**order)
    except DeviceUnavailable as error:
        answer = {"busy": str(error)}
    except OptArenaError as error:
        answer = {"failed": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer))  # noqa: T201 # its answer


if __name__ == "__main__":
    main()
