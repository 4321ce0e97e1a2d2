"""What a later step could not take is refused when a suite is read, or of the one program that has it."""

from __future__ import annotations

import errno
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from datasets.builder.build import Workshop, build_suite
from datasets.builder.files import DatasetRefused
from datasets.builder.measuring import system_errors_refused, work_on
from datasets.builder.reading import CHECKS, read_suite
from datasets.builder.suite import COLUMNS
from datasets.builder.toolchain import Processes
from datasets.models import Benchmark, DatasetVersion, Workload
from optarena import limits
from optarena.documents.places import SHOWN
from optarena.errors import InvalidDocument

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from django.db.models import Model

    from datasets.builder.suite import Program
    from tests.kit.packaged import Shelf


def changed(shelf: Shelf, *pairs: tuple[str, str]) -> Path:
    """The suite ``sums-v0`` with some of its text replaced."""
    folder = shelf.suite()
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


def test_limits_are_those_of_the_database() -> None:
    def most(model: type[Model], name: str) -> object:
        return getattr(model._meta.get_field(name), "max_length", None)

    assert {name: most(Benchmark, name) for name in COLUMNS} == COLUMNS
    assert {name: most(DatasetVersion, name) for name in ("title", "licence")}.items() <= COLUMNS.items()
    assert most(Workload, "name") == limits.WORKLOAD_NAME_LENGTH


@pytest.mark.parametrize(
    ("old", "new", "field", "message"),
    [
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
    ],
)
def test_a_text_that_no_server_could_keep_or_show(
    shelf: Shelf, old: str, new: str, field: str, message: str
) -> None:
    told = {where: said for where, said, _ in found(changed(shelf, (old, new)))}
    assert message in told[field]


@pytest.mark.parametrize("name", ["bitcode", "results"])
def test_a_program_at_an_address_of_the_servers_api(small_suite: Path, name: str) -> None:
    file = small_suite / "suite.toml"
    file.write_text(file.read_text().replace('name = "squares"', f'name = "{name}"'))
    assert [(field, value) for field, _, value in found(small_suite)] == [(f"program[{name}].name", name)]


def test_a_program_whose_name_no_server_could_keep(small_suite: Path) -> None:
    file = small_suite / "suite.toml"
    text = file.read_text()
    file.write_text(text.replace('name = "squares"', f'name = "{"s" * 151}"'))
    (one,) = found(small_suite)
    assert one[1] == "The text has 151 characters; at most 150 are allowed."


def test_units_whose_names_or_titles_no_server_could_keep(shelf: Shelf) -> None:
    shelf.suite()
    folder = shelf.suites / "part-v0"
    folder.mkdir()
    (folder / "suite.toml").write_text(
        'schema = 1\nname = "part-v0"\ntitle = "T"\ndescription = "D"\nlicence = "MIT"\nbase = "sums-v0"\n'
        f'units = true\n[[program]]\nname = "odd"\ntitle = "{"T" * 198}"\ndescription = "Odd."\n'
        'domain = "test"\nlanguage = "C"\npackage = "sums"\n'
        f'files = ["a/bitcode.c", "a/results.c", "a/b/{"c" * 145}.c"]\n'
    )
    told = [message for _, message, _ in found(folder)]
    assert told == [
        "Servers use a translation unit's name for another address.",
        "A translation unit's title would have 207 characters; at most 200 can be stored.",
        "Servers use a translation unit's name for another address.",
        "A translation unit's title would have 207 characters; at most 200 can be stored.",
        "A translation unit's name would have 151 characters; at most 150 can be stored.",
        "A translation unit's title would have 345 characters; at most 200 can be stored.",
    ]


def test_a_description_may_have_several_lines(shelf: Shelf) -> None:
    suite = read_suite(changed(shelf, ('description = "Adds."', 'description = "Adds.\\nA lot."')))
    assert suite.programs[0].description == "Adds.\nA lot."


def test_a_title_may_have_any_letters(shelf: Shelf) -> None:
    title = "Gr\u00f6\u00dfe\u00a05 \u6392\u5e8f"
    assert read_suite(changed(shelf, ('title = "Sums"', f'title = "{title}"'))).title == title


def test_arguments_may_have_any_character_but_nul(shelf: Shelf) -> None:
    suite = read_suite(changed(shelf, ("args = ['x']", 'args = ["a\\n\\u001b", ""]')))
    assert suite.programs[0].workloads[1].args == ("a\n\x1b", "")


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
    ((field, said, value),) = found(changed(shelf, ("args = ['x']", f"args = [{given}]")))
    assert field == "program[sums].workload[1].args"
    assert message in said
    assert len(value) <= SHOWN


def test_all_such_texts_are_told_at_once_and_none_reaches_a_terminal(shelf: Shelf) -> None:
    folder = changed(
        shelf,
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
    folder = changed(shelf, ('tags = ["small"]', f'tags = ["small"]\nunsanitized = ["shift", "{check}"]'))
    ((field, message, value),) = found(folder)
    assert field == "program[sums].unsanitized"
    assert not check or (value == check and all(known in message for known in CHECKS))


@pytest.mark.parametrize("check", CHECKS)
def test_every_single_check_can_be_left_out(shelf: Shelf, check: str) -> None:
    folder = changed(shelf, ('tags = ["small"]', f'tags = ["small"]\nunsanitized = ["{check}"]'))
    assert read_suite(folder).programs[0].unsanitized == (check,)


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


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EMFILE])
def test_what_the_machine_lacks_ends_the_build(code: int) -> None:
    def fail(_: str) -> None:
        raise OSError(code, "no")

    with pytest.raises(OSError, match="no"):
        work_on(["one"], system_errors_refused(fail, str), processes=Processes(), jobs=1)
