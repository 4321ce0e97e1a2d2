"""Runs a program with a time limit, even if it hangs where no signal reaches it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_KILLED_SECONDS: Final = 10.0
"""Wall time for a killed process to end; one that hangs in a device driver may never end."""


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
) -> Ended:
    """Run a program.

    Args:
        command: The program and its arguments.
        seconds: Wall time after which it is killed.
        given: The standard input.
        environment: The environment variables; this process's if None.
        directory: The working directory; this process's if None.
        starts_others: Whether it starts processes that must not outlive its time: they are killed with it.

    Raises:
        TimeoutError: The program did not end in time.
        OSError: The program cannot be started.
    """
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as said:
        process = subprocess.Popen(  # noqa: S603 # what the caller names
            command,
            stdin=subprocess.PIPE,
            stdout=printed,
            stderr=said,
            env=environment,
            cwd=directory,
            process_group=0 if starts_others else None,
        )
        _wait(process, given, seconds, with_others=starts_others)
        return Ended(code=process.returncode, printed=_text(printed), said=_text(said))


def _wait(process: subprocess.Popen[bytes], given: str, seconds: float, *, with_others: bool) -> None:
    try:
        process.communicate(given.encode(), timeout=seconds)
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(f"The program did not end within {seconds:g} s.") from error
    finally:
        _end(process, with_others=with_others)


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
