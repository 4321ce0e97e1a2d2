"""The rows of records and of the best results of each board."""

from __future__ import annotations

import math
from typing import ClassVar

from django.db import models

from leaderboard.boards.models import Board
from leaderboard.submissions.models import Submission, SubmissionItem
from optarena import limits


class BoardRecord(models.Model):
    """A find that was better than all records of its benchmark on its board that stood before.

    A row stays when its item does not count any more; those of verified finds are shown.
    """

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="records")
    item = models.OneToOneField(SubmissionItem, on_delete=models.CASCADE, related_name="record")
    benchmark_uri = models.CharField(max_length=limits.ITEM_URI_LENGTH)
    # None of the first.
    former_ratio = models.FloatField(null=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ("-at", "-id")
        indexes: ClassVar = [
            models.Index(fields=["-at", "-id"], name="record_newest"),
            models.Index(fields=["board", "-at", "-id"], name="record_newest_of_board"),
            models.Index(fields=["board", "benchmark_uri"], name="record_of_benchmark"),
        ]

    def __str__(self) -> str:
        return f"{self.board_id} {self.benchmark_uri} {self.item_id}"

    @property
    def ratio(self) -> float:
        # By all measurements together: it changes when a time is measured again. 0 where the item lost its
        # result.
        return self.item.ratio or 0.0


class BestResult(models.Model):
    """The best verified item of a benchmark on a board, and what would be the best without its find.

    Of equal results the earliest submission's is the best. Its find is its state: copies of that would not be
    there without it, other owners who found the same at the same time would.
    """

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="bests")
    benchmark_uri = models.CharField(max_length=limits.ITEM_URI_LENGTH)
    item = models.ForeignKey(SubmissionItem, on_delete=models.CASCADE, related_name="+", db_index=False)
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="+", db_index=False)
    # The best item that is left without its find.
    runner_up = models.ForeignKey(
        SubmissionItem, on_delete=models.SET_NULL, related_name="+", null=True, db_index=False
    )
    log_ratio = models.FloatField()
    # Of `runner_up`, or of the reference if that is greater; at most `log_ratio`.
    log_without = models.FloatField()
    own = models.BooleanField(null=True)

    class Meta:
        ordering = ("board", "benchmark_uri")
        indexes: ClassVar = [models.Index(fields=["board", "submission"], name="best_of_submission")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["board", "benchmark_uri"], name="best_once_per_benchmark")
        ]

    def __str__(self) -> str:
        return f"{self.board_id} {self.benchmark_uri} {self.item_id}"

    @property
    def contribution(self) -> float:
        # The share by which the ratio would be lower without its find; 0 if that is somebody else's.
        return -math.expm1(self.log_without - self.log_ratio) if self.own else 0.0
