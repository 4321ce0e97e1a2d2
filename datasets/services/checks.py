"""What a dataset's folder must hold before any of it is stored: all problems at once."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from datasets.models import Benchmark
from optarena.datasets.dataset import MANIFEST_NAME
from optarena.datasets.deprecated import DEPRECATED_NAME, deprecation_of
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.limits import MAX_BENCHMARK_BYTES

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.datasets import Manifest, ManifestBenchmark


def manifest_bytes(folder: Path) -> bytes:
    """The manifest in a dataset's folder.

    Raises:
        InvalidInput: There is none.
    """
    try:
        return (folder / MANIFEST_NAME).read_bytes()
    except OSError as error:
        remedy = f"Name a folder that holds {MANIFEST_NAME} and the programs it lists."
        message = f"The folder {folder} has no readable manifest."
        raise InvalidInput(message, field="manifest_dir", value=str(folder), remedy=remedy) from error


def deprecation(folder: Path) -> tuple[str, str] | None:
    """Why the dataset in a folder should not be used any more, and its successor; None if one may use it.

    Raises:
        InvalidDocument: The file that says so is malformed.
    """
    if not deprecation_of(folder):
        return None
    told = json.loads((folder / DEPRECATED_NAME).read_bytes())
    return told["reason"], told.get("successor", "")


def check_programs(manifest: Manifest, folder: Path) -> None:
    """Read every program of a manifest and compare it with what the manifest says.

    Raises:
        InvalidDocument: With every problem found.
    """
    problems: list[Problem] = []
    for row, entry in enumerate(manifest.benchmarks):
        problems.extend(_entry_problems(row, entry))
        try:
            program = (folder / entry.file).read_bytes()
        except OSError:
            problems.append(_problem(row, "file", entry.file, "The file cannot be read.", "Add the file."))
        else:
            problems.extend(_program_problems(row, entry, program))
    if problems:
        raise InvalidDocument(problems)


def _entry_problems(row: int, entry: ManifestBenchmark) -> list[Problem]:
    problems = []
    if entry.kind != Benchmark.Kind.STORED:
        remedy = "Ranges of computed programs are registered by their environment."
        problems.append(_problem(row, "kind", entry.kind, "A manifest lists stored programs.", remedy))
    for workload in entry.workloads:
        texts = (*(arg.encode() for arg in workload.args), workload.stdin, workload.expected_stdout)
        if any(b"\0" in text for text in texts):
            message = "A workload's text has a NUL character, which the database cannot hold."
            problems.append(_problem(row, "workloads", workload.name, message, "Use printable text."))
    return problems


def _program_problems(row: int, entry: ManifestBenchmark, program: bytes) -> list[Problem]:
    problems = []
    actual = hashlib.sha256(program).hexdigest()
    if actual != entry.sha256:
        remedy = "Build the dataset again, or restore the file."
        message = f"The program's sha256 is {actual}."
        problems.append(_problem(row, "sha256", entry.sha256, message, remedy))
    elif len(program) != entry.size_bytes:
        message = f"The program has {len(program)} bytes."
        problems.append(
            _problem(row, "size_bytes", str(entry.size_bytes), message, "Build the dataset again.")
        )
    if len(program) > MAX_BENCHMARK_BYTES:
        message = f"A program has at most {MAX_BENCHMARK_BYTES} bytes."
        problems.append(_problem(row, "size_bytes", str(len(program)), message, "Leave the program out."))
    return problems


def _problem(row: int, field: str, value: str, message: str, remedy: str) -> Problem:
    return Problem(row=row, field=field, value=value, message=message, remedy=remedy)
