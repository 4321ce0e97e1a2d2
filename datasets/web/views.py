"""Thin views of the dataset pages: find, arrange, show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import render

from datasets import selectors
from datasets.models import Benchmark
from datasets.web import ranges
from datasets.web.charts import Chart, Series, colour, dot_chart
from datasets.web.examples import EXAMPLE_ENVIRONMENT, example_environment
from optarena.datasets import environments_of
from optarena.reward import UNOPTIMISED, level_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse

    from datasets.models import DatasetVersion

PER_PAGE: Final = 100
TOOLS: Final = {"clang": "Clang", "llvm": "LLVM", "target": "Target", "cpu": "Processor", "flags": "Flags"}


@dataclass(frozen=True, slots=True)
class Figure:
    """One metric's chart, for wide and for narrow screens, with its levels and their colours."""

    title: str
    legend: tuple[tuple[str, str], ...]
    wide: Chart
    narrow: Chart


@dataclass(frozen=True, slots=True)
class BenchmarkRow:
    """A benchmark in the table of its dataset: its values by level, and the last as a share of O0."""

    benchmark: Benchmark
    values: dict[str, float]
    last: str

    @property
    def share(self) -> float | None:
        """The last level's value as a share of O0."""
        unoptimised, best = self.values.get(UNOPTIMISED), self.values.get(self.last)
        return best / unoptimised * 100 if unoptimised and best else None


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One metric of a benchmark: by level its value and the share of O0, None where there is none."""

    title: str
    cells: tuple[tuple[float, float] | None, ...]


def dataset_list(request: HttpRequest) -> HttpResponse:
    """All dataset versions."""
    return render(request, "datasets/list.html", {"versions": selectors.dataset_versions()})


def dataset(request: HttpRequest, name: str) -> HttpResponse:
    """One dataset version: what it is, its benchmarks, and how to load them."""
    version = _version(name)
    page = Paginator(selectors.benchmarks_of(version), PER_PAGE).get_page(request.GET.get("page"))
    benchmarks = list(page.object_list)
    if len(benchmarks) == 1 and benchmarks[0].kind == Benchmark.Kind.PARAMETRIC:
        return ranges.range_page(request, version, benchmarks[0])
    names = _metric_names(benchmarks, version)
    first = names[0] if names else ""
    levels = _levels(benchmarks, first)
    last = levels[-1] if levels else UNOPTIMISED
    context = {
        "version": version,
        "page": page,
        "rows": [BenchmarkRow(one, selectors.baselines_of(one).get(first, {}), last) for one in benchmarks],
        "figures": [figure for name in names if (figure := _figure(name, benchmarks, version))],
        "levels": levels,
        "last_level": last,
        "metric": _title(first, version)[0],
        "columns": len(levels) + 6,
        "example": next((one for one in benchmarks if one.blob_id), None),
        "environment": example_environment(version.name) or EXAMPLE_ENVIRONMENT,
        "toolchain": _toolchain(version),
    }
    return render(request, "datasets/dataset.html", context)


def benchmark(request: HttpRequest, name: str, path: str) -> HttpResponse:
    """One benchmark: baselines, workloads, source, download; or a member of a range."""
    version = _version(name)
    found = selectors.find_in_dataset(version, path)
    if found is None:
        raise Http404(f"The dataset {name} has no benchmark {path}.")
    if found.kind == Benchmark.Kind.PARAMETRIC and path != found.name:
        return ranges.member_page(request, version, found, path)
    context = {
        "version": version,
        "benchmark": found,
        "metrics": _metric_rows(found, version),
        "levels": level_order(level for values in selectors.baselines_of(found).values() for level in values),
        "environment": example_environment(version.name) or EXAMPLE_ENVIRONMENT,
        "workloads": found.workloads.all(),
        "trail": [("Datasets", "/datasets/"), (version.name, version.get_absolute_url())],
    }
    return render(request, "datasets/benchmark.html", context)


def _version(name: str) -> DatasetVersion:
    version = selectors.find_dataset_version(name)
    if version is None:
        raise Http404(f"There is no dataset {name}.")
    return version


def _toolchain(version: DatasetVersion) -> list[tuple[str, str]]:
    tools = version.manifest.get("toolchain", {})
    shown = ((label, tools.get(key)) for key, label in TOOLS.items())
    return [(label, " ".join(value) if isinstance(value, list) else value) for label, value in shown if value]


def _metric_names(benchmarks: Sequence[Benchmark], version: DatasetVersion) -> list[str]:
    """The metrics that have baselines here: those of the dataset's environment in its order, then others."""
    found = {name for one in benchmarks for name in selectors.baselines_of(one)}
    specs = environments_of(version.name)
    known = [name for spec in specs for name in spec.metric_names if name in found]
    return list(dict.fromkeys([*known, *sorted(found)]))


def _levels(benchmarks: Sequence[Benchmark], metric: str) -> tuple[str, ...]:
    return level_order(level for one in benchmarks for level in selectors.baselines_of(one).get(metric, {}))


def _title(metric: str, version: DatasetVersion) -> tuple[str, str]:
    """A metric's title and unit; its name where no installed environment measures it."""
    known = selectors.find_metric(metric, version.name)
    return (metric, "") if known is None else (known.title, known.unit)


def _figure(metric: str, benchmarks: Sequence[Benchmark], version: DatasetVersion) -> Figure | None:
    title, unit = _title(metric, version)
    levels = _levels(benchmarks, metric)
    series = [
        Series(one.name, one.get_absolute_url(), selectors.baselines_of(one).get(metric, {}))
        for one in benchmarks
    ]
    wide = dot_chart(series, levels=levels, unit=unit, width=1060, left=170)
    narrow = dot_chart(series, levels=levels, unit=unit, width=360, left=96)
    legend = tuple((level, colour(number)) for number, level in enumerate(levels))
    return Figure(title, legend, wide, narrow) if wide is not None and narrow is not None else None


def _metric_rows(one: Benchmark, version: DatasetVersion) -> list[MetricRow]:
    found = selectors.baselines_of(one)
    levels = level_order(level for values in found.values() for level in values)
    rows = []
    for metric in _metric_names([one], version):
        values = found[metric]
        base = values.get(UNOPTIMISED, 0)
        cells = tuple(
            (values[level], values[level] / base * 100) if level in values and base else None
            for level in levels
        )
        rows.append(MetricRow(_title(metric, version)[0], cells))
    return rows
