"""Tests of reading compilers' command lines."""

from __future__ import annotations

import pytest

from optarena.errors import InvalidInput
from optarena.llvm.invocation import is_command_line, parse, split


@pytest.mark.parametrize(
    "name", ["cc", "gcc", "g++", "clang", "clang++-22", "gcc-12", "/usr/bin/x86_64-linux-gnu-gcc", "c99"]
)
def test_compilers_are_known_by_name(name: str) -> None:
    assert is_command_line([name, "a.c"])
    assert not is_command_line([name])


@pytest.mark.parametrize("name", ["a.c", "make", "gccfoo", "./cc.c"])
def test_other_words_are_no_compiler(name: str) -> None:
    assert not is_command_line([name, "b.c"])


def test_what_says_how_sources_are_read_is_kept_and_output_is_left_out() -> None:
    line = (
        "gcc -DFOO=1 -D BAR -I inc -std=c99 -O2 -include x.h -c a.c -o a.o -lm -L /lib -Wl,-z,now -shared "
        "-MMD -MF a.d -g lib/b.c -Xlinker -v -flto -pthread"
    )
    read = parse(split(line))
    assert read.inputs == ("a.c", "lib/b.c")
    kept = "-DFOO=1 -D BAR -I inc -std=c99 -O2 -include x.h -g"
    assert read.flags == tuple(kept.split())


def test_a_cxx_compiler_reads_every_source_as_cxx() -> None:
    assert parse(["g++", "a.c"]).flags == ("-x", "c++")


def test_text_that_is_no_command_line_is_one_path() -> None:
    assert split("my programs/a.c") == ["my programs/a.c"]
    assert split("it's.c") == ["it's.c"]


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("gcc -O2", "names no source"),
        ("gcc a.o", "'a.o' is neither a source nor LLVM IR"),
        ("gcc @flags a.c", "@flags"),
        ("gcc -march=native a.c", "-march=native"),
        ("gcc a.c -I", "-I lacks its value"),
        ("gcc 'a.c", "No closing quotation"),
    ],
)
def test_what_cannot_be_taken_over_is_named(line: str, named: str) -> None:
    with pytest.raises(InvalidInput, match=named):
        parse(split(line))
