"""Starts and ends the process of a zygote, with its folder and its environment.

The child gets no credentials: its environment is an allow-list, its working directory is ``/``, and of this
process's descriptors it gets only the control socket and the folder.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from optarena import errors
from optarena.errors import InfrastructureFault, OptArenaError, ServiceError
from optarena.isolation import syscalls
from optarena.service.processes import folders, outputs, resources
from optarena.service.processes.exit_status import last_lines, quoted
from optarena.service.protocol import wire

if TYPE_CHECKING:
    from collections.abc import Iterator

_BOOT: Final = Path(__file__).parents[1] / "session_process" / "zygote_boot.py"
_END_SECONDS: Final = 5.0
_PACKET_BYTES: Final = 1 << 17

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Offer:
    """What a session type offers: the version of its compiler, and its spaces as a message."""

    compiler_version: str
    spaces: bytes


@dataclass(slots=True)
class Launched:
    """A running zygote and its resources.

    Attributes:
        process: The process.
        control: This end of the control socket.
        directory: The zygote's folder, which it locks as long as it runs.
        stderr: The zygote's standard error.
    """

    process: subprocess.Popen[bytes]
    control: socket.socket
    directory: str
    stderr: io.FileIO

    def stderr_tail(self) -> str:
        """The last lines it wrote."""
        return outputs.tail(self.stderr).strip()

    @contextlib.contextmanager
    def starting(self, session_type: str) -> Iterator[None]:
        """Around a part of the start: an error ends the process, and is explained.

        Raises:
            InfrastructureFault, ServiceError: The process has ended or does not answer.
        """
        try:
            yield
        except (OSError, ServiceError) as error:
            output = self.stderr_tail()
            self.end()
            if output:
                logger.exception("zygote %d wrote:\n%s", self.process.pid, quoted(output))
            why = f"{error}".rstrip(".") + last_lines(output)
            message = f"The service of {session_type} cannot be started: {why}"
            kind = InfrastructureFault if isinstance(error, OSError) else ServiceError
            raise kind(message) from error
        except BaseException:  # an interrupt too: nothing may be left behind
            self.end()
            raise

    def wait_for_end(self) -> None:
        """Wait a little until the process, which is about to end, has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_END_SECONDS)

    def end(self) -> None:
        """End the process with all its workers, and remove its folder."""
        with contextlib.suppress(OSError):  # it has ended already
            self.control.shutdown(socket.SHUT_RDWR)  # close alone is not seen while a forked process holds it
        try:
            self.process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.control.close()
        self.stderr.close()
        folders.remove_directory(self.directory)  # the zygote has removed it, unless it was killed

    def let_go(self) -> None:
        """In a process forked from this one: forget it without touching it."""
        self.control.close()
        self.stderr.close()
        self.process.returncode = 0  # it is not our child, so subprocess must neither reap it nor warn


def launch() -> Launched:
    """Start a zygote; it waits for its first order.

    Raises:
        InvalidInput: The folder cannot be created where the user wants it.
        InfrastructureFault: The process or its folder cannot be created.
    """
    with resources.taken() as kept, contextlib.ExitStack() as given:
        directory, lock = folders.make_directory()
        kept.callback(folders.remove_directory, directory)
        given.callback(os.close, lock)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        kept.enter_context(ours)
        given.enter_context(theirs)
        stderr = kept.enter_context(io.FileIO(os.memfd_create("zygote"), "r+"))
        descriptors = [theirs.fileno(), lock]
        command = [sys.executable, "-s", "-P", str(_BOOT), *map(str, [*descriptors, os.getpid()])]
        with syscalls.fixed_addresses():  # where that is not allowed, sessions do without
            process = subprocess.Popen(  # noqa: S603 # this package's own script
                command,
                stdin=subprocess.DEVNULL,
                stdout=stderr.fileno(),
                stderr=stderr.fileno(),
                env=folders.environment(),
                cwd="/",
                pass_fds=descriptors,
                start_new_session=True,
            )
    return Launched(process, ours, directory, stderr)


def receive_answer(control: socket.socket, deadline: float) -> dict[str, Any]:
    """The next answer of a zygote.

    Raises:
        OSError: No answer came before the deadline, or the zygote has ended.
    """
    wire.limit(control, deadline)
    return _read(control.recv(_PACKET_BYTES))


def _read(packet: bytes) -> dict[str, Any]:
    if not packet:
        raise ConnectionResetError("it has ended")
    answer: dict[str, Any] = json.loads(packet)
    return answer


def ask(control: socket.socket, order: bytes, seconds: float) -> Offer | None:
    """Send a zygote its first order, and wait until it knows what the session type offers.

    Returns:
        The offer; None if only the sessions' own processes know.

    Raises:
        OptArenaError: The error that the zygote reports.
        OSError: No answer came in time, or the zygote has ended.
    """
    control.settimeout(seconds)
    control.send(order)
    data, descriptors = wire.receive_descriptors(control, _PACKET_BYTES)
    try:
        answer = _read(data)
        raise_error(answer)
        if not descriptors:
            return None
        with open(descriptors[0], "rb", closefd=False) as file:  # a descriptor
            file.seek(0)
            return Offer(answer["compiler_version"], file.read())
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def raise_error(answer: dict[str, Any]) -> None:
    """Raise the error, if any, that another process reports, with the error of the system as its cause."""
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


def payload_files(payload: bytes, stack: contextlib.ExitStack) -> list[int]:
    """The descriptor of a file in memory with this content, closed with the stack; none for no content."""
    if not payload:
        return []
    descriptor = os.memfd_create("payload")
    stack.callback(os.close, descriptor)
    with io.FileIO(descriptor, "w", closefd=False) as file:
        io.BufferedWriter(file).write(payload)
    return [descriptor]


def first_order(session_type: str) -> bytes:
    """The first packet for a zygote: the session type to load, and this process's module path."""
    return json.dumps(
        {"session_type": session_type, "sys_path": [os.path.abspath(path) for path in sys.path]}  # noqa: PTH100 # "" is the working directory
    ).encode()
