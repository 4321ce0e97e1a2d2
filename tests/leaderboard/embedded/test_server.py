"""Ports, the keeper that ends what outlives its supervisor, and what is started again or given up."""

from __future__ import annotations

import errno
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from leaderboard.embedded import EmbeddedError, EmbeddedStack, server
from leaderboard.embedded.orphan_killer import Keeper
from leaderboard.embedded.process import Process
from leaderboard.embedded.server import HOST, RESTARTS, Server, Supervised, Supervisor, listen
from tests.kit.folders import ROOT

STUBBORN = """import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.fork()
print("ready", flush=True)
time.sleep(600)
"""
SUPERVISOR = f"""
import subprocess, sys, time
from leaderboard.embedded.orphan_killer import Keeper
keeper = Keeper()
child = subprocess.Popen([sys.executable, "-c", {STUBBORN!r}], stdout=subprocess.PIPE, start_new_session=True)
child.stdout.readline(), child.stdout.readline()
keeper.watch(child.pid)
print(child.pid, flush=True)
time.sleep(600)
"""


def test_a_taken_port_is_answered_with_the_next_one() -> None:
    with listen(18950) as first, listen(first.getsockname()[1]) as second:
        assert second.getsockname()[1] > first.getsockname()[1]


def test_the_port_is_ours_from_the_moment_it_is_named() -> None:
    with listen(18950) as ours, socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with pytest.raises(OSError, match="in use"):
            other.bind((HOST, ours.getsockname()[1]))


def test_a_port_that_cannot_be_had_is_an_error_that_names_the_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_PORTS_TRIED", 1)
    with listen(18950) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(EmbeddedError, match="--port"):
            listen(port)
        with pytest.raises(EmbeddedError, match=f"Port {port} is taken; .*--port"):
            listen(port, or_after=False)
    monkeypatch.setattr(server, "HOST", "192.0.2.1")
    with pytest.raises(EmbeddedError, match=r"Port 18950 cannot be used: Cannot assign .*--port"):
        listen(18950)


def alive(group: int) -> bool:
    """Whether anything of a process group runs (a zombie does not)."""
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z" and int(fields[2]) == group:
            return True
    return False


def until_gone(group: int, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while alive(group):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_what_ignores_every_wish_does_not_outlive_a_killed_supervisor() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", SUPERVISOR], stdout=subprocess.PIPE, text=True, env=environment
    ) as supervisor:
        assert supervisor.stdout is not None
        group = int(supervisor.stdout.readline())
        assert alive(group)
        supervisor.kill()
    until_gone(group, 60)


@pytest.fixture
def ctrl_c() -> Iterator[Callable[..., object]]:
    """Has Ctrl-C pressed after some seconds, and once more after so many others, if they are given."""
    pressed = count(1)

    def interrupt(*_: object) -> None:
        if next(pressed) == 2:
            signal.setitimer(signal.ITIMER_REAL, 0)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    yield partial(signal.setitimer, signal.ITIMER_REAL)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def busy(name: str, log: Path, keeper: Keeper | None = None) -> Process:
    argv = [sys.executable, "-c", STUBBORN]
    process = Process(name=name, argv=argv, environment={}, log=log, stop_seconds=60, keeper=keeper)
    process.start()
    process.wait_until(lambda: log.read_text().count("ready") == 2, seconds=60)
    return process


def test_a_second_interrupt_leaves_nothing_running(open_folder: Path, ctrl_c: Callable[..., object]) -> None:
    stack = EmbeddedStack(open_folder / "state")
    serves = Server(stack, listener=listen(18950))
    serves._keeper = Keeper()
    names = ("web", "worker", "sweeper")
    processes = [busy(name, open_folder / name, serves._keeper) for name in names]
    serves.web, serves.worker, serves.sweeper = processes
    ctrl_c(0.5)
    with pytest.raises(KeyboardInterrupt):
        serves.stop()
    assert not any(alive(one.pid) for one in processes)
    stack.stop()


def test_the_state_folder_is_held_until_servers_end(open_folder: Path, ctrl_c: Callable[..., object]) -> None:
    stack = EmbeddedStack(open_folder / "state")
    stack.valkey.process = busy("Valkey", open_folder / "valkey")
    stack.postgres.process = busy("PostgreSQL", open_folder / "postgres")
    ended = []
    release = stack.folder.release
    stack.folder.release = lambda: ended.append(  # type: ignore[method-assign]
        not alive(stack.valkey.process.pid) and not alive(stack.postgres.process.pid)
    )
    ctrl_c(0.5, 1.0)
    with pytest.raises(KeyboardInterrupt):
        stack.stop()
    assert ended == [True]
    release()


def test_what_has_ended_is_left_alone() -> None:
    keeper = Keeper()
    other = subprocess.Popen(
        [sys.executable, "-c", STUBBORN], stdout=subprocess.DEVNULL, start_new_session=True
    )
    keeper.watch(other.pid)
    keeper.forget(other.pid)
    keeper.close()
    assert alive(other.pid)
    os.killpg(other.pid, signal.SIGKILL)
    other.wait()


def test_a_killed_keeper_does_not_stop_the_supervisor() -> None:
    keeper = Keeper()
    keeper._process.kill()
    keeper._process.wait()
    for number in range(3):
        keeper.watch(number + 2**30)
    keeper.close()


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


def test_the_log_of_a_running_process_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_group_that_was_killed_is_not_killed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    process = Process(name="one", argv=[sys.executable, "-c", ""], environment={}, log=tmp_path / "log")
    killed: list[int] = []
    monkeypatch.setattr(os, "killpg", lambda pid, _: killed.append(pid))
    for number in (1, 2):
        process.start()
        process.wait_until(lambda: not process.running, seconds=60)
        process.kill()
        process.stop()
        assert len(killed) == number
