"""Reads of datasets. A URI may name a stored benchmark, or a member of a parametric range."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from django.db.models import (
    BigIntegerField,
    Case,
    Count,
    F,
    Max,
    Min,
    OuterRef,
    Q,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from datasets import blobs
from datasets.models import Benchmark, DatasetVersion
from optarena import datasets as package
from optarena.datasets.parametric import MEMBER
from optarena.errors import InvalidInput
from optarena.specs import environment_specs

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from optarena.specs import Metric

EXAMPLE_POWERS: Final = (10, 14, 17, 20)
_NUMBERED: Final = re.compile(r"(?P<prefix>.*/|)(?P<number>0|[1-9][0-9]{0,17})")


def dataset_versions() -> QuerySet[DatasetVersion]:
    """All dataset versions by name, with what their benchmarks are.

    Each has ``kind``, ``benchmark_count`` (of rows, a range is one), ``member_count`` (of all that can be
    named), ``size_bytes`` of its stored programs, and the ends of its range as ``parameter_min`` and
    ``parameter_max``.
    """
    own = Benchmark.objects.filter(version=OuterRef("pk")).order_by().values("version")
    size = Subquery(own.annotate(total=Sum("size_bytes")).values("total"), output_field=BigIntegerField())
    is_range = Q(benchmarks__kind=Benchmark.Kind.PARAMETRIC)
    ends = F("benchmarks__parameter_max") - F("benchmarks__parameter_min")
    members = Case(When(is_range, then=ends + 1), default=Value(1), output_field=BigIntegerField())
    kinds = Benchmark.Kind
    return DatasetVersion.objects.annotate(
        benchmark_count=Count("benchmarks"),
        member_count=Coalesce(Sum(members, filter=Q(benchmarks__isnull=False)), Value(0)),
        size_bytes=Coalesce(size, Value(0), output_field=BigIntegerField()),
        parameter_min=Min("benchmarks__parameter_min"),
        parameter_max=Max("benchmarks__parameter_max"),
        stored_count=Count("benchmarks", filter=Q(benchmarks__kind=kinds.STORED)),
        kind=Case(
            When(stored_count=0, benchmark_count=1, then=Value(kinds.PARAMETRIC.value)),
            default=Value(kinds.STORED.value),
        ),
    ).order_by("name")


def find_dataset_version(name: str) -> DatasetVersion | None:
    """The dataset version of this name, as ``dataset_versions`` gives it; None if there is none."""
    return dataset_versions().filter(name=name).first()


def get_dataset_version(name: str) -> DatasetVersion:
    """The dataset version of this name, as ``dataset_versions`` gives it.

    Raises:
        DatasetVersion.DoesNotExist: There is none.
    """
    return dataset_versions().get(name=name)


def benchmarks_of(version: DatasetVersion) -> QuerySet[Benchmark]:
    """The benchmarks of a version in its own order, with their baselines and ``workload_count``."""
    return (
        Benchmark.objects.filter(version=version)
        .select_related("version")
        .prefetch_related("baselines")
        .annotate(workload_count=Count("workloads"))
        .order_by("position")
    )


def first_uri(dataset: str) -> str:
    """The URI of the first benchmark of a dataset; empty if the dataset is not loaded."""
    first = Benchmark.objects.filter(version__name=dataset).order_by("position").first()
    return "" if first is None else first.uri.replace(MEMBER, str(first.parameter_min))


def example_numbers(benchmark: Benchmark) -> list[int]:
    """Some numbers that may stand in a range's URI: its ends, and powers of two between them."""
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


def find_in_dataset(version: DatasetVersion, path: str) -> Benchmark | None:
    """As ``find_benchmark``, for a path inside a dataset version; ranges are found by their own name too."""
    return _find(_full().filter(version=version), "", path, "name")


def member_in_dataset(benchmark: Benchmark, path: str) -> package.Benchmark | None:
    """The member of a range at a path inside its dataset version; None if the path names no member."""
    try:
        return _member(benchmark, f"{package.BenchmarkUri.parse(benchmark.version.name).dataset_uri}/{path}")
    except InvalidInput:
        return None


def baselines_of(benchmark: Benchmark) -> dict[str, dict[str, float]]:
    """Value by level by metric; costs no query where the baselines were prefetched."""
    result: dict[str, dict[str, float]] = {}
    for baseline in benchmark.baselines.all():
        result.setdefault(baseline.metric, {})[baseline.level] = baseline.number
    return result


def find_metric(name: str, dataset: str = "") -> Metric | None:
    """The metric of this name: of an environment of the dataset, else of any that is installed."""
    own = package.environments_of(dataset)
    specs = sorted(environment_specs(), key=lambda spec: spec not in own)
    metrics = (metric for spec in specs for metric in spec.metrics)
    return next((metric for metric in metrics if metric.name == name), None)


def benchmark_for_replay(benchmark: Benchmark, *, uri: str = "") -> package.Benchmark:
    """What the runner gives to the environment; the program is read when it is asked for.

    Args:
        benchmark: A stored benchmark, or a range.
        uri: The member's URI, needed for a range.

    Raises:
        InvalidInput: The benchmark is a range and the URI names no member of it.
    """
    if benchmark.kind == Benchmark.Kind.PARAMETRIC:
        return _member(benchmark, uri)
    blob = benchmark.blob
    if blob is None:
        raise InvalidInput(f"The benchmark {benchmark.uri} has no program.", field="benchmark", value=uri)
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
        workloads=_workloads(benchmark),
        load=lambda: blobs.read(blob),
    )


def _full() -> QuerySet[Benchmark]:
    return Benchmark.objects.select_related("version", "blob")


def _find(rows: QuerySet[Benchmark], prefix: str, text: str, field: str) -> Benchmark | None:
    """The row whose ``field`` is ``text``, or the range that ``text`` is a member of; one query."""
    numbered = _NUMBERED.fullmatch(text.removeprefix(prefix))
    candidates = [text]
    if numbered is not None:
        candidates.append(f"{prefix}{numbered['prefix']}{MEMBER}")
    found = {getattr(row, field): row for row in rows.filter(**{f"{field}__in": candidates})}
    if text in found or numbered is None:
        return found.get(text)
    parametric = found.get(candidates[-1])
    return parametric if parametric and _contains(parametric, int(numbered["number"])) else None


def _contains(benchmark: Benchmark, number: int) -> bool:
    low, high = benchmark.parameter_min, benchmark.parameter_max
    return low is not None and high is not None and low <= number <= high


def _member(benchmark: Benchmark, uri: str) -> package.Benchmark:
    found = find_benchmark(uri)
    if found is None or found.pk != benchmark.pk:
        remedy = f"Name one of {benchmark.uri} with {benchmark.parameter_min} to {benchmark.parameter_max}."
        message = f"{uri!r} is no member of {benchmark.uri}."
        raise InvalidInput(message, field="benchmark", value=uri, remedy=remedy)
    return package.Benchmark.computed(
        str(package.BenchmarkUri.parse(uri)),
        title=benchmark.title,
        description=benchmark.description,
        domain=benchmark.domain,
        language=benchmark.language,
        licence=benchmark.licence,
    )


def _workloads(benchmark: Benchmark) -> tuple[package.Workload, ...]:
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
