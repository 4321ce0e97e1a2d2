"""Ranges of computed benchmarks, and the collection of all datasets: listed, found, drawn and split."""

from __future__ import annotations

import copy
import hashlib
import itertools
import json
import pickle
import random
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import optarena
from optarena.datasets import (
    BaseDataset,
    Dataset,
    Datasets,
    FilesDataset,
    ParametricDataset,
    datasets,
    registry,
)
from optarena.datasets import dataset as known
from optarena.deprecation import OptArenaDeprecationWarning
from optarena.errors import InvalidInput, ToolMissing, UnknownName
from optarena.loop_tool.nest import DATASETS as DEVICES
from optarena.specs import environment, environment_spec
from tests.kit.dataset_server import LOOPS, make_dataset
from tests.kit.tools import in_ci

CPU = "loop_tool-cpu-v0"
GIVEN = ("title", "description", "licence", "domain", "language")
BAD_NAMES = (
    "loops",
    "Loops-v0",
    "a/b-v0",
    "",
    None,
    "x" * 70 + "-v0",
    "loops-v0\n",
    "loops-v00",
    "loops-v01",
)
BAD_TEXTS = ("", " ", None, 5, "two\nlines", "\0", "x" * 2001)
NO_MEMBERS = (
    "007", "+5", "-5", "1e3", "1_000", " 5", "5 ", "5\n", "5.0", "0x10", "\u0661", "\uff15", "\u00b2", "",
    "0", "8388609", "9" * 400, "5/", "/5", "5/5", "5?x=1", "5#", "{n}", "quicksort", "5,0", "\0", "..",
)  # fmt: skip


@pytest.fixture
def unregistered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "computed", list(known.computed))
    monkeypatch.setattr(known, "folders", [])


@pytest.mark.parametrize("name", DEVICES)
def test_the_datasets_of_loop_tool_are_there(name: str) -> None:
    dataset = datasets()[name]
    assert isinstance(dataset, ParametricDataset)
    assert (dataset.name, dataset.kind, len(dataset)) == (name, "parametric", 8 * 2**20)
    assert dataset.title
    assert dataset.description
    assert dataset.licence == "MIT"
    assert name in datasets()
    assert name in datasets().names
    assert datasets()[f"benchmark://{name}"] is dataset
    assert registry.environments_of(name) == (environment_spec("loop_tool-v0"),)


def test_every_dataset_is_counted_once() -> None:
    assert len(datasets()) == len(datasets().names) == len(list(datasets()))


@pytest.mark.parametrize("name", datasets().names)
def test_every_dataset_is_used_alike(name: str) -> None:
    dataset = datasets()[name]
    assert isinstance(dataset, BaseDataset)
    try:
        first = dataset.benchmark(next(iter(dataset)).uri)
    except ToolMissing as error:
        assert not in_ci()
        pytest.skip(str(error))  # names the tool and how to install it
    assert first == dataset.benchmark_at(0) == dataset.benchmark(first.uri) == dataset.benchmark(first.name)
    assert first.kind == dataset.kind
    assert first.uri in dataset
    assert dataset.name in repr(dataset)
    assert dataset.random_benchmark().uri in dataset
    assert hashlib.sha256(first.program()).hexdigest() == first.sha256
    with pytest.raises(IndexError):
        dataset.benchmark_at(len(dataset))


def test_members_come_in_order_and_one_at_a_time() -> None:
    dataset = datasets()[CPU]
    assert [one.name for one in itertools.islice(dataset, 3)] == ["1", "2", "3"]
    assert [one.name for one in itertools.islice(dataset, 2)] == ["1", "2"]
    assert dataset.benchmark_at(-1).name == "8388608"
    assert [int(one.name) for one in LOOPS] == [3, 4, 5, 6, 7]


def test_a_member_is_told_by_its_uri_alone() -> None:
    one = datasets()[CPU].benchmark("1024")
    assert (one.uri, one.name, one.kind) == ("benchmark://loop_tool-cpu-v0/1024", "1024", "parametric")
    assert one.program() == one.uri.encode()
    assert one.sha256 == hashlib.sha256(one.uri.encode()).hexdigest()
    assert one.size_bytes == len(one.uri)
    assert (one.baselines, one.workloads, one.run_seconds) == ({}, (), 0.0)
    assert one == datasets().benchmark("loop_tool-cpu-v0/1024") == datasets().benchmark(one.uri)
    assert pickle.loads(pickle.dumps(one)).program() == one.program()  # noqa: S301 # made here


@pytest.mark.parametrize("path", NO_MEMBERS)
def test_what_is_no_decimal_number_of_the_range_is_refused_by_uri_and_range(path: str) -> None:
    dataset, uri = datasets()[CPU], f"benchmark://{CPU}/{path}"
    for find, text in ((dataset.benchmark, path), (dataset.benchmark, uri), (datasets().benchmark, uri)):
        if text.strip(" ") in ("5", f"benchmark://{CPU}/5"):
            continue  # blanks around the whole are none of it
        assert text not in dataset
        with pytest.raises(UnknownName) as caught:
            find(text)
        assert isinstance(caught.value, ValueError)
        assert repr(uri[:200]) in str(caught.value)
        assert "from 1 to 8388608" in str(caught.value)
        assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(("name", "path"), [(CPU, "5"), ("kernels-v0", "quicksort")])
def test_what_is_found_is_contained_and_nothing_else(name: str, path: str) -> None:
    dataset = datasets()[name]
    uri = f"benchmark://{name}/{path}"
    for text in (uri, uri[len("benchmark://") :], path):
        for blanks in ("{}", "{} ", "  {}"):
            assert dataset.benchmark(blanks.format(text)).uri == uri
            assert blanks.format(text) in dataset
        for wrong in (f"{text}\n", f"\t{text}", f"{text}?x=1", f"{text}/", f"generator://{text}", f"x{text}"):
            with pytest.raises(InvalidInput):
                dataset.benchmark(wrong)
            assert wrong not in dataset
    assert [] not in dataset
    assert dataset.benchmark(uri) not in dataset


@pytest.mark.parametrize("name", [CPU, "kernels-v0"])
def test_a_dataset_is_found_by_its_name_and_by_its_uri(name: str) -> None:
    for text in (name, f"benchmark://{name}", f"benchmark://{name}/"):
        assert text in datasets()
        assert datasets()[text].name == name
    wrong: object
    for wrong in (f"generator://{name}", f"{name}/5", "", 5, [], None):
        assert wrong not in datasets()


@pytest.mark.parametrize("dataset", [LOOPS, datasets()["kernels-v0"]])
@pytest.mark.parametrize("uri", [5, None, b"5", ("5",)])
def test_a_benchmark_is_named_by_a_text(dataset: BaseDataset, uri: Any) -> None:
    with pytest.raises(InvalidInput, match="URI as a text"):
        dataset.benchmark(uri)
    with pytest.raises(InvalidInput, match="URI as a text"):
        datasets().benchmark(uri)
    assert uri not in dataset


def test_a_uri_without_a_path_is_answered_with_an_example() -> None:
    with pytest.raises(InvalidInput, match=r"benchmark://loop_tool-cpu-v0/1'"):
        datasets().benchmark(f"benchmark://{CPU}")
    with pytest.raises(UnknownName, match="loop_tool-cpu-v0"):
        datasets().benchmark("benchmark://loop_tool-cpus-v0/5")


@pytest.mark.parametrize("name", [CPU, "kernels-v0"])
def test_a_seed_draws_the_same_benchmark_and_a_generator_goes_on(name: str) -> None:
    dataset = datasets()[name]
    for seed in (0, 7, np.int64(7)):
        assert dataset.random_benchmark(seed) == dataset.random_benchmark(seed)
    assert dataset.random_benchmark(7) == dataset.random_benchmark(np.random.default_rng(7))
    for make in (np.random.default_rng, random.Random):
        drawn = [[dataset.random_benchmark(state).uri for _ in range(40)] for state in (make(3), make(3))]
        assert drawn[0] == drawn[1]
        assert len(set(drawn[0])) > 5
    assert len({dataset.random_benchmark().uri for _ in range(40)}) > 5
    for wrong in (-1, "x", 1.5, True, np.bool_(True)):
        with pytest.raises(InvalidInput, match="random_state"):
            dataset.random_benchmark(wrong)  # type: ignore[arg-type] # that is what is tested


def test_every_member_can_be_drawn_and_nothing_else() -> None:
    state = random.Random(0)  # noqa: S311 # nothing secret
    assert {LOOPS.random_benchmark(state).name for _ in range(200)} == {"3", "4", "5", "6", "7"}
    single = replace(LOOPS, low=0, high=0)
    assert [one.name for one in single] == ["0"]
    assert single.random_benchmark().name == "0"


def test_datasets_are_plain_data() -> None:
    assert LOOPS == replace(LOOPS) == copy.deepcopy(LOOPS) == pickle.loads(pickle.dumps(LOOPS))  # noqa: S301 # made here
    assert hash(LOOPS) == hash(replace(LOOPS))
    assert LOOPS.definition() == replace(LOOPS).definition()
    assert LOOPS.definition() != replace(LOOPS, high=8).definition()
    assert LOOPS.sha256 == replace(LOOPS, title="Other").sha256 != replace(LOOPS, low=2).sha256


@pytest.mark.parametrize(
    ("change", "field"),
    [
        *(({"name": name}, "name") for name in BAD_NAMES),
        *(({name: value}, name) for name in GIVEN for value in BAD_TEXTS),
        *(({"low": low}, "low") for low in (-1, 1.0, "1", True, None)),
        *(({"high": high}, "high") for high in (2, 10**18, 7.0, None)),
        ({"environment": None}, "environment"),
    ],
)  # fmt: skip
def test_a_description_that_cannot_be_used_is_refused(change: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput, match=field) as caught:
        replace(LOOPS, **change)
    assert caught.value.field == field
    assert caught.value.remedy


@pytest.mark.usefixtures("unregistered")
def test_a_plug_in_registers_a_range() -> None:
    optarena.register(datasets=[LOOPS])
    optarena.register([], datasets=[replace(LOOPS)])
    assert datasets()["loops-v0"] == LOOPS
    assert datasets().names.count("loops-v0") == 1
    assert datasets().benchmark("benchmark://loops-v0/5") == LOOPS.benchmark("5")
    assert registry.environments_of("loops-v0") == ()
    optarena.register([], datasets=[replace(LOOPS, name="more-v0", environment="llvm-v0")])
    assert registry.environments_of("more-v0") == (environment_spec("llvm-v0"),)


@pytest.mark.usefixtures("unregistered")
@pytest.mark.parametrize("slug", ["llvm-v00", "optarena/llvm-v0", "llvm"])
def test_an_environment_that_does_not_exist_is_refused_with_near_matches(slug: str) -> None:
    with pytest.raises(UnknownName, match="more-v0") as caught:
        optarena.register([], datasets=[LOOPS, replace(LOOPS, name="more-v0", environment=slug)])
    assert (caught.value.field, caught.value.value) == ("environment", slug)
    assert "llvm-v0" in caught.value.remedy
    assert "loops-v0" not in datasets()


@pytest.mark.usefixtures("unregistered")
def test_a_range_may_be_for_an_environment_registered_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "ENVIRONMENTS", dict(environment.ENVIRONMENTS))
    monkeypatch.setattr(gymnasium.envs.registration, "registry", dict(gymnasium.registry))
    own = replace(environment_spec("loop_tool-v0"), slug="own-v0", dataset="loops-v0", benchmark="")
    optarena.register([own], datasets=[LOOPS, replace(LOOPS, name="more-v0", environment="own-v0")])
    assert registry.environments_of("loops-v0") == registry.environments_of("more-v0") == (own,)


@pytest.mark.usefixtures("unregistered")
def test_a_range_hides_a_folder_of_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "datasets" / CPU).mkdir(parents=True)
    (tmp_path / "datasets" / CPU / "manifest.json").write_text("{")
    monkeypatch.setenv("OPTARENA_SITE_DATA", str(tmp_path))
    assert datasets().names.count(CPU) == 1
    assert len(datasets()[CPU]) == 8 * 2**20


@pytest.mark.usefixtures("unregistered")
@pytest.mark.parametrize("name", ["kernels-v0", CPU, "user-v0"])
def test_a_taken_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="Another dataset"):
        optarena.register([], datasets=[LOOPS, replace(LOOPS, name=name)])
    assert "loops-v0" not in datasets()


@pytest.mark.usefixtures("unregistered")
def test_another_range_of_the_same_name_is_refused() -> None:
    with pytest.raises(InvalidInput, match="same name"):
        optarena.register([], datasets=[LOOPS, replace(LOOPS, high=8)])
    optarena.register([], datasets=[LOOPS, LOOPS])
    with pytest.raises(InvalidInput, match="Another dataset"):
        optarena.register([], datasets=[replace(LOOPS, high=8)])
    assert datasets()["loops-v0"] == LOOPS


@pytest.mark.usefixtures("unregistered")
def test_a_range_and_a_folder_of_one_name_are_refused_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "loops-v0").mkdir()
    (tmp_path / "loops-v0" / "manifest.json").write_text("{}")
    with pytest.raises(InvalidInput, match="Another dataset"):
        optarena.register([], dataset_folders=[tmp_path], datasets=[LOOPS])
    assert "loops-v0" not in datasets()
    optarena.register([], datasets=[LOOPS])
    with pytest.raises(InvalidInput, match="dataset_folders"):
        optarena.register([], dataset_folders=[tmp_path])
    assert datasets()["loops-v0"] == LOOPS


@pytest.mark.parametrize("ranges", ["loops-v0", ["loops-v0"], [Path()], None, 5, LOOPS, list(LOOPS)])
def test_ranges_of_another_kind_are_named(ranges: Any) -> None:
    with pytest.raises(InvalidInput, match=r"datasets.* must be"):
        optarena.register([], datasets=ranges)


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
