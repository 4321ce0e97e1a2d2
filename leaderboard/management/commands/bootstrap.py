"""``manage.py bootstrap``: everything between an empty database and a server that can be used.

One process instead of four, since each start costs seconds; containers and the embedded server run it
before they start anything else. Running it again changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from leaderboard.services.boards import board_datasets
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Migrates, loads the datasets of the boards and creates the boards."""

    help = "Migrate the database, load the boards' datasets and create the boards (idempotent)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """``--static`` collects the static files too; an image has done that when it was built."""
        parser.add_argument("--static", action="store_true", help="collect the static files as well")

    def handle(self, *, static: bool, **options: Any) -> None:  # noqa: ANN401 - Django's signature
        """Run the commands, each of which may be run again."""
        verbosity = options["verbosity"]
        call_command("migrate", interactive=False, verbosity=verbosity)
        try:
            datasets = board_datasets()
        except InvalidInput as error:
            raise CommandError(str(error)) from error
        for dataset in datasets:
            call_command("load_dataset", dataset, verbosity=verbosity)
        call_command("load_boards", verbosity=verbosity)
        if static:
            call_command("collectstatic", interactive=False, verbosity=verbosity)
