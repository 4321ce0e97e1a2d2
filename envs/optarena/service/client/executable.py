"""Services that are executables: starts them, reads the port that they write, and ends them.

A guardian process (``guardian``) is the service's parent, and ends the service if this process is killed.
The file ``port.txt`` may be read while it is being written. This module does not call the service; a
``GrpcConnection`` does.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import io
import logging
import os
import secrets
import select
import socket
import stat
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path
from typing import Final, Self

from optarena import logs
from optarena.errors import InvalidInput, ServiceClosed, ServiceError, TransportError
from optarena.service import timeouts
from optarena.service.client.options import TOKEN_VARIABLE, ConnectionOptions
from optarena.service.processes import exit_status, folders, supervision
from optarena.service.processes.exit_status import ExitStatus, last_lines, service_ending_error

_LONGEST: Final = 100
_LARGEST_PORT: Final = 65_535


class PortFile:
    """A file that will hold a port, in decimal.

    A terminated line is complete. Not every service terminates it, so content that stays the same for a
    moment counts too.

    Attributes:
        garbage: The file's content, if it no longer changes and is not a port.
    """

    def __init__(self, path: Path) -> None:
        self.garbage = ""
        self._path = path
        self._seen = b""
        self._since = 0.0

    def read(self) -> int | None:
        """The port; None as long as there is none."""
        try:
            data = self._contents()
        except OSError:
            return None
        if self.garbage:
            return None
        now = time.monotonic()
        if data != self._seen:
            self._seen, self._since = data, now
        settled = now - self._since >= timeouts.PORT_SETTLED_SECONDS
        text = data.decode("ascii", errors="replace").strip()
        if not text or not (settled or data.endswith(b"\n")):
            return None
        if text.isdecimal() and 0 < int(text) <= _LARGEST_PORT:
            return int(text)
        if settled:
            self.garbage = text
        return None

    def _contents(self) -> bytes:
        # Opened so that a pipe without a writer cannot block this process.
        descriptor = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                self.garbage = "(not a regular file)"
                return b""
            return os.read(descriptor, _LONGEST)
        finally:
            os.close(descriptor)


logger = logging.getLogger(__name__)

_GUARDIAN: Final = Path(__file__).with_name("guardian.py")
# A service inherits these, too: a script needs its interpreter and modules
_INHERITED: Final = (
    "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "OPTARENA_PLUGINS", "PATH", "PYTHONPATH", "TMPDIR", "TZ", "USER",
)  # fmt: skip


_PACKET_BYTES: Final = 64
_TRANSIENT: Final = frozenset({errno.EAGAIN, errno.ENOMEM, errno.ETXTBSY})

_processes: weakref.WeakSet[ServiceProcess] = weakref.WeakSet()


class _NotStarted(Exception):
    # Another attempt may succeed if the failure is transient.

    def __init__(self, message: str, *, transient: bool = False) -> None:
        super().__init__(message)
        self.transient = transient


class ServiceProcess:
    """A running service that was started from an executable. Thread-safe; made by :meth:`start`.

    Attributes:
        executable: The path of the executable.
        endpoint: The address at which it listens, as ``host:port``.
        pid: The service's process id.
        token: The bearer token that the service should require, so that no other user of this machine can
            call it; a service without support for tokens ignores it.
        directory: The service's working folder, which is removed with it.
    """

    def __init__(self, executable: Path, options: ConnectionOptions) -> None:
        self.executable = executable
        self.endpoint = ""
        self.pid = 0
        self.token = options.script_env.get(TOKEN_VARIABLE) or options.token or secrets.token_urlsafe()
        self._options = options
        self._owner = os.getpid()
        self._lock = threading.RLock()  # a signal handler may close during a call
        self._closed = False
        self._status: ExitStatus | None = None
        self._tail = ""
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with theirs:
                self._launch(theirs.fileno())
        except OSError:
            self._control.close()
            raise
        self._relay = supervision.Relay(self._output)
        _processes.add(self)

    @classmethod
    def start(cls, executable: Path, options: ConnectionOptions | None = None) -> Self:
        """Start a service and wait until it has written its port.

        Args:
            executable: A program that takes ``--working_dir=DIR`` and writes ``DIR/port.txt``; a ``.py``
                file that is not executable is run by this Python.
            options: How long to wait, how often to try, and what to start it with.

        Raises:
            InvalidInput: The executable does not exist.
            ServiceError: The service cannot be started; the message has the last lines that it wrote.
        """
        options = options or ConnectionOptions()
        executable = _checked(executable)
        until = time.monotonic() + options.init_max_seconds
        wait = options.retry_wait_seconds
        attempt = 0
        while True:
            attempt += 1
            try:
                return cls._attempt(executable, options)
            except _NotStarted as failure:
                again = failure.transient and attempt < options.init_max_attempts
                if not again or time.monotonic() + wait > until:
                    tried = f" ({attempt} attempts)" if attempt > 1 else ""
                    message = f"The service {executable} cannot be started{tried}: {failure}"
                    raise ServiceError(message) from None
                logger.warning("%s: attempt %d to start it: %s", executable, attempt, failure)
            time.sleep(wait)
            wait *= options.retry_wait_backoff_exponent

    @classmethod
    def _attempt(cls, executable: Path, options: ConnectionOptions) -> Self:
        try:
            process = cls(executable, options)
        except OSError as error:
            raise _NotStarted(f"its folder or process cannot be created: {error}") from error
        try:
            process._await_start()
            process._await_port()
        except BaseException:  # an interrupt too: nothing may be left behind
            process._end(gently=False)
            raise
        logger.info("process %d: the service %s at %s", process.pid, executable, process.endpoint)
        return process

    def is_alive(self) -> bool:
        """Whether the service runs and may be used by the calling process."""
        return self._owner == os.getpid() and not self._closed and self.wait(0.0) is None

    def wait(self, seconds: float) -> ExitStatus | None:
        """How the service ended; None if it still runs after this many seconds."""
        exit_status.check_owner(self._owner)
        with self._lock:
            if self._status is None and not self._closed:
                said = self._hear(seconds)
                if said is not None:  # the service also ends if the guardian does
                    word, _, number = said.partition(" ")
                    is_told = word == "ended"
                    self._status = ExitStatus.from_exitcode(int(number)) if is_told else ExitStatus(None, 9)
            return self._status

    def output_tail(self) -> str:
        """The last 4 KiB of the service's standard output and error; also available after the end."""
        if self._owner != os.getpid():
            return self._tail
        with self._lock:
            if not self._output.closed:
                self._tail = supervision.tail(self._output)
            return self._tail

    def pass_on_output(self) -> None:
        """Copy new output to this process's standard error, if the debug level says so."""
        if logs.level() and self._owner == os.getpid():
            with self._lock:
                self._relay.pass_on()

    def ending(self) -> ServiceError:
        """The error for the unexpected end of the service; waits a moment for the end."""
        if self._closed:
            return ServiceClosed(f"The service {self.executable} was closed.")
        status = self.wait(timeouts.SERVICE_END_SECONDS)
        if status is None:
            return TransportError(f"The service {self.executable} runs but does not answer.")
        return service_ending_error(status, self.output_tail(), str(self.executable))

    def close(self) -> None:
        """End the service, which gets time to finish, and remove its folder.

        May be called twice; nothing happens in a process forked from the owner's.
        """
        self._end(gently=True)

    def kill(self) -> None:
        """Like :meth:`close`, for a service that does not answer: it is killed at once."""
        self._end(gently=False)

    def close_copies(self) -> None:
        """In a process forked from the owner's: close the copies of its descriptors."""
        self._control.close()
        self._output.close()
        self._guardian.returncode = 0  # it is not our child, so subprocess must neither reap it nor warn

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _launch(self, control: int) -> None:
        self.directory, lock = folders.make_directory()
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        self._output = io.FileIO(os.open(f"{self.directory}/output.txt", flags, 0o600), "r+")
        interpreter = [] if os.access(self.executable, os.X_OK) else [sys.executable]
        options = self._options
        command = [
            *(sys.executable, "-I", "-S", "-E", str(_GUARDIAN), str(control), str(lock), str(os.getpid())),
            *(str(options.local_service_exit_max_seconds), self.directory, str(self.executable.parent)),
            *(*interpreter, str(self.executable), f"--working_dir={self.directory}", *options.script_args),
        ]
        environment = {**folders.environment(*_INHERITED), **options.script_env, TOKEN_VARIABLE: self.token}
        try:
            self._guardian = subprocess.Popen(  # noqa: S603 # this package's own script
                command,
                stdin=subprocess.DEVNULL,
                stdout=self._output.fileno(),
                stderr=self._output.fileno(),
                env=environment,
                cwd="/",
                pass_fds=[control, lock],
                start_new_session=True,
            )
        except OSError:
            self._output.close()
            folders.remove_directory(self.directory)
            raise
        finally:
            os.close(lock)

    def _await_start(self) -> None:
        said = self._hear(timeouts.GUARDIAN_SECONDS)
        word, _, number = (said or "").partition(" ")
        if word == "failed":
            why = f"it cannot be executed: {os.strerror(int(number))}{last_lines(self.output_tail())}"
            raise _NotStarted(why, transient=int(number) in _TRANSIENT)
        if word != "started":
            raise _NotStarted(f"its guardian does not answer{last_lines(self.output_tail())}", transient=True)
        self.pid = int(number)

    def _await_port(self) -> None:
        seconds = self._options.local_service_port_init_max_seconds
        deadline = time.monotonic() + seconds
        file = PortFile(Path(self.directory) / "port.txt")
        while (port := file.read()) is None:
            status = self.wait(timeouts.PORT_CHECK_SECONDS)
            tail = last_lines(self.output_tail())
            if status is not None:
                why = f"it ended by {status} before it had written port.txt{tail}"
                raise _NotStarted(why, transient=status.signal is not None)
            if file.garbage:
                raise _NotStarted(f"port.txt contains {file.garbage!r}, which is not a port{tail}")
            if time.monotonic() > deadline:
                raise _NotStarted(f"it did not write port.txt within {seconds:g} s{tail}", transient=True)
        self.endpoint = f"127.0.0.1:{port}"

    def _hear(self, seconds: float) -> str | None:
        # Empty if the guardian has ended, None if there is no message within this time.
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        if not poll.poll(max(0.0, seconds) * 1000):
            return None
        try:
            return self._control.recv(_PACKET_BYTES).decode()
        except OSError:
            return ""

    def _end(self, *, gently: bool) -> None:
        if self._owner != os.getpid():
            return
        with self._lock:
            if self._closed:
                return
            with contextlib.suppress(OSError):  # the guardian has ended
                self._control.send(b"end" if gently else b"kill")
            seconds = self._options.local_service_exit_max_seconds if gently else 0.0
            try:
                self._guardian.wait(seconds + timeouts.GUARDIAN_SECONDS)
            except subprocess.TimeoutExpired:
                self._guardian.kill()  # the service then gets its death signal
                self._guardian.wait()
            self.wait(0.0)
            self.output_tail()
            self._relay.pass_on()
            self._closed = True
            self._control.close()
            self._output.close()
            folders.remove_directory(self.directory)  # its guardian did, unless it was killed
        logger.info("process %d: the service %s has ended", self.pid, self.executable)


def _checked(executable: Path) -> Path:
    executable = Path(os.path.abspath(executable))  # noqa: PTH100 # links stay: a program may look at its name
    problem = ""
    if not executable.exists():
        problem = "does not exist"
    elif not executable.is_file():
        problem = "is not a file"
    elif executable.suffix != ".py" and not os.access(executable, os.X_OK):
        problem = "is not executable"
    if problem:
        message = f"The service {executable} {problem}."
        remedy = "Give the path of an executable that serves the compiler_gym interface."
        raise InvalidInput(message, field="service", value=str(executable), remedy=remedy)
    return executable


def _close_all() -> None:
    for process in list(_processes):
        process.close()


def _after_fork() -> None:
    for process in list(_processes):
        process.close_copies()
    _processes.clear()


atexit.register(_close_all)
os.register_at_fork(after_in_child=_after_fork)
