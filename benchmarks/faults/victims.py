"""Finds the processes of a server by what they do, in /proc, and harms them."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from faults.arena import Arena

_ZYGOTE: Final = b"zygote_boot.py"
_PROGRAM: Final = "memfd:program"
_CLIENT_OF_DATABASE: Final = b"postgres: optarena optarena"


@dataclass(frozen=True)
class Seen:
    """One process as it was a moment ago."""

    pid: int
    parent: int
    started: int
    command: bytes

    def signal(self, number: signal.Signals) -> bool:
        """Send it a signal; False if it has ended. No other process with its number is ever met."""
        try:
            handle = os.pidfd_open(self.pid)
        except OSError:
            return False
        try:
            now = look_at(self.pid)
            if now is None or now.started != self.started:
                return False
            signal.pidfd_send_signal(handle, number)
        except OSError:
            return False
        finally:
            os.close(handle)
        return True


def look_at(pid: int) -> Seen | None:
    """A process that has not ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return None
    if stat[0] == "Z":
        return None
    return Seen(pid, int(stat[1]), int(stat[19]), command)


def children(pid: int) -> list[Seen]:
    """A process's children, oldest first."""
    found: list[Seen] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += filter(None, map(look_at, map(int, (task / "children").read_text().split())))
    return sorted(found, key=lambda one: (one.started, one.pid))


def family(pid: int) -> list[Seen]:
    """A process and all of its descendants."""
    here = look_at(pid)
    found = [] if here is None else [here]
    return found + [one for child in children(pid) for one in family(child.pid)]


def everybody() -> list[Seen]:
    """All processes that this one can see."""
    return [
        *filter(None, (look_at(int(one.name)) for one in Path("/proc").iterdir() if one.name.isdecimal()))
    ]


def pools(arena: Arena) -> list[Seen]:
    """The processes in which Celery's workers carry out tasks."""
    return [one for worker in arena.workers if worker.running for one in children(worker.pid)]


def zygotes(arena: Arena) -> list[Seen]:
    """The processes from which sessions are forked."""
    return [one for pool in pools(arena) for one in children(pool.pid) if _ZYGOTE in one.command]


def sessions(arena: Arena) -> list[Seen]:
    """The processes that hold a compiler's session: a zygote's first child is one."""
    return [own[0] for zygote in zygotes(arena) if (own := children(zygote.pid))]


def compiling(arena: Arena) -> list[Seen]:
    """The processes that compile or link a program before its run."""
    return [one for one in _beside_sessions(arena) if not _is_program(one)]


def programs(arena: Arena) -> list[Seen]:
    """The processes that run, or are about to run, an optimised program."""
    return [one for one in _beside_sessions(arena) if _is_program(one)]


def _beside_sessions(arena: Arena) -> Iterable[Seen]:
    return (one for zygote in zygotes(arena) for one in children(zygote.pid)[1:])


def _is_program(process: Seen) -> bool:
    """Whether its input or output is a file in memory of that name."""
    with suppress(OSError):
        folder = Path(f"/proc/{process.pid}/fd")
        return any(_PROGRAM in str(one.readlink()) for one in folder.iterdir())
    return False


def backends(arena: Arena) -> list[Seen]:
    """The database's processes for its clients."""
    postmaster = arena.stack.postgres.process
    if not postmaster.running:
        return []
    return [one for one in children(postmaster.pid) if one.command.startswith(_CLIENT_OF_DATABASE)]


def web(arena: Arena) -> list[Seen]:
    """The web server and its worker."""
    return family(arena.server.web.pid) if arena.server.web.running else []


def belonging(folder: Path) -> list[Seen]:
    """Every process that was started on a folder, or works in it."""
    mark, found = os.fsencode(folder), []
    for one in everybody():
        place = Path(f"/proc/{one.pid}")
        with suppress(OSError):
            if one.pid != os.getpid() and (
                mark in one.command
                or mark in (place / "environ").read_bytes()
                or (place / "cwd").readlink().is_relative_to(folder)
            ):
                found.append(one)
    return found
