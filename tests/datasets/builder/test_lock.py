"""The lock file freezes a dataset: all of it, in every suite, and only a wish writes it anew."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from optarena.datasets import Dataset
from tests.kit.folders import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from datasets.builder.build import Workshop


@pytest.fixture(scope="module")
def first(
    native: Workshop, make_suite: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A released suite with its lock file, its dataset in ``out`` and the build's cache."""
    folder = tmp_path_factory.mktemp("first")
    assert native.toolchain.spec.clang
    file = make_suite(folder) / "suite.toml"
    file.write_text(file.read_text().replace("schema = 1", "schema = 1\nreleased = 2026-11-21", 1))
    build(folder, update_lock=True)
    return folder


@pytest.fixture
def place(first: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(first, tmp_path / "place"))


def build(place: Path, **options: Any) -> None:
    call_command("build_dataset", place / "small-v0", output=place / "out", cache=place / "cache", **options)


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "cache" not in path.parts
    }


def change(place: Path, old: str, new: str) -> None:
    file = place / "small-v0/suite.toml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def test_every_suite_is_locked_and_a_second_build_changes_nothing(place: Path) -> None:
    lock = json.loads((place / "small-v0/lock.json").read_text())
    assert lock.keys() == {"dataset", "sha256", "manifest", "packages", "benchmarks"}
    before = content(place)["small-v0/lock.json"]
    build(place)
    build(place, check=True)
    assert content(place)["small-v0/lock.json"] == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name = "run1"', 'name = "run9"'),
        ("args = ['x']", 'args = ["x", "x", "x", "x"]'),
        ('domain = "test"', 'domain = "exam"'),
        ('name = "squares"', 'name = "squares"\nlicence = "ISC"'),
        ('name = "squares"', 'name = "squares"\nsplit = "test"'),
    ],
)
def test_nothing_of_a_released_dataset_can_change(place: Path, old: str, new: str) -> None:
    change(place, old, new)
    before = content(place)
    for options in ({}, {"update_lock": True}):
        with pytest.raises(
            CommandError, match=r"manifest differs\n(.*\n)*.*was released on 2026-11-21 and never"
        ):
            build(place, **options)
    assert content(place) == before


def test_a_check_writes_nothing_and_tells_a_missing_lock_file(place: Path) -> None:
    (place / "small-v0/lock.json").unlink()
    before = content(place)
    with pytest.raises(CommandError, match=r"is not up to date:\nlock\.json is missing"):
        build(place, check=True)
    with pytest.raises(CommandError, match="give only one of them"):
        build(place, check=True, update_lock=True)
    assert content(place) == before


@pytest.mark.parametrize("text", ["{", "[]", '{"benchmarks": 5}', "[" * 100_000])
@pytest.mark.parametrize("check", [True, False])
def test_a_broken_lock_file_is_named(place: Path, text: str, check: bool) -> None:  # noqa: FBT001 - a parameter
    (place / "small-v0/lock.json").write_text(text)
    with pytest.raises(CommandError, match=r"lock\.json"):
        build(place, check=check)


@pytest.mark.parametrize(
    "text", ["{", "[]", "{}", '{"benchmarks": 5}', '{"benchmarks": [{}]}', '{"benchmarks": [5]}', "\udcff"]
)
def test_a_broken_manifest_is_named_by_a_check(place: Path, text: str) -> None:
    (place / "out/small-v0/manifest.json").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(CommandError, match=r"manifest\.json cannot be read"):
        build(place, check=True)


def test_what_does_not_belong_there_is_named_by_a_check(place: Path) -> None:
    (place / "out/small-v0/blobs").mkdir()
    (place / "out/small-v0/blobs/stray.bc").touch()
    with pytest.raises(CommandError, match=r"blobs/stray\.bc does not belong to the dataset"):
        build(place, check=True)


def test_a_note_that_a_dataset_is_deprecated_stays(place: Path) -> None:
    note = place / "out/small-v0/deprecated.json"
    note.write_text('{"reason": "too small", "successor": ""}')
    build(place, check=True)
    build(place)
    assert "too small" in note.read_text()


def test_a_place_where_nothing_can_be_written_is_an_error(place: Path) -> None:
    (place / "file").touch()
    with pytest.raises(CommandError, match=r"Not a directory|File exists"):
        call_command("build_dataset", place / "small-v0", output=place / "file", cache=place / "cache")
    with pytest.raises(CommandError, match=r"Not a directory|File exists"):
        call_command("build_dataset", place / "small-v0", output=place / "out", cache=place / "file")


def test_a_cache_that_compilers_could_not_be_told_of_is_refused(place: Path) -> None:
    with pytest.raises(CommandError, match="which contains '='"):
        call_command("build_dataset", place / "small-v0", output=place / "out", cache=place / "a=b")


def test_a_suite_and_a_cache_can_be_named_from_where_one_is(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(place / "cache")
    monkeypatch.chdir(place / "small-v0")
    call_command("build_dataset", Path(), output=Path("../out"), cache=Path("../cache"), check=True)


def test_the_lock_file_is_written_in_utf_8_wherever_one_is(place: Path) -> None:
    change(place, 'title = "Squares"', 'title = "Quadratsummen für alle"')
    (place / "small-v0/lock.json").unlink()
    command = [sys.executable, "-X", "utf8=0", "manage.py", "build_dataset", str(place / "small-v0")]
    folders = ["--output", str(place / "out"), "--cache", str(place / "cache"), "--update-lock"]
    done = subprocess.run(
        [*command, *folders],
        cwd=ROOT,
        env={"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
        check=False,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    (benchmark,) = Dataset.from_folder(place / "out/small-v0")
    assert benchmark.title == "Quadratsummen für alle"


def test_two_builds_into_one_folder_leave_a_whole_dataset(place: Path) -> None:
    command = [sys.executable, "manage.py", "build_dataset", str(place / "small-v0")]
    folders = ["--output", str(place / "out"), "--cache", str(place / "cache")]
    both = [
        subprocess.Popen([*command, *folders], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for _ in range(2)
    ]
    said = [one.communicate(timeout=120)[0] for one in both]
    assert [one.returncode for one in both] == [0, 0], said
    build(place, check=True)
    assert [path.name for path in (place / "out").iterdir()] == ["small-v0"]
