"""Admin of datasets: read-only, since a frozen version never changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from datasets.models import Baseline, Benchmark, Blob, Dataset, DatasetVersion, Workload

if TYPE_CHECKING:
    from django.http import HttpRequest

    _Admin = admin.ModelAdmin[Any]
    _Inline = admin.TabularInline[Any, Any]
else:
    _Admin = admin.ModelAdmin
    _Inline = admin.TabularInline


class ReadOnly:
    """Makes an admin page read-only: only services write."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002 - inherited
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002 - inherited
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002 - inherited
        """Never."""
        return False


class BaselineInline(ReadOnly, _Inline):
    """Baselines under their benchmark."""

    model = Baseline
    extra = 0


class WorkloadInline(ReadOnly, _Inline):
    """Workloads under their benchmark."""

    model = Workload
    extra = 0


@admin.register(Dataset)
class DatasetAdmin(ReadOnly, _Admin):
    """Families of versions."""

    list_display = ("name", "title")


@admin.register(DatasetVersion)
class DatasetVersionAdmin(ReadOnly, _Admin):
    """Versions."""

    list_display = (
        "name",
        "title",
        "kind",
        "benchmark_count",
        "licence",
        "frozen",
        "deprecated",
        "created_at",
    )
    list_filter = ("frozen", "kind")


@admin.register(Benchmark)
class BenchmarkAdmin(ReadOnly, _Admin):
    """Benchmarks with their baselines and workloads."""

    list_display = ("uri", "domain", "kind", "size")
    list_filter = ("version", "kind", "domain")
    search_fields = ("uri", "title")
    inlines = (BaselineInline, WorkloadInline)

    @admin.display(description="size in bytes", ordering="size_bytes")
    def size(self, benchmark: Benchmark) -> int | None:
        """Bytes of the program; nothing for a range."""
        return None if benchmark.kind == Benchmark.Kind.PARAMETRIC else benchmark.size_bytes


@admin.register(Blob)
class BlobAdmin(ReadOnly, _Admin):
    """Stored bytes."""

    list_display = ("sha256", "media_type", "size_bytes")
    search_fields = ("sha256",)
