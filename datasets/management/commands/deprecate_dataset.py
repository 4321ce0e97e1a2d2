"""``manage.py deprecate_dataset NAME --reason …``: hide a dataset version from lists, with a reason."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError, CommandParser

from datasets.services import deprecate_dataset, restore_dataset
from optarena.errors import InvalidInput


class Command(BaseCommand):
    help = "Hide a dataset version from lists and say on its page why it should not be used any more."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("dataset", help="the name of a loaded dataset version: kernels-v0")
        parser.add_argument("--reason", default="", help="for people: why it should not be used any more")
        parser.add_argument("--successor", default="", help="the dataset version to use instead")
        parser.add_argument("--undo", action="store_true", help="show it in lists again")

    def handle(
        self, *, dataset: str, reason: str = "", successor: str = "", undo: bool = False, **_: object
    ) -> None:
        if undo and (reason or successor):
            raise CommandError("--undo takes neither --reason nor --successor: leave these out, or --undo.")
        try:
            if undo:
                version = restore_dataset(name=dataset)
            else:
                version = deprecate_dataset(name=dataset, reason=reason, successor=successor)
        except InvalidInput as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{version.name}: {version.deprecation or 'not deprecated'}")
