"""Replays share a machine, and one that is repeated may have it for itself."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from optarena import file_locks
from runner.errors import LeaseLostError, MachineBusyError, MachineLockError
from runner.machines import machine_use
from runner.machines.machine_use import LoadReading
from tests.kit.folders import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django import Settings

HOLD = """
import sys
from contextlib import ExitStack
from runner.machines import machine_use
with machine_use.beside_others(check=lambda: None):
    print("held", flush=True)
    sys.stdin.read()
"""


def unchecked() -> None:
    """The wait may go on."""


@contextmanager
def another_replay() -> Iterator[subprocess.Popen[str]]:
    """A replay of another process of this machine."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def busy_processes() -> Iterator[None]:
    """More processes that compute than the machine has processors."""
    spin = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(spin) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_replays_run_side_by_side() -> None:
    with another_replay(), machine_use.beside_others(check=unchecked):
        assert not machine_use.is_taken()


def test_nobody_is_alone_beside_another_replay(settings: Settings) -> None:
    settings.OPTARENA_IDLE_WAIT_SECONDS = 1
    with another_replay():
        with pytest.raises(MachineBusyError, match="Other replays ran"), machine_use.alone(check=unchecked):
            pass
        assert not machine_use.is_taken(), "the wait has left nothing"


def test_the_end_of_a_process_frees_the_machine() -> None:
    with another_replay() as other:
        other.kill()
        with machine_use.alone(check=unchecked):
            assert machine_use.is_taken()
    assert not machine_use.is_taken()


def test_who_waits_to_be_alone_comes_before_those_that_begin_later() -> None:
    order: list[str] = []

    def lonely() -> None:
        with machine_use.alone(check=unchecked):
            order.append("alone")

    def sociable() -> None:
        with machine_use.beside_others(check=unchecked):
            order.append("beside others")

    first, second = threading.Thread(target=lonely), threading.Thread(target=sociable)
    with machine_use.beside_others(check=unchecked):
        first.start()
        while not machine_use.is_taken():
            time.sleep(0.01)
        second.start()
        second.join(0.3)
        assert order == []
    first.join()
    second.join()
    assert order == ["alone", "beside others"]


def test_a_lost_lease_ends_every_wait() -> None:
    def lost() -> None:
        raise LeaseLostError("it is lost")

    with another_replay(), pytest.raises(LeaseLostError), machine_use.alone(check=lost):
        pass
    with (
        machine_use.alone(check=unchecked),
        pytest.raises(LeaseLostError),
        machine_use.beside_others(check=lost),
    ):
        pass
    assert not machine_use.is_taken()


def test_a_busy_machine_is_not_idle(settings: Settings) -> None:
    settings.OPTARENA_IDLE_PRESSURE, settings.OPTARENA_IDLE_WAIT_SECONDS = 1, 1
    with (
        busy_processes(),
        pytest.raises(MachineBusyError, match="Processes waited for a processor"),
        machine_use.alone(check=unchecked),
    ):
        pass


def test_busy_processes_show_in_the_share() -> None:
    with busy_processes():
        before = LoadReading.take()
        time.sleep(1)
        assert 20 < LoadReading.take().busy_since(before) <= 100


@pytest.mark.parametrize(("load", "share"), [(0.0, 0.0), (1.0, 0.0), (1000.0, 100.0)])
def test_without_the_kernels_word_the_load_average_counts(load: float, share: float) -> None:
    """An idle machine has the replay itself at most."""
    assert LoadReading(2.0, None, load).busy_since(LoadReading(1.0, None, 0.0)) == share


@pytest.mark.parametrize("folder", ["locks", "/nowhere/at/all", "/dev/null"])
def test_a_folder_that_cannot_be_used_is_named_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.setenv(file_locks.VARIABLE, folder)
    with (
        pytest.raises(MachineLockError, match=r"\$OPTARENA_LOCKS"),
        machine_use.beside_others(check=unchecked),
    ):
        pass


def test_a_link_in_the_way_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(file_locks.VARIABLE, str(tmp_path))
    (tmp_path / "optarena-replays.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(MachineLockError), machine_use.beside_others(check=unchecked):
        pass
    assert not (tmp_path / "elsewhere").exists()
