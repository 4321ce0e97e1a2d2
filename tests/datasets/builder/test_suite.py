"""Reading suites: everything that is wrong is named, at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from datasets.builder.reading import read_suite
from datasets.builder.suite import PackagePath
from optarena.errors import InvalidDocument

if TYPE_CHECKING:
    from pathlib import Path

    from tests.kit.packaged import Shelf


def problems_of(folder: Path, old: str, new: str) -> dict[str, str]:
    file = folder / "suite.toml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(InvalidDocument) as caught:
        read_suite(folder)
    return {problem.field: problem.message for problem in caught.value.problems}


def test_a_good_suite_is_read_with_its_sources(small_suite: Path) -> None:
    suite = read_suite(small_suite)
    assert suite.name == "small-v0"
    assert [program.name for program in suite.programs] == ["squares"]
    assert b"int main" in suite.programs[0].text
    assert suite.programs[0].licence == "MIT"
    assert [run.args for run in suite.programs[0].workloads] == [(), ("x",), ("x", "x")]


def test_all_bad_fields_are_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text(
        'schema = 2\nname = "small"\ntitle = ""\nlicence = 5\ncolour = "red"\n'
        '[toolchain]\nclang = "22.1.8"\nllvm = "22.1.8"\ntarget = "x86_64"\nflags = "-Oz"\n'
        '[[program]]\nname = "Bad Name"\ntitle = "T"\ndomain = "d"\nlanguage = "C"\nsource = "src/none.c"\n'
        '[[program.workload]]\nname = "a"\nargs = [1]\nstdin = 5\n'
        '[[program.workload]]\nname = "a"\nargs = []\n'
    )
    with pytest.raises(InvalidDocument) as caught:
        read_suite(tmp_path)
    assert {problem.field for problem in caught.value.problems} == {
        "schema",
        "name",
        "title",
        "description",
        "licence",
        "colour",
        "toolchain.cpu",
        "toolchain.flags",
        "program[Bad Name].name",
        "program[Bad Name].description",
        "program[Bad Name].source",
        "program[Bad Name].workload",
        "program[Bad Name].workload[0].args",
        "program[Bad Name].workload[0].stdin",
    }


def test_a_source_outside_the_suite_is_refused(small_suite: Path) -> None:
    found = problems_of(small_suite, "src/squares.c", "../small-v0/src/squares.c")
    assert found == {"program[squares].source": "It must lie inside the suite's folder."}


def test_two_programs_of_one_name_are_refused(small_suite: Path) -> None:
    text = (small_suite / "suite.toml").read_text()
    entry = text[text.index("[[program]]") :]
    found = problems_of(small_suite, entry, entry + "\n" + entry)
    assert found == {"program": "The name is used twice."}


def test_a_suite_without_programs_is_refused(small_suite: Path) -> None:
    text = (small_suite / "suite.toml").read_text()
    found = problems_of(small_suite, text[text.index("[[program]]") :], "")
    assert found == {"program": "At least one [[program]] table is needed."}


def test_a_file_that_is_no_toml_is_named(tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text("name = ")
    with pytest.raises(InvalidDocument, match=r"suite\.toml: The document is not TOML"):
        read_suite(tmp_path)


def test_a_suite_of_packages_is_read(shelf: Shelf) -> None:
    suite = read_suite(shelf.suite())
    (program,) = suite.programs
    assert program.package == "sums"
    assert program.files == (PackagePath("sums", "src/sum.c"), PackagePath("sums", "src/gcd.c"))
    assert program.support == {"bench.h": b"#define BENCH 40\n"}
    assert program.packages == {"sums"}
    assert suite.package("sums").purl == "pkg:pypi/sums@1.0"
    assert suite.toolchain.header_folders == ("include",)


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('package = "sums"', 'package = "nothing"', "program[sums].package"),
        ('"src/gcd.c"', '"other:src/gcd.c"', "program[sums].files"),
        ('"src/gcd.c"', '"../src/gcd.c"', "program[sums].files"),
        ('include = ["include"]', 'include = ["/usr/include"]', "program[sums].include"),
        ("MIT OR Apache-2.0", "do what you like", "program[sums].licence"),
        ('split = "test"', 'split = "exam"', "program[sums].split"),
        ("https://example.org/sums", "javascript:alert(1)", "program[sums].upstream"),
        ('path = "config.h"', 'path = "../config.h"', "program[sums].header[0].path"),
        ("values = {", "value = {", "program[sums].header[0].value"),
        ('headers = "clib"', 'headers = "libc"', "toolchain.headers"),
        ("size_bytes = ", "size_bytes = -", "package[sums].size_bytes"),
        ('version = "1.0"', "version = 1.0", "package[sums].version"),
        ('driver = "drivers/sums.c"', 'driver = "drivers/none.c"', "program[sums].driver"),
        ("schema = 1", "schema = 1\nreleased = 'today'", "released"),
        ('name = "sums-v0"', 'name = "others-v0"', "name"),
        ('flags = ["-DMORE"]', 'flags = ["-DMORE\\u0000"]', "program[sums].flags"),
        ('flags = ["-DMORE"]', 'flags = [""]', "program[sums].flags"),
        ("args = ['x']", 'args = ["x\\u0000"]', "program[sums].workload[1].args"),
        ('name = "run1"', 'name = "run1"\nstdin = "\\u0000"', "program[sums].workload[1].stdin"),
        ('"src/gcd.c"]', '"src/gcd.c", "src/gcd.c"]', "program[sums].files"),
        ('path = "config.h"', 'path = "."', "program[sums].header[0].path"),
        ('path = "config.h"', 'path = "a/./b.h"', "program[sums].header[0].path"),
        ('path = "config.h"', 'path = "config.h"\ntext = ""', "program[sums].header[0].text"),
        ('template = "include/config.h.in"', 'text = ""', "program[sums].header[0].values"),
        ('archive = "sums-1.0.tar.gz"', 'archive = ".."', "package[sums].archive"),
        ('llvm = "22.1.8"', 'llvm = "21.1.8"', "toolchain.llvm"),
        ("--target=x86_64", "--target=aarch64", "toolchain.target"),
        ("schema = 1", 'schema = 1\nchange = [{version = "sums-v0", text = "First."}]', "change[0].date"),
    ],
)
def test_each_bad_field_of_a_packaged_program_is_named(shelf: Shelf, old: str, new: str, field: str) -> None:
    assert field in problems_of(shelf.suite(), old, new)


def test_a_suite_takes_programs_of_its_base_under_its_own_name(shelf: Shelf) -> None:
    shelf.suite()
    folder = shelf.suites / "part-v0"
    folder.mkdir()
    head = 'schema = 1\nname = "part-v0"\ntitle = "T"\ndescription = "D"\nlicence = "MIT"\nbase = "sums-v0"\n'
    (folder / "suite.toml").write_text(head + 'select = ["sums"]\nlevel = "O3"\n')
    suite = read_suite(folder)
    assert [program.name for program in suite.programs] == ["sums"]
    assert "-O3" in suite.toolchain.flags
    assert "-Oz" not in suite.toolchain.flags
    (folder / "suite.toml").write_text(head + 'select = ["sums", "sums", "none"]\nlevel = "O9"\n')
    with pytest.raises(InvalidDocument) as caught:
        read_suite(folder)
    assert [problem.field for problem in caught.value.problems] == ["select", "select", "level"]


@pytest.mark.parametrize("path", ["config.h", "config.h/more.h", "./config.h"])
def test_two_headers_of_one_path_are_refused(shelf: Shelf, path: str) -> None:
    second = f'[[program.header]]\npath = "{path}"\ntext = ""\n\n[[program.workload]]\nname = "run0"'
    found = problems_of(shelf.suite(), '[[program.workload]]\nname = "run0"', second)
    assert found.keys() == {"program[sums].header[1].path"}


def derived(shelf: Shelf, more: str) -> Path:
    folder = shelf.suites / "part-v0"
    folder.mkdir(exist_ok=True)
    head = 'schema = 1\nname = "part-v0"\ntitle = "T"\ndescription = "D"\nlicence = "MIT"\n'
    (folder / "suite.toml").write_text(head + more)
    return folder


def named(folder: Path) -> list[str]:
    with pytest.raises(InvalidDocument) as caught:
        read_suite(folder)
    return [problem.field for problem in caught.value.problems]


def test_suites_that_build_on_each_other_are_refused(shelf: Shelf) -> None:
    base = shelf.suite(head='base = "part-v0"\n')
    folder = derived(shelf, 'base = "sums-v0"\n')
    assert named(folder) == ["sums-v0: base"]
    assert named(base) == ["part-v0: base"]
    assert named(derived(shelf, 'base = "part-v0"\n')) == ["base"]


def test_a_problem_of_the_base_is_told_as_the_bases(shelf: Shelf) -> None:
    base = shelf.suite() / "suite.toml"
    base.write_text(base.read_text().replace("size_bytes = ", "size_bytes = -", 1))
    assert named(derived(shelf, 'base = "sums-v0"\n')) == ["sums-v0: package[sums].size_bytes"]


def test_an_empty_selection_is_refused(shelf: Shelf) -> None:
    shelf.suite()
    assert named(derived(shelf, 'base = "sums-v0"\nselect = []\n')) == ["select"]


def test_a_file_that_is_nested_too_deep_is_named(tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text("a = " + "[" * 20_000 + "]" * 20_000)
    assert named(tmp_path) == ["suite.toml"]


@pytest.mark.parametrize("files", ['["src/a.c", "src/a.y"]', '["src/a b.c"]', '["src/a.c", "src/ü.c"]'])
def test_units_that_would_have_no_name_of_their_own_are_refused(shelf: Shelf, files: str) -> None:
    shelf.suite()
    more = (
        'base = "sums-v0"\nunits = true\n[[program]]\nname = "odd"\ntitle = "Odd"\ndescription = "Odd."\n'
        f'domain = "test"\nlanguage = "C"\npackage = "sums"\nfiles = {files}\n'
    )
    assert named(derived(shelf, more)) == ["program"]


def test_a_base_that_does_not_exist_is_named(tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text('base = "nothing-v0"\n')
    with pytest.raises(InvalidDocument, match=r"suite\.toml: It cannot be read"):
        read_suite(tmp_path)


def test_a_suite_elsewhere_builds_on_one_of_the_repository(tmp_path: Path) -> None:
    folder = tmp_path / "mine-v0"
    folder.mkdir()
    (folder / "suite.toml").write_text(
        'schema = 1\nname = "mine-v0"\ntitle = "T"\ndescription = "D"\nlicence = "MIT"\n'
        'base = "kernels-v0"\nselect = ["quicksort"]\n'
    )
    assert [program.name for program in read_suite(folder).programs] == ["quicksort"]
