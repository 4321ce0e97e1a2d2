"""The figures of each submission on its board."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

from django.contrib.postgres.functions import RandomUUID
from django.db import models
from django.db.models import Case, F, Q, When
from django.db.models.functions import Cast, Now

from leaderboard.models.boards import Board
from leaderboard.models.submissions import Submission
from leaderboard.ordering import BOARD_ORDER, ENTRY_PREFERENCE, RANKABLE
from optarena import limits
from optarena.measuring.estimates import Estimate


class Standing(models.Model):
    """A submission's figures on its board, computed from its items. Never edited.

    Places and ranks depend on the others, so they are computed when rows are read: ``selectors.standings``
    and ``selectors.set_ranks`` add ``position`` and ``rank``. The database itself computes who may have one.

    Attributes:
        agent_group: Entries of one group compete for one rank; only the ``best_of_agent`` gets it.
        submitted_at: When the submission was made: the earlier of two equal entries stands first.
        log_total, improvement_total: The sums of the score, as ``totals`` writes them.
        variance_total, share_total, estimated: The sums of its error, where it is measured; likewise.
        log_variance, log_freedom: The square of the standard error of the score's logarithm, and its degrees
            of freedom; None where the score is exact, or the error of a benchmark unknown.
        totals_at: The ``built_at`` for which the sums hold; see ``has_totals``.
        copied: Number of verified benchmarks whose results are not finds of the entry's owner; see ``Find``.
        rankable: Whether the entry has a score, covers the whole board, and has a find of its owner.
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
    copied = models.PositiveIntegerField(default=0, db_default=0)
    pending = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField()
    effective_actions = models.PositiveBigIntegerField()
    submitted_at = models.DateTimeField(db_default=Now())
    built_at = models.DateTimeField()
    log_total = models.TextField(default="", db_default="", blank=True)
    improvement_total = models.TextField(default="", db_default="", blank=True)
    variance_total = models.TextField(default="0p0", db_default="0p0")
    share_total = models.TextField(default="0p0", db_default="0p0")
    estimated = models.PositiveIntegerField(default=0, db_default=0)
    log_variance = models.FloatField(null=True, blank=True)
    log_freedom = models.FloatField(null=True, blank=True)
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
        rank_high: int | None

    class Meta:
        ordering = ("board", *BOARD_ORDER)
        indexes: ClassVar = [
            models.Index("board", *BOARD_ORDER, name="standing_board_ranking"),
            models.Index(
                "board", *BOARD_ORDER, condition=Q(best_of_agent=True), name="standing_listed_ranking"
            ),
            models.Index("board", "agent_group", *ENTRY_PREFERENCE, name="standing_agent_ranking"),
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
    def rank_text(self) -> str:
        """The rank, or its interval; empty without one."""
        if self.rank is None:
            return ""
        return f"{self.rank}" if self.rank == self.rank_high else f"{self.rank}–{self.rank_high}"  # noqa: RUF001 - a range

    @property
    def score_interval(self) -> tuple[float, float] | None:
        """The confidence interval of a measured score; None where it is exact, or its error unknown."""
        if self.score is None or self.log_variance is None or self.log_freedom is None:
            return None
        return Estimate(math.log(self.score), self.log_variance, self.log_freedom).interval

    @property
    def has_totals(self) -> bool:
        """Whether the sums are those of the figures: the release before them writes the figures alone."""
        return self.totals_at == self.built_at

    @property
    def complete(self) -> bool:
        """Whether every benchmark of the board is verified."""
        return 0 < self.total == self.verified

    @property
    def own_items(self) -> int:
        """Number of verified benchmarks whose results are finds of the entry's owner."""
        return self.verified - self.copied

    @property
    def is_collection(self) -> bool:
        """Whether all of its results are other people's finds, so that it has no rank."""
        return 0 < self.verified == self.copied

    @property
    def coverage(self) -> float:
        """Share of the board's benchmarks that are verified, 0 to 1."""
        return self.verified / self.total if self.total else 0.0
