"""Time a machine, and tell whether it has become slower.

Tells a machine that has changed from its own noise: a control chart of calibrations. Pure functions.

An entry of a calibration drifts if it is further off the median of its history than its control limits, in
logarithms: six spreads (median absolute deviations, as standard deviations), but at least a factor of
1.22 and at most one of 1.65. One calibration that is off proves nothing, since another guest of the machine
may have disturbed it: a drift counts if ``TRIES`` in a row show it, in the same entry and direction.
``tests/runner/test_calibration.py`` simulates both errors.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

from optarena.measuring.blocks import ControlLimits, ControlRule
from optarena.registry import PLUGINS_VARIABLE
from optarena.service.processes import folders, memory
from runner import conf
from runner.errors import NotCalibratedError

# Fewer calibrations tell too little about their spread: nothing drifts.
LEAST_HISTORY: Final = 5
# So many calibrations are the history, the latest ones: a machine may age.
HISTORY: Final = 30
TRIES: Final = 3
# A history of fewer calibrations has the widest limits: its spread may be small by chance.
SHORT: Final = 10
# Seconds. A calibration is cut off long before; whatever is longer is not one of its times.
LONGEST: Final = 3600.0
RULE: Final = ControlRule(spreads=6.0, least=0.2, most=0.5)
_OF_SHORT: Final = ControlRule(spreads=6.0, least=0.5, most=0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    # factor is less than 1 where the entry is faster than in its history.
    entry: str
    factor: float

    def __str__(self) -> str:
        return f"{self.entry.replace('_', ' ')} takes {self.factor:.2g} times as long as in its history"


def times_of(vector: object) -> dict[str, float]:
    entries = vector.items() if isinstance(vector, dict) else ()
    told = {name: entry.get("seconds") for name, entry in entries if isinstance(entry, dict)}
    return {name: float(seconds) for name, seconds in told.items() if _is_time(seconds)}


def _is_time(told: object) -> TypeGuard[float]:
    return isinstance(told, (int, float)) and not isinstance(told, bool) and 0 < told <= LONGEST


def limits_of(history: Sequence[Mapping[str, float]]) -> dict[str, ControlLimits]:
    # In logarithms of seconds.
    if len(history) < LEAST_HISTORY:
        return {}
    recent = history[:HISTORY]
    rule = RULE if len(recent) >= SHORT else _OF_SHORT
    names = sorted(set.intersection(*map(set, recent)))
    return {name: rule.limits([math.log(times[name]) for times in recent]) for name in names}


def drift_of(
    history: Sequence[Mapping[str, float]], tries: Sequence[Mapping[str, float]]
) -> tuple[Drift, ...]:
    """Return the entries that are beyond their limits, in the same direction, in all tries.

    ``history`` has the seconds of each entry, greater than zero, latest first. The factors are the last
    try's, largest first.
    """
    found = list(_drifts(limits_of(history), tries)) if tries else []
    return tuple(sorted(found, key=lambda one: -abs(math.log(one.factor))))


def _drifts(limits: Mapping[str, ControlLimits], tries: Sequence[Mapping[str, float]]) -> Iterator[Drift]:
    for name, limit in limits.items():
        levels = [math.log(times[name]) for times in tries if name in times]
        signs = {math.copysign(1.0, limit.off(level)) for level in levels}
        if levels and len(signs) == 1 and not any(map(limit.includes, levels)):
            yield Drift(entry=name, factor=math.exp(limit.off(levels[-1])))


_COMMAND: Final = (sys.executable, "-s", "-P", "-m", "optarena.calibration")


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    # drift is what everybody may read; it is empty if the machine has not changed.
    version: str
    vector: Mapping[str, Mapping[str, float]]
    conditions: Mapping[str, Any]
    tries: int = 1
    drift: str = ""

    @property
    def times(self) -> dict[str, float]:
        return times_of(self.vector)


def calibrate(
    history: Callable[[str], Sequence[Mapping[str, float]]],
    *,
    measure: Callable[[], Calibrated] | None = None,
    wait: Callable[[float], object] = time.sleep,
) -> Calibrated:
    """Measure, and measure again while the machine seems to have changed.

    ``history`` gives the earlier calibrations with a version of the set, latest first. Raise
    NotCalibratedError if it cannot be measured.
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
        version=found.version, vector=found.vector, conditions=found.conditions, tries=len(tries), drift=drift
    )


def measure_once() -> Calibrated:
    """Raise NotCalibratedError if others measured all the time, or a workload or its process failed."""
    try:
        answer: dict[str, Any] = folders.ask(
            _COMMAND,
            {"parent": os.getpid(), "seconds": conf.CALIBRATION_QUEUE_SECONDS},
            seconds=conf.CALIBRATION_SECONDS,
            inherited=(PLUGINS_VARIABLE, memory.VARIABLE),
        )
    except OSError as error:
        raise NotCalibratedError(str(error)) from error
    problem = answer.get("busy") or answer.get("failed")
    if problem:
        raise NotCalibratedError(problem)
    found = Calibrated(**answer)
    if not found.vector or len(found.times) != len(found.vector):
        raise NotCalibratedError(f"It measured {dict(found.vector)}.")
    return found
