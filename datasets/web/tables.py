"""Rows of the tables of dataset pages: metric, value by level, share of O0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.humanize.templatetags.humanize import intcomma

from datasets import selectors
from datasets.site.formats import NOTHING
from optarena.datasets import environments_of
from optarena.specs.rewards import UNOPTIMISED, level_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from datasets.models import Benchmark


@dataclass(frozen=True, slots=True)
class BenchmarkRow:
    """A benchmark in the table of its dataset, ready to be shown.

    Attributes:
        benchmark: The benchmark.
        url: Its page.
        cells: Its value at each level as text, or a dash.
        share: The last level's value as a share of O0, as text.
    """

    benchmark: Benchmark
    url: str
    cells: tuple[str, ...]
    share: str


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One metric of a benchmark: each level with its value and the share of O0, None where there is none."""

    title: str
    cells: tuple[tuple[str, tuple[float, float] | None], ...]


def metric_names(found: Iterable[str], dataset: str) -> list[str]:
    """Metrics that have baselines: those of the dataset's environment in its order, then others by name."""
    names = set(found)
    known = [name for spec in environments_of(dataset) for name in spec.metric_names if name in names]
    return list(dict.fromkeys([*known, *sorted(names)]))


def metric_title(metric: str, dataset: str) -> tuple[str, str]:
    """A metric's title and unit; its name where no installed environment measures it."""
    known = selectors.find_metric(metric, dataset)
    return (metric, "") if known is None else (known.title, known.unit)


def levels_of(benchmarks: Iterable[Benchmark], metric: str) -> tuple[str, ...]:
    """The levels at which any of some benchmarks has a value, in their usual order."""
    return level_order(level for one in benchmarks for level in selectors.baselines_of(one).get(metric, {}))


def all_levels(baselines: Mapping[str, Mapping[str, float]]) -> tuple[str, ...]:
    """The levels of all metrics of one benchmark."""
    return level_order(level for values in baselines.values() for level in values)


def ends_of(levels: Sequence[str]) -> tuple[str, ...]:
    """The levels of a table: the program as given, and the last level. Plots have those between."""
    return (levels[0], levels[-1]) if len(levels) > 1 else tuple(levels)


def benchmark_rows(benchmarks: Sequence[Benchmark], metric: str, levels: Sequence[str]) -> list[BenchmarkRow]:
    """The rows of a dataset's table; texts are formatted here, since templates are slow for many cells."""
    return [_row(one, selectors.baselines_of(one).get(metric, {}), levels) for one in benchmarks]


def _row(one: Benchmark, values: Mapping[str, float], levels: Sequence[str]) -> BenchmarkRow:
    unoptimised, best = values.get(UNOPTIMISED), values.get(levels[-1]) if levels else None
    return BenchmarkRow(
        benchmark=one,
        url=one.get_absolute_url(),
        cells=tuple(intcomma(values[level]) if level in values else NOTHING for level in levels),
        share=f"{best / unoptimised * 100:.0f} %" if unoptimised and best else NOTHING,
    )


def metric_rows(one: Benchmark, dataset: str) -> list[MetricRow]:
    """The rows of a benchmark's table of baselines."""
    found = selectors.baselines_of(one)
    levels = all_levels(found)
    rows = []
    for metric in metric_names(found, dataset):
        values = found[metric]
        base = values.get(UNOPTIMISED, 0)
        cells = tuple(
            (level, (values[level], values[level] / base * 100) if level in values and base else None)
            for level in levels
        )
        rows.append(MetricRow(metric_title(metric, dataset)[0], cells))
    return rows
