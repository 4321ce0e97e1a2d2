"""The rows of submissions: items, edits, finds, and the figures of each entry on its board."""

from __future__ import annotations

import math
import uuid
from typing import TYPE_CHECKING, ClassVar, Final

from django.conf import settings
from django.contrib.postgres.functions import RandomUUID
from django.db import models
from django.db.models import Case, F, Q, When
from django.db.models.functions import Cast, Greatest, Now

from leaderboard.boards.models import Board, benchmark_name
from leaderboard.boards.ranking import BOARD_ORDER, ENTRY_PREFERENCE, RANKABLE, effort_class
from leaderboard.common.addresses import item_address, submission_address
from leaderboard.common.rows import OwnedEntry, StampedTime
from optarena import limits
from optarena.measuring.estimates import Estimate
from optarena.specs.board import saving
from optarena.specs.results import REASONS, Reason

# What pages say where the infrastructure failed, which says nothing about an item.
COULD_NOT_BE_VERIFIED: Final = "could not be verified"


class Submission(OwnedEntry):
    """The results that one owner's agent sent to one board. It is never deleted, only withdrawn."""

    kind = "submission"

    board = models.ForeignKey(Board, on_delete=models.PROTECT, related_name="submissions")
    description = models.TextField(blank=True, max_length=limits.DESCRIPTION_LENGTH)
    url = models.URLField(blank=True, max_length=limits.SUBMISSION_URL_LENGTH)
    compilations = models.PositiveBigIntegerField(null=True, blank=True)
    walltime_seconds = models.FloatField(null=True, blank=True)
    trained_on_test_set = models.BooleanField(default=False)
    # Of a baseline, which only `manage.py load_baselines` sets.
    baseline_command = models.TextField(blank=True, default="", db_default="")
    # The database's time: finds compare it with that of verdicts, which workers decide.
    created = StampedTime(auto_now_add=True)
    # When its owner let everybody read its sequences; they are open as soon as they are verified then.
    opened_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created", "id")
        indexes: ClassVar = [
            models.Index(fields=["board", "content_sha256", "created"], name="submission_same_content"),
            models.Index(fields=["board", "-created"], name="submission_board_created"),
            models.Index(fields=["owner", "-created"], name="submission_owner_created"),
            models.Index(fields=["-created"], name="submission_created"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(walltime_seconds__isnull=True) | Q(walltime_seconds__gte=0),
                name="submission_walltime_not_negative",
            ),
            models.CheckConstraint(condition=~Q(agent=""), name="submission_agent_named"),
        ]

    def get_absolute_url(self) -> str:
        return submission_address("leaderboard:submission", self.pk)

    @property
    def effort(self) -> str:
        return effort_class(self.compilations)


# A tally counts each item with one of these; the others of a submission are verified.
COUNTED_VERDICTS: Final = ("pending", "refuted", "quarantined", "failed")


class SubmissionItem(models.Model):
    """One benchmark of a submission, with its claims and the verdict of our replay."""

    class Verdict(models.TextChoices):
        PENDING = "pending"
        VERIFIED = "verified"
        REFUTED = "refuted"
        QUARANTINED = "quarantined"
        FAILED = "failed"
        WITHDRAWN = "withdrawn"

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    benchmark = models.ForeignKey(
        "datasets.Benchmark", on_delete=models.PROTECT, related_name="submission_items"
    )
    benchmark_uri = models.CharField(max_length=limits.ITEM_URI_LENGTH)
    actions = models.JSONField()
    action_space = models.CharField(
        max_length=limits.ACTION_SPACE_LENGTH, default="", db_default="", blank=True
    )
    actions_sha256 = models.CharField(max_length=limits.SHA256_LENGTH)
    commandline = models.TextField()
    reward = models.FloatField(null=True, blank=True)
    walltime = models.FloatField(null=True, blank=True)
    claims = models.JSONField(default=dict, blank=True)
    claim_status = models.JSONField(default=dict, db_default={}, blank=True)
    verification = models.ForeignKey(
        "runner.Verification", on_delete=models.PROTECT, related_name="submission_items", null=True
    )
    verdict = models.CharField(
        max_length=limits.VERDICT_LENGTH, choices=Verdict.choices, default=Verdict.PENDING
    )
    reason = models.CharField(max_length=limits.ITEM_REASON_LENGTH, blank=True)
    detail = models.TextField(blank=True)
    value = models.FloatField(null=True, blank=True)
    ratio = models.FloatField(null=True, blank=True)
    # Where it is measured, the mean over the blocks.
    log_ratio = models.FloatField(null=True, blank=True)
    # The square of the standard error of `log_ratio`, and its degrees of freedom; None where it is exact, or
    # its error unknown.
    log_variance = models.FloatField(null=True, blank=True)
    log_freedom = models.FloatField(null=True, blank=True)
    effective_actions = models.PositiveIntegerField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    reviewed = models.BooleanField(default=False, db_default=False)
    # As `Find` has it; empty unless the item was verified and nothing contradicts that.
    state_sha256 = models.CharField(max_length=limits.SHA256_LENGTH, default="", db_default="", blank=True)
    # Whether its owner found the result, and could not read it.
    own = models.BooleanField(null=True, blank=True)
    # It was better than all before it, as its `BoardRecord` says.
    is_record = models.BooleanField(default=False, db_default=False)
    # From when on everybody may read its sequence.
    opens_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "item of a submission"
        verbose_name_plural = "items of submissions"
        ordering = ("submission", "position")
        indexes: ClassVar = [
            models.Index(
                fields=["benchmark_uri", "verdict", "-ratio"],
                include=[
                    "submission",
                    "decided_at",
                    "state_sha256",
                    "id",
                ],  # all that a benchmark's page reads
                name="item_benchmark_results",
            ),
            models.Index(
                fields=["submission", "verdict"],
                condition=Q(verdict__in=COUNTED_VERDICTS),
                name="item_counted_verdict",
            ),
            models.Index(fields=["submission", "decided_at"], name="item_decision_times"),
            models.Index(
                Greatest("opens_at", "decided_at"),
                condition=Q(verdict="verified", own__isnull=False),
                name="item_opening_times",
            ),
            models.Index(
                fields=["submission", "-ratio", "position"],
                include=["benchmark_uri"],
                condition=Q(verdict="verified", ratio__isnull=False),
                name="item_largest_ratio",
            ),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["submission", "benchmark_uri"], name="item_benchmark_once_per_submission"
            ),
            models.UniqueConstraint(
                fields=["submission", "position"], name="item_position_once_per_submission"
            ),
            models.CheckConstraint(
                # Written out: a comparison with NULL is NULL, and a NULL check passes.
                condition=~Q(verdict="verified")
                | (
                    Q(value__isnull=False)
                    & Q(ratio__isnull=False)
                    & Q(log_ratio__isnull=False)
                    & Q(value__gt=0)
                    & Q(ratio__gt=0)
                ),
                name="item_verified_has_positive_value",
            ),
            models.CheckConstraint(
                condition=(Q(verdict__in=["refuted", "quarantined", "failed", "withdrawn"]) & ~Q(reason=""))
                | (Q(verdict__in=["pending", "verified"]) & Q(reason="")),
                name="item_reason_iff_not_accepted",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.submission_id}#{self.position}"

    def get_absolute_url(self) -> str:
        return item_address("leaderboard:item", self.submission_id, self.position)

    @property
    def benchmark_name(self) -> str:
        return benchmark_name(self.benchmark, self.benchmark_uri)

    @property
    def explanation(self) -> Reason | None:
        return REASONS.get(self.reason)

    @property
    def verdict_label(self) -> str:
        unverified = self.verdict == self.Verdict.FAILED and self.reason.startswith("infra:")
        return COULD_NOT_BE_VERIFIED if unverified else self.verdict

    @property
    def ratio_interval(self) -> tuple[float, float] | None:
        # None where the ratio is exact, or its error unknown.
        if self.log_ratio is None or self.log_variance is None or self.log_freedom is None:
            return None
        return Estimate(self.log_ratio, self.log_variance, self.log_freedom).interval

    @property
    def measured(self) -> dict[str, float]:
        metrics: dict[str, float] = (self.verification.metrics if self.verification else None) or {}
        return metrics


class FormerVerdict(models.Model):
    """The end of an item's replay that does not count any more, since the item was reopened."""

    item = models.ForeignKey(SubmissionItem, on_delete=models.CASCADE, related_name="former_verdicts")
    verification = models.ForeignKey(
        "runner.Verification", on_delete=models.PROTECT, related_name="former_verdicts", null=True
    )
    verdict = models.CharField(max_length=limits.VERDICT_LENGTH, choices=SubmissionItem.Verdict.choices)
    reason = models.CharField(max_length=limits.ITEM_REASON_LENGTH, blank=True)
    detail = models.TextField(blank=True)
    value = models.FloatField(null=True)
    ratio = models.FloatField(null=True)
    reviewed = models.BooleanField(default=False)
    decided_at = models.DateTimeField(null=True)
    reopened_at = models.DateTimeField(auto_now_add=True)
    # Who or what asked for another replay: `ada`, `reverify`.
    reopened_by = models.CharField(max_length=limits.ACTOR_LENGTH)

    class Meta:
        ordering = ("item", "-reopened_at", "-pk")

    def __str__(self) -> str:
        return f"{self.item_id} {self.verdict} {self.reason}".strip()

    @property
    def explanation(self) -> Reason | None:
        return REASONS.get(self.reason)


class IdempotencyKey(models.Model):
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=limits.IDEMPOTENCY_KEY_LENGTH)
    body_sha256 = models.CharField(max_length=limits.SHA256_LENGTH)
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="+")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "key"], name="idempotency_key_once_per_owner")
        ]

    def __str__(self) -> str:
        return f"{self.owner_id}:{self.key}"


class SubmissionEdit(models.Model):
    """One change of what an owner says about a submission; results are never edited."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="edits")
    at = models.DateTimeField()
    # By column: its value before and after.
    changes = models.JSONField()

    class Meta:
        ordering = ("-at", "-id")
        indexes: ClassVar = [models.Index(fields=["submission", "-at", "-id"], name="edit_newest")]

    def __str__(self) -> str:
        return f"{self.submission_id} {', '.join(self.changes)}"


class Find(models.Model):
    """A result that an owner has reached: a final state of a program, and its ratio on boards of one metric.

    It says who could read a sequence with this result, and when: everybody from ``opens_at`` on, and before
    that those who had reached one that is at least as good. It stays when its item is withdrawn or replayed
    anew. The environment's version is not part of it.
    """

    state_sha256 = models.CharField(max_length=limits.SHA256_LENGTH)
    metric = models.CharField(max_length=limits.BOARD_METRIC_LENGTH)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="finds")
    program_sha256 = models.CharField(max_length=limits.SHA256_LENGTH)
    ratio = models.FloatField()
    # The owner's first item with it that still stands.
    item = models.ForeignKey(SubmissionItem, on_delete=models.SET_NULL, related_name="finds", null=True)
    # The owner could not read any sequence with an equal result when submitting it.
    own = models.BooleanField()
    submitted_at = models.DateTimeField()
    # When it was first verified for this owner.
    found_at = models.DateTimeField()
    opens_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["program_sha256", "metric", "ratio", "opens_at"], name="find_by_opening"),
            models.Index(fields=["program_sha256", "metric", "ratio", "found_at"], name="find_by_time"),
            models.Index(
                fields=["program_sha256", "metric", "ratio", "submitted_at"],
                condition=Q(own=True),
                name="find_by_submission",
            ),
            models.Index(fields=["owner", "program_sha256", "metric", "ratio"], name="find_of_owner"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["state_sha256", "metric", "owner"], name="find_once_per_owner")
        ]

    def __str__(self) -> str:
        return f"{self.state_sha256[:12]} by {self.owner_id}"


class EntryFigures(models.Model):
    """What an entry's rank depends on, and what a board shows of it."""

    # A row that is written without a group gets one of its own.
    agent_group = models.CharField(
        max_length=limits.AGENT_GROUP_LENGTH, db_default=Cast(RandomUUID(), models.CharField())
    )
    # Of these entries the best competes: those of an owner.
    rank_group = models.CharField(
        max_length=limits.AGENT_GROUP_LENGTH, db_default=Cast(RandomUUID(), models.CharField())
    )
    best_of_owner = models.BooleanField(default=False)
    score = models.FloatField(null=True, blank=True)
    mean_improvement = models.FloatField(null=True, blank=True)
    verified = models.PositiveIntegerField()
    # Verified benchmarks whose results the owner could have read.
    copied = models.PositiveIntegerField(default=0, db_default=0)
    # Those whose results were better than all before them.
    records = models.PositiveIntegerField(default=0, db_default=0)
    total = models.PositiveIntegerField()
    effective_actions = models.PositiveBigIntegerField()
    submitted_at = models.DateTimeField(db_default=Now())
    # The square of the standard error of the score's logarithm, and its degrees of freedom; None where the
    # score is exact, or the error of a benchmark unknown.
    log_variance = models.FloatField(null=True, blank=True)
    log_freedom = models.FloatField(null=True, blank=True)
    # The first benchmarks without a verified result; empty while replays are left.
    missing = models.JSONField(default=list, db_default=[], blank=True)
    # It has a score, covers the whole board, and is not a collection of what others found.
    rankable = models.GeneratedField(
        expression=Case(When(RANKABLE, then=True), default=False),
        output_field=models.BooleanField(),
        db_persist=True,
    )
    # It competes for a rank: only the best entry of an owner does.
    leading = models.GeneratedField(
        expression=Case(When(RANKABLE & Q(best_of_owner=True), then=True), default=False),
        output_field=models.BooleanField(),
        db_persist=True,
    )

    if TYPE_CHECKING:
        board: models.ForeignKey[Board, Board]
        board_id: int
        submission: models.ForeignKey[Submission, Submission]
        submission_id: uuid.UUID
        pending: int
        position: int
        rank: int | None
        rank_high: int | None

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.board_id}: {self.submission_id}"

    @property
    def rank_text(self) -> str:
        if self.rank is None:
            return ""
        return f"{self.rank}" if self.rank == self.rank_high else f"{self.rank}–{self.rank_high}"  # noqa: RUF001 - a range

    @property
    def score_interval(self) -> tuple[float, float] | None:
        if self.score is None or self.log_variance is None or self.log_freedom is None:
            return None
        return Estimate(math.log(self.score), self.log_variance, self.log_freedom).interval

    @property
    def saving(self) -> float | None:
        return saving(self.score) if self.score else None

    @property
    def complete(self) -> bool:
        return 0 < self.total == self.verified

    @property
    def own_items(self) -> int:
        return self.verified - self.copied

    @property
    def is_collection(self) -> bool:
        # More than half of its results could be read, and none is a record, so that it has no rank.
        return self.verified < 2 * self.copied and not self.records

    @property
    def coverage(self) -> float:
        return self.verified / self.total if self.total else 0.0


class Standing(EntryFigures):
    """A submission's figures on its board, computed from its items. Never edited.

    Places and ranks depend on the others, so they are computed when rows are read: ``boards.standings`` adds
    ``position`` and ``rank``. The database itself computes who may have one.
    """

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="standings")
    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="standing")
    pending = models.PositiveIntegerField(default=0)
    built_at = models.DateTimeField()
    # When the entry was rankable for the first time; kept while it is verified anew.
    ranked_at = models.DateTimeField(null=True, blank=True)
    # The sums of the score and of its error, as `ranking.exact_sum_text` writes them.
    log_total = models.TextField(default="", db_default="", blank=True)
    improvement_total = models.TextField(default="", db_default="", blank=True)
    variance_total = models.TextField(default="0p0", db_default="0p0")
    share_total = models.TextField(default="0p0", db_default="0p0")
    estimated = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        verbose_name = "standing of an entry"
        verbose_name_plural = "standings of entries"
        ordering = ("board", *BOARD_ORDER)
        indexes: ClassVar = [
            models.Index("board", *BOARD_ORDER, condition=Q(pending=0), name="standing_ended_ranking"),
            models.Index(
                "board",
                *BOARD_ORDER,
                condition=Q(pending=0, best_of_owner=True),
                name="standing_ended_and_listed",
            ),
            models.Index("board", "rank_group", *ENTRY_PREFERENCE, name="standing_group_ranking"),
            models.Index(fields=["board", "agent_group"], name="standing_of_agent"),
            models.Index(
                fields=["board", "-submitted_at"], condition=Q(pending__gt=0), name="standing_pending"
            ),
            models.Index(
                fields=["board", "ranked_at"],
                include=["score", "submission"],
                condition=Q(rankable=True),
                name="standing_first_ranked",
            ),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["board", "rank_group"],
                condition=Q(best_of_owner=True),
                name="standing_one_best_of_group",
            ),
            models.CheckConstraint(condition=Q(verified__lte=F("total")), name="standing_coverage_possible"),
        ]


class StandingPeriod(EntryFigures):
    """The figures that an entry had from one moment to another, between verdicts on its items.

    An entry has no period while any of its replays is left. So the periods of a moment are its standings.
    """

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="periods")
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="periods")
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)

    pending = 0

    class Meta:
        ordering = ("board", "since", "pk")
        indexes: ClassVar = [models.Index(fields=["board", "since"], name="period_of_board")]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["submission"], condition=Q(until__isnull=True), name="period_one_open"
            )
        ]
