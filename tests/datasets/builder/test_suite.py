"""Reading suites: everything that is wrong is named, at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from datasets.builder.reading import read_suite
from datasets.builder.suite import PackagePath
from optarena.errors import InvalidDocument

if TYPE_CHECKING:
    from pathlib import Path

    from tests.datasets.builder.packaged import Shelf


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
    with pytest.raises(InvalidDocument, match=r"suite\.toml: It cannot be read"):
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


def test_a_base_that_does_not_exist_is_named(tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text('base = "nothing-v0"\n')
    with pytest.raises(InvalidDocument, match=r"suite\.toml: It cannot be read"):
        read_suite(tmp_path)
