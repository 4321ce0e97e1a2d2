"""Reads of datasets: versions, their benchmarks, and one benchmark by its URI.

A page of benchmarks begins where the one before ended, by position in the dataset, so that the last page
costs as little as the first. A URI may name a stored benchmark, or a member of a parametric range.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from django.contrib.postgres.fields import ArrayField
from django.db.models import Count, Func, OuterRef, Prefetch, Q, QuerySet, Subquery, TextField, Value
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import Coalesce, Lower
from django.urls import reverse

from datasets import store
from datasets.models import Baseline, Benchmark, Blob, DatasetVersion, Workload
from optarena import datasets as package
from optarena import limits
from optarena.datasets.parametric import MEMBER, facts_of_member
from optarena.errors import InvalidInput, UnknownName
from optarena.specs import Metric, environment_specs, program_formats, unknown_name
from optarena.specs.benchmark import BenchmarkUri, decoded_files


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkCriteria:
    # An empty value matches all. `search` is searched in names and titles, ignoring case.
    domain: str = ""
    language: str = ""
    licence: str = ""
    split: str = ""
    search: str = ""

    def __bool__(self) -> bool:
        return any((self.domain, self.language, self.licence, self.split, self.search))


class Neighbours(NamedTuple):
    # Rows in the dataset's order, and whether there are others before and after them.
    rows: Sequence[Benchmark]
    before: bool
    after: bool


def benchmarks_of(version: DatasetVersion) -> QuerySet[Benchmark]:
    # With their baselines and `workload_count`.

    # A subquery runs for the rows of a page only; a join would be grouped over the whole dataset first.
    workloads = Workload.objects.filter(benchmark=OuterRef("pk")).order_by().values("benchmark")
    count = Subquery(workloads.annotate(count=Count("pk")).values("count"))
    return (
        Benchmark.objects.filter(version=version)
        .select_related("version")
        .defer("version__manifest", "version__statistics", "search")
        .prefetch_related(Prefetch("baselines", Baseline.objects.order_by("metric", "level")))
        .annotate(workload_count=Coalesce(count, Value(0)))
        .order_by("position")
    )


def matching(rows: QuerySet[Benchmark], choice: BenchmarkCriteria) -> QuerySet[Benchmark]:
    wanted = {field: getattr(choice, field) for field in ("domain", "language", "licence", "split")}
    chosen = rows.filter(**{field: value for field, value in wanted.items() if value})
    # In lower case by the database, as the column is: it has other rules than Python.
    return chosen.filter(search__contains=Lower(Value(choice.search))) if choice.search else chosen


def neighbours(
    rows: QuerySet[Benchmark], *, size: int, after: int | None = None, before: int | None = None
) -> Neighbours:
    # `after` is the position of the last row on the page before; `before`, that of the first on the page
    # after, counts where `after` is not given.
    if after is not None or before is None:
        found = list(rows.filter(position__gt=-1 if after is None else after)[: size + 1])
        earlier = after is not None and rows.filter(position__lte=after).order_by().exists()
        return Neighbours(found[:size], before=earlier, after=len(found) > size)
    found = list(rows.filter(position__lt=before).order_by("-position")[: size + 1])
    later = rows.filter(position__gte=before).order_by().exists()
    return Neighbours(found[:size][::-1], before=len(found) > size, after=later)


def benchmarks_without_preview(version: DatasetVersion) -> QuerySet[Benchmark]:
    shown = [one.media_type for one in program_formats() if one.preview]
    programs = version.benchmarks.filter(blob__media_type__in=shown, preview__isnull=True)
    wanted = ("uri", "name", "sha256", "size_bytes", "blob")
    return programs.select_related("blob").only(*wanted).order_by("position")


def baselines_of(benchmark: Benchmark) -> dict[str, dict[str, float]]:
    # Value by level by metric; costs no query where the baselines were prefetched.
    result: dict[str, dict[str, float]] = {}
    for baseline in benchmark.baselines.all():
        result.setdefault(baseline.metric, {})[baseline.level] = baseline.number
    return result


class Hashes(NamedTuple):
    # What identifies a benchmark for a replay.
    program: str
    workloads: str


EXAMPLE_POWERS: Final = (10, 14, 17, 20)
_COMPARED: Final = 1_000  # Names with which an unknown one is compared
_SAME: Final = ("title", "description", "domain", "language", "licence")
_IDENTIFYING: Final = (
    *("uri", "kind", "version_id", "sha256", "workloads_sha256", "parameter_min", "parameter_max"),
    *("size_bytes", "run_seconds"),  # which tell how long a replay takes
)
_NUMBERED: Final = re.compile(rf"(?P<prefix>.*/|)(?P<number>0|[1-9][0-9]{{0,{limits.PARAMETER_DIGITS - 1}}})")


def example_numbers(benchmark: Benchmark) -> list[int]:
    low, high = benchmark.parameter_min or 0, benchmark.parameter_max or 0
    return sorted({low, high, *(2**power for power in EXAMPLE_POWERS if low < 2**power < high)})


def find_benchmark(uri: str) -> Benchmark | None:
    # A stored benchmark, or the range that has the URI as a member. The scheme may be left out.
    # `benchmark_for_replay` with the same URI gets the member itself.
    try:
        parsed = package.BenchmarkUri.parse(uri)
    except InvalidInput:
        return None
    return _find(_full(), f"{parsed.dataset_uri}/", str(parsed), "uri") if parsed.path else None


def uris_of(uri: str) -> list[str]:
    # Those of the rows that `find_benchmark` may return, with the scheme.
    try:
        parsed = package.BenchmarkUri.parse(uri)
    except InvalidInput:
        return []
    parametric = _range_of(str(parsed), f"{parsed.dataset_uri}/")
    return [str(parsed), *([parametric[0]] if parametric else [])]


def find_benchmarks(uris: Iterable[str]) -> dict[str, Benchmark]:
    # Find many canonical URIs in one query. Columns that `hashes_of` and predictions of replays do not need
    # are deferred.
    parsed = {str(one): f"{one.dataset_uri}/" for one in map(package.BenchmarkUri.parse, uris) if one.path}
    return _find_all(Benchmark.objects.only(*_IDENTIFYING), parsed, "uri")


def find_in_dataset(version: DatasetVersion, path: str) -> Benchmark | None:
    # Ranges are found by their own name too.
    return _find(_full().filter(version=version), "", path, "name")


def unknown_dataset(name: str) -> UnknownName:
    known = DatasetVersion.objects.filter(deprecated="").order_by("name")
    return unknown_name("dataset", name, list(known.values_list("name", flat=True)))


def unknown_benchmark(version: DatasetVersion, path: str) -> UnknownName:
    # Among very many names the nearest would take long to find, and all members of a range have one row.
    stored = version.benchmarks.exclude(kind=Benchmark.Kind.PARAMETRIC).order_by("position")
    names = list(stored.values_list("name", flat=True)[: _COMPARED + 1])
    if 0 < len(names) <= _COMPARED:
        return unknown_name("benchmark", path, names)
    message = f"There is no benchmark {path[: limits.PROBLEM_VALUE_LENGTH]!r} in {version.name}."
    return UnknownName(message, field="benchmark", value=path, remedy="The dataset's page lists them.")


def member_in_dataset(benchmark: Benchmark, path: str) -> package.Benchmark | None:
    # Nothing is generated: such a member has no `sha256` and no `size_bytes` (empty and 0) here.
    try:
        member = _member(benchmark, f"{benchmark.uri.removesuffix(benchmark.name)}{path}")
    except InvalidInput:
        return None
    if not benchmark.is_generated:
        return member
    version = benchmark.version
    revision = version.manifest.get("revision", "")
    return replace(member, **facts_of_member(version.name, benchmark.title, revision, int(member.name)))


def find_metric(name: str, dataset: str = "") -> Metric | None:
    # Of an environment of the dataset, else of any that is installed.
    own = package.environments_of(dataset)
    specs = sorted(environment_specs(), key=lambda spec: spec not in own)
    metrics = (metric for spec in specs for metric in spec.metrics)
    return next((metric for metric in metrics if metric.name == name), None)


def benchmark_for_replay(benchmark: Benchmark, *, uri: str = "") -> package.Benchmark:
    # The program is read when it is needed. A range needs the `uri` of the member. Raises `UnknownName` where
    # this installation does not know the dataset of a generated member, `ToolMissing` without its generator.
    if benchmark.kind == Benchmark.Kind.PARAMETRIC:
        member = _member(benchmark, uri)
        return _generated(benchmark, member) if benchmark.is_generated else member
    blob = benchmark.blob
    if blob is None:
        raise InvalidInput(
            f"The benchmark {benchmark.uri} does not have a program.", field="benchmark", value=uri
        )
    place = [BenchmarkUri.parse(benchmark.uri).dataset, benchmark.name]
    same = ("uri", "name", *_SAME, "sha256", "size_bytes", "source", "split")
    return package.Benchmark(
        **{name: getattr(benchmark, name) for name in same},
        kind="stored",
        baselines=baselines_of(benchmark),
        workloads=workloads_of(benchmark),
        load=lambda: store.read_or_fetch(blob, reverse("api-bitcode", args=place)),
        run_seconds=benchmark.run_seconds or 0.0,
        tags=tuple(benchmark.tags),
    )


def hashes_of(benchmark: Benchmark, *, uri: str) -> Hashes:
    # Return the hashes of what `benchmark_for_replay` returns, with its errors but without a query.
    if benchmark.kind == Benchmark.Kind.STORED:
        return Hashes(benchmark.sha256, benchmark.workloads_sha256)
    member = _member(benchmark, uri)
    found = _generated(benchmark, member) if benchmark.is_generated else member
    return Hashes(found.sha256, found.workloads_sha256)


def _full() -> QuerySet[Benchmark]:
    rows = Benchmark.objects.select_related("version", "blob")
    return rows.defer("version__manifest", "version__statistics", "search")


def _find(rows: QuerySet[Benchmark], prefix: str, text: str, field: str) -> Benchmark | None:
    # The row whose `field` is `text`, or the range that `text` is a member of.
    return _find_all(rows, {text: prefix}, field).get(text)


def _find_all(rows: QuerySet[Benchmark], prefixes: Mapping[str, str], field: str) -> dict[str, Benchmark]:
    # Each text has the prefix in front of what may be a member's path; one query.
    ranges = {text: _range_of(text, prefix) for text, prefix in prefixes.items()}
    candidates = {*prefixes, *(name for name, _ in filter(None, ranges.values()))}
    found = {getattr(row, field): row for row in rows.filter(**{f"{field}__in": candidates}).order_by()}
    known = {}
    for text, parametric in ranges.items():
        row = found.get(text)
        if row is None and parametric is not None:
            name, number = parametric
            row = found.get(name)
            row = row if row is not None and _contains(row, number) else None
        if row is not None:
            known[text] = row
    return known


def _range_of(text: str, prefix: str) -> tuple[str, int] | None:
    # The name of the range that this may be a member of, and the member's number.
    numbered = _NUMBERED.fullmatch(text.removeprefix(prefix))
    return numbered and (f"{prefix}{numbered['prefix']}{MEMBER}", int(numbered["number"]))


def _contains(benchmark: Benchmark, number: int) -> bool:
    low, high = benchmark.parameter_min, benchmark.parameter_max
    return low is not None and high is not None and low <= number <= high


def _member(benchmark: Benchmark, uri: str) -> package.Benchmark:
    try:
        parsed = package.BenchmarkUri.parse(uri)
        found = _range_of(str(parsed), f"{parsed.dataset_uri}/")
    except InvalidInput:
        found = None
    if found is None or found[0] != benchmark.uri or not _contains(benchmark, found[1]):
        remedy = f"Name one of {benchmark.uri} with {benchmark.parameter_min} to {benchmark.parameter_max}."
        message = f"{uri!r} is not a member of {benchmark.uri}."
        raise InvalidInput(message, field="benchmark", value=uri, remedy=remedy)
    same = {name: getattr(benchmark, name) for name in _SAME}
    member = package.Benchmark.computed(str(parsed), **same)
    if not benchmark.is_generated:
        return member
    return replace(member, sha256="", size_bytes=0, load=lambda: _generated(benchmark, member).program())


def _generated(benchmark: Benchmark, member: package.Benchmark) -> package.Benchmark:
    # The program is computed here.
    return package.datasets()[benchmark.version.name].benchmark(member.uri)


def workloads_of(benchmark: Benchmark) -> tuple[package.Workload, ...]:
    return tuple(
        package.Workload(
            name=row.name,
            args=tuple(row.args),
            stdin=row.stdin.encode(),
            expected_stdout=row.expected_stdout.encode(),
            exit_code=row.exit_code,
            files=decoded_files(row.files),
        )
        for row in benchmark.workloads.all()
    )


def listed_workloads(benchmark: Benchmark) -> QuerySet[Workload]:
    # With `file_names` instead of the files, which have megabytes.
    names = Func(
        "files",
        template="ARRAY(SELECT jsonb_object_keys(%(expressions)s))",
        output_field=ArrayField(TextField()),
    )
    return benchmark.workloads.defer("files").annotate(file_names=names)


# The facets of benchmarks, and their keys in a version's statistics.
FACETS: Final = {"domain": "domains", "language": "languages", "licence": "licences", "split": "splits"}


def dataset_versions() -> QuerySet[DatasetVersion]:
    # Include deprecated versions. `licence_counts` is None where programs are computed.
    counts = KeyTransform("licences", "statistics")
    return DatasetVersion.objects.annotate(licence_counts=counts).order_by("name")


def first_uri(dataset: str) -> str:
    # Empty if the dataset is not loaded.

    # A subquery, and not a join: the first row is read by an index, where a join would sort all.
    version = DatasetVersion.objects.filter(name=dataset).values("pk")[:1]
    rows = Benchmark.objects.filter(version=Subquery(version)).only("uri", "parameter_min")
    first = rows.order_by("position").first()
    return "" if first is None else first.uri.replace(MEMBER, str(first.parameter_min))


def first_media_type(version: DatasetVersion) -> str:
    rows = version.benchmarks.filter(blob__isnull=False).order_by("position")
    return rows.values_list("blob__media_type", flat=True).first() or ""


def facets_of(version: DatasetVersion) -> dict[str, dict[str, int]]:
    # Costs no query where the version has statistics. Ranges have none, and do not need any with one row.
    found = {}
    for field, plural in FACETS.items():
        found[field] = version.statistics.get(plural, {})
        if not version.statistics:
            rows = version.benchmarks.exclude(**{field: ""}).order_by().values_list(field)
            found[field] = dict(rows.annotate(count=Count("pk")))
    return {field: dict(sorted(values.items())) for field, values in found.items()}


def datasets_of(blob: Blob) -> list[str]:
    uses = Q(benchmarks__blob=blob) | Q(manifest_blob=blob) | Q(archive_blob=blob)
    return list(
        DatasetVersion.objects.filter(uses).order_by("name").values_list("name", flat=True).distinct()
    )
