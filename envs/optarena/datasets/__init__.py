"""Benchmarks and datasets: their URIs, manifests and where to find them.

Import from here: ``datasets()``, ``Benchmark``, ``BenchmarkUri``, ``Dataset``, ``Datasets``, ``Workload`` and
``parse_manifest``. Programs are bytes here; compiling and running them is the compilers' rooms' work.
"""

from optarena.datasets.benchmark import Baselines, Benchmark, Workload
from optarena.datasets.dataset import Dataset
from optarena.datasets.manifest import Manifest, ManifestBenchmark, content_digest, parse_manifest
from optarena.datasets.registry import BUILTIN, Datasets, datasets
from optarena.datasets.uri import BenchmarkUri

__all__ = [
    "BUILTIN",
    "Baselines",
    "Benchmark",
    "BenchmarkUri",
    "Dataset",
    "Datasets",
    "Manifest",
    "ManifestBenchmark",
    "Workload",
    "content_digest",
    "datasets",
    "parse_manifest",
]
