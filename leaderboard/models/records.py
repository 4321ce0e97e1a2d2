"""Records: results that were the best of their benchmark on a board when they were verified."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from leaderboard.models.boards import Board
from leaderboard.models.submissions import SubmissionItem
from optarena import limits


class BoardRecord(models.Model):
    """A find that was better than all records of its benchmark on its board that stood before.

    A row stays when its item does not count any more; those of verified items are shown.

    Attributes:
        at: When the item was verified.
        former_ratio: The best ratio before; None of the first.
    """

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="records")
    item = models.OneToOneField(SubmissionItem, on_delete=models.CASCADE, related_name="record")
    benchmark_uri = models.CharField(max_length=limits.ITEM_URI_LENGTH)
    ratio = models.FloatField()
    former_ratio = models.FloatField(null=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ("-at", "-id")
        indexes: ClassVar = [
            models.Index(fields=["-at", "-id"], name="record_newest"),
            models.Index(fields=["board", "-at", "-id"], name="record_newest_of_board"),
            models.Index(fields=["board", "benchmark_uri", "-ratio"], name="record_best"),
        ]

    def __str__(self) -> str:
        return f"{self.board_id} {self.benchmark_uri} {self.ratio:.4f}"
