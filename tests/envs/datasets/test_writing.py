"""Writing a dataset's manifest: what is written reads back, and what would not is refused as a whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from optarena.datasets import Change, Dataset, DatasetProgram, Manifest, Workload, write_manifest
from optarena.errors import InvalidDocument, InvalidInput

SHIPPED = Path(__file__).resolve().parents[2] / "plugins/datasets/sorting-v0"


def greeting(numbers: int) -> Workload:
    return Workload(
        name="greet", args=("hi",), stdin=b"!", expected_stdout=b"hi!" * numbers, exit_code=numbers
    )


COUNTED: Any = np.int64(2)
PROGRAMS = (
    DatasetProgram(
        file="five.txt",
        domain="sorting",
        language="numbers",
        baselines={"makespan": {"O0": 2.25, "LPT": 1.5}, "inversions": {"O0": 8, "LPT": 5}},
        workloads=(greeting(5),),
    ),
    DatasetProgram(
        file="two.txt",
        title="Two numbers",
        licence="CC0-1.0",
        baselines={"makespan": {"O0": 0.75, "LPT": 0.5}, "inversions": {"O0": COUNTED, "LPT": 1}},
        workloads=(greeting(2),),
        source={"path": "two"},
    ),
)


def write(folder: Path, *programs: DatasetProgram) -> Manifest:
    return write_manifest(
        folder, title="Numbers", description="Numbers to sort.", licence="MIT", programs=programs or PROGRAMS
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "sorting-v0"
    root.mkdir()
    for name in ("five.txt", "two.txt"):
        (root / name).write_bytes((SHIPPED / name).read_bytes())
    return root


def test_what_is_written_reads_back(folder: Path) -> None:
    manifest = write(folder)
    dataset = Dataset.from_folder(folder)
    assert dataset.manifest == manifest
    assert [one.uri for one in dataset] == ["benchmark://sorting-v0/five", "benchmark://sorting-v0/two"]
    five, two = dataset
    assert (five.title, five.licence, two.title, two.licence) == ("five", "MIT", "Two numbers", "CC0-1.0")
    assert five.program() == b"5 3 1 4 2\n"
    assert five.workloads == (greeting(5),)
    assert five.baseline("makespan", "LPT") == 1.5
    assert isinstance(five.baseline("inversions", "O0"), int)
    assert two.baselines == PROGRAMS[1].baselines
    assert manifest.benchmarks[0].ir_sha256 == five.sha256


def test_the_same_programs_give_the_same_bytes(folder: Path) -> None:
    write(folder)
    assert (folder / "manifest.json").read_bytes() == (SHIPPED / "manifest.json").read_bytes()


@pytest.mark.parametrize(
    ("program", "field"),
    [
        (DatasetProgram(file="five.txt", baselines={"makespan": {"LPT": 1}}), "baselines.makespan.O0"),
        (DatasetProgram(file="five.txt", baselines={"makespan": {"O0": 0}}), "baselines.makespan.O0"),
        (DatasetProgram(file="five.txt", baselines={"makespan": {"O0": 1e99}}), "baselines.makespan.O0"),
        (DatasetProgram(file="five.txt", baselines={"makespan": {"O0": 10**400}}), "baselines.makespan.O0"),
        (
            DatasetProgram(file="five.txt", baselines={"makespan": {"O0": float("nan")}}),
            "baselines.makespan.O0",
        ),
        (DatasetProgram(file="five.txt", baselines={"Makespan": {"O0": 1}}), "baselines.Makespan"),
        (DatasetProgram(file="five.txt", baselines={"m": {"O0": 1, "O 1": 1}}), "baselines.m.O 1"),
        (DatasetProgram(file="five.txt", name="a b"), "uri"),
    ],
)
def test_what_would_be_no_manifest_is_refused_and_not_written(
    program: DatasetProgram, field: str, folder: Path
) -> None:
    with pytest.raises(InvalidDocument) as caught:
        write(folder, program)
    assert [problem.field for problem in caught.value.problems] == [field]
    assert not (folder / "manifest.json").exists()


def test_a_missing_program_and_workloads_of_bytes_are_refused(folder: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        write(folder, DatasetProgram(file="none.txt"))
    with pytest.raises(InvalidInput, match="not UTF-8"):
        write(folder, DatasetProgram(file="two.txt", workloads=(Workload(name="w", stdin=b"\xff"),)))


def test_every_problem_of_every_program_is_reported_at_once(folder: Path) -> None:
    bad = DatasetProgram(file="five.txt", baselines={"m": {"O0": -1, "O1": 2}, "N": {"O0": 1}})
    with pytest.raises(InvalidDocument) as caught:
        write(folder, bad, DatasetProgram(file="two.txt", baselines={"m": {"O1": 2}}))
    found = [(problem.row, problem.field) for problem in caught.value.problems]
    assert found == [(0, "baselines.N"), (0, "baselines.m.O0"), (1, "baselines.m.O0")]


def test_splits_tags_and_the_release_are_written_where_they_are_given(folder: Path) -> None:
    changes = (Change(version="sorting-v0", date="2026-11-21", text="The first."),)
    programs = (DatasetProgram(file="two.txt", split="test", tags=("short",)), PROGRAMS[0])
    manifest = write_manifest(
        folder,
        title="Numbers",
        description="Numbers to sort.",
        licence="MIT",
        programs=programs,
        released="2026-11-21",
        changelog=changes,
        upstream="https://arena.example.org/",
    )
    assert (manifest.released, manifest.changelog) == ("2026-11-21", changes)
    two, five = Dataset.from_folder(folder)
    assert (two.split, two.tags, five.split, five.tags) == ("test", ("short",), "", ())
    with pytest.raises(InvalidDocument, match="split"):
        write(folder, DatasetProgram(file="two.txt", split="dev"))
