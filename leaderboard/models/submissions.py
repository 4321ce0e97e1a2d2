"""Submissions, their items, and the verdicts on these."""

from __future__ import annotations

import uuid
from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import Q

from leaderboard.common.addresses import item_address, submission_address
from leaderboard.common.stamps import StampedTime
from leaderboard.effort import effort_class
from leaderboard.models.boards import Board, benchmark_name
from optarena import limits
from optarena.measuring.estimates import Estimate
from optarena.specs.results import REASONS, Reason

COULD_NOT_BE_VERIFIED: Final = "could not be verified"
"""What pages say where the infrastructure failed, which says nothing about an item."""


class Submission(models.Model):
    """The results that one owner's agent sent to one board. A submission is never deleted, only withdrawn.

    Attributes:
        created: The database's time: finds compare it with that of verdicts, which workers decide.
        baseline_command: The command that found a baseline; empty for all other submissions. Nobody but
            ``manage.py load_baselines`` sets it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    board = models.ForeignKey(Board, on_delete=models.PROTECT, related_name="submissions")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="submissions")
    agent = models.CharField(max_length=limits.AGENT_LENGTH)
    description = models.TextField(blank=True, max_length=limits.DESCRIPTION_LENGTH)
    url = models.URLField(blank=True, max_length=limits.SUBMISSION_URL_LENGTH)
    compilations = models.PositiveBigIntegerField(null=True, blank=True)
    walltime_seconds = models.FloatField(null=True, blank=True)
    trained_on_test_set = models.BooleanField(default=False)
    baseline_command = models.TextField(blank=True, default="", db_default="")
    content_sha256 = models.CharField(max_length=limits.SHA256_LENGTH)
    created = StampedTime(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

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

    def __str__(self) -> str:
        return f"{self.agent} ({self.id})"

    def get_absolute_url(self) -> str:
        """The submission's page."""
        return submission_address("leaderboard:submission", self.pk)

    @property
    def effort(self) -> str:
        """The class of effort, as reported."""
        return effort_class(self.compilations)


COUNTED_VERDICTS: Final = ("pending", "refuted", "quarantined", "failed")
"""The verdicts of which a tally counts each item; the others of a submission are verified."""


class SubmissionItem(models.Model):
    """One benchmark of a submission, with its claims and the verdict of our replay.

    Attributes:
        log_ratio: The logarithm of its ratio; where it is measured, the mean over the blocks.
        log_variance, log_freedom: The square of the standard error of ``log_ratio``, and its degrees of
            freedom; None where it is exact, or its error unknown.
        state_sha256: Identifies the program's state at the end of its replay, as ``Find`` has it; empty
            unless it was verified and nothing contradicts that.
        own: Whether that state is a find of its owner; None where ``state_sha256`` is empty.
    """

    class Verdict(models.TextChoices):
        """The verdict on an item."""

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
    log_ratio = models.FloatField(null=True, blank=True)
    log_variance = models.FloatField(null=True, blank=True)
    log_freedom = models.FloatField(null=True, blank=True)
    effective_actions = models.PositiveIntegerField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    reviewed = models.BooleanField(default=False, db_default=False)
    state_sha256 = models.CharField(max_length=limits.SHA256_LENGTH, default="", db_default="", blank=True)
    own = models.BooleanField(null=True, blank=True)

    class Meta:
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
        """The item's page."""
        return item_address("leaderboard:item", self.submission_id, self.position)

    @property
    def benchmark_name(self) -> str:
        """The benchmark's name."""
        return benchmark_name(self.benchmark, self.benchmark_uri)

    @property
    def explanation(self) -> Reason | None:
        """The meaning and the remedy of the reason; None for items without one."""
        return REASONS.get(self.reason)

    @property
    def verdict_label(self) -> str:
        """The verdict as pages show it."""
        unverified = self.verdict == self.Verdict.FAILED and self.reason.startswith("infra:")
        return COULD_NOT_BE_VERIFIED if unverified else self.verdict

    @property
    def ratio_interval(self) -> tuple[float, float] | None:
        """The confidence interval of a measured ratio; None where it is exact, or its error unknown."""
        if self.log_ratio is None or self.log_variance is None or self.log_freedom is None:
            return None
        return Estimate(self.log_ratio, self.log_variance, self.log_freedom).interval

    @property
    def measured(self) -> dict[str, float]:
        """The measured values by metric; empty until the replay has ended."""
        metrics: dict[str, float] = (self.verification.metrics if self.verification else None) or {}
        return metrics


class FormerVerdict(models.Model):
    """The end of an item's replay that does not count any more, since the item was reopened.

    Attributes:
        item: The item.
        verification: The replay that the item waited for then.
        reviewed: Whether a reviewer had decided.
        reopened_at: When the item became pending again.
        reopened_by: Who or what asked for another replay: ``ada``, ``reverify``.
    """

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
    reopened_by = models.CharField(max_length=limits.ACTOR_LENGTH)

    class Meta:
        ordering = ("item", "-reopened_at", "-pk")

    def __str__(self) -> str:
        return f"{self.item_id} {self.verdict} {self.reason}".strip()

    @property
    def explanation(self) -> Reason | None:
        """The meaning of the reason; None where there was none."""
        return REASONS.get(self.reason)


class IdempotencyKey(models.Model):
    """Remembers which submission an owner's key made, so that a repeated request makes no second one."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=limits.IDEMPOTENCY_KEY_LENGTH)
    body_sha256 = models.CharField(max_length=limits.SHA256_LENGTH)
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="+")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "key"], name="idempotency_key_once_per_owner"),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id}:{self.key}"
