"""The sizes of machine code that several compilers are measured by. Pure data.

A metric of one name means the same whatever compiler made the code, so that results can be compared.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from optarena import limits
from optarena.specs import Metric, RewardSpec, Scale, timed_metrics


def _size(name: str, title: str, observation: str) -> Metric:
    return Metric(
        name=name, title=title, unit="bytes", observation=observation, cpu_seconds=limits.CODE_CPU_SECONDS
    )


# See elf.executable_bytes and elf.loaded_bytes. Code alone could be moved into tables.
text_size: Final = partial(_size, "text_size_bytes", "Machine code size")
load_size: Final = partial(_size, "load_size_bytes", "Loaded bytes")
TIMES: Final = timed_metrics(
    Metric(
        name="runtime_seconds",
        title="Running time",
        unit="seconds of CPU time",
        observation="RuntimePointEstimate",
    )
)
RUNTIME, REFERENCE, SPEEDUP = TIMES
# Raise it when the same program gets other times by another way to measure.
TIMING_VERSION: Final = 1
RUNTIME_REWARD: Final = RewardSpec(
    name=RUNTIME.observation, cost=RUNTIME.observation, metric="", scale=Scale.DIFFERENCE, deterministic=False
)
