"""Rows of step data: which replays the releases of this server have."""

from __future__ import annotations

from django.db import models

from optarena import limits


class ReleasedSequence(models.Model):
    # A replay whose sequence a release has, with what the item says of it; several items may share a replay.
    # The release is empty if there were no steps to release.
    verification = models.OneToOneField(
        "runner.Verification", on_delete=models.CASCADE, related_name="+", primary_key=True
    )
    item = models.ForeignKey("leaderboard.SubmissionItem", on_delete=models.CASCADE, related_name="+")
    origin = models.TextField()
    release = models.CharField(max_length=limits.RELEASE_NAME_LENGTH, blank=True)

    def __str__(self) -> str:
        return f"{self.release}: {self.origin}"
