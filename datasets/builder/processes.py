"""Starts what a build runs, compilers and the programs themselves, and ends it: in time, and all together.

Each runs in a session of its own with an environment that is the same on every machine, what it prints goes
to files of limited size, and nothing of its session outlives it.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

MAX_FILE_BYTES: Final = 512 * 1024**2
"""Size of any file that a compiler writes."""
_SAID_BYTES: Final = 64_000


class Stopped(Exception):
    """The build was given up while this worked for it: whatever it found means nothing."""


@dataclass(frozen=True, slots=True)
class ProcessResult:
    """How a process ended.

    Attributes:
        code: Its exit code; negative for the signal that killed it.
        stdout: What it printed.
        stderr: What it said to standard error; the first 64 kB.
        seconds: Wall time that it took.
    """

    code: int
    stdout: bytes
    stderr: bytes
    seconds: float


class Processes:
    """All processes of one build; threads share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopped = False

    def stop(self) -> None:
        """Kills everything that runs, with all that it started; nothing can be started afterwards."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                _kill(process)

    def check(self) -> None:
        """Does nothing while the build goes on.

        Raises:
            Stopped: It was given up.
        """
        if self._stopped:
            raise Stopped

    def run(  # noqa: PLR0913 - what a process is given and allowed; all but the first by name
        self,
        command: Sequence[str | Path],
        *,
        cwd: Path,
        seconds: float,
        env: Mapping[str, str],
        stdin: bytes = b"",
        file_bytes: int = MAX_FILE_BYTES,
        memory_bytes: int = resource.RLIM_INFINITY,
    ) -> ProcessResult:
        """Runs a program to its end.

        Args:
            command: The program's path and its arguments.
            cwd: Where it runs.
            seconds: Wall time that it may take.
            env: Its whole environment.
            stdin: What it can read.
            file_bytes: Size of any file that it writes, and of what it prints; more ends it by ``SIGXFSZ``.
            memory_bytes: Address space of each of its processes.

        Raises:
            TimeoutError: It took longer, and was killed with all that it started.
            Stopped: The build was given up.
            OSError: It cannot be started.
        """
        with (
            tempfile.TemporaryFile() as given,
            tempfile.TemporaryFile() as printed,
            tempfile.TemporaryFile() as said,
        ):
            given.write(stdin)
            given.seek(0)
            start = time.perf_counter()
            process = self._start(command, cwd, env, (given, printed, said))
            spent = self._finish(process, seconds, file_bytes, memory_bytes) - start
            printed.seek(0)
            said.seek(0)
            return ProcessResult(process.returncode, printed.read(file_bytes), said.read(_SAID_BYTES), spent)

    def _finish(
        self, process: subprocess.Popen[bytes], seconds: float, file_bytes: int, memory_bytes: int
    ) -> float:
        """Waits until a process has ended, and ends it where it takes too long; when that was."""
        try:
            _limit(process.pid, seconds, file_bytes, memory_bytes)
            in_time = _wait(process.pid, seconds)
            end = time.perf_counter()
        finally:
            self._end(process)
        self.check()
        if not in_time:
            raise TimeoutError(f"more than {seconds:g} s")
        return end

    def _start(
        self, command: Sequence[str | Path], cwd: Path, env: Mapping[str, str], files: tuple[IO[bytes], ...]
    ) -> subprocess.Popen[bytes]:
        given, printed, said = files
        with self._lock:
            self.check()
            process = subprocess.Popen(  # noqa: S603 - a compiler, or a program of the suite: our own code
                command,
                cwd=cwd,
                env=env,
                stdin=given,
                stdout=printed,
                stderr=said,
                start_new_session=True,
            )
            self._running.add(process)
        return process

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """Ends what is left of a process and its group; until then its number is nobody else's."""
        with self._lock:
            _kill(process)
            process.wait()
            self._running.discard(process)


def tool_environment(folder: Path) -> dict[str, str]:
    """What compilers get: the search path, and what makes them say the same everywhere and at any time.

    Args:
        folder: For their temporary files.
    """
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LC_ALL": "C",
        "TZ": "UTC",
        "SOURCE_DATE_EPOCH": "0",
        "TMPDIR": str(folder),
    }


def _wait(pid: int, seconds: float) -> bool:
    """Waits for a process's end without a poll that would blur its time; whether it came."""
    descriptor = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(seconds * 1000))
    finally:
        os.close(descriptor)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _limit(pid: int, seconds: float, file_bytes: int, memory_bytes: int) -> None:
    """Limits a process just started, and so all that it starts; it may even outlive this one."""
    wanted = {
        resource.RLIMIT_CPU: int(seconds) + 1,
        resource.RLIMIT_FSIZE: file_bytes,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_AS: memory_bytes,
    }
    for kind, value in wanted.items():
        with contextlib.suppress(ProcessLookupError):  # it has ended already
            _, ceiling = resource.prlimit(pid, kind)
            bounds = [one for one in (value, ceiling) if one != resource.RLIM_INFINITY]
            lowered = min(bounds, default=resource.RLIM_INFINITY)
            resource.prlimit(pid, kind, (lowered, ceiling))
