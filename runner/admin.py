"""The runner in Django's admin: read-only, since a state has only one writer."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from datasets.admin import ModelAdmin, ReadOnly, TabularInline, short_id
from runner import models


class EventInline(ReadOnly, TabularInline):
    model = models.VerificationEvent
    fields = ("seq", "from_state", "to_state", "actor", "reason", "detail", "at")
    ordering = ("seq",)
    extra = 0


class AttemptInline(ReadOnly, TabularInline):
    model = models.VerificationAttempt
    fields = (
        "number",
        "decision",
        "reason",
        "failed_step",
        "detail",
        "worker",
        "started_at",
        "ended_at",
        "evidence",
    )
    ordering = ("number",)
    extra = 0


@admin.register(models.Verification)
class VerificationAdmin(ReadOnly, ModelAdmin):
    list_display = (
        short_id,
        "benchmark_uri",
        "environment_version",
        "state",
        "reason",
        "attempt",
        "worker",
        "created_at",
        "finished_at",
    )
    list_filter = ("state", "reason", "hardware_class", "environment_version")
    search_fields = ("^id", "benchmark_uri", "=actions_sha256", "worker")
    list_select_related = ("environment_version",)
    inlines: ClassVar[list[Any]] = [EventInline, AttemptInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[models.Verification]:
        rows: QuerySet[models.Verification] = super().get_queryset(request)
        return rows.defer("actions", "result", "prepared")


@admin.register(models.Study)
class StudyAdmin(ReadOnly, ModelAdmin):
    list_display = (short_id, "kind", "verification", "steps", "state", "reason", "attempt", "created_at")
    list_filter = ("kind", "state", "reason", "hardware_class", "automatic")
    search_fields = ("^id", "^verification__id", "worker")
    list_select_related = ("verification",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[models.Study]:
        rows: QuerySet[models.Study] = super().get_queryset(request)
        return rows.defer("played", "result", "progress", "verification__actions", "verification__result")


@admin.register(models.EnvironmentVersion)
class EnvironmentVersionAdmin(ReadOnly, ModelAdmin):
    list_display = ("env_id", "digest", "created_at")
    list_filter = ("env_id",)


@admin.register(models.Payer)
class PayerAdmin(ReadOnly, ModelAdmin):
    list_display = ("name", "used_seconds", "counted_at")
    search_fields = ("=name",)


@admin.register(models.Demand)
class DemandAdmin(ReadOnly, ModelAdmin):
    list_display = (
        "id",
        "payer",
        "verification",
        "hardware_class",
        "waiting",
        "seconds",
        "created_at",
        "started_at",
    )
    list_filter = ("hardware_class", "waiting")
    search_fields = ("=payer__name", "^verification__id")
    list_select_related = ("payer", "verification")


@admin.register(models.Runner)
class RunnerAdmin(ReadOnly, ModelAdmin):
    list_display = (
        "name",
        "hardware_class",
        "processes",
        "started_at",
        "seen_at",
        "stopped_at",
        "paused_at",
        "pause_reason",
    )
    list_filter = ("hardware_class",)
    search_fields = ("name",)


@admin.register(models.Calibration)
class CalibrationAdmin(ReadOnly, ModelAdmin):
    list_display = ("name", "hardware_class", "at", "version", "tries", "drift")
    list_filter = ("hardware_class", "name", "version")
    search_fields = ("name",)

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002 - inherited
        return request.user.has_perm("runner.delete_calibration")
