"""The metrics of programs that are timed beside themselves at the compiler's ``-O3``. Pure data."""

from __future__ import annotations

from typing import Final

from optarena.specs import Metric, RewardSpec, Scale, timed_metrics

TIMES: Final = timed_metrics(
    Metric(
        name="runtime_seconds",
        title="Running time",
        unit="seconds of CPU time",
        observation="RuntimePointEstimate",
    )
)
RUNTIME, REFERENCE, SPEEDUP = TIMES
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
