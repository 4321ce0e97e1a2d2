"""A dataset of packages: built by the command, twice the same, again without a network, and never half."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from optarena.datasets import Dataset
from tests.kit.packaged import FILES, archive

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.builder.build import Workshop
    from tests.kit.packaged import Shelf

pytestmark = pytest.mark.usefixtures("native")


def build(suite: Path, place: Path, **options: Any) -> Path:
    """Build a suite with a cache and an output folder of its own; the dataset's folder."""
    call_command("build_dataset", suite, output=place / "out", cache=place / "cache", jobs=2, **options)
    return place / "out" / suite.name


def content(folder: Path) -> dict[str, bytes]:
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    manifest = json.loads(files.pop("manifest.json"))
    for entry in manifest["benchmarks"]:
        entry["run_seconds"] = 0
    return {**files, "manifest": json.dumps(manifest).encode()}


def test_a_program_of_a_package_becomes_a_benchmark_with_its_provenance(shelf: Shelf, tmp_path: Path) -> None:
    folder = build(shelf.suite(), tmp_path)
    (benchmark,) = Dataset.from_folder(folder)
    assert benchmark.licence == "MIT OR Apache-2.0"
    outputs = [workload.expected_stdout for workload in benchmark.workloads]
    assert outputs == [b"42042751 12 41\n", b"42294755 12 41\n", b"42547764 36 41\n"]  # n(n + 1)(2n + 1) / 6
    (entry,) = json.loads((folder / "manifest.json").read_text())["benchmarks"]
    assert entry["file"] == f"blobs/{benchmark.sha256}.bc"
    assert (entry["split"], entry["tags"]) == ("test", ["small"])
    source = entry["source"]
    assert source["purl"] == "pkg:pypi/sums@1.0"
    assert source["upstream"] == "https://example.org/sums"
    assert source["files"] == ["src/sum.c", "src/gcd.c"]
    assert source["translation_units"] == 3
    assert source["headers"] == [
        {"path": "config.h", "template": "include/config.h.in", "values": {"STEPS": "1000", "FAST": "1"}}
    ]
    assert source["support"].keys() == {"bench.h"}
    assert len(source["archive_sha256"]) == 64


def test_two_builds_in_different_folders_are_the_same_byte_for_byte(shelf: Shelf, tmp_path: Path) -> None:
    one = build(shelf.suite(), tmp_path / "one")
    other_index = tmp_path / "elsewhere"
    shutil.move(shelf.suites / "sums-v0", other_index / "sums-v0")
    two = build(other_index / "sums-v0", tmp_path / "a longer name of another depth/two")
    assert content(one) == content(two)
    program = next(iter(Dataset.from_folder(two))).program()
    assert str(tmp_path).encode() not in program
    assert b"sum.c" in text_of(program)  # what assert() prints, without the folder it was compiled in


def test_what_is_kept_builds_again_without_the_index(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = shelf.suite()
    with pytest.raises(CommandError, match=r"clib-1\.0\.tar\.gz is not in .* build once without --offline"):
        build(suite, tmp_path, offline=True)
    first = content(build(suite, tmp_path))
    shutil.rmtree(shelf.index)
    shutil.rmtree(tmp_path / "out")
    assert content(build(suite, tmp_path, offline=True)) == first
    build(suite, tmp_path, offline=True, check=True)
    assert "is up to date" in capsys.readouterr().out


def test_a_build_goes_on_where_it_was(shelf: Shelf, tmp_path: Path, native: Workshop) -> None:
    """Modules and evidence that are kept are used: the second build compiles and runs nothing."""
    suite = shelf.suite()
    build(suite, tmp_path)
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*") if path.is_file()}
    assert {path.parent.name for path in kept} >= {"modules", "evidence"}
    build(suite, tmp_path)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert native.suite.name == "kernels-v0"


def test_a_kept_file_that_was_damaged_is_made_again(shelf: Shelf, tmp_path: Path) -> None:
    suite = shelf.suite()
    first = content(build(suite, tmp_path))
    for path in [*(tmp_path / "cache/evidence").iterdir(), *(tmp_path / "cache/archives").rglob("*.gz")]:
        path.write_bytes(b"{")
    for path in (tmp_path / "cache/modules").iterdir():
        path.write_bytes(b"")
    assert content(build(suite, tmp_path)) == first


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("missing", r"sums: The package index does not have sums-1\.0\.tar\.gz of sums 1\.0\."),
        ("another", r"sums: sums-1\.0\.tar\.gz has the sha256 [0-9a-f]{64}, but the suite names"),
        ("longer", r"sums: sums-1\.0\.tar\.gz is larger than the \d+ bytes that the suite names"),
    ],
)
def test_a_package_that_is_not_the_pinned_one_is_named_and_nothing_is_written(
    shelf: Shelf, tmp_path: Path, spoil: str, said: str
) -> None:
    suite = shelf.suite()
    file = shelf.index / "sums-1.0.tar.gz"
    if spoil == "missing":
        file.unlink()
    elif spoil == "another":
        file.write_bytes(file.read_bytes()[:-1] + b"\7")
    else:
        file.write_bytes(file.read_bytes() + b"\0")
    with pytest.raises(CommandError, match=said):
        build(suite, tmp_path)
    assert not (tmp_path / "out").exists()
    assert not list((tmp_path / "cache").rglob("*sums-1.0*"))
    assert not (suite / "lock.json").exists()


def test_a_file_that_the_package_lacks_is_named(shelf: Shelf, tmp_path: Path) -> None:
    suite = shelf.suite()
    file = suite / "suite.toml"
    file.write_text(file.read_text().replace('"src/gcd.c"', '"src/none.c"'))
    with pytest.raises(CommandError, match=r"sums: The package sums does not have the file src/none\.c\."):
        build(suite, tmp_path)


def test_a_dataset_that_changed_differs_from_its_lock_file(shelf: Shelf, tmp_path: Path) -> None:
    suite = shelf.suite()
    build(suite, tmp_path)
    lock = json.loads((suite / "lock.json").read_text())
    assert lock["packages"].keys() == {"pkg:pypi/sums@1.0", "pkg:pypi/clib@1.0"}
    driver = suite / "drivers/sums.c"
    driver.write_text(driver.read_text().replace("48u", "96u"))
    before = content(tmp_path / "out/sums-v0")
    with pytest.raises(
        CommandError, match=r"sums: it differs from the lock file\n(.*\n)+lock.json: use --update-lock"
    ):
        build(suite, tmp_path)
    assert content(tmp_path / "out/sums-v0") == before
    build(suite, tmp_path, update_lock=True)
    assert json.loads((suite / "lock.json").read_text())["benchmarks"] != lock["benchmarks"]


def test_a_released_dataset_never_changes(shelf: Shelf, tmp_path: Path) -> None:
    suite = shelf.suite(head="released = 2026-11-21\n")
    with pytest.raises(CommandError, match=r"lock\.json: it is missing, and sums-v0 is released"):
        build(suite, tmp_path)
    assert not (tmp_path / "cache").exists()
    folder = build(suite, tmp_path, update_lock=True)
    assert json.loads((folder / "manifest.json").read_text())["released"] == "2026-11-21"
    driver = suite / "drivers/sums.c"
    driver.write_text(driver.read_text().replace("48u", "96u"))
    with pytest.raises(CommandError, match="sums-v0 was released on 2026-11-21 and never changes"):
        build(suite, tmp_path, update_lock=True)


def test_a_further_package_is_named_in_the_manifest_and_the_lock_file(shelf: Shelf, tmp_path: Path) -> None:
    suite = shelf.suite()
    file = suite / "suite.toml"
    more = shelf.put("more", archive({"inc/more.h": "", "more.c": "int more;\n"}, top="more-1.0"))
    text = file.read_text().replace('"src/gcd.c"]', '"src/gcd.c", "more:more.c"]\nunsanitized = ["shift"]')
    text = text.replace('include = ["include"]', 'include = ["include", "more:inc"]')
    file.write_text(text.replace("\n[[program]]", f"{more}\n[[program]]", 1))
    (entry,) = json.loads((build(suite, tmp_path) / "manifest.json").read_text())["benchmarks"]
    source = entry["source"]
    assert source["files"] == ["src/sum.c", "src/gcd.c", "more:more.c"]
    assert source["include"] == ["include", "more:inc"]
    assert source["packages"].keys() == {"pkg:pypi/more@1.0"}
    assert source["unsanitized"] == ["shift"]
    lock = json.loads((suite / "lock.json").read_text())
    assert lock["packages"].keys() == {"pkg:pypi/sums@1.0", "pkg:pypi/clib@1.0", "pkg:pypi/more@1.0"}


def test_kept_modules_and_evidence_that_were_changed_are_not_believed(shelf: Shelf, tmp_path: Path) -> None:
    suite = shelf.suite()
    first = content(build(suite, tmp_path))
    modules = sorted((tmp_path / "cache/modules").iterdir())
    modules[0].write_bytes(modules[1].read_bytes()[:65] + modules[2].read_bytes()[65:])
    (evidence,) = (tmp_path / "cache/evidence").iterdir()
    evidence.write_bytes(evidence.read_bytes().replace(b"42042751", b"42042752"))
    assert content(build(suite, tmp_path)) == first


def test_an_excluded_program_is_told_and_not_built(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = shelf.suite()
    file = suite / "suite.toml"
    text = file.read_text()
    entry = text[text.index("[[program]]") :]
    unsteady = entry.replace('"sums"\ntitle', '"unsteady"\nexcluded = "it prints the time"\ntitle', 1)
    file.write_text(text + "\n" + unsteady)
    folder = build(suite, tmp_path)
    assert [one.name for one in Dataset.from_folder(folder)] == ["sums"]
    assert "unsteady is excluded: it prints the time" in capsys.readouterr().out


def derived(shelf: Shelf, name: str, more: str) -> Path:
    """A suite on top of ``sums-v0``."""
    shelf.suite()
    folder = shelf.suites / name
    folder.mkdir()
    (folder / "suite.toml").write_text(
        f'schema = 1\nname = "{name}"\ntitle = "T"\ndescription = "D"\nlicence = "MIT"\n'
        f'base = "sums-v0"\n{more}'
    )
    return folder


def test_a_suite_for_another_level_has_the_same_programs_with_other_attributes(
    shelf: Shelf, tmp_path: Path
) -> None:
    runtime = build(derived(shelf, "sums-runtime-v0", 'level = "O3"\n'), tmp_path)
    (fast,) = Dataset.from_folder(runtime)
    (small,) = Dataset.from_folder(build(shelf.suites / "sums-v0", tmp_path))
    assert fast.uri == "benchmark://sums-runtime-v0/sums"
    assert [one.expected_stdout for one in fast.workloads] == [one.expected_stdout for one in small.workloads]
    assert fast.sha256 != small.sha256
    assert (b"minsize" in text_of(small.program()), b"minsize" in text_of(fast.program())) == (True, False)


def text_of(program: bytes) -> bytes:
    from optarena.llvm.module import Module  # noqa: PLC0415 - loads libLLVM, which the other tests leave to the builder

    with Module.parse(program) as module:
        return module.text().encode()


def test_units_are_small_benchmarks_of_their_own_without_copies(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = (
        '\n[[program]]\nname = "copies"\ntitle = "Copies"\ndescription = "A copy."\ndomain = "arithmetic"\n'
        'language = "C"\npackage = "sums"\nlicence = "MIT"\ninclude = ["include"]\nfiles = ["src/copy.c"]\n'
        '[[program.header]]\npath = "config.h"\ntext = ""\n'
    )
    folder = build(derived(shelf, "sum-units-v0", "units = true\n" + more), tmp_path)
    dataset = Dataset.from_folder(folder)
    (unit,) = dataset
    said = capsys.readouterr().out
    assert unit.uri == "benchmark://sum-units-v0/copies/copy"
    assert unit.workloads == ()
    assert unit.baselines["ir_instructions"]["O0"] > unit.baselines["ir_instructions"]["Oz"]
    assert "sums/gcd is left out: it is nearly the same as copies/copy" in said
    assert "sums/sum is left out: it has " in said


def test_a_program_that_crashes_llvm_is_refused_by_name(shelf: Shelf, tmp_path: Path) -> None:
    """Inline assembly is read only when code is made of it; what it then says ends the process."""
    files = {
        **FILES,
        "src/gcd.c": FILES["src/gcd.c"] + '__asm__(".symver gcd, gcd@@@@");\nvoid f(void)'
        '{ __asm__ volatile("no such instruction"); }\n',
    }
    suite = shelf.suite()
    changed = shelf.put("sums", archive(files, top="sums-1.0"))
    text = (suite / "suite.toml").read_text()
    start = text.index('\n[[package]]\nname = "sums"')
    end = text.index("\n[[", start + 3)
    (suite / "suite.toml").write_text(text[:start] + changed + text[end:])
    with pytest.raises(CommandError, match="sums: "):
        build(suite, tmp_path)
    assert not (tmp_path / "out").exists()
