"""Reads of many benchmarks: those of a version, filtered by their properties, a page at a time.

A page begins where the one before ended, by position in the dataset, so that the last page costs as little
as the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, OuterRef, Prefetch, Subquery, Value
from django.db.models.functions import Coalesce, Lower

from datasets.models import Baseline, Benchmark, Workload
from optarena.specs import program_formats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from datasets.models import DatasetVersion


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
