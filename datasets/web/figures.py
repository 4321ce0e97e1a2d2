"""The figures of a dataset's page: dots for each of a few benchmarks, else their distribution."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from datasets import selectors
from datasets.services.statistics import MAX_SHARE
from datasets.site.charts.dots import Axis, DotChart, Values, dot_chart
from datasets.site.charts.histograms import Bin, Histogram, bins_of, histogram
from datasets.site.charts.scales import colour, for_screens
from datasets.site.formats import percent, short
from datasets.web.tables import benchmark_rows, levels_of, metric_names, metric_title
from optarena.specs.rewards import UNOPTIMISED, level_order

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from datasets.models import Benchmark, DatasetVersion

MOST_DOTS: Final = 60
"""More benchmarks than this are shown only as a distribution."""
_DOTS_WIDE, _DOTS_NARROW = (1060, 170), (360, 120)
"""The width of the drawing, and the space for names in it."""
_BARS_WIDE, _BARS_NARROW = 520, 330


@dataclass(frozen=True, slots=True)
class Figure:
    """One metric's charts by the class that shows them, with its levels and their colours.

    ``rows`` has the same values as text: for each benchmark its name and a cell for each level.
    """

    title: str
    legend: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    charts: dict[str, DotChart]


@dataclass(frozen=True, slots=True)
class Plot:
    """One histogram by the class that shows it, with the bins it shows."""

    title: str
    bins: tuple[Bin, ...]
    charts: dict[str, Histogram]


@dataclass(frozen=True, slots=True)
class Distribution:
    """The distribution of one metric: its plots, and the smallest, median and largest value by level."""

    title: str
    unit: str
    levels: tuple[tuple[str, dict[str, float]], ...]
    plots: tuple[Plot, ...]


def figures_of(benchmarks: Sequence[Benchmark], version: DatasetVersion) -> list[Figure]:
    """A dot chart for each metric of some benchmarks."""
    found = {name for one in benchmarks for name in selectors.baselines_of(one)}
    names = metric_names(found, version.name)
    return [figure for name in names if (figure := _figure(name, benchmarks, version))]


def distributions_of(version: DatasetVersion) -> list[Distribution]:
    """The distribution of each metric of a version, from its statistics only."""
    metrics: dict[str, Any] = version.statistics.get("metrics", {})
    return [_distribution(name, metrics[name], version) for name in metric_names(metrics, version.name)]


def _figure(metric: str, benchmarks: Sequence[Benchmark], version: DatasetVersion) -> Figure | None:
    title, unit = metric_title(metric, version.name)
    levels = levels_of(benchmarks, metric)
    axis = Axis(series=levels, whole=UNOPTIMISED, unit=unit)
    values = [Values(one.name, selectors.baselines_of(one).get(metric, {})) for one in benchmarks]
    charts = for_screens(
        lambda size: dot_chart(values, axis, width=size[0], left=size[1]),
        wide=_DOTS_WIDE,
        narrow=_DOTS_NARROW,
    )
    legend = tuple((level, colour(number)) for number, level in enumerate(levels))
    rows = tuple((row.benchmark.name, row.cells) for row in benchmark_rows(benchmarks, metric, levels))
    return Figure(title, legend, rows, charts) if charts else None


def _distribution(metric: str, facts: dict[str, Any], version: DatasetVersion) -> Distribution:
    title, unit = metric_title(metric, version.name)
    sizes = _plot(f"{title} at {UNOPTIMISED}", facts["sizes"], short)
    compared = f"{title} at {facts['last']}, as a share of {UNOPTIMISED}"
    shares = _plot(compared, facts["shares"], percent, open_from=MAX_SHARE)
    plots = tuple(plot for plot in (sizes, shares) if plot is not None)
    levels = tuple((level, facts["levels"][level]) for level in level_order(facts["levels"]))
    return Distribution(title, unit, levels, plots)


def _plot(
    title: str, rows: Sequence[Sequence[float]], form: Callable[[float], str], open_from: float = math.inf
) -> Plot | None:
    bins = bins_of(rows, form, open_from=open_from)
    charts = for_screens(lambda width: histogram(bins, width=width), wide=_BARS_WIDE, narrow=_BARS_NARROW)
    return Plot(title, bins, charts) if charts else None
