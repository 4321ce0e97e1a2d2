"""``manage.py load_dataset NAME_OR_FOLDER``: make a dataset version known to the server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from django.core.management.base import BaseCommand, CommandError

from datasets.errors import DatasetFrozenError
from datasets.services import load_dataset, load_range
from optarena.datasets import Dataset, ParametricDataset, datasets
from optarena.errors import InvalidDocument, InvalidInput, Problem

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """Loads a dataset version; loading the same one again changes nothing."""

    help = "Load a dataset version from its manifest and programs, or from its definition (idempotent)."

    def add_arguments(self, parser: CommandParser) -> None:
        """One dataset."""
        parser.add_argument("dataset", help="the name of an installed dataset (kernels-v0), or a folder")

    def handle(self, *, dataset: str, **options: object) -> None:  # noqa: ARG002 - Django's own options
        """Load it, or say everything that is wrong with it."""
        try:
            self.stdout.write(_loaded(dataset))
        except InvalidDocument as error:
            raise CommandError("\n".join(_line(problem) for problem in error.problems)) from error
        except (InvalidInput, DatasetFrozenError) as error:
            raise CommandError(str(error)) from error


def _loaded(name: str) -> str:
    """Load a dataset; what was loaded, for people."""
    given = None if Path(name).is_dir() else datasets()[name]
    if isinstance(given, ParametricDataset):
        version = load_range(dataset=given)
        what = f"{given.uri}, n from {given.low} to {given.high}, definition"
    else:
        version = load_dataset(manifest_dir=given.folder if isinstance(given, Dataset) else Path(name))
        what = f"{version.benchmarks.count()} benchmarks, manifest"
    return f"{version.name}: {what} {version.manifest_sha256[:12]}"


def _line(problem: Problem) -> str:
    place = "manifest" if problem.row is None else f"benchmark {problem.row}"
    return f"{place}: {problem.field}: {problem.message} {problem.remedy}".strip()
