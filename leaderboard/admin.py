"""The admin site of boards: reading everything, reviewing quarantined items, opening and freezing boards."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import QuerySet
from django.http import HttpRequest

from datasets.admin import ModelAdmin, short_id
from leaderboard.models import Board, PortableEntry, Standing, Submission, SubmissionItem
from leaderboard.portable import services as portable_services
from leaderboard.submissions.verdicts import review

Verdict = SubmissionItem.Verdict
admin.site.site_header = "OptArena administration"


class ReviewOnly:
    # Only services write; users with the permission to change rows may review them, never edit fields.

    def has_add_permission(self, *args: Any) -> bool:  # noqa: ANN401, ARG002 - Django's signature
        return False

    has_delete_permission = has_add_permission

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        may: bool = super().has_change_permission(request, obj)  # type: ignore[misc] # of ModelAdmin
        return may and obj is None

    def logged(self, request: HttpRequest, rows: list[Any], said: str, *, accept: bool) -> None:
        # Pages do not name the reviewer, but the site's own history does.
        if request.user.pk is not None:
            LogEntry.objects.log_actions(
                request.user.pk, rows, CHANGE, "Published." if accept else "Refused."
            )
        messages.info(request, said)


@admin.register(Board)
class BoardAdmin(ModelAdmin):
    # Boards can be described, opened and frozen; what they compare never changes.
    list_display = ("slug", "title", "dataset_version", "environment_version", "metric", "state")
    readonly_fields = (
        "slug",
        "dataset_version",
        "environment_version",
        "metric",
        "baseline_level",
        "reference_metric",
        "benchmarks",
        "device",
        "exact",
        "created",
    )
    fields = ("slug", "title", "description", "state", *readonly_fields[1:])

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002 - Django's signature
        return False

    has_delete_permission = has_add_permission


@admin.register(Submission)
class SubmissionAdmin(ReviewOnly, ModelAdmin):
    list_display = (short_id, "agent", "owner", "board", "created", "withdrawn_at")
    list_filter = ("board",)
    search_fields = ("agent", "owner__username", "^id")
    list_select_related = ("owner", "board")


@admin.register(SubmissionItem)
class SubmissionItemAdmin(ReviewOnly, ModelAdmin):
    list_display = ("submission", "position", "benchmark_uri", "verdict", "reason", "ratio")
    list_filter = ("verdict", "reason")
    search_fields = ("submission__id", "benchmark_uri")
    list_select_related = ("submission",)
    actions = ("publish", "refuse")

    @admin.action(description="Publish quarantined items", permissions=["change"])
    def publish(self, request: HttpRequest, queryset: QuerySet[SubmissionItem]) -> None:
        self._review(request, queryset, accept=True)

    @admin.action(description="Refuse quarantined items", permissions=["change"])
    def refuse(self, request: HttpRequest, queryset: QuerySet[SubmissionItem]) -> None:
        self._review(request, queryset, accept=False)

    def _review(self, request: HttpRequest, queryset: QuerySet[SubmissionItem], *, accept: bool) -> None:
        ids = list(queryset.values_list("pk", flat=True))
        waiting = list(queryset.filter(verdict=Verdict.QUARANTINED))
        decided = review(item_ids=ids, accept=accept, reviewer=request.user.get_username())
        said = f"{decided} of {len(ids)} items were quarantined and have a verdict now."
        self.logged(request, waiting, said, accept=accept)


@admin.register(Standing)
class StandingAdmin(ReviewOnly, ModelAdmin):
    list_display = ("board", "submission", "score", "verified", "total", "best_of_owner", "leading")
    list_filter = ("board",)
    list_select_related = ("board", "submission")


@admin.register(PortableEntry)
class PortableEntryAdmin(ReviewOnly, ModelAdmin):
    list_display = (short_id, "agent", "owner", "board", "score", "state")
    list_filter = ("board", "is_doubted", "is_accepted")
    search_fields = ("agent", "owner__username", "^id")
    list_select_related = ("owner", "board")
    actions = ("publish", "refuse")

    @admin.action(description="Publish quarantined entries", permissions=["change"])
    def publish(self, request: HttpRequest, queryset: QuerySet[PortableEntry]) -> None:
        self._review(request, queryset, accept=True)

    @admin.action(description="Refuse quarantined entries", permissions=["change"])
    def refuse(self, request: HttpRequest, queryset: QuerySet[PortableEntry]) -> None:
        self._review(request, queryset, accept=False)

    def _review(self, request: HttpRequest, queryset: QuerySet[PortableEntry], *, accept: bool) -> None:
        waiting = [one for one in queryset if one.state == "quarantined"]
        ids = [one.pk for one in waiting]
        decided = portable_services.review(entry_ids=ids, accept=accept, reviewer=request.user.get_username())
        self.logged(request, waiting, f"{decided} quarantined entries were decided.", accept=accept)
