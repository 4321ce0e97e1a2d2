"""Thin views of the dataset pages: find, arrange, show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from datasets import selectors
from datasets.models import Benchmark
from datasets.site.highlighting import highlighted
from datasets.web import ranges
from datasets.web.citation import bibtex
from datasets.web.examples import example_environment
from datasets.web.figures import MOST_DOTS, distributions_of, figures_of
from datasets.web.listing import listing
from datasets.web.provenance import licences_of, packages_of, source_of, toolchain_of, web_address
from datasets.web.tables import (
    all_levels,
    benchmark_rows,
    ends_of,
    levels_of,
    metric_names,
    metric_rows,
    metric_title,
)
from optarena.datasets.base import format_of
from optarena.specs.rewards import UNOPTIMISED

if TYPE_CHECKING:
    from typing import Any

    from django.http import HttpRequest, HttpResponse

    from datasets.models import DatasetVersion, Preview
    from datasets.web.listing import Listing


@require_safe
def dataset_list(request: HttpRequest) -> HttpResponse:
    """All dataset versions; deprecated ones on request."""
    versions = list(selectors.dataset_versions().defer("manifest"))
    current = [version for version in versions if not version.deprecated]
    everything = request.GET.get("deprecated") == "true"
    context = {
        "versions": versions if everything else current,
        "everything": everything,
        "deprecated_count": len(versions) - len(current),
    }
    return render(request, "datasets/list.html", context)


@require_safe
def dataset(request: HttpRequest, name: str) -> HttpResponse:
    """One dataset version: what it is, its benchmarks, and how to load them."""
    version = _version(name)
    if version.kind == Benchmark.Kind.PARAMETRIC:
        return ranges.range_page(request, version, selectors.benchmarks_of(version).get())
    asked = listing(request, version)
    packages = packages_of(version)
    context = {
        "version": version,
        "listing": asked,
        **_table(version, asked),
        "example": selectors.first_uri(version.name),
        "environment": example_environment(version),
        "toolchain": toolchain_of(version),
        "home": web_address(version.manifest.get("upstream")),
        "packages": packages,
        "licences": licences_of(version, packages),
        "server": request.build_absolute_uri("/").rstrip("/"),
        "citation": bibtex(version, request.build_absolute_uri(version.get_absolute_url())),
    }
    return render(request, "datasets/dataset.html", context)


@require_safe
def benchmark(request: HttpRequest, name: str, path: str) -> HttpResponse:
    """One benchmark: baselines, workloads, source, download; or a member of a range."""
    version = _version(name)
    found = selectors.find_in_dataset(version, path)
    if found is None:
        raise Http404(f"The dataset {name} does not have a benchmark {path}.")
    if found.kind == Benchmark.Kind.PARAMETRIC and path != found.name:
        return ranges.member_page(request, version, found, path)
    context = {
        "version": version,
        "benchmark": found,
        "metrics": metric_rows(found, version.name),
        "levels": all_levels(selectors.baselines_of(found)),
        "environment": example_environment(version),
        "workloads": found.workloads.all(),
        "source": source_of(found.source),
        "preview": _preview(found),
        "server": request.build_absolute_uri("/").rstrip("/"),
        "trail": [("Datasets", reverse("datasets:list")), (version.name, version.get_absolute_url())],
    }
    return render(request, "datasets/benchmark.html", context)


def _version(name: str) -> DatasetVersion:
    version = selectors.find_dataset_version(name)
    if version is None:
        raise Http404(f"There is no dataset {name}.")
    return version


def _table(version: DatasetVersion, asked: Listing) -> dict[str, Any]:
    """The table of benchmarks and the figures below it."""
    found = {name for one in asked.rows for name in selectors.baselines_of(one)}
    first = next(iter(metric_names(found, version.name)), "")
    levels = ends_of(levels_of(asked.rows, first))
    rows = benchmark_rows(asked.rows, first, levels)
    are_many = version.benchmark_count > MOST_DOTS
    return {
        "rows": rows,
        "levels": levels,
        "last_level": levels[-1] if levels else UNOPTIMISED,
        "metric": metric_title(first, version.name)[0],
        "has_workloads": any(one.workload_count for one in asked.rows),  # type: ignore[attr-defined] # annotated
        "figures": [] if are_many else figures_of(asked.rows, version),
        "distributions": distributions_of(version) if are_many else [],
    }


def _preview(found: Benchmark) -> dict[str, Any] | None:
    """The program's highlighted text, and its features; None if there is no preview."""
    try:
        made: Preview = found.preview
    except ObjectDoesNotExist:
        return None
    return {
        "text": highlighted(made.ir_head, _language(found)),
        "shown": made.ir_head.count("\n") + 1,
        "lines": made.ir_lines,
        "features": [_features(name, counts) for name, counts in sorted(made.features.items())],
    }


def _language(found: Benchmark) -> str:
    known = format_of(found.blob.media_type) if found.blob else None
    return known.preview.language if known and known.preview else "text"


def _features(name: str, counts: dict[str, float]) -> dict[str, Any]:
    found = {feature: counts[feature] for feature in sorted(counts) if counts[feature]}
    return {"name": name, "found": found, "absent": sorted(counts.keys() - found)}
