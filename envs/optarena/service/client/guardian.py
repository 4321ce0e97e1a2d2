"""The guardian of a service that was started from an executable: ensures that it ends with its client.

This script uses only the standard library and is started by path, to be light, since each such service has
one. It runs the service in a process group of its own and reports its start and end to the client. When the
client requests it or dies, the guardian ends the service and removes its folder. A packet is one word and a
number:

    guardian → client: ``started PID`` | ``failed ERRNO``, then ``ended CODE`` (negative for a signal)
    client → guardian: ``end`` (politely) | ``kill``; the end of the stream means ``end``

A death signal from the client would come when its *thread* ends, so the guardian watches the client by a
pidfd. The guardian has only one thread, so the service can have a death signal from the guardian.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
import time

_PR_SET_PDEATHSIG = 1
_PACKET_BYTES = 64
_PARENT_CHECK_SECONDS = 1.0  # between two checks for the client if there is no pidfd of it
_OUTPUT_CHECK_SECONDS = 5.0
_OUTPUT_BYTES = 8 << 20
_KEPT_BYTES = 64 << 10


class Guardian:
    # One service and the client it is for; the service has `exit_seconds` to end after a request.

    def __init__(self, control: int, client: int, exit_seconds: float, folder: str) -> None:
        self._control = control
        self._client = client
        self._exit_seconds = exit_seconds
        self._folder = folder
        self._service = 0
        self._asked = ""
        self._wake, wake = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)
        self._poll.register(self._wake, select.POLLIN)
        self._watch = self._watch_client()

    def run(self, folder: str, command: list[str]) -> None:
        try:
            self._service = _start(folder, command)
        except OSError as error:
            self._tell(f"failed {error.errno}")
        else:
            self._tell(f"started {self._service}")
        while not self._asked:
            self._look(_OUTPUT_CHECK_SECONDS)
            _shorten_output()
        if self._service and self._asked == "end":
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._service, signal.SIGTERM)
            deadline = time.monotonic() + self._exit_seconds
            while self._service and self._asked == "end" and time.monotonic() < deadline:
                self._look(deadline - time.monotonic())
        self._kill()
        self._remove_folder()

    def _look(self, seconds: float) -> None:
        seconds = min(seconds, _PARENT_CHECK_SECONDS) if self._watch is None else seconds
        ready = [descriptor for descriptor, _ in self._poll.poll(max(0.0, seconds) * 1000)]
        if self._wake in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake, _PACKET_BYTES)
        if self._control in ready:
            self._hear()
        if self._watch in ready or os.getppid() != self._client:
            self._asked = self._asked or "end"
            self._forget(self._watch)
        if self._service and os.waitid(os.P_PID, self._service, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            self._kill()

    def _hear(self) -> None:
        try:
            said = os.read(self._control, _PACKET_BYTES)
        except OSError:
            said = b""
        if not said:
            self._forget(self._control)
        self._asked = "kill" if said == b"kill" else self._asked or "end"

    def _forget(self, descriptor: int | None) -> None:
        if descriptor is not None:
            with contextlib.suppress(KeyError):
                self._poll.unregister(descriptor)

    def _kill(self) -> None:
        # The rest of the service's group, too.
        if self._service:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._service, signal.SIGKILL)  # before it is reaped, while the number is its own
            _, status = os.waitpid(self._service, 0)
            self._service = 0
            self._tell(f"ended {os.waitstatus_to_exitcode(status)}")

    def _tell(self, words: str) -> None:
        with contextlib.suppress(OSError):  # the client has ended, which the loop notices
            os.write(self._control, words.encode())

    def _watch_client(self) -> int | None:
        try:
            watch = os.pidfd_open(self._client)
        except OSError:
            return None
        self._poll.register(watch, select.POLLIN)
        return watch

    def _on_signal(self, *_: object) -> None:
        self._asked = self._asked or "end"

    def _remove_folder(self) -> None:
        import shutil  # noqa: PLC0415 # slow to import, and needed only at the end

        shutil.rmtree(self._folder, ignore_errors=True)


def _start(folder: str, command: list[str]) -> int:
    # In a group of its own.
    prctl = ctypes.CDLL(None).prctl
    guardian = os.getpid()
    read, write = os.pipe2(os.O_CLOEXEC)
    service = os.fork()
    if service == 0:
        try:
            prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and exec keeps that
                signal.signal(number, signal.SIG_DFL)
            if os.getppid() == guardian:
                os.setsid()
                os.chdir(folder)
                os.execv(command[0], command)  # noqa: S606 # the caller's program, without a shell
        except OSError as error:
            os.write(write, str(error.errno).encode())
        finally:
            os._exit(127)
    os.close(write)
    failure = os.read(read, _PACKET_BYTES)
    os.close(read)
    if failure:
        os.waitpid(service, 0)
        raise OSError(int(failure), os.strerror(int(failure)))
    return service


def _shorten_output() -> None:
    # The service's output file is also this script's standard output.
    size = os.fstat(1).st_size
    if size > _OUTPUT_BYTES:
        kept = os.pread(1, _KEPT_BYTES, size - _KEPT_BYTES)
        os.ftruncate(1, 0)
        os.write(1, kept)


def main() -> None:
    # Arguments: descriptors of the control socket and of the locked folder, the client's process id, the time
    # to end in, the folder, the working directory, and the command.
    control, lock, client = (int(argument) for argument in sys.argv[1:4])
    os.set_inheritable(control, False)
    os.set_inheritable(lock, False)
    exit_seconds, folder, cwd = sys.argv[4:7]
    Guardian(control, client, float(exit_seconds), folder).run(cwd, sys.argv[7:])


if __name__ == "__main__":
    main()
