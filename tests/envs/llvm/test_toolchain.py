"""Finding and running a linker and a compiler, and reading compilers' command lines."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from optarena.errors import InfrastructureFault, InvalidInput, ToolMissing
from optarena.llvm import toolchain
from optarena.llvm.making import is_command_line, parse, parse_flags, split
from optarena.llvm.module import Module
from optarena.llvm.toolchain import DoesNotLink, find_clang, find_linker, run
from optarena.machine_code import elf
from tests.kit.processes import wait_until

HEADER = 'target triple = "x86_64-unknown-linux-gnu"\n'
PROGRAM = "define i32 @main() {\n  ret i32 0\n}\n"


def test_what_a_program_prints_and_its_code_come_back(tmp_path: Path) -> None:
    ended = run(
        ["/bin/sh", "-c", "echo out; echo x.c:1: error: bad >&2; exit 3"], folder=tmp_path, seconds=20
    )
    assert (ended.code, ended.problem) == (3, "x.c:1: error: bad")
    assert "out" in ended.said
    assert not list(tmp_path.iterdir())


def test_a_program_gets_none_of_our_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_TOKEN", "secret")
    said = run(["/usr/bin/env"], folder=tmp_path, seconds=20).said
    assert "PATH=" in said
    assert "secret" not in said


def test_a_program_that_takes_too_long_ends_with_what_it_has_started(tmp_path: Path) -> None:
    script = "sleep 600 & echo $! > child; wait"
    with pytest.raises(TimeoutError, match=r"sh needed more than 0\.5 s"):
        run(["/bin/sh", "-c", script], folder=tmp_path, seconds=0.5)
    child = Path("/proc", (tmp_path / "child").read_text().strip(), "stat")
    wait_until(lambda: not child.exists() or child.read_text().split()[2] == "Z")


def test_much_output_is_cut(tmp_path: Path) -> None:
    ended = run(["/bin/sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x"], folder=tmp_path, seconds=20)
    assert (ended.code, len(ended.said)) == (0, 64_000)
    assert len(ended.problem) <= 1000


def test_the_linker_makes_the_same_executable_each_time(tmp_path: Path) -> None:
    with Module.parse(f"{HEADER}{PROGRAM}".encode()) as module:
        code = module.object_code()
    linker = find_linker()
    (another := tmp_path / "another").mkdir()
    made = [linker.link(code, folder) for folder in (tmp_path, another)]
    assert made[0] == made[1], "it depends neither on the run nor on the folder"
    assert elf.section_bytes(made[0], ".text") > elf.section_bytes(code, ".text") > 0
    assert elf.section_bytes(made[0], ".no-such-section") == 0
    assert list(tmp_path.rglob("*")) == [another]


def test_what_does_not_link_is_told_with_the_name(tmp_path: Path) -> None:
    call = "declare void @nowhere()\ndefine i32 @main() {\n  call void @nowhere()\n  ret i32 0\n}\n"
    with Module.parse(f"{HEADER}{call}".encode()) as module, pytest.raises(DoesNotLink, match="nowhere"):
        find_linker().link(module.object_code(), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_linker_can_be_named_by_a_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPTARENA_LINKER", "/bin/false")
    assert find_linker().command == ("/bin/false",)
    with pytest.raises(DoesNotLink, match="exit code 1"):
        find_linker().link(b"", tmp_path)
    monkeypatch.setenv("OPTARENA_LINKER", str(tmp_path / "none"))
    with pytest.raises(ToolMissing, match=r"\$OPTARENA_LINKER names .*none.*apt-get install gcc libc6-dev"):
        find_linker()


def test_clang_is_found_where_it_is_named(clang: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_clang(clang) == clang
    monkeypatch.setenv("OPTARENA_CLANG", str(clang))
    assert find_clang() == clang
    monkeypatch.delenv("OPTARENA_CLANG")
    assert find_clang().parent == clang.parent


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("echo clang version 14.0.6", r"is clang 14.0.6, but programs are made with clang 22"),
        ("echo gcc 12", "is gcc 12, but programs are made with clang 22"),
        ("exit 1", "is not clang"),
    ],
)
def test_another_compiler_is_refused_by_its_version(script: str, told: str, tmp_path: Path) -> None:
    program = tmp_path / "clang"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    with pytest.raises(ToolMissing, match=told):
        find_clang(program)


def test_a_machine_without_room_is_not_a_wrong_clang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    program = tmp_path / "clang"
    program.write_text("#!/bin/sh\necho clang version 22.1.8\n")
    program.chmod(0o755)
    with monkeypatch.context() as patched:
        patched.setattr(toolchain, "run", full)
        with pytest.raises(InfrastructureFault, match=r"clang cannot be started: .*many open.*Try again"):
            find_clang(program)
    assert find_clang(program) == program


def test_a_missing_clang_is_told_with_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(ToolMissing, match=r"clang names .*nothing.*pip install 'optarena\[build\]'"):
        find_clang(tmp_path / "nothing")


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
        ("gcc a.a", "'a.a' is neither a source nor LLVM IR"),
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
    "option",
    [
        *(
            "-fprofile-instr-generate",
            "-fprofile-generate=x",
            "-fcs-profile-generate",
            "-fprofile-arcs",
            "--coverage",
        ),
        *("-ftest-coverage", "-fcoverage-mapping", "-pg", "-p", "-finstrument-functions-after-inlining"),
        *("-fsanitize=address", "-fsanitize=undefined,thread", "-fsanitize=bounds", "-fsanitize=safe-stack"),
        *("-fsanitize-coverage=trace-pc-guard", "-fmemory-profile", "-fxray-instrument", "-fsplit-stack"),
        *("-fprofile-sample-use=p", "-fauto-profile=p"),
    ],
)
def test_what_needs_passes_or_a_library_of_clangs_own_is_told(option: str) -> None:
    with pytest.raises(
        InvalidInput, match=f"'{option}' is not allowed.*run-time library.*-fsanitize-trap=all"
    ):
        parse_flags([option], "copt")


@pytest.mark.parametrize(
    "flags",
    [
        *(
            "-fsanitize=undefined",
            "-fsanitize=undefined-trap",
            "-fprofile-instr-use=p",
            "-fsanitize=null,shift-base,implicit-conversion -fsanitize-trap=all",
        ),
        *(
            "-fno-sanitize=address",
            "-fno-profile-generate",
            "-fprofile-update=atomic",
            "-fstack-protector-all",
        ),
        *("-fsanitize=kcfi", "-fcf-protection=full", "-fpatchable-function-entry=2"),
    ],
)
def test_checks_that_no_pass_adds_are_allowed(flags: str) -> None:
    assert parse_flags(flags.split(), "copt").flags == tuple(flags.split())


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
