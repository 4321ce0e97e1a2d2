"""Running a program to its end, and no longer than allowed, even if it hangs where no signal reaches it."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_KILLED_SECONDS: Final = 10.0
"""Wall time in which a process that is killed ends; one that hangs in a device's driver may never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a program ended.

    Attributes:
        code: Its exit code; minus the signal's number where one killed it.
        printed: Its standard output.
        said: Its standard error.
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
        given: Its standard input.
        environment: Its variables; this process's if None.
        directory: Where it runs; here if None.

    Raises:
        TimeoutError: It did not end in time.
        OSError: It cannot be started.
    """
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as said:
        process = subprocess.Popen(  # noqa: S603 # what the caller names
            command, stdin=subprocess.PIPE, stdout=printed, stderr=said, env=environment, cwd=directory
        )
        try:
            process.communicate(given.encode(), timeout=seconds)
        except subprocess.TimeoutExpired as error:
            raise TimeoutError(f"It did not end within {seconds:g} s.") from error
        finally:
            _end(process)
        texts = []
        for file in (printed, said):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
        return Ended(code=process.returncode, printed=texts[0], said=texts[1])


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process if it still runs, and do not wait for ever."""
    if process.poll() is None:
        process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_KILLED_SECONDS)
