"""The standard output and error of processes that we start: kept in memory, with a limited size."""

from __future__ import annotations

import fcntl
import io
import os
from typing import Final

from optarena import logs

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
