"""What the builder refuses, each for its own reason, and what it starts and ends."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from datasets.builder.build import Workshop, build_program, build_suite
from datasets.builder.files import DatasetRefused, ToolchainMissing
from datasets.builder.measuring import work_on
from datasets.builder.suite import Program, Suite
from datasets.builder.toolchain import Processes, Stopped, Toolchain
from tests.kit.examples import slow
from tests.kit.folders import ROOT

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

ENDLESS = """
int printf(const char *, ...);
int main(int argc, char **argv) { (void)argv; for (;;) printf("again %d\\n", argc); return 0; }
"""
DIRECTLY = "queries the machine or the kernel directly"

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
        build_program(replace(program, workloads=program.workloads[:1]), workshop)
    assert {refusal.program for refusal in caught.value.refusals} == {program.name}
    return str(caught.value)


def printing(body: str, declarations: str = "") -> str:
    return (
        f"int printf(const char *, ...);\n{declarations}\n{LOOP}"
        f'int main(int argc, char **argv) {{ (void)argv; printf("%d\\n", work(argc)); {body} }}\n'
    )


@pytest.mark.parametrize(
    ("source", "named"),
    [
        (printing("return (int)(syscall(39) & 0);", "long syscall(long, ...);"), f"{DIRECTLY} (syscall)"),
        (
            printing('int a = 0; __asm__("cpuid" : "+a"(a) : : "rbx", "rcx", "rdx"); return a & 0;'),
            f"{DIRECTLY} (cpuid)",
        ),
        (printing("return (int)(__builtin_readcyclecounter() & 0);"), f"{DIRECTLY} (llvm.readcyclecounter)"),
        (printing("return on_exit(0, 0);", "int on_exit(void *, void *);"), "on_exit"),
        (
            printing("return nowhere_to_be_found();", "int nowhere_to_be_found(void);"),
            "nowhere_to_be_found",
        ),
        ("#include <stddef.h>\n" + printing("return 0;"), "includes a header"),
        ("int main(void) { return x; }", "it does not compile: sample.c:1:"),
    ],
)
def test_what_is_refused_before_it_runs(
    make_program: MakeProgram, workshop: Workshop, source: str, named: str
) -> None:
    assert named in refusals(make_program(source), workshop)


@pytest.mark.parametrize(
    ("source", "named"),
    [
        (
            NONDETERMINISTIC,
            "workload run1: it is not deterministic: run again, it prints a different line 1",
        ),
        (GROWING, r"Oz does not reduce the instructions: \d+ before"),
        (
            printing(
                '\n#ifdef __OPTIMIZE__\nprintf("fast\\n");\n#else\nprintf("slow\\n");\n#endif\nreturn 0;'
            ),
            "workload run1: at O2 and at O0 it prints a different line 2",
        ),
        (
            printing("\n#ifdef __OPTIMIZE__\nreturn 1;\n#endif\nreturn 0;"),
            r"ends with different exit codes \(0 and 1\)",
        ),
        (printing("abort(); return 0;", "void abort(void);"), "is killed by signal 6"),
        (LOOP + "int main(int argc, char **argv) { (void)argv; return work(argc); }", "it prints nothing"),
        (ENDLESS, "workload run1: at O0 it prints 1000000 bytes or more"),
    ],
)
def test_what_is_refused_because_of_what_it_does(
    make_program: MakeProgram, native: Workshop, source: str, named: str
) -> None:
    assert re.search(named, refusals(make_program(source), native))


@pytest.mark.parametrize(
    ("declarations", "expression"),
    [
        ("long time(long *);", "time(0) / 1000000"),
        ("int gethostname(char *, unsigned long);", "(gethostname(name, 64), name[1] * 256 + name[2])"),
        *slow(
            (
                (
                    "struct t { long s, n; }; int clock_gettime(int, struct t *);",
                    "(clock_gettime(1, &t), t.s / 100000)",
                ),
                (
                    "struct t { long s, u; }; int gettimeofday(struct t *, void *);",
                    "(gettimeofday(&t, 0), t.s >> 20)",
                ),
                ("long clock(void);", "(-clock() + clock()) / 1000000000"),
                ("unsigned getuid(void);", "getuid()"),
                ("long sysconf(int);", "sysconf(84)"),
                ("int get_nprocs(void);", "get_nprocs()"),
                ("int sched_getaffinity(int, long, void *);", "(sched_getaffinity(0, 64, name), name[0])"),
                ("int sysinfo(void *);", "(sysinfo(text), *(long *)(text + 32))"),
                ("int uname(void *);", "(uname(text), text[195] * 256 + text[196])"),
                ("int getdomainname(char *, long);", "(getdomainname(name, 64), name[0])"),
                ("const char *gnu_get_libc_version(void);", "gnu_get_libc_version()[0]"),
                ("int ftime(void *);", "(ftime(text), *(long *)text / 86400)"),
            )
        ),
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
    program = replace(program, workloads=program.workloads[:1])
    assert not build_program(program, native).evidence.problems


@pytest.mark.soak
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


def test_undefined_behaviour(make_program: MakeProgram, native: Workshop) -> None:
    if native.toolchain.sanitizer is None:
        pytest.skip("No gcc with sanitizers here.")
    said = refusals(make_program(printing("return (0x7fffffff + argc) == 0;")), native)
    assert "under the sanitizers it writes to standard error" in said
    assert "signed integer overflow" in said


@pytest.mark.soak
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


def alive(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def ended(pid: int) -> bool:
    deadline = time.monotonic() + 60
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(pid)


def child_of(file: Path) -> int:
    """The number that a shell wrote of what it started."""
    deadline = time.monotonic() + 60
    while not (file.exists() and file.read_text().endswith("\n")) and time.monotonic() < deadline:
        time.sleep(0.02)
    return int(file.read_text())


def test_what_takes_too_long_is_killed_with_all_that_it_started(tmp_path: Path) -> None:
    script = "sleep 300 & echo $! > child; wait"
    with pytest.raises(TimeoutError, match=r"more than 0\.5 s"):
        Processes().run(["/bin/sh", "-c", script], cwd=tmp_path, seconds=0.5, env={"PATH": os.defpath})
    assert ended(child_of(tmp_path / "child"))


def test_what_a_program_leaves_running_is_killed(tmp_path: Path) -> None:
    script = "sleep 300 & echo $! > child"
    Processes().run(["/bin/sh", "-c", script], cwd=tmp_path, seconds=9, env={"PATH": os.defpath})
    assert ended(child_of(tmp_path / "child"))


def test_stopping_kills_what_runs_and_starts_nothing_more(tmp_path: Path) -> None:
    processes = Processes()
    found: list[BaseException] = []

    def work() -> None:
        script = "sleep 300 & echo $! > child; wait"
        try:
            processes.run(["/bin/sh", "-c", script], cwd=tmp_path, seconds=99, env={"PATH": os.defpath})
        except Stopped as error:
            found.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    child = child_of(tmp_path / "child")
    processes.stop()
    thread.join(60)
    assert len(found) == 1
    assert ended(child)
    with pytest.raises(Stopped):
        processes.run(["/bin/true"], cwd=tmp_path, seconds=1, env={})


def test_a_program_sees_nothing_of_this_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CPATH", str(tmp_path))
    done = Processes().run_tool(["/usr/bin/env"], cwd=tmp_path, seconds=9, memory_bytes=1 << 30)
    names = {line.partition("=")[0] for line in done.stdout.decode().splitlines()}
    assert names == {"PATH", "LC_ALL", "TZ", "SOURCE_DATE_EPOCH", "TMPDIR"}


def test_a_program_reads_what_it_is_given_and_its_time_is_taken(tmp_path: Path) -> None:
    done = Processes().run(["/bin/cat"], cwd=tmp_path, seconds=9, env={}, stdin=b"abc")
    assert (done.code, done.stdout, done.stderr) == (0, b"abc", b"")
    assert 0 < done.seconds < 9


def test_a_program_that_prints_without_end_is_ended(tmp_path: Path) -> None:
    start = time.monotonic()
    done = Processes().run(["/usr/bin/yes"], cwd=tmp_path, seconds=60, env={}, file_bytes=10_000)
    assert done.code == -signal.SIGXFSZ
    assert len(done.stdout) == 10_000
    assert time.monotonic() - start < 30


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_an_error_ends_the_work_at_once(error: type[BaseException], tmp_path: Path) -> None:
    """What has begun is killed, what has not is never begun, and neither is told as an outcome."""
    processes = Processes()
    begun, told = [], []

    def work(number: int) -> int:
        begun.append(number)
        if number:
            processes.run(["/bin/sleep", "300"], cwd=tmp_path, seconds=300, env={})
        return number

    def on_done(number: int, seconds: float) -> None:
        told.append((number, seconds > 0))
        raise error("stop")

    start = time.monotonic()
    with pytest.raises(error, match="stop"):
        work_on(range(20), work, processes=processes, jobs=2, on_done=on_done)
    assert time.monotonic() - start < 30
    assert told == [(0, True)]
    assert len(begun) <= 3


@pytest.mark.soak
def test_an_interrupt_of_a_build_is_no_refusal(
    make_program: Callable[..., Program], native: Workshop
) -> None:
    programs = tuple(make_program(ENDLESS, f"endless{n}") for n in range(30))
    suite = replace(native.suite, programs=programs)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        build_suite(replace(native, suite=suite), jobs=2, on_program=interrupted)
    assert time.monotonic() - start < 30


@pytest.mark.soak
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_command_and_its_programs(
    small_suite: Path, native: Workshop, tmp_path: Path, kind: signal.Signals
) -> None:
    """A workload that runs for long is told by the file that it makes; it must not outlive the command."""
    assert native.toolchain.spec.clang
    marker = tmp_path / "pid"
    (small_suite / "src/squares.c").write_text(
        "int getpid(void); int sleep(unsigned); void *fopen(const char *, const char *);"
        "int fprintf(void *, const char *, ...); int fclose(void *); int printf(const char *, ...);\n"
        "static int work(int n) { int t = 0, i; for (i = 0; i < n; i++) t += i * (i & 3); return t; }\n"
        f'int main(int argc, char **argv) {{ void *f = fopen("{marker}", "w"); (void)argv;'
        ' fprintf(f, "%d\\n", getpid()); fclose(f); sleep(300); printf("%d\\n", work(argc)); return 0; }\n'
    )
    command = [sys.executable, "manage.py", "build_dataset", str(small_suite)]
    folders = ["--cache", str(tmp_path / "cache"), "--output", str(tmp_path / "out")]
    with subprocess.Popen(
        [*command, *folders], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as build:
        try:
            for _ in range(600):
                if marker.exists() or build.poll() is not None:
                    break
                time.sleep(0.1)
            program = child_of(marker)
            build.send_signal(kind)
            _, said = build.communicate(timeout=30)
        finally:
            build.kill()
    assert ended(program)
    assert b"squares: " not in said
    assert said.decode().splitlines()[-1] == "CommandError: interrupted; start the command again to go on"
    assert b"Traceback" not in said
    assert build.returncode == 130
    assert not (tmp_path / "out").exists()
