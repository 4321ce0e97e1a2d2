"""``manage.py load_boards``: creates the boards of this server. Running it again changes nothing."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.boards.services import load_boards
from leaderboard.portable.services import load_portable_boards
from optarena.errors import InvalidInput


class Command(BaseCommand):
    help = "Create the boards of this server. Their datasets must be loaded first."

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ANN401, ARG002 - Django's signature
        try:
            boards = load_boards()
            portable = load_portable_boards()
        except InvalidInput as error:
            raise CommandError(str(error)) from error
        for board in boards:
            self.stdout.write(f"Board {board.slug}: {board.dataset_version.name}, {board.metric}")
        for drawing in portable:
            self.stdout.write(f"Board {drawing.slug}: {drawing.programs} programs of {drawing.dataset}")
