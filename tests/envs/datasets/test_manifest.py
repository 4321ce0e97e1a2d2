"""Manifests and their texts: everything wrong is reported, and programs are what they promise to be."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from optarena import limits
from optarena.cli import main
from optarena.datasets import (
    Benchmark,
    Change,
    Dataset,
    Datasets,
    FilesDataset,
    RemoteDataset,
    content_digest,
    datasets,
    parse_manifest,
)
from optarena.errors import InvalidDocument, InvalidInput, UnknownName
from tests.kit.dataset_server import DatasetServer, make_dataset

if TYPE_CHECKING:
    from pathlib import Path


PROGRAMS = {"one": b"BC one", "two": b"BC two"}


def entry(name: str, program: bytes) -> dict[str, Any]:
    digest = hashlib.sha256(program).hexdigest()
    levels = {"O0": 100, "O1": 60, "O2": 55, "O3": 58, "Oz": 50}
    return {
        "uri": f"benchmark://small-v0/{name}",
        "name": name,
        "title": f"Program {name}",
        "description": "A program.",
        "domain": "testing",
        "language": "C",
        "licence": "MIT",
        "kind": "stored",
        "file": f"{name}.bc",
        "sha256": digest,
        "size_bytes": len(program),
        "ir_sha256": digest,
        "source": {"path": f"src/{name}.c", "sha256": digest, "lines": 3},
        "baselines": {"ir_instructions": levels, "text_size_bytes": dict(levels)},
        "run_seconds": 0.5,
        "workloads": [{"name": "w", "args": ["1"], "stdin": "", "expected_stdout": "é\n", "exit_code": 0}],
    }


def document() -> dict[str, Any]:
    entries = [entry(name, program) for name, program in PROGRAMS.items()]
    lines = sorted(f"{one['uri']} {one['ir_sha256']}\n" for one in entries)
    return {
        "schema": 1,
        "dataset": "small-v0",
        "title": "Small",
        "description": "Two programs.",
        "licence": "MIT",
        "toolchain": {"clang": "22.1.8"},
        "sha256": hashlib.sha256("".join(lines).encode()).hexdigest(),
        "benchmarks": entries,
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "small-v0"
    root.mkdir()
    (root / "manifest.json").write_text(json.dumps(document()))
    for name, program in PROGRAMS.items():
        (root / f"{name}.bc").write_bytes(program)
    return root


def problem_fields(raw: object) -> list[tuple[int | None, str]]:
    with pytest.raises(InvalidDocument) as caught:
        parse_manifest(json.dumps(raw))
    return [(problem.row, problem.field) for problem in caught.value.problems]


def test_a_dataset_lists_its_benchmarks_in_order(folder: Path) -> None:
    dataset = Dataset.from_folder(folder)
    assert [benchmark.name for benchmark in dataset] == ["one", "two"]
    assert (len(dataset), dataset.name, dataset.title, dataset.licence) == (2, "small-v0", "Small", "MIT")


def test_a_benchmark_knows_its_program_baselines_and_workloads(folder: Path) -> None:
    benchmark = Dataset.from_folder(folder).benchmark("one")
    assert benchmark.program() == PROGRAMS["one"]
    assert benchmark.baseline("ir_instructions", "Oz") == 50
    assert benchmark.baseline("ir_instructions", "O9") is None
    assert benchmark.workloads[0].args == ("1",)
    assert benchmark.workloads[0].expected_stdout == "é\n".encode()


def test_a_damaged_program_is_refused(folder: Path) -> None:
    benchmark = Dataset.from_folder(folder).benchmark("one")
    (folder / "one.bc").write_bytes(b"BC oh")
    with pytest.raises(InvalidInput, match="damaged"):
        benchmark.program()


@pytest.mark.parametrize("name", ["one", "small-v0/one", "benchmark://small-v0/one"])
def test_a_benchmark_is_found_by_uri_or_path(name: str, folder: Path) -> None:
    assert Dataset.from_folder(folder).benchmark(name).name == "one"


def test_unknown_names_are_answered_with_near_ones(folder: Path) -> None:
    found = Datasets([folder.parent])
    with pytest.raises(UnknownName, match="small-v0/two"):
        found.benchmark("benchmark://small-v0/tow")
    with pytest.raises(UnknownName, match="small-v0"):
        found.benchmark("benchmark://smal-v0/two")
    with pytest.raises(InvalidInput, match="whole dataset"):
        found.benchmark("benchmark://small-v0")


def test_datasets_are_found_by_name_and_uri(folder: Path) -> None:
    found = Datasets([folder.parent, folder.parent / "missing"])
    assert [dataset.name for dataset in found] == ["small-v0"]
    assert found["benchmark://small-v0"] is found["small-v0"]
    assert "small-v0" in found


def test_a_folder_named_otherwise_than_its_dataset_is_refused(folder: Path) -> None:
    folder.rename(folder.parent / "other-v0")
    with pytest.raises(InvalidInput, match="small-v0"):
        Datasets([folder.parent])["other-v0"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "document is not JSON"),
        (b"[]", "must be an object"),
        (b"\xff", "document is not JSON"),
        (b'{"schema": 1}', "more"),
        (None, "Is a directory"),
    ],
)
def test_a_bad_manifest_is_named_and_hides_no_other(
    content: bytes | None, problem: str, folder: Path
) -> None:
    bad = folder.parent / "bad-v0" / "manifest.json"
    bad.parent.mkdir()
    bad.mkdir() if content is None else bad.write_bytes(content)
    found = Datasets([folder.parent])
    assert found.names == ("bad-v0", "small-v0")
    assert found["small-v0"].name == "small-v0"
    with pytest.raises(InvalidInput, match=f"'bad-v0'.*{bad}.*{problem}") as caught:
        found.benchmark("benchmark://bad-v0/x")
    assert caught.value.field == "dataset"


def test_site_data_adds_datasets(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder.parent / "datasets").mkdir()
    folder.rename(folder.parent / "datasets/small-v0")
    monkeypatch.setenv("OPTARENA_SITE_DATA", str(folder.parent))
    assert "small-v0" in datasets()


def test_a_file_is_a_benchmark(tmp_path: Path) -> None:
    path = tmp_path / "my program.bc"
    path.write_bytes(b"BC")
    benchmark = datasets().benchmark(f"file://{path}")
    assert benchmark == Benchmark.from_file(path)
    assert benchmark.uri == f"file://{str(path).replace(' ', '%20')}"
    assert (benchmark.program(), benchmark.workloads, benchmark.baselines) == (b"BC", (), {})


def test_files_can_be_forbidden(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="local file"):
        datasets().benchmark(f"file://{tmp_path}/x.bc", files=False)


def test_unreadable_empty_and_huge_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        Benchmark.from_file(tmp_path / "missing.bc")
    with pytest.raises(InvalidInput, match="cannot be read"):
        Benchmark.from_file(tmp_path)
    (tmp_path / "empty.bc").touch()
    with pytest.raises(InvalidInput, match="0 bytes"):
        Benchmark.from_file(tmp_path / "empty.bc")
    with (tmp_path / "huge.bc").open("wb") as file:
        file.truncate(limits.MAX_BENCHMARK_BYTES + 1)
    with pytest.raises(InvalidInput, match=str(limits.MAX_BENCHMARK_BYTES)):
        Benchmark.from_file(tmp_path / "huge.bc")


def test_a_benchmark_can_be_copied_deeply_as_gymnasium_does(folder: Path) -> None:
    benchmark = Dataset.from_folder(folder).benchmark("one")
    assert copy.deepcopy(benchmark) == benchmark


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "null", '{"schema":2}', "[" * 100_000])
def test_what_is_no_manifest_is_refused(text: str) -> None:
    with pytest.raises(InvalidDocument):
        parse_manifest(text)


def test_every_problem_is_reported_at_once() -> None:
    raw = document()
    raw["title"] = ""
    raw["benchmarks"][0]["sha256"] = "xyz"
    raw["benchmarks"][1]["baselines"]["ir_instructions"]["O3"] = "58"
    del raw["benchmarks"][1]["workloads"][0]["exit_code"]
    assert sorted(problem_fields(raw), key=str) == [
        (0, "sha256"),
        (1, "baselines.ir_instructions.O3"),
        (1, "workloads[0].exit_code"),
        (None, "title"),
    ]


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (("uri",), "benchmark://other-v0/one", "uri"),
        (("uri",), "nonsense", "uri"),
        (("uri",), "small-v0/one", "uri"),
        (("kind",), "other", "kind"),
        (("file",), "../one.bc", "file"),
        (("file",), "/one.bc", "file"),
        (("size_bytes",), 0, "size_bytes"),
        (("run_seconds",), -1, "run_seconds"),
        (("source",), [], "source"),
        (("baselines", "ir_instructions", "O0"), 50, "baselines.ir_instructions.O0"),
        (("baselines", "ir_instructions"), None, "baselines.ir_instructions"),
        (("workloads", 0, "args"), [1], "workloads[0].args"),
        (("workloads", 0), "x", "workloads[0]"),
    ],
)
def test_a_wrong_field_is_named(path: tuple[Any, ...], value: object, field: str) -> None:
    raw = document()
    target = raw["benchmarks"][0]
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = value
    assert problem_fields(raw)[0] == (0, field)


def test_a_benchmark_that_appears_twice_is_refused() -> None:
    raw = document()
    raw["benchmarks"].append(raw["benchmarks"][0])
    assert (2, "uri") in problem_fields(raw)


def test_a_digest_that_is_not_the_contents_is_refused() -> None:
    raw = document()
    raw["benchmarks"][0]["ir_sha256"] = "0" * 64
    assert problem_fields(raw) == [(None, "sha256")]


def test_the_digest_does_not_depend_on_the_order() -> None:
    manifest = parse_manifest(json.dumps(document()))
    assert content_digest(manifest.benchmarks[::-1]) == content_digest(manifest.benchmarks) == manifest.sha256


class TestOptionalFields:
    more = {  # noqa: RUF012 # never changed
        "released": "2026-11-21",
        "upstream": "https://arena.example.org/",
        "changelog": [{"version": "small-v0", "date": "2026-11-21", "text": "The first."}],
    }

    def test_they_are_read(self) -> None:
        raw = {**document(), **self.more}
        raw["benchmarks"][0] |= {"split": "train", "tags": ["a", "b"]}
        manifest = parse_manifest(json.dumps(raw))
        assert (manifest.released, manifest.upstream) == ("2026-11-21", "https://arena.example.org/")
        assert manifest.changelog == (Change(version="small-v0", date="2026-11-21", text="The first."),)
        assert [one.split for one in manifest.benchmarks] == ["train", ""]
        assert [one.tags for one in manifest.benchmarks] == [("a", "b"), ()]

    def test_every_wrong_one_is_named_at_once(self) -> None:
        raw = document() | {
            "released": "21.11.2026",
            "upstream": "javascript:x",
            "changelog": [5, {"date": "x"}],
        }
        raw["benchmarks"][0] |= {"split": "dev", "tags": ["", "a"]}
        raw["benchmarks"][1] |= {"split": "", "tags": [1], "file": "manifest.json"}
        assert sorted(problem_fields(raw), key=str) == [
            (0, "split"),
            (0, "tags"),
            (1, "file"),
            (1, "split"),
            (1, "tags"),
            (None, "changelog[0]"),
            (None, "changelog[1].date"),
            (None, "changelog[1].text"),
            (None, "changelog[1].version"),
            (None, "released"),
            (None, "upstream"),
        ]

    @pytest.mark.parametrize(
        "day", ["2026-02-30", "20261121", "2026-W47-6", "2026-11-21T00:00", "2026-1-1", ""]
    )
    def test_what_is_no_day_is_refused(self, day: str) -> None:
        assert problem_fields(document() | {"released": day}) == [(None, "released")]


@pytest.mark.parametrize(
    "files",
    [
        ("one.bc", "one.bc"),
        ("./manifest.json", "two.bc"),
        (".archive", "two.bc"),
        ("blobs/.archive", "two.bc"),
        ("deprecated.json", "two.bc"),
        ("one.bc", "one.bc/two.bc"),
        ("manifest.json/one.bc", "two.bc"),
        ("one.bc/a/b", "one.bc/a"),
    ],
)
def test_files_that_cannot_lie_together_are_refused(files: tuple[str, str]) -> None:
    raw = document()
    for one, file in zip(raw["benchmarks"], files, strict=True):
        one["file"] = file
    assert {field for _, field in problem_fields(raw)} == {"file"}


def test_equal_programs_may_share_a_file() -> None:
    raw = document()
    raw["benchmarks"][1] |= {key: raw["benchmarks"][0][key] for key in ("file", "sha256", "size_bytes")}
    assert len(parse_manifest(json.dumps(raw)).benchmarks) == 2


@pytest.mark.parametrize(
    "address",
    ["https://x/\x1b[2J", "https://x/{a}", "https://x/é", "https://x/\\y", "https://x/ y", "https://"],
)
def test_an_address_has_nothing_that_a_terminal_or_bibtex_reads(address: str) -> None:
    assert problem_fields({**document(), "upstream": address}) == [(None, "upstream")]


@pytest.mark.parametrize("name", ["\x1b[2Jx-v0", "x", "x-v0\n", "[bold]x-v0", ""])
def test_a_dataset_has_a_name_with_a_version(name: str) -> None:
    assert (None, "dataset") in problem_fields({**document(), "dataset": name})


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
    "files": ((0, "workloads[0].files"), spoil_workload(files=["a"])),
    "a file's content": ((0, "workloads[0].files"), spoil_workload(files={"a": "no base 64"})),
    "a file's type": ((0, "workloads[0].files"), spoil_workload(files={"a": 1})),
    "the number of files": (
        (0, "workloads[0].files"),
        spoil_workload(files={f"f{number}": "" for number in range(limits.MAX_WORKLOAD_FILES + 1)}),
    ),
    "a file that is a folder": ((0, "workloads[0].files"), spoil_workload(files={"a": "", "a/b/c": ""})),
    "a file's path": ((0, "workloads[0].files"), spoil_workload(files={"../a": "YQ=="})),
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


def test_one_such_manifest_hides_no_other(own_folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
def test_an_unprintable_deprecation_is_named(told: dict[str, str], field: str, tmp_path: Path) -> None:
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
    [(HALF, r"\ud800"), ("Old.\nUse\tnone. ", "Old. Use none."), ("\x1b[2J\0", r"\x1b[2J\x00"), ("\n", "")],
)
def test_a_servers_deprecation_is_cleaned(
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


@pytest.mark.soak
def test_folders_may_be_nested_deeply(tmp_path: Path) -> None:
    deepest = tmp_path
    for _ in range(1100):
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
