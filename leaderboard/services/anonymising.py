"""Removes what a deleted account's owner wrote beside the results. The results themselves stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leaderboard.models import FormerVerdict, IdempotencyKey, Submission, SubmissionEdit

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def anonymise(*, user: User, former_name: str) -> None:
    """Remove descriptions, links and their history, and put the new name where the former one was written."""
    submissions = Submission.objects.filter(owner=user)
    SubmissionEdit.objects.filter(submission__in=submissions.values("pk")).delete()
    submissions.update(description="", url="")
    IdempotencyKey.objects.filter(owner=user).delete()
    FormerVerdict.objects.filter(reopened_by=former_name).update(reopened_by=user.username)
