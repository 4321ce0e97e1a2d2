"""Checks a dataset's folder before any of it is stored, and reports all problems at once."""

from __future__ import annotations

import errno
import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from datasets.models import Baseline, Benchmark, DatasetVersion, Workload
from datasets.services.storable import too_long, unstorable
from optarena import limits
from optarena.datasets import BUILTIN, BenchmarkUri
from optarena.datasets.dataset import MANIFEST_NAME, PACKED, read_program
from optarena.datasets.manifest import json_of, leads_out, manifest_of, read_plain
from optarena.documents.texts import is_printable
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.specs.benchmark import RESERVED_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from optarena.datasets import Manifest, ManifestBenchmark
    from optarena.datasets import Workload as Run

_TEXTS: Final = ("uri", "title", "domain", "language", "licence")


def manifest_bytes(folder: Path) -> bytes:
    """The manifest in a dataset's folder.

    Raises:
        InvalidInput: There is no readable manifest.
    """
    try:
        return read_plain(folder / MANIFEST_NAME, limits.MAX_MANIFEST_BYTES)
    except OSError as error:
        remedy = f"Name a folder that holds {MANIFEST_NAME} and the programs it lists."
        message = f"The folder {folder} has no readable manifest: {error.strerror}."
        raise InvalidInput(message, field="manifest_dir", value=str(folder), remedy=remedy) from error


def program_bytes(folder: Path, file: str) -> bytes:
    """A program in a dataset's folder; never another file of this machine, which could be a secret.

    Raises:
        OSError: It cannot be read, is not a regular file, is elsewhere, or (``EFBIG``) is too large.
    """
    # The package's own may be links: some installers make a link for each file.
    is_out = any(leads_out(folder, name) for name in (file, f"{file}{PACKED}"))
    if is_out and not folder.is_relative_to(BUILTIN):
        raise OSError(errno.EXDEV, "it is a link that leads out of the dataset's folder", file)
    return read_program(folder / file, limits.MAX_BENCHMARK_BYTES)


def checked_manifest(text: bytes, folder: Path) -> Manifest:
    """A manifest that the database can hold, and whose programs are all in the folder, with their hashes.

    Raises:
        InvalidDocument: With every problem found.
    """
    raw = json_of(text)
    problems = unstorable(raw)
    try:
        manifest = manifest_of(raw)
    except InvalidDocument as error:
        raise InvalidDocument([*problems, *error.problems]) from error
    except UnicodeEncodeError as error:  # half a character, which is among the problems
        raise InvalidDocument(problems) from error
    described = {"title": manifest.title, "licence": manifest.licence}
    problems.extend(too_long(DatasetVersion, described))
    problems.extend(_unprintable(described))
    problems.extend(_path_problems(manifest))
    for row, entry in enumerate(manifest.benchmarks):
        problems.extend(_entry_problems(row, entry))
    problems.extend(_file_problems(manifest, folder))
    if problems:
        raise InvalidDocument(problems)
    return manifest


def _path_problems(manifest: Manifest) -> list[Problem]:
    """Checks paths, since benchmarks are found, and have pages, by their paths only."""
    problems = []
    seen: set[str] = set()
    for row, entry in enumerate(manifest.benchmarks):
        path = BenchmarkUri.parse(entry.uri).path
        if not path:
            problems.append(
                _problem(row, "uri", entry.uri, "The URI does not have a path.", "Add the benchmark's name.")
            )
        if path in seen:
            message = "Another benchmark has the same path, with other parameters."
            problems.append(_problem(row, "uri", entry.uri, message, "Give it another path."))
        if (last := path.split("/")[-1]) in RESERVED_NAMES:
            message = f"The path ends in {last!r}, which the API uses for another address."
            problems.append(_problem(row, "uri", entry.uri, message, "Give it another name."))
        seen.add(path)
        problems.extend(too_long(Benchmark, {"name": path}, row=row))
    return problems


def _entry_problems(row: int, entry: ManifestBenchmark) -> list[Problem]:
    texts = {name: getattr(entry, name) for name in _TEXTS}
    problems = [*too_long(Benchmark, texts, row=row), *_unprintable(texts, row=row)]
    if entry.kind != Benchmark.Kind.STORED:
        remedy = "Ranges of computed programs are registered by their environment."
        problems.append(_problem(row, "kind", entry.kind, "A manifest lists stored programs.", remedy))
    for metric, levels in entry.baselines.items():
        problems.extend(too_long(Baseline, {"metric": metric}, row=row, path="baselines"))
        for level in levels:
            problems.extend(too_long(Baseline, {"level": level}, row=row, path=f"baselines.{metric}"))
    if len(entry.workloads) > limits.MAX_WORKLOADS:
        message = f"A benchmark has at most {limits.MAX_WORKLOADS} workloads."
        problems.append(_problem(row, "workloads", str(len(entry.workloads)), message, "Leave some out."))
    for number, workload in enumerate(entry.workloads):
        problems.extend(_workload_problems(row, f"workloads[{number}]", workload))
    return problems


def _workload_problems(row: int, path: str, workload: Run) -> list[Problem]:
    name = {"name": workload.name}
    problems = [
        *too_long(Workload, name, row=row, path=path),
        *_unprintable({f"{path}.name": workload.name}, row=row),
    ]
    if workload.exit_code > limits.MAX_EXIT_CODE:
        message = f"An exit code is at most {limits.MAX_EXIT_CODE}."
        shown = str(workload.exit_code)[:100]
        problems.append(_problem(row, f"{path}.exit_code", shown, message, "Give the program's exit code."))
    if len(workload.expected_stdout) > limits.WORKLOAD_OUTPUT_BYTES:
        message = (
            f"The output has {len(workload.expected_stdout)} bytes; at most "
            f"{limits.WORKLOAD_OUTPUT_BYTES} are allowed."
        )
        shown, remedy = ascii(workload.expected_stdout[:50])[:100], "Make the program print less."
        problems.append(_problem(row, f"{path}.expected_stdout", shown, message, remedy))
    return problems


def _unprintable(texts: Mapping[str, str], *, row: int | None = None) -> list[Problem]:
    """Problems of texts that have several lines, or characters that control a terminal."""
    return [
        Problem(
            row=row,
            field=field,
            value=ascii(text)[:100],
            message="The text has a control character or a line break.",
            remedy="Write one line of printable text.",
        )
        for field, text in texts.items()
        if not is_printable(text)
    ]


def _file_problems(manifest: Manifest, folder: Path) -> list[Problem]:
    """Read every program of a manifest once and compare it with the manifest."""
    problems = []
    found: dict[str, tuple[str, int] | Problem] = {}
    for row, entry in enumerate(manifest.benchmarks):
        if entry.file not in found:
            found[entry.file] = _hashed(folder, entry.file)
        program = found[entry.file]
        if isinstance(program, Problem):
            problems.append(replace(program, row=row))
        else:
            problems.extend(_program_problems(row, entry, *program))
    return problems


def _hashed(folder: Path, file: str) -> tuple[str, int] | Problem:
    """The sha256 and the size of a program's file, or the problem with it."""
    try:
        program = program_bytes(folder, file)
    except OSError as error:
        if error.errno == errno.EFBIG:
            message, remedy = (
                f"A program has at most {limits.MAX_BENCHMARK_BYTES} bytes.",
                "Leave the program out.",
            )
            return Problem(field="file", value=file, message=message, remedy=remedy)
        message = f"The file cannot be read: {error.strerror}."
        return Problem(field="file", value=file, message=message, remedy="Add the file.")
    return hashlib.sha256(program).hexdigest(), len(program)


def _program_problems(row: int, entry: ManifestBenchmark, sha256: str, size: int) -> list[Problem]:
    problems = []
    if sha256 != entry.sha256:
        remedy = "Build the dataset again, or restore the file."
        message = f"The program's sha256 is {sha256}."
        problems.append(_problem(row, "sha256", entry.sha256, message, remedy))
    elif size != entry.size_bytes:
        message = f"The program has {size} bytes."
        remedy = "Build the dataset again."
        problems.append(_problem(row, "size_bytes", str(entry.size_bytes)[:100], message, remedy))
    return problems


def _problem(row: int, field: str, value: str, message: str, remedy: str) -> Problem:
    return Problem(row=row, field=field, value=value, message=message, remedy=remedy)
