"""The figures of each submission on its board, as they are and as they were."""

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

if TYPE_CHECKING:
    import uuid


class EntryFigures(models.Model):
    """What an entry's rank depends on, and what a board shows of it.

    Attributes:
        agent_group: Entries of one group compete for one rank; only the ``best_of_agent`` gets it.
        submitted_at: When the submission was made: the earlier of two equal entries stands first.
        log_variance, log_freedom: The square of the standard error of the score's logarithm, and its degrees
            of freedom; None where the score is exact, or the error of a benchmark unknown.
        copied: Number of verified benchmarks whose results are not finds of the entry's owner; see ``Find``.
        missing: The URIs of the first benchmarks without a verified result, at most
            ``limits.MAX_MISSING_NAMED``; empty while replays are left.
        rankable: Whether the entry has a score, covers the whole board, and has a find of its owner.
        leading: Whether it competes for a rank: rankable, and the best of its agent.
    """

    # A row that is written without a group gets one of its own.
    agent_group = models.CharField(
        max_length=limits.AGENT_GROUP_LENGTH, db_default=Cast(RandomUUID(), models.CharField())
    )
    best_of_agent = models.BooleanField(default=False)
    score = models.FloatField(null=True, blank=True)
    mean_improvement = models.FloatField(null=True, blank=True)
    verified = models.PositiveIntegerField()
    copied = models.PositiveIntegerField(default=0, db_default=0)
    total = models.PositiveIntegerField()
    effective_actions = models.PositiveBigIntegerField()
    submitted_at = models.DateTimeField(db_default=Now())
    log_variance = models.FloatField(null=True, blank=True)
    log_freedom = models.FloatField(null=True, blank=True)
    missing = models.JSONField(default=list, db_default=[], blank=True)
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


class Standing(EntryFigures):
    """A submission's figures on its board, computed from its items. Never edited.

    Places and ranks depend on the others, so they are computed when rows are read: ``selectors.standings``
    and ``selectors.set_ranks`` add ``position`` and ``rank``. The database itself computes who may have one.

    Attributes:
        pending: Number of its items whose replays have not ended.
        ranked_at: When the entry was rankable for the first time; kept while it is verified anew.
        log_total, improvement_total: The sums of the score, as ``totals`` writes them.
        variance_total, share_total, estimated: The sums of its error, where it is measured; likewise.
    """

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="standings")
    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="standing")
    pending = models.PositiveIntegerField(default=0)
    built_at = models.DateTimeField()
    ranked_at = models.DateTimeField(null=True, blank=True)
    log_total = models.TextField(default="", db_default="", blank=True)
    improvement_total = models.TextField(default="", db_default="", blank=True)
    variance_total = models.TextField(default="0p0", db_default="0p0")
    share_total = models.TextField(default="0p0", db_default="0p0")
    estimated = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        ordering = ("board", *BOARD_ORDER)
        indexes: ClassVar = [
            models.Index("board", *BOARD_ORDER, condition=Q(pending=0), name="standing_ended_ranking"),
            models.Index(
                "board",
                *BOARD_ORDER,
                condition=Q(pending=0, best_of_agent=True),
                name="standing_ended_and_listed",
            ),
            models.Index("board", "agent_group", *ENTRY_PREFERENCE, name="standing_agent_ranking"),
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
                fields=["board", "agent_group"],
                condition=Q(best_of_agent=True),
                name="standing_one_best_of_agent",
            ),
            models.CheckConstraint(condition=Q(verified__lte=F("total")), name="standing_coverage_possible"),
        ]


class StandingPeriod(EntryFigures):
    """The figures that an entry had from one moment to another, between verdicts on its items.

    An entry has no period while any of its replays is left. So the periods of a moment are its standings.

    Attributes:
        since: When the figures became those.
        until: When they changed, or the entry was withdrawn or verified anew; None while they hold.
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
            ),
        ]
