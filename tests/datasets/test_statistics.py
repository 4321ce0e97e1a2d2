"""What is counted of a dataset when it is loaded, and again if it is lost."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets import selectors as dataset_selectors
from datasets.loading import load_dataset
from datasets.models import Benchmark, Blob, DatasetVersion
from datasets.services import _doublings, _steps

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def mixed(db: None, folder: Any) -> DatasetVersion:
    """The tiny dataset with splits, licences and packages."""
    entries = folder.manifest["benchmarks"]
    for entry, split, licence in zip(
        entries, ("test", "train", "train"), ("MIT", "Zlib", "MIT"), strict=True
    ):
        entry |= {"split": split, "licence": licence, "tags": ["floating-point"]}
        entry["source"] = {
            "package": "lz4",
            "version": "4.4.4",
            "purl": "pkg:generic/lz4@4.4.4",
            "upstream": "https://example.org/lz4",
            "archive": "lz4-4.4.4.tar.gz",
            "archive_sha256": "a" * 64,
        }
    entries[2]["baselines"]["ir_instructions"]["O0"] = 4000
    folder.manifest["released"] = "2026-11-21"
    return load_dataset(manifest_dir=folder.write())


def test_everything_is_counted_at_load(mixed: DatasetVersion) -> None:
    mixed.refresh_from_db()
    told = mixed.statistics
    assert (mixed.benchmark_count, mixed.member_count, mixed.released) == (3, 3, date(2026, 11, 21))
    assert mixed.size_bytes == sum(4 + len(name) * 50 for name in ("alpha", "beta", "gamma"))
    assert (told["domains"], told["languages"]) == ({"sorting": 3}, {"C": 3})
    assert (told["licences"], told["splits"]) == ({"MIT": 2, "Zlib": 1}, {"train": 2, "test": 1})
    assert mixed.split_counts == [("train", 2), ("test", 1)]
    assert (told["workloads"], told["runnable"]) == (6, 3)
    (package,) = told["packages"]
    assert (package["package"], package["benchmarks"], package["licences"]) == (
        "lz4",
        3,
        {"MIT": 2, "Zlib": 1},
    )


def test_metrics_are_summed_up_by_level(mixed: DatasetVersion) -> None:
    metric = mixed.statistics["metrics"]["ir_instructions"]
    assert metric["levels"]["O0"] == {"min": 400, "median": 400, "max": 4000}
    assert (metric["last"], metric["count"]) == ("Oz", 3)
    assert metric["sizes"][0] == [256, 512, 2]
    assert metric["sizes"][-1] == [2048, 4096, 1]
    assert sum(count for *_, count in metric["sizes"]) == 3
    assert sum(count for *_, count in metric["shares"]) == 3


@given(st.lists(st.integers(1, 10**12), max_size=20))
def test_bins_touch_and_lose_nothing(values: list[int]) -> None:
    for bins in (_doublings(values), _steps(value / 3e11 for value in values)):
        assert sum(count for *_, count in bins) == len(values)
        for before, after in pairwise(bins):
            assert before[1] == pytest.approx(after[0])


def test_a_share_on_an_edge_is_in_the_bin_that_begins_there(folder: Any, db: None) -> None:
    shares = [0.15, 0.3, 0.35, 0.6, 0.7, 0.95, 2.1, 7.0, 1.0]
    folder.grow("tiny-v0", len(shares))
    for one, share in zip(folder.manifest["benchmarks"], shares, strict=True):
        # Without Oz, so that shares may be above 1.
        one["baselines"] = {"cost": {"O0": 100, "O3": 100 * share}}
    # A share that no float can be.
    folder.manifest["benchmarks"][-1]["baselines"] = {"cost": {"O0": 1e-320, "O3": 2**53}}
    told = load_dataset(manifest_dir=folder.write()).statistics["metrics"]["cost"]["shares"]
    found = [(low, count) for low, _, count in told if count]
    assert found == [(0.15, 1), (0.3, 1), (0.35, 1), (0.6, 1), (0.7, 1), (0.95, 1), (2.0, 3)]


def test_rows_have_split_and_tags(mixed: DatasetVersion) -> None:
    row = mixed.benchmarks.get(name="alpha")
    assert (row.split, row.tags) == ("test", ["floating-point"])
    given_ = dataset_selectors.benchmark_for_replay(row)
    assert (given_.split, given_.tags) == ("test", ("floating-point",))


def test_loading_again_fills_what_is_lost(folder: Any, mixed: DatasetVersion, blob_root: Path) -> None:
    before = list(Benchmark.objects.order_by("pk").values())
    DatasetVersion.objects.update(
        manifest_blob=None, archive_blob=None, statistics={}, benchmark_count=0, released=None, size_bytes=0
    )
    Blob.objects.filter(benchmarks__isnull=True).delete()
    filled = load_dataset(manifest_dir=folder.path)
    filled.refresh_from_db()
    assert filled.pk == mixed.pk
    assert filled.statistics["licences"] == {"MIT": 2, "Zlib": 1}
    assert (filled.benchmark_count, filled.size_bytes, filled.released) == (
        3,
        mixed.size_bytes,
        mixed.released,
    )
    assert (filled.manifest_blob, filled.archive_blob) == (mixed.manifest_blob, mixed.archive_blob)
    assert list(Benchmark.objects.order_by("pk").values()) == before


def test_the_row_keeps_no_second_copy_of_the_benchmarks(mixed: DatasetVersion) -> None:
    assert "benchmarks" not in mixed.manifest
    assert mixed.manifest["toolchain"]["clang"] == "22.1.8"


def test_facets_of_a_version_without_statistics_are_counted(mixed: DatasetVersion) -> None:
    told = dataset_selectors.facets_of(mixed)
    mixed.statistics = {}
    assert dataset_selectors.facets_of(mixed) == told
    assert told["licence"] == {"MIT": 2, "Zlib": 1}
