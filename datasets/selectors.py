"""Reads of datasets: ``versions``, their ``benchmarks``, and ``lookup`` of one by its URI.

Reads of many benchmarks: those of a version, filtered by their properties, a page at a time.

A page begins where the one before ended, by position in the dataset, so that the last page costs as little
as the first.

Finds one benchmark, and gives it to the runner.

A URI may name a stored benchmark, or a member of a parametric range.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db.models import Count, OuterRef, Prefetch, Q, Subquery, Value
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import Coalesce, Lower
from django.urls import reverse

from datasets import store
from datasets.models import Baseline, Benchmark, Blob, DatasetVersion, Workload
from optarena import datasets as package
from optarena import limits
from optarena.datasets.parametric import MEMBER, facts_of_member
from optarena.errors import InvalidInput
from optarena.specs import environment_specs, program_formats
from optarena.specs.benchmark import BenchmarkUri

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.db.models import QuerySet

    from optarena.specs import Metric


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkCriteria:
    """A filter of benchmarks: those with all of these values; an empty value matches all.

    ``search`` is searched in names and titles, ignoring case.
    """

    domain: str = ""
    language: str = ""
    licence: str = ""
    split: str = ""
    search: str = ""

    def __bool__(self) -> bool:
        return any((self.domain, self.language, self.licence, self.split, self.search))


class Neighbours(NamedTuple):
    """A page: its rows in the dataset's order, and whether there are others before and after them."""

    rows: Sequence[Benchmark]
    before: bool
    after: bool


def benchmarks_of(version: DatasetVersion) -> QuerySet[Benchmark]:
    """The benchmarks of a version in its own order, with their baselines and ``workload_count``."""
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
    """The benchmarks that match a filter."""
    wanted = {field: getattr(choice, field) for field in ("domain", "language", "licence", "split")}
    chosen = rows.filter(**{field: value for field, value in wanted.items() if value})
    # In lower case by the database, as the column is: it has other rules than Python.
    return chosen.filter(search__contains=Lower(Value(choice.search))) if choice.search else chosen


def neighbours(
    rows: QuerySet[Benchmark], *, size: int, after: int | None = None, before: int | None = None
) -> Neighbours:
    """A page of benchmarks that are ordered by position.

    Args:
        rows: All of them.
        size: The number of benchmarks on a page.
        after: The position of the last one on the page before.
        before: The position of the first one on the page after; used where ``after`` is not given.
    """
    if after is not None or before is None:
        found = list(rows.filter(position__gt=-1 if after is None else after)[: size + 1])
        earlier = after is not None and rows.filter(position__lte=after).order_by().exists()
        return Neighbours(found[:size], before=earlier, after=len(found) > size)
    found = list(rows.filter(position__lt=before).order_by("-position")[: size + 1])
    later = rows.filter(position__gte=before).order_by().exists()
    return Neighbours(found[:size][::-1], before=len(found) > size, after=later)


def count_up_to(rows: QuerySet[Benchmark], most: int) -> int:
    """The number of benchmarks, or ``most`` if there are more: counting ends there."""
    return rows.order_by().values("pk")[:most].count()


def benchmarks_without_preview(version: DatasetVersion) -> QuerySet[Benchmark]:
    """The programs that can have a preview and do not have one yet, with their blobs and few columns."""
    shown = [one.media_type for one in program_formats() if one.preview]
    programs = version.benchmarks.filter(blob__media_type__in=shown, preview__isnull=True)
    wanted = ("uri", "name", "sha256", "size_bytes", "blob")
    return programs.select_related("blob").only(*wanted).order_by("position")


def baselines_of(benchmark: Benchmark) -> dict[str, dict[str, float]]:
    """Value by level by metric; costs no query where the baselines were prefetched."""
    result: dict[str, dict[str, float]] = {}
    for baseline in benchmark.baselines.all():
        result.setdefault(baseline.metric, {})[baseline.level] = baseline.number
    return result


class Hashes(NamedTuple):
    """What identifies a benchmark for a replay.

    Attributes:
        program: The sha256 of its program.
        workloads: The ``workloads_digest`` of its workloads.
    """

    program: str
    workloads: str


EXAMPLE_POWERS: Final = (10, 14, 17, 20)
_IDENTIFYING: Final = (
    *("uri", "kind", "version_id", "sha256", "workloads_sha256", "parameter_min", "parameter_max"),
    *("size_bytes", "run_seconds"),  # which tell how long a replay takes
)
_NUMBERED: Final = re.compile(rf"(?P<prefix>.*/|)(?P<number>0|[1-9][0-9]{{0,{limits.PARAMETER_DIGITS - 1}}})")


def example_numbers(benchmark: Benchmark) -> list[int]:
    """Some numbers of a range: its ends, and powers of two between them."""
    low, high = benchmark.parameter_min or 0, benchmark.parameter_max or 0
    return sorted({low, high, *(2**power for power in EXAMPLE_POWERS if low < 2**power < high)})


def find_benchmark(uri: str) -> Benchmark | None:
    """The benchmark a URI names: a stored one, or the range that has it as a member; else None.

    The scheme may be left out. Use ``benchmark_for_replay`` with the same URI to get the member itself.
    """
    try:
        parsed = package.BenchmarkUri.parse(uri)
    except InvalidInput:
        return None
    return _find(_full(), f"{parsed.dataset_uri}/", str(parsed), "uri") if parsed.path else None


def find_benchmarks(uris: Iterable[str]) -> dict[str, Benchmark]:
    """As ``find_benchmark`` for many canonical URIs in one query: those that name a benchmark, by URI.

    The rows have the columns that ``hashes_of`` and predictions of replays need; others are deferred.
    """
    parsed = {str(one): f"{one.dataset_uri}/" for one in map(package.BenchmarkUri.parse, uris) if one.path}
    return _find_all(Benchmark.objects.only(*_IDENTIFYING), parsed, "uri")


def find_in_dataset(version: DatasetVersion, path: str) -> Benchmark | None:
    """As ``find_benchmark``, for a path inside a dataset version; ranges are found by their own name too."""
    return _find(_full().filter(version=version), "", path, "name")


def member_in_dataset(benchmark: Benchmark, path: str) -> package.Benchmark | None:
    """The member of a range at a path inside its dataset version; None if the path names no member.

    Nothing is generated: such a member has no ``sha256`` and no ``size_bytes`` (empty and 0) here.
    """
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
    """The metric of this name: of an environment of the dataset, else of any that is installed."""
    own = package.environments_of(dataset)
    specs = sorted(environment_specs(), key=lambda spec: spec not in own)
    metrics = (metric for spec in specs for metric in spec.metrics)
    return next((metric for metric in metrics if metric.name == name), None)


def benchmark_for_replay(benchmark: Benchmark, *, uri: str = "") -> package.Benchmark:
    """The benchmark that the runner gives to the environment; its program is read when it is needed.

    Args:
        benchmark: A stored benchmark, or a range.
        uri: The member's URI, needed for a range.

    Raises:
        InvalidInput: The benchmark is a range and the URI names no member of it.
        UnknownName: The member is generated, and this installation does not know its dataset.
        ToolMissing: It does, but what generates is not installed.
    """
    if benchmark.kind == Benchmark.Kind.PARAMETRIC:
        member = _member(benchmark, uri)
        return _generated(benchmark, member) if benchmark.is_generated else member
    blob = benchmark.blob
    if blob is None:
        raise InvalidInput(
            f"The benchmark {benchmark.uri} does not have a program.", field="benchmark", value=uri
        )
    return package.Benchmark(
        uri=benchmark.uri,
        name=benchmark.name,
        title=benchmark.title,
        domain=benchmark.domain,
        licence=benchmark.licence,
        kind="stored",
        sha256=benchmark.sha256,
        size_bytes=benchmark.size_bytes,
        baselines=baselines_of(benchmark),
        workloads=workloads_of(benchmark),
        load=lambda: store.read_or_fetch(blob, _address(benchmark)),
        description=benchmark.description,
        language=benchmark.language,
        run_seconds=benchmark.run_seconds or 0.0,
        split=benchmark.split,
        tags=tuple(benchmark.tags),
        source=benchmark.source,
    )


def _address(benchmark: Benchmark) -> str:
    """The address that sends a benchmark's program; without a query."""
    return reverse("api-bitcode", args=[BenchmarkUri.parse(benchmark.uri).dataset, benchmark.name])


def hashes_of(benchmark: Benchmark, *, uri: str) -> Hashes:
    """The hashes of what ``benchmark_for_replay`` returns; without a query.

    Raises:
        InvalidInput: The benchmark is a range and the URI names no member of it.
        UnknownName: The member is generated, and this installation does not know its dataset.
        ToolMissing: It does, but what generates is not installed.
    """
    if benchmark.kind == Benchmark.Kind.STORED:
        return Hashes(benchmark.sha256, benchmark.workloads_sha256)
    member = _member(benchmark, uri)
    found = _generated(benchmark, member) if benchmark.is_generated else member
    return Hashes(found.sha256, found.workloads_sha256)


def _full() -> QuerySet[Benchmark]:
    rows = Benchmark.objects.select_related("version", "blob")
    return rows.defer("version__manifest", "version__statistics", "search")


def _find(rows: QuerySet[Benchmark], prefix: str, text: str, field: str) -> Benchmark | None:
    """The row whose ``field`` is ``text``, or the range that ``text`` is a member of; one query."""
    return _find_all(rows, {text: prefix}, field).get(text)


def _find_all(rows: QuerySet[Benchmark], prefixes: Mapping[str, str], field: str) -> dict[str, Benchmark]:
    """``_find`` for many texts, each with the prefix in front of what may be a member's path; one query."""
    ranges = {text: _range_of(text, prefix) for text, prefix in prefixes.items()}
    candidates = {*prefixes, *(name for name, _ in filter(None, ranges.values()))}
    found = {getattr(row, field): row for row in rows.filter(**{f"{field}__in": candidates})}
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
    """The name of the range that this may be a member of, and the member's number; or None."""
    numbered = _NUMBERED.fullmatch(text.removeprefix(prefix))
    return numbered and (f"{prefix}{numbered['prefix']}{MEMBER}", int(numbered["number"]))


def _contains(benchmark: Benchmark, number: int) -> bool:
    low, high = benchmark.parameter_min, benchmark.parameter_max
    return low is not None and high is not None and low <= number <= high


def _member(benchmark: Benchmark, uri: str) -> package.Benchmark:
    canonical = _canonical_member(benchmark, uri)
    if canonical is None:
        remedy = f"Name one of {benchmark.uri} with {benchmark.parameter_min} to {benchmark.parameter_max}."
        message = f"{uri!r} is not a member of {benchmark.uri}."
        raise InvalidInput(message, field="benchmark", value=uri, remedy=remedy)
    member = package.Benchmark.computed(
        canonical,
        title=benchmark.title,
        description=benchmark.description,
        domain=benchmark.domain,
        language=benchmark.language,
        licence=benchmark.licence,
    )
    if not benchmark.is_generated:
        return member
    return replace(member, sha256="", size_bytes=0, load=lambda: _generated(benchmark, member).program())


def _canonical_member(benchmark: Benchmark, uri: str) -> str | None:
    """The canonical form of a URI if it names a member of the range, else None."""
    try:
        parsed = package.BenchmarkUri.parse(uri)
    except InvalidInput:
        return None
    found = _range_of(str(parsed), f"{parsed.dataset_uri}/")
    is_member = found is not None and found[0] == benchmark.uri and _contains(benchmark, found[1])
    return str(parsed) if is_member else None


def _generated(benchmark: Benchmark, member: package.Benchmark) -> package.Benchmark:
    """The member with its program, which is computed here."""
    return package.datasets()[benchmark.version.name].benchmark(member.uri)


def workloads_of(benchmark: Benchmark) -> tuple[package.Workload, ...]:
    """The workloads of a stored benchmark, in their order; of a range none."""
    return tuple(
        package.Workload(
            name=row.name,
            args=tuple(row.args),
            stdin=row.stdin.encode(),
            expected_stdout=row.expected_stdout.encode(),
            exit_code=row.exit_code,
        )
        for row in benchmark.workloads.all()
    )


FACETS: Final = {"domain": "domains", "language": "languages", "licence": "licences", "split": "splits"}
"""The facets of benchmarks, and their keys in a version's statistics."""


def dataset_versions() -> QuerySet[DatasetVersion]:
    """All dataset versions by name, deprecated ones among them.

    ``licence_counts`` of each has the licences of its programs; None where they are computed.
    """
    counts = KeyTransform("licences", "statistics")
    return DatasetVersion.objects.annotate(licence_counts=counts).order_by("name")


def find_dataset_version(name: str) -> DatasetVersion | None:
    """The dataset version of this name; None if there is none."""
    return dataset_versions().filter(name=name).first()


def get_dataset_version(name: str) -> DatasetVersion:
    """The dataset version of this name.

    Raises:
        DatasetVersion.DoesNotExist: There is none.
    """
    return dataset_versions().get(name=name)


def first_uri(dataset: str) -> str:
    """The URI of the first benchmark of a dataset; empty if the dataset is not loaded."""
    # A subquery, and not a join: the first row is read by an index, where a join would sort all.
    version = DatasetVersion.objects.filter(name=dataset).values("pk")[:1]
    rows = Benchmark.objects.filter(version=Subquery(version)).only("uri", "parameter_min")
    first = rows.order_by("position").first()
    return "" if first is None else first.uri.replace(MEMBER, str(first.parameter_min))


def first_media_type(version: DatasetVersion) -> str:
    """The media type of a version's first stored program; empty if there is none."""
    rows = version.benchmarks.filter(blob__isnull=False).order_by("position")
    return rows.values_list("blob__media_type", flat=True).first() or ""


def facets_of(version: DatasetVersion) -> dict[str, dict[str, int]]:
    """The facets of a version's benchmarks: the number of benchmarks by field and value.

    Costs no query where the version has statistics. Ranges have none, and do not need any with one row.
    """
    found = {
        field: version.statistics.get(plural) or _counted(version, field) for field, plural in FACETS.items()
    }
    return {field: dict(sorted(values.items())) for field, values in found.items()}


def _counted(version: DatasetVersion, field: str) -> dict[str, int]:
    if version.statistics:
        return {}
    rows = version.benchmarks.exclude(**{field: ""}).order_by().values_list(field)
    return dict(rows.annotate(count=Count("pk")))


def all_blobs() -> QuerySet[Blob]:
    """Every blob by its hash."""
    return Blob.objects.order_by("sha256")


def datasets_of(blob: Blob) -> list[str]:
    """The names of the dataset versions that a blob belongs to."""
    uses = Q(benchmarks__blob=blob) | Q(manifest_blob=blob) | Q(archive_blob=blob)
    return list(
        DatasetVersion.objects.filter(uses).order_by("name").values_list("name", flat=True).distinct()
    )
