"""``manage.py prune``: deletes old events, traces, calibrations and keys; run it daily. Results stay."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.contrib.sessions.models import Session
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from leaderboard.accounts.models import ApiToken
from leaderboard.models import IdempotencyKey, SubmissionItem
from leaderboard.settings.environment import MOST_DAYS
from runner.models import Calibration, Verification
from runner.queue import sweeping


class Pruned(NamedTuple):
    events: int  # Between the first and the last of a verification.
    traces: int  # Replays that lost their steps.
    calibrations: int
    keys: int
    tokens: int
    sessions: int


def prune(*, before: datetime, write: bool = True) -> Pruned:
    # The steps of a replay stay as long as an item that it decided is in the best entry of its owner, or in
    # one that is being verified and may become the best: what a board shows can be looked at. Verdicts,
    # results, metrics and standings never change.
    kept = Q(submission__standing__best_of_owner=True) | Q(submission__standing__pending__gt=0)
    shown = SubmissionItem.objects.filter(verification=OuterRef("pk")).filter(kept)
    old = Verification.objects.filter(finished_at__lt=before, result__steps__0__isnull=False)
    traces = old.exclude(Exists(shown)).order_by("pk")
    others: list[QuerySet[Any]] = [
        Calibration.objects.filter(at__lt=before),
        IdempotencyKey.objects.filter(created__lt=before),
        ApiToken.objects.filter(expiry__lt=timezone.now()),
        Session.objects.filter(expire_date__lt=timezone.now()),
    ]
    if not write:
        every: list[QuerySet[Any]] = [sweeping.middle_events(before), traces, *others]
        return Pruned(*(rows.count() for rows in every))
    return Pruned(
        sweeping.prune_events(before=before),
        sweeping.prune_traces(verification_ids=list(traces.values_list("pk", flat=True))),
        *(rows.delete()[0] for rows in others),
    )


class Command(BaseCommand):
    help = (
        "Delete events, traces, calibrations and idempotency keys older than --days, and expired tokens and "
        "sessions."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--days", type=int, default=365, help="age of what is deleted, in days (default: 365)"
        )
        parser.add_argument("--dry-run", action="store_true", help="only count")

    def handle(self, *, days: int, dry_run: bool, **options: Any) -> None:  # noqa: ANN401, ARG002 - Django's signature
        if not 1 <= days <= MOST_DAYS:
            raise CommandError(f"--days is {days}; give 1 to {MOST_DAYS}.")
        pruned = prune(before=timezone.now() - timedelta(days=days), write=not dry_run)
        said = ", ".join(f"{count} {name}" for name, count in pruned._asdict().items())
        self.stdout.write(f"{'Would delete' if dry_run else 'Deleted'}: {said}")
