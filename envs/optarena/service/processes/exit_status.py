"""How a worker's process ended, the corresponding error, and what was acquired from the system for it."""

from __future__ import annotations

import errno
import os
import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from optarena import errors
from optarena.documents.texts import printable
from optarena.isolation.syscalls import cause, is_foreign

if TYPE_CHECKING:
    from resource import struct_rusage

    from optarena.isolation.limits import ProcessLimits

EXIT_OUT_OF_MEMORY: Final = 75  # the exit code of a worker whose Python ran out of memory

_OUT_OF_MEMORY: Final = ("out of memory", "bad_alloc", "MemoryError", "cannot allocate memory")
_SHOWN_LINES: Final = 5
_TRACEBACK: Final = re.compile(
    r'[ +|-]*(Exception Group )?Traceback \(most recent call last\):| +[ |]*File ".*", line \d+'
)
# A line of OptArena's own log, which does not tell the cause of an error
_LOGGED: Final = re.compile(r"\d{4}-\d\d-\d\d \S+Z [A-Z] optarena[.\w]*\[\d+\]: ")
_BETWEEN_TRACEBACKS: Final = (
    "The above exception was the direct cause of the following exception:",
    "During handling of the above exception, another exception occurred:",
)


@dataclass(frozen=True, slots=True)
class ExitStatus:
    # The end of a process: its exit code, or the number of the signal that killed it.

    code: int | None
    signal: int | None
    cpu_seconds: float | None = field(default=None, compare=False)

    @classmethod
    def from_wait(cls, status: int, usage: struct_rusage) -> ExitStatus:
        number, used = os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime
        return cls(number, None, used) if number >= 0 else cls(None, -number, used)

    @classmethod
    def from_exitcode(cls, number: int) -> ExitStatus:
        return cls(number, None) if number >= 0 else cls(None, -number)

    @property
    def is_foreign(self) -> bool:
        # The end then says nothing about the process's work.
        return is_foreign(self.signal)

    @property
    def ending_text(self) -> str:
        return str(self) if self.signal is None else f"{self} ({cause(self.signal)})"

    def cpu_limit(self, limits: ProcessLimits) -> str:
        # The CPU time that the process was killed for, in words; empty if it was not.
        total = limits.cpu_seconds_total
        if self.signal == signal.SIGPROF:
            return _more_than(limits.cpu_seconds_per_call, "in one unit of work")
        # The kernel kills a process that ignores SIGXCPU at its hard limit.
        used_up = total is not None and self.cpu_seconds is not None and self.cpu_seconds >= total
        if self.signal == signal.SIGXCPU or (self.signal == signal.SIGKILL and used_up):
            return _more_than(total, "in its life")
        return ""

    def __str__(self) -> str:
        if self.signal is None:
            return f"exit code {self.code}"
        try:
            return signal.Signals(self.signal).name
        except ValueError:
            return f"signal {self.signal}"


def ending_error(status: ExitStatus, stderr: str, limits: ProcessLimits) -> errors.ServiceError:
    tail = last_lines(stderr)
    if reached := status.cpu_limit(limits):
        return errors.SessionTimeout(f"The session used {reached}{tail}")
    if status.is_foreign:
        return errors.SessionKilled(
            f"The session's process was killed by {status.ending_text}{tail}", signal=status.signal
        )
    if status.code == EXIT_OUT_OF_MEMORY or says_out_of_memory(stderr):
        return errors.SessionOutOfMemory(
            f"The session reached its memory limit of {limits.memory_bytes} bytes{tail}"
        )
    return errors.SessionCrashed(f"The session's process ended by {status}{tail}", signal=status.signal)


def _more_than(seconds: float | None, during: str) -> str:
    return (
        "more CPU time than allowed" if seconds is None else f"more than {seconds:g} s of CPU time {during}"
    )


def service_ending_error(status: ExitStatus, output: str, name: str) -> errors.ServiceError:
    tail = last_lines(output)
    if status.is_foreign:
        return errors.SessionKilled(f"The service {name} ended by {status}{tail}", signal=status.signal)
    if says_out_of_memory(output):
        return errors.SessionOutOfMemory(f"The service {name} ran out of memory and ended by {status}{tail}")
    return errors.SessionCrashed(f"The service {name} ended by {status}{tail}", signal=status.signal)


def last_lines(output: str) -> str:
    # Of each Python traceback only the last line, the error's type and message: the rest is for the owner of
    # the service.
    told = (line for line in _without_tracebacks(output) if line.strip() and not _LOGGED.match(line))
    lines = list(told)[-_SHOWN_LINES:]
    return f": {' | '.join(lines)}" if lines else ""


def quote_output(output: str) -> str:
    # Marked so that no line looks like one of the log's own.
    return "\n".join(f"    | {printable(line)}" for line in output.splitlines())


def _without_tracebacks(output: str) -> Iterator[str]:
    inside = False
    for line in output.splitlines():
        if _TRACEBACK.match(line):  # the end of the output may begin in the middle of one
            inside = True
        elif not (inside and line.startswith(" ")) and line not in _BETWEEN_TRACEBACKS:
            inside = False
            yield line


def says_out_of_memory(stderr: str) -> bool:
    text = stderr.lower()
    return any(phrase.lower() in text for phrase in _OUT_OF_MEMORY)


def check_owner(owner: int) -> None:
    # `owner` is the process id of the owner.
    if owner != os.getpid():
        raise errors.ServiceClosed(
            f"This service belongs to process {owner} and cannot be used in process {os.getpid()}, "
            "which was forked from it. Make a new environment here."
        )


_USED_UP: Final = frozenset({errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM})


@contextmanager
def acquire_all() -> Iterator[ExitStack]:
    # A stack that gives everything back if the block fails, and nothing otherwise; an error of the system
    # becomes InfrastructureFault.
    with ExitStack() as stack:
        try:
            yield stack
        except OSError as error:
            if isinstance(error, errors.OptArenaError):  # SessionTimeout is both
                raise
            remedy = "Close environments, or raise this process's limits (ulimit -n, ulimit -u)."
            message = f"A process cannot be started: {error}. {remedy if is_used_up(error) else ''}"
            raise errors.InfrastructureFault(message.rstrip()) from error
        stack.pop_all()


def is_used_up(error: BaseException | None) -> bool:
    # Whether an error of the system says that no descriptors, processes or memory are left.
    return isinstance(error, OSError) and error.errno in _USED_UP
