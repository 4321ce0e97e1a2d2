"""Reads of datasets: ``versions``, their ``benchmarks``, and ``lookup`` of one by its URI."""

from datasets.selectors.benchmarks import (
    BenchmarkCriteria,
    Neighbours,
    baselines_of,
    benchmarks_of,
    benchmarks_without_preview,
    count_up_to,
    matching,
    neighbours,
)
from datasets.selectors.lookup import (
    benchmark_for_replay,
    example_numbers,
    find_benchmark,
    find_benchmarks,
    find_in_dataset,
    find_metric,
    member_in_dataset,
    program_sha256,
)
from datasets.selectors.versions import (
    all_blobs,
    dataset_versions,
    datasets_of,
    facets_of,
    find_dataset_version,
    first_uri,
    get_dataset_version,
    incomplete_versions,
)

__all__ = (
    "BenchmarkCriteria",
    "Neighbours",
    "all_blobs",
    "baselines_of",
    "benchmark_for_replay",
    "benchmarks_of",
    "benchmarks_without_preview",
    "count_up_to",
    "dataset_versions",
    "datasets_of",
    "example_numbers",
    "facets_of",
    "find_benchmark",
    "find_benchmarks",
    "find_dataset_version",
    "find_in_dataset",
    "find_metric",
    "first_uri",
    "get_dataset_version",
    "incomplete_versions",
    "matching",
    "member_in_dataset",
    "neighbours",
    "program_sha256",
)
