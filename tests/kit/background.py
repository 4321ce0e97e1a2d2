"""Commands that tests need late and that take long: begun early, one after the other, at low priority.

Most tests wait for processes of their own, so that the second processor would be idle. Tests of another
process that need the same command wait for it, and then find what it left.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from tests.kit.folders import ROOT

BUILD_CPP_SERVICE = ("make", "-C", str(ROOT / "examples/cpp_service"), "CXXFLAGS=-O0")
"""Without optimisation: most of it is code that was generated, which takes long."""
MYPY = (str(Path(sys.executable).parent / "mypy"),)
Done = tuple[int, str]
"""Exit code and output."""


class Background:
    """One queue of commands."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="background")
        self._lock = threading.Lock()
        self._running: subprocess.Popen[str] | None = None
        self._ended = False
        self._begun: dict[tuple[str, ...], Future[Done]] = {}

    def begin(self, command: Sequence[str | Path]) -> Future[Done]:
        """Have a command run, once, if it is not yet."""
        words = tuple(map(str, command))
        if words not in self._begun:
            self._begun[words] = self._pool.submit(self._run, words)
        return self._begun[words]

    def result(self, command: Sequence[str | Path]) -> Done:
        return self.begin(command).result()

    @property
    def pid(self) -> int | None:
        """The process of the command that runs; None while none does."""
        running = self._running
        return None if running is None else running.pid

    def end(self) -> None:
        with self._lock:
            self._ended = True
            if self._running is not None:
                self._running.kill()
        self._pool.shutdown(cancel_futures=True)

    def _run(self, words: tuple[str, ...]) -> Done:
        with self._lock:
            if self._ended:
                return -1, "The tests have ended."
            name = hashlib.sha256(repr(words).encode()).hexdigest()[:16]
            alone = ("flock", "--no-fork", str(lock_file(name)))
            # A run that is killed leaves no command behind.
            self._running = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *alone, "nice", *words],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        output, _ = self._running.communicate()
        return self._running.returncode, output


def lock_file(name: str) -> Path:
    """The file by which the processes of a run have something done by one at a time."""
    folder = ROOT / ".pytest_cache"
    folder.mkdir(exist_ok=True)
    return folder / f"{name}.lock"


BACKGROUND = Background()
