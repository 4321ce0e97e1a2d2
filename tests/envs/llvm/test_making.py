"""Tests of making benchmarks of sources, LLVM IR and command lines."""

from __future__ import annotations

import pickle
import re
import shutil
import subprocess
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from optarena import paths
from optarena.datasets import Workload, datasets
from optarena.errors import InfrastructureFault, InvalidInput, ToolMissing, UnknownName
from optarena.llvm import make_benchmark
from optarena.llvm.actions import CURATED
from optarena.llvm.env import LlvmEnv
from optarena.llvm.linking import Part, link
from optarena.llvm.module import Module

MAIN = """#include <stdio.h>
int helper(int);
int main(int argc, char **argv) {
  printf("%d %s\\n", helper(argc), __FILE__);
  return ANSWER;
}
"""
HELPER = "int helper(int x) { int s = 0; for (int i = 0; i < 100; i++) s += i * x; return s; }\n"
CXX = "template <typename T> T twice(T x) { return x + x; }\nint main() { return twice(21); }\n"
HEADER = 'target triple = "x86_64-unknown-linux-gnu"\n'
IR = f"{HEADER}define i32 @helper(i32 %x) {{\n  ret i32 %x\n}}\n"
ODD = """#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <sys/stat.h>
__attribute__((noinline)) static int larger(int x) { return x + 1 > x; }
"""
READING = """#include <dirent.h>
#include <stdio.h>
int main(int count, char **words) {
  for (int i = 1; i < count; i++) {
    FILE *file = fopen(words[i], "r");
    if (!file) { perror(words[i]); return 3; }
    for (int c; (c = fgetc(file)) != EOF;) putchar(c);
  }
  FILE *made = fopen("made.txt", "w"), *changed = fopen("b.bin", "r+"), *other = fopen("/etc/passwd", "r");
  printf("written %d %d, others %d, folder %d\\n", made != 0, changed != 0, other != 0, opendir("data") != 0);
  return 0;
}
"""
MARKS = {"safestack": "-fsanitize=safe-stack", "split-stack": "-fsplit-stack"}
MACHINE_CODE = b"\x7fELF\x02\x01" + bytes(58)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPTARENA_CACHE", str(tmp_path / "cache"))
    files = {"main.c": MAIN, "helper.c": HELPER, "twice.cpp": CXX, "helper.ll": IR}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture(scope="module")
def env() -> Iterator[LlvmEnv]:
    made = gymnasium.make("optarena/llvm-v0").unwrapped
    assert isinstance(made, LlvmEnv)
    with made:
        yield made


def names(data: bytes) -> list[str]:
    with Module.parse(data) as module:
        return module.function_names()


def test_a_command_line_makes_a_runnable_benchmark(env: LlvmEnv) -> None:
    line = ["gcc", "-DANSWER=3", "-O2", "-o", "program", "main.c", "helper.c", "-lm"]
    given = [Workload(name="default"), Workload(name="two", args=("x",))]
    benchmark = env.make_benchmark(line, workloads=given, record_workloads=True)
    recorded = [(one.expected_stdout, one.exit_code) for one in benchmark.workloads]
    assert recorded == [(b"4950 main.c\n", 3), (b"9900 main.c\n", 3)]
    assert benchmark.uri.startswith("benchmark://user-v0/program-")
    env.reset(options={"benchmark": benchmark})
    assert env.observation["IsRunnable"] == 1
    env.multistep(range(10))
    result = env.validate()
    assert result.ok, str(result)
    again = env.apply(env.state)
    assert not again[2]
    assert env.benchmark is benchmark


def test_a_command_line_as_text_is_the_same() -> None:
    line = "cc -DANSWER=3 main.c helper.c -o x"
    assert make_benchmark(line).sha256 == make_benchmark(line.split()).sha256


def test_a_program_with_main_keeps_nothing_else_visible() -> None:
    benchmark = make_benchmark(["main.c", "helper.c"], copt=["-DANSWER=0"])
    with Module.parse(benchmark.program()) as module:
        text = module.text()
    assert "define internal i32 @helper" in text
    assert "minsize" in text
    assert "optnone" not in text
    assert 'source_filename = "program"' in text


def test_the_level_is_the_users(folder: Path) -> None:
    for level, has in (("-O0", "noinline"), ("-O3", "nounwind"), ("-Oz", "minsize")):
        with Module.parse(make_benchmark("helper.c", copt=[level]).program()) as module:
            text = module.text()
        assert "optnone" not in text
        assert "alloca" in text
        assert has in text
        assert ("minsize" in text) == (level == "-Oz")


def test_sources_and_ir_are_linked_to_one_module(folder: Path) -> None:
    with Module.parse(IR.encode()) as module:
        (folder / "other.bc").write_bytes(module.bitcode())
    for other in ("helper.ll", folder / "other.bc"):
        benchmark = make_benchmark([folder / "main.c", other], copt=["-DANSWER=0"])
        assert names(benchmark.program()) == ["main", "helper"]


def test_a_library_stays_as_it_is() -> None:
    assert names(make_benchmark("helper.c").program()) == ["helper"]
    assert make_benchmark("helper.c").language == "C"
    assert make_benchmark("helper.ll").language == ""


def test_cxx_is_compiled_as_cxx() -> None:
    benchmark = make_benchmark(Path("twice.cpp"), workloads=[Workload(name="default")], record_workloads=True)
    assert benchmark.workloads[0].exit_code == 42
    assert benchmark.language == "C++"


def test_equal_programs_have_equal_uris_wherever_they_lie(folder: Path) -> None:
    first = make_benchmark("helper.c")
    (folder / "deep").mkdir()
    (folder / "deep/helper.c").write_text(HELPER)
    assert make_benchmark(folder / "deep/helper.c").uri == first.uri
    assert first.uri == f"benchmark://user-v0/helper-{first.sha256[:12]}"
    assert datasets().benchmark(first.uri).program() == first.program()
    assert make_benchmark("helper.c", name="mine").name.startswith("mine-")
    assert pickle.loads(pickle.dumps(first)).program() == first.program()  # noqa: S301 # our own


def test_a_benchmark_of_another_process_is_not_known() -> None:
    with pytest.raises(UnknownName, match=r"not made by make_benchmark\(\) in this process"):
        datasets().benchmark("benchmark://user-v0/helper-000000000000")


def test_what_was_compiled_is_kept_until_anything_changes(folder: Path) -> None:
    kept = folder / "cache/bitcode"
    first = make_benchmark("helper.c")
    assert make_benchmark("helper.c").sha256 == first.sha256
    assert len(list(kept.iterdir())) == 1
    (folder / "helper.c").write_text(HELPER.replace("100", "200"))
    assert make_benchmark("helper.c").sha256 != first.sha256
    make_benchmark("helper.c", copt=["-O1"])
    assert len(list(kept.iterdir())) == 3
    assert kept.stat().st_mode & 0o777 == 0o700
    for file in kept.iterdir():
        file.unlink()
    kept.rmdir()
    assert make_benchmark("helper.c", copt=["-O1"]).size_bytes > 0


def test_what_flags_make_of_other_files_is_not_kept(folder: Path) -> None:
    flags = ["-fsanitize=signed-integer-overflow", "-fsanitize-trap=all", "-fsanitize-ignorelist=ignored"]
    (folder / "ignored").write_text("")
    first = make_benchmark("helper.c", copt=flags)
    (folder / "ignored").write_text("src:*\n")
    second = make_benchmark("helper.c", copt=flags)
    assert second.sha256 != first.sha256
    assert not (folder / "cache/bitcode").exists()


def test_what_a_preprocessor_made_is_compiled(folder: Path) -> None:
    (folder / "expanded.i").write_text(HELPER)
    for _ in range(2):
        assert names(make_benchmark("expanded.i").program()) == ["helper"]


def test_memory_that_is_not_enough_is_named() -> None:
    call = "call void @f{0}() call void @f{0}()"
    bodies = [f"define void @f{n}() alwaysinline {{ {call.format(n - 1)} ret void }}" for n in range(1, 40)]
    main = "define i32 @main() { call void @f39() ret i32 0 }"
    text = "\n".join([f"{HEADER}declare void @f0()", *bodies, main])
    part = Part(name="growing.ll", data=text.encode())
    with pytest.raises(
        InvalidInput, match=r"more than 300000000 bytes of memory to link growing.ll.*smaller"
    ):
        link([part], seconds=100, memory_bytes=300_000_000)


@pytest.mark.parametrize(
    ("inputs", "options", "told"),
    [
        ("none.c", {}, r"none.c: The file does not exist"),
        (".", {}, "This is not a regular file"),
        ("text.md", {}, r"text.md: Unknown file type '\.md'.*Known suffixes: .*\.bc"),
        (
            "main.c",
            {},
            r"main.c does not compile: .*main.c:5:10: error: use of undeclared identifier 'ANSWER'",
        ),
        ("include.c", {}, r"'nowhere.h' file not found.*copt="),
        ("main.c", {"system_includes": False}, r"'stdio.h' file not found.*system_includes=True"),
        ("helper.c", {"copt": ["-fno-such-flag"]}, r"unknown argument.*'-fno-such-flag'"),
        ("helper.c", {"copt": "-O2"}, "copt is '-O2'"),
        ("helper.c", {"copt": ["-march=native"]}, "-march=native"),
        ("garbage.bc", {}, r"garbage.bc: The program is not valid LLVM IR.*LLVM 22"),
        ("future.ll", {}, r"future.ll: The program is not valid LLVM IR: .*another version"),
        ("arm.ll", {}, r"arm.ll: The program is made for 'aarch64-linux-gnu'"),
        ("counted.ll", {}, r"profile \(llvm.instrprof.increment\).*without -fprofile-instr-generate"),
        (["helper.c", "helper.ll"], {}, r"helper.c, helper.ll: .*'helper': symbol multiply defined"),
        ("helper.c", {"workloads": [Workload(name="w")]}, r"helper.c: .*cannot be run: it defines no main"),
        *(
            (f"{mark}.ll", {"workloads": [Workload(name="w")]}, f"marked {mark}. Compile without {flag}")
            for mark, flag in MARKS.items()
        ),
        ("helper.c", {"timeout": 0.001}, r"time limit for making the benchmark was exceeded.*timeout="),
        ("helper.c", {"timeout": 0}, "The timeout is 0"),
        ("helper.c", {"timeout": "10"}, "The timeout is '10'"),
        ("helper.c", {"workloads": ["default"]}, "The workloads are"),
        ("helper.c", {"timeout": True}, "The timeout is True.*Give seconds: more than 0, and at most 86400"),
        ("helper.c", {"timeout": 1e300}, "The timeout is 1e"),
        ("helper.c", {"timeout": float("nan")}, "The timeout is nan"),
        ("helper.c", {"system_includes": "no"}, "system_includes is 'no'.*Give True or False"),
        ("helper.c", {"record_workloads": 1}, "record_workloads is 1"),
        ("helper.c", {"sandbox": None}, "sandbox is None"),
        ("helper.c", {"drop_optnone": "yes"}, "drop_optnone is 'yes'"),
        ("skipped.ll", {}, r"skipped.ll: All functions .* marked optnone.*drop_optnone=True"),
        ("machine.o", {}, "machine.o: The file holds machine code, and no IR of LLVM.*-flto"),
        (["ccache", "gcc", "-c"], {}, "'gcc -c' names no source"),
        (["ccache"], {}, "inputs|ccache: The file does not exist"),
        *(
            (
                [compiler, "-c", "helper.c"],
                {},
                f"{re.escape(Path(compiler).name)} compiles for .*x86_64.*Name gcc",
            )
            for compiler in (
                "aarch64-linux-gnu-gcc",
                "/opt/arm-none-eabi-g++",
                "i686-linux-gnu-gcc-12",
                "x86_64-w64-mingw32-gcc",
                "riscv64-unknown-elf-clang",
            )
        ),
        (
            "helper.c",
            {"record_workloads": True},
            "record_workloads is True, but there are no workloads.*Give",
        ),
        (
            "helper.ll",
            {"copt": ["-O2"]},
            r"helper.ll: copt is \['-O2'\], but no input is a source. Give sources",
        ),
        ("helper.c", {"clang": 22}, "clang is 22"),
        ("helper.c", {"clang": "a\0b"}, "clang has 'a.x00b', which cannot be a word"),
        ("helper.c", {"copt": None}, "copt is None.*Give a list of flags"),
        ("helper.c", {"copt": ["-DA=\0"]}, "copt has '-DA=.x00', which cannot be a word.*NUL"),
        ("helper.c", {"copt": ["main.c"]}, "copt has 'main.c', which is not a flag"),
        ("helper.c", {"copt": ["@flags"]}, "copt has '@flags', which is not a flag"),
        ("helper.c", {"copt": ["-D"]}, "-D lacks its value"),
        ("helper.c", {"copt": ["-fplugin=x.so"]}, "'-fplugin=x.so' is not allowed.*Leave it out"),
        (["gcc", "-D", "\ud800", "helper.c"], {}, "inputs has '.ud800', which cannot be a word.*UTF-8"),
        (["gcc", "-fsyntax-only", "helper.c"], {}, "'-fsyntax-only' is not allowed"),
        (["gcc", "-mtune=help", "helper.c"], {}, "'-mtune=help' is not allowed"),
        ("a\0b.c", {}, "inputs has 'a.x00b.c', which cannot be a word"),
        ("n" * 300 + ".c", {}, "The file cannot be found: .*too long"),
        ("~nobody-of-this-name/a.c", {}, "The file cannot be found: .*home directory"),
        ("empty.ll", {}, "empty.ll: The file is empty.*-S -emit-llvm"),
        ("bare.ll", {}, "bare.ll: The program names no target.*the line: target triple = "),
        ("helper.c", {"name": "a/b"}, "The name 'a/b'"),
        (7, {}, "The inputs are 7"),
        ([], {}, "The inputs are"),
    ],
)
def test_what_cannot_be_made_is_named_and_leaves_nothing(
    inputs: object, options: dict[str, object], told: str, folder: Path
) -> None:
    (folder / "text.md").write_text("# text")
    (folder / "include.c").write_text('#include "nowhere.h"\n')
    (folder / "garbage.bc").write_bytes(b"BC\xc0\xde" + bytes(range(256)) * 4)
    (folder / "future.ll").write_text(f"{HEADER}define i32 @main() from_the_future {{\n  ret i32 0\n}}\n")
    (folder / "arm.ll").write_text(IR.replace("x86_64-unknown", "aarch64"))
    (folder / "skipped.ll").write_text(IR.replace(") {", ") noinline optnone {"))
    (folder / "counted.ll").write_text(f"{IR}declare void @llvm.instrprof.increment(ptr, i64, i32, i32)\n")
    for mark in MARKS:
        text = mark if mark == "safestack" else f'"{mark}"'
        (folder / f"{mark}.ll").write_text(f"{HEADER}define i32 @main() {text} {{\n  ret i32 0\n}}\n")
    (folder / "machine.o").write_bytes(MACHINE_CODE)
    (folder / "empty.ll").touch()
    (folder / "bare.ll").write_text(IR.removeprefix(HEADER))
    before = sorted(folder.iterdir())
    with pytest.raises(InvalidInput, match=told):
        make_benchmark(inputs, **options)  # type: ignore[arg-type] # what users may do
    assert [path for path in sorted(folder.iterdir()) if path.name != "cache"] == before
    assert not list((paths.transient_cache() / "services").glob("*/made"))


def test_marks_of_functions_that_are_elsewhere_are_no_matter(folder: Path) -> None:
    declared = "declare i32 @puts(ptr) safestack\ndefine i32 @main() {\n  ret i32 0\n}\n"
    (folder / "declared.ll").write_text(f"{HEADER}{declared}")
    assert make_benchmark("declared.ll", workloads=[Workload(name="now")], record_workloads=True).workloads


def test_a_program_that_prints_something_else_each_time_cannot_be_recorded(folder: Path) -> None:
    text = "#include <stdio.h>\n#include <time.h>\nint main(void) { struct timespec t; "
    text += 'clock_gettime(CLOCK_REALTIME, &t); printf("%ld\\n", t.tv_nsec); return 0; }\n'
    (folder / "clock.c").write_text(text)
    with pytest.raises(
        InvalidInput, match="'now' cannot be recorded: its output or exit code changes from run to run"
    ):
        make_benchmark("clock.c", workloads=[Workload(name="now")], record_workloads=True)


def test_the_clock_is_not_taken_for_undefined_behaviour_when_it_moves_late(folder: Path) -> None:
    (folder / "late.c").write_text(
        '#include <stdio.h>\nint main(void) { FILE *runs = fopen(RUNS, "a"); fputs("x", runs); '
        'printf("%d\\n", ftell(runs) > 3); return fclose(runs); }\n'
    )
    given: dict[str, Any] = {"copt": [f'-DRUNS="{folder / "runs"}"'], "sandbox": False}
    with pytest.raises(InvalidInput, match=r"changes from run to run.*depends on the time"):
        make_benchmark("late.c", **given, workloads=[Workload(name="w")], record_workloads=True)


def test_time_for_all_of_it_ends_the_runs_of_workloads_too(folder: Path) -> None:
    (folder / "endless.c").write_text(
        '#include <stdio.h>\nint main(void) { FILE *runs = fopen(RUNS, "a"); fputs("x", runs); fclose(runs); '
        "for (;;) {} }\n"
    )
    runs = folder / "runs"
    runs.touch()
    copt = [f'-DRUNS="{runs}"']
    make_benchmark("endless.c", copt=copt)  # what is compiled already needs less of the time
    given: dict[str, Any] = {"copt": copt, "workloads": [Workload(name="w")], "sandbox": False}
    with pytest.raises(InvalidInput, match="timeout=") as raised:
        make_benchmark("endless.c", **given, record_workloads=True, timeout=1)
    assert raised.value.field == "timeout"
    assert len(runs.read_text()) <= 1


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("__builtin_trap();", "killed by signal 4"),
        ('printf("%p", malloc(8));', "(uses addresses as values|changes from run to run).*printed"),
        ('int x; printf("%p", (void *)&x);', "undefined behaviour, or uses addresses as values"),
        ('printf("%p", (void *)&main);', "undefined behaviour, or uses addresses as values"),
        (
            'printf("%d", larger(count + 2147483646));',
            "undefined behaviour.*-O3 changes what it does.*printed",
        ),
        (
            'FILE *file = fopen("in.txt", "r"); return !file;',
            r"exit code 1; the sandbox did not let it open the file 'in.txt'.*Workload\(files=",
        ),
        (
            'struct stat found; return stat("config", &found) != 0;',
            "exit code 1; the sandbox did not let it look at the file 'config'",
        ),
        ("return open((char *)8, 0) < 0;", "exit code 1; the sandbox did not let it open the file. Give"),
        ('FILE *file = fopen("in.txt", "r"); return fgetc(file);', "signal 11; the sandbox .*'in.txt'"),
    ],
)
def test_a_run_that_tells_nothing_about_passes_is_not_recorded(body: str, told: str, folder: Path) -> None:
    (folder / "odd.c").write_text(f"{ODD}int main(int count, char **words) {{ {body} }}\n")
    with pytest.raises(InvalidInput, match=f"'w' cannot be recorded: .*{told}"):
        make_benchmark("odd.c", workloads=[Workload(name="w")], record_workloads=True)


def test_a_program_reads_the_files_of_its_workload_and_nothing_else(env: LlvmEnv, folder: Path) -> None:
    (folder / "reading.c").write_text(READING)
    given = Workload(
        name="w", args=("data/a.txt", "b.bin"), files={"data/a.txt": b"one\n", "b.bin": b"\xff\n"}
    )
    with pytest.warns(
        UserWarning, match="not let it open the file 'made.txt', .*'b.bin', .*'/etc/passwd'. Give"
    ):
        made = env.make_benchmark("reading.c", workloads=[given], record_workloads=True)
    assert made.workloads[0].expected_stdout == b"one\n\xff\nwritten 0 0, others 0, folder 1\n"
    env.reset(options={"benchmark": made})
    env.multistep(range(10))
    assert env.observation["RuntimePointEstimate"] > 0
    assert env.validate().ok
    env.reset(options={"benchmark": replace(made, workloads=(replace(made.workloads[0], files={}),))})
    assert list(env.validate().errors) == ["benchmark:broken"]


def test_a_file_that_a_workload_lacks_is_named(folder: Path) -> None:
    (folder / "reading.c").write_text(READING)
    given = Workload(name="w", args=("a.txt", "b.txt"), files={"a.txt": b"one"})
    with pytest.raises(InvalidInput, match=r"code 3; the sandbox did not let it open the file 'b\.txt'"):
        make_benchmark("reading.c", workloads=[given], record_workloads=True)


def test_what_the_sandbox_refused_is_said_even_if_the_program_goes_on(folder: Path) -> None:
    (folder / "going_on.c").write_text(
        '#include <stdio.h>\n#include <sys/socket.h>\nint main(void) { FILE *file = fopen(".rc", "r"); '
        'printf("%d", socket(2, 1, 0)); return file != 0; }\n'
    )
    with pytest.warns(UserWarning, match="not let it open the file '.rc', use the network.*files="):
        made = make_benchmark("going_on.c", workloads=[Workload(name="w")], record_workloads=True)
    assert made.workloads[0].expected_stdout == b"-1"


@pytest.mark.parametrize(
    "begin",
    [
        "sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0);",
        "signal(SIGSYS, handle);",
        'for (int one = 3; one < 250; one++) if (write(one, "\\xff", 1) > 0) close(one);',
    ],
)
def test_reports_of_refusals_change_no_outcome(begin: str, folder: Path) -> None:
    (folder / "odd.c").write_text(
        "#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n#include <unistd.h>\n"
        "static void handle(int number) {}\n"
        f'int main(void) {{ {begin} printf("%d", open("a.txt", 0)); return 0; }}\n'
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of a refusal, where it could be reported
        made = make_benchmark("odd.c", workloads=[Workload(name="w")], record_workloads=True)
    assert made.workloads[0].expected_stdout == b"-1"


def test_any_bytes_may_be_the_name_of_a_function(folder: Path) -> None:
    (folder / "odd.ll").write_text(f'{IR}declare void @"a\\FFb"()\n')
    assert names(make_benchmark("odd.ll").program()) == ["helper"]


def test_functions_that_passes_skip_are_counted_or_made_usual(env: LlvmEnv, folder: Path) -> None:
    half = IR + "define i32 @other() noinline optnone {\n  ret i32 0\n}\n"
    (folder / "half.ll").write_text(half)
    with pytest.warns(UserWarning, match="half.ll: functions that are marked optnone, .*: 1. .*drop_optnone"):
        make_benchmark("half.ll")
    (folder / "whole.ll").write_text(half.replace("%x) {", "%x) noinline optnone {"))
    with pytest.raises(InvalidInput, match="All functions of the program are marked optnone"):
        env.reset(options={"benchmark": f"file://{folder}/whole.ll"})
    with Module.parse(make_benchmark("whole.ll", drop_optnone=True).program()) as module:
        assert "optnone" not in module.text()


COROUTINE = """#include <coroutine>
#include <cstdio>
struct Numbers {
  struct promise_type {
    int value;
    Numbers get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int given) { value = given; return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
  ~Numbers() { handle.destroy(); }
};
Numbers squares(int count) { for (int i = 0; i < count; i++) co_yield i * i; }
int main() {
  Numbers numbers = squares(5);
  while (numbers.handle.resume(), !numbers.handle.done())
    std::printf("%d ", numbers.handle.promise().value);
}
"""


def test_a_program_with_coroutines_has_code_and_runs(env: LlvmEnv, folder: Path, clang: Path) -> None:
    (folder / "squares.cpp").write_text(COROUTINE)
    unoptimised = ["-std=c++20", "-O1", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm"]
    subprocess.run([clang, *unoptimised, "squares.cpp", "-o", "squares.ll"], check=True)
    run = Workload(name="usual")
    source = make_benchmark("squares.cpp", copt=["-std=c++20"], workloads=[run], record_workloads=True)
    for made in (source, make_benchmark("squares.ll", workloads=[run], record_workloads=True)):
        assert made.workloads[0].expected_stdout == b"0 1 4 9 16 "
        env.reset(options={"benchmark": made})
        assert 0 < env.observation["ObjectTextSizeBytesOz"] < env.observation["ObjectTextSizeBytesO0"]
    env.reset(options={"benchmark": f"file://{folder}/squares.ll"})
    with pytest.raises(
        InvalidInput, match=r"object file.*llvm.coro.begin must be lowered first; make_benchmark"
    ):
        assert env.observation["ObjectTextSizeBytes"]
    assert env.step(0)[2] is False


@pytest.mark.parametrize("flags", [["-flto"], ["-fembed-bitcode"], ["-flto", "-ffat-lto-objects"]])
def test_the_ir_of_an_object_file_is_used(flags: list[str], clang: Path) -> None:
    subprocess.run([clang, "-c", "-O1", *flags, "helper.c", "-o", "helper.o"], check=True)
    assert names(make_benchmark("helper.o").program()) == ["helper"]
    assert names(make_benchmark(["gcc", "-DANSWER=1", "main.c", "helper.o"]).program()) == ["main", "helper"]
    if flags != ["-flto"]:
        subprocess.run([clang, "-c", *flags, "twice.cpp", "-o", "twice.o"], check=True)
        subprocess.run(["ld", "-r", "helper.o", "twice.o", "-o", "both.o"], check=True)
        with pytest.raises(InvalidInput, match=r"both\.o: The file holds the IR of several files.*before"):
            make_benchmark("both.o")


def test_only_a_section_with_ir_counts_as_ir(folder: Path, clang: Path) -> None:
    named = 'int renamed(void) __asm__("BC\\xc0\\xde"); int helper(void) { return renamed(); }\n'
    (folder / "named.c").write_text(named)
    for name, embedded in (("named", "all"), ("helper", "marker")):
        subprocess.run([clang, "-c", "-O1", f"-fembed-bitcode={embedded}", f"{name}.c"], check=True)
    (folder / "zero").write_bytes(b"\0")
    subprocess.run(["objcopy", "--update-section", ".llvmbc=zero", "helper.o"], check=True)
    assert "helper" in names(make_benchmark("named.o").program())
    with pytest.raises(InvalidInput, match="machine code, and no IR"):
        make_benchmark("helper.o")


@pytest.mark.parametrize(
    "line",
    [
        "ccache gcc -O2 -c helper.c",
        "/usr/bin/distcc sccache musl-gcc -O2 helper.c",
        "arch-gcc -O2 helper.c",
    ],
)
def test_the_launcher_of_a_compiler_is_skipped(line: str) -> None:
    assert make_benchmark(line).sha256 == make_benchmark("gcc -O2 -c helper.c").sha256


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("gcc -std=c17 -DANSWER=3 -O2 main.c helper.c -o 'a prog' -lm", "a prog"),
        ("ccache cc -DANSWER=3 -flto -MMD -no-pie main.c helper.c", "a.out"),
        ("clang -DANSWER=3 -c helper.c -fPIC -o place/helper.o", "place/helper.o"),
        ("clang -DANSWER=3 -S helper.c", "helper.s"),
        ("gcc -shared -fPIC helper.c -olibhelper.so", "libhelper.so"),
    ],
)
def test_the_program_of_an_episode_is_compiled_as_its_command_line_says(
    line: str, made: str, env: LlvmEnv, clang: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path.cwd()
    (folder / "place").mkdir()
    subprocess.run([clang, "-DANSWER=3", "main.c", "helper.c", "-o", "plain"], check=True)
    benchmark = pickle.loads(pickle.dumps(make_benchmark(line)))  # noqa: S301 # its own
    env.reset(options={"benchmark": benchmark})
    env.multistep([CURATED.index(name) for name in ("sroa", "instcombine", "loop-deletion")])
    monkeypatch.chdir("/")
    assert benchmark.compile(env) == folder / made
    assert benchmark.compile(env, "other").read_bytes() == (folder / made).read_bytes()
    monkeypatch.chdir(folder)
    program = Path(made)
    if program.suffix in {".o", ".s", ".so"}:
        subprocess.run([clang, "-DANSWER=3", "main.c", program, "-Wl,-rpath,.", "-o", "linked"], check=True)
        program = Path("linked")
    runs = [
        subprocess.run([Path(one).absolute(), "x"], capture_output=True, check=False)
        for one in ("plain", program)
    ]
    assert [(one.returncode, one.stdout) for one in runs] == [(3, b"9900 main.c\n")] * 2


@pytest.mark.parametrize(
    ("line", "output", "told"),
    [
        ("main.c", None, r"was not made from the command line of a compiler\. Make it from one"),
        ("gcc -c main.c helper.c", None, "With -c the command line writes an object for each source"),
        ("gcc -E helper.c", None, "With -E the command line writes no program"),
        ("gcc main.c helper.c", 3, r"output is 3\. Give the path"),
        ("gcc main.c -lm", None, "a.out cannot be linked: .*undefined symbol: helper"),
        ("gcc main.c helper.c -lunheard", None, "a.out cannot be linked: .*unable to find library -lunheard"),
        ("gcc -c helper.c", "missing/helper.o", "missing/helper.o cannot be linked: .*No such file"),
        ("gcc -DOTHER helper.c", None, "The episode is on benchmark://user-v0/main-.*, and not on "),
    ],
)
def test_why_the_program_of_an_episode_cannot_be_compiled(
    line: str, output: Any, told: str, env: LlvmEnv
) -> None:
    benchmark = make_benchmark(line.replace("main.c", "-DANSWER=3 main.c") if " " in line else "helper.ll")
    env.reset(options={"benchmark": benchmark})
    if "OTHER" in line:
        env.reset(options={"benchmark": make_benchmark("main.c", copt=["-DANSWER=3"])})
    with pytest.raises(InvalidInput, match=told):
        benchmark.compile(env, output)


def test_wrong_seconds_and_a_folder_that_is_gone_are_told(
    env: LlvmEnv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    shutil.copytree(Path.cwd(), gone, ignore=shutil.ignore_patterns("gone"))
    with monkeypatch.context() as there:
        there.chdir(gone)
        benchmark = make_benchmark("gcc -DANSWER=3 main.c helper.c")
    env.reset(options={"benchmark": benchmark})
    for wrong in (-1, float("nan"), "soon"):
        with pytest.raises(InvalidInput, match="The timeout is"):
            benchmark.compile(env, timeout=wrong)  # type: ignore[arg-type] # what a user may give
    shutil.rmtree(gone)
    with pytest.raises(InvalidInput, match="in which the benchmark was made, does not exist"):
        benchmark.compile(env, tmp_path / "elsewhere")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            "/home/ada/mine.bc",
            r"--program /home/ada/mine.bc; .* make_benchmark\('/home/ada/mine.bc'\).*'file:///home/ada/mine.bc'",
        ),
        ("./mine", r"is a file's name.*make_benchmark\('./mine'\)"),
        ("mine.o", r"is a file's name.*make_benchmark\('mine.o'\)"),
        ("file://{}/main.c", r"is a source, .*make_benchmark\('/.*/main.c'\)"),
        ("file://{}/a%20b.c%2B%2B", r"is a source, .*--program '/.*/a b.c\+\+'; .*'/.*/a b.c\+\+'\)"),
    ],
)
def test_a_path_for_a_uri_is_told_what_takes_it(given: str, told: str, env: LlvmEnv, folder: Path) -> None:
    (folder / "a b.c++").write_text(CXX)
    with pytest.raises(InvalidInput, match=told):
        env.reset(options={"benchmark": given.format(folder)})


def test_without_the_right_clang_only_ir_can_be_used(folder: Path) -> None:
    with pytest.raises(ToolMissing, match="clang names"):
        make_benchmark("helper.c", clang=folder / "nothing")
    assert make_benchmark("helper.ll", clang=folder / "nothing").size_bytes > 0


def test_a_clang_that_can_no_longer_be_started_is_not_the_sources_fault(folder: Path) -> None:
    program = folder / "clang"
    program.write_text('#!/bin/sh\nchmod -x "$0"\necho clang version 22.1.8\n')
    program.chmod(0o755)
    with pytest.raises(InfrastructureFault, match=f"A process cannot be started: .*'{program}'"):
        make_benchmark("helper.c", clang=program)
