"""The machine that measures: what identifies it, its cores, their exclusive use, and instruction counters."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import re
import struct
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from optarena.errors import DeviceBusy, DeviceUnavailable
from optarena.file_locks import VARIABLE, FileLock, machine_folder, open_for_all
from optarena.isolation import syscalls

_CPUINFO: Final = Path("/proc/cpuinfo")
_CLOCK: Final = "/sys/devices/system/cpu/cpu{}/cpufreq/scaling_cur_freq"
_KHZ_IN_MHZ: Final = 1000
_GOVERNOR: Final = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")


@cache
def fixed_facts() -> dict[str, Any]:
    # Read once: a confined process can open no file. Unknown ones are empty.
    info = _pairs(text_of(_CPUINFO).partition("\n\n")[0])
    return {
        "device": info.get("model name") or platform.machine(),
        "vendor": info.get("vendor_id", ""),
        "architecture": platform.machine(),
        "kernel": platform.release(),
        "governor": text_of(_GOVERNOR).strip(),
    }


def present_mhz(cpu: int) -> float | None:
    with contextlib.suppress(OSError, ValueError):
        return int(Path(_CLOCK.format(cpu)).read_text()) / _KHZ_IN_MHZ
    for lines in text_of(_CPUINFO).split("\n\n"):
        told = _pairs(lines)
        if told.get("processor") == str(cpu):
            with contextlib.suppress(KeyError, ValueError):
                return float(told["cpu MHz"])
    return None


def load_average() -> list[float] | None:
    with contextlib.suppress(OSError):
        return list(os.getloadavg())
    return None


def _pairs(lines: str) -> dict[str, str]:
    pairs = (line.partition(":") for line in lines.splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}


def text_of(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


_SIBLINGS: Final = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"


@cache
def cores() -> dict[int, int]:
    # The core of each CPU that this process may use, named by its first CPU; without unknown ones. It is read
    # once: a confined process can open no file.
    found = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        try:
            found[cpu] = min(parse_cpu_list(Path(_SIBLINGS.format(cpu)).read_text()))
        except (OSError, ValueError):
            continue
    return found


def parse_cpu_list(text: str) -> list[int]:
    # As the kernel writes it: `0-2,64` is 0, 1, 2, 64.
    found: list[int] = []
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def cores_first(cpus: Iterable[int], core_of: Mapping[int, int]) -> tuple[int, ...]:
    # One CPU of each core, then the second of each, and so on; each time in ascending order. A CPU that
    # `core_of` lacks is a core of its own.
    taken: dict[int, int] = {}
    turns = {}
    for cpu in sorted(cpus):
        core = core_of.get(cpu, cpu)
        turns[cpu] = taken[core] = taken.get(core, -1) + 1
    return tuple(sorted(turns, key=lambda cpu: (turns[cpu], cpu)))


# Much less than the time limit of an action or of a block, so that the error reports the wait.
WAIT_SECONDS: Final = 20.0
_LOCK_POLL_SECONDS: Final = 0.005


class _Hold:
    # The lock of one device in this process: `mine` is held by the thread that uses it, which may enter
    # again; `lock` is that of the file.

    def __init__(self) -> None:
        self.mine = threading.RLock()
        self.entered = 0
        self.lock: FileLock | None = None


_holds: defaultdict[Path, _Hold] = defaultdict(_Hold)
_finding = threading.Lock()


@contextlib.contextmanager
def exclusive(identity: str, *, seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold a device; other processes wait, and so do other threads of this one.

    A thread that holds the device may enter again, and holds it until it has left as often. ``identity`` is
    the same in all processes that use the device.
    """
    path = _path(identity)
    deadline = time.monotonic() + seconds
    with _finding:
        hold = _holds[path]
    if not hold.mine.acquire(timeout=max(0.0, seconds)):
        raise _in_use(identity, path, seconds)
    try:
        if not hold.entered:
            hold.lock = _wait(identity, path, deadline, seconds)
        hold.entered += 1
        try:
            yield
        finally:
            hold.entered -= 1
            if not hold.entered and hold.lock is not None:
                hold.lock.release()
    finally:
        hold.mine.release()


@contextlib.contextmanager
def shared(identity: str, *, seconds: float = WAIT_SECONDS) -> Iterator[None]:
    # With others who share it, while nobody has it exclusively.
    path = _path(identity)
    lock = _wait(identity, path, time.monotonic() + seconds, seconds, shared=True)
    try:
        yield
    finally:
        lock.release()


def _path(identity: str) -> Path:
    folder = machine_folder()
    if not Path(folder).is_absolute():  # processes run in different folders, and would use different files
        raise DeviceUnavailable(f"${VARIABLE} is {folder!r:.200}. Give the absolute path of a folder.")
    return Path(folder, f"optarena-{re.sub('[^A-Za-z0-9_.-]', '_', identity)}.lock")


def _in_use(identity: str, path: Path, seconds: float) -> DeviceBusy:
    return DeviceBusy(
        f"The device {identity} is in use: {path} was locked for {seconds:g} s. Try again later."
    )


def _wait(identity: str, path: Path, deadline: float, seconds: float, *, shared: bool = False) -> FileLock:
    # The next waiting process holds a second lock: otherwise a process that returns at once would always win.
    in_use = _in_use(identity, path, seconds)
    turn = _until(deadline, path.with_suffix(".next"), in_use, shared=shared)
    try:
        return _until(deadline, path, in_use, shared=shared)
    finally:
        turn.release()


def _until(deadline: float, path: Path, in_use: DeviceBusy, *, shared: bool) -> FileLock:
    while (lock := _locked(path, shared=shared)) is None:
        if time.monotonic() >= deadline:
            raise in_use
        time.sleep(_LOCK_POLL_SECONDS)
    return lock


def _locked(path: Path, *, shared: bool) -> FileLock | None:
    try:
        return FileLock.take(open_for_all(path), path, shared=shared)
    except OSError as error:
        raise DeviceUnavailable(
            f"The device cannot be reserved: {path}: {error.strerror}. It must be a plain file that all may "
            "read, or not exist, in a local folder where files can be made; "
            f"set ${VARIABLE} to another folder."
        ) from error


def _forget() -> None:
    # After a fork the child holds none; its copies of the locks are closed already.
    global _finding  # noqa: PLW0603 # another thread may have held it during the fork
    _finding = threading.Lock()
    _holds.clear()


os.register_at_fork(after_in_child=_forget)


# All cores together, which measurements with threads hold.
ALL: Final = "cpu"
_CORE_POLL_SECONDS: Final = 0.05


@contextlib.contextmanager
def reserved_core(*, seconds: float) -> Iterator[int]:
    """Hold a core that no other measurement uses, whichever is free first, and yield its processor's number.

    Only one processor of each physical core is ever used. Other work of the machine may run on it.
    """
    deadline = time.monotonic() + seconds
    first_of = _first_of_each()
    with shared(ALL, seconds=seconds), contextlib.ExitStack() as held:
        yield _first_free(first_of, held, deadline, seconds)


@contextlib.contextmanager
def all_cores(*, seconds: float) -> Iterator[int]:
    """Hold all cores, so that no other measurement of this machine runs, and yield the processor to use."""
    with exclusive(ALL, seconds=seconds):
        yield max(_first_of_each().items())[1]  # the first core serves most interrupts


def _first_of_each() -> dict[int, int]:
    # A core is named by its first processor, or by one that this process may not use.
    core_of = cores()
    cpus = cores_first(os.sched_getaffinity(0), core_of)
    return {core_of.get(cpu, cpu): cpu for cpu in reversed(cpus)}


def _first_free(first_of: dict[int, int], held: contextlib.ExitStack, deadline: float, seconds: float) -> int:
    while True:
        for core, cpu in sorted(first_of.items(), reverse=True):  # the first core serves most interrupts
            with contextlib.suppress(DeviceBusy):
                held.enter_context(exclusive(f"{ALL}-{core}", seconds=0.0))
                return cpu
        if time.monotonic() >= deadline:
            raise DeviceBusy(
                f"Other measurements used all {len(first_of)} cores for {seconds:g} s. Try again later."
            )
        time.sleep(_CORE_POLL_SECONDS)


_PERF_EVENT_OPEN: Final = 298
_HARDWARE: Final = 0
_INSTRUCTIONS: Final = 1
# The first version of perf_event_attr, which every kernel knows.
_ATTRIBUTE_BYTES: Final = 64
_READ_FORMAT_AT: Final = 32
# The counter is read with how long it was enabled, and how long it counted.
_TIMES: Final = 1 << 0 | 1 << 1
_FLAGS_AT: Final = 40
_USER_MODE_ONLY: Final = 1 << 5 | 1 << 6
_CLOSE_ON_EXEC: Final = 1 << 3


class InstructionCounter:
    def __init__(self, descriptor: int | None) -> None:
        self._descriptor = descriptor

    def read(self) -> int | None:
        # Also after the end of the process; None where it cannot be counted, or where the kernel lent the
        # counter to others meanwhile: that number is only a part.
        if self._descriptor is None:
            return None
        counted, enabled, running = struct.unpack("QQQ", os.read(self._descriptor, 24))
        return int(counted) if enabled == running else None


@contextlib.contextmanager
def count_instructions(pid: int) -> Iterator[InstructionCounter]:
    descriptor = _opened(pid)
    try:
        yield InstructionCounter(descriptor)
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _opened(pid: int) -> int | None:
    if not syscalls.is_supported_machine():
        return None
    attribute = bytearray(_ATTRIBUTE_BYTES)
    struct.pack_into("IIQ", attribute, 0, _HARDWARE, _ATTRIBUTE_BYTES, _INSTRUCTIONS)
    struct.pack_into("Q", attribute, _READ_FORMAT_AT, _TIMES)
    struct.pack_into("Q", attribute, _FLAGS_AT, _USER_MODE_ONLY)
    given = ctypes.create_string_buffer(bytes(attribute), _ATTRIBUTE_BYTES)
    try:
        return syscalls.syscall(_PERF_EVENT_OPEN, given, pid, -1, -1, _CLOSE_ON_EXEC)
    except OSError:  # no such counter, as on many virtual machines, or not allowed
        return None
