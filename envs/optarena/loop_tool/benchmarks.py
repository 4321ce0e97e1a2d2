"""Benchmarks of loop_tool: a device and a number of elements, which the URI alone defines.

Sessions import this module, so it needs only the standard library.
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
"""Elements of the additions that the boards compare: powers of two, from a size that fits the L1 cache to one
that fits no cache, and for the smallest, a middle and the largest one the next smaller prime: a prime is as
much work, but every way to divide the loop leaves a tail, and later blocks are not aligned."""
DEVICE: Final = "loop_tool.device"
"""Session parameter: checks that the benchmark's device is usable, and gives its kind."""
READING: Final = "loop_tool.reading"
"""Session parameter: the last reading of ``flops`` as JSON, with its spread; ``null`` before the first."""
_URI: Final = re.compile(r"(?:benchmark://)?([a-z0-9_.-]+)/([1-9][0-9]{0,18})")


def parse_benchmark(uri: str) -> tuple[Device, int]:
    """The device and the number of elements of a benchmark's URI.

    Raises:
        ValueError: The URI is not a benchmark of loop_tool; the message names it and the allowed range.
    """
    match = _URI.fullmatch(uri)
    device = DATASETS.get(match[1]) if match else None
    if match is None or device is None or not MIN_ELEMENTS <= int(match[2]) <= MAX_ELEMENTS:
        names = " or ".join(f"benchmark://{name}/N" for name in DATASETS)
        raise ValueError(
            f"{uri!r:.200} is not a benchmark of loop_tool. "
            f"Write {names}, where N is an integer from {MIN_ELEMENTS} to {MAX_ELEMENTS}."
        )
    return device, int(match[2])
