"""Writing a dataset, and seeing whether one is up to date, through the command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from optarena.datasets import Dataset
from optarena.datasets.dataset import MANIFEST_NAME

if TYPE_CHECKING:
    from collections.abc import Callable

    from datasets.builder.build import Workshop


@pytest.fixture(scope="module")
def first_build(
    native: Workshop, make_suite: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A suite, its dataset in ``out`` and the build's cache, as the command made them; tests get a copy."""
    folder = tmp_path_factory.mktemp("made")
    assert native.toolchain.spec.clang
    suite = make_suite(folder)
    call_command("build_dataset", suite, output=folder / "out", cache=folder / "cache")
    return folder


@pytest.fixture
def built(first_build: Path, small_suite: Path, tmp_path: Path) -> Path:
    """The dataset of ``small_suite``, which has its lock file then."""
    shutil.copytree(first_build / "out", tmp_path / "out")
    shutil.copytree(first_build / "cache", tmp_path / "cache")
    shutil.copy(first_build / "small-v0/lock.json", small_suite)
    return tmp_path / "out/small-v0"


TITLE = "one line of printable text of at most 200 characters"


def build(suite: Path, dataset: Path, **options: Any) -> None:
    folder = dataset.parent
    call_command("build_dataset", suite, output=folder, cache=folder.parent / "cache", **options)


def check(suite: Path, dataset: Path) -> None:
    build(suite, dataset, check=True)


def test_a_built_dataset_can_be_read_and_is_up_to_date(small_suite: Path, built: Path) -> None:
    dataset = Dataset.from_folder(built)
    (benchmark,) = dataset
    assert benchmark.program().startswith(b"BC\xc0\xde")
    assert [workload.expected_stdout for workload in benchmark.workloads] == [b"285\n", b"2470\n", b"8555\n"]
    before = {path.name: path.read_bytes() for path in built.iterdir()}
    check(small_suite, built)
    assert {path.name: path.read_bytes() for path in built.iterdir()} == before


def test_a_changed_source_a_changed_program_and_a_changed_field_are_each_named(
    small_suite: Path, built: Path
) -> None:
    (built / "squares.bc").write_bytes(b"BC")
    manifest = json.loads((built / MANIFEST_NAME).read_text())
    manifest["title"] = "Else"
    manifest["benchmarks"][0]["run_seconds"] = 99.0
    (built / MANIFEST_NAME).write_text(json.dumps(manifest))
    source = small_suite / "src/squares.c"
    source.write_text(source.read_text() + "/* one more line */\n")
    with pytest.raises(CommandError) as caught:
        check(small_suite, built)
    assert str(caught.value).splitlines()[1:] == [
        "title differs",
        "squares: source differs",
        "squares.bc is not the program that was built",
        "lock.json: manifest differs",
    ]


def test_programs_that_come_and_go_are_named_and_a_new_build_leaves_nothing_behind(
    small_suite: Path, built: Path
) -> None:
    (small_suite / "src/squares.c").rename(small_suite / "src/others.c")
    file = small_suite / "suite.toml"
    file.write_text(file.read_text().replace("squares", "others"))
    with pytest.raises(CommandError, match=r"squares is not in the suite\nothers is missing\n"):
        check(small_suite, built)
    build(small_suite, built, update_lock=True)
    assert {path.name for path in built.iterdir()} == {"others.bc", MANIFEST_NAME}
    assert [path.name for path in built.parent.iterdir()] == ["small-v0"]


def test_a_refused_build_changes_nothing(small_suite: Path, built: Path) -> None:
    before = {path.name: path.read_bytes() for path in built.iterdir()}
    (small_suite / "src/squares.c").write_text("int main(void) { return x; }")
    with pytest.raises(CommandError, match="squares: it does not compile"):
        build(small_suite, built)
    assert {path.name: path.read_bytes() for path in built.iterdir()} == before


def test_a_bad_suite_is_described_problem_by_problem(small_suite: Path, tmp_path: Path) -> None:
    file = small_suite / "suite.toml"
    file.write_text(file.read_text().replace('title = "Squares"', "").replace("schema = 1", "schema = 9"))
    with pytest.raises(CommandError) as caught:
        build(small_suite, tmp_path / "out/small-v0")
    assert set(str(caught.value).splitlines()) == {
        f"program[squares].title: The value is missing. Add it: {TITLE}.",
        "schema: This version reads schema 1. (given: 9) Write schema = 1.",
    }
    assert not (tmp_path / "out").exists()


def test_a_suite_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(
        CommandError, match=r"There is no suite .nothing-v0.: name one of gcc-kernels-.*programs-v0"
    ):
        build(Path("nothing-v0"), tmp_path / "out/nothing-v0")
