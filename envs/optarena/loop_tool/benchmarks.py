"""Benchmarks of loop_tool: a device and a number of elements, told by the URI alone.

Imported by sessions, so it needs nothing but the standard library.
"""

from __future__ import annotations

import re
from typing import Final, Literal

Device = Literal["cpu", "cuda"]

DATASETS: Final[dict[str, Device]] = {"loop_tool-cpu-v0": "cpu", "loop_tool-cuda-v0": "cuda"}
"""The device of each dataset."""
MIN_ELEMENTS: Final = 1
MAX_ELEMENTS: Final = 8 * 2**20
BOARD_SIZES: Final = (1021, 2**10, 2**14, 2**17 - 1, 2**17, 2**20, 2**23 - 15, 2**23)
"""Elements of the additions that the boards compare: powers of two, from what fits the nearest cache to what
fits none, and beside the smallest, a middle and the largest of them the next smaller prime: as much work, but
whatever divides the loop leaves a tail, and blocks after the first begin where no wide access likes it."""
STAND_IN_VARIABLE: Final = "OPTARENA_CUDA_DEVICE"
"""Environment variable, for tests: names what takes a GPU's place, as ``module:function``."""
DEVICE: Final = "loop_tool.device"
"""Session parameter: is the device that the benchmark runs on usable? Gives its kind."""
READING: Final = "loop_tool.reading"
"""Session parameter: the last reading of ``flops`` as JSON, with its spread; ``null`` before the first."""
_URI: Final = re.compile(r"(?:benchmark://)?([a-z0-9_.-]+)/([1-9][0-9]{0,18})")


def parse_benchmark(uri: str) -> tuple[Device, int]:
    """The device and the number of elements of a benchmark's URI.

    Raises:
        ValueError: It is no benchmark of loop_tool; names the URI and the range.
    """
    match = _URI.fullmatch(uri)
    device = DATASETS.get(match[1]) if match else None
    if match is None or device is None or not MIN_ELEMENTS <= int(match[2]) <= MAX_ELEMENTS:
        names = " or ".join(f"benchmark://{name}/N" for name in DATASETS)
        raise ValueError(
            f"{uri!r:.200} is no benchmark of loop_tool. "
            f"Write {names}, N being a whole number from {MIN_ELEMENTS} to {MAX_ELEMENTS}."
        )
    return device, int(match[2])
