"""What owners changed about their entries afterwards."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from leaderboard.models.submissions import Submission


class SubmissionEdit(models.Model):
    """One change of what an owner says about a submission; results are never edited.

    Attributes:
        changes: By the name of each column that changed, its value before and after.
    """

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="edits")
    at = models.DateTimeField()
    changes = models.JSONField()

    class Meta:
        ordering = ("-at", "-id")
        indexes: ClassVar = [models.Index(fields=["submission", "-at", "-id"], name="edit_newest")]

    def __str__(self) -> str:
        return f"{self.submission_id} {', '.join(self.changes)}"
