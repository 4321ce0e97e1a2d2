"""How a worker's process ended, and the corresponding error."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import io
import mmap
import os
import re
import resource
import signal
import struct
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from optarena import logs
from optarena.documents.texts import printable
from optarena.errors import (
    InfrastructureFault,
    OptArenaError,
    ServiceClosed,
    ServiceError,
    SessionCrashed,
    SessionKilled,
    SessionOutOfMemory,
    SessionTimeout,
)
from optarena.isolation.syscalls import cause, is_foreign

if TYPE_CHECKING:
    from collections.abc import Iterator
    from resource import struct_rusage

    from optarena.isolation.limits import ProcessLimits

EXIT_OUT_OF_MEMORY: Final = 75
"""Exit code of a worker whose Python ran out of memory."""

_OUT_OF_MEMORY: Final = ("out of memory", "bad_alloc", "MemoryError", "cannot allocate memory")
_SHOWN_LINES: Final = 5
_TRACEBACK: Final = re.compile(
    r'[ +|-]*(Exception Group )?Traceback \(most recent call last\):| +[ |]*File ".*", line \d+'
)
_LOGGED: Final = re.compile(r"\d{4}-\d\d-\d\d \S+Z [A-Z] optarena[.\w]*\[\d+\]: ")
"""A line of OptArena's own log, which does not tell the cause of an error."""
_BETWEEN_TRACEBACKS: Final = (
    "The above exception was the direct cause of the following exception:",
    "During handling of the above exception, another exception occurred:",
)


@dataclass(frozen=True, slots=True)
class ExitStatus:
    """The end of a process: its exit code, or the number of the signal that killed it.

    Attributes:
        code: Exit code; None if a signal ended it.
        signal: The signal; None if it ended by itself.
        cpu_seconds: CPU time that it used in its life; None if unknown.
    """

    code: int | None
    signal: int | None
    cpu_seconds: float | None = field(default=None, compare=False)

    @classmethod
    def from_wait(cls, status: int, usage: struct_rusage) -> ExitStatus:
        """From what ``wait4`` gives."""
        number, used = os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime
        return cls(number, None, used) if number >= 0 else cls(None, -number, used)

    @classmethod
    def from_exitcode(cls, number: int) -> ExitStatus:
        """From an exit code, or the negative number of a signal."""
        return cls(number, None) if number >= 0 else cls(None, -number)

    @property
    def is_foreign(self) -> bool:
        """Whether somebody else ended the process, which then says nothing about its work."""
        return is_foreign(self.signal)

    @property
    def told(self) -> str:
        """How the process ended, with the usual cause of a signal."""
        return str(self) if self.signal is None else f"{self} ({cause(self.signal)})"

    def cpu_limit(self, limits: ProcessLimits) -> str:
        """The CPU time that the process was killed for, in words; empty if it was not."""
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


def ending_error(status: ExitStatus, stderr: str, limits: ProcessLimits) -> ServiceError:
    """The error for a session's unexpected end, with its last lines of output."""
    tail = last_lines(stderr)
    if reached := status.cpu_limit(limits):
        return SessionTimeout(f"The session used {reached}{tail}")
    if status.is_foreign:
        return SessionKilled(f"The session's process was killed by {status.told}{tail}", signal=status.signal)
    if status.code == EXIT_OUT_OF_MEMORY or says_out_of_memory(stderr):
        return SessionOutOfMemory(
            f"The session reached its memory limit of {limits.memory_bytes} bytes{tail}"
        )
    return SessionCrashed(f"The session's process ended by {status}{tail}", signal=status.signal)


def _more_than(seconds: float | None, during: str) -> str:
    return (
        "more CPU time than allowed" if seconds is None else f"more than {seconds:g} s of CPU time {during}"
    )


def service_ending_error(status: ExitStatus, output: str, name: str) -> ServiceError:
    """The error for the unexpected end of a whole service, with its last lines of output."""
    tail = last_lines(output)
    if status.is_foreign:
        return SessionKilled(f"The service {name} ended by {status}{tail}", signal=status.signal)
    if says_out_of_memory(output):
        return SessionOutOfMemory(f"The service {name} ran out of memory and ended by {status}{tail}")
    return SessionCrashed(f"The service {name} ended by {status}{tail}", signal=status.signal)


def last_lines(output: str) -> str:
    """The last lines of a process's output, to append to a message; empty if there are none.

    Of each Python traceback they contain only the last line, the error's type and message: the rest is for
    the owner of the service.
    """
    told = (line for line in _without_tracebacks(output) if line.strip() and not _LOGGED.match(line))
    lines = list(told)[-_SHOWN_LINES:]
    return f": {' | '.join(lines)}" if lines else ""


def quoted(output: str) -> str:
    """A process's output for a log, marked so that no line looks like one of the log's own."""
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
    """Whether the output of a process tells that it had no memory left."""
    text = stderr.lower()
    return any(phrase.lower() in text for phrase in _OUT_OF_MEMORY)


_BASE: Final = 10**15
"""Above any limit in real use: in microseconds, 30 years."""


def mark(pid: int, number: int) -> None:
    """Mark a process and all its future descendants.

    Args:
        pid: One of this user's processes.
        number: The worker's number; more than 0.
    """
    try:
        _, hard = resource.prlimit(pid, resource.RLIMIT_RTTIME)
        resource.prlimit(pid, resource.RLIMIT_RTTIME, (_BASE + number, hard))
    except (OSError, ValueError):  # it has ended, or the hard limit is in use: descendants stay unmarked
        return


def unmark() -> None:
    """Remove the mark of this process, which is to become a worker itself."""
    _, hard = resource.getrlimit(resource.RLIMIT_RTTIME)
    resource.setrlimit(resource.RLIMIT_RTTIME, (hard, hard))


def worker_of(pid: int) -> int | None:
    """The number of the worker that a process is or descends from; None if unknown."""
    try:
        soft, _ = resource.prlimit(pid, resource.RLIMIT_RTTIME)
    except OSError:  # it has ended, or belongs to another user now
        return None
    return soft - _BASE if soft > _BASE else None


def children() -> set[int]:
    """The children of this process, which has only one thread; empty if the kernel does not list them."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:  # noqa: PTH123 # pathlib is slow to import
            return {int(pid) for pid in file.read().split()}
    except FileNotFoundError:
        return set()


def check_owner(owner: int) -> None:
    """Refuse use by a process forked from the owner's.

    Args:
        owner: Process id of the owner.

    Raises:
        ServiceClosed: The message says what to do instead.
    """
    if owner != os.getpid():
        raise ServiceClosed(
            f"This service belongs to process {owner} and cannot be used in process {os.getpid()}, "
            "which was forked from it. Make a new environment here."
        )


_TAIL_BYTES: Final = 4096
_KEPT_BYTES: Final = 1 << 16
_MOST_BYTES: Final = 1 << 20


class Relay:
    """Copies a process's output to this process's standard error, if the debug level says so."""

    def __init__(self, file: io.FileIO) -> None:
        self._file = file
        self._passed = 0

    def pass_on(self) -> None:
        """Copy the new output."""
        if logs.level() == 0 or self._file.closed:
            return
        size = os.fstat(self._file.fileno()).st_size
        if size < self._passed:  # it was cut meanwhile
            self._passed = 0
        if size > self._passed:
            logs.relay(os.pread(self._file.fileno(), size - self._passed, self._passed))
            self._passed = size

    def trim(self) -> None:
        """Copy the new output, then cut the file if it is long."""
        self.pass_on()
        if trim(self._file):
            self.skip()

    def skip(self) -> None:
        """Do not copy the present output: it is reported in another way."""
        self._passed = os.fstat(self._file.fileno()).st_size


def stderr_file() -> io.FileIO:
    """A file in memory for the standard error of a worker; it is freed when the last process closes it."""
    descriptor = os.memfd_create("stderr")
    fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_APPEND)  # so that it can be cut while it is written
    return io.FileIO(descriptor, "r+")


def tail(file: io.FileIO, most: int = _TAIL_BYTES) -> str:
    """The last bytes of such a file, as text; a process may write to it meanwhile."""
    return _tail(file, most).decode(errors="replace")


def trim(file: io.FileIO) -> bool:
    """Cut a file of more than 1 MiB down to its last 64 KiB; returns whether that was done."""
    if os.fstat(file.fileno()).st_size <= _MOST_BYTES:
        return False
    kept = _tail(file, _KEPT_BYTES)
    os.ftruncate(file.fileno(), 0)
    os.write(file.fileno(), kept)
    return True


def _tail(file: io.FileIO, most: int) -> bytes:
    start = max(0, os.fstat(file.fileno()).st_size - most)
    return os.pread(file.fileno(), most, start)


_NUMBER: Final = struct.Struct("<Q")
NO_UNIT: Final = _NUMBER.pack(0)
"""What a progress file holds before the first unit of a call's work, which has the number 1."""


def progress_file() -> io.FileIO:
    """A file in memory for the number; it is freed when the last process closes it."""
    file = io.FileIO(os.memfd_create("progress"), "r+")
    file.truncate(_NUMBER.size)
    return file


class SharedProgress:
    """The session's end of such a file, mapped into the memory of its process.

    Args:
        descriptor: The file, which may be closed afterwards.

    Attributes:
        address: Where the number is, as 8 bytes, for as long as this object exists.
    """

    def __init__(self, descriptor: int) -> None:
        self._memory = mmap.mmap(descriptor, _NUMBER.size)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))

    def note(self, unit: int) -> None:
        """Record that this unit of the call's work begins."""
        _NUMBER.pack_into(self._memory, 0, unit)


def noted(descriptor: int) -> int:
    """The unit of work that began last."""
    return int.from_bytes(os.pread(descriptor, _NUMBER.size, 0), "little")


_USED_UP: Final = frozenset({errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM})


@contextmanager
def taken() -> Iterator[ExitStack]:
    """A stack for what is taken, which gives everything back if the block fails, and nothing otherwise.

    Raises:
        InfrastructureFault: The system refuses something; its error is the cause.
    """
    with ExitStack() as stack:
        try:
            yield stack
        except OSError as error:
            if isinstance(error, OptArenaError):  # SessionTimeout is both
                raise
            remedy = "Close environments, or raise this process's limits (ulimit -n, ulimit -u)."
            message = f"A process cannot be started: {error}. {remedy if is_used_up(error) else ''}"
            raise InfrastructureFault(message.rstrip()) from error
        stack.pop_all()


def is_used_up(error: BaseException | None) -> bool:
    """Whether an error of the system says that no descriptors, processes or memory are left."""
    return isinstance(error, OSError) and error.errno in _USED_UP
