"""Tests of the object files that are kept between runs of a program."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from optarena.llvm import execution
from optarena.llvm.execution import run_program
from optarena.llvm.module import Jit, Module
from optarena.machine_code import execution as running
from optarena.machine_code.execution import ObjectCache
from optarena.machine_code.program import callable_libraries
from optarena.service.client.zygote import Worker, Zygote


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


def test_no_program_runs_in_the_process_that_compiled_it(
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


def test_another_program_is_not_taken_for_it(mixed: bytes, miscompiled: bytes, counted: _Counted) -> None:
    run_program(mixed)
    assert run_program(miscompiled).stdout == b"3781\n"
    with Module.parse(miscompiled) as module:
        module.run("function(structurizecfg)")
        assert run_program(module.bitcode()).stdout != b"3781\n"
    assert counted.found == [False, False, False]


def test_what_does_not_compile_is_told_each_time(counted: _Counted) -> None:
    wanting = b"""target triple = "x86_64-unknown-linux-gnu"
declare void @nowhere()
define i32 @main() {
  call void @nowhere()
  ret i32 0
}
"""
    for _ in range(2):
        assert "nowhere" in (run_program(wanting).failure or "")
    assert counted.found == [False, False]


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


def test_an_object_is_what_the_compiler_links_itself(mixed: bytes) -> None:
    one, two = Jit(), Jit()
    try:
        for jit in (one, two):
            for name in callable_libraries():
                jit.add_library_symbols(Path(name))
        one.add_module(Module.parse(mixed))
        assert one.address("main")
        [code] = one.compiled
        two.add_object(code)
        assert two.address("main")
        assert two.compiled == [code]
    finally:
        one.close()
        two.close()


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


def test_threads_share_the_cache() -> None:
    cache = ObjectCache(max_bytes=1000)

    def work(number: int) -> None:
        for turn in range(300):
            key = bytes([(number + turn) % 7])
            cache.put(key, key * 200)
            assert cache.get(key) in {None, key * 200}

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(len(cache.get(bytes([key])) or b"") for key in range(7)) <= 1000
