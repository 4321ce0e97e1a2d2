"""Running programs: what they print, how they end, what they may not do, and their kept object files."""

from __future__ import annotations

import os
import resource
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from optarena.datasets import Workload
from optarena.env.confined import judge
from optarena.errors import InfrastructureFault, InvalidInput, SessionKilled
from optarena.llvm import execution
from optarena.llvm.execution import Execution, run_program
from optarena.llvm.module import Module
from optarena.llvm.runnable import check_runnable
from optarena.machine_code import execution as running
from optarena.machine_code.execution import ObjectCache
from optarena.machine_code.program import GO
from optarena.service import timeouts
from optarena.service.client.zygote import Worker, Zygote
from optarena.service.protocol import frames
from tests.kit.programs import HEADER
from tests.kit.programs import returning as program

if TYPE_CHECKING:
    import socket

NOT_RUN = {"stdout": b"", "exit_code": None, "signal": None, "timed_out": False}


def run(body: str, declarations: str = "", **options: object) -> Execution:
    return run_program(program(body, declarations), **options)  # type: ignore[arg-type] # passed on


def test_output_and_exit_code_of_a_program(mixed: bytes) -> None:
    check_runnable(mixed)
    ended = run_program(mixed)
    assert (ended.stdout, ended.exit_code, ended.signal) == (b"1578 7 763 493236\n17.607\n", 0, None)
    assert not ended.timed_out
    assert not ended.output_truncated
    assert ended.failure is None
    assert 0 < ended.seconds < 5


def test_exit_from_inside_flushes_and_gives_its_code(mixed: bytes) -> None:
    """With 1001 items the program calls exit(3)."""
    assert run_program(mixed, args=["1001"]).exit_code == 3
    ended = run(
        "  call i32 @puts(ptr @s)\n  call void @exit(i32 259)\n  unreachable",
        '@s = constant [3 x i8] c"hi\\00"\ndeclare i32 @puts(ptr)\ndeclare void @exit(i32)',
    )
    assert (ended.stdout, ended.exit_code) == (b"hi\n", 259 & 255)


def test_optimised_programs_print_the_same(mixed: bytes, mixed_o3: bytes) -> None:
    expected = run_program(mixed)
    for data, level in ((mixed, "Oz"), (mixed_o3, "O3"), (mixed, "O1")):
        with Module.parse(data) as module:
            module.run(f"default<{level}>")
            ended = run_program(module.bitcode())
        assert (ended.stdout, ended.exit_code) == (expected.stdout, expected.exit_code)


def test_the_input_is_read() -> None:
    body = """  br label %loop
loop:
  %c = call i32 @getchar()
  %end = icmp eq i32 %c, -1
  br i1 %end, label %done, label %more
more:
  %next = add i32 %c, 1
  call i32 @putchar(i32 %next)
  br label %loop
done:
  ret i32 0"""
    ended = run(body, "declare i32 @getchar()\ndeclare i32 @putchar(i32)", stdin=b"HAL")
    assert ended.stdout == b"IBM"
    assert run(body, "declare i32 @getchar()\ndeclare i32 @putchar(i32)").stdout == b""


def test_bytes_of_input_and_arguments_arrive_as_given() -> None:
    body = """  %p = getelementptr ptr, ptr %argv, i64 2
  %v = load ptr, ptr %p
  call i32 @puts(ptr %v)
  ret i32 %argc"""
    ended = run(body, "declare i32 @puts(ptr)", args=["a b\n", "käse 'x'"])
    assert (ended.stdout, ended.exit_code) == ("käse 'x'\n".encode(), 3)


@pytest.mark.parametrize(
    ("body", "signal"),
    [("  store i32 1, ptr null\n  ret i32 0", 11), ("  call void @abort()\n  unreachable", 6)],
)
def test_a_crash_of_the_program_is_its_signal(body: str, signal: int) -> None:
    body = body.replace("store i32", "store volatile i32")
    ended = run(body, "declare void @abort()")
    assert (ended.signal, ended.exit_code, ended.failure) == (signal, None, None)


def test_a_program_that_does_not_end_is_killed() -> None:
    ended = run("  br label %loop\nloop:\n  br label %loop", timeout=0.3)
    assert ended.timed_out
    assert ended.exit_code is None
    assert 0.3 <= ended.seconds < 3


OUTPUT = """  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %n, %loop ]
  %n = add i32 %i, 1
  call i32 @putchar(i32 65)
  %more = icmp slt i32 %n, LIMIT
  br i1 %more, label %loop, label %done
done:
  ret i32 0"""


def test_too_much_output_ends_the_program() -> None:
    exact = run(OUTPUT.replace("LIMIT", "5000"), "declare i32 @putchar(i32)", output_limit=5000)
    assert (len(exact.stdout), exact.output_truncated, exact.exit_code) == (5000, False, 0)
    more = run(OUTPUT.replace("LIMIT", "100000"), "declare i32 @putchar(i32)", output_limit=5000)
    assert (len(more.stdout), more.output_truncated, more.exit_code) == (5000, True, None)


def test_standard_error_is_kept_apart() -> None:
    ended = run(
        "  call i64 @write(i32 2, ptr @s, i64 4)\n  ret i32 0",
        '@s = constant [4 x i8] c"oops"\ndeclare i64 @write(i32, ptr, i64)',
    )
    assert (ended.stdout, ended.stderr) == (b"", "oops")


def test_wide_division_finds_its_helper() -> None:
    ended = run(
        """  %w = zext i32 %argc to i128
  %n = shl i128 %w, 100
  %d = add i128 %w, 6
  %q = udiv i128 %n, %d
  %s = lshr i128 %q, 92
  %r = trunc i128 %s to i32
  ret i32 %r"""
    )
    assert ended.exit_code == (1 << 100) // 7 >> 92


def test_what_cannot_be_linked_is_a_compilation_error() -> None:
    ended = run("  call void @nowhere()\n  ret i32 0", "declare void @nowhere()")
    assert "nowhere" in (ended.failure or "")
    assert {key: getattr(ended, key) for key in NOT_RUN} == NOT_RUN


def test_what_is_no_program_is_a_compilation_error() -> None:
    assert "not valid LLVM IR" in (run_program(b"nonsense").failure or "")


def test_a_crash_of_the_code_generator_is_a_compilation_error() -> None:
    ended = run('  call void asm "no such instruction", ""()\n  ret i32 0')
    assert "LLVM failed to compile" in (ended.failure or "")


OPEN = """  %fd = call i32 (ptr, i32, ...) @open(ptr @path, i32 FLAGS, i32 420)
  %failed = icmp slt i32 %fd, 0
  %code = select i1 %failed, i32 9, i32 0
  ret i32 %code"""


@pytest.mark.parametrize("flags", [0, os.O_WRONLY | os.O_CREAT])
def test_a_confined_program_opens_no_file(flags: int, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    file = tmp_path / "file"
    if not flags:
        file.write_text("secret")
    path = f'@path = constant [{len(str(file)) + 1} x i8] c"{file}\\00"\ndeclare i32 @open(ptr, i32, ...)'
    body = OPEN.replace("FLAGS", str(flags))
    assert run(body, path).exit_code == 9
    assert run(body, path, sandbox=False).exit_code == 0


def test_a_program_cannot_have_the_kernel_kill_it() -> None:
    """A program that is killed at a hard limit of its own would look as if somebody else had killed it."""
    body = f"""  %limit = alloca [2 x i64]
  store [2 x i64] [i64 1, i64 1], ptr %limit
  %set = call i32 @setrlimit(i32 {resource.RLIMIT_CPU}, ptr %limit)
  br label %loop
loop:
  br label %loop"""
    ended = run(body, "declare i32 @setrlimit(i32, ptr)", timeout=2)
    verdict = judge(Workload(name="one"), ended)
    assert verdict.reason == "semantics:timeout", verdict.detail


def test_a_program_sees_no_environment_and_no_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    send = frames.send

    def send_late(channel: socket.socket, data: bytes) -> None:
        time.sleep(0.01)  # nor does it open any while it waits for its start
        send(channel, data)

    monkeypatch.setattr(frames, "send", send_late)
    body = """  br label %loop
loop:
  %fd = phi i32 [ 3, %0 ], [ %next, %loop ]
  %open = phi i32 [ 0, %0 ], [ %sum, %loop ]
  %flags = call i32 (i32, i32, ...) @fcntl(i32 %fd, i32 1)
  %is = icmp sge i32 %flags, 0
  %one = zext i1 %is to i32
  %sum = add i32 %open, %one
  %next = add i32 %fd, 1
  %more = icmp slt i32 %next, 256
  br i1 %more, label %loop, label %done
done:
  ret i32 %sum"""
    for sandbox in (True, False):
        assert run(body, "declare i32 @fcntl(i32, i32, ...)", sandbox=sandbox).exit_code == 0


THIRD = f"""{HEADER}define i32 @main(i32 %argc, ptr %argv, ptr %envp) {{
  %first = load volatile ptr, ptr %envp
  %none = icmp eq ptr %first, null
  %r = select i1 %none, i32 0, i32 9
  ret i32 %r
}}
""".encode()


def test_a_program_sees_no_variables() -> None:
    body = """  %value = call ptr @getenv(ptr @name)
  %none = icmp eq ptr %value, null
  %r = select i1 %none, i32 0, i32 9
  ret i32 %r"""
    declarations = '@name = constant [5 x i8] c"HOME\\00"\ndeclare ptr @getenv(ptr)'
    assert run(body, declarations).exit_code == 0
    assert run_program(THIRD, args=["x"]).exit_code == 0


@pytest.mark.parametrize("argument", ["a\0b", "\ud800", 7])
def test_what_is_no_argument_is_refused(argument: str, mixed: bytes) -> None:
    with pytest.raises(InvalidInput, match="cannot be given"):
        run_program(mixed, args=[argument])
    with pytest.raises(InvalidInput, match="args"):
        Workload(name="one", args=(argument,))


def test_a_worker_that_dies_before_its_program_begins(mixed: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    send = frames.send

    def killed_first(channel: socket.socket, data: bytes) -> None:
        if data == GO:
            for pid in Path(f"/proc/{zygote.pid}/task/{zygote.pid}/children").read_text().split():
                os.kill(int(pid), signal.SIGKILL)
            time.sleep(0.2)
        send(channel, data)

    zygote = Zygote.shared("optarena.llvm.session:LlvmSession")
    monkeypatch.setattr(frames, "send", killed_first)
    with pytest.raises(SessionKilled, match="SIGKILL") as caught:
        run_program(mixed)
    assert (caught.value.signal, caught.value.reason) == (signal.SIGKILL, "infra:killed")


def test_a_linker_out_of_cpu_time_is_nobodys_fault(mixed: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """No limit of one unit of work holds for it."""
    monkeypatch.setattr(running, "_RUN", "hostile:reach_cpu_limit")
    with pytest.raises(InfrastructureFault, match="more CPU time than allowed") as caught:
        run_program(mixed)
    assert caught.value.reason == "infra:compile-timeout"


@pytest.mark.parametrize("entry", ["say_nothing", "talk_nonsense"])
@pytest.mark.parametrize("stage", ["_COMPILE", "_RUN"])
def test_a_compiler_whose_memory_is_damaged_is_the_programs_failure(
    stage: str, entry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timeouts, "LAST_WORDS_SECONDS", 0.5)
    monkeypatch.setattr(running if stage == "_RUN" else execution, stage, f"hostile:{entry}")
    ended = run_program(program(f"  ret i32 {len(stage + entry)}"))
    assert judge(Workload(name="one"), ended).reason == "semantics:crash"


def test_a_miscompiled_program_prints_something_else(miscompiled: bytes) -> None:
    assert run_program(miscompiled).stdout == b"3781\n"
    with Module.parse(miscompiled) as module:
        module.run("function(structurizecfg)")
        assert module.verify() is None
        assert run_program(module.bitcode()).stdout != b"3781\n"


def test_no_worker_stays(mixed: bytes) -> None:
    zygote = Zygote.shared("optarena.llvm.session:LlvmSession")
    children = Path(f"/proc/{zygote.pid}/task/{zygote.pid}/children")
    for timeout in (10.0, 0.0):
        run_program(mixed, timeout=timeout)
        assert not children.read_text()


@pytest.mark.parametrize(
    ("declarations", "named"),
    [
        ("@counter = external thread_local global i32", r"thread-local variable counter\. Define it"),
        ("declare i32 @on_exit(ptr, ptr)", r"exit handler \(on_exit\)\. Use atexit"),
        ("declare i32 @fork()", r"process or thread.*\(fork\)"),
        ("declare i32 @pthread_create(ptr, ptr, ptr, ptr)", "pthread_create"),
        ("declare void @nowhere()", "calls nowhere, which the C library does not have.*Define it, or link"),
        ("declare void @Py_GetVersion()", "calls Py_GetVersion"),
        ("declare void @__ubsan_handle_add_overflow(ptr, i64, i64)", "-fsanitize-trap=all, or without"),
        ("declare void @__asan_init()", "calls __asan_init.*without -fsanitize=…"),
        ("declare void @llvm_gcda_start_file(ptr, i32, i32)", "calls llvm_gcda_start_file.*--coverage"),
        ("@__msan_va_arg_tls = external thread_local global i64", "__msan_va_arg_tls.*without -fsanitize=…"),
        ("@__start_hwasan_globals = external hidden constant [0 x i8]", "without -fsanitize=…"),
        ('module asm "twice: ret"\ndeclare void @twice()', "calls twice.*Assembly outside functions defines"),
        ("@nothing = external global i32", "needs the variable nothing.*Define it, or link"),
        (
            '@hook = global ptr null, section ".init_array"',
            r"constructor.*\(hook, in the section .init_array",
        ),
        ("define ptr @resolve() {\n  ret ptr null\n}\n@chosen = ifunc void (), ptr @resolve", "ifunc"),
    ],
)
def test_what_the_runner_cannot_run_is_refused_by_name(declarations: str, named: str) -> None:
    check_runnable(program("  ret i32 0"))
    with pytest.raises(InvalidInput, match=named):
        check_runnable(program("  ret i32 0", declarations))


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ("define i32 @f() {\n  ret i32 0\n}", r"no main\(\)\. Define int main"),
        ("declare i32 @main()", r"no main\(\)"),
        ("define i32 @main(i32 %x) {\n  ret i32 0\n}", r"of the type i32 \(i32\)\. Define int main"),
        ("define void @main(i32 %x, ptr %y) {\n  ret void\n}", r"of the type void \(i32, ptr\)"),
        ("define i64 @main() {\n  ret i64 0\n}", r"of the type i64 \(\)"),
        ("define i32 @main(i32 %x, i64 %y) {\n  ret i32 0\n}", r"of the type i32 \(i32, i64\)"),
    ],
)
def test_a_program_needs_a_usual_main(data: str, named: str) -> None:
    with pytest.raises(InvalidInput, match=named):
        check_runnable(f"{HEADER}{data}\n".encode())


def test_variables_and_functions_of_the_c_library_are_fine() -> None:
    declarations = "@stdout = external global ptr\ndeclare i32 @fflush(ptr)\ndeclare double @sqrt(double)"
    declarations += "\ndeclare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
    check_runnable(program("  ret i32 0", declarations))


class _Counted(ObjectCache):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[bool] = []

    def get(self, key: bytes) -> bytes | None:
        code = super().get(key)
        self.found.append(code is not None)
        return code


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> _Counted:
    cache = _Counted()
    monkeypatch.setattr(execution, "objects", cache)
    return cache


def test_a_program_is_compiled_once_and_behaves_the_same(mixed: bytes, counted: _Counted) -> None:
    first, again, other = run_program(mixed), run_program(mixed), run_program(mixed, args=["1001"])
    assert counted.found == [False, True, True]
    assert (again.stdout, again.exit_code) == (first.stdout, first.exit_code) == (first.stdout, 0)
    assert (other.exit_code, other.failure) == (3, None)


def test_no_program_runs_where_it_was_compiled(
    mixed: bytes, counted: _Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries: list[str] = []
    spawn = Zygote.spawn

    def recorded(zygote: Zygote, entry: str, **given: Any) -> Worker:
        entries.append(entry.rpartition(":")[2])
        return spawn(zygote, entry, **given)

    monkeypatch.setattr(Zygote, "spawn", recorded)
    run_program(mixed)
    run_program(mixed)
    assert entries == ["compile_main", "run_main", "run_main"]
    assert counted.found == [False, True]


def test_a_kept_object_is_confined_like_the_program(counted: _Counted) -> None:
    forking = b"""target triple = "x86_64-unknown-linux-gnu"
declare i32 @fork()
define i32 @main() {
  %pid = call i32 @fork()
  %failed = icmp slt i32 %pid, 0
  %r = select i1 %failed, i32 9, i32 0
  ret i32 %r
}
"""
    assert [run_program(forking).exit_code for _ in range(2)] == [9, 9]
    assert counted.found == [False, True]


def test_the_least_recently_used_go_first_and_bytes_are_bounded() -> None:
    cache = ObjectCache(max_bytes=10)
    cache.put(b"a", b"1234")
    cache.put(b"b", b"1234")
    assert cache.get(b"a") == b"1234"
    cache.put(b"c", b"1234")
    assert [cache.get(key) for key in (b"a", b"b", b"c")] == [b"1234", None, b"1234"]
    cache.put(b"c", b"123456")
    assert [cache.get(key) for key in (b"a", b"c")] == [b"1234", b"123456"]
    cache.put(b"d", b"12345678901")
    assert [cache.get(key) for key in (b"a", b"c", b"d")] == [b"1234", b"123456", None]
    cache.put(b"e", b"1234567890")
    assert [cache.get(key) for key in (b"a", b"c", b"e")] == [None, None, b"1234567890"]


def test_a_forked_process_does_not_wait_for_a_thread_that_it_does_not_have(mixed: bytes) -> None:
    with running.objects._lock:  # as if another thread kept something now
        pid = os.fork()
        if pid == 0:
            signal.alarm(20)
            os._exit(run_program(mixed).exit_code or 0)
    assert os.waitpid(pid, 0)[1] == 0
