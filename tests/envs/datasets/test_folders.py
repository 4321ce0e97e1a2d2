"""Folders of datasets: URIs, packed programs, pipes and devices, and manifests that are written."""

from __future__ import annotations

import errno
import lzma
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from optarena import limits
from optarena.datasets import (
    BenchmarkUri,
    Change,
    Dataset,
    DatasetProgram,
    Datasets,
    Manifest,
    Workload,
    write_manifest,
)
from optarena.datasets import manifest as module
from optarena.datasets.dataset import PACKED, pack, read_program
from optarena.datasets.manifest import leads_out, read_plain
from optarena.errors import InvalidDocument, InvalidInput
from tests.kit.dataset_server import make_dataset


@pytest.mark.parametrize(
    ("text", "scheme", "dataset", "path"),
    [
        ("benchmark://kernels-v0/quicksort", "benchmark", "kernels-v0", "quicksort"),
        ("kernels-v0/quicksort", "benchmark", "kernels-v0", "quicksort"),
        ("benchmark://kernels-v0", "benchmark", "kernels-v0", ""),
        ("generator://csmith-v0/42", "generator", "csmith-v0", "42"),
        ("benchmark://loop_tool-v0/1024", "benchmark", "loop_tool-v0", "1024"),
        ("benchmark://cbench-v12/a/b.c", "benchmark", "cbench-v12", "a/b.c"),
        ("file:///data/x.bc", "file", "", "/data/x.bc"),
        ("file:///data/with%20space.bc", "file", "", "/data/with space.bc"),
    ],
)
def test_valid_uris_are_taken_apart(text: str, scheme: str, dataset: str, path: str) -> None:
    uri = BenchmarkUri.parse(text)
    assert (uri.scheme, uri.dataset, uri.path) == (scheme, dataset, path)
    assert BenchmarkUri.parse(str(uri)) == uri


def test_parameters_are_kept_in_order() -> None:
    uri = BenchmarkUri.parse("generator://csmith-v0/1?b=2&a=x%20y")
    assert uri.params == (("b", "2"), ("a", "x y"))
    assert str(uri) == "generator://csmith-v0/1?b=2&a=x+y"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "quicksort",
        "kernels/quicksort",
        "benchmark://",
        "benchmark://kernels-v0/",
        "benchmark://kernels-v0/../secret",
        "benchmark://kernels-v0/a//b",
        "benchmark://kernels-v0/a b",
        "benchmark://kernels-v0/a\n",
        "benchmark://kernels-v0/a\nb",
        "benchmark://Kernels-v0/a",
        "1://kernels-v0/a",
        "file://x.bc",
        "file:///",
        "file:///folder/",
        "benchmark://kernels-v0/a?novalue",
        "benchmark://kernels-v0/" + "a" * 3000,
    ],
)
def test_invalid_uris_are_refused_with_a_remedy(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        BenchmarkUri.parse(text)
    assert caught.value.remedy


def test_a_text_that_is_too_long_is_told_the_limit() -> None:
    with pytest.raises(InvalidInput, match=f"characters, more than {limits.ANY_URI_LENGTH}"):
        BenchmarkUri.parse("file:///" + "a" * limits.ANY_URI_LENGTH)


PROGRAM = b"int x;\n" * 5_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "one.units"


def packed(file: Path, data: bytes) -> Path:
    place = file.with_name(file.name + PACKED)
    place.write_bytes(data)
    return place


def test_a_packed_program_is_read_like_the_program(file: Path) -> None:
    packed(file, pack(PROGRAM))
    assert read_program(file, len(PROGRAM)) == PROGRAM
    file.write_bytes(b"the program itself")
    assert read_program(file, len(PROGRAM)) == b"the program itself"


def test_a_program_beyond_the_limit_is_not_unpacked(file: Path) -> None:
    packed(file, lzma.compress(bytes(500_000)))
    with pytest.raises(OSError, match="it has more than 20000 bytes") as caught:
        read_program(file, 20_000)
    assert caught.value.errno == errno.EFBIG


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"int x;\n" * 9, "it is not packed correctly"),
        (pack(PROGRAM)[:-9], "it is cut off"),
        (pack(PROGRAM) + b"x", "it is cut off, or has something behind its end"),
    ],
)
def test_a_damaged_packed_program_is_refused(file: Path, data: bytes, problem: str) -> None:
    packed(file, data)
    with pytest.raises(OSError, match=problem):
        read_program(file, len(PROGRAM))


def test_a_missing_program_is_named_without_the_suffix(file: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"one\.units'"):
        read_program(file, 10)


ODD: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "folder": lambda path: path.mkdir(),
    "circle": lambda path: path.symlink_to(path.name),
}


@pytest.fixture
def odd_dataset(tmp_path: Path) -> Path:
    for name in ("odd-v0", "plain-v0"):
        make_dataset(tmp_path / name, "one", "two")
    return tmp_path / "odd-v0"


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("name", ["manifest.json", "deprecated.json"])
def test_a_dataset_whose_documents_are_no_files_is_refused(odd_dataset: Path, name: str, kind: str) -> None:
    (odd_dataset / name).unlink(missing_ok=True)
    ODD[kind](odd_dataset / name)
    known = Datasets([odd_dataset.parent])
    if kind == "circle":  # which leads to no file, so that there is none
        assert "plain-v0" in known.names
        return
    with pytest.raises(InvalidInput, match=rf"odd-v0/{name}: .*cannot be read: "):
        known.find("odd-v0")
    assert len(known.find("plain-v0")) == 2


@pytest.mark.parametrize("kind", ODD)
def test_a_program_that_is_no_file_cannot_be_read(odd_dataset: Path, kind: str) -> None:
    benchmark = Dataset.from_folder(odd_dataset).benchmark("one")
    file = next(path for path in odd_dataset.rglob("*one*") if path.is_file())
    file.unlink()
    ODD[kind](file)
    with pytest.raises(OSError, match=r"not a regular file|Is a directory|symbolic links"):
        benchmark.program()


def test_a_program_of_another_size_is_damaged(odd_dataset: Path) -> None:
    benchmark = Dataset.from_folder(odd_dataset).benchmark("one")
    assert pickle.loads(pickle.dumps(benchmark)).program() == benchmark.program()  # noqa: S301 # our own
    file = next(path for path in odd_dataset.rglob("*one*") if path.is_file())
    os.truncate(file, 1 << 40)  # which takes no room
    with pytest.raises(InvalidInput, match=rf"damaged: it has more than the {benchmark.size_bytes} bytes"):
        benchmark.program()


def test_no_document_is_read_beyond_its_limit(odd_dataset: Path) -> None:
    (odd_dataset / "deprecated.json").write_text(" " * (limits.MAX_DEPRECATED_BYTES + 1))
    with pytest.raises(InvalidInput, match=r"deprecated\.json: .*it has more than 65536 bytes"):
        Datasets([odd_dataset.parent]).find("odd-v0")
    os.truncate(odd_dataset / "manifest.json", 1 << 40)
    with pytest.raises(InvalidInput, match=r"manifest\.json: .*it has more than 67108864 bytes"):
        Datasets([odd_dataset.parent]).find("odd-v0")


def test_a_limit_is_exact_and_may_be_any_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PIECE", 3)
    file = tmp_path / "file"
    file.write_bytes(b"0123456789")
    assert read_plain(file, 10) == read_plain(file, 10**30) == b"0123456789"
    for limit in (9, 8, 0):
        with pytest.raises(OSError, match="it has more than") as caught:
            read_plain(file, limit)
        assert (caught.value.errno, caught.value.filename) == (errno.EFBIG, str(file))
    file.write_bytes(b"")
    assert read_plain(file, 0) == b""


def test_a_dataset_may_be_a_link(odd_dataset: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    shutil.move(odd_dataset, tmp_path / "elsewhere/odd-v0")
    odd_dataset.symlink_to(tmp_path / "elsewhere/odd-v0")
    dataset = Datasets([odd_dataset.parent]).find("odd-v0")
    assert all(one.program() for one in dataset)


def test_a_link_out_of_a_folder_is_told_from_others(odd_dataset: Path, tmp_path: Path) -> None:
    (odd_dataset / "sub").mkdir()
    (odd_dataset / "sub/inside").symlink_to("../manifest.json")
    (odd_dataset / "outside").symlink_to("/etc/passwd")
    (odd_dataset / "namesake").symlink_to(tmp_path / "odd-v0x")
    (odd_dataset / "through").symlink_to("/etc")
    (tmp_path / "link-v0").symlink_to(odd_dataset)
    for place in (odd_dataset, tmp_path / "link-v0"):
        assert not leads_out(place, "manifest.json")
        assert not leads_out(place, "sub/inside")
        assert not leads_out(place, "missing")
        assert all(leads_out(place, one) for one in ("outside", "namesake", "through/passwd"))


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
def test_a_wrong_manifest_is_never_written(program: DatasetProgram, field: str, folder: Path) -> None:
    with pytest.raises(InvalidDocument) as caught:
        write(folder, program)
    assert [problem.field for problem in caught.value.problems] == [field]
    assert not (folder / "manifest.json").exists()


def test_a_missing_program_and_workloads_of_bytes_are_refused(folder: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        write(folder, DatasetProgram(file="none.txt"))
    with pytest.raises(InvalidInput, match="not UTF-8"):
        write(folder, DatasetProgram(file="two.txt", workloads=(Workload(name="w", stdin=b"\xff"),)))
    with pytest.raises(InvalidInput, match="The workload w has a NUL character"):
        write(folder, DatasetProgram(file="two.txt", workloads=(Workload(name="w", expected_stdout=b"\0"),)))


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
