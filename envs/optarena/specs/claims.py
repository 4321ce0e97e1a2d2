"""Claims about metrics that are not exact: the replay's measurement counts; a claim is only compared with it.

Pure functions of plain values. Claims about exact metrics are not judged here: they must equal the value of
the replay.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optarena.specs import Metric

Status = Literal["consistent", "optimistic"]

CONSISTENT: Final = "consistent"
OPTIMISTIC: Final = "optimistic"


def finite_number(value: object) -> float | None:
    """A number from JSON data; None if the value is not a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def measured_intervals(measurement: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """Metric name -> the interval that a replay measured, from the JSON data of its measurement.

    Each environment writes its own data: whatever is not a pair of numbers is left out.
    """
    found = measurement.get("interval")
    intervals = {}
    for name, ends in found.items() if isinstance(found, Mapping) else ():
        numbers = [finite_number(end) for end in ends] if isinstance(ends, list | tuple) else []
        match numbers:
            case [float() as low, float() as high]:
                intervals[name] = (low, high)
    return intervals


def claim_status(*, claimed: float, interval: tuple[float, float], lower_is_better: bool) -> Status:
    """Whether a claim is within the measured interval or worse, or better than all of it.

    Args:
        claimed: The claimed value.
        interval: The lower and upper end of the measured values.
        lower_is_better: The direction of the metric.
    """
    low, high = interval
    modest = claimed >= low if lower_is_better else claimed <= high
    return CONSISTENT if modest else OPTIMISTIC


def claim_statuses(
    claims: Mapping[str, float], metrics: Iterable[Metric], intervals: Mapping[str, tuple[float, float]]
) -> dict[str, Status]:
    """The status of each claim about a metric that is not exact and has a measured interval."""
    return {
        metric.name: claim_status(
            claimed=claims[metric.name],
            interval=intervals[metric.name],
            lower_is_better=metric.lower_is_better,
        )
        for metric in metrics
        if not metric.exact and metric.name in claims and metric.name in intervals
    }


def optimistic_claims(
    claims: Mapping[str, float], metrics: Iterable[Metric], measurement: Mapping[str, Any]
) -> list[str]:
    """One sentence for each claim that is better than everything that a replay measured."""
    intervals = measured_intervals(measurement)
    return [
        f"{name} is claimed to be {claims[name]:g}, but the values measured here are "
        f"{intervals[name][0]:g} to {intervals[name][1]:g}."
        for name, status in claim_statuses(claims, metrics, intervals).items()
        if status == OPTIMISTIC
    ]
