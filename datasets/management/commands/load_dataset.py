"""``manage.py load_dataset NAME_OR_FOLDER``: make a dataset version known to the server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from django.core.management.base import BaseCommand, CommandError

from datasets.errors import DatasetFrozenError
from datasets.services import load_dataset
from optarena.datasets import datasets
from optarena.errors import InvalidDocument, InvalidInput, Problem

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """Loads a dataset version; loading the same one again changes nothing."""

    help = "Load a dataset version from its manifest and programs (idempotent)."

    def add_arguments(self, parser: CommandParser) -> None:
        """One dataset."""
        parser.add_argument("dataset", help="the name of an installed dataset (kernels-v0), or a folder")

    def handle(self, *, dataset: str, **options: object) -> None:  # noqa: ARG002 - Django's own options
        """Load it, or say everything that is wrong with it."""
        try:
            folder = Path(dataset) if Path(dataset).is_dir() else datasets()[dataset].folder
            version = load_dataset(manifest_dir=folder)
        except InvalidDocument as error:
            raise CommandError("\n".join(_line(problem) for problem in error.problems)) from error
        except (InvalidInput, DatasetFrozenError) as error:
            raise CommandError(str(error)) from error
        count = version.benchmarks.count()
        self.stdout.write(f"{version.name}: {count} benchmarks, manifest {version.manifest_sha256[:12]}")


def _line(problem: Problem) -> str:
    place = "manifest" if problem.row is None else f"benchmark {problem.row}"
    return f"{place}: {problem.field}: {problem.message} {problem.remedy}".strip()
