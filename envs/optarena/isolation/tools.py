"""The programs that a confined process may start, and how it starts one: a compiler, an assembler, a linker.

A session type names them (``CompilationSession.tools``). A tool runs confined like the session that starts
it, in the session's folder, under limits of its own, and can start no other program. In a session that
is not confined, too, it can open its own files and its folder only, where the kernel has Landlock.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, NoReturn

from optarena import limits
from optarena.errors import ServiceError, SessionKilled, SessionOutOfMemory, SessionTimeout
from optarena.isolation import sandbox, syscalls
from optarena.isolation.syscalls import cause, is_foreign

HERE: Final = Path()  # the folder of a confined session: the folder in which its process is
_STACK_BYTES: Final = 64 * 1024**2  # what a compiler would raise its stack to itself, if it may
_SAID_BYTES: Final = 4096
_NOT_STARTED: Final = 127
# How often a tool is started anew whose process crashed before it had become the tool. Where gRPC is at work
# in a process, it starts threads in forked ones, which crash some of them.
_MORE_TRIES: Final = 9
_CLOSE_RANGE: Final = 436  # the number of the system call on every processor
_LAST_DESCRIPTOR: Final = 2**32 - 1
_CLOSE_ON_EXEC: Final = 4
_ENVIRONMENT: Final = {"LC_ALL": "C", "TMPDIR": "."}
_CPU_SIGNALS: Final = (signal.SIGXCPU, signal.SIGPROF)
_OUT_OF_MEMORY: Final = ("out of memory", "memory exhausted", "Cannot allocate memory")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAccess:
    """The programs of a session type, and the files that they need.

    Attributes:
        hashes: The sha256 of each program, by its name; recorded with results.
        files: Programs, loaders and libraries, which may be read and executed: real paths, no links.
        data: Files that may be read only.
    """

    hashes: Mapping[str, str] = field(default_factory=dict)
    files: tuple[Path, ...] = ()
    data: tuple[Path, ...] = ()

    def rules(self) -> dict[Path, int]:
        """What Landlock allows a process whose present folder is that of the session."""
        return {
            **dict.fromkeys(self.data, sandbox.READ_FILE),
            **dict.fromkeys(self.files, sandbox.READ_FILE | sandbox.EXECUTE),
            HERE: sandbox.OWN_FOLDER,
        }


class ToolFailed(ServiceError):
    """A tool ended with an error; the message has what it wrote last.

    Args:
        name: The tool.
        code: Its exit code, or minus the number of the signal that ended it.
        said: The end of its standard error.
    """

    def __init__(self, name: str, code: int, said: str) -> None:
        how = f"exit code {code}" if code >= 0 else f"signal {-code} ({signal.Signals(-code).name})"
        super().__init__(f"{name} failed with {how}: {said or 'it wrote nothing to standard error'}")
        self.name = name
        self.code = code
        self.said = said


class RunningTool:
    """A tool at work in a child process.

    Args:
        name: Its name, for messages.
        command: The program's path and all arguments.
        access: The files that it may open beside those in its folder.
        folder: The folder in which it works; :data:`HERE` is the process's own.
        label: Part of the names of its two files in the folder; tools that run at once need different ones.
        cpu_seconds: CPU time after which the kernel ends it, before it is extended by ``limits.extended_by``.
        wall_seconds: Wall time after which the kernel ends it, extended as well.

    Attributes:
        remarks: What it wrote to standard error, once it has ended well.

    Raises:
        MemoryError, OSError: The child process cannot be made.
    """

    remarks = ""

    def __init__(  # noqa: PLR0913 # all but the first two by name
        self,
        name: str,
        command: Sequence[str],
        *,
        access: ToolAccess,
        folder: Path = HERE,
        label: str = "tool",
        cpu_seconds: float = limits.CODE_CPU_SECONDS,
        wall_seconds: float = limits.TOOL_WALL_SECONDS,
    ) -> None:
        self.name = name
        self._seconds = limits.seconds(cpu_seconds), limits.seconds(wall_seconds)
        self._output, self._errors = folder / f"{label}.out", folder / f"{label}.err"
        self._become = partial(self._become_tool, command, access, folder, os.getpid())
        self._pid: int | None = None
        self._begin()

    def _begin(self) -> None:
        self._begun, begins = os.pipe()
        try:
            self._pid = os.fork()
            if self._pid == 0:
                self._become(begins)
        except BaseException:
            os.close(self._begun)
            raise
        finally:
            os.close(begins)

    def finish(self) -> bytes:
        """Wait for its end.

        Returns:
            What it wrote to standard output.

        Raises:
            SessionTimeout: It used up its CPU or wall time.
            SessionOutOfMemory: It had not enough memory.
            SessionKilled: Somebody else killed it.
            ToolFailed: It ended with another error.
        """
        code = self._wait()
        for _ in range(_MORE_TRIES):
            if self._has_begun or code >= 0:
                break
            self._begin()
            code = self._wait()
        try:
            if code:
                raise self._failure(code)
            self.remarks = self._errors.read_text(encoding="utf-8", errors="replace")
            return self._output.read_bytes()
        finally:
            for file in (self._output, self._errors):
                file.unlink(missing_ok=True)

    def abandon(self) -> None:
        """Wait for its end, and forget what it wrote."""
        with contextlib.suppress(ServiceError, OSError):
            self.finish()

    def _wait(self) -> int:
        if self._pid is None:
            raise RuntimeError(f"{self.name} has been waited for.")
        _, status, usage = os.wait4(self._pid, 0)
        self._has_begun = os.read(self._begun, 1) != b""
        os.close(self._begun)
        self._pid, self._used = None, usage.ru_utime + usage.ru_stime
        return os.waitstatus_to_exitcode(status)

    def _failure(self, code: int) -> ServiceError:
        said = _end_of(self._errors)
        # The kernel kills a tool that ignores SIGXCPU at its hard limit.
        used_up = -code == signal.SIGKILL and self._used >= self._seconds[0]
        if -code in _CPU_SIGNALS or used_up:
            return SessionTimeout(f"{self.name} used its CPU time of {self._seconds[0]:g} s.")
        if -code == signal.SIGALRM:
            return SessionTimeout(f"{self.name} used its wall time of {self._seconds[1]:g} s.")
        if any(words in said for words in _OUT_OF_MEMORY):
            return SessionOutOfMemory(f"{self.name} ran out of memory: {said}")
        if code < 0 and is_foreign(-code):
            return SessionKilled(f"{self.name} was killed by signal {-code} ({cause(-code)})", signal=-code)
        return ToolFailed(self.name, code, said)

    def _become_tool(
        self, command: Sequence[str], access: ToolAccess, folder: Path, session: int, begins: int
    ) -> NoReturn:
        # In the child process. It stays in the session's process group, which is killed with the session. The
        # alarm goes on in the tool, so that nobody needs the right to kill it. The limit on processes counts
        # all of the same user, so the tool can make none.
        try:
            syscalls.die_with_parent(session)
            self._redirect()
            _close_at_start(begins)
            if folder != HERE:
                os.chdir(folder)
            if sandbox.version() is not None:  # a confined session may not ask, and has these rules already
                syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
                sandbox.deny_all(but=access.rules())
            cpu_seconds, wall_seconds = self._seconds
            soft = max(1, int(cpu_seconds))
            _lower(resource.RLIMIT_CPU, soft, soft + 1)
            _lower(resource.RLIMIT_FSIZE, limits.SESSION_FILE_BYTES)
            _lower(resource.RLIMIT_CORE, 0)
            _lower(resource.RLIMIT_STACK, _STACK_BYTES, None)
            signal.setitimer(signal.ITIMER_PROF, 0)
            for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, wall_seconds)
            # Last of all: threads that a library has started in this process would fail with these limits.
            _lower(resource.RLIMIT_AS, limits.SESSION_MEMORY_BYTES)
            _lower(resource.RLIMIT_NPROC, 1)
            os.write(begins, b"x")
            os.execve(command[0], list(command), dict(_ENVIRONMENT))  # noqa: S606 # the toolchain's own program
        except OSError as error:
            os.write(2, f"{command[0]} cannot be started: {error}\n".encode())
        finally:
            os._exit(_NOT_STARTED)

    def _redirect(self) -> None:  # in the child process: read nothing, and write to the two files
        output = os.open(self._output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        errors = os.open(self._errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        nothing, _ = os.pipe()  # closed when the tool begins, so that reading it gives the end of a file
        os.dup2(nothing, 0)
        os.dup2(output, 1)
        os.dup2(errors, 2)


def run_tool(  # noqa: PLR0913 # all but the first two by name
    name: str,
    command: Sequence[str],
    *,
    access: ToolAccess,
    folder: Path = HERE,
    cpu_seconds: float = limits.CODE_CPU_SECONDS,
    wall_seconds: float = limits.TOOL_WALL_SECONDS,
) -> bytes:
    """Run a tool to its end; see :class:`RunningTool` for the arguments and errors.

    Returns:
        What it wrote to standard output.
    """
    return RunningTool(
        name, command, access=access, folder=folder, cpu_seconds=cpu_seconds, wall_seconds=wall_seconds
    ).finish()


def _close_at_start(kept: int) -> None:
    # All other descriptors are closed when the tool begins; one is kept until then. Libraries may start
    # threads of their own in a forked process, as gRPC does, and end it if theirs are gone.
    try:
        syscalls.syscall(_CLOSE_RANGE, 3, _LAST_DESCRIPTOR, _CLOSE_ON_EXEC)
    except OSError:  # a kernel before 5.11
        os.closerange(3, kept)
        os.closerange(kept + 1, os.sysconf("SC_OPEN_MAX"))


def _lower(kind: int, soft: int, hard: int | None = -1) -> None:
    # By default also the hard limit, and with None only the soft one.
    _, ceiling = resource.getrlimit(kind)
    if hard is None:
        wanted = ceiling
    else:
        wanted = soft if hard < 0 else hard
        wanted = wanted if ceiling == resource.RLIM_INFINITY else min(wanted, ceiling)
    lowered = soft if wanted == resource.RLIM_INFINITY else min(soft, wanted)
    resource.setrlimit(kind, (lowered, wanted))


def _end_of(file: Path) -> str:
    try:
        data = file.read_bytes()
    except OSError:
        return ""
    return data[-_SAID_BYTES:].decode(errors="replace").strip()
