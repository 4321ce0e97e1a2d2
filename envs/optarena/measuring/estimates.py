"""Means of measured log-ratios, with their errors: confidence intervals, and comparisons of two means.

Pure functions of plain values. A ratio is the factor by which something is better than its reference; blocks
are independent, so the error of a mean follows from their spread (Student, 1908). Means of several
benchmarks have the degrees of freedom of Welch and Satterthwaite.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from optarena.specs.board import finite_number

# Of the confidence of all intervals that are shown.
LEVEL: Final = 0.95
# Fewer blocks tell too little about their own spread.
LEAST_BLOCKS: Final = 3
# No block is believed more exactly: equal readings come from a coarse clock, not from a perfect machine.
LEAST_ERROR: Final = 1e-4


@dataclass(frozen=True, slots=True)
class Estimate:
    # Of log-ratios; `variance` is the square of the standard error, with `freedom` degrees of freedom.
    mean: float
    variance: float
    freedom: float

    @property
    def ratio(self) -> float:
        # A geometric mean.
        return math.exp(self.mean)

    @property
    def interval(self) -> tuple[float, float]:
        reach = quantile(self.freedom) * math.sqrt(self.variance)
        return math.exp(self.mean - reach), math.exp(self.mean + reach)


def of_blocks(ratios: Sequence[float]) -> Estimate:
    if len(ratios) < LEAST_BLOCKS:
        raise ValueError(f"{len(ratios)} blocks do not tell their spread; at least {LEAST_BLOCKS} do.")
    if not all(math.isfinite(ratio) and ratio > 0 for ratio in ratios):
        raise ValueError("A ratio must be a positive finite number.")
    logs = [math.log(ratio) for ratio in ratios]
    spread = max(statistics.variance(logs), LEAST_ERROR**2)
    return Estimate(math.fsum(logs) / len(logs), spread / len(logs), len(logs) - 1)


def differ(one: Estimate, other: Estimate, *, level: float) -> bool:
    # By Welch's t-test (1947) at this level.
    from scipy.special import stdtr  # noqa: PLC0415 - as below

    variance = one.variance + other.variance
    freedom = variance**2 / (one.variance**2 / one.freedom + other.variance**2 / other.freedom)
    return bool(2 * stdtr(freedom, -abs(one.mean - other.mean) / math.sqrt(variance)) < level)


def spread_interval(values: Sequence[float]) -> tuple[float, float]:
    # The interval in which another block's value is expected: a prediction interval.
    own = of_blocks(values)
    reach = quantile(own.freedom) * math.sqrt(own.variance * (1 + len(values)))
    return math.exp(own.mean - reach), math.exp(own.mean + reach)


def quantile(freedom: float) -> float:
    # Of Student's t-distribution, for a two-sided interval.
    from scipy.special import stdtrit  # noqa: PLC0415 - takes long to load, and few processes need it

    return float(stdtrit(freedom, (1 + LEVEL) / 2))


def of_measurement(details: Mapping[str, Any]) -> Estimate | None:
    # From the ratios of the blocks that count; None if they are too few: each environment writes its own
    # details.
    blocks = details.get("blocks")
    ratios = [
        ratio
        for block in (blocks if isinstance(blocks, list) else ())
        if isinstance(block, Mapping) and not block.get("discarded")
        if (ratio := finite_number(block.get("ratio"))) is not None and ratio > 0
    ]
    return of_blocks(ratios) if len(ratios) >= LEAST_BLOCKS else None
