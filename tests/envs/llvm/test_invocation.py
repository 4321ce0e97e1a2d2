"""Tests of reading compilers' command lines."""

from __future__ import annotations

import pytest

from optarena.errors import InvalidInput
from optarena.llvm.making import is_command_line, parse, parse_flags, split


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
        ("gcc -D @flags a.c", "'-D @flags' is not allowed"),
        ("gcc -mthread-model -D -fplugin=x a.c", "'-D -fplugin=x' is not allowed"),
        ("gcc - a.c", "'-' is not allowed"),
        *(
            (f"gcc {option} a.c", f"'{option}' is not allowed")
            for option in (
                *("-fplugin=x.so", "-fpass-plugin=x.so", "-fplugin-arg-x-y", "-Xclang -load", "-mllvm"),
                *("-Xclang -plugin", "-mllvm=-load", "-B/tmp", "--config=x", "-wrapper", "-Xpreprocessor"),
                *("-ftime-trace=x", "-ftime-trace", "-foptimization-record-file=x", "-save-temps=obj"),
                *("-fsave-optimization-record", "-fproc-stat-report=x", "-fcrash-diagnostics-dir=x"),
                *("-module-dependency-dir", "-gen-cdb-fragment-path", "-fmodule-output=x", "-include-pch"),
                *("-serialize-diagnostics", "-fmodules-cache-path=x", "-Wp,-load", "-dependency-file"),
                *("--version", "-help", "--help", "-dM", "-print-targets", "-fsyntax-only", "-x ir"),
                *(
                    "-x assembler",
                    "-xcuda",
                    "-x c-header",
                    "-mcpu=help",
                    "--analyze",
                    "-cc1",
                    "--driver-mode=cl",
                ),
                *("-mtune=native", "-frecord-command-line", "-fdriver-only", "-specs=x", "-resource-dir=x"),
            )
        ),
        ("gcc '-###' a.c", "'-###' is not allowed"),
    ],
)
def test_what_cannot_be_taken_over_is_named(line: str, named: str) -> None:
    with pytest.raises(InvalidInput, match=named):
        parse(split(line))


@pytest.mark.parametrize(
    ("flags", "kept"),
    [
        ("-DA -D A=1 -UB -Iinc -isystem inc -std=c99 -O2 -W -Wall -Werror=vla -x c", True),
        ("-fno-builtin -fPIC -fwrapv -fvisibility=hidden -m32 -msse4.2 -march=x86-64-v3 -pedantic", True),
        ("-fsanitize-ignorelist=F", False),
        ("-fprofile-use=F", False),
        ("-fprofile-use", False),
        ("-include x.h", False),
        ("-g", False),
        ("-Wp,-DA=1 -Xclang -disable-O0-optnone --sysroot=/x", False),
    ],
)
def test_flags_that_name_further_files_are_told_apart(flags: str, kept: bool) -> None:  # noqa: FBT001 # data
    read = parse_flags(flags.split(), "copt")
    assert read.flags == tuple(flags.split())
    assert read.self_contained == kept


def test_what_asks_for_dependencies_and_output_is_left_out_of_flags_too() -> None:
    line = "-MD -MF a.d -MT x -MJ x -MMD -MFx -o a.o -c -Wl,-z,now -Wp,-MD,x -v"
    assert parse_flags(line.split(), "copt").flags == ()
