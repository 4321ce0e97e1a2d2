"""The rows of a dataset's benchmarks, written many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from datasets.models import Baseline, Benchmark, Workload
from datasets.services.batches import batches
from optarena.datasets import BenchmarkUri
from optarena.datasets.parametric import MEMBER
from optarena.specs.benchmark import GENERATOR_SCHEME, workloads_digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from datasets.models import Blob, DatasetVersion
    from optarena.datasets import ManifestBenchmark, ParametricDataset

BATCH: Final = 1_000


def create_benchmarks(
    version: DatasetVersion, entries: Iterable[ManifestBenchmark], programs: Mapping[str, Blob]
) -> None:
    """Write the benchmarks of a version with their baselines and workloads.

    Args:
        version: A version that has no benchmarks yet.
        entries: The manifest's, in its order.
        programs: The stored programs by their files' paths.
    """
    for batch in batches(enumerate(entries), BATCH):
        rows = [
            (_benchmark(version, position, entry, programs[entry.file]), entry) for position, entry in batch
        ]
        Benchmark.objects.bulk_create(row for row, _ in rows)
        Baseline.objects.bulk_create(
            (one for row, entry in rows for one in _baselines(row, entry)), batch_size=BATCH
        )
        Workload.objects.bulk_create(
            (one for row, entry in rows for one in _workloads(row, entry)), batch_size=BATCH
        )


def create_range(version: DatasetVersion, dataset: ParametricDataset) -> None:
    """Write the one row of a range of computed benchmarks."""
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
        # A computed member has no workloads; a generated one has its own.
        workloads_sha256="" if dataset.uri.startswith(f"{GENERATOR_SCHEME}://") else workloads_digest(()),
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
        split=entry.split,
        tags=list(entry.tags),
        workloads_sha256=workloads_digest(entry.workloads),
    )


def _baselines(row: Benchmark, entry: ManifestBenchmark) -> list[Baseline]:
    return [
        Baseline(benchmark=row, metric=metric, level=level, value=value)
        for metric, levels in entry.baselines.items()
        for level, value in levels.items()
    ]


def _workloads(row: Benchmark, entry: ManifestBenchmark) -> list[Workload]:
    return [
        Workload(
            benchmark=row,
            position=position,
            name=workload.name,
            args=list(workload.args),
            stdin=workload.stdin.decode(),
            expected_stdout=workload.expected_stdout.decode(),
            exit_code=workload.exit_code,
        )
        for position, workload in enumerate(entry.workloads)
    ]
