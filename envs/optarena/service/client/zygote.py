"""The client's side of zygotes: starts one for each session type, has it fork workers, and watches their end.

A process has its own zygotes: a process forked from the owner never uses them. All descriptors are
close-on-exec. This module knows neither sessions nor messages.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import json
import logging
import os
import select
import socket
import threading
import time
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from optarena.errors import InfrastructureFault, ServiceClosed, TransportError
from optarena.isolation.limits import raise_open_files
from optarena.isolation.sandbox import SandboxReport
from optarena.service.client import launch
from optarena.service.processes import memory_groups, outputs, ownership, resources
from optarena.service.processes.exit_status import ExitStatus, last_lines, quoted
from optarena.service.protocol import wire

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.isolation.limits import ProcessLimits

__all__ = ["ExitStatus", "Worker", "Zygote"]

_ANSWER_SECONDS: Final = 30.0
_PACKET_BYTES: Final = 1 << 17

logger = logging.getLogger(__name__)

_shared: dict[str, Zygote] = {}
_shared_lock = threading.Lock()
_holders: weakref.WeakSet[Zygote | Worker] = weakref.WeakSet()
"""All objects with descriptors, which a process forked from this one closes."""


class Zygote:
    """A process from which workers of one session type are forked. Thread-safe.

    Made by :meth:`shared` or :meth:`start`, which return when it knows what the session type offers: its
    ``offer``, None if only the sessions' own processes know. The first request waits until it is ready.
    """

    def __init__(self, session_type: str, launched: launch.Launched) -> None:
        self.session_type = session_type
        self.offer: launch.Offer | None = None
        self._launched = launched
        self._control = launched.control
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._closed = False
        self._ready = False
        self._last_request = 0
        self._given_up: set[int] = set()
        _holders.add(self)

    @classmethod
    def shared(cls, session_type: str) -> Zygote:
        """This process's zygote for a session type, started if none is running.

        Args:
            session_type: ``module:class``.

        Raises:
            UnknownName: The session type does not exist.
            PlatformNotSupported: The session type does not work on this machine.
            ServiceError: The process cannot be started.
        """
        with _shared_lock:
            zygote = _shared.get(session_type)
            if zygote is not None and zygote.is_alive():
                return zygote
            if zygote is not None:
                zygote.close()
            _shared[session_type] = zygote = cls.start(session_type)
            return zygote

    @classmethod
    def start(cls, session_type: str) -> Zygote:
        """A new, unshared zygote; raises the errors of :meth:`shared`."""
        raise_open_files()
        zygote = cls(session_type, launch.launch())
        with zygote._launched.starting(session_type):
            order = launch.first_order(session_type)
            zygote.offer = launch.ask(zygote._control, order, _ANSWER_SECONDS)
        return zygote

    @property
    def pid(self) -> int:
        """Process id."""
        return self._launched.process.pid

    @property
    def directory(self) -> str:
        """The folder in which its workers have their working directories."""
        return self._launched.directory

    def is_alive(self) -> bool:
        """Whether the process runs and may be used by the calling process."""
        return not self._closed and self._owner == os.getpid() and self._launched.process.poll() is None

    def owes_an_answer(self) -> bool:
        """Whether a request was abandoned without an answer, and none has come since."""
        return bool(self._given_up)

    def spawn(
        self,
        entry: str,
        *,
        limits: ProcessLimits,
        sandbox: bool,
        fds: Sequence[int] = (),
        payload: bytes = b"",
    ) -> Worker:
        """Fork a worker that calls a function and ends; returns when the function is about to be called.

        Args:
            entry: ``module:function``, imported unconfined, called as ``function(channel, payload, fds)``.
            limits: The limits of the worker.
            sandbox: Whether to confine it to the sandbox floor.
            fds: Descriptors that the worker gets (under other numbers); they stay open here.
            payload: Data for the function, of any size.

        Raises:
            SandboxUnavailable: ``sandbox`` is set and part of the floor is missing.
            TransportError: The zygote is dead; :meth:`shared` gives a new one.
            ServiceError: The process cannot be started, or the module not imported.
        """
        self.check_owner()
        with resources.taken() as kept, contextlib.ExitStack() as given:
            ours, theirs = map(kept.enter_context, socket.socketpair())
            stderr = kept.enter_context(outputs.stderr_file())
            ended, status = os.pipe2(os.O_CLOEXEC)
            given.callback(os.close, status)
            worker = Worker(self, ours, io.FileIO(ended), stderr)
            kept.callback(worker.close)
            kept.callback(worker.kill)
            passed = [theirs.fileno(), stderr.fileno(), status, *launch.payload_files(payload, given), *fds]
            order = {"op": "spawn", "entry": entry, "limits": limits.as_dict(), "sandbox": sandbox}
            order |= {"payload": bool(payload), "group": memory_groups.present()}
            worker.number = self._request(order, passed)["worker"]
            theirs.close()
            given.close()  # otherwise a silent death of the zygote would not be noticed
            worker.greet()
            return worker

    def adopt(self, channel: socket.socket, stderr: io.FileIO) -> Worker:
        """Take over a copy that a session's process has made of itself, after its greeting.

        Args:
            channel: This end of the copy's socket pair.
            stderr: The copy's standard error.

        Raises:
            ServiceError: The copy has died, is not a copy of a session, or cannot be taken over.
        """
        with resources.taken() as kept, contextlib.ExitStack() as given:
            ended, status = os.pipe2(os.O_CLOEXEC)
            given.callback(os.close, status)
            worker = Worker(self, channel, io.FileIO(ended), stderr)
            kept.callback(worker.close)
            worker.greet()
            worker.number = self._request({"op": "adopt", "pid": worker.pid}, [status])["worker"]
            return worker

    def keep_directory(self) -> None:
        """Have the folder created again if it was removed.

        Raises:
            InvalidInput: The folder cannot be created again; the message names it.
            ServiceError: The zygote is dead or does not answer.
        """
        if not Path(self.directory).is_dir():
            self._request({"op": "keep"}, [])

    def kill(self, number: int) -> None:
        """Kill a worker of this zygote; nothing happens if it has ended, or in a forked process."""
        if self._owner != os.getpid() or not number:
            return
        with self._lock:
            self._send_kill(number)

    def close(self) -> None:
        """End the zygote and all its workers; nothing happens in a process forked from its owner's."""
        if self._owner != os.getpid():
            return
        with self._lock:
            if not self._closed:
                self._closed = True
                self._launched.end()

    def let_go(self) -> None:
        """In a process forked from the owner's: close the copies of its descriptors."""
        self._closed = True
        self._launched.let_go()

    def _request(self, order: dict[str, Any], descriptors: Sequence[int]) -> dict[str, Any]:
        deadline = time.monotonic() + _ANSWER_SECONDS
        try:
            if not self._lock.acquire(timeout=_ANSWER_SECONDS):
                raise TimeoutError("other requests wait for it")
            try:
                return self._request_locked(order, descriptors, deadline)
            finally:
                self._lock.release()
        except OSError as error:
            if not isinstance(error, TimeoutError):
                self._launched.wait_for_end()  # so that is_alive() returns False
            raise TransportError(f"The service of {self.session_type} does not answer: {error}") from error

    def _request_locked(
        self, order: dict[str, Any], descriptors: Sequence[int], deadline: float
    ) -> dict[str, Any]:
        if self._closed:
            raise ServiceClosed(f"The service of {self.session_type} is closed.")
        if not self._ready:
            self._wait_until_ready(deadline)
        self._last_request += 1
        number = self._last_request
        self._given_up.add(number)  # until the answer arrives: an interrupt may come at any time
        wire.limit(self._control, deadline)
        wire.send_descriptors(self._control, json.dumps({**order, "request": number}).encode(), descriptors)
        while (answer := launch.receive_answer(self._control, deadline))["request"] != number:
            self._given_up.discard(answer["request"])
            if "worker" in answer:  # this worker has no owner
                self._send_kill(answer["worker"])
        self._given_up.clear()
        launch.raise_error(answer)
        return answer

    def _wait_until_ready(self, deadline: float) -> None:
        """Wait for what the zygote prepares once it has told the offer."""
        with self._launched.starting(self.session_type):
            launch.raise_error(launch.receive_answer(self._control, deadline))
        self._ready = True
        outputs.Relay(self._launched.stderr).pass_on()

    def _send_kill(self, number: int) -> None:
        with contextlib.suppress(OSError):  # the workers of a dead zygote have ended
            self._control.send(json.dumps({"op": "kill", "worker": number}).encode())

    def check_owner(self) -> None:
        """Refuse use by a process forked from the owner's.

        Raises:
            ServiceClosed: The message says what to do instead.
        """
        ownership.check_owner(self._owner)


class Worker:
    """One process forked by a zygote.

    Attributes:
        pid: Process id.
        channel: This end of the socket pair.
        sandbox: How the process is confined.
        fork_by: How its session is copied: ``process`` or ``replay``.
        starts_alike: Whether a copy of its session before any action may serve as another one.
        progress: The file with its progress; None if it does not report any.
    """

    def __init__(self, zygote: Zygote, channel: socket.socket, ended: io.FileIO, stderr: io.FileIO) -> None:
        self.pid = 0
        self.number = 0
        self.channel = channel
        self.sandbox = SandboxReport()
        self.fork_by = ""
        self.starts_alike = False
        self.progress: io.FileIO | None = None
        self.zygote = zygote
        self._ended = ended
        self._stderr = stderr
        self._relay = outputs.Relay(stderr)
        self._status: ExitStatus | None = None
        self._lock = threading.Lock()
        _holders.add(self)

    def greet(self) -> None:
        """Wait for the worker's greeting: its process and confinement, or why it cannot begin."""
        try:
            deadline = time.monotonic() + _ANSWER_SECONDS
            # A program's worker sends a second message when it is ready.
            said = wire.receive(self.channel, deadline, more_follow=True)
        except (OSError, wire.BrokenFrame) as error:
            raise InfrastructureFault(f"The worker does not answer: {error}") from error
        if said is None:
            # The end of a copy is not reported before it is adopted.
            how = f"worker ended by {self.wait(_ANSWER_SECONDS)}" if self.number else "copy ended"
            output = self.stderr_tail()
            logger.error("a %s before it began:\n%s", how, quoted(output))
            raise InfrastructureFault(f"The {how} before it began{last_lines(output)}")
        words = json.loads(said)
        launch.raise_error(words)
        self.pid = words["pid"]
        self.sandbox = SandboxReport.from_dict(words["sandbox"])
        self.fork_by = words["fork_by"]
        self.starts_alike = words["starts_alike"]

    def kill(self) -> None:
        """Kill the process and its descendants; nothing happens if it has ended."""
        self.zygote.kill(self.number)

    def wait(self, timeout: float) -> ExitStatus | None:
        """How the process ended; None if it still runs after this many seconds."""
        with self._lock:
            if self._status is None:
                self._status = self._receive_status(timeout)
            return self._status

    @property
    def cpu_seconds(self) -> float | None:
        """CPU time that the process used in its life; None as long as its end is not known."""
        return None if self._status is None else self._status.cpu_seconds

    def stderr_tail(self) -> str:
        """The last 4 KiB of the process's standard output and error, for an error's message."""
        self._relay.skip()
        return outputs.tail(self._stderr)

    def trim_stderr(self) -> None:
        """Drop all but the end of the process's output if it is long; the relay gets it first."""
        self._relay.trim()

    def hang_up(self) -> None:
        """Shut the channel down, upon which a session's process ends itself."""
        with contextlib.suppress(OSError):  # the other end is closed
            self.channel.shutdown(socket.SHUT_RDWR)  # close alone is not seen while a forked process holds it

    def close(self) -> None:
        """Hang up and close the descriptors; this does not kill the process."""
        self.hang_up()
        self._relay.pass_on()
        self.let_go()

    def let_go(self) -> None:
        """In a process forked from the owner's: close the copies of its descriptors."""
        self.channel.close()
        self._ended.close()
        self._stderr.close()
        if self.progress is not None:
            self.progress.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.wait(_ANSWER_SECONDS)
        self.close()

    def _receive_status(self, timeout: float) -> ExitStatus | None:
        poll = select.poll()
        poll.register(self._ended, select.POLLIN)
        if not poll.poll(max(0.0, timeout) * 1000):
            return None
        data = self._ended.read(_PACKET_BYTES)
        if not data:  # the zygote has ended, and the worker with it
            return ExitStatus(None, 9)
        return ExitStatus(**json.loads(data))


def close_all() -> None:
    """End every zygote of this process and all their workers, even if other threads wait for them."""
    for zygote in list(_shared.values()):
        zygote.close()


def _after_fork() -> None:
    global _shared_lock  # noqa: PLW0603 # a thread may have held it when the process forked
    _shared_lock = threading.Lock()
    _shared.clear()
    for holder in list(_holders):
        holder.let_go()


atexit.register(close_all)
os.register_at_fork(after_in_child=_after_fork)
