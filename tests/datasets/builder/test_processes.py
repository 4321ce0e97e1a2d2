"""What a build starts ends with it: after an error, an interrupt, too much time or too much output."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from datasets.builder.build import build_program, build_suite
from datasets.builder.files import DatasetRefused
from datasets.builder.measuring import work_on
from datasets.builder.toolchain import Processes, Stopped
from tests.kit.folders import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from datasets.builder.build import Workshop
    from datasets.builder.suite import Program

ENDLESS = """
int printf(const char *, ...);
int main(int argc, char **argv) { (void)argv; for (;;) printf("again %d\\n", argc); return 0; }
"""


def alive(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def ended(pid: int) -> bool:
    deadline = time.monotonic() + 10
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(pid)


def child_of(file: Path) -> int:
    """The number that a shell wrote of what it started."""
    deadline = time.monotonic() + 10
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
    thread.join(10)
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


def test_a_program_of_endless_output_is_refused(
    make_program: Callable[[str], Program], native: Workshop
) -> None:
    with pytest.raises(DatasetRefused) as caught:
        build_program(make_program(ENDLESS), native)
    assert "workload run1: at O0 it prints 1000000 bytes or more" in str(caught.value)


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
