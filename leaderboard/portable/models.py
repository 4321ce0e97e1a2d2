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
    """A leaderboard of portable entries, as ``optarena.specs.PortableBoardSpec`` describes it.

    Attributes:
        dataset: The name of the generated dataset from which programs are drawn.
        programs: How many programs are drawn for an entry.
        report_dataset, report_split: The stored programs that entries are reported on; may be empty.
        is_open: Whether it takes entries.
        plausible_ratio: An entry with a drawn program beyond it, and far beyond what others have reached,
            waits for a reviewer.
    """

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
        """The board's page."""
        return reverse("leaderboard:portable-board", args=[self.slug])


class PortableEntry(models.Model):
    """A sealed set of sequences, of which the best counts for each program.

    Attributes:
        agent_group: Entries of one group compete for one rank, which the latest of them gets.
        sequences: Lists of actions of the environment's first action space.
        content_sha256: The entry's hash: of the set of its sequences. The programs depend on it.
        sealed_at: When it was stored. It never changes afterwards.
        draws: How often the server began to draw its programs.
        drawn_at: When the replays on its programs were requested, or the server gave up drawing them, or it
            was withdrawn before: nothing is drawn for it from then on.
        ended_at: When the last of them had ended.
        published_at: When it had first ended and not failed, if its replays were repeated since; see
            ``is_published``.
        score: The geometric mean of the ratios on the drawn programs; None until then, or if a replay could
            not be made.
        score_error: The standard error of the logarithm of the score, over the drawn programs; None for one.
        report_score: The geometric mean of the ratios on the programs of the report; None without a report.
        unverified: How many replays could not be made because of the infrastructure.
        withdrawn_at: When its owner took it back; it has no rank since. One that has programs still counts as
            the latest of its agent, so that nobody draws until the programs are easy.
        is_doubted: Whether one of its programs is too good to be ranked before a reviewer has looked.
        is_accepted: What the reviewer decided; None until then.
    """

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
        """The entry's page."""
        return reverse("leaderboard:portable-entry", args=[self.pk])

    @property
    def state(self) -> str:
        """How far it is: ``sealed``, ``replaying``, ``ended``, ``quarantined``, ``refused``, ``withdrawn``.

        It is ``failed`` where the infrastructure did not suffice.
        """
        if self.withdrawn_at is not None:
            return "withdrawn"
        if self.ended_at is None:
            return "sealed" if self.drawn_at is None else "replaying"
        if self.is_doubted and not self.is_accepted:
            return "quarantined" if self.is_accepted is None else "refused"
        return "failed" if self.unverified else "ended"

    @property
    def is_published(self) -> bool:
        """Whether everybody may read its sequences: once it has ended and not failed, and for ever after."""
        return self.published_at is not None or (self.ended_at is not None and not self.unverified)

    @property
    def programs_drawn_at(self) -> datetime | None:
        """When its programs were drawn; None for one that got none."""
        return self.drawn_at if self.programs.all() else None  # whoever shows this has read them


class PortableProgram(models.Model):
    """A program that an entry is applied to.

    Attributes:
        benchmark: A stored benchmark, or the range that has ``benchmark_uri`` as a member.
        is_drawn: Whether it counts for the score; otherwise it is of the report.
        reference: The metric at the level that the board compares with.
        unoptimised: The metric of the program as given: what counts if every sequence fails.
        value: The metric after the best sequence; None until all replays of the entry have ended.
        best: The number of that sequence, from 0; None if every one failed.
    """

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
        """By which factor the best sequence is better than the reference; None until it is known."""
        return None if self.value is None else self.reference / self.value


class PortableReplay(models.Model):
    """The replay of one sequence of an entry on one of its programs.

    Attributes:
        sequence: The number of the sequence, from 0.
    """

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
