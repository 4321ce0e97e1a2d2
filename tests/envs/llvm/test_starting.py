"""What happens before and after ``main``, compared with the same programs as native executables."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

import optarena
from optarena.datasets import Workload
from optarena.errors import InfrastructureFault, InvalidInput, ToolMissing
from optarena.llvm import make_benchmark
from optarena.llvm.actions import CURATED
from optarena.llvm.execution import run_program
from optarena.llvm.module import Module
from optarena.llvm.runnable import check_runnable
from optarena.llvm.toolchain import find_linker
from optarena.machine_code import libllvm
from optarena.machine_code.execution import run_object
from tests.kit.llvm.programs import DATA
from tests.kit.programs import returning

if TYPE_CHECKING:
    from pathlib import Path

PIPELINES = ("verify", "globalopt", "default<O3>")
CONSTRUCTED = """#include <stdio.h>
static int x;
__attribute__((constructor)) static void begin(void) { x = 7; }
int main(void) { printf("%d\\n", x); return x; }
"""


def executable(clang: Path, source: Path, folder: Path) -> Path:
    made = folder / "program"
    libraries = clang.parents[1] / "lib/x86_64-unknown-linux-gnu"
    options = ["-fuse-ld=lld", "-stdlib=libc++", "-w", f"-Wl,-rpath,{libraries}"]
    driver = clang.with_name("clang++" if source.suffix == ".cpp" else "clang")
    subprocess.run([driver, *options, source, "-o", made], check=True, cwd=folder)
    return made


@pytest.mark.parametrize(
    ("source", "ways"),
    [
        (
            "life.c",
            ["", "exit", "handler", "constructor", "destructor", "_exit", "quick_exit", "abort"],
        ),
        ("life.cpp", ["", "exit", "throw"]),
    ],
)
def test_a_program_begins_and_ends_as_its_executable_does(
    source: str, ways: list[str], clang: Path, tmp_path: Path
) -> None:
    native = executable(clang, DATA / source, tmp_path)
    expected = {}
    for way in ways:
        done = subprocess.run([native, way], input=b"two one two", capture_output=True, check=False)
        expected[way] = (done.stdout, done.returncode)
    assert len(set(expected.values())) == len(ways)
    given = make_benchmark(DATA / source, copt=["-stdlib=libc++"]).load()
    check_runnable(given)
    for pipeline in PIPELINES:
        with Module.parse(given) as module:
            module.run(pipeline)
            data = module.bitcode()
        for way in ways:
            ended = run_program(data, args=[way], stdin=b"two one two")
            code = ended.exit_code if ended.signal is None else -ended.signal
            assert (ended.stdout, code) == expected[way], (pipeline, way, ended.failure, ended.stderr)
    with Module.parse(given) as module:
        assert find_linker().link(module.object_code(), tmp_path)


def test_a_pass_that_evaluates_a_constructor_is_right(tmp_path: Path) -> None:
    file = tmp_path / "constructed.c"
    file.write_text(CONSTRUCTED)
    benchmark = make_benchmark(file, workloads=[Workload(name="one")], record_workloads=True)
    assert [(one.expected_stdout, one.exit_code) for one in benchmark.workloads] == [(b"7\n", 7)]
    with optarena.make("llvm-v0", benchmark=benchmark) as env:
        env.reset()
        env.step(CURATED.index("globalopt"))
        assert "@llvm.global_ctors = appending global [0 x" in env.observation["Ir"]
        assert env.observation["IsRunnable"] == 1
        assert env.observation["RuntimePointEstimate"] > 0
        result = env.validate()
    assert result.ok, str(result)


def test_lists_and_flags_of_any_program_are_read() -> None:
    """LLVM stops at a null, and the program's own size of wchar_t stays."""
    hooks = "define internal void @hook() {\n  store i32 7, ptr @x\n  ret void\n}\n"
    entry = "{ i32, ptr, ptr } { i32 65535, ptr @hook, ptr null }"
    lists = {
        f"[2 x {{ i32, ptr, ptr }}] [{entry}, {{ i32, ptr, ptr }} zeroinitializer]": 7,
        f"[2 x {{ i32, ptr, ptr }}] [{{ i32, ptr, ptr }} zeroinitializer, {entry}]": 0,
        "[0 x { i32, ptr, ptr }] zeroinitializer": 0,
    }
    flags = '!llvm.module.flags = !{!0}\n!0 = !{i32 1, !"wchar_size", i32 2}\n'
    for given, expected in lists.items():
        declarations = (
            f"@x = internal global i32 0\n{hooks}{flags}@llvm.global_ctors = appending global {given}"
        )
        ended = run_program(returning("  %r = load i32, ptr @x\n  ret i32 %r", declarations))
        assert (ended.exit_code, ended.failure) == (expected, None)


@pytest.mark.parametrize(
    ("source", "named"),
    [
        (
            """extern "C" void *malloc(unsigned long);
            void *operator new(unsigned long size) { return malloc(size); }
            int main() { delete new int(3); return 0; }""",
            r"replaces an operator that the C\+\+ library uses \(_Znwm\)",
        ),
        (
            """extern "C" void *malloc(unsigned long); extern "C" void free(void *);
            void operator delete(void *given, unsigned long) noexcept { free(given); }
            int main() { int *made = new int(3); delete made; return 0; }""",
            r"\(_ZdlPvm\)",
        ),
        (
            "namespace std { extern int cout; }\nint main() { return std::cout; }",
            r"needs the variable _ZSt4cout.*-stdlib=libc\+\+",
        ),
    ],
)
def test_what_of_cxx_cannot_be_run_is_named(source: str, named: str, tmp_path: Path) -> None:
    file = tmp_path / "program.cpp"
    file.write_text(source)
    with pytest.raises(InvalidInput, match=named):
        make_benchmark(file, workloads=[Workload(name="one")])


def test_operators_of_an_arena_and_the_locale_are_as_in_an_executable(tmp_path: Path) -> None:
    file = tmp_path / "program.cpp"
    file.write_text("""#include <clocale>
        #include <cstdio>
        #include <cstdlib>
        struct Arena {};
        void *operator new(unsigned long size, Arena &) { return std::malloc(size); }
        void operator delete(void *given, Arena &) { std::free(given); }
        int main() {
            Arena arena;
            std::puts(std::setlocale(LC_ALL, nullptr));
            std::printf("%zu\\n", MB_CUR_MAX);
            return *new int(3) + *new (arena) int(4);
        }""")
    made = make_benchmark(
        file, copt=["-stdlib=libc++"], workloads=[Workload(name="one")], record_workloads=True
    )
    assert [(one.expected_stdout, one.exit_code) for one in made.workloads] == [(b"C\n1\n", 7)]


def test_what_nothing_provides_is_null_if_it_is_weak() -> None:
    declarations = "declare extern_weak i32 @Py_GetVersion()\n@nothing = extern_weak global i32\n"
    declarations += "@sys_errlist_of_none = internal global ptr @nothing\ndeclare extern_weak i32 @abs(i32)"
    null = "  %f = icmp eq ptr @Py_GetVersion, null\n  %g = icmp eq ptr @nothing, null\n"
    null += "  %h = load ptr, ptr @sys_errlist_of_none\n  %i = icmp eq ptr %h, null\n"
    sums = "".join(f"  %{name}1 = zext i1 %{name} to i32\n" for name in "fgi")
    sums += "  %s = add i32 %f1, %g1\n  %t = add i32 %s, %i1\n  %a = call i32 @abs(i32 -4)\n"
    given = returning(f"{null}{sums}  %r = add i32 %t, %a\n  ret i32 %r", declarations)
    check_runnable(given)
    ended = run_program(given)
    assert (ended.exit_code, ended.failure) == (7, None)


def test_where_libcxx_is_missing_the_machine_is_blamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libllvm, "_RUNTIME_FOLDER", "nowhere")
    given = returning(
        "  call void @_ZNSt3__14missingEv()\n  ret i32 0", "declare void @_ZNSt3__14missingEv()"
    )
    steps = {check_runnable: ToolMissing, run_program: InfrastructureFault}
    steps[lambda code: find_linker().link(code + b"St3__1", tmp_path)] = ToolMissing
    for step, error in steps.items():
        with pytest.raises(error, match=r"libc\+\+, which is missing in .*/nowhere, beside the libLLVM"):
            step(given)


def test_what_a_program_loses_is_an_error_even_if_nobody_checked_it(clang: Path, tmp_path: Path) -> None:
    hook = '@hook = global ptr null, section ".init_array"'
    assert "a section that only a linker reads" in (run_program(returning("  ret i32 0", hook)).failure or "")
    alias = "@x = internal thread_local global i32 3\n@other = thread_local alias i32, ptr @x"
    assert "The alias other is thread-local" in (run_program(returning("  ret i32 0", alias)).failure or "")
    with pytest.raises(InvalidInput, match=r"has a thread-local alias \(other\)"):
        check_runnable(returning("  ret i32 0", alias))
    file = tmp_path / "exit.c"
    file.write_text("int atexit(void (*)(void)); static void f(void) {} int main(void) { return atexit(f); }")
    command = f"{clang} -fPIC -c {file} -o -".split()
    code = subprocess.run(command, check=True, capture_output=True).stdout
    assert "needs atexit" in (run_object(lambda: code).failure or "")
