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


def run(
    command: Sequence[str],
    *,
    seconds: float,
    given: str = "",
    environment: Mapping[str, str] | None = None,
    directory: str | None = None,
) -> Ended:
    """Run a program.

    Args:
        command: The program and its arguments.
        seconds: Wall time after which it is killed.
        given: The standard input.
        environment: The environment variables; this process's if None.
        directory: The working directory; this process's if None.

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
            process_group=0,  # it may start others, which must not outlive its time
        )
        try:
            process.communicate(given.encode(), timeout=seconds)
        except subprocess.TimeoutExpired as error:
            raise TimeoutError(f"The program did not end within {seconds:g} s.") from error
        finally:
            _end(process)
        return Ended(code=process.returncode, printed=_text(printed), said=_text(said))


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and those of its group if it still runs, and wait a limited time."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_KILLED_SECONDS)
