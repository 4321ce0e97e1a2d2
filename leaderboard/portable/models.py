"""Portable entries: sequences that the server applies to programs that nobody could search."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from leaderboard.common.rows import StampedTime
from optarena import limits

if TYPE_CHECKING:
    from datetime import datetime

    from django_stubs_ext.db.models.manager import RelatedManager


class PortableBoard(models.Model):
    # As ``optarena.specs.PortableBoardSpec`` describes it.
    slug = models.SlugField(max_length=limits.STORED_SLUG_LENGTH, unique=True)
    title = models.CharField(max_length=limits.BOARD_TITLE_LENGTH)
    description = models.TextField(blank=True)
    environment_version = models.ForeignKey(
        "runner.EnvironmentVersion", on_delete=models.PROTECT, related_name="portable_boards"
    )
    dataset = models.CharField(max_length=limits.DATASET_NAME_LENGTH)
    metric = models.CharField(max_length=limits.BOARD_METRIC_LENGTH)
    baseline_level = models.CharField(max_length=limits.LEVEL_NAME_LENGTH)
    programs = models.PositiveIntegerField()
    report_dataset = models.CharField(max_length=limits.DATASET_NAME_LENGTH, blank=True)
    report_split = models.CharField(max_length=limits.SPLIT_LENGTH, blank=True)
    is_open = models.BooleanField(default=True)
    plausible_ratio = models.FloatField(default=1.5, db_default=1.5)

    class Meta:
        ordering = ("slug",)

    def __str__(self) -> str:
        return self.slug

    def get_absolute_url(self) -> str:
        return reverse("leaderboard:portable-board", args=[self.slug])


class PortableEntry(models.Model):
    # ``agent_group``: entries of one group compete for one rank, which the latest of them gets.
    # ``content_sha256``: of the set of its sequences; the programs depend on it.
    # ``drawn_at``: when its replays were requested, or the server gave up drawing, or it was withdrawn
    # before: nothing is drawn for it from then on.
    # ``published_at``: when it had first ended and not failed, if its replays were repeated since.
    # ``score``, ``report_score``: geometric means of the ratios; None if a replay could not be made.
    # ``score_error``: the standard error of the logarithm of the score, over the drawn programs; None for
    # one.
    # ``unverified``: how many replays could not be made because of the infrastructure.
    # ``withdrawn_at``: an entry with programs still counts as the latest of its agent, so that owners do not
    # draw until the programs are easy.
    # ``is_doubted``: a program is too good to be ranked before a reviewer has looked.
    # ``is_accepted``: what the reviewer decided; None until then.
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    board = models.ForeignKey(PortableBoard, on_delete=models.PROTECT, related_name="entries")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="portable_entries"
    )
    agent = models.CharField(max_length=limits.AGENT_LENGTH)
    agent_group = models.CharField(max_length=limits.AGENT_GROUP_LENGTH)
    sequences = models.JSONField()
    content_sha256 = models.CharField(max_length=limits.SHA256_LENGTH)
    sealed_at = StampedTime(auto_now_add=True)
    draws = models.PositiveIntegerField(default=0)
    drawn_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    published_at = models.DateTimeField(null=True)
    score = models.FloatField(null=True)
    score_error = models.FloatField(null=True)
    report_score = models.FloatField(null=True)
    unverified = models.PositiveIntegerField(default=0)
    withdrawn_at = models.DateTimeField(null=True)
    is_doubted = models.BooleanField(default=False, db_default=False)
    is_accepted = models.BooleanField(null=True)

    programs: RelatedManager[PortableProgram]

    class Meta:
        ordering = ("-sealed_at", "id")
        verbose_name_plural = "portable entries"
        indexes: ClassVar = [
            models.Index(fields=["board", "-sealed_at", "id"], name="portable_newest"),
            models.Index(fields=["board", "content_sha256"], name="portable_same_content"),
            models.Index(
                fields=["draws", "sealed_at"], condition=Q(drawn_at__isnull=True), name="portable_sealed"
            ),
        ]
        constraints: ClassVar = [
            # Two of one owner that wait would both have passed the check of the quota.
            models.UniqueConstraint(
                fields=["owner"], condition=Q(drawn_at__isnull=True), name="portable_one_sealed_per_owner"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.agent} ({self.id})"

    def get_absolute_url(self) -> str:
        return reverse("leaderboard:portable-entry", args=[self.pk])

    @property
    def state(self) -> str:
        if self.withdrawn_at is not None:
            return "withdrawn"
        if self.ended_at is None:
            return "sealed" if self.drawn_at is None else "replaying"
        if self.is_doubted and not self.is_accepted:
            return "quarantined" if self.is_accepted is None else "refused"
        return "failed" if self.unverified else "ended"

    @property
    def is_published(self) -> bool:
        # Everybody may read its sequences once it has ended and not failed, and for ever after.
        return self.published_at is not None or (self.ended_at is not None and not self.unverified)

    @property
    def programs_drawn_at(self) -> datetime | None:
        return self.drawn_at if self.programs.all() else None  # whoever shows this has read them


class PortableProgram(models.Model):
    # ``benchmark``: a stored benchmark, or the range that has ``benchmark_uri`` as a member.
    # ``is_drawn``: whether it counts for the score; otherwise it is of the report.
    # ``reference``: the metric at the level that the board compares with.
    # ``unoptimised``: the metric of the program as given, which counts if every sequence fails.
    # ``value``, ``best``: the metric after the best sequence, and its number from 0; None if every one
    # failed.
    entry = models.ForeignKey(PortableEntry, on_delete=models.CASCADE, related_name="programs")
    position = models.PositiveIntegerField()
    benchmark = models.ForeignKey("datasets.Benchmark", on_delete=models.PROTECT, related_name="+")
    benchmark_uri = models.CharField(max_length=limits.ITEM_URI_LENGTH)
    is_drawn = models.BooleanField()
    reference = models.FloatField()
    unoptimised = models.FloatField()
    value = models.FloatField(null=True)
    best = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ("entry", "position")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["entry", "position"], name="portable_position_once"),
            models.CheckConstraint(
                condition=Q(reference__gt=0, unoptimised__gt=0), name="portable_values_positive"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} {self.benchmark_uri}"

    @property
    def ratio(self) -> float | None:
        return None if self.value is None else self.reference / self.value


class PortableReplay(models.Model):
    program = models.ForeignKey(PortableProgram, on_delete=models.CASCADE, related_name="replays")
    sequence = models.PositiveIntegerField()
    verification = models.ForeignKey(
        "runner.Verification", on_delete=models.PROTECT, related_name="portable_replays"
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["program", "sequence"], name="portable_replay_once"),
        ]

    def __str__(self) -> str:
        return f"{self.program_id}#{self.sequence}"
