"""Benchmarks and datasets: their URIs, manifests and where to find them.

Import from here: ``datasets()``, ``Benchmark``, ``BenchmarkUri``, ``Dataset``, ``Datasets``, ``Workload``,
``parse_manifest``, and for authors ``DatasetProgram`` and ``write_manifest``. Programs are bytes here;
compiling and running them is the compilers' rooms' work.
"""

from optarena.datasets.benchmark import Baselines, Benchmark, Workload
from optarena.datasets.dataset import Dataset
from optarena.datasets.manifest import Manifest, ManifestBenchmark, content_digest, parse_manifest
from optarena.datasets.registry import BUILTIN, Datasets, datasets
from optarena.datasets.uri import BenchmarkUri
from optarena.datasets.writing import DatasetProgram, write_manifest

__all__ = [
    "BUILTIN",
    "Baselines",
    "Benchmark",
    "BenchmarkUri",
    "Dataset",
    "DatasetProgram",
    "Datasets",
    "Manifest",
    "ManifestBenchmark",
    "Workload",
    "content_digest",
    "datasets",
    "parse_manifest",
    "write_manifest",
]
