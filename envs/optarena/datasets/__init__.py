"""Benchmarks and datasets: their URIs, manifests and where to find them. Programs are bytes here."""

from optarena.datasets.citing import Citation, cite
from optarena.datasets.dataset import BaseDataset, Dataset
from optarena.datasets.manifest import (
    SPLITS,
    Change,
    DatasetProgram,
    Manifest,
    ManifestBenchmark,
    content_digest,
    parse_manifest,
    write_manifest,
)
from optarena.datasets.parametric import Generated, GeneratedDataset, GeneratorFailed, ParametricDataset
from optarena.datasets.registry import (
    BUILTIN,
    Datasets,
    FilesDataset,
    datasets,
    environment_of,
    environments_of,
)
from optarena.datasets.remote import RemoteDataset, remote_dataset
from optarena.specs.benchmark import Baselines, Benchmark, BenchmarkUri, Workload

__all__ = [
    "BUILTIN", "SPLITS", "BaseDataset", "Baselines", "Benchmark", "BenchmarkUri", "Change", "Citation",
    "Dataset", "DatasetProgram", "Datasets", "FilesDataset", "Generated", "GeneratedDataset",
    "GeneratorFailed", "Manifest", "ManifestBenchmark", "ParametricDataset", "RemoteDataset", "Workload",
    "cite", "content_digest", "datasets", "environment_of", "environments_of", "parse_manifest",
    "remote_dataset", "write_manifest",
]  # fmt: skip
