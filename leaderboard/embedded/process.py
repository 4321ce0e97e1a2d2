"""One process of the embedded stack: it dies with its supervisor and keeps a log.

Start processes from the supervisor's main thread: the kernel sends the death signal when the *thread* that
started the process ends.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from leaderboard.embedded.orphan_killer import Keeper
from leaderboard.embedded.state import EmbeddedError

_PR_SET_PDEATHSIG: Final = 1
_prctl = ctypes.CDLL(None, use_errno=True).prctl
_TAIL_BYTES: Final = 4000
_TAIL_LINES: Final = 12
_LOG_BYTES: Final = 10_000_000


@dataclass(kw_only=True, eq=False)
class Process:
    name: str
    argv: list[str]
    environment: Mapping[str, str]  # All of its environment variables.
    log: Path
    stop_signal: signal.Signals = signal.SIGTERM
    stop_seconds: float = 20.0
    death_signal: signal.Signals = signal.SIGTERM  # What the kernel sends it when the supervisor dies.
    options: Mapping[str, Any] = field(default_factory=dict)  # Further arguments of `subprocess.Popen`.
    keeper: Keeper | None = None  # None where the death signal is enough.
    popen: subprocess.Popen[bytes] | None = None
    asked: bool = False
    killed: bool = False

    @property
    def pid(self) -> int:
        if self.popen is None:
            raise EmbeddedError(f"{self.name} has not been started.")
        return self.popen.pid

    @property
    def running(self) -> bool:
        return self.popen is not None and self.popen.poll() is None

    def start(self) -> None:
        # Start it in a session of its own, so that Ctrl-C reaches the supervisor only.
        self.log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.limit_log()
        self.asked = self.killed = False
        with open(self.log, "ab", opener=_private) as log:
            self.popen = subprocess.Popen(  # noqa: S603 - the stack's own commands
                self.argv,
                env=dict(self.environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=death_signal_hook(self.death_signal),  # noqa: PLW1509 - one call of libc
                **self.options,
            )
        if self.keeper is not None:
            self.keeper.watch(self.popen.pid)

    def limit_log(self) -> None:
        # The end of a log that has grown long is kept in another file.
        if not self.log.exists() or self.log.stat().st_size <= _LOG_BYTES:
            return
        # On a full disk the room is worth more than the lines.
        with suppress(OSError), self.log.open("rb") as log:
            log.seek(-_LOG_BYTES, os.SEEK_END)
            with open(self.log.with_suffix(".log.1"), "wb", opener=_private) as kept:
                kept.write(log.read(_LOG_BYTES))
        os.truncate(self.log, 0)

    def wait_until(self, ready: Callable[[], bool], *, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not ready():
            if not self.running:
                raise EmbeddedError(f"{self.name} {self.ending()}.\n{self.log_tail()}")
            if time.monotonic() > deadline:
                raise EmbeddedError(f"{self.name} is not ready after {seconds:.0f} s.\n{self.log_tail()}")
            time.sleep(0.02)

    def ask_to_stop(self) -> None:
        # `stop` then waits: several processes can stop at the same time.
        if self.popen is not None and not self.asked and self.running:
            self.asked = True
            self.popen.send_signal(self.stop_signal)

    def stop(self) -> None:
        if self.popen is None:
            return
        self.ask_to_stop()
        try:
            with suppress(subprocess.TimeoutExpired):
                self.popen.wait(self.stop_seconds)
        finally:  # an impatient interrupt too: nothing may be left running
            self.kill()

    def kill(self) -> None:
        # The group may have processes left although the leader has ended. It is killed once: later the kernel
        # may have given the group's number to others.
        if self.popen is None or self.killed:
            return
        self.killed = True
        with suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()
        if self.keeper is not None:
            self.keeper.forget(self.popen.pid)

    def ending(self) -> str:
        code = None if self.popen is None else self.popen.poll()
        if code is None:
            return "is running"
        return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"

    def log_tail(self) -> str:
        with self.log.open("rb") as file:
            file.seek(max(0, self.log.stat().st_size - _TAIL_BYTES))
            lines = file.read().decode(errors="replace").splitlines()[-_TAIL_LINES:]
        return "\n".join([f"The end of {self.log}:", *(f"  {line}" for line in lines)])


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def death_signal_hook(number: signal.Signals) -> Callable[[], None]:
    # A `preexec_fn` after which the child gets this signal when its parent dies.
    supervisor = os.getpid()

    def prepare() -> None:
        _prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0)
        # The supervisor may have died before the call above took effect.
        if os.getppid() != supervisor:
            os.kill(os.getpid(), signal.SIGKILL)

    return prepare
