"""Finding benchmarks by URI, stored and parametric, and handing them to the runner."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from datasets import selectors as dataset_selectors
from datasets.loading import load_range
from optarena.datasets import ParametricDataset, datasets
from optarena.errors import InvalidInput, UnknownName
from tests.factories import make_version
from tests.kit.manifests import LOOPS

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import DjangoAssertNumQueries

    from datasets.models import Benchmark, DatasetVersion

pytestmark = pytest.mark.django_db


@pytest.fixture
def loops() -> Benchmark:
    """A dataset whose programs are computed: one row for 1 to 8·2^20."""
    return load_range(dataset=replace(LOOPS, high=8 * 2**20)).benchmarks.get()


@pytest.mark.parametrize("uri", ["benchmark://tiny-v0/beta", "tiny-v0/beta"])
def test_a_stored_benchmark_is_found_with_and_without_scheme(version: DatasetVersion, uri: str) -> None:
    found = dataset_selectors.find_benchmark(uri)
    assert found is not None
    assert found.name == "beta"


@pytest.mark.parametrize(
    "uri",
    [
        "benchmark://tiny-v0/none",
        "benchmark://tiny-v1/beta",
        "generator://tiny-v0/beta",
        "benchmark://tiny-v0",
        "benchmark://tiny-v0/../beta",
        "file:///etc/passwd",
        "not a uri",
        "",
        "benchmark://tiny-v0/beta?x=1",
    ],
)
def test_what_does_not_exist_is_not_found(version: DatasetVersion, uri: str) -> None:
    assert dataset_selectors.find_benchmark(uri) is None


@pytest.mark.parametrize("number", [1, 1024, 8 * 2**20])
def test_a_member_of_a_range_finds_the_range(loops: Benchmark, number: int) -> None:
    assert dataset_selectors.find_benchmark(f"benchmark://loops-v0/{number}") == loops


@pytest.mark.parametrize("path", ["0", str(8 * 2**20 + 1), "01", "-1", "1.0", "{n}", "9" * 30, "x/1", "1/2"])
def test_what_is_outside_the_range_is_not_found(loops: Benchmark, path: str) -> None:
    assert dataset_selectors.find_benchmark(f"benchmark://loops-v0/{path}") is None


def test_finding_costs_one_query(loops: Benchmark, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(1):
        found = dataset_selectors.find_benchmark("benchmark://loops-v0/77")
        assert found is not None
        assert found.version.name == "loops-v0"


def test_a_range_is_found_by_its_own_name_inside_its_dataset(loops: Benchmark) -> None:
    assert dataset_selectors.find_in_dataset(loops.version, "{n}") == loops
    assert dataset_selectors.find_in_dataset(loops.version, "5") == loops


def test_the_runner_gets_the_program_and_its_workloads(version: DatasetVersion, folder: object) -> None:
    row = version.benchmarks.get(name="beta")
    given = dataset_selectors.benchmark_for_replay(row)
    assert given.program() == b"BC\xc0\xde" + b"beta" * 50
    assert given.uri == "benchmark://tiny-v0/beta"
    assert given.baseline("ir_instructions", "Oz") == 200
    assert [(one.name, one.args, one.stdin, one.exit_code) for one in given.workloads] == [
        ("small", ("10", "a b"), b"", 0),
        ("input", (), "äöü\n".encode(), 3),
    ]


def test_the_runner_never_gets_a_damaged_program(version: DatasetVersion, blob_root: Path) -> None:
    row = version.benchmarks.select_related("blob").get(name="beta")
    assert row.blob is not None
    (blob_root / row.blob.storage_key).write_bytes(b"other")
    with pytest.raises(Exception, match="damaged"):
        dataset_selectors.benchmark_for_replay(row).program()


def test_the_runner_gets_the_member_of_a_range(loops: Benchmark) -> None:
    one = dataset_selectors.benchmark_for_replay(loops, uri="loops-v0/1024")
    other = dataset_selectors.benchmark_for_replay(loops, uri="benchmark://loops-v0/1025")
    assert one.uri == "benchmark://loops-v0/1024"
    assert one.kind == "parametric"
    assert one.sha256 != other.sha256
    assert one.program() == b"benchmark://loops-v0/1024"


@pytest.mark.parametrize("uri", ["", "benchmark://loops-v0/0", "benchmark://tiny-v0/alpha"])
def test_the_runner_refuses_what_is_no_member(loops: Benchmark, version: DatasetVersion, uri: str) -> None:
    with pytest.raises(InvalidInput, match="not a member"):
        dataset_selectors.benchmark_for_replay(loops, uri=uri)


def test_versions_are_counted_and_weighed(version: DatasetVersion, loops: Benchmark) -> None:
    rows = {row.name: row for row in dataset_selectors.dataset_versions()}
    assert (rows["tiny-v0"].benchmark_count, rows["loops-v0"].benchmark_count) == (3, 1)
    assert (rows["tiny-v0"].member_count, rows["loops-v0"].member_count) == (3, 8 * 2**20)
    assert (rows["tiny-v0"].kind, rows["loops-v0"].kind) == ("stored", "parametric")
    assert (rows["tiny-v0"].parameter_max, rows["loops-v0"].parameter_max) == (None, 8 * 2**20)
    assert rows["tiny-v0"].size_bytes == sum(len(n) * 50 + 4 for n in ("alpha", "beta", "gamma"))


def test_a_version_without_benchmarks_has_none() -> None:
    make_version("empty-v0")
    (row,) = dataset_selectors.dataset_versions()
    assert (row.benchmark_count, row.member_count, row.size_bytes, row.kind) == (0, 0, 0, "stored")


def test_the_server_and_the_package_have_the_same_members() -> None:
    dataset = datasets()["loop_tool-cpu-v0"]
    assert isinstance(dataset, ParametricDataset)
    row = load_range(dataset=dataset).benchmarks.get()
    for number in ("1", "1024", "8388608"):
        here, there = dataset_selectors.member_in_dataset(row, number), dataset.benchmark(number)
        assert here == there
        assert here is not None
        assert here.program() == there.program()
        assert dataset_selectors.benchmark_for_replay(row, uri=there.uri) == there
    for path in ("0", "01", "8388609", "{n}", "", "1/1", "x", " 1", "\u0661", "1?a=b", "\0"):
        assert dataset_selectors.member_in_dataset(row, path) is None
        assert (
            dataset_selectors.find_benchmark(f"{dataset.uri.removesuffix('{n}')}{path}") is None
            or path == " 1"
        )


def test_a_range_has_a_first_benchmark_and_examples(loops: Benchmark, version: DatasetVersion) -> None:
    assert dataset_selectors.first_uri("loops-v0") == "benchmark://loops-v0/1"
    assert dataset_selectors.first_uri("tiny-v0") == "benchmark://tiny-v0/alpha"
    assert dataset_selectors.first_uri("none-v0") == ""
    assert dataset_selectors.example_numbers(loops) == [1, 2**10, 2**14, 2**17, 2**20, 2**23]
    loops.parameter_min = loops.parameter_max = 5
    assert dataset_selectors.example_numbers(loops) == [5]


def test_a_missing_version_gives_none() -> None:
    assert dataset_selectors.find_dataset_version("none-v0") is None


def test_a_generated_member_is_made_for_the_runner_alone() -> None:
    dataset = datasets()["synthetic-v0"]
    assert isinstance(dataset, ParametricDataset)
    row = load_range(dataset=dataset).benchmarks.get()
    assert row.uri == "generator://synthetic-v0/{n}"
    assert dataset_selectors.find_benchmark("generator://synthetic-v0/42") == row
    assert dataset_selectors.find_benchmark("benchmark://synthetic-v0/42") is None
    shown = dataset_selectors.member_in_dataset(row, "42")
    assert shown is not None
    assert (shown.uri, shown.sha256, shown.size_bytes) == ("generator://synthetic-v0/42", "", 0)
    given = dataset_selectors.benchmark_for_replay(row, uri="generator://synthetic-v0/42")
    assert given == dataset.benchmark("42")
    assert len(given.program()) == given.size_bytes > 0
    with pytest.raises(InvalidInput, match="not a member"):
        dataset_selectors.benchmark_for_replay(row, uri="generator://synthetic-v0/042")


def test_a_generator_that_is_not_installed_is_named() -> None:
    dataset = datasets()["synthetic-v0"]
    assert isinstance(dataset, ParametricDataset)
    row = load_range(dataset=dataset).benchmarks.get()
    row.version.name = "elsewhere-v0"
    with pytest.raises(UnknownName, match="elsewhere-v0"):
        dataset_selectors.benchmark_for_replay(row, uri="generator://synthetic-v0/42")
