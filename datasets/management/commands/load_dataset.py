"""``manage.py load_dataset NAME_OR_FOLDER``: make a dataset version known to the server."""

from __future__ import annotations

import logging
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from datasets import store
from datasets.loading import load_dataset, load_range
from datasets.models import DatasetVersion
from datasets.services import make_previews
from optarena.datasets import Dataset, ParametricDataset, datasets
from optarena.errors import InvalidDocument, OptArenaError, PlatformNotSupported


class Command(BaseCommand):
    help = "Load a dataset version from its manifest and programs, or from its definition (idempotent)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("dataset", help="the name of an installed dataset (kernels-v0), or a folder")
        parser.add_argument(
            "--no-previews",
            action="store_true",
            help="do not compute the text and features of programs for the pages",
        )

    def handle(self, *, dataset: str, no_previews: bool = False, **options: object) -> None:  # noqa: ARG002 - Django's own options
        try:
            version, what = _loaded(dataset)
        except InvalidDocument as error:
            lines = (
                f"{'manifest' if one.row is None else f'benchmark {one.row}'}: {one.field}: {one.message} "
                + one.remedy
                for one in error.problems
            )
            raise CommandError("\n".join(line.strip() for line in lines)) from error
        except OptArenaError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(store.folder_fault(error)) from error
        self.stdout.write(what)
        if no_previews:
            return
        # Each program has a session, whose start and end would fill the output.
        logger = logging.getLogger("optarena.service")
        before = logger.level
        logger.setLevel(logging.WARNING)
        try:
            refused = make_previews(version=version)
        except PlatformNotSupported as error:
            self.stderr.write(f"{version.name} has no previews of programs: {error}")
            return
        finally:
            logger.setLevel(before)
        for one in refused:
            self.stderr.write(f"{version.name}/{one.name} has no preview: {one.reason}")


def _loaded(name: str) -> tuple[DatasetVersion, str]:
    given = None if Path(name).is_dir() else datasets().find(name, elsewhere=False)
    if isinstance(given, ParametricDataset):
        version = load_range(dataset=given)
        what, document = f"{given.uri}, n from {given.low} to {given.high}", "definition"
    else:
        version = load_dataset(manifest_dir=given.folder if isinstance(given, Dataset) else Path(name))
        what, document = f"{version.benchmark_count} benchmarks", "manifest"
    content = str(version.manifest.get("sha256", ""))[:12]
    return version, f"{version.name}: {what}, sha256 {content}, {document} {version.manifest_sha256[:12]}"
