"""The sizes of machine code that several compilers are measured by. Pure data.

A metric of one name means the same whatever compiler made the code, so that results can be compared.
"""

from __future__ import annotations

from typing import Final

from optarena import limits
from optarena.specs import Metric, RewardSpec, Scale, timed_metrics


def text_size(observation: str) -> Metric:
    # See elf.executable_bytes.
    return _size("text_size_bytes", "Machine code size", observation)


def load_size(observation: str) -> Metric:
    # See elf.loaded_bytes. Code alone could be moved into tables.
    return _size("load_size_bytes", "Loaded bytes", observation)


def _size(name: str, title: str, observation: str) -> Metric:
    return Metric(
        name=name,
        title=title,
        unit="bytes",
        observation=observation,
        cpu_seconds=limits.CODE_CPU_SECONDS,
    )


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
    name=RUNTIME.observation,
    cost=RUNTIME.observation,
    metric="",
    scale=Scale.DIFFERENCE,
    deterministic=False,
)
