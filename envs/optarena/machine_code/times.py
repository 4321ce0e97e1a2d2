"""The metrics of programs that are timed beside themselves at the compiler's ``-O3``. Pure data."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from optarena.specs import Metric, RewardSpec, Scale

RUNTIME: Final = Metric(
    name="runtime_seconds",
    title="Running time",
    unit="seconds of CPU time",
    exact=False,
    lower_is_better=True,
    observation="RuntimePointEstimate",
    claimed_as="speedup",
)
REFERENCE: Final = replace(RUNTIME, name="reference_seconds", title="Running time at -O3")
SPEEDUP: Final = replace(
    RUNTIME,
    name="speedup",
    title="Speed relative to -O3",
    unit="times",
    lower_is_better=False,
    claimed_as="",
)
TIMES: Final = (RUNTIME, REFERENCE, SPEEDUP)
TIMING_VERSION: Final = 1
"""Raise it when the same program gets other times by another way to measure."""
RUNTIME_REWARD: Final = RewardSpec(
    name=RUNTIME.observation,
    cost=RUNTIME.observation,
    metric="",
    scale=Scale.DIFFERENCE,
    deterministic=False,
)
"""The seconds that an action saves."""
