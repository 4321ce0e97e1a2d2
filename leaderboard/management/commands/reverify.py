"""``manage.py reverify``: has doubted verifications replayed anew; their items are pending meanwhile."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from leaderboard.models import Board
from leaderboard.services import reverification
from runner.errors import ContentionError, EnvironmentChangedError

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from leaderboard.services.reverification import Doubted


class Command(BaseCommand):
    """Replay failures, champions, and items with a replay of other workloads anew."""

    help = (
        "Replay anew: failures that are not the infrastructure's, and items whose replay ran other workloads "
        "than their benchmark has. With --champions instead: the best verified item of each benchmark."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What is replayed, and ``--dry-run``."""
        parser.add_argument(
            "--before",
            metavar="DATETIME",
            help="what ended before this time, such as 2026-11-23T12:00 (default: failures that were not "
            "repeated, and what this command has not had replayed yet)",
        )
        parser.add_argument("--champions", action="store_true", help="the best verified items of boards")
        parser.add_argument("--board", metavar="SLUG", help="with --champions: of this board only")
        parser.add_argument("--dry-run", action="store_true", help="write nothing; only list")

    def handle(
        self,
        *,
        before: str | None,
        champions: bool,
        board: str | None,
        dry_run: bool,
        **options: Any,  # noqa: ANN401, ARG002 - as above
    ) -> None:
        """Replay one verification after the other, each in a transaction of its own."""
        if board is not None and not champions:
            raise CommandError("--board names the board of champions: add --champions.")
        moment = None if before is None else _moment(before)
        if champions:
            self._carry(
                reverification.doubted_champions(boards=_boards(board), before=moment), dry_run=dry_run
            )
            return
        self._carry(reverification.doubted_failures(before=moment), dry_run=dry_run)
        self._carry_items(dry_run=dry_run)

    def _carry(self, doubted: Iterable[Doubted], *, dry_run: bool) -> None:
        found = items = 0
        for one in doubted:
            found += 1
            pending = (
                0 if dry_run else self._try(str(one.verification_id), partial(reverification.reverify, one))
            )
            items += pending
            said = "" if dry_run else f": {pending} items are pending"
            self.stdout.write(f"{one.verification_id} {one.end} {one.uri}{said}")
        self._sum_up("verifications", found, items, dry_run=dry_run)

    def _try(self, what: str, act: Callable[[], int]) -> int:
        try:
            return act()
        except (ContentionError, EnvironmentChangedError) as error:
            self.stderr.write(f"{what} stays as it is: {error}")
            return 0

    def _carry_items(self, *, dry_run: bool) -> None:
        found = reverification.inheritors()
        pending = 0
        for item in found:
            if not dry_run:
                pending += self._try(str(item), partial(reverification.reverify_item, item))
            self.stdout.write(
                f"{item} {item.verdict}: its replay ran other workloads than {item.benchmark_uri}"
            )
        self._sum_up("items with a replay of other workloads", len(found), pending, dry_run=dry_run)

    def _sum_up(self, what: str, found: int, pending: int, *, dry_run: bool) -> None:
        done = "nothing was written" if dry_run else f"{pending} items are pending"
        self.stdout.write(f"{found} {what}; {done}.")


def _moment(text: str) -> datetime:
    """A time of the command line; without a zone it is UTC's.

    Raises:
        CommandError: The text is not a time.
    """
    try:
        day, found = parse_date(text), parse_datetime(text)
    except ValueError:
        day = found = None
    if found is None and day is not None:
        found = parse_datetime(f"{text}T00:00")
    if found is None:
        raise CommandError(f"--before is {text!r}; give a date or time, such as 2026-11-23T12:00.")
    return timezone.make_aware(found) if timezone.is_naive(found) else found


def _boards(slug: str | None) -> list[Board]:
    known = Board.objects.order_by("slug")
    if slug is None:
        return list(known)
    found = [board for board in known if board.slug == slug]
    if not found:
        named = ", ".join(board.slug for board in known) or "none yet"
        raise CommandError(f"There is no board {slug!r}. Boards: {named}.")
    return found
