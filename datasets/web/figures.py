"""The figures of a dataset's page: every benchmark as dots where they are few, else their distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from datasets import selectors
from datasets.web.charts import Chart, Series, colour, dot_chart
from datasets.web.histograms import Bin, Histogram, bins_of, histogram, percent, short
from datasets.web.tables import benchmark_rows, levels_of, metric_names, metric_title
from optarena.specs.rewards import level_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.models import Benchmark, DatasetVersion

MOST_DOTS: Final = 60
"""More benchmarks than this are shown by their distribution alone."""
_WIDE, _NARROW = 520, 330


@dataclass(frozen=True, slots=True)
class Figure:
    """One metric's chart, for wide and for narrow screens, with its levels and their colours.

    ``rows`` has the same values in words: for each benchmark its name and a cell for each level.
    """

    title: str
    legend: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    wide: Chart
    narrow: Chart


@dataclass(frozen=True, slots=True)
class Plot:
    """One histogram, for wide and for narrow screens, with the bins it shows."""

    title: str
    bins: tuple[Bin, ...]
    wide: Histogram
    narrow: Histogram


@dataclass(frozen=True, slots=True)
class Distribution:
    """How one metric is distributed: its plots, and the smallest, middle and largest value by level."""

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
    """The distribution of each metric of a version, from its statistics alone."""
    metrics: dict[str, Any] = version.statistics.get("metrics", {})
    return [_distribution(name, metrics[name], version) for name in metric_names(metrics, version.name)]


def _figure(metric: str, benchmarks: Sequence[Benchmark], version: DatasetVersion) -> Figure | None:
    title, unit = metric_title(metric, version.name)
    levels = levels_of(benchmarks, metric)
    series = [
        Series(one.name, one.get_absolute_url(), selectors.baselines_of(one).get(metric, {}))
        for one in benchmarks
    ]
    wide = dot_chart(series, levels=levels, unit=unit, width=1060, left=170)
    narrow = dot_chart(series, levels=levels, unit=unit, width=360, left=96)
    legend = tuple((level, colour(number)) for number, level in enumerate(levels))
    rows = tuple((row.benchmark.name, row.cells) for row in benchmark_rows(benchmarks, metric, levels))
    return Figure(title, legend, rows, wide, narrow) if wide is not None and narrow is not None else None


def _distribution(metric: str, told: dict[str, Any], version: DatasetVersion) -> Distribution:
    title, unit = metric_title(metric, version.name)
    sizes = _plot(f"{title} at O0", bins_of(told["sizes"], short), _end(told["sizes"], short))
    shares = _plot(
        f"{title} at {told['last']}, as a share of O0",
        bins_of(told["shares"], percent),
        _end(told["shares"], percent),
    )
    plots = tuple(plot for plot in (sizes, shares) if plot is not None)
    levels = tuple((level, told["levels"][level]) for level in level_order(told["levels"]))
    return Distribution(title, unit, levels, plots)


def _end(rows: list[list[float]], form: Any) -> str:  # noqa: ANN401 - one of two functions
    return str(form(rows[-1][1])) if rows else ""


def _plot(title: str, bins: tuple[Bin, ...], last: str) -> Plot | None:
    wide, narrow = (histogram(bins, width=width, last=last) for width in (_WIDE, _NARROW))
    return Plot(title, bins, wide, narrow) if wide is not None and narrow is not None else None
