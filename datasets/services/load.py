"""Loads a dataset version from its manifest and programs: everything, or nothing and all problems.

A range of computed benchmarks is loaded from its definition instead. Loading the same one again changes no
benchmark, but restores blobs that the storage lost, and the statistics.
"""

from __future__ import annotations

import hashlib
import json
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models import ProtectedError

from datasets import blobs
from datasets.errors import DatasetFrozenError
from datasets.models import Benchmark, Dataset, DatasetVersion
from datasets.services.archives import store_archive
from datasets.services.checks import checked_manifest, manifest_bytes, program_bytes
from datasets.services.deprecation import deprecation_in, take_from_folder
from datasets.services.rows import create_benchmarks, create_range
from datasets.services.statistics import statistics_of, statistics_of_range
from optarena.errors import InvalidDocument, Problem
from optarena.specs import canonical_json
from optarena.specs.benchmark import VERSIONED_NAME

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.models import Blob
    from optarena.datasets import Manifest, ParametricDataset

_NEW_VERSION: Final = "Results refer to a dataset by its version: publish the change as a new version."
_MANIFEST_TYPE: Final = "application/json"
_LISTED: Final = "benchmarks"


def load_dataset(*, manifest_dir: Path, frozen: bool = True) -> DatasetVersion:
    """Load the dataset in a folder; idempotent.

    Args:
        manifest_dir: A folder with ``manifest.json`` and the programs it names; ``deprecated.json`` there
            says why the dataset should not be used any more, unless an operator has decided otherwise.
        frozen: Whether the version may never change again; one that is frozen stays so.

    Raises:
        InvalidDocument: Manifest or programs are unusable; every problem is listed and nothing is stored.
        InvalidInput: The folder has no manifest.
        DatasetFrozenError: The version exists with another manifest.
    """
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
        _describe_programs(version, manifest, text, programs)
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
        version, is_empty = _version(text, frozen=frozen)
        if is_empty:
            create_range(version, dataset)
        version.kind = Benchmark.Kind.PARAMETRIC
        version.parameter_min, version.parameter_max = dataset.low, dataset.high
        version.benchmark_count, version.member_count = 1, dataset.high - dataset.low + 1
        version.size_bytes, version.released, version.archive_blob = 0, None, None
        version.statistics = statistics_of_range(dataset)
        version.manifest_blob = blobs.store(text, kind=_MANIFEST_TYPE)
        version.save()
    return version


def _describe_programs(
    version: DatasetVersion, manifest: Manifest, text: bytes, programs: dict[str, Blob]
) -> None:
    """Write the statistics for lists and pages, and store the manifest and the archive."""
    version.manifest = _head(json.loads(text))
    version.manifest_blob = blobs.store(text, kind=_MANIFEST_TYPE)
    # Built again only if it is lost: for a large dataset it is the most work of all.
    if version.archive_blob is None or blobs.fault(version.archive_blob):
        version.archive_blob = store_archive(version.name, text, programs)
    version.kind, version.parameter_min, version.parameter_max = Benchmark.Kind.STORED, None, None
    version.released = date.fromisoformat(manifest.released) if manifest.released else None
    version.benchmark_count = version.member_count = len(manifest.benchmarks)
    version.size_bytes = sum(entry.size_bytes for entry in manifest.benchmarks)
    version.statistics = statistics_of(manifest)
    version.save()


def _stored(manifest: Manifest, folder: Path) -> dict[str, Blob]:
    """The programs' blobs by their files' paths, in the order of the manifest.

    Raises:
        InvalidDocument: A file has changed since it was checked.
    """
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
        rows[entry.file] = blobs.write(program)
        if rows[entry.file].sha256 != entry.sha256:
            raise InvalidDocument([problem])
    blobs.record(rows.values())
    return rows


def _head(manifest: dict[str, Any]) -> dict[str, Any]:
    """A manifest without its benchmarks, which are rows."""
    return {name: value for name, value in manifest.items() if name != _LISTED}


def _version(text: bytes, *, frozen: bool) -> tuple[DatasetVersion, bool]:
    """The version that a manifest or definition describes, and whether it has none of its benchmarks yet.

    The caller writes the benchmarks and their statistics, and saves it.
    """
    manifest = json.loads(text)
    sha256 = hashlib.sha256(text).hexdigest()
    known = DatasetVersion.objects.select_related("dataset").filter(name=manifest["dataset"]).first()
    # A stored dataset keeps its name, even if new ones must not have such a name.
    family, number = (known.dataset.name, known.version) if known else _family(manifest["dataset"])
    dataset, _ = Dataset.objects.get_or_create(name=family, defaults={"title": manifest["title"]})
    # Two loads at once would both find no version; the second waits here.
    Dataset.objects.select_for_update().get(pk=dataset.pk)
    # Saved as a whole at the end: a deprecation made meanwhile waits here, or it would be lost.
    locked = DatasetVersion.objects.select_for_update(no_key=True)
    existing = locked.filter(name=manifest["dataset"]).first()
    if existing is not None and existing.manifest_sha256 == sha256:
        existing.frozen = existing.frozen or frozen
        return existing, False
    if existing is not None:
        _empty(existing)
    version = existing or DatasetVersion(dataset=dataset, version=number, name=manifest["dataset"])
    version.title = manifest["title"]
    version.description = manifest["description"]
    version.licence = manifest["licence"]
    version.manifest, version.manifest_sha256 = _head(manifest), sha256
    version.archive_blob = None
    version.frozen = frozen
    version.save()
    return version, True


def _family(name: str) -> tuple[str, int]:
    match = VERSIONED_NAME.fullmatch(name)
    if match is None:
        problem = (
            "The name must be lower-case words that end in the version, a number of at most four digits."
        )
        remedy = "Use a name such as 'kernels-v0'; 'kernels-v00' is not allowed."
        raise InvalidDocument([Problem(field="dataset", value=name, message=problem, remedy=remedy)])
    return match["family"], int(match["version"])


def _empty(version: DatasetVersion) -> None:
    """Make room for the benchmarks of another manifest; the version itself and its deprecation stay."""
    if version.frozen:
        raise DatasetFrozenError(
            f"The dataset {version.name} is frozen with a different manifest. {_NEW_VERSION}"
        )
    try:
        version.benchmarks.all().delete()
    except ProtectedError as error:
        raise DatasetFrozenError(f"The dataset {version.name} already has results. {_NEW_VERSION}") from error
