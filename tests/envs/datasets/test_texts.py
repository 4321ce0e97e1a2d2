"""Texts of manifests, deprecations, servers and arguments that are none: one typed error, or cleaned."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from optarena.cli import main
from optarena.datasets import Dataset, Datasets, FilesDataset, RemoteDataset, datasets, parse_manifest
from optarena.errors import InvalidDocument, InvalidInput
from tests.kit.dataset_server import make_dataset

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.kit.dataset_server import DatasetServer

HALF = "\ud800"


def manifest(folder: Path) -> dict[str, Any]:
    raw: dict[str, Any] = json.loads((folder / "manifest.json").read_bytes())
    return raw


def spoil_workload(**fields: object) -> Callable[[dict[str, Any]], None]:
    return lambda raw: raw["benchmarks"][0]["workloads"][0].update(fields)


def spoil_benchmark(**fields: object) -> Callable[[dict[str, Any]], None]:
    return lambda raw: raw["benchmarks"][0].update(fields)


SPOILT: dict[str, tuple[tuple[int | None, str], Callable[[dict[str, Any]], None]]] = {
    "stdin": ((0, "workloads[0].stdin"), spoil_workload(stdin=HALF)),
    "stdout": ((0, "workloads[0].expected_stdout"), spoil_workload(expected_stdout=HALF)),
    "args": ((0, "workloads[0].args"), spoil_workload(args=["1", HALF])),
    "title": ((0, "title"), spoil_benchmark(title=f"a{HALF}b")),
    "uri": ((0, "uri"), spoil_benchmark(uri=f"benchmark://small-v0/{HALF}")),
    "tags": ((0, "tags"), spoil_benchmark(tags=[HALF])),
    "source": ((0, "source"), spoil_benchmark(source={"files": [{"name": HALF}]})),
    "name in source": ((0, "source"), spoil_benchmark(source={HALF: 1})),
    "dataset's title": ((None, "title"), lambda raw: raw.update(title=HALF)),
    "toolchain": ((None, "toolchain"), lambda raw: raw.update(toolchain={"clang": HALF})),
    "metric": (
        (0, "baselines.\\ud800"),
        spoil_benchmark(baselines={HALF: {"O0": 2}, "ir_instructions": {"O0": 100, "Oz": 50}}),
    ),
}


@pytest.mark.parametrize("place", SPOILT)
def test_a_manifest_has_only_texts_that_can_be_written(place: str, tmp_path: Path) -> None:
    raw = manifest(make_dataset(tmp_path / "small-v0", "one"))
    expected, spoil = SPOILT[place]
    spoil(raw)
    with pytest.raises(InvalidDocument) as caught:
        parse_manifest(json.dumps(raw))
    problem, *others = caught.value.problems
    assert others == []
    assert (problem.row, problem.field) == expected
    f"{caught.value}{problem}".encode()  # it can be printed


def test_one_such_manifest_does_not_hide_the_other_datasets(
    own_folders: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_dataset(own_folders / "site/datasets/good-v0", "one")
    bad = make_dataset(own_folders / "site/datasets/bad-v0", "one")
    raw = manifest(bad)
    raw["benchmarks"][0]["workloads"][0]["stdin"] = HALF
    (bad / "manifest.json").write_text(json.dumps(raw))
    with pytest.raises(InvalidInput, match=r"'bad-v0' cannot be used: .*stdin"):
        datasets()["bad-v0"]
    with pytest.raises(SystemExit):
        main(["datasets", "list"])
    told = capsys.readouterr()
    assert "good-v0" in told.out
    assert "error: The dataset 'bad-v0' cannot be used" in told.err


@pytest.mark.parametrize(
    ("told", "field"),
    [
        ({"reason": HALF}, "reason"),
        ({"reason": "a\0"}, "reason"),
        ({"reason": "\x1b[2J"}, "reason"),
        ({"reason": "  "}, "reason"),
        ({"reason": "Old.", "successor": "../evil <b>"}, "successor"),
        ({"reason": "Old.", "successor": HALF}, "successor"),
    ],
)
def test_a_deprecation_that_cannot_be_shown_is_named(
    told: dict[str, str], field: str, tmp_path: Path
) -> None:
    folder = make_dataset(tmp_path / "small-v0", "one")
    (folder / "deprecated.json").write_text(json.dumps(told))
    with pytest.raises(InvalidDocument) as caught:
        Dataset.from_folder(folder)
    assert [problem.field for problem in caught.value.problems] == [f"deprecated.json.{field}"]
    str(caught.value).encode()
    with pytest.raises(InvalidInput, match=rf"deprecated\.json: deprecated\.json\.{field}"):
        Datasets([tmp_path])["small-v0"]


@pytest.mark.parametrize(
    ("told", "kept"),
    [(HALF, "\ufffd"), ("Old.\nUse\tnone. ", "Old. Use none."), ("\x1b[2J\0", "\ufffd[2J\ufffd"), ("\n", "")],
)
def test_what_a_server_says_of_a_deprecation_is_cleaned(
    told: str, kept: str, server: DatasetServer, tmp_path: Path
) -> None:
    server.deprecated["remote-v0"] = told
    dataset = RemoteDataset("remote-v0", server.url)
    assert dataset.deprecated == kept
    assert Dataset.from_folder(dataset.install(tmp_path / "to/mine")).deprecated == kept
    assert [path.name for path in (tmp_path / "to").iterdir()] == ["mine"]


@pytest.mark.parametrize("folder", ["/tmp/\0x", "~nobody-of-this-name", "/tmp/\ud800"])  # noqa: S108 # none is made
def test_a_folder_of_files_is_a_path(folder: str) -> None:
    with pytest.raises(InvalidInput, match="path of a folder") as caught:
        FilesDataset(folder)
    assert caught.value.field == "folder"
    str(caught.value).encode()


def test_a_long_pattern_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.bc").touch()
    with pytest.raises(InvalidInput, match="50000 characters") as caught:
        FilesDataset(tmp_path, pattern="[" * 50_000)
    assert caught.value.field == "pattern"
    assert len(FilesDataset(tmp_path, pattern="*" * 200)) == 1


def test_folders_may_be_nested_deeply(tmp_path: Path) -> None:
    deepest = tmp_path
    for _ in range(1200):
        deepest /= "d"
        deepest.mkdir()
    (tmp_path / "a.bc").touch()
    try:
        assert len(FilesDataset(tmp_path)) == 1
        (deepest / "b.bc").touch()
        with pytest.raises(InvalidInput, match="too long for a URI"):
            FilesDataset(tmp_path)
    finally:  # what removes the folder after the test would go as deep
        (deepest / "b.bc").unlink(missing_ok=True)
        while deepest != tmp_path:
            deepest.rmdir()
            deepest = deepest.parent
