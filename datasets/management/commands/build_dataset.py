"""``manage.py build_dataset SUITE [--check]``: make a dataset, or see whether it is up to date."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.core.management.base import BaseCommand, CommandError

from datasets.builder import (
    Program,
    Toolchain,
    build_suite,
    differences,
    manifest_of,
    read_suite,
    write_dataset,
)
from optarena.datasets.registry import BUILTIN
from optarena.errors import InvalidDocument, OptArenaError

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

SUITES: Final = Path(__file__).resolve().parents[2] / "suites"


class Command(BaseCommand):
    """Builds a dataset; needs no database."""

    help = "Build a dataset from its suite of C programs."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """One suite, and where its dataset is."""
        suites = ", ".join(sorted(path.parent.name for path in SUITES.glob("*/suite.toml")))
        parser.add_argument("suite", type=Path, help=f"a suite of this repository ({suites}), or a folder")
        parser.add_argument(
            "--check",
            action="store_true",
            help="write nothing; fail if the dataset differs from a fresh build",
        )
        parser.add_argument(
            "--output", type=Path, default=BUILTIN, help="folder of datasets (default: the package's own)"
        )

    def handle(self, *, suite: Path, check: bool, output: Path, **options: object) -> None:  # noqa: ARG002 - Django's own options
        """Build it, or say everything that is wrong."""
        source = suite if suite.is_dir() else SUITES / suite
        try:
            described = read_suite(source)
            toolchain = Toolchain(described.toolchain)
            if toolchain.sanitizer is None:
                self.stderr.write(
                    "No gcc with sanitizers here: programs are not checked for undefined behaviour."
                )
            programs = build_suite(described, toolchain=toolchain, on_program=self._announce)
            manifest = manifest_of(described, programs)
        except InvalidDocument as error:
            lines = (
                f"{problem.field}: {problem.message} {problem.value}".strip() for problem in error.problems
            )
            raise CommandError("\n".join(lines)) from error
        except OptArenaError as error:
            raise CommandError(str(error)) from error
        folder = output / described.name
        if check:
            if found := differences(folder, manifest, programs):
                raise CommandError("\n".join([f"{folder} is not up to date:", *found]))
            self.stdout.write(f"{folder} is what its suite gives")
        else:
            write_dataset(folder, manifest, programs)
            self.stdout.write(f"{len(programs)} programs in {folder}, sha256 {manifest['sha256'][:12]}")

    def _announce(self, program: Program) -> None:
        self.stdout.write(program.name)
        self.stdout.flush()
