"""A worker's calibrations: measured in a process of its own, and compared with the machine's own history."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from optarena.registry import PLUGINS_VARIABLE
from optarena.service.processes import folders, memory
from optarena.service.processes.folders import importing_environment
from runner import conf
from runner.drift import TRIES, drift_of, times_of
from runner.errors import NotCalibratedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_COMMAND: Final = (sys.executable, "-s", "-P", "-m", "optarena.calibration")
_LAST_WORDS: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """What a calibration found.

    Attributes:
        version: The version of the calibration set.
        vector: For each entry its ``seconds`` and their ``spread``.
        conditions: What the machine was doing: its load, the present clock.
        tries: How often it was measured.
        drift: How the machine has changed, for everybody; empty if it has not.
    """

    version: str
    vector: Mapping[str, Mapping[str, float]]
    conditions: Mapping[str, Any]
    tries: int = 1
    drift: str = ""

    @property
    def times(self) -> dict[str, float]:
        """The seconds of each entry."""
        return times_of(self.vector)


def calibrate(
    history: Callable[[str], Sequence[Mapping[str, float]]],
    *,
    measure: Callable[[], Calibrated] | None = None,
    wait: Callable[[float], object] = time.sleep,
) -> Calibrated:
    """Measure, and measure again while the machine seems to have changed.

    Args:
        history: The earlier calibrations with a version of the set, latest first.
        measure: Makes one measurement; None for ``measure_once``.
        wait: Waits so many seconds between two.

    Returns:
        The last measurement, with the drift that all of them show.

    Raises:
        NotCalibratedError: The machine could not be measured.
    """
    tries: list[dict[str, float]] = []
    while True:
        found = (measure or measure_once)()
        tries.append(found.times)
        drifts = drift_of(history(found.version), tries)
        if not drifts or len(tries) == TRIES:
            break
        wait(conf.CALIBRATION_PAUSE_SECONDS)
    named = "; ".join(map(str, drifts))
    drift = f"Calibration: {named}." if named else ""
    return Calibrated(
        version=found.version,
        vector=found.vector,
        conditions=found.conditions,
        tries=len(tries),
        drift=drift,
    )


def measure_once() -> Calibrated:
    """Measure this machine once.

    Raises:
        NotCalibratedError: Others measured all the time, or a workload or its process failed.
    """
    try:
        asked = folders.run(
            _COMMAND,
            seconds=conf.CALIBRATION_SECONDS,
            given=json.dumps({"parent": os.getpid(), "seconds": conf.CALIBRATION_QUEUE_SECONDS}),
            environment=importing_environment(PLUGINS_VARIABLE, memory.VARIABLE),
            directory="/",
        )
        answer: dict[str, Any] = json.loads(asked.printed)
    except OSError as error:
        raise NotCalibratedError(str(error)) from error
    except ValueError as error:  # it printed no answer
        said = asked.said.strip()[-_LAST_WORDS:] or f"It ended with code {asked.code}."
        raise NotCalibratedError(said) from error
    problem = answer.get("busy") or answer.get("failed")
    if problem:
        raise NotCalibratedError(problem)
    found = Calibrated(**answer)
    if not found.vector or len(found.times) != len(found.vector):
        raise NotCalibratedError(f"It measured {dict(found.vector)}.")
    return found
