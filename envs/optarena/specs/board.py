"""What a leaderboard compares, as plain data, and claims about metrics that are not exact.

Claims about exact metrics are not judged here: they must equal the value of the replay.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from optarena.specs import Metric


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSpec:
    """What a leaderboard compares, as plain data.

    Attributes:
        slug: Short name, part of the board's address: ``stack-size``.
        title: One line for people.
        description: A paragraph for people.
        dataset: Name of the dataset with its version: ``kernels-v0``.
        environment: Slug of the environment.
        metric: Name of the metric of the environment that is compared.
        baseline_level: The level in the dataset's manifest that a ratio of 1 stands for.
        plausible_ratio: Ratios up to this are published at once; those beyond it and beyond the board's
            history wait for a reviewer. Optimisers that leave the baseline far behind need a larger one.
        open_after_days: Everybody may read a sequence so many days after its verification; owners may let
            them read it before.
        reference_metric: The metric of the same replay that a ratio of 1 stands for, in place of a recorded
            baseline: for metrics that differ between machines. Empty where the manifest has baselines.
        benchmarks: URIs of the benchmarks to compare, required where the dataset is a range; empty for all.
        device: The kind of device that replays are made on: ``cpu``, or the name of a registered
            :class:`~optarena.specs.environment.DeviceSpec`; names the runners' queue.
        provisional: Whether it has no ranks yet, since its way of measuring has not proved itself.
        withdrawn: Why it was closed for good. Its entries stay, without ranks, and it takes no more; a server
            without entries of it has no such board. Empty for all others.
    """

    slug: str
    title: str
    description: str
    dataset: str
    environment: str
    metric: str
    baseline_level: str = ""
    plausible_ratio: float = 1.5
    open_after_days: int = 30
    reference_metric: str = ""
    benchmarks: tuple[str, ...] = ()
    device: str = "cpu"
    provisional: bool = False
    withdrawn: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableBoardSpec:
    """A leaderboard of portable entries, as plain data: sequences for programs that nobody could search.

    The server draws programs from a generated dataset at the end of each round, the same for all its entries.

    Attributes:
        slug: Short name, part of the board's address: ``portable``.
        title: One line for people.
        description: A paragraph for people.
        dataset: Name of the generated dataset that programs are drawn from.
        environment: Slug of the environment.
        metric: Name of an exact metric of the environment, of which less is better.
        baseline_level: The compiler's own level that a ratio of 1 stands for.
        programs: How many programs are drawn for a round.
        report_dataset: Name of a stored dataset on which entries are reported beside their score; empty for
            none.
        report_split: The split of that dataset.
        plausible_ratio: An entry is ranked at once if no drawn program's ratio is beyond it, or far beyond
            what others have reached on theirs; else it waits for a reviewer.
    """

    slug: str
    title: str
    description: str
    dataset: str
    environment: str
    metric: str
    baseline_level: str
    programs: int
    report_dataset: str = ""
    report_split: str = "test"
    plausible_ratio: float = 1.5


def ratio(*, baseline: float, achieved: float, lower_is_better: bool) -> float:
    """The factor by which a value is better than the baseline: 1 is the baseline, bigger is better.

    Raises:
        ValueError: One of the values is not a positive finite number.
    """
    for value in (baseline, achieved):
        if not (math.isfinite(value) and value > 0):
            raise ValueError(f"A ratio needs positive finite values, not {value!r}.")
    return baseline / achieved if lower_is_better else achieved / baseline


# Their values say how fast something is; those of all others how large it is, or how much.
_SPEED_UNITS: Final = ("seconds", "GFLOP/s")  # and what more they say
# Factors from which on a percentage would mislead.
_TIMES: Final = 1.1
_TWICE: Final = 2.0
_TEN: Final = 10.0


def saving(score: float) -> float:
    """The share of the reference that a score saves: 0.2 at 1.25, and negative below 1."""
    return 1.0 - 1.0 / score


def compared_words(score: float, metric: Metric) -> str:
    """A ratio or score in words that the name of the reference completes.

    ``4.0 % smaller than``, ``1.43 times as slow as``, ``equal to``.
    """
    if score == 1.0:
        return "equal to"
    factor = max(score, 1.0 / score)
    if metric.unit.startswith(_SPEED_UNITS):
        word = "fast" if score > 1.0 else "slow"
        if factor >= _TIMES:
            return f"{_times(factor)} as {word} as"
        return f"{_percent(factor - 1.0)} {word}er than"
    more, less, much = ("larger", "smaller", "large") if metric.lower_is_better else ("more", "less", "much")
    if (score < 1.0) != metric.lower_is_better:
        return f"{_percent(1.0 - 1.0 / factor)} {less} than"
    if factor >= _TWICE:
        return f"{_times(factor)} as {much} as"
    return f"{_percent(factor - 1.0)} {more} than"


def _times(factor: float) -> str:
    return f"{factor:,.{2 if factor < _TEN else 0}f} times"


def _percent(share: float) -> str:
    # Not 0.00 %, which would be equal.
    percent = max(100.0 * share, 0.01)
    return f"{percent:.{2 if percent < 1.0 else 1}f} %"


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
        match [finite_number(end) for end in ends] if isinstance(ends, list | tuple) else []:
            case [float() as low, float() as high]:
                intervals[name] = (low, high)
    return intervals


def claim_status(*, claimed: float, interval: tuple[float, float], lower_is_better: bool) -> Status:
    """Whether a claim is within the measured interval or worse, or better than all of it."""
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
