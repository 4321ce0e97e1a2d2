"""``manage.py build_dataset SUITE [--check]``: build a dataset, or check whether it is up to date."""

from __future__ import annotations

import errno
import logging
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from datasets.builder.build import OnProgram, Workshop, build_suite, build_units
from datasets.builder.files import folder_lock
from datasets.builder.measured_sources import build_sources
from datasets.builder.output import (
    LOCK_FILE,
    BuiltDataset,
    check_known,
    check_lock,
    check_replaceable,
    dataset_of_programs,
    dataset_of_sources,
    dataset_of_units,
    differences,
    lock_differences,
    write_dataset,
    writing_lock,
)
from datasets.builder.suite import SUITE_FILE, SUITES, Program, Suite, read_suite
from optarena import paths
from optarena.datasets.registry import BUILTIN
from optarena.errors import InvalidDocument, OptArenaError

_INTERRUPTED: Final = 130  # the exit code of a shell for an interrupted program


class Command(BaseCommand):
    help = "Build a dataset from its suite of C programs."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("suite", type=Path, help=f"a suite of this repository ({_suites()}), or a folder")
        parser.add_argument(
            "--check",
            action="store_true",
            help="write nothing; fail if the dataset differs from a fresh build",
        )
        parser.add_argument(
            "--output",
            type=Path,
            help="folder for datasets (default: the package's for those that it ships, else the user's)",
        )
        parser.add_argument(
            "--jobs", type=int, help="number of programs built at once (default: one for each processor)"
        )
        parser.add_argument("--offline", action="store_true", help="do not fetch archives; use kept ones")
        parser.add_argument(
            "--cache", type=Path, help="folder for archives and results (default: $OPTARENA_CACHE/build)"
        )
        parser.add_argument(
            "--update-lock", action="store_true", help=f"write {LOCK_FILE} again if the dataset has changed"
        )

    def handle(  # noqa: PLR0913 - Django passes every option by name
        self,
        *,
        suite: Path,
        check: bool,
        output: Path | None,
        jobs: int | None,
        offline: bool,
        cache: Path | None,
        update_lock: bool,
        **_: object,
    ) -> None:
        folder = _folder(suite)
        if jobs is not None and jobs < 1:
            raise CommandError(f"--jobs is {jobs}: give 1 or more.")
        if check and update_lock:
            raise CommandError("--check writes nothing, but --update-lock does: give only one of them.")
        logging.getLogger("httpx2").setLevel(logging.WARNING)  # it logs every request
        with _as_command_errors(cache, output):
            described = read_suite(folder)
            parent = output or (
                BUILTIN if described.shipped and folder.parent == SUITES else paths.site_data() / "datasets"
            )
            target = parent.resolve() / described.name
            if not check:
                check_known(folder, described, update=update_lock)
                check_replaceable(target, described.name)
            with _interruptible():
                built = self._built(Workshop.of(described, cache, offline=offline), jobs)
                if check:
                    found = [*differences(target, built), *lock_differences(folder, described, built)]
                    if found:
                        raise CommandError("\n".join([f"{target} is not up to date:", *found]))
                    self.stdout.write(f"{target} is up to date")
                else:
                    self._write(folder, target, described, built, update_lock=update_lock)

    def _built(self, workshop: Workshop, jobs: int | None) -> BuiltDataset:
        of_sources = workshop.suite.of_sources
        if not of_sources:
            workshop.prepare()
            if workshop.toolchain.sanitizer is None and not workshop.suite.units:
                self.stderr.write(
                    "No compiler with sanitizers is installed: programs are not checked for undefined "
                    "behaviour."
                )
        for program in workshop.suite.programs:
            if program.excluded:
                self.stdout.write(f"{program.name} is excluded: {program.excluded}")
        with self._progress(len(workshop.suite.built)) as on_program:
            if of_sources:
                sources = build_sources(workshop, jobs=jobs, on_program=on_program)
                return dataset_of_sources(workshop.suite, sources)
            if not workshop.suite.units:
                built = build_suite(workshop, jobs=jobs, on_program=on_program)
                for one in built:
                    if advice := one.evidence.advice:
                        self.stderr.write(f"{one.compiled.program.name}: {advice}")
                return dataset_of_programs(workshop.suite, built)
            units, left_out = build_units(workshop, jobs=jobs, on_program=on_program)
        for name, reason in left_out.items():
            self.stdout.write(f"{name} is left out: {reason}")
        return dataset_of_units(workshop.suite, units)

    @contextmanager
    def _progress(self, total: int) -> Iterator[OnProgram]:
        # On a terminal, each program is printed above a progress bar.
        columns = (TextColumn("building"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        console = Console(stderr=True)
        with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
            task = bar.add_task("building", total=total)

            def on_program(program: Program, seconds: float) -> None:
                bar.advance(task)
                self.stdout.write(f"{program.name}: {seconds:.1f} s")
                self.stdout.flush()

            yield on_program

    def _write(
        self, folder: Path, target: Path, suite: Suite, built: BuiltDataset, *, update_lock: bool
    ) -> None:
        with folder_lock(target.parent):
            check_lock(folder, suite, built, update=update_lock)
            with writing_lock(folder, suite, built):
                write_dataset(target, built)
        count = len(built.manifest["benchmarks"])
        self.stdout.write(f"{count} benchmarks in {target}, sha256 {built.manifest['sha256'][:12]}")


@contextmanager
def _as_command_errors(cache: Path | None, output: Path | None) -> Iterator[None]:
    try:
        yield
    except InvalidDocument as error:
        lines = (
            f"{problem.field}: {problem.message}"
            + (f" (given: {problem.value})" if problem.value else "")
            + f" {problem.remedy}"
            for problem in error.problems
        )
        raise CommandError("\n".join(lines)) from error
    except OptArenaError as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        remedy = ""
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            places = {tempfile.gettempdir(), cache or paths.cache(), output or paths.site_data()}
            named = ", ".join(sorted(map(str, places)))
            remedy = f". Free space for the build, and start it again: {named}."
        raise CommandError(f"{error}{remedy}") from error


@contextmanager
def _interruptible() -> Iterator[None]:
    # SIGTERM becomes an interrupt: compilers run in sessions of their own, and would go on.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kinds = [one for one in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(one) != signal.SIG_IGN]
    before = {kind: signal.signal(kind, signal.default_int_handler) for kind in kinds}
    try:
        yield
    except KeyboardInterrupt:
        raise CommandError("interrupted; start the command again to go on", returncode=_INTERRUPTED) from None
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


def _suites() -> str:
    return ", ".join(sorted(path.parent.name for path in SUITES.glob(f"*/{SUITE_FILE}")))


def _folder(suite: Path) -> Path:
    for folder in (suite, SUITES / suite):
        if (folder / SUITE_FILE).exists():
            return folder.resolve()
    raise CommandError(
        f"There is no suite {str(suite)!r}: name one of {_suites()}, or a folder with {SUITE_FILE}."
    )
