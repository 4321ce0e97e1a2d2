"""The pages of datasets and benchmarks."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path as route
from django.urls import reverse
from django.views.decorators.http import require_safe

from datasets import selectors as dataset_selectors
from datasets.models import Benchmark, DatasetVersion, Preview
from datasets.selectors import BenchmarkCriteria, Neighbours
from datasets.services import MAX_SHARE
from datasets.site.charts import (
    NARROW,
    WIDE,
    Axis,
    Values,
    bins_of,
    colour,
    dot_chart,
    for_screens,
    histogram,
)
from datasets.site.formats import NOTHING, highlighted, percent, short
from optarena import limits
from optarena.datasets import environments_of
from optarena.datasets.citing import citation_of
from optarena.datasets.dataset import format_of
from optarena.datasets.parametric import MEMBER
from optarena.specs import EnvironmentSpec, board_specs, environment_spec, environment_specs
from optarena.specs.rewards import UNOPTIMISED, level_order, level_text

PER_PAGE: Final = 40
# Matches are counted up to this number: a search may match a hundred thousand rows.
MOST_COUNTED: Final = 1_000
ANCHOR: Final = "benchmarks"
_POSITION: Final = re.compile(r"[0-9]{1,9}")
_LABELS: Final = {"domain": "Domain", "language": "Language", "licence": "Licence", "split": "Split"}


def listing(request: HttpRequest, version: DatasetVersion) -> dict[str, Any]:
    choice = BenchmarkCriteria(
        **{name: request.GET.get(name, "").strip()[: limits.SEARCH_LENGTH] for name in (*_LABELS, "search")}
    )
    # Long, and not useful in a list.
    rows = dataset_selectors.benchmarks_of(version).defer("source", "description")
    chosen = dataset_selectors.matching(rows, choice)
    after, before = _position(request, "after"), _position(request, "before")
    page = dataset_selectors.neighbours(chosen, size=PER_PAGE, after=after, before=before)
    is_outside = not page.rows and (page.before or page.after)
    facets = dataset_selectors.facets_of(version)
    return {
        "rows": page.rows,
        "choice": choice,
        "facets": [
            {"field": name, "label": label, "chosen": value, "values": _values(facets[name], value)}
            for name, label in _LABELS.items()
            if (value := getattr(choice, name)) or len(facets[name]) > 1
        ],
        "summary": _summary(version, choice, page, facets),
        "previous_url": _url(choice, before=page.rows[0].position) if page.before and page.rows else "",
        "next_url": _url(choice, after=page.rows[-1].position) if page.after and page.rows else "",
        "first_url": _url(choice) if is_outside else "",
        # Whether they are many enough to choose from.
        "can_search": version.benchmark_count > PER_PAGE // 4 or bool(choice),
        "search_length": limits.SEARCH_LENGTH,
    }


def _position(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    return int(text) if _POSITION.fullmatch(text) else None


def _values(found: dict[str, int], chosen: str) -> list[tuple[str, int]]:
    # The chosen value need not be that of any benchmark.
    return list(({chosen: 0} | found if chosen and chosen not in found else found).items())


def _summary(
    version: DatasetVersion, choice: BenchmarkCriteria, page: Neighbours, facets: dict[str, dict[str, int]]
) -> str:
    total, rows = f"{version.benchmark_count:,}", page.rows
    if not choice:
        return f"{rows[0].position + 1:,} to {rows[-1].position + 1:,} of {total}" if rows else ""
    asked = {name: text for name, text in asdict(choice).items() if text}
    name, text = next(iter(asked.items()))
    if len(asked) == 1 and name in facets:
        return f"{facets[name].get(text, 0):,} of {total}"
    if not page.before and not page.after:
        return f"{len(rows):,} of {total}"
    matches = dataset_selectors.matching(version.benchmarks.all(), choice)
    count = matches.order_by().values("pk")[: MOST_COUNTED + 1].count()
    return f"{'more than ' if count > MOST_COUNTED else ''}{min(count, MOST_COUNTED):,} of {total}"


def _url(choice: BenchmarkCriteria, **page: int) -> str:
    asked = {name: text for name, text in asdict(choice).items() if text}
    return f"?{urlencode({**asked, **page})}#{ANCHOR}"


# Entries of a toolchain that are not a program's version.
_SETTINGS: Final = {"target": "Target", "cpu": "Processor", "flags": "Flags"}
_COMPILER: Final = "compiler"
_TEXTS: Final = ("package", "version", "purl", "archive", "archive_sha256", "driver", "driver_sha256")
_MOST: Final = 2**53


def source_of(facts: Mapping[str, Any]) -> dict[str, Any]:
    # Unknown facts are empty. `path` is the source of a program of our own, or of a translation unit.
    return {
        **{name: _text(facts.get(name)) for name in _TEXTS},
        "upstream": web_address(facts.get("upstream")),
        "archive_bytes": _number(facts.get("archive_bytes")),
        "path": _text(facts.get("path")) or _text(facts.get("file")),
        "lines": _number(facts.get("lines")),
        "units": _number(facts.get("translation_units")),
        "flags": " ".join(_texts(facts.get("flags"))),
        "files": _texts(facts.get("files")),
        "licence_files": _texts(facts.get("licence_files")),
    }


def packages_of(version: DatasetVersion) -> list[dict[str, Any]]:
    return [
        {
            **{name: _text(one.get(name)) for name in ("version", "purl", "archive", "archive_sha256")},
            "name": _text(one["package"]),
            "upstream": web_address(one.get("upstream")),
            "licences": list(one["licences"]),
            "benchmarks": one["benchmarks"],
        }
        for one in version.statistics.get("packages", ())
    ]


def licences_of(version: DatasetVersion, packages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    # The most frequent first.
    found: dict[str, int] = version.statistics.get("licences", {})
    return [
        {
            "spdx": spdx,
            "benchmarks": count,
            "packages": [package["name"] for package in packages if spdx in package["licences"]],
        }
        for spdx, count in sorted(found.items(), key=lambda item: (-item[1], item[0]))
    ]


def toolchain_of(version: DatasetVersion) -> list[tuple[str, str]]:
    # Where the compiler is an object, the other entries are those of the base, whose programs it compiles.
    tools = version.manifest.get("toolchain", {})
    names = (spec.release[0] for spec in environment_specs() if spec.release)
    titles = {name.lower(): name for name in names}
    programs = {
        key: titles.get(key, key.replace("_", " ").capitalize())
        for key in sorted(tools.keys() - _SETTINGS.keys())
    }
    labels = {**programs, **_SETTINGS}
    if isinstance(tools.get(_COMPILER), dict):
        base = ((key, f"{label} of the base") for key, label in labels.items() if key != _COMPILER)
        labels = {_COMPILER: labels[_COMPILER], **dict(base)}
    shown = ((label, _tool(tools.get(key))) for key, label in labels.items())
    return [(label, text) for label, text in shown if text]


def _tool(value: object) -> str:
    # A text, words, a compiler with its name, or headers with their package.
    if not isinstance(value, dict):
        return " ".join(_texts(value)) or _text(value)
    sha256 = _text(value.get("sha256"))
    parts = (_text(value.get("name")), _text(value.get("purl")), f"sha256 {sha256}" if sha256 else "")
    return " ".join(part for part in parts if part)


def web_address(value: object) -> str:
    # An address that a page may link to; empty for anything else, such as `javascript:`.
    text = _text(value)
    try:
        return text if urlsplit(text).scheme in ("http", "https") else ""
    except ValueError:
        return ""


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _number(value: object) -> int:
    # 0 for anything else, and for a number so large that a page cannot write it.
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST else 0


def metric_names(found: Iterable[str], dataset: str) -> list[str]:
    # List the metrics of the dataset's environment in its order, then others by name.
    names = set(found)
    known = [name for spec in environments_of(dataset) for name in spec.metric_names if name in names]
    return list(dict.fromkeys([*known, *sorted(names)]))


def metric_title(metric: str, dataset: str) -> tuple[str, str]:
    # Return title and unit; the metric's name in words if no installed environment measures it.
    known = dataset_selectors.find_metric(metric, dataset)
    return (metric.replace("_", " ").capitalize(), "") if known is None else (known.title, known.unit)


def levels_of(benchmarks: Iterable[Benchmark], metric: str) -> tuple[str, ...]:
    return level_order(
        level for one in benchmarks for level in dataset_selectors.baselines_of(one).get(metric, {})
    )


def all_levels(baselines: Mapping[str, Mapping[str, float]]) -> tuple[str, ...]:
    return level_order(level for values in baselines.values() for level in values)


def benchmark_rows(
    benchmarks: Sequence[Benchmark], metric: str, levels: Sequence[str]
) -> list[dict[str, Any]]:
    # Texts are formatted here, since templates are slow for many cells. `share` is of O0.
    rows = []
    for one in benchmarks:
        values = dataset_selectors.baselines_of(one).get(metric, {})
        unoptimised, best = values.get(UNOPTIMISED), values.get(levels[-1]) if levels else None
        cells = tuple(intcomma(values[level]) if level in values else NOTHING for level in levels)
        share = f"{best / unoptimised * 100:.0f} %" if unoptimised and best else NOTHING
        rows.append({"benchmark": one, "url": one.get_absolute_url(), "cells": cells, "share": share})
    return rows


def metric_rows(one: Benchmark, dataset: str) -> list[dict[str, Any]]:
    # Each level with its value and the share of O0, None where there is none.
    found = dataset_selectors.baselines_of(one)
    levels = all_levels(found)
    rows = []
    for metric in metric_names(found, dataset):
        values = found[metric]
        base = values.get(UNOPTIMISED, 0)
        cells = [
            (level, (values[level], values[level] / base * 100) if level in values and base else None)
            for level in levels
        ]
        known = dataset_selectors.find_metric(metric, dataset)
        unit = known.unit_beside_title if known else ""
        rows.append({"title": metric_title(metric, dataset)[0], "unit": unit, "cells": cells})
    return rows


MOST_DOTS: Final = 60  # More benchmarks than this are shown only as a distribution.
_DOTS_WIDE, _DOTS_NARROW = (1060, 170), (360, 120)  # The width of the drawing, and the space for names in it.
_BARS_WIDE, _BARS_NARROW = 520, 330


def figures_of(benchmarks: Sequence[Benchmark], version: DatasetVersion) -> list[dict[str, Any]]:
    # A dot chart for each metric of some benchmarks. `rows` has the same values as text.
    found = {name for one in benchmarks for name in dataset_selectors.baselines_of(one)}
    figures = []
    for metric in metric_names(found, version.name):
        title, unit = metric_title(metric, version.name)
        levels = levels_of(benchmarks, metric)
        axis = Axis(series=levels, whole=UNOPTIMISED, unit=unit)
        values = [Values(one.name, dataset_selectors.baselines_of(one).get(metric, {})) for one in benchmarks]
        sizes = ((WIDE, *_DOTS_WIDE), (NARROW, *_DOTS_NARROW))
        drawn = ((css, dot_chart(values, axis, width=width, left=left)) for css, width, left in sizes)
        charts = {css: chart for css, chart in drawn if chart is not None}
        if charts:
            legend = [(level, colour(number)) for number, level in enumerate(levels)]
            rows = [
                (row["benchmark"].name, row["cells"]) for row in benchmark_rows(benchmarks, metric, levels)
            ]
            figures.append({"title": title, "legend": legend, "rows": rows, "charts": charts})
    return figures


def distributions_of(version: DatasetVersion) -> list[dict[str, Any]]:
    # The distribution of each metric of a version, from its statistics only.
    metrics: dict[str, Any] = version.statistics.get("metrics", {})
    found = []
    for metric in metric_names(metrics, version.name):
        (title, unit), facts = metric_title(metric, version.name), metrics[metric]
        given = level_text(UNOPTIMISED)
        compared = f"{title} at {level_text(facts['last'])}, as a share of {given}"
        plots = [
            _plot(f"{title} at {given}", facts["sizes"], short),
            _plot(compared, facts["shares"], percent, open_from=MAX_SHARE),
        ]
        # The smallest, median and largest value.
        levels = [(level, facts["levels"][level]) for level in level_order(facts["levels"])]
        found.append({"title": title, "unit": unit, "levels": levels, "plots": list(filter(None, plots))})
    return found


def _plot(
    title: str, rows: Sequence[Sequence[float]], form: Callable[[float], str], open_from: float = math.inf
) -> dict[str, Any] | None:
    bins = bins_of(rows, form, open_from=open_from)
    charts = for_screens(lambda width: histogram(bins, width=width), wide=_BARS_WIDE, narrow=_BARS_NARROW)
    return {"title": title, "bins": bins, "charts": charts} if charts else None


def example_environment(version: DatasetVersion) -> str:
    # One with a board if possible, rather of those that need no device; empty if none is installed.
    places = {
        board.environment: (board.device != "cpu", at) for at, board in reversed([*enumerate(board_specs())])
    }
    found = min(
        environments_of(version.name),
        key=lambda spec: places.get(spec.slug, (False, len(places))),
        default=None,
    )
    found = found or _measuring(version.statistics.get("metrics", {}).keys()) or _reading(version)
    return "" if found is None else found.id


def _measuring(metrics: set[str]) -> EnvironmentSpec | None:
    # Find an environment that measures all these metrics, and few others.
    able = (spec for spec in chain(_with_boards(), environment_specs()) if metrics <= set(spec.metric_names))
    return min(able, key=lambda spec: len(spec.metric_names), default=None) if metrics else None


def _reading(version: DatasetVersion) -> EnvironmentSpec | None:
    # Find an environment of the compiler that reads the first program.
    known = format_of(dataset_selectors.first_media_type(version))
    if known is None or known.preview is None:
        return None
    shown = environment_spec(known.preview.environment)
    return next((spec for spec in _with_boards() if spec.compiler == shown.compiler), shown)


def _with_boards() -> list[EnvironmentSpec]:
    return [environment_spec(board.environment) for board in board_specs()]


def bibtex(version: DatasetVersion, url: str) -> str:
    licences: dict[str, int] = version.statistics.get("licences") or {version.licence: version.member_count}
    return citation_of(
        name=version.name,
        title=version.title,
        licences=licences,
        released=version.released.isoformat() if version.released else "",
        sha256=str(version.manifest.get("sha256", "")),
        address=url,
    ).bibtex


def range_page(request: HttpRequest, version: DatasetVersion, found: Benchmark) -> HttpResponse:
    asked = request.GET.get("n", "").strip()
    path = found.name.replace(MEMBER, asked)
    if asked and dataset_selectors.member_in_dataset(found, path) is not None:
        return redirect("datasets:benchmark", version.name, path)
    members = _members(found)
    number, example_path = members[len(members) > 2]  # noqa: PLR2004 # rather one between the ends
    context = {
        "version": version,
        "benchmark": found,
        "asked": asked,
        "members": members,
        "example": found.uri.replace(MEMBER, str(number)),
        "example_path": example_path,
        "environment": example_environment(version),
        "citation": bibtex(version, request.build_absolute_uri(version.get_absolute_url())),
        "trail": [("Datasets", reverse("datasets:list"))],
    }
    return render(request, "datasets/range.html", context, status=422 if asked else 200)


def member_page(request: HttpRequest, version: DatasetVersion, found: Benchmark, path: str) -> HttpResponse:
    member = dataset_selectors.member_in_dataset(found, path)
    if member is None:
        raise Http404(f"The dataset {version.name} does not have a benchmark {path}.")
    context = {
        "version": version,
        "benchmark": found,
        "member": member,
        "members": _members(found, but=path),
        "environment": example_environment(version),
        "trail": [("Datasets", reverse("datasets:list")), (version.name, version.get_absolute_url())],
    }
    return render(request, "datasets/member.html", context)


def _members(found: Benchmark, *, but: str = "") -> list[tuple[int, str]]:
    paths = ((one, found.name.replace(MEMBER, str(one))) for one in dataset_selectors.example_numbers(found))
    return [(number, path) for number, path in paths if path != but]


@require_safe
def dataset_list(request: HttpRequest) -> HttpResponse:
    versions = list(dataset_selectors.dataset_versions().defer("manifest"))
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
    version = _version(name)
    if version.kind == Benchmark.Kind.PARAMETRIC:
        return range_page(request, version, dataset_selectors.benchmarks_of(version).get())
    asked = listing(request, version)
    packages = packages_of(version)
    context = {
        "version": version,
        "listing": asked,
        **_table(version, asked["rows"]),
        "example": dataset_selectors.first_uri(version.name),
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
    version = _version(name)
    found = dataset_selectors.find_in_dataset(version, path)
    if found is None:
        raise Http404(str(dataset_selectors.unknown_benchmark(version, path)))
    if found.kind == Benchmark.Kind.PARAMETRIC and path != found.name:
        return member_page(request, version, found, path)
    context = {
        "version": version,
        "benchmark": found,
        "metrics": metric_rows(found, version.name),
        "levels": all_levels(dataset_selectors.baselines_of(found)),
        "environment": example_environment(version),
        "workloads": dataset_selectors.listed_workloads(found),
        "source": source_of(found.source),
        "preview": _preview(found),
        "server": request.build_absolute_uri("/").rstrip("/"),
        "trail": [("Datasets", reverse("datasets:list")), (version.name, version.get_absolute_url())],
    }
    return render(request, "datasets/benchmark.html", context)


def _version(name: str) -> DatasetVersion:
    version = dataset_selectors.dataset_versions().filter(name=name).first()
    if version is None:
        raise Http404(str(dataset_selectors.unknown_dataset(name)))
    return version


def _table(version: DatasetVersion, asked: Sequence[Benchmark]) -> dict[str, Any]:
    found = {name for one in asked for name in dataset_selectors.baselines_of(one)}
    first = next(iter(metric_names(found, version.name)), "")
    levels = levels_of(asked, first)
    if len(levels) > 1:  # plots have those between
        levels = (levels[0], levels[-1])
    are_many = version.benchmark_count > MOST_DOTS
    return {
        "rows": benchmark_rows(asked, first, levels),
        "levels": levels,
        "last_level": levels[-1] if levels else UNOPTIMISED,
        "metric": metric_title(first, version.name)[0],
        "has_workloads": any(one.workload_count for one in asked),  # type: ignore[attr-defined] # annotated
        "figures": [] if are_many else figures_of(asked, version),
        "distributions": distributions_of(version) if are_many else [],
    }


def _preview(found: Benchmark) -> dict[str, Any] | None:
    # None if there is no preview.
    try:
        made: Preview = found.preview
    except ObjectDoesNotExist:
        return None
    known = format_of(found.blob.media_type) if found.blob else None
    language = known.preview.language if known and known.preview else "text"
    features = []
    for name, counts in sorted(made.features.items()):
        present = {feature: counts[feature] for feature in sorted(counts) if counts[feature]}
        features.append({"name": name, "found": present, "absent": sorted(counts.keys() - present)})
    return {
        "text": highlighted(made.ir_head, language),
        "shown": made.ir_head.count("\n") + 1,
        "lines": made.ir_lines,
        "features": features,
    }


app_name = "datasets"
urlpatterns = [
    route("datasets/", dataset_list, name="list"),
    route("datasets/<str:name>/", dataset, name="dataset"),
    route("datasets/<str:name>/<path:path>/", benchmark, name="benchmark"),
]
