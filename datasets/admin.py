"""Admin of datasets: read-only, since a frozen version never changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

from datasets.models import Baseline, Benchmark, Blob, Dataset, DatasetVersion, Workload
from optarena import client_answers

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
else:
    ModelAdmin = admin.ModelAdmin
    TabularInline = admin.TabularInline


@admin.display(description="id", ordering="pk")
def short_id(row: Any) -> str:  # noqa: ANN401 # of any model
    return client_answers.short_id(row.pk)


class ReadOnly:
    # Only services write.

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002 - inherited
        return False

    has_change_permission = has_delete_permission = has_add_permission


class BaselineInline(ReadOnly, TabularInline):
    model = Baseline
    extra = 0


class WorkloadInline(ReadOnly, TabularInline):
    model = Workload
    extra = 0


@admin.register(Dataset)
class DatasetAdmin(ReadOnly, ModelAdmin):
    list_display = ("name", "title")


@admin.register(DatasetVersion)
class DatasetVersionAdmin(ReadOnly, ModelAdmin):
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
class BenchmarkAdmin(ReadOnly, ModelAdmin):
    list_display = ("uri", "domain", "kind", "size")
    list_filter = ("version", "kind", "domain")
    search_fields = ("uri", "title")
    inlines = (BaselineInline, WorkloadInline)

    @admin.display(description="size in bytes", ordering="size_bytes")
    def size(self, benchmark: Benchmark) -> int | None:
        return None if benchmark.kind == Benchmark.Kind.PARAMETRIC else benchmark.size_bytes


@admin.register(Blob)
class BlobAdmin(ReadOnly, ModelAdmin):
    list_display = ("sha256", "media_type", "size_bytes")
    search_fields = ("sha256",)
