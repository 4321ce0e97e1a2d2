"""Keep datasets: previews, statistics, deprecation, and the removal of unused files.

Previews are computed when a dataset is loaded, never for a request, in a session's own process: a program
that crashes the compiler loses its own preview and nothing else. A version is deprecated by an operator, who
can only name a successor that is loaded, or by a file beside its manifest, which no longer counts where an
operator has decided otherwise. Statistics are counted once when a version is loaded:

* ``domains``, ``languages``, ``licences``, ``splits``: how many benchmarks have each value,
* ``workloads``: how many there are, ``runnable``: how many benchmarks have any,
* ``metrics``: for each metric ``count``, ``levels`` (the ``min``, ``median`` and ``max`` of each level),
  ``last`` (the level that is compared with O0), ``sizes`` and ``shares`` (histograms of O0 and of the last
  level's share of it: ``[low, high, count]`` rows),
* ``packages``: where the programs come from, with how many each package gave.
"""

from __future__ import annotations

import math
import threading
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from itertools import islice
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.deletion import ProtectedError
from django.utils import timezone

import optarena
from datasets import selectors as dataset_selectors
from datasets import store
from datasets.models import Benchmark, Blob, DatasetVersion, Preview
from datasets.selectors import FACETS
from optarena import datasets as package
from optarena import specs
from optarena.datasets import Manifest, ManifestBenchmark, ParametricDataset, manifest
from optarena.datasets.dataset import format_of
from optarena.datasets.manifest import DEPRECATED_NAME, Deprecation, read_deprecation
from optarena.documents.loading import document_error
from optarena.documents.places import Place
from optarena.errors import OptArenaError, PlatformNotSupported
from optarena.specs import unknown_name
from optarena.specs.rewards import UNOPTIMISED, level_order

if TYPE_CHECKING:
    from optarena.env import CompilerEnv


Item = TypeVar("Item")


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    # Read the items lazily.
    left = iter(items)
    while batch := list(islice(left, size)):
        yield batch


HEAD_LINES: Final = 200
LINE_LENGTH: Final = 160
_THREADS: Final = 2
_BATCH: Final = 100


class Refused(NamedTuple):
    name: str
    reason: str


def make_previews(*, version: DatasetVersion) -> list[Refused]:
    # May be interrupted and repeated: previews are stored in batches. Raises `PlatformNotSupported` where
    # their compiler does not run.
    waiting = dataset_selectors.benchmarks_without_preview(version).iterator(chunk_size=_BATCH)
    refused: list[Refused] = []
    with warnings.catch_warnings(), closing(_Readers()) as readers, ThreadPoolExecutor(_THREADS) as threads:
        # It concerns agents that choose options.
        warnings.filterwarnings("ignore", message=".* has functions with options of their own")
        for batch in batches(waiting, _BATCH):
            results = list(threads.map(readers.read, batch))
            made = (one for one in results if isinstance(one, Preview))
            Preview.objects.bulk_create(made, ignore_conflicts=True)
            refused += (one for one in results if isinstance(one, Refused))
    return refused


class _Readers:
    # The environments of the threads that read programs, one of each kind for each thread.

    def __init__(self) -> None:
        self._own = threading.local()
        self._made: list[CompilerEnv] = []

    def read(self, row: Benchmark) -> Preview | Refused:
        known = format_of(row.blob.media_type) if row.blob else None
        if known is None or known.preview is None:
            return Refused(row.name, f"No installed compiler shows programs like {row.name}.")
        own: dict[str, CompilerEnv] = self._own.__dict__
        slug = known.preview.environment
        try:
            if slug not in own:
                own[slug] = optarena.make(slug)
                self._made.append(own[slug])
            return _preview(own[slug], known.preview, row)
        except PlatformNotSupported:
            raise
        except OptArenaError as error:
            return Refused(row.name, " ".join(str(error).split())[:300])

    def close(self) -> None:
        for env in self._made:
            env.close()


def _preview(env: CompilerEnv, how: specs.PreviewSpec, row: Benchmark) -> Preview:
    blob = row.blob
    program = package.Benchmark(
        uri=row.uri,
        name=row.name,
        sha256=row.sha256,
        size_bytes=row.size_bytes,
        load=lambda: store.read(blob) if blob else b"",
    )
    env.reset(options={"benchmark": program, "observation_space": None, "reward_space": None})
    observation = env.observation
    lines = observation[how.text].splitlines()
    features = {shown: dict(observation[name]) for shown, name in how.features.items()}
    shown = (f"{line[:LINE_LENGTH]}…" if len(line) > LINE_LENGTH else line for line in lines[:HEAD_LINES])
    head = "\n".join(shown).replace("\0", "")  # the database cannot hold NUL
    return Preview(benchmark=row, ir_head=head, ir_lines=len(lines), features=features)


YOUNG: Final = timedelta(hours=1)  # Younger files may belong to a load that has not ended yet.


def unused_files() -> Iterator[str]:
    own = Q(manifest_blob=OuterRef("pk")) | Q(archive_blob=OuterRef("pk"))
    unused = Blob.objects.filter(
        ~Exists(Benchmark.objects.filter(blob=OuterRef("pk"))), ~Exists(DatasetVersion.objects.filter(own))
    )
    used = set(Blob.objects.exclude(pk__in=unused.values("pk")).values_list("storage_key", flat=True))
    return (name for name in store.stored_files() if name not in used)


def remove_unused() -> list[str]:
    removed = []
    before = timezone.now() - YOUNG
    for name in list(unused_files()):
        written = store.written_at(name)
        if written is not None and written < before and _forget(name):
            store.remove_file(name)
            removed.append(name)
    return removed


def _forget(name: str) -> bool:
    # False if something refers to the file.
    try:
        with transaction.atomic():
            Blob.objects.filter(storage_key=name).delete()
    except ProtectedError:
        return False
    return True


def deprecate_dataset(*, name: str, reason: str, successor: str = "") -> DatasetVersion:
    with transaction.atomic():
        version = _version(name, "dataset")
        if successor:
            _version(successor, "successor")
        deprecation = _checked(name, read_deprecation({"reason": reason, "successor": successor}, Place()))
        version.deprecated, version.successor = deprecation
        version.save(update_fields=["deprecated", "successor"])
    return version


@transaction.atomic
def restore_dataset(*, name: str) -> DatasetVersion:
    version = _version(name, "dataset")
    version.deprecated = version.successor = ""
    version.save(update_fields=["deprecated", "successor"])
    return version


def deprecation_in(folder: Path, name: str) -> Deprecation | None:
    # None if there is no such file.
    deprecation = manifest.deprecation_in(folder)
    return None if deprecation is None else _checked(name, deprecation, path=f"{DEPRECATED_NAME}.")


def take_from_folder(version: DatasetVersion, deprecation: Deprecation) -> None:
    # An operator has decided otherwise if the version does not say what its folder said the last time. The
    # caller saves it.
    if version.deprecation == version.folder_deprecation:
        version.deprecated, version.successor = deprecation
    version.folder_deprecation = str(deprecation)


def _checked(name: str, deprecation: Deprecation, *, path: str = "") -> Deprecation:
    if deprecation.successor == name:
        message, remedy = f"{name} cannot be its own successor.", "Name another version, or none."
        raise document_error(f"{path}successor", message, remedy, deprecation.successor)
    return deprecation


def _version(name: str, field: str) -> DatasetVersion:
    # Compared in Python: PostgreSQL refuses some texts in a query.
    names = list(DatasetVersion.objects.values_list("name", flat=True))
    if name not in names:
        raise unknown_name(field, name, names)
    return DatasetVersion.objects.select_for_update().get(name=name)


_SHARE_STEP: Final = 0.05
_PACKAGE: Final = ("version", "purl", "upstream", "archive", "archive_sha256", "archive_bytes")
MAX_SHARE: Final = 2.0  # All shares from here on are counted in one bin.


def statistics_of(manifest: Manifest) -> dict[str, Any]:
    entries = manifest.benchmarks
    metrics = dict.fromkeys(name for one in entries for name in one.baselines)
    return {
        **{plural: _counts(getattr(one, field) for one in entries) for field, plural in FACETS.items()},
        "workloads": sum(len(one.workloads) for one in entries),
        "runnable": sum(bool(one.workloads) for one in entries),
        "metrics": {
            name: _metric([one.baselines[name] for one in entries if name in one.baselines])
            for name in metrics
        },
        "packages": _packages(entries),
    }


def statistics_of_range(dataset: ParametricDataset) -> dict[str, Any]:
    facts = {"domain": dataset.domain, "language": dataset.language, "licence": dataset.licence}
    return {plural: _counts([facts.get(field, "")]) for field, plural in FACETS.items()}


def _counts(values: Iterable[str]) -> dict[str, int]:
    return dict(Counter(value for value in values if value))


def _metric(rows: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    values: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        for level, value in row.items():
            values[level].append(value)
    levels = level_order(values)
    last = levels[-1]
    shares = [row[last] / row[UNOPTIMISED] for row in rows if last in row and UNOPTIMISED in row]
    return {
        "count": len(rows),
        "levels": {
            level: {"min": min(values[level]), "median": median(values[level]), "max": max(values[level])}
            for level in levels
        },
        "last": last,
        "sizes": _doublings(values.get(UNOPTIMISED, ())),
        "shares": _steps(shares),
    }


def _doublings(values: Iterable[float]) -> list[list[float]]:
    # A histogram whose bins end at twice their start, from the first with a value to the last.
    found = Counter(math.floor(math.log2(value)) for value in values if value > 0)
    bins = range(min(found, default=0), max(found, default=-1) + 1)
    return [[2.0**power, 2.0 ** (power + 1), found[power]] for power in bins]


def _steps(shares: Iterable[float]) -> list[list[float]]:
    # A histogram of shares in bins of one width; larger shares are counted in the last bin.

    # Rounded, since 0.3 / 0.05 is less than 6.
    found = Counter(math.floor(round(min(share, MAX_SHARE) / _SHARE_STEP, 9)) for share in shares)
    bins = range(min(found, default=0), max(found, default=-1) + 1)
    return [[round(n * _SHARE_STEP, 4), round((n + 1) * _SHARE_STEP, 4), found[n]] for n in bins]


def _packages(entries: Iterable[ManifestBenchmark]) -> list[dict[str, Any]]:
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for one in entries:
        name = one.source.get("package")
        if not name:
            continue
        described = {key: one.source[key] for key in _PACKAGE if key in one.source}
        key = (str(name), str(described.get("version", "")))
        package = found.setdefault(key, {"package": str(name), **described, "licences": {}, "benchmarks": 0})
        package["licences"][one.licence] = package["licences"].get(one.licence, 0) + 1
        package["benchmarks"] += 1
    return [found[key] for key in sorted(found)]
