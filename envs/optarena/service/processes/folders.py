"""The folder and the environment, without secrets, of each process that the package starts.

The environment is an allow-list. A folder is locked as long as any process has it open, which distinguishes
a folder in use from one that a killed process has left. ``run`` keeps a time limit even if the program
hangs where no signal reaches it.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from optarena import logs, paths
from optarena.errors import InvalidInput
from optarena.file_locks import lock
from optarena.service import timeouts
from optarena.specs.environment import inherited_variables

# Every process inherits these, beside those that compilers and devices name; no secrets
_INHERITED: Final = (
    "HOME", "LD_LIBRARY_PATH", "OPTARENA_CACHE", "OPTARENA_DEBUG", "OPTARENA_LOCKS", "OPTARENA_LOGS",
    "OPTARENA_SITE_DATA", "OPTARENA_TRANSIENT_CACHE",
)  # fmt: skip
_VARIABLE: Final = "OPTARENA_TRANSIENT_CACHE"
_FOLDERS: Final = "services"
_ATTEMPTS: Final = 20
_LAST_WORDS: Final = 2000


def environment(*more: str) -> dict[str, str]:
    names = (*_INHERITED, *inherited_variables(), *more)
    inherited = {name: os.environ[name] for name in names if name in os.environ}
    if logs.level():
        inherited[logs.VARIABLE] = str(logs.level())
    return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0", **inherited}


def importing_environment(*more: str) -> dict[str, str]:
    # For a Python process in another folder, with this process's module path.
    variables = environment("PYTHONPATH", *more)
    if "PYTHONPATH" in variables:
        entries = filter(None, variables["PYTHONPATH"].split(os.pathsep))
        variables["PYTHONPATH"] = os.pathsep.join(str(Path(entry).absolute()) for entry in entries)
    return variables


def make_directory() -> tuple[str, int]:
    # The descriptor holds the folder's lock: it is in use while any process has it open. InvalidInput names
    # $OPTARENA_TRANSIENT_CACHE if that is not usable.
    parent = paths.transient_cache() / _FOLDERS
    directory = parent / f"{os.getpid()}-{os.urandom(8).hex()}"
    if not _make_privately(directory):
        if os.environ.get(_VARIABLE, "").strip():
            raise _unusable("A working folder cannot be created.", parent)
        directory = Path(tempfile.mkdtemp(prefix="optarena-"))
    try:
        return str(directory), _locked(directory)
    except BaseException:  # KeyboardInterrupt too: leave nothing behind
        remove_directory(str(directory))
        raise


def keep_directory(directory: Path, lock: int) -> None:
    # Create the folder again if it was removed; the descriptor `lock` then refers to the new one.
    gone = f"The working folder {directory} was removed and cannot be created again."
    try:
        if directory.parent.name != _FOLDERS:  # among the system's temporary files
            directory.mkdir(mode=0o700)
        elif not _make_privately(directory):
            raise _unusable(gone, directory.parent)
    except OSError as error:
        raise _unusable(f"{gone[:-1]}: {error.strerror}.", directory.parent) from error
    new = _locked(directory)
    os.dup2(new, lock, inheritable=False)
    os.close(new)


def remove_directory(folder: str) -> None:
    # Its parent, too, if that is then empty.
    try:
        Path(folder).rmdir()  # takes no descriptor, of which this process may have none left
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
    parent = Path(folder).parent
    if parent.name == _FOLDERS:
        with contextlib.suppress(OSError):  # others are in it
            parent.rmdir()


def _unusable(problem: str, parent: Path) -> InvalidInput:
    value = os.environ.get(_VARIABLE, "").strip()
    named = f"${_VARIABLE} is {value!r:.200}." if value else f"${_VARIABLE} is not set."
    remedy = "Set it to a folder that you own, that can be written to, and that others cannot write to."
    message, shown = f"{problem} {named}", value[:200] or str(parent)
    return InvalidInput(message, field=_VARIABLE, value=shown, remedy=remedy)


def _make_privately(directory: Path) -> bool:
    # False if there is no place where no other user can write.
    for _ in range(_ATTEMPTS):
        with contextlib.suppress(FileNotFoundError):  # another process has just removed the empty parent
            if not _is_private(directory.parent):
                return False
            _remove_stale(directory.parent)
            directory.mkdir(mode=0o700)
            return True
    return False


def _locked(directory: Path) -> int:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    lock(descriptor, seconds=None)
    return descriptor


def _is_private(folder: Path) -> bool:
    # Created if necessary; it may be another user's.
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        owners = [(info.st_uid, info.st_mode) for info in (folder.stat(), folder.parent.stat())]
    except FileNotFoundError:
        raise
    except OSError:
        return False
    return all(uid == os.geteuid() and not mode & stat.S_IWOTH for uid, mode in owners)


def _remove_stale(parent: Path) -> None:
    # Killed processes have left folders that no process has locked.
    for directory in parent.iterdir():
        with contextlib.suppress(OSError):  # in use, or another process was faster
            if time.time() - directory.stat().st_mtime < timeouts.STALE_FOLDER_SECONDS:
                continue
            descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                if lock(descriptor):
                    shutil.rmtree(directory, ignore_errors=True)
            finally:
                os.close(descriptor)


class NotInTime(TimeoutError):
    """A program did not end, or print more, in time, and was killed; ``printed`` is what it had printed."""

    def __init__(self, seconds: float, printed: str) -> None:
        super().__init__(f"The program did not end within {seconds:g} s.")
        self.printed = printed


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    # A program's exit code, or minus the number of the signal; its standard output and standard error.

    code: int
    printed: str
    said: str


def run(  # noqa: PLR0913 # all but the command by name
    command: Sequence[str],
    *,
    seconds: float,
    given: str = "",
    environment: Mapping[str, str] | None = None,
    directory: str | None = None,
    starts_others: bool = False,
    anew: bool = False,
) -> Ended:
    """Run a program; NotInTime if it does not end within the wall time, after which it is killed.

    ``given`` is its standard input; environment and working directory are this process's if None. If it
    ``starts_others``, they are killed with it. With ``anew`` the time begins anew whenever it has printed
    something.
    """
    with _file(given) as stdin, _file() as printed, _file() as said:
        process = subprocess.Popen(  # noqa: S603 # what the caller names
            command,
            stdin=stdin,
            stdout=printed,
            stderr=said,
            env=environment,
            cwd=directory,
            process_group=0 if starts_others else None,
        )
        clock = _Clock(seconds, printed if anew else None)
        if not _ended(process, clock, with_others=starts_others):
            raise NotInTime(seconds, _text(printed))
        return Ended(code=process.returncode, printed=_text(printed), said=_text(said))


class AnswerUnreadable(OSError):
    """A program printed no JSON; the message has the end of what it said."""


def ask(
    command: Sequence[str],
    question: object,
    *,
    seconds: float,
    inherited: Sequence[str],
    starts_others: bool = False,
) -> Any:  # noqa: ANN401 # JSON data
    """Run a Python program that reads JSON data and prints some, and return these.

    Raises:
        OSError: It did not start, not end in time (``NotInTime``), or print JSON (``AnswerUnreadable``).
    """
    ended = run(
        command,
        seconds=seconds,
        given=json.dumps(question),
        environment=importing_environment(*inherited),
        directory="/",
        starts_others=starts_others,
    )
    try:
        return json.loads(ended.printed)
    except ValueError as error:
        said = ended.said.strip()[-_LAST_WORDS:] or f"It ended with code {ended.code}."
        raise AnswerUnreadable(said) from error


class _Clock:
    # The time begins anew whenever the file has grown.

    def __init__(self, seconds: float, file: IO[bytes] | None) -> None:
        self._seconds, self._file, self._size = seconds, file, 0
        self._until = time.monotonic() + seconds

    def look(self) -> float:
        # Seconds until the next look; 0 if no time is left.
        if self._file is None:
            return max(0.0, self._until - time.monotonic())
        size = os.fstat(self._file.fileno()).st_size
        if size > self._size:
            self._size, self._until = size, time.monotonic() + self._seconds
        return max(0.0, min(timeouts.PRINTED_CHECK_SECONDS, self._until - time.monotonic()))


def _ended(process: subprocess.Popen[bytes], clock: _Clock, *, with_others: bool) -> bool:
    # Whether a program ended in its time; else it is killed.
    try:
        while seconds := clock.look():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
                return True
        return process.poll() is not None
    finally:
        _end(process, with_others=with_others)


def _file(content: str = "") -> IO[bytes]:
    file = tempfile.TemporaryFile()  # noqa: SIM115 # the caller closes it
    file.write(content.encode())
    file.seek(0)
    return file


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def _end(process: subprocess.Popen[bytes], *, with_others: bool) -> None:
    if process.poll() is None:
        if with_others:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeouts.KILLED_PROGRAM_SECONDS)
