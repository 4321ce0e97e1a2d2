"""Thin views of the dataset pages: find, arrange, show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import render

from datasets import selectors
from datasets.web.charts import LEVELS, Chart, Series, dot_chart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse

    from datasets.models import Benchmark, DatasetVersion

PER_PAGE: Final = 100
METRICS: Final = {
    "ir_instructions": ("IR instructions", "instructions"),
    "text_size_bytes": ("Code size (.text)", "bytes"),
}
TOOLS: Final = {"clang": "Clang", "llvm": "LLVM", "target": "Target", "cpu": "Processor", "flags": "Flags"}


@dataclass(frozen=True, slots=True)
class Figure:
    """One metric's chart, for wide and for narrow screens."""

    title: str
    wide: Chart
    narrow: Chart


@dataclass(frozen=True, slots=True)
class BenchmarkRow:
    """A benchmark in the table of its dataset: counts, and Oz as a share of O0."""

    benchmark: Benchmark
    instructions: dict[str, int]

    @property
    def share(self) -> float | None:
        """Oz as a share of O0."""
        unoptimised, smallest = self.instructions.get("O0"), self.instructions.get("Oz")
        return smallest / unoptimised * 100 if unoptimised and smallest else None


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One metric of a benchmark: its values by level, each with its share of O0."""

    title: str
    cells: tuple[tuple[str, int, float], ...]


def dataset_list(request: HttpRequest) -> HttpResponse:
    """All dataset versions."""
    return render(request, "datasets/list.html", {"versions": selectors.dataset_versions()})


def dataset(request: HttpRequest, name: str) -> HttpResponse:
    """One dataset version: what it is, its benchmarks, and how to load them."""
    version = _version(name)
    page = Paginator(selectors.benchmarks_of(version), PER_PAGE).get_page(request.GET.get("page"))
    benchmarks = list(page.object_list)
    context = {
        "version": version,
        "page": page,
        "rows": [_table_row(benchmark) for benchmark in benchmarks],
        "figures": _figures(benchmarks),
        "levels": LEVELS,
        "example": next((one for one in benchmarks if one.blob_id), None),
        "toolchain": _toolchain(version),
    }
    return render(request, "datasets/dataset.html", context)


def benchmark(request: HttpRequest, name: str, path: str) -> HttpResponse:
    """One benchmark: baselines, workloads, source, download."""
    version = _version(name)
    found = selectors.find_in_dataset(version, path)
    if found is None:
        raise Http404(f"The dataset {name} has no benchmark {path}.")
    context = {
        "version": version,
        "benchmark": found,
        "metrics": _metric_rows(found),
        "levels": LEVELS,
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


def _table_row(one: Benchmark) -> BenchmarkRow:
    return BenchmarkRow(one, selectors.baselines_of(one).get("ir_instructions", {}))


def _figures(benchmarks: Sequence[Benchmark]) -> list[Figure]:
    figures = []
    for metric, (title, unit) in METRICS.items():
        series = [
            Series(one.name, one.get_absolute_url(), selectors.baselines_of(one).get(metric, {}))
            for one in benchmarks
        ]
        wide = dot_chart(series, unit=unit, width=1060, left=170)
        narrow = dot_chart(series, unit=unit, width=360, left=96)
        if wide is not None and narrow is not None:
            figures.append(Figure(title, wide, narrow))
    return figures


def _metric_rows(one: Benchmark) -> list[MetricRow]:
    rows = []
    for metric, values in selectors.baselines_of(one).items():
        title, _ = METRICS.get(metric, (metric, ""))
        base = values.get("O0", 0)
        cells = tuple(
            (level, values[level], values[level] / base * 100) for level in LEVELS if level in values
        )
        rows.append(MetricRow(title, cells))
    return rows
