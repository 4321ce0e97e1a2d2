"""The client's side of zygotes: starts one for each session type, has it fork workers, and watches their end.

A process has its own zygotes: a process forked from the owner never uses them. All descriptors are
close-on-exec. The zygote gets no credentials: its environment is an allow-list, its working directory is
``/``, and of this process's descriptors it gets only the control socket and the folder.
"""

from __future__ import annotations

import atexit
import base64
import contextlib
import io
import json
import logging
import os
import select
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from optarena import errors
from optarena.errors import InfrastructureFault, OptArenaError, ServiceClosed, ServiceError, TransportError
from optarena.isolation import syscalls
from optarena.isolation.limits import ProcessLimits, raise_open_files
from optarena.isolation.sandbox import SandboxReport
from optarena.service import timeouts
from optarena.service.processes import exit_status, folders, memory, supervision
from optarena.service.processes.exit_status import ExitStatus, last_lines, quote_output
from optarena.service.protocol import frames

__all__ = ["ExitStatus", "Worker", "Zygote"]

_BOOT: Final = Path(__file__).parents[1] / "session_process" / "zygote_boot.py"


@dataclass(frozen=True, slots=True)
class Offer:
    compiler_version: str
    spaces: bytes


def receive_answer(control: socket.socket, deadline: float) -> dict[str, Any]:
    frames.limit(control, deadline)
    return _read(control.recv(_PACKET_BYTES))


def _read(packet: bytes) -> dict[str, Any]:
    if not packet:
        raise ConnectionResetError("it has ended")
    answer: dict[str, Any] = json.loads(packet)
    return answer


def raise_error(answer: dict[str, Any]) -> None:
    # The error of the system is its cause.
    if "error" not in answer:
        return
    number = answer.get("errno")
    raise _reported(answer) from (None if number is None else OSError(number, os.strerror(number)))


def _reported(answer: dict[str, Any]) -> OptArenaError:
    kind = getattr(errors, answer["error"], None)
    if not isinstance(kind, type) or not issubclass(kind, OptArenaError) or kind is errors.InvalidDocument:
        return ServiceError(f"{answer['error']}: {answer['message']}")
    if issubclass(kind, errors.InvalidInput):
        return kind(answer["message"], field=answer.get("field", ""))
    return kind(answer["message"])


_PACKET_BYTES: Final = 1 << 17

logger = logging.getLogger(__name__)

_shared: dict[str, Zygote] = {}
_shared_lock = threading.Lock()
# objects with descriptors, which a process forked from this one closes
_holders: weakref.WeakSet[Zygote | Worker] = weakref.WeakSet()


class Zygote:
    # A process from which workers of one session type are forked. Thread-safe. The first request waits until
    # it is ready.

    def __init__(self, session_type: str) -> None:
        self.session_type = session_type
        self._offer: Offer | None = None
        self._has_told = False
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._closed = False
        self._failure: OptArenaError | None = None  # why it could not be started
        self._ready = False
        self._last_request = 0
        self._given_up: set[int] = set()
        with exit_status.acquire_all() as kept, contextlib.ExitStack() as given:
            self.directory, lock = folders.make_directory()  # which the process locks as long as it runs
            kept.callback(folders.remove_directory, self.directory)
            given.callback(os.close, lock)
            self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            kept.enter_context(self._control)
            given.enter_context(theirs)
            self._stderr = kept.enter_context(io.FileIO(os.memfd_create("zygote"), "r+"))
            descriptors = [theirs.fileno(), lock]
            command = [sys.executable, "-s", "-P", str(_BOOT), *map(str, [*descriptors, self._owner])]
            with syscalls.fixed_addresses():  # where that is not allowed, sessions do without
                self._process = subprocess.Popen(  # noqa: S603 # this package's own script
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=self._stderr.fileno(),
                    stderr=self._stderr.fileno(),
                    env=folders.environment(),
                    cwd="/",
                    pass_fds=descriptors,
                    start_new_session=True,
                )
        self.pid = self._process.pid
        _holders.add(self)

    @classmethod
    def shared(cls, session_type: str) -> Zygote:
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
        raise_open_files()
        zygote = cls(session_type)
        with zygote._starting():
            path = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100 # "" is the working directory
            zygote._control.settimeout(timeouts.ZYGOTE_ANSWER_SECONDS)
            zygote._control.send(json.dumps({"session_type": zygote.session_type, "sys_path": path}).encode())
        return zygote

    @property
    def offer(self) -> Offer | None:
        # None if only the sessions' own processes know it. Waits until the zygote does, which is before it is
        # ready.
        with self._lock:
            self._receive_offer()
        return self._offer

    def _receive_offer(self) -> None:
        if self._failure is not None:  # to those who waited meanwhile
            raise self._failure.with_traceback(None)
        if self._closed:
            raise ServiceClosed(f"The service of {self.session_type} is closed.")
        if self._has_told:
            return
        with self._starting(), contextlib.ExitStack() as given:
            data, descriptors = frames.receive_descriptors(self._control, _PACKET_BYTES)
            for descriptor in descriptors:
                given.callback(os.close, descriptor)
            answer = _read(data)
            raise_error(answer)
            if descriptors:
                with open(descriptors[0], "rb", closefd=False) as file:  # a descriptor
                    file.seek(0)
                    self._offer = Offer(answer["compiler_version"], file.read())
        self._has_told = True

    @contextlib.contextmanager
    def _starting(self) -> Iterator[None]:
        # Around a part of the start: an error ends the process, and is explained.
        try:
            yield
        except (OSError, ServiceError) as error:
            output = supervision.tail(self._stderr).strip()
            self._end()
            if output:
                logger.exception("zygote %d wrote:\n%s", self.pid, quote_output(output))
            why = f"{error}".rstrip(".") + last_lines(output)
            message = f"The service of {self.session_type} cannot be started: {why}"
            kind = InfrastructureFault if isinstance(error, OSError) else ServiceError
            self._failure = kind(message)
            raise self._failure from error
        except BaseException as error:  # an interrupt too: nothing may be left behind
            self._failure = error if isinstance(error, OptArenaError) else None
            self._end()
            raise

    def _end(self) -> None:
        self._closed = True
        with contextlib.suppress(OSError):  # it has ended already
            # close alone is not seen while a forked process holds it
            self._control.shutdown(socket.SHUT_RDWR)
        try:
            self._process.wait(timeouts.ZYGOTE_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._control.close()
        self._stderr.close()
        folders.remove_directory(self.directory)  # the zygote has removed it, unless it was killed

    def is_alive(self) -> bool:
        return not self._closed and self._owner == os.getpid() and self._process.poll() is None

    def owes_an_answer(self) -> bool:
        # Whether a request was abandoned without an answer, and none has come since.
        return bool(self._given_up)

    def spawn(  # noqa: PLR0913 # all but the first by name
        self,
        entry: str,
        *,
        limits: ProcessLimits,
        sandbox: bool,
        fds: Sequence[int] = (),
        payload: bytes = b"",
        files: Mapping[str, bytes] | None = None,
        traps: bool = False,
    ) -> Worker:
        """Fork a worker that calls a function and ends; returns when the function is about to be called.

        ``entry`` is ``module:function``, imported unconfined, and called as ``function(channel, payload,
        fds)``. The worker gets ``fds`` under other numbers; they stay open here. With ``files``, which it may
        read, it works in a folder that has them; for ``traps``, see ``sandbox.build_filter``. A
        TransportError means that the zygote is dead: :meth:`shared` gives a new one.
        """
        self.check_owner()
        with exit_status.acquire_all() as kept, contextlib.ExitStack() as given:
            ours, theirs = map(kept.enter_context, socket.socketpair())
            stderr = kept.enter_context(supervision.stderr_file())
            ended, status = os.pipe2(os.O_CLOEXEC)
            given.callback(os.close, status)
            worker = Worker(self, ours, io.FileIO(ended), stderr)
            kept.callback(worker.close)
            kept.callback(worker.kill)
            passed = [theirs.fileno(), stderr.fileno(), status]
            folder = {name: base64.b64encode(content).decode() for name, content in (files or {}).items()}
            for content in filter(None, (payload, json.dumps(folder).encode() if folder else b"")):
                descriptor = os.memfd_create("payload")
                given.callback(os.close, descriptor)
                with open(descriptor, "wb", closefd=False) as file:
                    file.write(content)
                passed.append(descriptor)
            passed += fds
            order = {"op": "spawn", "entry": entry, "limits": limits.as_dict(), "sandbox": sandbox}
            order |= {"payload": bool(payload), "files": bool(folder), "traps": traps}
            order |= {"group": memory.present()}
            worker.number = self._request(order, passed)["worker"]
            theirs.close()
            given.close()  # otherwise a silent death of the zygote would not be noticed
            worker.greet()
            return worker

    def adopt(self, channel: socket.socket, stderr: io.FileIO) -> Worker:
        # Take over a copy that a session's process has made of itself.
        with exit_status.acquire_all() as kept, contextlib.ExitStack() as given:
            ended, status = os.pipe2(os.O_CLOEXEC)
            given.callback(os.close, status)
            worker = Worker(self, channel, io.FileIO(ended), stderr)
            kept.callback(worker.close)
            worker.greet()
            worker.number = self._request({"op": "adopt", "pid": worker.pid}, [status])["worker"]
            return worker

    def keep_directory(self) -> None:
        # The folder may have been removed.
        if not Path(self.directory).is_dir():
            self._request({"op": "keep"}, [])

    def kill(self, number: int) -> None:
        # Nothing happens in a process forked from the owner's.
        if self._owner != os.getpid() or not number:
            return
        with self._lock:
            self._send_kill(number)

    def close(self) -> None:
        # Nothing happens in a process forked from the owner's.
        if self._owner != os.getpid():
            return
        with self._lock:
            if not self._closed:
                self._end()

    def close_copies(self) -> None:
        # In a process forked from the owner's.
        self._closed = True
        self._control.close()
        self._stderr.close()
        self._process.returncode = 0  # it is not our child, so subprocess must neither reap it nor warn

    def _request(self, order: dict[str, Any], descriptors: Sequence[int]) -> dict[str, Any]:
        deadline = time.monotonic() + timeouts.ZYGOTE_ANSWER_SECONDS
        try:
            if not self._lock.acquire(timeout=timeouts.ZYGOTE_ANSWER_SECONDS):
                raise TimeoutError("other requests wait for it")
            try:
                return self._request_locked(order, descriptors, deadline)
            finally:
                self._lock.release()
        except OSError as error:
            if not isinstance(error, TimeoutError):
                with contextlib.suppress(subprocess.TimeoutExpired):  # so that is_alive() returns False
                    self._process.wait(timeouts.ZYGOTE_END_SECONDS)
            raise TransportError(f"The service of {self.session_type} does not answer: {error}") from error

    def _request_locked(
        self, order: dict[str, Any], descriptors: Sequence[int], deadline: float
    ) -> dict[str, Any]:
        self._receive_offer()
        if not self._ready:
            # It prepares more after it has told the offer.
            with self._starting():
                raise_error(receive_answer(self._control, deadline))
            self._ready = True
            supervision.Relay(self._stderr).pass_on()
        self._last_request += 1
        number = self._last_request
        self._given_up.add(number)  # until the answer arrives: an interrupt may come at any time
        frames.limit(self._control, deadline)
        frames.send_descriptors(self._control, json.dumps({**order, "request": number}).encode(), descriptors)
        while (answer := receive_answer(self._control, deadline))["request"] != number:
            self._given_up.discard(answer["request"])
            if "worker" in answer:  # this worker has no owner
                self._send_kill(answer["worker"])
        self._given_up.clear()
        raise_error(answer)
        return answer

    def _send_kill(self, number: int) -> None:
        with contextlib.suppress(OSError):  # the workers of a dead zygote have ended
            self._control.send(json.dumps({"op": "kill", "worker": number}).encode())

    def check_owner(self) -> None:
        exit_status.check_owner(self._owner)


class Worker:
    # One process forked by a zygote. `fork_by` is "process" or "replay"; `starts_alike`: other sessions
    # may start in it later; `stderr` has its standard output, too.

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
        self.stderr = stderr
        self.relay = supervision.Relay(stderr)
        self._status: ExitStatus | None = None
        self._lock = threading.Lock()
        _holders.add(self)

    def greet(self) -> None:
        # It tells its process and confinement, or why it cannot begin.
        try:
            deadline = time.monotonic() + timeouts.ZYGOTE_ANSWER_SECONDS
            # A program's worker sends a second message when it is ready.
            said = frames.receive(self.channel, deadline, more_follow=True)
        except (OSError, frames.BrokenFrame) as error:
            raise InfrastructureFault(f"The worker does not answer: {error}") from error
        if said is None:
            # The end of a copy is not reported before it is adopted.
            ended = self.wait(timeouts.ZYGOTE_ANSWER_SECONDS) if self.number else None
            how = f"worker ended by {ended}" if self.number else "copy ended"
            output = self.stderr_tail()
            logger.error("a %s before it began:\n%s", how, quote_output(output))
            raise InfrastructureFault(f"The {how} before it began{last_lines(output)}")
        words = json.loads(said)
        raise_error(words)
        self.pid = words["pid"]
        self.sandbox = SandboxReport.from_dict(words["sandbox"])
        self.fork_by = words["fork_by"]
        self.starts_alike = words["starts_alike"]

    def kill(self) -> None:
        self.zygote.kill(self.number)

    def wait(self, timeout: float) -> ExitStatus | None:
        # None if it still runs after this many seconds.
        with self._lock:
            if self._status is None:
                self._status = self._receive_status(timeout)
            return self._status

    @property
    def cpu_seconds(self) -> float | None:
        # None as long as its end is not known.
        return None if self._status is None else self._status.cpu_seconds

    def stderr_tail(self) -> str:
        self.relay.skip()
        return supervision.tail(self.stderr)

    def hang_up(self) -> None:
        # A session's process then ends itself.
        with contextlib.suppress(OSError):  # the other end is closed
            self.channel.shutdown(socket.SHUT_RDWR)  # close alone is not seen while a forked process holds it

    def close(self) -> None:
        # This does not kill the process.
        self.hang_up()
        self.relay.pass_on()
        self.close_copies()

    def close_copies(self) -> None:
        # In a process forked from the owner's.
        self.channel.close()
        self._ended.close()
        self.stderr.close()
        if self.progress is not None:
            self.progress.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.wait(timeouts.ZYGOTE_ANSWER_SECONDS)
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


def start_early(session_type: str) -> None:
    # Whoever needs the zygote waits for it; if it cannot be started, that is reported then.
    with contextlib.suppress(OptArenaError, OSError):
        Zygote.shared(session_type)


def close_all() -> None:
    # Even if other threads wait for them.
    for zygote in list(_shared.values()):
        zygote.close()


def _after_fork() -> None:
    global _shared_lock  # noqa: PLW0603 # a thread may have held it when the process forked
    _shared_lock = threading.Lock()
    for holder in list(_holders):
        holder.close_copies()
    _shared.clear()  # last: it may hold the only reference to a zygote


atexit.register(close_all)
os.register_at_fork(after_in_child=_after_fork)


_forgets: Final[list[Callable[[], None]]] = []


def at_renewal(forget: Callable[[], None]) -> None:
    _forgets.append(forget)


def renew() -> None:
    # End every zygote of this process, and forget what they made; the next session starts a zygote of its
    # own.
    close_all()
    for forget in _forgets:
        forget()
