"""A dataset that the command builds: twice the same, locked, again without a network, and never half."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from datasets.builder import build, preprocessing
from datasets.builder.build import Workshop, compile_program, evidence_key
from datasets.builder.files import ToolchainMissing
from datasets.builder.suite import Program, read_suite
from datasets.builder.toolchain import Processes
from optarena.datasets import Dataset
from optarena.datasets.dataset import MANIFEST_NAME
from optarena.gcc.compiling import Compiler
from optarena.gcc.units import unpack
from optarena.llvm.module import Module
from tests.kit.examples import slow
from tests.kit.folders import ROOT
from tests.kit.gcc import needs_gcc, pinned_gcc
from tests.kit.packaged import FILES, Shelf, archive

pytestmark = pytest.mark.usefixtures("native")


def build_at(suite: Path, place: Path, **options: Any) -> Path:
    """Build a suite with a cache and an output folder of its own; the dataset's folder."""
    call_command("build_dataset", suite, output=place / "out", cache=place / "cache", jobs=2, **options)
    return place / "out" / suite.name


@pytest.fixture(scope="module")
def first_sums(native: Workshop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite of packages with its index, its lock file, its dataset in ``out`` and the build's cache."""
    folder = tmp_path_factory.mktemp("sums")
    assert native.toolchain.spec.clang
    for name in ("index", "suites"):
        (folder / name).mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PIP_NO_INDEX", "1")
        patch.setenv("PIP_FIND_LINKS", str(folder / "index"))
        build_at(Shelf(folder / "index", folder / "suites").suite(), folder)
    return folder


@pytest.fixture
def sums(first_sums: Path, shelf: Shelf, tmp_path: Path) -> Path:
    """The folder of that suite, in a copy of all of it on the test's own shelf."""
    shutil.copytree(first_sums, tmp_path, dirs_exist_ok=True)
    return shelf.suites / "sums-v0"


def content(folder: Path) -> dict[str, bytes]:
    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "cache" not in path.parts
    }
    for name, data in files.items():
        if name.endswith(MANIFEST_NAME):
            manifest = json.loads(data)
            for entry in manifest["benchmarks"]:
                entry["run_seconds"] = 0
            files[name] = json.dumps(manifest).encode()
    return files


def text_of(program: bytes) -> bytes:
    with Module.parse(program) as module:
        return module.text().encode()


def test_a_program_of_a_package_becomes_a_benchmark_with_its_provenance(sums: Path, tmp_path: Path) -> None:
    assert sums.is_dir()
    folder = tmp_path / "out/sums-v0"
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


def test_two_builds_in_different_folders_are_the_same_byte_for_byte(sums: Path, tmp_path: Path) -> None:
    one = tmp_path / "out/sums-v0"
    shutil.move(sums, tmp_path / "elsewhere/sums-v0")
    two = build_at(tmp_path / "elsewhere/sums-v0", tmp_path / "a longer name of another depth/two")
    assert content(one) == content(two)
    program = next(iter(Dataset.from_folder(two))).program()
    assert str(tmp_path).encode() not in program
    assert b"sum.c" in text_of(program)  # what assert() prints, without the folder it was compiled in


@pytest.mark.soak
def test_what_is_kept_builds_again_without_the_index(
    sums: Path, shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CommandError, match=r"clib-1\.0\.tar\.gz is not in .* build once without --offline"):
        build_at(sums, tmp_path / "empty", offline=True)
    first = content(tmp_path / "out")
    shutil.rmtree(shelf.index)
    shutil.rmtree(tmp_path / "out")
    build_at(sums, tmp_path, offline=True)
    assert content(tmp_path / "out") == first
    build_at(sums, tmp_path, offline=True, check=True)
    assert "is up to date" in capsys.readouterr().out


def test_a_build_goes_on_where_it_was(sums: Path, tmp_path: Path) -> None:
    """Modules and evidence that are kept are used: the second build compiles and runs nothing."""
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*") if path.is_file()}
    assert {path.parent.name for path in kept} >= {"modules", "evidence"}
    build_at(sums, tmp_path)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("another", r"sums: sums-1\.0\.tar\.gz has the sha256 [0-9a-f]{64}, but the suite names"),
        *slow(
            (
                ("missing", r"sums: The package index does not have sums-1\.0\.tar\.gz of sums 1\.0\."),
                ("longer", r"sums: sums-1\.0\.tar\.gz is larger than the \d+ bytes that the suite names"),
            )
        ),
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
        build_at(suite, tmp_path)
    assert not (tmp_path / "out").exists()
    assert not list((tmp_path / "cache").rglob("*sums-1.0*"))
    assert not (suite / "lock.json").exists()


@pytest.mark.soak
def test_a_file_that_the_package_lacks_is_named(shelf: Shelf, tmp_path: Path) -> None:
    suite = shelf.suite()
    file = suite / "suite.toml"
    file.write_text(file.read_text().replace('"src/gcd.c"', '"src/none.c"'))
    with pytest.raises(CommandError, match=r"sums: The package sums does not have the file src/none\.c\."):
        build_at(suite, tmp_path)


def test_a_dataset_that_changed_differs_from_its_lock_file(sums: Path, tmp_path: Path) -> None:
    lock = json.loads((sums / "lock.json").read_text())
    assert lock["packages"].keys() == {"pkg:pypi/sums@1.0", "pkg:pypi/clib@1.0"}
    driver = sums / "drivers/sums.c"
    driver.write_text(driver.read_text().replace("48u", "96u"))
    before = content(tmp_path / "out")
    with pytest.raises(
        CommandError, match=r"sums: it differs from the lock file\n(.*\n)+lock.json: use --update-lock"
    ):
        build_at(sums, tmp_path)
    assert content(tmp_path / "out") == before
    build_at(sums, tmp_path, update_lock=True)
    assert json.loads((sums / "lock.json").read_text())["benchmarks"] != lock["benchmarks"]


@pytest.mark.soak
def test_a_further_package_is_named_in_the_manifest_and_the_lock_file(shelf: Shelf, tmp_path: Path) -> None:
    suite = shelf.suite()
    file = suite / "suite.toml"
    more = shelf.put("more", archive({"inc/more.h": "", "more.c": "int more;\n"}, top="more-1.0"))
    text = file.read_text().replace('"src/gcd.c"]', '"src/gcd.c", "more:more.c"]\nunsanitized = ["shift"]')
    text = text.replace('include = ["include"]', 'include = ["include", "more:inc"]')
    file.write_text(text.replace("\n[[program]]", f"{more}\n[[program]]", 1))
    (entry,) = json.loads((build_at(suite, tmp_path) / "manifest.json").read_text())["benchmarks"]
    source = entry["source"]
    assert source["files"] == ["src/sum.c", "src/gcd.c", "more:more.c"]
    assert source["include"] == ["include", "more:inc"]
    assert source["packages"].keys() == {"pkg:pypi/more@1.0"}
    assert source["unsanitized"] == ["shift"]
    lock = json.loads((suite / "lock.json").read_text())
    assert lock["packages"].keys() == {"pkg:pypi/sums@1.0", "pkg:pypi/clib@1.0", "pkg:pypi/more@1.0"}


def test_kept_modules_and_evidence_that_were_changed_are_not_believed(sums: Path, tmp_path: Path) -> None:
    first = content(tmp_path / "out")
    modules = sorted((tmp_path / "cache/modules").iterdir())
    modules[0].write_bytes(modules[1].read_bytes()[:65] + modules[2].read_bytes()[65:])
    (evidence,) = (tmp_path / "cache/evidence").iterdir()
    evidence.write_bytes(evidence.read_bytes().replace(b"42042751", b"42042752"))
    build_at(sums, tmp_path)
    assert content(tmp_path / "out") == first


@pytest.mark.soak
def test_an_excluded_program_is_told_and_not_built(
    sums: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = sums / "suite.toml"
    text = file.read_text()
    entry = text[text.index("[[program]]") :]
    unsteady = entry.replace('"sums"\ntitle', '"unsteady"\nexcluded = "it prints the time"\ntitle', 1)
    file.write_text(text + "\n" + unsteady)
    folder = build_at(sums, tmp_path, update_lock=True)
    assert [one.name for one in Dataset.from_folder(folder)] == ["sums"]
    assert "unsteady is excluded: it prints the time" in capsys.readouterr().out


def derived(sums: Path, name: str, more: str) -> Path:
    folder = sums.parent / name
    folder.mkdir(exist_ok=True)
    (folder / "suite.toml").write_text(
        f'schema = 1\nname = "{name}"\ntitle = "T"\ndescription = "D"\nlicence = "MIT"\n'
        f'base = "sums-v0"\n{more}'
    )
    return folder


@pytest.mark.soak
def test_a_suite_for_another_level_has_the_same_programs_with_other_attributes(
    sums: Path, tmp_path: Path
) -> None:
    runtime = build_at(derived(sums, "sums-runtime-v0", 'level = "O3"\n'), tmp_path)
    (fast,) = Dataset.from_folder(runtime)
    (small,) = Dataset.from_folder(tmp_path / "out/sums-v0")
    assert fast.uri == "benchmark://sums-runtime-v0/sums"
    assert [one.expected_stdout for one in fast.workloads] == [one.expected_stdout for one in small.workloads]
    assert fast.sha256 != small.sha256
    assert (b"minsize" in text_of(small.program()), b"minsize" in text_of(fast.program())) == (True, False)


@pytest.mark.soak
def test_units_are_small_benchmarks_of_their_own_without_copies(
    sums: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = (
        'units = true\n[[program]]\nname = "copies"\ntitle = "Copies"\ndescription = "A copy."\n'
        'domain = "arithmetic"\nlanguage = "C"\npackage = "sums"\nlicence = "MIT"\ninclude = ["include"]\n'
        'files = ["src/copy.c"]\n[[program.header]]\npath = "config.h"\ntext = ""\n'
    )
    (unit,) = Dataset.from_folder(build_at(derived(sums, "sum-units-v0", more), tmp_path))
    said = capsys.readouterr().out
    assert (unit.uri, unit.workloads) == ("benchmark://sum-units-v0/copies/copy", ())
    counts = unit.baselines["ir_instructions"]
    assert counts["O0"] > counts["Oz"]
    assert counts["O0"] > counts["ClangOz"] > 0
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
        build_at(suite, tmp_path)
    assert not (tmp_path / "out").exists()


DATES = """
int printf(const char *, ...);
int main(void) { return printf("%s %s %s\\n", __DATE__, __TIME__, __TIMESTAMP__) < 0; }
"""


@pytest.mark.soak
def test_each_input_changes_every_key(shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suite, cache = shelf.suite(), tmp_path / "cache"

    def keys() -> tuple[set[str], str]:
        """The names that modules and evidence of the suite's one program are kept by."""
        workshop = Workshop.of(read_suite(suite), cache)
        compiled = compile_program(workshop.suite.programs[0], workshop)
        modules = {path.name for path in (cache / "modules").iterdir()}
        for path in (cache / "modules").iterdir():
            path.unlink()
        return modules, evidence_key(compiled, workshop)

    modules, evidence = keys()
    assert len(modules) == 3
    assert keys() == (modules, evidence)
    for name, old, new in (
        ("suite.toml", 'flags = ["-DMORE"]', 'flags = ["-DLESS"]'),
        ("suite.toml", 'STEPS = "1000"', 'STEPS = "1001"'),
        ("suite.toml", 'include = ["include"]', 'include = ["include", "src"]'),
        ("suite.toml", '    "-fno-ident",', '    "-fno-ident",\n    "-DX",'),
        ("suite.toml", 'header_folders = ["include"]', 'header_folders = ["include", "more"]'),
        ("drivers/bench.h", "#define BENCH 40", "#define BENCH 41"),
    ):
        text = (suite / name).read_text()
        assert old in text
        (suite / name).write_text(text.replace(old, new, 1))
        changed, other = keys()
        assert not changed & modules, new
        assert other != evidence, new
        (suite / name).write_text(text)
    monkeypatch.setattr(build, "EVIDENCE_VERSION", 99)
    same, other = keys()
    assert same == modules
    assert other != evidence
    monkeypatch.setattr(build, "MODULE_VERSION", 99)
    changed, _ = keys()
    assert not changed & modules
    monkeypatch.setattr(
        preprocessing, "filled", lambda _, values: f"#define STEPS {values['STEPS']}\n#define FAST 1\n"
    )
    again, _ = keys()
    assert not again & changed


@pytest.fixture(scope="module")
def first_draft(
    native: Workshop, make_suite: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A suite with its lock file, its dataset in ``out`` and the build's cache."""
    folder = tmp_path_factory.mktemp("draft")
    assert native.toolchain.spec.clang
    make_suite(folder)
    build_again(folder)
    return folder


@pytest.fixture
def draft(first_draft: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(first_draft, tmp_path / "draft"))


def test_the_evidences_key_tells_workloads_and_compilers(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop = Workshop.of(read_suite(shelf.suite()), tmp_path / "cache")
    compiled = compile_program(workshop.suite.programs[0], workshop)
    program = compiled.program
    runs = (replace(program.workloads[0], stdin="x"), *program.workloads[1:])
    changed = (program, replace(program, workloads=runs), replace(program, unsanitized=("shift",)))
    found = [evidence_key(replace(compiled, program=one), workshop) for one in changed]
    found.append(evidence_key(replace(compiled, identity="another"), workshop))
    monkeypatch.setattr(build, "ENGINE_VERSION", "another")
    found.append(evidence_key(compiled, workshop))
    workshop.toolchain.__dict__["sanitizer_version"] = "another"
    found.append(evidence_key(compiled, workshop))
    workshop.toolchain.identity = ("another",)
    found.append(evidence_key(compiled, workshop))
    assert len(set(found)) == len(found)


def test_day_time_and_environment_get_into_nothing(
    make_program: Callable[[str], Program],
    native: Workshop,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = make_program(DATES)
    one = compile_program(program, Workshop.of(native.suite, tmp_path / "one")).measured.bitcode
    with Module.parse(one) as module:
        text = module.text()
    assert all(f'c"{said}\\00"' in text for said in ("Jan  1 1970", "00:00:00", "Thu Jan  1 00:00:00 1970"))
    (tmp_path / "stdio.h").write_text("#error no\n")
    monkeypatch.setenv("CPATH", str(tmp_path))
    monkeypatch.setenv("CCC_OVERRIDE_OPTIONS", "+-DMORE +-g")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    assert compile_program(program, Workshop.of(native.suite, tmp_path / "two")).measured.bitcode == one


def test_a_changed_source_a_changed_program_and_a_changed_field_are_each_named(draft: Path) -> None:
    made = draft / "out/small-v0"
    (made / "squares.bc").write_bytes(b"BC")
    manifest = json.loads((made / MANIFEST_NAME).read_text())
    manifest["title"] = "Else"
    manifest["benchmarks"][0]["run_seconds"] = 99.0
    (made / MANIFEST_NAME).write_text(json.dumps(manifest))
    source = draft / "small-v0/src/squares.c"
    source.write_text(source.read_text() + "/* one more line */\n")
    with pytest.raises(CommandError) as caught:
        build_again(draft, check=True)
    assert str(caught.value).splitlines()[1:] == [
        "title differs",
        "squares: source differs",
        "squares.bc is not the program that was built",
        "lock.json: manifest differs",
    ]


@pytest.mark.soak
def test_programs_that_come_and_go_are_named_and_a_new_build_leaves_nothing_behind(draft: Path) -> None:
    (draft / "small-v0/src/squares.c").rename(draft / "small-v0/src/others.c")
    file = draft / "small-v0/suite.toml"
    file.write_text(file.read_text().replace("squares", "others"))
    with pytest.raises(CommandError, match=r"squares is not in the suite\nothers is missing\n"):
        build_again(draft, check=True)
    build_again(draft, update_lock=True)
    assert {path.name for path in (draft / "out/small-v0").iterdir()} == {"others.bc", MANIFEST_NAME}
    assert [path.name for path in (draft / "out").iterdir()] == ["small-v0"]


def test_a_refused_build_changes_nothing(draft: Path) -> None:
    before = content(draft / "out")
    (draft / "small-v0/src/squares.c").write_text("int main(void) { return x; }")
    with pytest.raises(CommandError, match="squares: it does not compile"):
        build_again(draft)
    assert content(draft / "out") == before


def test_a_bad_suite_is_described_problem_by_problem(small_suite: Path, tmp_path: Path) -> None:
    file = small_suite / "suite.toml"
    file.write_text(file.read_text().replace('title = "Squares"', "").replace("schema = 1", "schema = 9"))
    with pytest.raises(CommandError) as caught:
        build_again(tmp_path)
    expected = "one line of printable text of at most 200 characters"
    assert set(str(caught.value).splitlines()) == {
        f"program[squares].title: The value is missing. Add it: {expected}.",
        "schema: This version reads schema 1. (given: 9) Write schema = 1.",
    }
    assert not (tmp_path / "out").exists()


def test_a_suite_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(
        CommandError, match=r"There is no suite .nothing-v0.: name one of gcc-kernels-.*programs-v0"
    ):
        call_command("build_dataset", Path("nothing-v0"))


@pytest.fixture(scope="module")
def first(
    native: Workshop, make_suite: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A released suite with its lock file, its dataset in ``out`` and the build's cache."""
    folder = tmp_path_factory.mktemp("first")
    assert native.toolchain.spec.clang
    file = make_suite(folder) / "suite.toml"
    file.write_text(file.read_text().replace("schema = 1", "schema = 1\nreleased = 2026-11-21", 1))
    build_again(folder, update_lock=True)
    return folder


@pytest.fixture
def place(first: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(first, tmp_path / "place"))


def build_again(place: Path, **options: Any) -> None:
    call_command("build_dataset", place / "small-v0", output=place / "out", cache=place / "cache", **options)


def test_every_suite_is_locked_and_a_second_build_changes_nothing(place: Path) -> None:
    lock = json.loads((place / "small-v0/lock.json").read_text())
    assert lock.keys() == {"dataset", "sha256", "manifest", "packages", "benchmarks"}
    assert json.loads((place / "out/small-v0/manifest.json").read_text())["released"] == "2026-11-21"
    before = content(place)["small-v0/lock.json"]
    build_again(place)
    build_again(place, check=True)
    assert content(place)["small-v0/lock.json"] == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('domain = "test"', 'domain = "exam"'),
        *slow(
            (
                ('name = "run1"', 'name = "run9"'),
                ("args = ['x']", 'args = ["x", "x", "x", "x"]'),
                ('name = "squares"', 'name = "squares"\nlicence = "ISC"'),
                ('name = "squares"', 'name = "squares"\nsplit = "test"'),
            )
        ),
    ],
)
def test_nothing_of_a_released_dataset_can_change(place: Path, old: str, new: str) -> None:
    file = place / "small-v0/suite.toml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    before = content(place)
    for options in ({}, {"update_lock": True}):
        with pytest.raises(
            CommandError, match=r"manifest differs\n(.*\n)*.*was released on 2026-11-21 and never"
        ):
            build_again(place, **options)
    assert content(place) == before


def test_a_check_writes_nothing_and_tells_a_missing_lock_file(place: Path) -> None:
    (place / "small-v0/lock.json").unlink()
    before = content(place)
    with pytest.raises(CommandError, match=r"is not up to date:\nlock\.json is missing"):
        build_again(place, check=True)
    with pytest.raises(CommandError, match="give only one of them"):
        build_again(place, check=True, update_lock=True)
    assert content(place) == before
    shutil.rmtree(place / "cache")
    with pytest.raises(CommandError, match=r"lock\.json: it is missing, and small-v0 is released"):
        build_again(place)
    assert not (place / "cache").exists()


@pytest.mark.parametrize(
    ("text", "is_check"),
    [("[" * 100_000, True), ("[]", False), *slow((text, True) for text in ("{", "[]", '{"benchmarks": 5}'))],
)
def test_a_broken_lock_file_is_named(place: Path, text: str, *, is_check: bool) -> None:
    (place / "small-v0/lock.json").write_text(text)
    with pytest.raises(CommandError, match=r"lock\.json"):
        build_again(place, check=is_check)


def test_what_does_not_belong_there_is_named_by_a_check_and_a_note_of_deprecation_does(place: Path) -> None:
    note = place / "out/small-v0/deprecated.json"
    note.write_text('{"reason": "too small", "successor": ""}')
    build_again(place, check=True)
    build_again(place)
    assert "too small" in note.read_text()
    (place / "out/small-v0/blobs").mkdir()
    (place / "out/small-v0/blobs/stray.bc").touch()
    with pytest.raises(CommandError, match=r"blobs/stray\.bc does not belong to the dataset"):
        build_again(place, check=True)


@pytest.mark.parametrize(
    "text",
    [
        "\udcff",
        '{"benchmarks": [{}]}',
        *slow(["{", "[]", "{}", '{"benchmarks": 5}', '{"benchmarks": [5]}']),
    ],
)
def test_a_broken_manifest_is_named_by_a_check(place: Path, text: str) -> None:
    (place / "out/small-v0/manifest.json").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(CommandError, match=r"manifest\.json cannot be read"):
        build_again(place, check=True)


def test_a_place_where_nothing_can_be_written_is_an_error(place: Path) -> None:
    (place / "file").touch()
    with pytest.raises(CommandError, match=r"Not a directory|File exists"):
        call_command("build_dataset", place / "small-v0", output=place / "file", cache=place / "cache")
    with pytest.raises(CommandError, match=r"Not a directory|File exists"):
        call_command("build_dataset", place / "small-v0", output=place / "out", cache=place / "file")


def test_a_cache_that_compilers_could_not_be_told_of_is_refused(place: Path) -> None:
    with pytest.raises(CommandError, match="which contains '='"):
        call_command("build_dataset", place / "small-v0", output=place / "out", cache=place / "a=b")


@pytest.mark.soak
def test_two_builds_into_one_folder_leave_a_whole_dataset(place: Path) -> None:
    command = [sys.executable, "manage.py", "build_dataset", str(place / "small-v0")]
    folders = ["--output", str(place / "out"), "--cache", str(place / "cache")]
    both = [
        subprocess.Popen([*command, *folders], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for _ in range(2)
    ]
    said = [one.communicate(timeout=120)[0] for one in both]
    assert [one.returncode for one in both] == [0, 0], said
    build_again(place, check=True)
    assert [path.name for path in (place / "out").iterdir()] == ["small-v0"]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    try:
        preprocessing.own_headers()
    except ToolchainMissing as error:
        pytest.skip(str(error))  # names the package
    monkeypatch.setenv("OPTARENA_SITE_DATA", str(tmp_path / "site"))
    return tmp_path / "site/datasets"


def build_on_site(suite: Path, site: Path, **options: Any) -> Path:
    call_command("build_dataset", suite, cache=site.parent / "cache", jobs=1, **options)
    return site / suite.name


@needs_gcc
def test_units_are_preprocessed_and_do_what_the_base_does(
    sums: Path, site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CommandError, match="title_of_nothing"):
        build_on_site(derived(sums, "gcc-sums-v0", 'compiler = "gcc"\ntitle_of_nothing = ""\n'), site)
    suite = derived(sums, "gcc-sums-v0", 'compiler = "gcc"\n')
    with pytest.raises(CommandError, match="its base sums-v0 is not built yet: build it first"):
        build_on_site(suite, site)
    base = Path(shutil.copytree(tmp_path / "out/sums-v0", site / "sums-v0"))
    text = (base / "manifest.json").read_text()
    (base / "manifest.json").write_text(text.replace("42042751", "42042750"))
    with pytest.raises(CommandError, match="is not the dataset of its lock file: build it again"):
        build_on_site(suite, site)
    (base / "manifest.json").write_text(text)
    (known,) = Dataset.from_folder(base)
    folder = build_on_site(suite, site)
    (made,) = Dataset.from_folder(folder)
    units = {unit.name: unit.data for unit in unpack(made.program())}
    assert list(units) == ["sums/src/sum.c", "sums/src/gcd.c", "drivers/sums.c"]
    assert not [data for data in units.values() if b"#" in data]
    assert b'(n < 1000) ? (void)0 : __assert_fail("n < STEPS", "sum.c", ' in units["sums/src/sum.c"]
    assert (made.workloads, made.source, made.split) == (known.workloads, known.source, known.split)
    assert made.baselines["load_size_bytes"].keys() == {"O0", "O1", "O2", "O3", "Os", "Oz"}
    assert made.baselines["load_size_bytes"]["Oz"] < made.baselines["load_size_bytes"]["O0"]
    (entry,) = json.loads((folder / "manifest.json").read_text())["benchmarks"]
    assert entry["file"] == f"blobs/{made.sha256}.units"
    assert [path.name for path in (folder / "blobs").iterdir()] == [f"{made.sha256}.units.xz"]
    capsys.readouterr()
    build_on_site(suite, site, check=True)
    assert "is up to date" in capsys.readouterr().out
    (folder / f"blobs/{made.sha256}.units.xz").write_bytes(b"damaged")
    with pytest.raises(CommandError, match=r"\.units is not the program that was built"):
        build_on_site(suite, site, check=True)


@pytest.mark.soak
@needs_gcc
def test_what_a_benchmark_for_gcc_would_lose_is_named(sums: Path, site: Path, tmp_path: Path) -> None:
    bad = derived(sums, "gcc-sums-v0", 'compiler = "gcc"\n[excluded]\nsuns = "too large"\n')
    with pytest.raises(CommandError, match="The base does not have this program"):
        build_on_site(bad, site)
    shutil.copytree(tmp_path / "out/sums-v0", site / "sums-v0")
    text = (sums / "suite.toml").read_text()
    (sums / "suite.toml").write_text(text.replace('"-DMORE"', '"-DMORE", "-include", "bench.h", "-fwrapv"'))
    with pytest.raises(CommandError, match=r"beside -D, -U and -include: -fwrapv$"):
        build_on_site(derived(sums, "gcc-sums-v0", 'compiler = "gcc"\n'), site)


@needs_gcc
def test_other_headers_are_not_believed(tmp_path: Path) -> None:
    folder = tmp_path / "usr/lib/gcc/x86_64-linux-gnu/12/include"
    folder.mkdir(parents=True)
    (folder / "stddef.h").write_text("typedef int size_t;\n")
    with pytest.raises(ToolchainMissing, match="install Debian 12's package libgcc-12-dev"):
        preprocessing.own_headers(tmp_path)


@needs_gcc
def test_intrinsics_compile_at_every_level(tmp_path: Path) -> None:
    (tmp_path / "shift.c").write_text(
        "#define _MM_MALLOC_H_INCLUDED\n#include <emmintrin.h>\n"
        "__m128i shift(__m128i x) { return _mm_slli_si128(x, 3); }\n"
    )
    spec: Any = SimpleNamespace(flags=("-O1",), header_folders=())
    program: Any = SimpleNamespace(flags=())
    units = [SimpleNamespace(name="shift.c", path=tmp_path / "shift.c")]
    laid_out: Any = SimpleNamespace(flags=(), units=units)
    try:
        source = preprocessing.Preprocessor(spec, None, Processes()).container(program, laid_out)
    except ToolchainMissing as error:
        pytest.skip(str(error))
    for level in ("-O0", "-O2"):
        assert b"pslldq" in Compiler(pinned_gcc(), tmp_path / level, source).assembly([level])
