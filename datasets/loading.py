"""Load a version of a dataset: check its manifest and programs, and write rows and blobs.

The database holds no NUL, no number that is not finite, and no text beyond its column: such a document is
refused with the names of its fields, before anything is written. The archive of a dataset is an uncompressed
tar file, the same bytes on every server; it is a blob, so it is sent with byte ranges and an ETag.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import math
import tarfile
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import IO, Any, Final

from django.db import transaction
from django.db.models import Model, ProtectedError

from datasets import store
from datasets.models import Baseline, Benchmark, Blob, Dataset, DatasetVersion, Workload
from datasets.services import batches, deprecation_in, statistics_of, statistics_of_range, take_from_folder
from datasets.store import DatasetFrozenError
from optarena import limits
from optarena.datasets import BUILTIN, BenchmarkUri, Manifest, ManifestBenchmark, ParametricDataset
from optarena.datasets import Workload as Run
from optarena.datasets.dataset import MANIFEST_NAME, PACKED, read_program
from optarena.datasets.manifest import json_of, leads_out, manifest_of, read_plain
from optarena.datasets.parametric import MEMBER
from optarena.documents.texts import is_encodable, is_printable
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.specs import canonical_json
from optarena.specs.benchmark import (
    GENERATOR_SCHEME,
    RESERVED_NAMES,
    VERSIONED_NAME,
    encoded_files,
    workloads_digest,
)

_LISTED: Final = "benchmarks"
_SHOWN: Final = 100


def unstorable(document: object) -> list[Problem]:
    # Every text and number that the database cannot hold, in the order of rows and fields.
    problems = [
        _storage_problem(path, value, *fault) for path, value in _leaves(document) if (fault := _fault(value))
    ]
    return sorted(problems, key=lambda one: (-1 if one.row is None else one.row, one.field))


def too_long(
    model: type[Model], texts: Mapping[str, str], *, row: int | None = None, path: str = ""
) -> Iterator[Problem]:
    # The texts that are longer than the model's fields; `path` is their place in the record.
    for name, text in texts.items():
        most = getattr(model._meta.get_field(name), "max_length", None)  # noqa: SLF001 - Django documents it
        if most is not None and len(text) > most:
            message = f"The text has {len(text)} characters; at most {most} can be stored."
            field = f"{path}.{name}" if path else name
            yield Problem(row=row, field=field, value=text[:_SHOWN], message=message, remedy="Shorten it.")


def _leaves(document: object) -> Iterator[tuple[tuple[Any, ...], object]]:
    # Yield keys, too; nesting costs no call.
    left: list[tuple[tuple[Any, ...], object]] = [((), document)]
    while left:
        path, value = left.pop()
        if isinstance(value, dict):
            left.extend(((*path, key), key) for key in value)
            left.extend(((*path, key), inner) for key, inner in value.items())
        elif isinstance(value, list):
            left.extend(((*path, place), inner) for place, inner in enumerate(value))
        else:
            yield path, value


def _fault(value: object) -> tuple[str, str] | None:
    if isinstance(value, str):
        if "\0" in value:
            return "The text has a NUL character, which the database cannot hold.", "Use printable text."
        # A surrogate alone is half a character; JSON can write one, UTF-8 cannot.
        if not is_encodable(value):
            fault = "The text has half a character (a lone surrogate)."
            return fault, "Write the whole character, or remove it."
    if isinstance(value, float) and not math.isfinite(value):
        fault = "The number is not finite, which JSON does not allow."
        return fault, "Give a finite number, or leave it out."
    return None


def _storage_problem(path: tuple[Any, ...], value: object, message: str, remedy: str) -> Problem:
    is_row = len(path) > 2 and path[0] == _LISTED and isinstance(path[1], int)  # noqa: PLR2004 - a field of a row
    field = ""
    for step in path[2:] if is_row else path:
        field += f"[{step}]" if isinstance(step, int) else f".{step}" if field else step
    return Problem(
        row=path[1] if is_row else None,
        # Both must be printable on a terminal.
        field=ascii(field)[1:-1][:_SHOWN] or "document",
        value=ascii(value)[:_SHOWN],
        message=message,
        remedy=remedy,
    )


_TEXTS: Final = ("uri", "title", "domain", "language", "licence")
_COPIED: Final = ("sha256", "size_bytes", "run_seconds", "split")
_DESCRIBING: Final = ("title", "description", "domain", "language", "licence")


def manifest_bytes(folder: Path) -> bytes:
    try:
        return read_plain(folder / MANIFEST_NAME, limits.MAX_MANIFEST_BYTES)
    except OSError as error:
        remedy = f"Name a folder that holds {MANIFEST_NAME} and the programs it lists."
        message = f"The folder {folder} has no readable manifest: {error.strerror}."
        raise InvalidInput(message, field="manifest_dir", value=str(folder), remedy=remedy) from error


def program_bytes(folder: Path, file: str) -> bytes:
    # Never another file of this machine, which could be a secret. `OSError` if it is not readable, regular
    # and inside the folder, or (`EFBIG`) too large.

    # The package's own may be links: some installers make a link for each file.
    is_out = any(leads_out(folder, name) for name in (file, f"{file}{PACKED}"))
    if is_out and not folder.is_relative_to(BUILTIN):
        raise OSError(errno.EXDEV, "it is a link that leads out of the dataset's folder", file)
    return read_program(folder / file, limits.MAX_BENCHMARK_BYTES)


def checked_manifest(text: bytes, folder: Path) -> Manifest:
    # The database can hold the manifest, and its programs are all in the folder, with their hashes.
    raw = json_of(text)
    problems = unstorable(raw)
    try:
        manifest = manifest_of(raw)
    except InvalidDocument as error:
        raise InvalidDocument([*problems, *error.problems]) from error
    except UnicodeEncodeError as error:  # half a character, which is among the problems
        raise InvalidDocument(problems) from error
    described = {"title": manifest.title, "licence": manifest.licence}
    problems += too_long(DatasetVersion, described)
    problems += _unprintable(described)
    problems += _path_problems(manifest)
    for row, entry in enumerate(manifest.benchmarks):
        problems += _entry_problems(row, entry)
    problems += _file_problems(manifest, folder)
    if problems:
        raise InvalidDocument(problems)
    return manifest


def _path_problems(manifest: Manifest) -> Iterator[Problem]:
    # Benchmarks are found, and have pages, by their paths only.
    seen: set[str] = set()
    for row, entry in enumerate(manifest.benchmarks):
        path = BenchmarkUri.parse(entry.uri).path
        problem = partial(Problem, row=row, field="uri", value=entry.uri)
        if not path:
            yield problem(message="The URI does not have a path.", remedy="Add the benchmark's name.")
        if path in seen:
            message = "Another benchmark has the same path, with other parameters."
            yield problem(message=message, remedy="Give it another path.")
        if (last := path.split("/")[-1]) in RESERVED_NAMES:
            message = f"The path ends in {last!r}, which the API uses for another address."
            yield problem(message=message, remedy="Give it another name.")
        seen.add(path)
        yield from too_long(Benchmark, {"name": path}, row=row)


def _entry_problems(row: int, entry: ManifestBenchmark) -> Iterator[Problem]:
    texts = {name: getattr(entry, name) for name in _TEXTS}
    problem = partial(Problem, row=row)
    yield from too_long(Benchmark, texts, row=row)
    yield from _unprintable(texts, row=row)
    if entry.kind != Benchmark.Kind.STORED:
        remedy = "Ranges of computed programs are registered by their environment."
        yield problem(
            field="kind", value=entry.kind, message="A manifest lists stored programs.", remedy=remedy
        )
    for metric, levels in entry.baselines.items():
        yield from too_long(Baseline, {"metric": metric}, row=row, path="baselines")
        for level in levels:
            yield from too_long(Baseline, {"level": level}, row=row, path=f"baselines.{metric}")
    if len(entry.workloads) > limits.MAX_WORKLOADS:
        message, number = f"A benchmark has at most {limits.MAX_WORKLOADS} workloads.", len(entry.workloads)
        yield problem(field="workloads", value=str(number), message=message, remedy="Leave some out.")
    for number, workload in enumerate(entry.workloads):
        yield from _workload_problems(row, f"workloads[{number}]", workload)


def _workload_problems(row: int, path: str, workload: Run) -> Iterator[Problem]:
    yield from too_long(Workload, {"name": workload.name}, row=row, path=path)
    yield from _unprintable({f"{path}.name": workload.name}, row=row)
    if workload.exit_code > limits.MAX_EXIT_CODE:
        yield Problem(
            row=row,
            field=f"{path}.exit_code",
            value=str(workload.exit_code)[:_SHOWN],
            message=f"An exit code is at most {limits.MAX_EXIT_CODE}.",
            remedy="Give the program's exit code.",
        )
    if (size := len(workload.expected_stdout)) > limits.WORKLOAD_OUTPUT_BYTES:
        yield Problem(
            row=row,
            field=f"{path}.expected_stdout",
            value=ascii(workload.expected_stdout[:50])[:_SHOWN],
            message=f"The output has {size} bytes; at most {limits.WORKLOAD_OUTPUT_BYTES} are allowed.",
            remedy="Make the program print less.",
        )


def _unprintable(texts: Mapping[str, str], *, row: int | None = None) -> Iterator[Problem]:
    # Texts that have several lines, or characters that control a terminal.
    message, remedy = "The text has a control character or a line break.", "Write one line of printable text."
    for field, text in texts.items():
        if not is_printable(text):
            yield Problem(row=row, field=field, value=ascii(text)[:_SHOWN], message=message, remedy=remedy)


def _file_problems(manifest: Manifest, folder: Path) -> Iterator[Problem]:
    # Every program is read once and compared with the manifest.
    found: dict[str, tuple[str, int] | Problem] = {}
    for row, entry in enumerate(manifest.benchmarks):
        if entry.file not in found:
            found[entry.file] = _hashed(folder, entry.file)
        program = found[entry.file]
        if isinstance(program, Problem):
            yield replace(program, row=row)
            continue
        sha256, size = program
        problem = partial(Problem, row=row)
        if sha256 != entry.sha256:
            message = f"The program's sha256 is {sha256}."
            remedy = "Build the dataset again, or restore the file."
            yield problem(field="sha256", value=entry.sha256, message=message, remedy=remedy)
        elif size != entry.size_bytes:
            message, shown = f"The program has {size} bytes.", str(entry.size_bytes)[:_SHOWN]
            yield problem(field="size_bytes", value=shown, message=message, remedy="Build the dataset again.")


def _hashed(folder: Path, file: str) -> tuple[str, int] | Problem:
    # The sha256 and the size of a program's file, or the problem with it.
    try:
        program = program_bytes(folder, file)
    except OSError as error:
        message, remedy = f"The file cannot be read: {error.strerror}.", "Add the file."
        if error.errno == errno.EFBIG:
            message = f"A program has at most {limits.MAX_BENCHMARK_BYTES} bytes."
            remedy = "Leave the program out."
        return Problem(field="file", value=file, message=message, remedy=remedy)
    return hashlib.sha256(program).hexdigest(), len(program)


BATCH: Final = 1_000


def create_benchmarks(
    version: DatasetVersion, entries: Iterable[ManifestBenchmark], programs: Mapping[str, Blob]
) -> None:
    for batch in batches(enumerate(entries), BATCH):
        rows = []
        for position, entry in batch:
            row = Benchmark(
                version=version,
                position=position,
                **{name: getattr(entry, name) for name in ("uri", *_DESCRIBING, *_COPIED)},
                name=BenchmarkUri.parse(entry.uri).path,
                kind=Benchmark.Kind.STORED,
                blob=programs[entry.file],
                source=dict(entry.source),
                tags=list(entry.tags),
                workloads_sha256=workloads_digest(entry.workloads),
            )
            rows.append((row, entry))
        Benchmark.objects.bulk_create(row for row, _ in rows)
        baselines = (
            Baseline(benchmark=row, metric=metric, level=level, value=value)
            for row, entry in rows
            for metric, levels in entry.baselines.items()
            for level, value in levels.items()
        )
        workloads = (
            Workload(
                benchmark=row,
                position=position,
                name=workload.name,
                args=list(workload.args),
                stdin=workload.stdin.decode(),
                expected_stdout=workload.expected_stdout.decode(),
                exit_code=workload.exit_code,
                files=encoded_files(workload.files),
            )
            for row, entry in rows
            for position, workload in enumerate(entry.workloads)
        )
        Baseline.objects.bulk_create(baselines, batch_size=BATCH)
        Workload.objects.bulk_create(workloads, batch_size=BATCH)


MEDIA_TYPE: Final = "application/x-tar"


def store_archive(name: str, manifest: bytes, programs: Mapping[str, Blob]) -> Blob:
    with tempfile.TemporaryFile() as file:
        with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
            _add(archive, f"{name}/{MANIFEST_NAME}", io.BytesIO(manifest), len(manifest))
            for path, blob in programs.items():
                with store.open_blob(blob) as program:
                    _add(archive, f"{name}/{path}", program, blob.size_bytes)
        return store.store_file(file, kind=MEDIA_TYPE)


def _add(archive: tarfile.TarFile, path: str, file: IO[bytes], size: int) -> None:
    # Without owner and time, so that archives are equal.
    entry = tarfile.TarInfo(path)
    entry.size = size
    archive.addfile(entry, file)


_NEW_VERSION: Final = "Results refer to a dataset by its version: publish the change as a new version."
_MANIFEST_TYPE: Final = "application/json"


def load_dataset(*, manifest_dir: Path, frozen: bool = True) -> DatasetVersion:
    # Idempotent. `deprecated.json` in the folder counts unless an operator has decided otherwise.
    text = manifest_bytes(manifest_dir)
    manifest = checked_manifest(text, manifest_dir)
    deprecated = deprecation_in(manifest_dir, manifest.dataset)
    with transaction.atomic():
        version, is_empty = _version(text, frozen=frozen)
        programs = _stored(manifest, manifest_dir)
        if is_empty:
            create_benchmarks(version, manifest.benchmarks, programs)
        if deprecated is not None:
            take_from_folder(version, deprecated)
        version.manifest = _head(json.loads(text))
        version.manifest_blob = store.store(text, kind=_MANIFEST_TYPE)
        # Built again only if it is lost: for a large dataset it is the most work of all.
        if version.archive_blob is None or store.fault(version.archive_blob):
            version.archive_blob = store_archive(version.name, text, programs)
        version.kind, version.parameter_min, version.parameter_max = Benchmark.Kind.STORED, None, None
        version.released = date.fromisoformat(manifest.released) if manifest.released else None
        version.benchmark_count = version.member_count = len(manifest.benchmarks)
        version.size_bytes = sum(entry.size_bytes for entry in manifest.benchmarks)
        version.statistics = statistics_of(manifest)
        version.save()
    return version


def load_range(*, dataset: ParametricDataset, frozen: bool = True) -> DatasetVersion:
    # Benchmarks are computed, so there is one row for all of them; idempotent.
    text = canonical_json(dataset.definition()).encode()
    with transaction.atomic():
        version, is_empty = _version(text, frozen=frozen)
        if is_empty:
            Benchmark.objects.create(
                version=version,
                position=0,
                name=MEMBER,
                **{name: getattr(dataset, name) for name in ("uri", *_DESCRIBING, "sha256")},
                kind=Benchmark.Kind.PARAMETRIC,
                parameter_min=dataset.low,
                parameter_max=dataset.high,
                # A computed member has no workloads; a generated one has its own.
                workloads_sha256=""
                if dataset.uri.startswith(f"{GENERATOR_SCHEME}://")
                else workloads_digest(()),
            )
        version.kind = Benchmark.Kind.PARAMETRIC
        version.parameter_min, version.parameter_max = dataset.low, dataset.high
        version.benchmark_count, version.member_count = 1, dataset.high - dataset.low + 1
        version.size_bytes, version.released, version.archive_blob = 0, None, None
        version.statistics = statistics_of_range(dataset)
        version.manifest_blob = store.store(text, kind=_MANIFEST_TYPE)
        version.save()
    return version


def _stored(manifest: Manifest, folder: Path) -> dict[str, Blob]:
    rows: dict[str, Blob] = {}
    for row, entry in enumerate(manifest.benchmarks):
        if entry.file in rows:
            continue
        message, remedy = "The file changed while it was read.", "Load the dataset again."
        problem = Problem(row=row, field="file", value=entry.file, message=message, remedy=remedy)
        try:
            program = program_bytes(folder, entry.file)
        except OSError as error:
            raise InvalidDocument([problem]) from error
        rows[entry.file] = store.write(program)
        if rows[entry.file].sha256 != entry.sha256:
            raise InvalidDocument([problem])
    store.record(rows.values())
    return rows


def _head(manifest: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in manifest.items() if name != _LISTED}


def _version(text: bytes, *, frozen: bool) -> tuple[DatasetVersion, bool]:
    # The caller writes the benchmarks and their statistics where there are none yet (True), and saves the
    # version.
    manifest = json.loads(text)
    sha256 = hashlib.sha256(text).hexdigest()
    known = DatasetVersion.objects.select_related("dataset").filter(name=manifest["dataset"]).first()
    if known is not None:
        # A stored dataset keeps its name, even if new ones must not have such a name.
        family, number = known.dataset.name, known.version
    elif (match := VERSIONED_NAME.fullmatch(manifest["dataset"])) is not None:
        family, number = match["family"], int(match["version"])
    else:
        message = (
            "The name must be lower-case words that end in the version, a number of at most four digits."
        )
        remedy = "Use a name such as 'kernels-v0'; 'kernels-v00' is not allowed."
        name = manifest["dataset"]
        raise InvalidDocument([Problem(field="dataset", value=name, message=message, remedy=remedy)])
    dataset, _ = Dataset.objects.get_or_create(name=family, defaults={"title": manifest["title"]})
    # Two loads at once would both find no version; the second waits here.
    Dataset.objects.select_for_update().get(pk=dataset.pk)
    # Saved as a whole at the end: a deprecation made meanwhile waits here, or it would be lost.
    locked = DatasetVersion.objects.select_for_update(no_key=True)
    existing = locked.filter(name=manifest["dataset"]).first()
    if existing is not None and existing.manifest_sha256 == sha256:
        existing.frozen = existing.frozen or frozen
        return existing, False
    if existing is not None and existing.frozen:
        raise DatasetFrozenError(
            f"The dataset {existing.name} is frozen with a different manifest. {_NEW_VERSION}"
        )
    if existing is not None:
        try:
            existing.benchmarks.all().delete()
        except ProtectedError as error:
            message = f"The dataset {existing.name} already has results. {_NEW_VERSION}"
            raise DatasetFrozenError(message) from error
    version = existing or DatasetVersion(dataset=dataset, version=number, name=manifest["dataset"])
    version.title = manifest["title"]
    version.description = manifest["description"]
    version.licence = manifest["licence"]
    version.manifest, version.manifest_sha256 = _head(manifest), sha256
    version.archive_blob = None
    version.frozen = frozen
    version.save()
    return version, True
