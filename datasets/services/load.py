"""Loads a dataset version from its manifest and programs: everything, or nothing and all problems.

A range of computed benchmarks is loaded from its definition instead. Loading the same one again changes no
row, but brings back blobs that the storage lost.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import ProtectedError

from datasets import blobs
from datasets.errors import DatasetFrozenError
from datasets.models import Baseline, Benchmark, Dataset, DatasetVersion, Workload
from optarena.datasets import BenchmarkUri, ManifestBenchmark, parse_manifest
from optarena.datasets.parametric import MEMBER
from optarena.datasets.uri import VERSIONED_NAME
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.limits import MAX_BENCHMARK_BYTES
from optarena.specs import canonical_json

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.models import Blob
    from optarena.datasets import Manifest, ParametricDataset

MANIFEST_NAME: Final = "manifest.json"
_NEW_VERSION: Final = "Results name a dataset by its version: publish the change as a new one."


def load_dataset(*, manifest_dir: Path, frozen: bool = True) -> DatasetVersion:
    """Load the dataset in a folder; idempotent.

    Args:
        manifest_dir: A folder with ``manifest.json`` and the programs it names.
        frozen: Whether the version may never change again.

    Raises:
        InvalidDocument: Manifest or programs are unusable; every problem is listed and nothing is stored.
        InvalidInput: The folder has no manifest.
        DatasetFrozenError: The version exists with another manifest.
    """
    text = _manifest_bytes(manifest_dir)
    manifest = parse_manifest(text)
    programs = _programs(manifest, manifest_dir)
    with transaction.atomic():
        version, is_new = _version(text, frozen=frozen)
        stored = [blobs.store(program) for program in programs]
        if is_new:
            _create_benchmarks(version, manifest, stored)
    return version


def load_range(*, dataset: ParametricDataset, frozen: bool = True) -> DatasetVersion:
    """Load a dataset whose benchmarks are computed, as one row for all of them; idempotent.

    Args:
        dataset: The dataset.
        frozen: Whether the version may never change again.

    Raises:
        DatasetFrozenError: The version exists with another definition.
    """
    text = canonical_json(dataset.definition()).encode()
    with transaction.atomic():
        version, is_new = _version(text, frozen=frozen)
        if is_new:
            Benchmark.objects.create(
                version=version,
                position=0,
                uri=dataset.uri,
                name=MEMBER,
                title=dataset.title,
                description=dataset.description,
                domain=dataset.domain,
                language=dataset.language,
                licence=dataset.licence,
                kind=Benchmark.Kind.PARAMETRIC,
                sha256=dataset.sha256,
                parameter_min=dataset.low,
                parameter_max=dataset.high,
            )
    return version


def _version(text: bytes, *, frozen: bool) -> tuple[DatasetVersion, bool]:
    """The version that a manifest or definition describes, and whether it is new, with no benchmarks yet."""
    manifest = json.loads(text)
    sha256 = hashlib.sha256(text).hexdigest()
    known = DatasetVersion.objects.select_related("dataset").filter(name=manifest["dataset"]).first()
    # What is stored keeps its name, whatever new ones may be called.
    family, number = (known.dataset.name, known.version) if known else _family(manifest["dataset"])
    dataset, _ = Dataset.objects.get_or_create(name=family, defaults={"title": manifest["title"]})
    # Two loads at once would both find no version; the second waits here.
    Dataset.objects.select_for_update().get(pk=dataset.pk)
    existing = DatasetVersion.objects.filter(name=manifest["dataset"]).first()
    if existing is not None and existing.manifest_sha256 == sha256:
        return existing, False
    if existing is not None:
        _remove(existing)
    version = DatasetVersion.objects.create(
        dataset=dataset,
        version=number,
        name=manifest["dataset"],
        title=manifest["title"],
        description=manifest["description"],
        licence=manifest["licence"],
        manifest=manifest,
        manifest_sha256=sha256,
        frozen=frozen,
    )
    return version, True


def _manifest_bytes(folder: Path) -> bytes:
    try:
        return (folder / MANIFEST_NAME).read_bytes()
    except OSError as error:
        remedy = f"Name a folder that holds {MANIFEST_NAME} and the programs it lists."
        message = f"The folder {folder} has no readable manifest."
        raise InvalidInput(message, field="manifest_dir", value=str(folder), remedy=remedy) from error


def _family(name: str) -> tuple[str, int]:
    match = VERSIONED_NAME.fullmatch(name)
    if match is None:
        problem = "It must be lower-case words that end in the version, a number of at most four digits."
        remedy = "Name it like 'kernels-v0'; 'kernels-v00' is none."
        raise InvalidDocument([Problem(field="dataset", value=name, message=problem, remedy=remedy)])
    return match["family"], int(match["version"])


def _programs(manifest: Manifest, folder: Path) -> list[bytes]:
    """The programs' bytes, in the manifest's order, all checked."""
    problems: list[Problem] = []
    programs = []
    for row, entry in enumerate(manifest.benchmarks):
        problems.extend(_entry_problems(row, entry))
        try:
            program = (folder / entry.file).read_bytes()
        except OSError:
            problems.append(_problem(row, "file", entry.file, "The file cannot be read.", "Add the file."))
            continue
        problems.extend(_program_problems(row, entry, program))
        programs.append(program)
    if problems:
        raise InvalidDocument(problems)
    return programs


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


def _remove(version: DatasetVersion) -> None:
    """Make room for another manifest of a version that is not frozen yet."""
    if version.frozen:
        raise DatasetFrozenError(
            f"The dataset {version.name} is frozen with another manifest. {_NEW_VERSION}"
        )
    try:
        version.benchmarks.all().delete()
        version.delete()
    except ProtectedError as error:
        raise DatasetFrozenError(f"The dataset {version.name} has results already. {_NEW_VERSION}") from error


def _create_benchmarks(version: DatasetVersion, manifest: Manifest, stored: list[Blob]) -> None:
    entries = list(zip(manifest.benchmarks, stored, strict=True))
    rows = Benchmark.objects.bulk_create(
        _benchmark(version, position, entry, blob) for position, (entry, blob) in enumerate(entries)
    )
    Baseline.objects.bulk_create(
        Baseline(benchmark=row, metric=metric, level=level, value=value)
        for row, (entry, _) in zip(rows, entries, strict=True)
        for metric, levels in entry.baselines.items()
        for level, value in levels.items()
    )
    Workload.objects.bulk_create(
        Workload(
            benchmark=row,
            position=position,
            name=workload.name,
            args=list(workload.args),
            stdin=workload.stdin.decode(),
            expected_stdout=workload.expected_stdout.decode(),
            exit_code=workload.exit_code,
        )
        for row, (entry, _) in zip(rows, entries, strict=True)
        for position, workload in enumerate(entry.workloads)
    )


def _benchmark(version: DatasetVersion, position: int, entry: ManifestBenchmark, blob: Blob) -> Benchmark:
    return Benchmark(
        version=version,
        position=position,
        uri=entry.uri,
        name=BenchmarkUri.parse(entry.uri).path,
        title=entry.title,
        description=entry.description,
        domain=entry.domain,
        language=entry.language,
        licence=entry.licence,
        kind=Benchmark.Kind.STORED,
        sha256=entry.sha256,
        size_bytes=entry.size_bytes,
        blob=blob,
        run_seconds=entry.run_seconds,
        source=dict(entry.source),
    )
