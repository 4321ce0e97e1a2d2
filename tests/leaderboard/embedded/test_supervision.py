"""What ends is started again, each process by its own count; what ends for good is given up, alone."""

from __future__ import annotations

import errno
import os
import re
import sys
import time
from typing import TYPE_CHECKING

import pytest

from leaderboard.embedded import server
from leaderboard.embedded.process import Process
from leaderboard.embedded.server import RESTARTS, Supervised, Supervisor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LIVES = "import time; time.sleep(600)"
DIES = "print('no such folder'); raise SystemExit(3)"


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[dict[str, Process]]:
    made = {
        name: Process(
            name=name, argv=[sys.executable, "-c", code], environment={}, log=tmp_path / f"{name}.log"
        )
        for name, code in {"web": LIVES, "worker": DIES, "sweeper": LIVES}.items()
    }
    for process in made.values():
        process.start()
    yield made
    for process in made.values():
        process.kill()


@pytest.fixture
def supervisor(
    processes: dict[str, Process], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Supervisor, Path]:
    monkeypatch.setattr(server, "_FIRST_PAUSE_SECONDS", 0.05)
    file = tmp_path / "given-up"
    return Supervisor([Supervised(one, one.start) for one in processes.values()], file), file


def test_a_full_disk_ends_nothing_else(
    processes: dict[str, Process], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the file of what was given up nor a log can be written."""
    monkeypatch.setattr(server, "_FIRST_PAUSE_SECONDS", 0.0)

    def start() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    watched = [Supervised(one, start if name == "worker" else one.start) for name, one in processes.items()]
    supervises = Supervisor(watched, tmp_path / "no folder" / "given-up")
    said: list[str] = []
    until = time.monotonic() + 120
    while not any("could not be written: No such file" in line for line in said):
        assert time.monotonic() < until
        supervises.check(said.append)
        time.sleep(0.02)
    assert any("No space left on device" in line for line in said)
    assert [one.given_up for one in watched] == [name == "worker" for name in processes]
    assert processes["web"].running


def test_a_process_that_ends_for_good_is_given_up_and_the_others_go_on(
    processes: dict[str, Process], supervisor: tuple[Supervisor, Path]
) -> None:
    supervises, file = supervisor
    said: list[str] = []
    until = time.monotonic() + 120
    while not file.exists():
        assert time.monotonic() < until
        supervises.check(said.append)
        time.sleep(0.02)
    assert file.read_text() == "worker\n"
    assert sum("it is being restarted" in line for line in said) == RESTARTS
    assert "worker ended with exit code 3" in said[-2]
    assert "given up" in said[-2]
    assert "no such folder" in said[-1]
    # A kill of another one afterwards is answered as the first.
    processes["web"].kill()
    supervises.check(said.append)
    assert said[-1] == "web was ended by SIGKILL; it is being restarted"
    assert processes["web"].running
    assert processes["sweeper"].running
    assert not processes["worker"].running


def test_many_deaths_of_different_processes_end_nothing(
    processes: dict[str, Process], supervisor: tuple[Supervisor, Path]
) -> None:
    supervises, file = supervisor
    said: list[str] = []
    for name in ["web", "sweeper"] * RESTARTS:
        processes[name].kill()
        until = time.monotonic() + 120
        while not processes[name].running:
            assert time.monotonic() < until
            supervises.check(said.append)
            time.sleep(0.02)
    assert not file.exists() or file.read_text() == "worker\n"
    assert processes["web"].running
    assert processes["sweeper"].running


def test_the_log_of_a_running_process_does_not_grow_without_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.embedded.process._LOG_BYTES", 10_000)
    code = "import time\nfor i in range(100_000): print(f'line {i}', flush=True); time.sleep(i > 5000)"
    web = Process(name="web", argv=[sys.executable, "-c", code], environment={}, log=tmp_path / "web.log")
    supervises = Supervisor([Supervised(web, web.start)], tmp_path / "given-up")
    web.start()
    web.wait_until(lambda: "line 5001\n" in web.log.read_text(), seconds=60)
    supervises.check(print)
    kept = tmp_path / "web.log.1"
    assert kept.stat().st_size == 10_000
    assert re.search(r"line 50\d\d\n$", kept.read_text())
    web.wait_until(lambda: web.log.stat().st_size > 0, seconds=60)
    assert web.log.read_text().startswith("line 50")
    web.kill()
    # Where nothing can be kept, the room is what counts.
    kept.unlink()
    kept.mkdir()
    web.log.write_text("x" * 20_000)
    supervises.check(print)
    assert web.log.stat().st_size < 10_000
    web.kill()


def test_a_new_supervisor_tries_what_was_given_up(processes: dict[str, Process], tmp_path: Path) -> None:
    file = tmp_path / "given-up"
    file.write_text("web\n")
    Supervisor([Supervised(one, one.start) for one in processes.values()], file)
    assert not file.exists()


def test_the_number_of_a_group_that_was_killed_is_not_used_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = Process(name="one", argv=[sys.executable, "-c", ""], environment={}, log=tmp_path / "log")
    killed: list[int] = []
    monkeypatch.setattr(os, "killpg", lambda pid, _: killed.append(pid))
    for number in (1, 2):
        process.start()
        process.wait_until(lambda: not process.running, seconds=60)
        process.kill()
        process.stop()
        assert len(killed) == number
