"""Shares this machine among its replays: they run side by side, unless one has an idle machine for itself.

Two locked files that all workers of a machine share keep the order. Whoever wants the machine for itself
takes the second one first, so that no other replay begins, and then waits for the end of those that run.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from optarena import file_locks
from optarena.file_locks import FileLock, machine_folder, open_for_all
from runner import conf
from runner.errors import MachineBusyError, MachineLockError

_NAME: Final = "optarena-replays.lock"
_PRESSURE: Final = Path("/proc/pressure/cpu")
_PERCENT: Final = 100.0
_MICROSECONDS: Final = 1e6


@dataclass(frozen=True, slots=True)
class LoadReading:
    # at is of the monotonic clock, waited the seconds for which some process has waited for a processor since
    # the machine was started (None where the kernel does not say), load the average of the last minute.
    at: float
    waited: float | None
    load: float

    @classmethod
    def take(cls) -> LoadReading:
        return cls(time.monotonic(), _waited(), os.getloadavg()[0])

    def busy_since(self, earlier: LoadReading) -> float:
        # In percent of the time. Where the kernel does not say: the load average for each processor, without
        # one process.
        if self.waited is None or earlier.waited is None or self.at <= earlier.at:
            processors = os.cpu_count() or 1
            return min(_PERCENT, max(0.0, _PERCENT * (self.load - 1) / processors))
        return min(_PERCENT, _PERCENT * (self.waited - earlier.waited) / (self.at - earlier.at))


def _waited() -> float | None:
    # The line: some avg10=0.00 avg60=0.00 avg300=0.00 total=4711, in microseconds.
    try:
        line = _PRESSURE.read_text().splitlines()[0]
    except (OSError, IndexError):  # an older kernel, or one that was started without it
        return None
    return int(line.rpartition("total=")[2]) / _MICROSECONDS


def is_taken() -> bool:
    # True also while a replay waits to have the machine for itself: others do not begin then.
    turn = _try(_path(".next"), shared=True)
    if turn is None:
        return True
    turn.release()
    return False


@contextlib.contextmanager
def beside_others(*, check: Callable[[], None]) -> Iterator[None]:
    # check raises if the wait must end.
    turn = _wait(_path(".next"), shared=True, check=check)
    try:
        use = _wait(_path(), shared=True, check=check)
    finally:
        turn.release()
    try:
        yield
    finally:
        use.release()


@contextlib.contextmanager
def alone(*, check: Callable[[], None]) -> Iterator[float]:
    # check raises if the wait must end. Yields how busy the machine was just before, in percent.
    ends = time.monotonic() + conf.idle_wait_seconds()

    def check_time() -> None:
        check()
        if time.monotonic() >= ends:
            raise MachineBusyError(
                f"Other replays ran on this machine for {conf.idle_wait_seconds():g} s, so this one could "
                "not be repeated alone."
            )

    with contextlib.ExitStack() as held:
        for suffix in (".next", ""):
            held.callback(_wait(_path(suffix), shared=False, check=check_time).release)
        yield _wait_until_idle(ends, check)


def _wait_until_idle(ends: float, check: Callable[[], None]) -> float:
    while True:
        busy = _busy_now(check)
        if busy <= conf.idle_pressure():
            return busy
        if time.monotonic() >= ends:
            raise MachineBusyError(
                f"Processes waited for a processor {busy:.0f} % of the time, and at most "
                f"{conf.idle_pressure():.0f} % is idle; waited {conf.idle_wait_seconds():g} s."
            )


def _busy_now(check: Callable[[], None]) -> float:
    began = LoadReading.take()
    while time.monotonic() < began.at + conf.IDLE_SAMPLE_SECONDS:
        check()
        time.sleep(conf.MACHINE_POLL_SECONDS)
    return LoadReading.take().busy_since(began)


def _path(suffix: str = "") -> Path:
    path = Path(machine_folder(), _NAME + suffix)
    if not path.is_absolute():  # processes run in different folders, and would use different files
        raise MachineLockError(
            f"${file_locks.VARIABLE} is {machine_folder()!r:.200}. Give the absolute path of a folder."
        )
    return path


def _wait(path: Path, *, shared: bool, check: Callable[[], None]) -> FileLock:
    while (lock := _try(path, shared=shared)) is None:
        check()
        time.sleep(conf.MACHINE_POLL_SECONDS)
    return lock


def _try(path: Path, *, shared: bool) -> FileLock | None:
    try:
        return FileLock.take(open_for_all(path), path, shared=shared)
    except OSError as error:
        raise MachineLockError(
            f"This machine cannot be shared among its replays: {path}: {error.strerror}. It must be a plain "
            "file that all may read, or not exist, in a local folder where files can be made; "
            f"set ${file_locks.VARIABLE} to another folder."
        ) from error
