"""``manage.py prune``: deletes old events, traces, calibrations and keys; run it daily. Results stay."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from leaderboard.services.pruning import prune
from leaderboard.settings.environment import MOST_DAYS

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Delete what nobody needs any more."""

    help = (
        "Delete events, traces, calibrations and idempotency keys older than --days, and expired tokens and "
        "sessions."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """``--days`` and ``--dry-run``."""
        parser.add_argument(
            "--days", type=int, default=365, help="age of what is deleted, in days (default: 365)"
        )
        parser.add_argument("--dry-run", action="store_true", help="only count")

    def handle(self, *, days: int, dry_run: bool, **options: Any) -> None:  # noqa: ANN401, ARG002 - Django's signature
        """Delete, and print the numbers."""
        if not 1 <= days <= MOST_DAYS:
            raise CommandError(f"--days is {days}; give 1 to {MOST_DAYS}.")
        pruned = prune(before=timezone.now() - timedelta(days=days), write=not dry_run)
        said = ", ".join(f"{count} {name}" for name, count in asdict(pruned).items())
        self.stdout.write(f"{'Would delete' if dry_run else 'Deleted'}: {said}")
