"""Benchmarks and datasets: their URIs, manifests and where to find them.

Import from here: ``datasets()``, ``Benchmark``, ``BenchmarkUri``, ``BaseDataset`` with its kinds ``Dataset``
(stored) and ``ParametricDataset`` (computed), ``Datasets``, ``Workload``, ``parse_manifest``, and for
authors ``DatasetProgram`` and ``write_manifest``. Programs are bytes here; compiling and running them is the
compilers' rooms' work.
"""

from optarena.datasets.base import BaseDataset
from optarena.datasets.benchmark import Baselines, Benchmark, Workload
from optarena.datasets.dataset import Dataset
from optarena.datasets.manifest import Manifest, ManifestBenchmark, content_digest, parse_manifest
from optarena.datasets.parametric import ParametricDataset
from optarena.datasets.registry import BUILTIN, Datasets, datasets, environments_of
from optarena.datasets.uri import BenchmarkUri
from optarena.datasets.writing import DatasetProgram, write_manifest

__all__ = [
    "BUILTIN",
    "BaseDataset",
    "Baselines",
    "Benchmark",
    "BenchmarkUri",
    "Dataset",
    "DatasetProgram",
    "Datasets",
    "Manifest",
    "ManifestBenchmark",
    "ParametricDataset",
    "Workload",
    "content_digest",
    "datasets",
    "environments_of",
    "parse_manifest",
    "write_manifest",
]
