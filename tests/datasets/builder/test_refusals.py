"""What the builder refuses, each for its own reason, and that it says everything at once."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from datasets.builder.build import build_program, build_suite
from datasets.builder.files import DatasetRefused, ToolchainMissing
from datasets.builder.suite import Program, Suite
from datasets.builder.toolchain import Toolchain

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.builder.build import Workshop

MakeProgram = Callable[..., Program]

LOOP = """
static int work(int n)
{
    int total = 0, i;
    for (i = 0; i < n; i++)
        total += i * (i & 3 ? 2 : 5);
    return total;
}
"""

NONDETERMINISTIC = f"""
int printf(const char *, ...);
int getpid(void);
{LOOP}
int main(int argc, char **argv) {{ (void)argv; printf("%d %d\\n", work(argc), getpid()); return 0; }}
"""

# Comparing one byte is a call before, two loads, two extensions and a subtraction after.
GROWING = """
int printf(const char *, ...);
int getchar(void);
int memcmp(const void *, const void *, unsigned long);
static char a[16], b[16];
#define C(i) memcmp(a + i, b + i, 1)
int main(void)
{
    a[getchar() & 15] = 1;
    b[getchar() & 15] = 1;
    return printf("%d\\n", C(0) + C(1) + C(2) + C(3) + C(4) + C(5) + C(6) + C(7) + C(8)) < 0;
}
"""


def refusals(program: Program, workshop: Workshop) -> str:
    with pytest.raises(DatasetRefused) as caught:
        build_program(program, workshop)
    assert {refusal.program for refusal in caught.value.refusals} == {program.name}
    return str(caught.value)


def printing(body: str, declarations: str = "") -> str:
    return (
        f"int printf(const char *, ...);\n{declarations}\n{LOOP}"
        f'int main(int argc, char **argv) {{ (void)argv; printf("%d\\n", work(argc)); {body} }}\n'
    )


def test_output_that_changes_from_run_to_run(make_program: MakeProgram, native: Workshop) -> None:
    said = refusals(make_program(NONDETERMINISTIC), native)
    assert "workload run1: it is not deterministic: run again, it prints a different line 1" in said


@pytest.mark.parametrize(
    ("source", "named"),
    [
        (printing("return (int)(syscall(39) & 0);", "long syscall(long, ...);"), "syscall"),
        (printing('int a = 0; __asm__("cpuid" : "+a"(a) : : "rbx", "rcx", "rdx"); return a & 0;'), "cpuid"),
        (printing("return (int)(__builtin_readcyclecounter() & 0);"), "llvm.readcyclecounter"),
    ],
)
def test_a_program_that_asks_the_machine_itself(
    make_program: MakeProgram, workshop: Workshop, source: str, named: str
) -> None:
    said = refusals(make_program(source), workshop)
    assert f"queries the machine or the kernel directly ({named})" in said


@pytest.mark.parametrize(
    ("declarations", "expression"),
    [
        ("long time(long *);", "time(0) / 1000000"),
        (
            "struct t { long s, n; }; int clock_gettime(int, struct t *);",
            "(clock_gettime(1, &t), t.s / 100000)",
        ),
        (
            "struct t { long s, u; }; int gettimeofday(struct t *, void *);",
            "(gettimeofday(&t, 0), t.s >> 20)",
        ),
        ("long clock(void);", "(-clock() + clock()) / 1000000000"),
        ("int gethostname(char *, unsigned long);", "(gethostname(name, 64), name[1] * 256 + name[2])"),
        ("long sysconf(int);", "sysconf(84)"),
        ("unsigned getuid(void);", "getuid()"),
        ("int get_nprocs(void);", "get_nprocs()"),
        ("int sched_getaffinity(int, long, void *);", "(sched_getaffinity(0, 64, name), name[0])"),
        ("int sysinfo(void *);", "(sysinfo(text), *(long *)(text + 32))"),
        ("int uname(void *);", "(uname(text), text[195] * 256 + text[196])"),
        ("int getdomainname(char *, long);", "(getdomainname(name, 64), name[0])"),
        ("const char *gnu_get_libc_version(void);", "gnu_get_libc_version()[0]"),
        ("int ftime(void *);", "(ftime(text), *(long *)text / 86400)"),
    ],
)
def test_output_that_is_the_same_only_today_and_here(
    make_program: MakeProgram, native: Workshop, declarations: str, expression: str
) -> None:
    times = "static struct t t;" if "struct t" in declarations else ""
    body = f'printf("%ld\\n", (long)({expression})); return 0;'
    room = "static char name[64], text[400];"
    said = refusals(make_program(printing(body, f"{declarations} {times} {room}")), native)
    assert "workload run1: on another day and machine and at O0 it prints a different line 2" in said


def test_a_program_may_take_the_time_that_it_does_not_print(
    make_program: MakeProgram, native: Workshop
) -> None:
    body = "return clock() == -1 || time(0) == -1;"
    program = make_program(printing(body, "long clock(void); long time(long *);"))
    assert not build_program(program, native).evidence.problems


def test_a_program_may_leave_what_it_likes_where_it_runs(
    make_program: MakeProgram, native: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    declarations = "int mkdir(const char *, unsigned); int chdir(const char *); static int i;"
    nest = 'for (i = 0; i < 1100; i++) { mkdir("d", 0700); chdir("d"); }'
    program = make_program(printing(f"\n#ifndef __OPTIMIZE__\n{nest}\n#endif\nreturn 0;", declarations))
    program = replace(program, workloads=program.workloads[:1])
    assert not build_program(program, native).evidence.problems
    assert not list(tmp_path.glob("optarena-run-*"))


def test_a_program_that_oz_makes_no_smaller(make_program: MakeProgram, native: Workshop) -> None:
    assert re.search(
        r"Oz does not reduce the instructions: \d+ before", refusals(make_program(GROWING), native)
    )


@pytest.mark.parametrize(
    ("declaration", "body", "named"),
    [
        ("__attribute__((constructor)) static void f(void) {}", "return 0;", "a global constructor"),
        ("int atexit(void (*)(void)); static void f(void) {}", "return atexit(f);", "atexit"),
        ("static _Thread_local int t;", "return t++;", "a thread-local variable"),
        ("int nowhere_to_be_found(void);", "return nowhere_to_be_found();", "nowhere_to_be_found"),
    ],
)
def test_what_the_runner_cannot_run_is_named(
    make_program: MakeProgram, workshop: Workshop, declaration: str, body: str, named: str
) -> None:
    assert named in refusals(make_program(printing(body, declaration)), workshop)


def test_a_program_that_includes_a_header(make_program: MakeProgram, workshop: Workshop) -> None:
    said = refusals(make_program("#include <stddef.h>\n" + printing("return 0;")), workshop)
    assert "includes a header" in said


def test_a_program_that_does_not_compile(make_program: MakeProgram, workshop: Workshop) -> None:
    assert "it does not compile: sample.c:1:" in refusals(
        make_program("int main(void) { return x; }"), workshop
    )


def test_output_that_depends_on_the_level(make_program: MakeProgram, native: Workshop) -> None:
    body = '\n#ifdef __OPTIMIZE__\nprintf("fast\\n");\n#else\nprintf("slow\\n");\n#endif\nreturn 0;'
    said = refusals(make_program(printing(body)), native)
    assert "workload run1: at O2 and at O0 it prints a different line 2" in said


def test_an_exit_code_that_depends_on_the_level(make_program: MakeProgram, native: Workshop) -> None:
    said = refusals(make_program(printing("\n#ifdef __OPTIMIZE__\nreturn 1;\n#endif\nreturn 0;")), native)
    assert "ends with different exit codes (0 and 1)" in said


def test_undefined_behaviour(make_program: MakeProgram, native: Workshop) -> None:
    if native.toolchain.sanitizer is None:
        pytest.skip("No gcc with sanitizers here.")
    said = refusals(make_program(printing("return (0x7fffffff + argc) == 0;")), native)
    assert "under the sanitizers it writes to standard error" in said
    assert "signed integer overflow" in said


def test_a_program_that_crashes(make_program: MakeProgram, native: Workshop) -> None:
    said = refusals(make_program(printing("abort(); return 0;", "void abort(void);")), native)
    assert "is killed by signal 6" in said


def test_a_program_that_prints_nothing(make_program: MakeProgram, native: Workshop) -> None:
    said = refusals(
        make_program(LOOP + "int main(int argc, char **argv) { (void)argv; return work(argc); }"), native
    )
    assert "it prints nothing" in said


def test_every_reason_for_every_program_is_named(
    make_program: MakeProgram, suite: Suite, native: Workshop
) -> None:
    bad = replace(
        suite,
        programs=(
            make_program(NONDETERMINISTIC, "unsteady"),
            make_program(GROWING, "growing"),
            make_program("int main(void) { return x; }", "broken"),
        ),
    )
    with pytest.raises(DatasetRefused) as caught:
        build_suite(replace(native, suite=bad))
    assert {refusal.program for refusal in caught.value.refusals} == {"unsteady", "growing", "broken"}
    assert sum(refusal.program == "unsteady" for refusal in caught.value.refusals) == 3


def test_another_version_of_the_compiler(suite: Suite, workshop: Workshop) -> None:
    assert workshop.toolchain.spec == suite.toolchain
    with pytest.raises(ToolchainMissing, match=r"pinned to 21\.0\.0"):
        Toolchain(replace(suite.toolchain, clang="21.0.0"))
