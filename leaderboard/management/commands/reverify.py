"""``manage.py reverify``: has doubted verifications replayed anew, or others once more for more evidence."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from leaderboard.accounts.services import REVERIFY
from leaderboard.models import Board
from leaderboard.submissions import replay_again
from leaderboard.submissions.replay_again import Doubted
from runner.errors import ContentionError, EnvironmentChangedError


class Command(BaseCommand):
    help = (
        "Replay anew: failures that are not the infrastructure's. With --champions instead: the best "
        "verified item of each benchmark. These items are pending meanwhile. With --keep, --sample or "
        "--rows, items keep their verdicts: the replay is more evidence, and only one that contradicts "
        "it ends a verdict."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--before",
            metavar="DATETIME",
            help="what ended before this time, such as 2026-11-23T12:00 (default: failures that were not "
            "repeated, and what this command has not had replayed yet)",
        )
        parser.add_argument("--champions", action="store_true", help="the best verified items of boards")
        parser.add_argument("--keep", action="store_true", help="with --champions: verdicts stay meanwhile")
        parser.add_argument(
            "--sample", type=int, metavar="N", help="N verified items by chance; verdicts stay"
        )
        parser.add_argument(
            "--rows", action="store_true", help="all verified items of --board; verdicts stay"
        )
        parser.add_argument("--board", metavar="SLUG", help="with --champions or --rows: of this board only")
        parser.add_argument("--dry-run", action="store_true", help="write nothing; only list")

    def handle(self, *, before: str | None, dry_run: bool, **options: Any) -> None:  # noqa: ANN401 - as above
        # Each verification in a transaction of its own.
        _check(before, **options)
        if options["keep"] or options["rows"] or options["sample"] is not None:
            board, number = options["board"], options["sample"]
            if number is not None:
                chosen = replay_again.sample(number)
            elif options["rows"]:
                chosen = replay_again.rows_of(_boards(board)[0])
            else:
                chosen = sorted(replay_again.champions(_boards(board)))
            made = 0 if dry_run else replay_again.request_repetitions(chosen, actor=REVERIFY)
            done = "nothing was written" if dry_run else f"{made} are replayed once more"
            self.stdout.write(f"{len(chosen)} verifications; {done}.")
            return
        moment = None if before is None else _moment(before)
        board = options["board"]
        self._carry(
            replay_again.doubted_champions(boards=_boards(board), before=moment)
            if options["champions"]
            else replay_again.doubted_failures(before=moment),
            dry_run=dry_run,
        )

    def _carry(self, doubted: Iterable[Doubted], *, dry_run: bool) -> None:
        found = items = 0
        for one in doubted:
            found += 1
            pending = 0 if dry_run else self._reverify(one)
            items += pending
            said = "" if dry_run else f": {pending} items are pending"
            self.stdout.write(f"{one.verification_id} {one.end} {one.uri}{said}")
        done = "nothing was written" if dry_run else f"{items} items are pending"
        self.stdout.write(f"{found} verifications; {done}.")

    def _reverify(self, one: Doubted) -> int:
        try:
            return replay_again.reverify(one)
        except (ContentionError, EnvironmentChangedError) as error:
            self.stderr.write(f"{one.verification_id} stays as it is: {error}")
            return 0


def _check(before: str | None, **options: Any) -> None:  # noqa: ANN401 - as above
    chosen = [name for name in ("champions", "rows", "sample") if options[name] not in (None, False)]
    if len(chosen) > 1:
        raise CommandError(f"--{chosen[0]} and --{chosen[1]} choose different items: give one of them.")
    if options["keep"] and options["champions"] is False:
        raise CommandError("--keep says what becomes of champions: add --champions.")
    if options["board"] is not None and chosen not in (["champions"], ["rows"]):
        raise CommandError("--board names the board of champions or rows: add --champions or --rows.")
    if options["rows"] and options["board"] is None:
        raise CommandError("--rows are those of one board: add --board.")
    if before is not None and (options["keep"] or chosen in (["rows"], ["sample"])):
        raise CommandError("--before chooses what is replayed anew: leave out --keep, --rows and --sample.")
    if options["sample"] is not None and options["sample"] < 1:
        raise CommandError(f"--sample is {options['sample']}; give a number of items, such as 20.")


def _moment(text: str) -> datetime:
    # A time without a zone is UTC's.
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
