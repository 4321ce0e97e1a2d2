"""Medians of many calls, taken in turns so that a busy machine slows all functions alike."""

from __future__ import annotations

import gc
import statistics
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_WARM_UP = 50


def medians(functions: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """The median milliseconds of a call of each function; one call of each in every round."""
    times: dict[str, list[float]] = {name: [] for name in functions}
    for function in functions.values():
        for _ in range(min(_WARM_UP, repeats)):
            function()
    gc.collect()
    gc.disable()
    try:
        order = list(functions.items())
        for _ in range(repeats):
            order.append(order.pop(0))  # rotate, so that each function has changing predecessors
            for name, function in order:
                start = time.perf_counter()
                function()
                times[name].append(time.perf_counter() - start)
    finally:
        gc.enable()
    return {name: statistics.median(values) * 1000 for name, values in times.items()}


def milliseconds(function: Callable[[], object]) -> float:
    """How long one call took."""
    start = time.perf_counter()
    function()
    return (time.perf_counter() - start) * 1000


def show(name: str, value: float, remark: str = "", unit: str = "ms") -> None:
    """Print a line of a table."""
    print(f"  {name:52}{value:10.3f} {unit}  {remark}".rstrip(), flush=True)


def aim(value: float, limit: float, what: str = "") -> str:
    """Whether a value meets its aim."""
    verdict = "met" if value <= limit else "MISSED"
    return f"{what}aim <= {limit:g}: {verdict}"
