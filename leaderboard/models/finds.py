"""Who was the first to reach a state of a program."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from leaderboard.models.submissions import SubmissionItem
from optarena import limits


class Find(models.Model):
    """A state of a program that an owner reached before anybody could read how others did.

    Several owners who found the same state at the same time have a row each; the one of the earliest
    submission is the first finder. A row stays when its item is withdrawn, or is replayed anew.

    Attributes:
        state_sha256: SHA-256 of the program's hash and the digest of its state, as
            ``services.credit.state_sha256`` makes it. The environment's version is not part of it: an equal
            state is the same find in every version, since it could be read.
        owner: Whose find it is.
        item: The owner's first item that reached the state and still stands; None if none stands any more.
        submitted_at: When that item was submitted.
        found_at: When the state was first verified for this owner, so that everybody could read how.
    """

    state_sha256 = models.CharField(max_length=limits.SHA256_LENGTH)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="finds")
    item = models.ForeignKey(SubmissionItem, on_delete=models.SET_NULL, related_name="finds", null=True)
    submitted_at = models.DateTimeField()
    found_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["state_sha256", "owner"], name="find_once_per_owner"),
        ]

    def __str__(self) -> str:
        return f"{self.state_sha256[:12]} by {self.owner_id}"
