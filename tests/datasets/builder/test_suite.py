"""Reading suites: everything that is wrong, too large or dangerous is named, at once."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from datasets.builder.build import Workshop, build_suite
from datasets.builder.files import DatasetRefused
from datasets.builder.measuring import system_errors_refused, work_on
from datasets.builder.preprocessing import filled
from datasets.builder.suite import CHECKS, COLUMNS, PackagePath, Program, read_suite
from datasets.builder.toolchain import Processes
from datasets.models import Benchmark, DatasetVersion, Workload
from optarena import limits
from optarena.documents.places import SHOWN
from optarena.errors import InvalidDocument

if TYPE_CHECKING:
    from pathlib import Path

    from django.db.models import Model

    from tests.kit.packaged import Shelf


PROGRAM = "the table of the only program"
RUN = '[[program.workload]]\nname = "run0"'


def changed(folder: Path, *pairs: tuple[str, str]) -> Path:
    text = (folder / "suite.toml").read_text()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    (folder / "suite.toml").write_text(text)
    return folder


def found(folder: Path) -> list[tuple[str, str, str]]:
    """Field, message and value of each problem of a suite."""
    with pytest.raises(InvalidDocument) as caught:
        read_suite(folder)
    return [(problem.field, problem.message, problem.value) for problem in caught.value.problems]


def fields(folder: Path) -> list[str]:
    return [field for field, _, _ in found(folder)]


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
    ("old", "new", "field", "message"),
    [
        ('package = "sums"', 'package = "nothing"', "program[sums].package", ""),
        ('"src/gcd.c"', '"other:src/gcd.c"', "program[sums].files", ""),
        ('"src/gcd.c"', '"../src/gcd.c"', "program[sums].files", ""),
        ('include = ["include"]', 'include = ["/usr/include"]', "program[sums].include", ""),
        ("MIT OR Apache-2.0", "do what you like", "program[sums].licence", ""),
        ('split = "test"', 'split = "exam"', "program[sums].split", ""),
        ("https://example.org/sums", "javascript:alert(1)", "program[sums].upstream", ""),
        ('path = "config.h"', 'path = "../config.h"', "program[sums].header[0].path", ""),
        ("values = {", "value = {", "program[sums].header[0].value", ""),
        ('headers = "clib"', 'headers = "libc"', "toolchain.headers", ""),
        ("size_bytes = ", "size_bytes = -", "package[sums].size_bytes", ""),
        ('version = "1.0"', "version = 1.0", "package[sums].version", ""),
        ('driver = "drivers/sums.c"', 'driver = "drivers/none.c"', "program[sums].driver", ""),
        ("schema = 1", "schema = 1\nreleased = 'today'", "released", ""),
        ('name = "sums-v0"', 'name = "others-v0"', "name", ""),
        ('flags = ["-DMORE"]', 'flags = ["-DMORE\\u0000"]', "program[sums].flags", ""),
        ('flags = ["-DMORE"]', 'flags = [""]', "program[sums].flags", ""),
        ("args = ['x']", 'args = ["x\\u0000"]', "program[sums].workload[1].args", ""),
        ('name = "run1"', 'name = "run1"\nstdin = "\\u0000"', "program[sums].workload[1].stdin", ""),
        ('name = "run1"', 'name = "run1"\nfiles = {a = 5}', "program[sums].workload[1].files.a", ""),
        ('name = "run1"', 'name = "run1"\nfiles = {".." = "a"}', "program[sums].workload[1].files", ""),
        ('"src/gcd.c"]', '"src/gcd.c", "src/gcd.c"]', "program[sums].files", ""),
        ('path = "config.h"', 'path = "."', "program[sums].header[0].path", ""),
        ('path = "config.h"', 'path = "a/./b.h"', "program[sums].header[0].path", ""),
        ('path = "config.h"', 'path = "config.h"\ntext = ""', "program[sums].header[0].text", ""),
        ('template = "include/config.h.in"', 'text = ""', "program[sums].header[0].values", ""),
        ('archive = "sums-1.0.tar.gz"', 'archive = ".."', "package[sums].archive", ""),
        ('llvm = "22.1.8"', 'llvm = "21.1.8"', "toolchain.llvm", ""),
        ("--target=x86_64", "--target=aarch64", "toolchain.target", ""),
        ("schema = 1", 'schema = 1\nchange = [{version = "sums-v0", text = "First."}]', "change[0].date", ""),
        ('title = "Sums"', f'title = "{"T" * 201}"', "title", "The text has 201 characters; at most 200"),
        ('licence = "MIT"', f'licence = "{" OR ".join(["MIT"] * 15)}"', "licence", "has 101 characters"),
        ('domain = "arith', f'domain = "{"d" * 60}', "program[sums].domain", "characters; at most 60"),
        (
            'language = "C"',
            f'language = "{"C" * 41}"',
            "program[sums].language",
            "The text has 41 characters",
        ),
        ('name = "run0"', f'name = "{"r" * 81}"', "program[sums].workload[0].name", "at most 80"),
        ('name = "run0"', 'name = "a/b"', "program[sums].workload[0].name", "a name without / and"),
        ('name = "run0"', 'name = ".."', "program[sums].workload[0].name", "a name without / and"),
        ('name = "run0"', 'name = "a\\u001b[2J"', "program[sums].workload[0].name", "one line of printable"),
        ('name = "run0"', 'name = "a\\nb"', "program[sums].workload[0].name", "one line of printable"),
        ('title = "Sums"', 'title = "a\\u202eb"', "title", "one line of printable text"),
        ('description = "Adds."', 'description = "a\\u0007b"', "program[sums].description", "printable text"),
        ('tags = ["small"]', 'tags = ["a\\tb"]', "program[sums].tags", "one line of printable text"),
        ('name = "sums"\nversion', 'name = "a/b"\nversion', "package[a/b].name", "letters, digits"),
        ('version = "1.0"', 'version = "../1"', "package[sums].version", "a version, such as"),
        ('path = "config.h"', f'path = "{"ü" * 51}"', "program[sums].header[0].path", "each part of it 100"),
        ('path = "config.h"', f'path = "{"h/" * 100}x"', "program[sums].header[0].path", "200 bytes"),
        ("example.org/sums", "example.org/sums{x}", "program[sums].upstream", "begins with https://"),
        ('flags = ["-DMORE"]', 'flags = ["-DMORE", "-march=native"]', "program[sums].flags", "-march=native"),
        *(
            (
                RUN,
                f'[[program.header]]\npath = "{path}"\ntext = ""\n\n{RUN}',
                "program[sums].header[1].path",
                "",
            )
            for path in ("config.h", "config.h/more.h", "./config.h")
        ),
    ],
)
def test_each_bad_field_is_named(shelf: Shelf, old: str, new: str, field: str, message: str) -> None:
    told = {where: f"{said} {value}" for where, said, value in found(changed(shelf.suite(), (old, new)))}
    assert message in told[field]


def test_a_suite_takes_programs_of_its_base_under_its_own_name(shelf: Shelf) -> None:
    shelf.suite()
    suite = read_suite(derived(shelf, 'base = "sums-v0"\nselect = ["sums"]\nlevel = "O3"\n'))
    assert [program.name for program in suite.programs] == ["sums"]
    assert "-O3" in suite.toolchain.flags
    assert "-Oz" not in suite.toolchain.flags
    bad = derived(shelf, 'base = "sums-v0"\nselect = ["sums", "sums", "none"]\nlevel = "O9"\n')
    assert fields(bad) == ["select", "select", "level"]
    assert fields(derived(shelf, 'base = "sums-v0"\nselect = []\n')) == ["select"]
    elsewhere = derived(shelf, 'base = "kernels-v0"\nselect = ["quicksort"]\n', "mine-v0")
    assert [program.name for program in read_suite(elsewhere).programs] == ["quicksort"]


def derived(shelf: Shelf, more: str, name: str = "part-v0") -> Path:
    folder = shelf.suites / name
    folder.mkdir(exist_ok=True)
    (folder / "suite.toml").write_text(
        f'schema = 1\nname = "{name}"\ntitle = "T"\ndescription = "D"\nlicence = "MIT"\n{more}'
    )
    return folder


@pytest.mark.parametrize(
    ("old", "new", "field", "message"),
    [
        (
            '"src/squares.c"',
            '"../small-v0/src/squares.c"',
            "program[squares].source",
            "The path must be inside the suite's folder.",
        ),
        (PROGRAM, "", "program", "At least one [[program]] table is needed."),
        (PROGRAM, f"{PROGRAM}\n{PROGRAM}", "program", "The name is used twice."),
        (
            'name = "squares"',
            f'name = "{"s" * 151}"',
            f"program[{'s' * (SHOWN - 1)}…].name",
            "The text has 151 characters; at most 150 are allowed.",
        ),
    ],
)
def test_what_is_wrong_with_a_suite_is_all_that_is_said(
    small_suite: Path, old: str, new: str, field: str, message: str
) -> None:
    text = (small_suite / "suite.toml").read_text()
    program = text[text.index("[[program]]") :]
    pair = (old.replace(PROGRAM, program), new.replace(PROGRAM, program))
    assert [(where, said) for where, said, _ in found(changed(small_suite, pair))] == [(field, message)]


def test_suites_that_build_on_each_other_are_refused(shelf: Shelf) -> None:
    base = shelf.suite(head='base = "part-v0"\n')
    assert fields(derived(shelf, 'base = "sums-v0"\n')) == ["sums-v0: base"]
    assert fields(base) == ["part-v0: base"]
    assert fields(derived(shelf, 'base = "part-v0"\n')) == ["base"]
    changed(shelf.suite(), ("size_bytes = ", "size_bytes = -"))
    assert fields(derived(shelf, 'base = "sums-v0"\n')) == ["sums-v0: package[sums].size_bytes"]


@pytest.mark.parametrize("files", ['["src/a.c", "src/a.y"]', '["src/a b.c"]', '["src/a.c", "src/ü.c"]'])
def test_units_that_would_have_no_name_of_their_own_are_refused(shelf: Shelf, files: str) -> None:
    shelf.suite()
    more = (
        'base = "sums-v0"\nunits = true\n[[program]]\nname = "odd"\ntitle = "Odd"\ndescription = "Odd."\n'
        f'domain = "test"\nlanguage = "C"\npackage = "sums"\nfiles = {files}\n'
    )
    assert fields(derived(shelf, more)) == ["program"]


def test_limits_are_those_of_the_database() -> None:
    def most(model: type[Model], name: str) -> object:
        return getattr(model._meta.get_field(name), "max_length", None)

    assert {name: most(Benchmark, name) for name in COLUMNS} == COLUMNS
    assert {name: most(DatasetVersion, name) for name in ("title", "licence")}.items() <= COLUMNS.items()
    assert most(Workload, "name") == limits.WORKLOAD_NAME_LENGTH


@pytest.mark.parametrize("name", ["bitcode", "results"])
def test_a_program_at_an_address_of_the_servers_api(small_suite: Path, name: str) -> None:
    told = found(changed(small_suite, ('name = "squares"', f'name = "{name}"')))
    assert [(field, value) for field, _, value in told] == [(f"program[{name}].name", name)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = ", r"suite\.toml: The document is not TOML"),
        ('base = "nothing-v0"\n', r"suite\.toml: The file cannot be read"),
        ("a = " + "[" * 20_000 + "]" * 20_000, r"suite\.toml"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "suite.toml").write_text(text)
    with pytest.raises(InvalidDocument, match=said):
        read_suite(tmp_path)


def test_units_whose_names_or_titles_no_server_could_keep(shelf: Shelf) -> None:
    shelf.suite()
    more = (
        f'base = "sums-v0"\nunits = true\n[[program]]\nname = "odd"\ntitle = "{"T" * 198}"\n'
        'description = "Odd."\ndomain = "test"\nlanguage = "C"\npackage = "sums"\n'
        f'files = ["a/bitcode.c", "a/results.c", "a/b/{"c" * 145}.c"]\n'
    )
    assert [message for _, message, _ in found(derived(shelf, more))] == [
        "Servers use a translation unit's name for another address.",
        "A translation unit's title would have 207 characters; at most 200 can be stored.",
        "Servers use a translation unit's name for another address.",
        "A translation unit's title would have 207 characters; at most 200 can be stored.",
        "A translation unit's name would have 151 characters; at most 150 can be stored.",
        "A translation unit's title would have 345 characters; at most 200 can be stored.",
    ]


def test_texts_and_arguments_may_have_what_can_be_shown_and_given(shelf: Shelf) -> None:
    title = "Gr\u00f6\u00dfe\u00a05 \u6392\u5e8f"
    suite = read_suite(
        changed(
            shelf.suite(),
            ('title = "Sums"', f'title = "{title}"'),
            ('description = "Adds."', 'description = "Adds.\\nA lot."'),
            ("args = ['x']", 'args = ["a\\n\\u001b", ""]'),
            ('tags = ["small"]', f'tags = ["small"]\nunsanitized = {list(CHECKS)}'),
        )
    )
    assert suite.title == title
    assert suite.programs[0].description == "Adds.\nA lot."
    assert suite.programs[0].workloads[1].args == ("a\n\x1b", "")
    assert suite.programs[0].unsanitized == tuple(CHECKS)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["x" * 100_001], "An argument has 100001 bytes; it may have at most 100000."),
        (["ü" * 50_001], "An argument has 100002 bytes; it may have at most 100000."),
        (["x" * 99_999] * 10, "The arguments take 1000080 bytes, 9 for each beside its text"),
        ([""] * 111_112, "The arguments take 1000008 bytes"),
    ],
)
def test_more_arguments_than_a_program_can_be_given(shelf: Shelf, args: list[str], message: str) -> None:
    given = ", ".join(f'"{arg}"' for arg in args)
    ((field, said, value),) = found(changed(shelf.suite(), ("args = ['x']", f"args = [{given}]")))
    assert field == "program[sums].workload[1].args"
    assert message in said
    assert len(value) <= SHOWN


def test_all_such_texts_are_told_at_once_and_none_reaches_a_terminal(shelf: Shelf) -> None:
    folder = changed(
        shelf.suite(),
        ('title = "Sums"', 'title = "\\u001b[2J"\n"\\u001bc" = "\\u0007"'),
        ('name = "run1"', 'name = "\\u009b2J"'),
        ('domain = "arithmetic"', f'domain = "{"d" * 99}"'),
    )
    told = found(folder)
    assert [field for field, _, _ in told] == [
        "title",
        "program[sums].domain",
        "program[sums].workload[1].name",
        "\\x1bc",
    ]
    assert all(part.isprintable() for problem in told for part in problem)


@pytest.mark.parametrize("check", ["all", "undefined", "address", "shift,all", "", "anything", "Shift"])
def test_only_single_checks_can_be_left_out(shelf: Shelf, check: str) -> None:
    folder = changed(
        shelf.suite(), ('tags = ["small"]', f'tags = ["small"]\nunsanitized = ["shift", "{check}"]')
    )
    ((field, message, value),) = found(folder)
    assert field == "program[sums].unsanitized"
    assert not check or (value == check and all(known in message for known in CHECKS))


def test_what_the_system_refuses_of_one_program_is_told_beside_the_others(
    native: Workshop, tmp_path: Path, make_program: Callable[..., Program]
) -> None:
    long = replace(make_program("int main(void) { return 0; }", "long"), flags=("-DX=" + "x" * 200_000,))
    bad = make_program("int main(void) { return x; }", "bad")
    workshop = Workshop(replace(native.suite, programs=(long, bad)), tmp_path)
    with pytest.raises(DatasetRefused) as caught:
        build_suite(workshop, jobs=1)
    told = {refusal.program: refusal.reason for refusal in caught.value.refusals}
    assert told.keys() == {"long", "bad"}
    assert "Argument list too long" in told["long"]
    assert "it does not compile" in told["bad"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES])
def test_what_the_machine_lacks_ends_the_build(code: int) -> None:
    def fail(_: str) -> None:
        raise OSError(code, "no")

    with pytest.raises(OSError, match="no"):
        work_on(["one"], system_errors_refused(fail, str), processes=Processes(), jobs=1)


@pytest.mark.parametrize(
    ("template", "made"),
    [
        ("#define A @A@ @B@", "#define A 7 0"),
        ("#cmakedefine01 A", "#define A 7"),
        ("#cmakedefine01 B", "#define B 0"),
        ("  # cmakedefine A 5", "  # define A 5"),
        ("#cmakedefine B 5\nint x;", "/* #undef B */\nint x;"),
        ("#cmakedefine A @A@", "#define A 7"),
        ("mail@example.org", "mail@example.org"),
    ],
)
def test_a_template_is_filled_in(template: str, made: str) -> None:
    assert filled(template, {"A": "7"}) == made
