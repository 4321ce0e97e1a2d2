"""``manage.py rebuild_standings``: computes whole boards from their items, and reports differences.

A difference is not expected, since standings are updated with each verdict. Run it to be sure, after a
restored backup.
"""

from __future__ import annotations

import uuid
from argparse import ArgumentParser
from collections.abc import Collection
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from leaderboard.boards.services import rebuild_boards
from leaderboard.models import Board

_NAMED: Final = 10


class Command(BaseCommand):
    help = "Compute standings again from all items, write those that differ, and name their submissions."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("boards", nargs="*", metavar="BOARD", help="slugs of boards (default: all)")
        parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if anything differs")

    def handle(self, *, boards: list[str], check: bool, **options: Any) -> None:  # noqa: ANN401, ARG002 - Django's signature
        # Each board in a transaction of its own.
        found = []
        for board in _named(boards) if boards else Board.objects.order_by("slug"):
            differing = rebuild_boards(board_ids=[board.pk], write=not check)[board.pk]
            self.stdout.write(f"Board {board.slug}: {_said(board.standings.count(), differing)}")
            found.append(bool(differing))
        if check and any(found):
            raise CommandError("Some standings differ from their items; run this without --check.")


def _named(slugs: Collection[str]) -> list[Board]:
    known = {board.slug: board for board in Board.objects.all()}
    for slug in slugs:
        if slug not in known:
            raise CommandError(
                f"There is no board {slug!r}. Boards: {', '.join(sorted(known)) or 'none yet'}."
            )
    return [known[slug] for slug in slugs]


def _said(entries: int, differing: Collection[uuid.UUID]) -> str:
    if not differing:
        return f"{entries} entries, none differed"
    named = ", ".join(sorted(map(str, differing))[:_NAMED])
    rest = f" and {len(differing) - _NAMED} more" if len(differing) > _NAMED else ""
    return f"{entries} entries, {len(differing)} differed: submissions {named}{rest}"
