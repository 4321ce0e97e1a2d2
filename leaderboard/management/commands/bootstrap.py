"""``manage.py bootstrap``: everything between an empty database and a server that can be used.

One process instead of four, since each start costs seconds. Containers run it before they start anything
else, and the embedded server while its processes start. Running it again changes nothing.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from leaderboard.boards.services import board_datasets
from optarena.datasets import datasets
from optarena.errors import InvalidInput


class Command(BaseCommand):
    help = "Migrate the database, load the boards' datasets and create the boards (idempotent)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "beside", nargs="*", metavar="DATASET", help="datasets to load in addition to those of the boards"
        )

    def handle(
        self,
        *,
        beside: Sequence[str] = (),
        **options: Any,  # noqa: ANN401 - Django's signature
    ) -> None:
        # What cannot be loaded is refused before anything is done.
        verbosity = options["verbosity"]
        try:
            wanted = [*board_datasets(), *beside]
            for name in wanted:
                if not Path(name).is_dir():
                    datasets().find(name, elsewhere=False)
        except InvalidInput as error:
            raise CommandError(str(error)) from error
        call_command("migrate", interactive=False, verbosity=verbosity)
        for dataset in wanted:
            call_command("load_dataset", dataset, verbosity=verbosity)
        call_command("load_boards", verbosity=verbosity)
