"""Runs a program with a time limit, even if it hangs where no signal reaches it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_KILLED_SECONDS: Final = 10.0
"""Wall time for a killed process to end; one that hangs in a device driver may never end."""
_LOOK_SECONDS: Final = 0.25
"""How often it is looked whether a program has printed more."""


class NotInTime(TimeoutError):
    """A program did not end, or print more, in time, and was killed.

    Attributes:
        printed: What it had printed.
    """

    def __init__(self, seconds: float, printed: str) -> None:
        super().__init__(f"The program did not end within {seconds:g} s.")
        self.printed = printed


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a program ended.

    Attributes:
        code: The exit code, or minus the number of the signal that killed the program.
        printed: The program's standard output.
        said: The program's standard error.
    """

    code: int
    printed: str
    said: str


def run(  # noqa: PLR0913 # all but the command by name
    command: Sequence[str],
    *,
    seconds: float,
    given: str = "",
    environment: Mapping[str, str] | None = None,
    directory: str | None = None,
    starts_others: bool = False,
    anew: bool = False,
) -> Ended:
    """Run a program.

    Args:
        command: The program and its arguments.
        seconds: Wall time after which it is killed.
        given: The standard input.
        environment: The environment variables; this process's if None.
        directory: The working directory; this process's if None.
        starts_others: Whether it starts processes that must not outlive its time: they are killed with it.
        anew: Whether the time begins anew whenever the program has printed something.

    Raises:
        NotInTime: The program did not end in time.
        OSError: The program cannot be started.
    """
    with _file(given) as stdin, _file() as printed, _file() as said:
        process = subprocess.Popen(  # noqa: S603 # what the caller names
            command,
            stdin=stdin,
            stdout=printed,
            stderr=said,
            env=environment,
            cwd=directory,
            process_group=0 if starts_others else None,
        )
        clock = _Clock(seconds, printed if anew else None)
        if not _ended(process, clock, with_others=starts_others):
            raise NotInTime(seconds, _text(printed))
        return Ended(code=process.returncode, printed=_text(printed), said=_text(said))


class _Clock:
    """The time that is left, which begins anew whenever a file has grown."""

    def __init__(self, seconds: float, file: IO[bytes] | None) -> None:
        self._seconds, self._file, self._size = seconds, file, 0
        self._until = time.monotonic() + seconds

    def look(self) -> float:
        """Seconds until it must be looked again; 0 if none is left."""
        if self._file is None:
            return max(0.0, self._until - time.monotonic())
        size = os.fstat(self._file.fileno()).st_size
        if size > self._size:
            self._size, self._until = size, time.monotonic() + self._seconds
        return max(0.0, min(_LOOK_SECONDS, self._until - time.monotonic()))


def _ended(process: subprocess.Popen[bytes], clock: _Clock, *, with_others: bool) -> bool:
    """Whether a program ended in its time; else it is killed."""
    try:
        while seconds := clock.look():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
                return True
        return process.poll() is not None
    finally:
        _end(process, with_others=with_others)


def _file(content: str = "") -> IO[bytes]:
    file = tempfile.TemporaryFile()  # noqa: SIM115 # the caller closes it
    file.write(content.encode())
    file.seek(0)
    return file


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def _end(process: subprocess.Popen[bytes], *, with_others: bool) -> None:
    """Kill the process if it still runs, with its group if it has one, and wait a limited time."""
    if process.poll() is None:
        if with_others:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_KILLED_SECONDS)
