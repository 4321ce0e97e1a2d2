"""The collection of all datasets: what is listed, what is only found, and what is drawn; and splits."""

from __future__ import annotations

import itertools
import json
import random
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from optarena.datasets import Dataset, Datasets, FilesDataset, datasets
from optarena.deprecation import OptArenaDeprecationWarning
from optarena.errors import InvalidInput, UnknownName
from tests.kit.dataset_server import make_dataset

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("new-v1", "old-v0", "small-v0"):
        make_dataset(tmp_path / name, *(f"{name}-{n}" for n in range(3)))
    deprecate(tmp_path / "old-v0", {"reason": "Its sizes are wrong.", "successor": "new-v1"})
    return tmp_path


def deprecate(folder: Path, document: object) -> None:
    (folder / "deprecated.json").write_text(json.dumps(document))


def test_deprecated_datasets_are_not_listed(folder: Path) -> None:
    known = Datasets([folder])
    assert known.names == ("new-v1", "small-v0")
    assert known.deprecated == ("old-v0",)
    assert len(known) == 2
    assert [one.name for one in known] == ["new-v1", "small-v0"]
    assert not any(uri.startswith("benchmark://old-v0") for uri in known.benchmark_uris())
    assert {known.random_benchmark(seed).uri.split("/")[2] for seed in range(30)} == {"new-v1", "small-v0"}
    assert "old-v0" in known


def test_deprecated_datasets_are_found_with_a_warning_at_the_callers_line(folder: Path) -> None:
    known = Datasets([folder])
    for find in (lambda: known["old-v0"], lambda: known.benchmark("benchmark://old-v0/old-v0-1")):
        with pytest.warns(OptArenaDeprecationWarning, match=r"Its sizes are wrong. Use new-v1") as caught:
            find()
        assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert known.find("old-v0").deprecated == "Its sizes are wrong. Use new-v1 instead."
        assert known["new-v1"].deprecated == ""


@pytest.mark.parametrize("document", [[], {}, {"reason": ""}, {"reason": 5}, {"reason": "x", "successor": 1}])
def test_a_malformed_deprecation_is_named(document: object, folder: Path) -> None:
    deprecate(folder / "new-v1", document)
    with pytest.raises(InvalidInput, match=r"'new-v1' cannot be used: .*deprecated.json: deprecated.json"):
        Datasets([folder])["new-v1"]


def test_a_deprecation_that_is_no_json_is_named(folder: Path) -> None:
    (folder / "new-v1/deprecated.json").write_bytes(b"\xff")
    with pytest.raises(InvalidInput, match="document is not JSON"):
        Datasets([folder])["new-v1"]


def test_what_comes_later_is_seen(folder: Path) -> None:
    known = Datasets([folder])
    with pytest.raises(UnknownName):
        known["later-v0"]
    make_dataset(folder / "later-v0", "x")
    assert "later-v0" in known.names
    assert known["later-v0"].benchmark("x").program()


@pytest.mark.parametrize("name", ["", ".", "..", "../small-v0", "small-v0/blobs", ".hidden-v0", "a\0b-v0"])
def test_a_name_leads_nowhere_else(name: str, folder: Path) -> None:
    make_dataset(folder / "hidden-v0", "x").rename(folder / ".hidden-v0")
    known = Datasets([folder, folder / "new-v1"])
    assert name not in known
    with pytest.raises(UnknownName):
        known[name]


@pytest.mark.parametrize("name", [5, None, b"small-v0", ["small-v0"]])
def test_a_dataset_is_named_by_a_text(name: Any, folder: Path) -> None:
    with pytest.raises(InvalidInput, match="name as a text"):
        Datasets([folder])[name]


def test_all_benchmarks_are_listed_dataset_by_dataset(folder: Path) -> None:
    known = Datasets([folder])
    uris = [f"benchmark://{name}/{name}-{n}" for name in ("new-v1", "small-v0") for n in range(3)]
    assert list(known.benchmark_uris()) == uris == [one.uri for one in known.benchmarks()]
    assert next(itertools.islice(Datasets([]).benchmarks(), 1), None) is None


def test_a_seed_draws_the_same_and_a_generator_goes_on(folder: Path) -> None:
    known = Datasets([folder])
    assert known.random_benchmark(7) == known.random_benchmark(7) == known.sample(1, 7)[0]
    for make in (np.random.default_rng, random.Random):
        one, two = ([known.random_benchmark(state).uri for _ in range(60)] for state in (make(3), make(3)))
        assert one == two == [found.uri for found in known.sample(60, make(3))]
        assert set(one) == set(known.benchmark_uris())


def test_each_dataset_is_as_likely_whatever_its_size() -> None:
    drawn = datasets().sample(200, 1, names=["kernels-v0", "loop_tool-cpu-v0"])
    assert 70 < sum(one.kind == "stored" for one in drawn) < 130


def test_only_named_datasets_are_drawn_from(folder: Path) -> None:
    known = Datasets([folder])
    assert {one.uri.split("/")[2] for one in known.sample(20, names=["small-v0"])} == {"small-v0"}
    with pytest.raises(UnknownName, match="small-v0"):
        known.sample(1, names=["smal-v0"])
    with pytest.raises(InvalidInput, match="names is 5"):
        known.sample(1, names=5)  # type: ignore[arg-type] # that is what is tested
    for names in ((), "small-v0"):
        with pytest.raises(InvalidInput, match=r"names|no datasets"):
            known.random_benchmark(names=names)
    with pytest.raises(InvalidInput, match="no datasets"):
        Datasets([]).random_benchmark()


@pytest.mark.parametrize("count", [-1, 1.0, "1", True, None])
def test_a_count_is_a_number(count: Any, folder: Path) -> None:
    with pytest.raises(InvalidInput, match="count"):
        Datasets([folder]).sample(count)


def test_a_split_is_a_sequence_of_its_benchmarks(folder: Path) -> None:
    dataset = Dataset.from_folder(folder / "small-v0")
    assert dataset.splits == ("train", "test")
    assert [one.name for one in dataset.split("train")] == ["small-v0-0", "small-v0-2"]
    assert dataset.split("test")[0] == dataset.benchmark_at(1)
    for name in ("validation", "Train", ""):
        with pytest.raises(UnknownName, match=r"train|test"):
            dataset.split(name)


@pytest.mark.parametrize("name", ["kernels-v0", "loop_tool-cpu-v0"])
def test_a_dataset_without_splits_says_so(name: str) -> None:
    assert datasets()[name].splits == ()
    with pytest.raises(UnknownName, match=f"{name} is not split"):
        datasets()[name].split("train")


def test_a_dataset_of_files_is_found_like_any_other(folder: Path) -> None:
    known = Datasets([folder], [FilesDataset(folder / "small-v0", "mine-v0")])
    assert "mine-v0" in known.names
    assert known.benchmark("mine-v0/blobs/small-v0-1.bc").program()


def test_ranges_are_gone_through_and_drawn_from_where_they_are_named(folder: Path) -> None:
    loops = datasets()["loop_tool-cpu-v0"]
    known = Datasets([folder], [loops])
    assert len(list(known.benchmark_uris())) == len(list(known.benchmarks())) == 6
    assert all(one.kind == "stored" for one in known.sample(30, 1))
    named = ["loop_tool-cpu-v0", "small-v0"]
    assert next(known.benchmark_uris(named)) == next(known.benchmarks(named)).uri == next(loops.uris())
    assert [one.name for one in known.benchmarks(["small-v0"])] == [f"small-v0-{n}" for n in range(3)]
    with pytest.raises(UnknownName, match="small-v0"):
        known.benchmarks(["smal-v0"])
    with pytest.raises(InvalidInput, match="list of datasets"):
        known.benchmark_uris("small-v0")
    with pytest.raises(InvalidInput, match="no datasets"):
        Datasets([], [loops]).random_benchmark()


def test_all_benchmarks_of_this_installation_come_to_an_end() -> None:
    assert all(uri.startswith("benchmark://") for uri in datasets().benchmark_uris())
