"""The datasets of loop_tool: for each device every number of elements, computed and never stored."""

from __future__ import annotations

from typing import Final

from optarena.datasets.parametric import ParametricDataset
from optarena.loop_tool.benchmarks import DATASETS as DEVICES
from optarena.loop_tool.benchmarks import MAX_ELEMENTS, MIN_ELEMENTS

_WHERE: Final = {"cpu": "the CPU", "cuda": "an NVIDIA GPU"}

DATASETS: Final = tuple(
    ParametricDataset(
        name=name,
        title=f"Point-wise additions on {_WHERE[device]}",
        description="Add two vectors of n numbers (float32) element by element. The number of elements alone "
        f"tells the benchmark; its loop nest is compiled for {_WHERE[device]} and measured there.",
        licence="MIT",
        domain="linear-algebra",
        language="loop nest",
        low=MIN_ELEMENTS,
        high=MAX_ELEMENTS,
        environment="loop_tool-v0",
    )
    for name, device in DEVICES.items()
)
"""One for each device."""
