"""What is known of a process (progress, output, memory, end), and programs run with a limit."""

from __future__ import annotations

import logging
import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from optarena import logs
from optarena.errors import ServiceError, SessionKilled, SessionTimeout
from optarena.isolation.limits import ProcessLimits
from optarena.service.processes import folders, supervision
from optarena.service.processes.exit_status import ExitStatus, ending_error, last_lines, quote_output
from optarena.service.processes.memory import MemoryWatch, usable_memory
from optarena.service.processes.supervision import NO_UNIT, SharedProgress, progress_file, read_unit

if TYPE_CHECKING:
    from pathlib import Path


def test_what_was_noted_last_is_read() -> None:
    with progress_file() as file:
        session = SharedProgress(file.fileno())
        assert read_unit(file.fileno()) == 0
        for unit in (1, 70_000, 2, 0):
            session.note(unit)
            assert read_unit(file.fileno()) == unit
        session.note(3)
        os.pwrite(file.fileno(), NO_UNIT, 0)
        assert read_unit(file.fileno()) == 0


def test_the_tail_is_the_end() -> None:
    with supervision.stderr_file() as file:
        assert supervision.tail(file) == ""
        file.write(b"a" * 5000 + b"end")
        assert supervision.tail(file) == "a" * 4093 + "end"


def test_a_large_file_is_cut_and_written_on_at_its_end() -> None:
    with supervision.stderr_file() as file:
        file.write(b"a" * (1 << 20))
        supervision.trim(file)
        assert os.fstat(file.fileno()).st_size == 1 << 20
        file.write(b"b")
        supervision.trim(file)
        file.write(b"c")
        assert os.fstat(file.fileno()).st_size == (1 << 16) + 1
        assert supervision.tail(file).endswith("aabc")


def test_what_is_written_is_passed_on_once_while_the_level_asks_for_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    level = logging.getLogger(logs.LOGGER_NAME).level
    with supervision.stderr_file() as file:
        relay = supervision.Relay(file)
        try:
            monkeypatch.setenv(logs.VARIABLE, "1")
            logs.configure()
            file.write(b"first\n")
            relay.trim()
            relay.trim()
            file.write(b"told elsewhere\n")
            relay.skip()
            file.write(b"a" * (1 << 20) + b"\n")
            relay.trim()
            file.write(b"last\n")
            relay.trim()
        finally:
            monkeypatch.setenv(logs.VARIABLE, "0")
            logs.configure()
            logging.getLogger(logs.LOGGER_NAME).setLevel(level)
        file.write(b"silent\n")
        relay.trim()
    said = capsys.readouterr().err.splitlines()
    assert said == ["first", "a" * (1 << 20), "last"]


TRACEBACK = """\
Traceback (most recent call last):
  File "/home/me/secret.py", line 3, in <module>
    raise KeyError("x")
    ~~~~~^^^^^^^^^^^^^^
KeyError: 'x'
"""
CHAINED = f"{TRACEBACK}\nDuring handling of the above exception, another exception occurred:\n\n{TRACEBACK}"


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("", ""),
        ("one\n\n  two\n", ": one |   two"),
        (TRACEBACK, ": KeyError: 'x'"),
        (f"before\n{TRACEBACK}after\n", ": before | KeyError: 'x' | after"),
        (TRACEBACK.split("\n", 1)[1], ": KeyError: 'x'"),
        (CHAINED, ": KeyError: 'x' | KeyError: 'x'"),
        (
            "2026-11-21 17:32:15.502Z D optarena.service.session[8341]: Step: 45 ms\nassert failed\n",
            ": assert failed",
        ),
        ("1\n2\n3\n4\n5\n6\n", ": 2 | 3 | 4 | 5 | 6"),
    ],
)
def test_the_last_lines_are_told_without_tracebacks(output: str, told: str) -> None:
    assert last_lines(output) == told


def test_no_line_of_a_quotation_can_be_taken_for_a_line_of_the_log() -> None:
    assert quote_output("a\n2026 E: fake\x1b[31m\r\n") == "    | a\n    | 2026 E: fake\\x1b[31m"


LIMITS = ProcessLimits(cpu_seconds_per_call=0.5, cpu_seconds_total=7)
UNLIMITED = ProcessLimits(cpu_seconds_per_call=None)


@pytest.mark.parametrize(
    ("number", "used", "limits", "kind", "told"),
    [
        (signal.SIGPROF, 3.0, LIMITS, SessionTimeout, "more than 0.5 s of CPU time in one unit of work"),
        (signal.SIGXCPU, 7.0, LIMITS, SessionTimeout, "more than 7 s of CPU time in its life"),
        (signal.SIGKILL, 8.0, LIMITS, SessionTimeout, "more than 7 s of CPU time in its life"),
        (signal.SIGXCPU, 7.0, UNLIMITED, SessionTimeout, "more CPU time than allowed"),
        (signal.SIGKILL, 6.9, LIMITS, SessionKilled, "SIGKILL"),
        (signal.SIGKILL, None, LIMITS, SessionKilled, "SIGKILL"),
        (signal.SIGKILL, 8.0, UNLIMITED, SessionKilled, "SIGKILL"),
    ],
)
def test_the_limit_on_cpu_time_that_was_reached_is_named(
    number: int, used: float | None, limits: ProcessLimits, kind: type[ServiceError], told: str
) -> None:
    """If nobody knows how much a process used, it was lost with its zygote."""
    error = ending_error(ExitStatus(None, number, used), "", limits)
    assert type(error) is kind
    assert told in str(error)


ENOUGH = "MemTotal: 100000 kB\nMemAvailable: 50000 kB\n"
GROUPS = {
    "v1": ("4:memory:/here\n0::/\n", "sys/fs/cgroup/memory/here/memory.oom_control"),
    "v2": ("0::/here\n", "sys/fs/cgroup/here/memory.events"),
}


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="ascii")


@pytest.fixture(params=GROUPS)
def counter(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The file that counts the kills in this process's group, on a machine with enough memory."""
    groups, counts = GROUPS[request.param]
    write(tmp_path, "proc/self/cgroup", groups)
    write(tmp_path, "proc/meminfo", ENOUGH)
    write(tmp_path, "proc/vmstat", "oom_kill 3\n")
    write(tmp_path, counts, "oom_kill 1\n")
    return counts


def test_a_kill_in_the_own_group_counts_once(tmp_path: Path, counter: str) -> None:
    watch = MemoryWatch(tmp_path)
    write(tmp_path, counter, "oom_kill 2\n")
    write(tmp_path, "proc/vmstat", "oom_kill 4\n")
    assert watch.shortage() == "the kernel killed 1 processes because memory ran out"


def test_a_kill_in_another_group_is_the_machines(tmp_path: Path, counter: str) -> None:
    watch = MemoryWatch(tmp_path)
    write(tmp_path, "proc/vmstat", "oom_kill 9\n")
    assert watch.shortage(own=True) == ""
    assert watch.shortage() == "the kernel killed 6 processes because memory ran out"


def test_without_a_count_of_the_group_the_machine_has_one(tmp_path: Path, counter: str) -> None:
    (tmp_path / counter).unlink()
    watch = MemoryWatch(tmp_path)
    write(tmp_path, "proc/vmstat", "oom_kill 5\n")
    assert watch.shortage(own=True) == "the kernel killed 2 processes because memory ran out"


def test_a_machine_without_memory_is_short_of_it(tmp_path: Path, counter: str) -> None:
    watch = MemoryWatch(tmp_path)
    write(tmp_path, "proc/meminfo", "MemTotal: 100000 kB\nMemAvailable: 1000 kB\n")
    assert watch.shortage() == "only 1000 of 100000 KiB of memory are available"


def test_a_machine_that_waits_for_memory_is_short_of_it(tmp_path: Path, counter: str) -> None:
    watch = MemoryWatch(tmp_path)
    write(tmp_path, "proc/pressure/memory", "some avg10=90.00 total=1\nfull avg10=42.50 total=1\n")
    assert watch.shortage() == "all processes waited for memory 42.5 % of the time"


@pytest.mark.parametrize(
    ("groups", "limits", "expected"),
    [
        ("0::/a/b\n", {}, 1024_000),
        ("0::/a/b\n", {"a/b/memory.max": "max", "a/memory.max": "5000"}, 5000),
        ("0::/\n", {"memory.max": "6000"}, 6000),
        ("4:memory:/a\n", {"memory/a/memory.limit_in_bytes": "9223372036854771712"}, 1024_000),
        ("4:memory:/of/the/host\n", {"memory/memory.limit_in_bytes": "7000"}, 7000),
    ],
)
def test_the_memory_is_the_machines_or_that_of_a_group(
    tmp_path: Path, groups: str, limits: dict[str, str], expected: int
) -> None:
    assert usable_memory(tmp_path) == 0
    write(tmp_path, "proc/self/cgroup", groups)
    write(tmp_path, "proc/meminfo", "MemTotal: 1000 kB\n")
    for name, limit in limits.items():
        write(tmp_path, f"sys/fs/cgroup/{name}", f"{limit}\n")
    assert usable_memory(tmp_path) == expected


def test_where_the_kernel_says_nothing_nothing_is_claimed(tmp_path: Path) -> None:
    assert MemoryWatch(tmp_path).shortage() == ""


def test_it_gives_what_a_program_printed_and_how_it_ended() -> None:
    program = (
        "import os, sys; os.write(1, b'in: \\xff ' + sys.stdin.read().encode());"
        "sys.stderr.write('last words'); sys.exit(3)"
    )
    ended = folders.run([sys.executable, "-c", program], seconds=60, given="text", environment={})
    assert ended == folders.Ended(code=3, printed="in: \ufffd text", said="last words")


def test_one_that_hangs_is_killed() -> None:
    with pytest.raises(TimeoutError, match=r"within 0\.5 s"):
        folders.run([sys.executable, "-c", "import time; time.sleep(600)"], seconds=0.5)


@pytest.mark.soak
def test_the_time_may_begin_anew_with_each_output() -> None:
    program = "import time\nfor one in '123': print(one, flush=True); time.sleep(2)"
    command = [sys.executable, "-c", program]
    assert folders.run(command, seconds=4, anew=True).printed == "1\n2\n3\n"
    with pytest.raises(folders.NotInTime) as caught:
        folders.run(command, seconds=4)
    assert "1\n2\n3\n".startswith(caught.value.printed)
    hangs = "print('begun', flush=True)\nwhile True: pass"
    with pytest.raises(folders.NotInTime) as caught:
        folders.run([sys.executable, "-c", hangs], seconds=4, anew=True)
    assert caught.value.printed == "begun\n"


def test_one_that_does_not_read_is_not_waited_for() -> None:
    assert folders.run([sys.executable, "-c", ""], seconds=60, given="x" * 1_000_000).code == 0
