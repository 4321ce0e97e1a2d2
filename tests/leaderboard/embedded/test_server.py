"""Ports, and the keeper that ends what outlives its supervisor."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from leaderboard.embedded import EmbeddedError, server
from leaderboard.embedded.orphan_killer import Keeper
from leaderboard.embedded.server import HOST, listen
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


def test_no_free_port_is_an_error_that_names_the_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_PORTS_TRIED", 1)
    with listen(18950) as taken, pytest.raises(EmbeddedError, match="--port"):
        listen(taken.getsockname()[1])


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
    until_gone(group, 20)


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
