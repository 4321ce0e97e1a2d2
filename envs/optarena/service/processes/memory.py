"""Whether memory is short, and groups of processes whose memory is limited together: one for each replay.

A process that is killed or gets no memory while the machine, or its group, runs short says nothing about
its work. The kernel's own counts are read; where it has none, nothing is known and nothing is claimed.

A group is a control group of the kernel, of version 1 or 2. It is made below the group of this process or,
if the operator names one, in the folder ``$OPTARENA_MEMORY_GROUPS``. Whether that works is tried once, with
a group that a process enters. A group's folder is locked as long as its maker uses it. One without a lock
is that of a dead process, and the next process that looks for a place removes it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, Final

from optarena.errors import InfrastructureFault, InvalidInput
from optarena.file_locks import FileLock
from optarena.isolation.syscalls import GroupLimit
from optarena.service import timeouts

VARIABLE: Final = "OPTARENA_MEMORY_GROUPS"  # names the folder of a control group in which groups are made
# the number is the process id of the group's maker, for people who look
_NAME: Final = re.compile(r"optarena-replay-\d+-[0-9a-f]{16}")
# the file that limits memory, in each version of the interface
_LIMITS: Final = {1: "memory.limit_in_bytes", 2: "memory.max"}
# The file by which a process enters. The first moves a single thread, which Linux does at once. Before it
# moves a whole process it waits for about ten milliseconds, but version 2 limits the memory of whole
# processes only.
_ENTRANCES: Final = {1: "tasks", 2: "cgroup.procs"}
_ENABLED: Final = "cgroup.subtree_control"
_EVENTS: Final = ("memory.oom_control", "memory.events")
# The most memory ever used, in version 1, without swap and with it; newer kernels do not count refusals
_MOST_USED: Final = ("memory.max_usage_in_bytes", "memory.memsw.max_usage_in_bytes")
_NEARLY: Final = 1024**2  # a process that is refused memory has asked for less than these bytes
_TRIAL_BYTES: Final = 64 * 1024**2
_POLL_SECONDS: Final = 0.001

logger = logging.getLogger(__name__)

# A context variable, since plug-ins' functions that start processes have fixed parameters
_present: Final[ContextVar[GroupLimit | None]] = ContextVar("optarena_memory_group", default=None)


def present() -> dict[str, Any] | None:
    limit = _present.get()
    return None if limit is None else asdict(limit)


@contextlib.contextmanager
def limit_memory(limit_bytes: int | None) -> Iterator[MemoryGroup | None]:
    # Limit the memory of all workers that are started in this block, together, and kill them at its end. None
    # where no limit is wanted or no group can be made.
    where = None if limit_bytes is None else find_group_folder()
    if where is None or limit_bytes is None:
        yield None
        return
    try:
        group = MemoryGroup.make(where, limit_bytes)
    except OSError as error:
        message = f"No group for memory can be made in {where}: {error}"
        raise InfrastructureFault(message, reason="infra:worker-unhealthy") from error
    token = _present.set(group.limit)
    try:
        yield group
    finally:
        _present.reset(token)
        group.end()


class MemoryGroup:
    def __init__(self, folder: Path, lock: FileLock, limit_bytes: int) -> None:
        self.folder = folder
        self._version = 1 if (folder / _LIMITS[1]).exists() else 2
        self.limit = GroupLimit(entrance=str(folder / _ENTRANCES[self._version]), limit_bytes=limit_bytes)
        self._lock = lock

    @classmethod
    def make(cls, where: Path, limit_bytes: int) -> MemoryGroup:
        # OSError if it cannot be made, or limits no memory.
        lock: FileLock | None = None
        while lock is None:
            folder = where / f"optarena-replay-{os.getpid()}-{os.urandom(8).hex()}"
            folder.mkdir()
            with contextlib.suppress(FileNotFoundError):  # another process removed it before the lock
                lock = FileLock.take(_open(folder), folder)
        group = cls(folder, lock, limit_bytes)
        try:
            group._set_limits()
        except OSError:
            group.end()
            raise
        return group

    def exceeded(self) -> str:
        # Says that one of the processes was refused memory for their limit. One that is killed because the
        # whole machine lacks memory does not count.
        events, limit = events_of(self.folder), self.limit.limit_bytes
        if self._version == 1:
            most = max(_number(self.folder / name) for name in _MOST_USED)
            refused = events.get("oom_kill", 0) > 0 and most > limit - _NEARLY
        else:
            refused = events.get("oom", 0) > 0
        return f"The processes together reached their memory limit of {limit} bytes." if refused else ""

    def end(self) -> None:
        _remove(self.folder)
        self._lock.release()

    def _set_limits(self) -> None:
        limit = str(self.limit.limit_bytes)
        _write(self.folder / _LIMITS[self._version], limit)
        if self._version == 1:
            _write_if_there(self.folder / "memory.memsw.limit_in_bytes", limit)  # memory and swap
        else:
            _write_if_there(self.folder / "memory.swap.max", "0")
            _write_if_there(self.folder / "memory.oom.group", "1")


def find_group_folder() -> Path | None:
    # Where this process makes groups; None for nowhere. Tried once for each process.
    return _usable_place(os.environ.get(VARIABLE, "").strip())


@cache
def _usable_place(named: str) -> Path | None:
    if named:
        if problem := _problem_of(Path(named)):
            raise InvalidInput(
                f"No groups for memory can be made in the folder {named!r:.200}: {problem}",
                field=VARIABLE,
                value=named,
                remedy="Name a control group that is delegated to this user and has no process of its own, "
                "or leave the variable out.",
            )
        _remove_stale(Path(named))
        return Path(named)
    for folder in own_groups():
        if _offers_memory(folder) and os.access(folder, os.W_OK) and not _problem_of(folder):
            _remove_stale(folder)
            return folder
    return None


def own_groups(root: Path = Path("/")) -> Iterator[Path]:
    # Where the control groups of this process for memory may be, in both versions of the interface.
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if not controllers:
            yield root / f"sys/fs/cgroup{path}"
            yield root / f"sys/fs/cgroup/unified{path}"
        elif "memory" in controllers.split(","):
            yield root / f"sys/fs/cgroup/memory{path}"


def events_of(folder: Path) -> dict[str, int]:
    # What the kernel has counted for lack of memory; empty where it does not say.
    lines = (line.split() for name in _EVENTS for line in _text(folder / name).splitlines())
    return {words[0]: int(words[1]) for words in lines if len(words) > 1 and words[1].isdecimal()}


def _offers_memory(folder: Path) -> bool:
    return (folder / _LIMITS[1]).exists() or "memory" in _text(folder / _ENABLED).split()


def _problem_of(where: Path) -> str:
    # Why no process can enter a group in a folder; empty if one can.
    try:
        if not _offers_memory(where):
            _write(where / _ENABLED, "+memory")
        group = MemoryGroup.make(where, _TRIAL_BYTES)
    except OSError as error:
        return str(error)
    try:
        done = subprocess.run(  # noqa: S603 # a fixed command, and a folder that was made here
            ["/bin/sh", "-c", 'echo 0 > "$1"', "sh", group.limit.entrance],
            env={},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=timeouts.MEMORY_GROUP_TRIAL_SECONDS,
        )
        return done.stderr.decode(errors="replace").strip() if done.returncode else ""
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    finally:
        group.end()


def _remove_stale(where: Path) -> None:
    # Groups of processes that have died.
    for folder in where.iterdir():
        if not _NAME.fullmatch(folder.name):
            continue
        with contextlib.suppress(OSError):  # another process was faster
            lock = FileLock.take(_open(folder), folder)
            if lock is not None:
                _remove(folder)
                lock.release()


def _remove(folder: Path) -> None:
    # A process that does not die keeps the group, which is stale then.
    deadline = time.monotonic() + timeouts.MEMORY_GROUP_END_SECONDS
    while True:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError as error:
            if time.monotonic() >= deadline:
                logger.warning("the memory group %s cannot be removed: %s", folder, error)
                return
        else:
            return
        _kill_all(folder)
        time.sleep(_POLL_SECONDS)


def _kill_all(folder: Path) -> None:
    if (folder / "cgroup.kill").exists():
        with contextlib.suppress(OSError):
            _write(folder / "cgroup.kill", "1")
        return
    for word in _text(folder / "cgroup.procs").split():
        if int(word) > 0:  # 0 is a process that is not visible here
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(int(word), signal.SIGKILL)


def _open(folder: Path) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def _write(file: Path, text: str) -> None:
    # A file of the kernel must be there.
    descriptor = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode("ascii"))
    finally:
        os.close(descriptor)


def _write_if_there(file: Path, text: str) -> None:
    with contextlib.suppress(FileNotFoundError):  # a kernel without swap, or an older one
        _write(file, text)


def _number(file: Path) -> int:
    text = _text(file).strip()
    return int(text) if text.isdecimal() else 0


def _text(file: Path) -> str:
    with contextlib.suppress(OSError):  # this kernel or container does not have it
        return file.read_text(encoding="ascii", errors="replace")
    return ""


_LEAST_AVAILABLE: Final = 0.02  # the part of the machine's memory that must be available
# the percentage of the last ten seconds in which all processes may have waited for memory
_MOST_STALLED: Final = 10.0


def own_memory(pid: int) -> int | None:
    # Bytes that are not of files.
    # It is read at each reset, and pathlib and decoding take longer than reading.
    with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/statm", "rb", buffering=0) as file:  # noqa: PTH123
        _, resident, shared, *_ = file.readall().split()
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
    return None


def usable_memory(root: Path = Path("/")) -> int:
    # Bytes for all processes together: the machine's, or fewer if a control group, or one above it, says so.
    folders = {above for folder in own_groups(root) for above in (folder, *folder.parents)}
    limits = [_number(folder / name) for folder in folders for name in _LIMITS.values()]
    machine = _numbers(root / "proc/meminfo").get("MemTotal:", 0) * 1024
    return min(filter(None, [machine, *limits]), default=0)


class MemoryWatch:
    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root
        self._before = {own: self._kills(own=own) for own in (False, True)}

    def shortage(self, *, own: bool = False) -> str:
        # How memory has been short since the watch began. With `own`, kills in other groups, such as other
        # containers, do not matter.
        kills = self._kills(own=own) - self._before[own]
        if kills > 0:
            return f"the kernel killed {kills} processes because memory ran out"
        memory = _numbers(self._root / "proc/meminfo")
        total, available = memory.get("MemTotal:", 0), memory.get("MemAvailable:", 0)
        if available < _LEAST_AVAILABLE * total:
            return f"only {available} of {total} KiB of memory are available"
        lines = _text(self._root / "proc/pressure/memory").splitlines()
        full = [line.split()[1].partition("=")[2] for line in lines if line.startswith("full avg10=")]
        stalled = float(full[0]) if full else 0.0
        return f"all processes waited for memory {stalled:g} % of the time" if stalled > _MOST_STALLED else ""

    def _kills(self, *, own: bool) -> int:
        # One in this group is in both counts.
        counts = [events_of(folder).get("oom_kill") for folder in own_groups(self._root)]
        of_group = [count for count in counts if count is not None]
        of_machine = _numbers(self._root / "proc/vmstat").get("oom_kill", 0)
        return max(of_group) if own and of_group else max([of_machine, *of_group])


def _numbers(file: Path) -> dict[str, int]:
    words = (line.split() for line in _text(file).splitlines())
    return {pair[0]: int(pair[1]) for pair in words if len(pair) > 1 and pair[1].isdecimal()}
