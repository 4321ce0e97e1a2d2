"""Deletes what nobody needs any more, on an operator's request; see ``runner.services.pruning``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from leaderboard.accounts.models import ApiToken
from leaderboard.models import IdempotencyKey, SubmissionItem
from runner import services as runner
from runner.models import Verification

if TYPE_CHECKING:
    import uuid
    from datetime import datetime

    from django.db.models import QuerySet


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """What was deleted, or would be.

    Attributes:
        events: Events between the first and the last of a verification.
        traces: Replays that lost their steps.
        calibrations: Calibrations of workers' machines.
        keys: Idempotency keys.
        tokens: Expired API tokens.
        sessions: Expired sessions of browsers.
    """

    events: int
    traces: int
    calibrations: int
    keys: int
    tokens: int
    sessions: int


def prune(*, before: datetime, write: bool = True) -> Pruned:
    """Delete history of what ended before a moment, and tokens and sessions that have expired.

    The steps of a replay stay as long as an item that it decided is in the best entry of its agent: what a
    board shows can be looked at. Verdicts, results, metrics and standings never change.

    Args:
        before: Only what ended before this moment.
        write: False only counts.
    """
    traces = _old_traces(before)
    keys = IdempotencyKey.objects.filter(created__lt=before)
    tokens = ApiToken.objects.filter(expiry__lt=timezone.now())
    sessions = Session.objects.filter(expire_date__lt=timezone.now())
    if not write:
        return Pruned(
            events=runner.old_events(before=before),
            traces=traces.count(),
            calibrations=runner.old_calibrations(before=before),
            keys=keys.count(),
            tokens=tokens.count(),
            sessions=sessions.count(),
        )
    return Pruned(
        events=runner.prune_events(before=before),
        traces=runner.prune_traces(verification_ids=_ids(traces)),
        calibrations=runner.prune_calibrations(before=before),
        keys=keys.delete()[0],
        tokens=tokens.delete()[0],
        sessions=sessions.delete()[0],
    )


def _old_traces(before: datetime) -> QuerySet[Verification]:
    """Replays with steps that ended before a moment and that decided no item of an agent's best entry.

    One that is being verified, perhaps anew, may become the best.
    """
    items = SubmissionItem.objects.filter(verification=OuterRef("pk"))
    kept = Q(submission__standing__best_of_agent=True) | Q(submission__standing__pending__gt=0)
    shown = items.filter(kept)
    old = Verification.objects.filter(finished_at__lt=before, result__steps__0__isnull=False)
    return old.exclude(Exists(shown)).order_by("pk")


def _ids(verifications: QuerySet[Verification]) -> list[uuid.UUID]:
    return list(verifications.values_list("pk", flat=True))
