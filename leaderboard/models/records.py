"""Records: results that were the best of their benchmark on a board when they were verified."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from leaderboard.models.boards import Board
from leaderboard.models.submissions import SubmissionItem
from optarena import limits


class BoardRecord(models.Model):
    """A find that was better than all records of its benchmark on its board that stood before.

    A row stays when its item does not count any more; those of verified finds are shown. Its ratio is that of
    its item, which changes when a time is measured again.

    Attributes:
        at: When the item was verified.
        former_ratio: The best ratio before; None of the first.
    """

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="records")
    item = models.OneToOneField(SubmissionItem, on_delete=models.CASCADE, related_name="record")
    benchmark_uri = models.CharField(max_length=limits.ITEM_URI_LENGTH)
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
        """The ratio of its item, by all measurements together; 0 where the item lost its result."""
        return self.item.ratio or 0.0
