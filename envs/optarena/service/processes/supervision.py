"""What a zygote and a client know of processes while these run: their worker, their output, their progress.

A process whose parent ends gets another parent, but all descendants inherit a process's limits. So the zygote
marks each worker by a limit that has no effect on it: the CPU time of real-time processes.

A process that crashes or exceeds a limit has no time to report what it was doing. So it records each unit of
work in a shared file in memory: a call of the system would take longer than many actions. The client does not
map the file: a process could cut it, and reading what was cut off ends a process.
"""

from __future__ import annotations

import ctypes
import fcntl
import io
import mmap
import os
import resource
import struct
from typing import Final

from optarena import logs

_BASE: Final = 10**15  # above any limit in real use: in microseconds, 30 years


def mark(pid: int, number: int) -> None:
    # The process's future descendants inherit the mark.
    try:
        _, hard = resource.prlimit(pid, resource.RLIMIT_RTTIME)
        resource.prlimit(pid, resource.RLIMIT_RTTIME, (_BASE + number, hard))
    except (OSError, ValueError):  # it has ended, or the hard limit is in use: descendants stay unmarked
        return


def unmark() -> None:
    # This process is to become a worker itself.
    _, hard = resource.getrlimit(resource.RLIMIT_RTTIME)
    resource.setrlimit(resource.RLIMIT_RTTIME, (hard, hard))


def worker_of(pid: int) -> int | None:
    # The worker that a process is or descends from.
    try:
        soft, _ = resource.prlimit(pid, resource.RLIMIT_RTTIME)
    except OSError:  # it has ended, or belongs to another user now
        return None
    return soft - _BASE if soft > _BASE else None


def children() -> set[int]:
    # Of this process, which has only one thread; empty if the kernel does not list them.
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:  # noqa: PTH123 # pathlib is slow to import
            return {int(pid) for pid in file.read().split()}
    except FileNotFoundError:
        return set()


_TAIL_BYTES: Final = 4096
_KEPT_BYTES: Final = 1 << 16
_MOST_BYTES: Final = 1 << 20


class Relay:
    # Copies a process's output to this process's standard error, if the debug level says so.

    def __init__(self, file: io.FileIO) -> None:
        self._file = file
        self._passed = 0

    def pass_on(self) -> None:
        if logs.level() == 0 or self._file.closed:
            return
        size = os.fstat(self._file.fileno()).st_size
        if size < self._passed:  # it was cut meanwhile
            self._passed = 0
        if size > self._passed:
            logs.relay(os.pread(self._file.fileno(), size - self._passed, self._passed))
            self._passed = size

    def trim(self) -> None:
        self.pass_on()
        if trim(self._file):
            self.skip()

    def forget(self) -> None:
        # What comes next is of another session.
        self.pass_on()
        os.ftruncate(self._file.fileno(), 0)
        self._passed = 0

    def skip(self) -> None:
        # The present output is reported in another way.
        self._passed = os.fstat(self._file.fileno()).st_size


def stderr_file() -> io.FileIO:
    descriptor = os.memfd_create("stderr")
    fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_APPEND)  # so that it can be cut while it is written
    return io.FileIO(descriptor, "r+")


def tail(file: io.FileIO) -> str:
    # A process may write to the file meanwhile.
    return _tail(file, _TAIL_BYTES).decode(errors="replace")


def trim(file: io.FileIO) -> bool:
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
NO_UNIT: Final = _NUMBER.pack(0)  # before the first unit of a call's work, which has the number 1


def progress_file() -> io.FileIO:
    file = io.FileIO(os.memfd_create("progress"), "r+")
    file.truncate(_NUMBER.size)
    return file


class SharedProgress:
    # The session's end of a progress file, mapped into the memory of its process; `address` is where its 8
    # bytes are.

    def __init__(self, descriptor: int) -> None:
        self._memory = mmap.mmap(descriptor, _NUMBER.size)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))

    def note(self, unit: int) -> None:
        _NUMBER.pack_into(self._memory, 0, unit)


def read_unit(descriptor: int) -> int:
    return int.from_bytes(os.pread(descriptor, _NUMBER.size, 0), "little")
