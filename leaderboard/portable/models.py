"""Portable entries: sequences that the server applies to programs that nobody could search."""

from __future__ import annotations

import math
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.urls import reverse

from leaderboard.common.rows import OwnedEntry, StampedTime
from optarena import limits
from optarena.measuring.estimates import Estimate

if TYPE_CHECKING:
    from django_stubs_ext.db.models.manager import RelatedManager

    from leaderboard.portable.queries import PortableRow, PortableSequence


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

    # What the API describes beside the columns.
    round: PortableRound | None
    rows: list[PortableRow]
    sealed: list[PortableRow]
    open_round: PortableRound | None
    ends: list[datetime]
    rounds: RelatedManager[PortableRound]

    class Meta:
        ordering = ("slug",)

    def __str__(self) -> str:
        return self.slug

    def get_absolute_url(self) -> str:
        return reverse("leaderboard:portable-board", args=[self.slug])


class PortableRound(models.Model):
    """The time in which entries are sealed that meet the same programs.

    Their number and their hash are known from the beginning, so that all can check that they were not chosen
    afterwards.
    """

    board = models.ForeignKey(PortableBoard, on_delete=models.PROTECT, related_name="rounds")
    ends_at = models.DateTimeField()
    programs = models.PositiveIntegerField()
    programs_sha256 = models.CharField(max_length=limits.SHA256_LENGTH)
    draws = models.PositiveIntegerField(default=0)  # how often the server began to draw its programs
    drawn_at = models.DateTimeField(null=True)  # or when the server gave up drawing
    # What each program measures, as `PortableProgram` has it; and what is hashed with the drawn ones.
    measured = models.JSONField(default=list)
    nonce = models.CharField(max_length=limits.SHA256_LENGTH, blank=True)

    class Meta:
        ordering = ("-ends_at",)
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["board", "ends_at"], name="portable_round_once")
        ]

    def __str__(self) -> str:
        return f"{self.board_id} until {self.ends_at}"


class PortableEntry(OwnedEntry):
    """A sealed set of sequences, of which the best counts for each program.

    The first ones of a round take part in the next as well: a row of their own `defends` the entry that was
    sealed, and keeps its `sealed_at`, which never changes.
    """

    kind = "portable entry"

    board = models.ForeignKey(PortableBoard, on_delete=models.PROTECT, related_name="entries")
    # Its owner's agents whose names differ only in case, signs and numbers.
    agent_group = models.CharField(max_length=limits.AGENT_GROUP_LENGTH)
    sequences = models.JSONField()  # lists of actions of the environment's first action space
    # Of each sequence in order, and the numbers of those that other owners had published before.
    sequence_sha256 = ArrayField(models.CharField(max_length=limits.SHA256_LENGTH))
    known = ArrayField(models.PositiveIntegerField(), default=list)
    sealed_at = StampedTime(auto_now_add=True)
    round = models.ForeignKey(PortableRound, on_delete=models.PROTECT, related_name="entries")
    defends = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="+")
    # When its replays were requested, or the server gave up drawing, or it was withdrawn before: nothing is
    # drawn for it from then on.
    drawn_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    published_at = models.DateTimeField(null=True)  # only of one whose replays were repeated since
    # Geometric means of ratios, and the standard error of the score's logarithm over the drawn programs.
    score = models.FloatField(null=True)
    score_error = models.FloatField(null=True)
    report_score = models.FloatField(null=True)
    unverified = models.PositiveIntegerField(default=0)  # replays that the infrastructure could not make
    is_doubted = models.BooleanField(default=False, db_default=False)  # too good without a reviewer's look
    is_accepted = models.BooleanField(null=True)  # by the reviewer

    programs: RelatedManager[PortableProgram]
    # As above.
    figures: dict[str, int]
    place: PortableRow
    readable: list[PortableSequence] | None

    class Meta:
        ordering = ("-sealed_at", "id")
        verbose_name_plural = "portable entries"
        indexes: ClassVar = [
            models.Index(fields=["board", "-sealed_at", "id"], name="portable_newest"),
            models.Index(fields=["board", "content_sha256"], name="portable_same_content"),
            GinIndex(fields=["sequence_sha256"], name="portable_same_sequence"),
            models.Index(
                fields=["round", "sealed_at"], condition=Q(drawn_at__isnull=True), name="portable_sealed"
            ),
        ]
        constraints: ClassVar = [
            # One entry of an owner is sealed in a round, beside what defends.
            models.UniqueConstraint(
                fields=["owner", "board"],
                condition=Q(drawn_at__isnull=True, defends__isnull=True),
                name="portable_one_sealed_per_owner",
            ),
            models.UniqueConstraint(fields=["defends", "round"], name="portable_defends_once"),
        ]

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

    @property
    def drawn(self) -> list[PortableProgram]:
        return [one for one in self.programs.all() if one.is_drawn]

    @property
    def reported(self) -> list[PortableProgram]:
        return [one for one in self.programs.all() if not one.is_drawn]

    @property
    def score_interval(self) -> tuple[float, float] | None:
        """The confidence interval of the score over all programs that could be drawn; None without."""
        return None if self.score_error is None else self.interval(len(self.drawn))

    def interval(self, drawn: int) -> tuple[float, float] | None:
        """The same where the number of programs is known."""
        if self.score is None or self.score_error is None:
            return None
        return Estimate(math.log(self.score), self.score_error**2, drawn - 1).interval


class PortableProgram(models.Model):
    """A program that an entry is applied to: it counts for the score if it was drawn, else for the report."""

    entry = models.ForeignKey(PortableEntry, on_delete=models.CASCADE, related_name="programs")
    position = models.PositiveIntegerField()
    # A stored benchmark, or the range that has ``benchmark_uri`` as a member.
    benchmark = models.ForeignKey("datasets.Benchmark", on_delete=models.PROTECT, related_name="+")
    benchmark_uri = models.CharField(max_length=limits.ITEM_URI_LENGTH)
    is_drawn = models.BooleanField()
    # The metric at the level that the board compares with, as given, and after the best sequence. If every
    # sequence fails, that is the value as given.
    reference = models.FloatField()
    unoptimised = models.FloatField()
    value = models.FloatField(null=True)
    best = models.PositiveIntegerField(null=True)  # the number of that sequence, from 0

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
    sequence = models.PositiveIntegerField()  # its number, from 0
    verification = models.ForeignKey(
        "runner.Verification", on_delete=models.PROTECT, related_name="portable_replays"
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["program", "sequence"], name="portable_replay_once")
        ]

    def __str__(self) -> str:
        return f"{self.program_id}#{self.sequence}"
