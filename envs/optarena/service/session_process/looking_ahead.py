"""Tries actions in child processes of a session's process, which itself stays in its state.

A child is a copy of the process, so its action gives exactly what it would give in the session. It sends its
answer through a pipe and ends. As many children work at a time as there are processors for them.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import struct
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NoReturn

from optarena.limits import MAX_MESSAGE_BYTES
from optarena.service.processes import outputs, progress
from optarena.service.processes.exit_status import EXIT_OUT_OF_MEMORY, ExitStatus
from optarena.service.protocol.answers import TrialEnd, refused
from optarena.service.protocol.status import RpcError, StatusCode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_CHUNK: Final = 1 << 16
_LENGTH: Final = struct.Struct("<Q")
_LOOK_MS: Final = 20
"""Milliseconds until the next look at children that say nothing."""
_ENOUGH_BYTES: Final = 1 << 26
"""No further action is tried when the answers are that long: all of them are in memory, more than once."""
_OVERHEAD: Final = 1 << 10
"""Bytes of an answer's frame, and its share of the reply's."""


class _Files:
    """The files in memory of one child.

    Attributes:
        noted: Its progress.
        output: Its standard output and error.
    """

    def __init__(self) -> None:
        self.noted, self.output = progress.progress_file(), outputs.stderr_file()

    def close(self) -> None:
        self.noted.close()
        self.output.close()


@dataclass(slots=True)
class _Child:
    """A child process.

    Attributes:
        index: The action that it tries.
        pid: Process id.
        reading: The end of the pipe from which its answer is read.
        files: Its progress, and its output.
        deadline: The monotonic time at which it is ended.
        answer: What it has sent so far.
        is_late: Whether it was ended because of its deadline.
    """

    index: int
    pid: int
    reading: int
    files: _Files
    deadline: float
    answer: bytearray = field(default_factory=bytearray)
    is_late: bool = False


class LookAhead:
    """One look ahead.

    Args:
        indices: The actions that are tried.
        work: Called in a child process, with the index of an action and a file for its progress; returns the
            answer.
        seconds: Wall time for each.
    """

    def __init__(self, indices: Iterable[int], work: Callable[[int, int], bytes], seconds: float) -> None:
        self._work = work
        self._seconds = seconds
        self._waiting = deque(indices)
        self._children: dict[int, _Child] = {}
        self._answers: dict[int, bytes] = {}
        self._at_a_time = len(os.sched_getaffinity(0))
        self._most_bytes = (MAX_MESSAGE_BYTES - _ENOUGH_BYTES) // self._at_a_time - _OVERHEAD
        self._poll = select.poll()

    def answers(self) -> dict[int, bytes]:
        """Try the actions; one answer for each, but none for the last ones if they are long.

        Raises:
            OSError: No child process can be made.
        """
        try:
            while self._waiting or self._children:
                while self._may_start() and self._start(self._waiting[0]):
                    self._waiting.popleft()
                self._await_next()
                if sum(map(len, self._answers.values())) > _ENOUGH_BYTES:
                    self._waiting.clear()
        finally:
            for child in list(self._children.values()):
                self._finish(child)
        return self._answers

    def _may_start(self) -> bool:
        return bool(self._waiting) and len(self._children) < self._at_a_time

    def _start(self, index: int) -> bool:
        """Start a child; False if it has to wait until another one has ended."""
        files = _Files()
        reading, writing = os.pipe2(os.O_CLOEXEC)
        try:
            pid = os.fork()
        except OSError:
            os.close(reading)
            os.close(writing)
            files.close()
            if self._children:
                return False
            raise
        if pid == 0:
            self._be_child(index, writing, files)
        os.close(writing)
        os.set_blocking(reading, False)
        self._children[reading] = _Child(index, pid, reading, files, time.monotonic() + self._seconds)
        self._poll.register(reading, select.POLLIN)
        return True

    def _be_child(self, index: int, writing: int, files: _Files) -> NoReturn:
        code = os.EX_SOFTWARE
        try:
            os.setpgid(0, 0)  # processes that it starts can be ended with it
            for standard in (1, 2):
                os.dup2(files.output.fileno(), standard)
            answer = self._work(index, files.noted.fileno())
            data = memoryview(_LENGTH.pack(len(answer)) + answer)
            while data:
                data = data[os.write(writing, data) :]
            code = os.EX_OK
        except MemoryError:
            code = EXIT_OUT_OF_MEMORY
        finally:
            os._exit(code)

    def _await_next(self) -> None:
        """Read from the children that have something to say, and end those that take too long."""
        for descriptor, _ in self._poll.poll(_LOOK_MS):
            child = self._children[descriptor]
            if self._read(child) is False:
                self._finish(child)
        now = time.monotonic()
        for child in list(self._children.values()):
            if _has_ended(child.pid):  # processes that it started may hold the pipe
                while self._read(child):
                    pass
                self._finish(child)
            elif now > child.deadline:
                child.is_late = True
                self._finish(child)

    def _read(self, child: _Child) -> bool | None:
        """Read a part of what there is; False if that was all of the answer, None if there is nothing now."""
        try:
            data = os.read(child.reading, _CHUNK)
        except BlockingIOError:
            return None
        child.answer += data
        return bool(data) and not self._is_complete(child)

    def _is_complete(self, child: _Child) -> bool:
        if len(child.answer) < _LENGTH.size:
            return False
        length: int = _LENGTH.unpack_from(child.answer)[0]
        return len(child.answer) >= min(_LENGTH.size + length, self._most_bytes)

    def _finish(self, child: _Child) -> None:
        """End a child with all that it started, and keep its answer or the reason why there is none."""
        del self._children[child.reading]
        self._poll.unregister(child.reading)
        os.close(child.reading)
        for end in (os.killpg, os.kill):  # it may not lead a group yet
            with contextlib.suppress(ProcessLookupError, PermissionError):
                end(child.pid, signal.SIGKILL)
        _, status, usage = os.wait4(child.pid, 0)
        self._answers[child.index] = self._told(child, ExitStatus.from_wait(status, usage))
        child.files.close()

    def _told(self, child: _Child, status: ExitStatus) -> bytes:
        unit = progress.noted(child.files.noted.fileno())
        if self._is_complete(child):
            if len(child.answer) < self._most_bytes:
                return bytes(child.answer[_LENGTH.size :])
            told = f"The answer is longer than {self._most_bytes} bytes. Take the step, or observe less."
            return refused(unit, RpcError(StatusCode.RESOURCE_EXHAUSTED, told)).SerializeToString()
        output = outputs.tail(child.files.output)
        return TrialEnd(status, unit, output, self._seconds if child.is_late else None).packed()


def _has_ended(pid: int) -> bool:
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
