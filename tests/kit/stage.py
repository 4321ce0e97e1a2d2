"""Real workers and sweepers on a test's own database, with leases of seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from leaderboard.embedded.process import Process
from runner.models import TERMINAL, State, Verification
from tests.kit.folders import ROOT
from tests.kit.work import history

if TYPE_CHECKING:
    from pathlib import Path


SECONDS = 180
_CELERY = ["-m", "celery", "-A", "leaderboard", "worker", "-Q", "cpu", "-c", "1"]


def eventually(condition: Callable[[], bool], what: str, *processes: Process) -> None:
    until = time.monotonic() + SECONDS
    while not condition():
        logs = "\n".join(process.log_tail() for process in processes)
        assert all(process.running for process in processes), logs
        assert time.monotonic() < until, f"not in {SECONDS} s: {what}\n{logs}"
        time.sleep(0.05)


@dataclass
class Stage:
    """The processes of one test."""

    folder: Path
    environment: dict[str, str]
    processes: list[Process]

    def worker(self, **variables: str) -> Process:
        """A worker, not ready yet; with further environment variables."""
        number = len(self.processes)
        arguments = [*_CELERY, "-n", f"w{number}@%h", "--without-gossip", "--without-mingle", "-l", "INFO"]
        return self._start(f"worker {number}", arguments, variables)

    def sweeper(self, *options: str) -> Process:
        """A sweeper, not in its loop yet; with further options."""
        return self._start("sweeper", [str(ROOT / "manage.py"), "sweeper", *options])

    def _start(
        self, name: str, arguments: list[str], variables: Mapping[str, str] = MappingProxyType({})
    ) -> Process:
        process = Process(
            name=name,
            argv=[sys.executable, *arguments],
            environment={**self.environment, **variables},
            log=self.folder / f"{name}.log",
            options={"cwd": str(ROOT)},
        )
        process.start()
        self.processes.append(process)
        return process


def says(process: Process, words: bytes) -> Callable[[], bool]:
    return lambda: words in process.log.read_bytes()


def state_of(row: Verification) -> str:
    row.refresh_from_db()
    return row.state


def ended_once(row: Verification, state: State = State.RECORDED) -> bool:
    row.refresh_from_db()
    ends = [to for _, to in history(row) if to in TERMINAL]
    return ends == [state] == [row.state]
