"""What a leaderboard compares, as plain data."""

from __future__ import annotations

import math
from dataclasses import dataclass


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
        reference_metric: The metric of the same replay that a ratio of 1 stands for, in place of a recorded
            baseline: for metrics that differ between machines. Empty where the manifest has baselines.
        benchmarks: URIs of the benchmarks to compare, required where the dataset is a range; empty for all.
        device: The kind of device that replays are made on: ``cpu``, or the name of a registered
            :class:`~optarena.specs.device.DeviceSpec`; names the runners' queue.
        provisional: Whether it has no ranks yet, since its way of measuring has not proved itself.
    """

    slug: str
    title: str
    description: str
    dataset: str
    environment: str
    metric: str
    baseline_level: str = ""
    plausible_ratio: float = 1.5
    reference_metric: str = ""
    benchmarks: tuple[str, ...] = ()
    device: str = "cpu"
    provisional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableBoardSpec:
    """A leaderboard of portable entries, as plain data: sequences for programs that nobody could search.

    The server draws the programs of an entry from a generated dataset, once the entry is sealed.

    Attributes:
        slug: Short name, part of the board's address: ``portable``.
        title: One line for people.
        description: A paragraph for people.
        dataset: Name of the generated dataset that programs are drawn from.
        environment: Slug of the environment.
        metric: Name of an exact metric of the environment, of which less is better.
        baseline_level: The compiler's own level that a ratio of 1 stands for.
        programs: How many programs are drawn for an entry.
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
