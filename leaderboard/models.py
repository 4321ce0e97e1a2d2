"""Boards, submissions, their items, and the standings derived from them.

Data and database constraints only: rules that must hold whatever code runs stand here as SQL. Writes
belong to ``services``, reads to ``selectors``.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, ClassVar, Final

from django.conf import settings
from django.contrib.postgres.functions import RandomUUID
from django.db import models
from django.db.models import Case, F, Q, When
from django.db.models.functions import Cast, Now
from django.urls import reverse

from datasets.models import Benchmark
from leaderboard.common.addresses import item_address, submission_address
from leaderboard.effort import effort_class
from leaderboard.ordering import BOARD_ORDER, ENTRY_PREFERENCE, RANKABLE
from leaderboard.ranking import PROVISIONAL_NOTICE
from optarena import limits
from optarena.specs.reasons import REASONS, Reason
from optarena.specs.uri import BenchmarkUri

COULD_NOT_BE_VERIFIED: Final = "could not be verified"
"""What pages say where the infrastructure failed, which says nothing about an item."""
UNOPTIMISED_LEVEL: Final = "O0"
"""The level whose value stands for a benchmark that is not verified."""


def benchmark_name(benchmark: Benchmark, uri: str) -> str:
    """The name of a benchmark; for a member of a range, which has no row of its own, its URI."""
    if benchmark.kind == Benchmark.Kind.STORED:
        return benchmark.name
    return BenchmarkUri.parse(uri).path


class Board(models.Model):
    """A leaderboard: one dataset version, one environment version, one metric, and a reference.

    The reference is a level recorded in the dataset's manifest, or another metric of the same replay.
    ``benchmarks`` lists the URIs that the board compares; empty means all stored benchmarks of the dataset.
    """

    class State(models.TextChoices):
        """Whether a board takes submissions."""

        OPEN = "open"
        FROZEN = "frozen"

    slug = models.SlugField(max_length=limits.STORED_SLUG_LENGTH, unique=True)
    title = models.CharField(max_length=limits.BOARD_TITLE_LENGTH)
    description = models.TextField(blank=True)
    dataset_version = models.ForeignKey(
        "datasets.DatasetVersion", on_delete=models.PROTECT, related_name="boards"
    )
    environment_version = models.ForeignKey(
        "runner.EnvironmentVersion", on_delete=models.PROTECT, related_name="boards"
    )
    metric = models.CharField(max_length=limits.BOARD_METRIC_LENGTH)
    baseline_level = models.CharField(max_length=limits.LEVEL_NAME_LENGTH, default="Oz", blank=True)
    # Columns with a db_default came later: during an upgrade the former program still adds rows.
    reference_metric = models.CharField(
        max_length=limits.BOARD_METRIC_LENGTH, default="", db_default="", blank=True
    )
    benchmarks = models.JSONField(default=list, db_default=[], blank=True)
    device = models.CharField(max_length=limits.DEVICE_LENGTH, default="cpu", db_default="cpu")
    exact = models.BooleanField(default=True)
    plausible_ratio = models.FloatField(default=1.5)
    state = models.CharField(max_length=limits.BOARD_STATE_LENGTH, choices=State.choices, default=State.OPEN)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("slug",)
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=(Q(baseline_level="") & ~Q(reference_metric=""))
                | (~Q(baseline_level="") & Q(reference_metric="")),
                name="board_compares_with_one_thing",
            ),
        ]

    def __str__(self) -> str:
        return self.slug

    def get_absolute_url(self) -> str:
        """The board's page."""
        return reverse("leaderboard:board", args=[self.slug])

    @property
    def provisional(self) -> bool:
        """Whether its rows have no rank: one measurement of a noisy metric does not give an order."""
        return not self.exact

    @property
    def provisional_notice(self) -> str:
        """The notice beside the rows of a provisional board; empty for others."""
        return PROVISIONAL_NOTICE if self.provisional else ""


class Submission(models.Model):
    """The results that one owner's agent sent to one board. A submission is never deleted, only withdrawn."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    board = models.ForeignKey(Board, on_delete=models.PROTECT, related_name="submissions")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="submissions")
    agent = models.CharField(max_length=limits.AGENT_LENGTH)
    description = models.TextField(blank=True, max_length=limits.DESCRIPTION_LENGTH)
    url = models.URLField(blank=True, max_length=limits.SUBMISSION_URL_LENGTH)
    compilations = models.PositiveBigIntegerField(null=True, blank=True)
    walltime_seconds = models.FloatField(null=True, blank=True)
    trained_on_test_set = models.BooleanField(default=False)
    content_sha256 = models.CharField(max_length=limits.SHA256_LENGTH)
    created = models.DateTimeField(auto_now_add=True)
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
    """One benchmark of a submission, with its claims and the verdict of our replay."""

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
    effective_actions = models.PositiveIntegerField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    reviewed = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ("submission", "position")
        indexes: ClassVar = [
            models.Index(fields=["benchmark_uri", "verdict", "-ratio"], name="item_benchmark_best"),
            models.Index(
                fields=["submission", "verdict"],
                condition=Q(verdict__in=COUNTED_VERDICTS),
                name="item_counted_verdict",
            ),
            models.Index(fields=["submission", "decided_at"], name="item_decision_times"),
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


class Standing(models.Model):
    """A submission's figures on its board, computed from its items. Never edited.

    Places and ranks depend on the others, so they are computed when rows are read: ``selectors.standings``
    and ``selectors.set_ranks`` add ``position`` and ``rank``. The database itself computes who may have one.

    Attributes:
        agent_group: Entries of one group compete for one rank; only the ``best_of_agent`` gets it.
        submitted_at: When the submission was made: the earlier of two equal entries stands first.
        log_total, improvement_total: The sums of the score, as ``totals`` writes them.
        totals_at: The ``built_at`` for which the sums hold; see ``has_totals``.
        rankable: Whether the entry has a score and covers the whole board.
        leading: Whether it competes for a rank: rankable, and the best of its agent.
    """

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="standings")
    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="standing")
    # During an upgrade the former program still adds rows. It sets no group, so each gets one of its own.
    agent_group = models.CharField(
        max_length=limits.AGENT_GROUP_LENGTH, db_default=Cast(RandomUUID(), models.CharField())
    )
    best_of_agent = models.BooleanField(default=False)
    score = models.FloatField(null=True, blank=True)
    mean_improvement = models.FloatField(null=True, blank=True)
    verified = models.PositiveIntegerField()
    pending = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField()
    effective_actions = models.PositiveBigIntegerField()
    submitted_at = models.DateTimeField(db_default=Now())
    built_at = models.DateTimeField()
    log_total = models.TextField(default="", db_default="", blank=True)
    improvement_total = models.TextField(default="", db_default="", blank=True)
    totals_at = models.DateTimeField(null=True, blank=True)
    rankable = models.GeneratedField(
        expression=Case(When(RANKABLE, then=True), default=False),
        output_field=models.BooleanField(),
        db_persist=True,
    )
    leading = models.GeneratedField(
        expression=Case(When(RANKABLE & Q(best_of_agent=True), then=True), default=False),
        output_field=models.BooleanField(),
        db_persist=True,
    )

    if TYPE_CHECKING:
        position: int
        rank: int | None

    class Meta:
        ordering = ("board", *BOARD_ORDER)
        indexes: ClassVar = [
            models.Index("board", *BOARD_ORDER, name="standing_board_order"),
            models.Index(
                "board", *BOARD_ORDER, condition=Q(best_of_agent=True), name="standing_listed_order"
            ),
            models.Index("board", "agent_group", *ENTRY_PREFERENCE, name="standing_agent_order"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["board", "agent_group"],
                condition=Q(best_of_agent=True),
                name="standing_one_best_of_agent",
            ),
            models.CheckConstraint(condition=Q(verified__lte=F("total")), name="standing_coverage_possible"),
        ]

    def __str__(self) -> str:
        return f"{self.board_id}: {self.submission_id}"

    @property
    def has_totals(self) -> bool:
        """Whether the sums are those of the figures: the release before them writes the figures alone."""
        return self.totals_at == self.built_at

    @property
    def complete(self) -> bool:
        """Whether every benchmark of the board is verified."""
        return 0 < self.total == self.verified

    @property
    def coverage(self) -> float:
        """Share of the board's benchmarks that are verified, 0 to 1."""
        return self.verified / self.total if self.total else 0.0
