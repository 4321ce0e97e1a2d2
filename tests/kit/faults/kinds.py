"""The kinds of fault, the processes that they meet, and their random order."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.kit.faults.servers import LEASE_SECONDS, HarmedServers

if TYPE_CHECKING:
    from leaderboard.embedded.process import Process

FROZEN_SECONDS: Final = LEASE_SECONDS + 3.0
"""Longer than a lease: the sweeper has given the work to another worker."""
HUNT_SECONDS: Final = 20.0
"""For so long a fault waits for its victim, which may live for milliseconds; then others go first."""
_SPREAD: Final = 0.8
"""The last fault begins when this part of the work is done, so that all meet some."""
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
    try:
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return None
    if stat[0] == "Z":
        return None
    return Seen(pid, int(stat[1]), int(stat[19]), command)


def children(pid: int) -> list[Seen]:
    found: list[Seen] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += filter(None, map(look_at, map(int, (task / "children").read_text().split())))
    return sorted(found, key=lambda one: (one.started, one.pid))


def family(pid: int) -> list[Seen]:
    here = look_at(pid)
    found = [] if here is None else [here]
    return found + [one for child in children(pid) for one in family(child.pid)]


def every_process() -> list[Seen]:
    return [
        *filter(None, (look_at(int(one.name)) for one in Path("/proc").iterdir() if one.name.isdecimal()))
    ]


def pools(servers: HarmedServers) -> list[Seen]:
    """The processes in which Celery's workers carry out tasks."""
    return [one for worker in servers.workers if worker.running for one in children(worker.pid)]


def zygotes(servers: HarmedServers) -> list[Seen]:
    return [one for pool in pools(servers) for one in children(pool.pid) if _ZYGOTE in one.command]


def sessions(servers: HarmedServers) -> list[Seen]:
    """The processes that hold a compiler's session: a zygote's first child is one."""
    return [own[0] for zygote in zygotes(servers) if (own := children(zygote.pid))]


def compiling(servers: HarmedServers) -> list[Seen]:
    """The processes that compile or link a program before its run."""
    return [one for one in _beside_sessions(servers) if not _is_program(one)]


def programs(servers: HarmedServers) -> list[Seen]:
    """The processes that run, or are about to run, an optimised program."""
    return [one for one in _beside_sessions(servers) if _is_program(one)]


def _beside_sessions(servers: HarmedServers) -> Iterable[Seen]:
    return (one for zygote in zygotes(servers) for one in children(zygote.pid)[1:])


def _is_program(process: Seen) -> bool:
    """Whether its input or output is a file in memory of that name."""
    with suppress(OSError):
        folder = Path(f"/proc/{process.pid}/fd")
        return any(_PROGRAM in str(one.readlink()) for one in folder.iterdir())
    return False


def backends(servers: HarmedServers) -> list[Seen]:
    postmaster = servers.stack.postgres.process
    if not postmaster.running:
        return []
    return [one for one in children(postmaster.pid) if one.command.startswith(_CLIENT_OF_DATABASE)]


def web(servers: HarmedServers) -> list[Seen]:
    return family(servers.server.web.pid) if servers.server.web.running else []


def belonging(folder: Path) -> list[Seen]:
    """Every process that was started on a folder, or works in it."""
    mark, found = os.fsencode(folder), []
    for one in every_process():
        place = Path(f"/proc/{one.pid}")
        with suppress(OSError):
            if one.pid != os.getpid() and (
                mark in one.command
                or mark in (place / "environ").read_bytes()
                or (place / "cwd").readlink().is_relative_to(folder)
            ):
                found.append(one)
    return found


@dataclass(eq=False)
class Fault:
    """One kind of fault.

    Attributes:
        name: Its name in the report.
        weight: How often it is drawn, relative to the others.
        harm: Does the harm and returns how to undo it; None if what is to be harmed does not exist just now.
        shortest: It is undone after so many seconds at least.
        longest: And at most.
    """

    name: str
    weight: int
    harm: Callable[[random.Random], Callable[[], None] | None]
    shortest: float = 0.0
    longest: float = 0.0
    _undo: Callable[[], None] | None = None
    _until: float = 0.0

    def begin(self, rng: random.Random) -> bool:
        self._until = time.monotonic() + rng.uniform(self.shortest, self.longest)
        self._undo = self.harm(rng)
        return self._undo is not None

    def end(self) -> bool:
        """Undo it if its time is up, and return whether it has ended."""
        if time.monotonic() < self._until:
            return False
        self.undo()
        return True

    def undo(self) -> None:
        if self._undo is not None:
            self._undo()
        self._undo = None


def _kill(find: Callable[[], list[Seen]], rng: random.Random) -> Callable[[], None] | None:
    """Kill one of some processes; it is started again by its supervisor."""
    found = find()
    return (lambda: None) if found and rng.choice(found).signal(signal.SIGKILL) else None


def _freeze(find: Callable[[], list[Seen]], rng: random.Random) -> Callable[[], None] | None:
    """Stop processes, which go on later as if nothing had been."""
    stopped = [one for one in find() if one.signal(signal.SIGSTOP)]

    def go_on() -> None:
        for one in stopped:
            one.signal(signal.SIGCONT)

    return go_on if stopped else None


def _take(take: Callable[[], None], give: Callable[[], None], rng: random.Random) -> Callable[[], None]:
    take()
    return give


def kinds(servers: HarmedServers) -> list[Fault]:
    return [*_kills(servers), *_pauses(servers), *_losses(servers)]


def impossible(servers: HarmedServers) -> list[str]:
    """What this machine does not allow to be tried."""
    if servers.apart:
        return []
    return ["a full disk: mounting is not allowed", "a cut network: network namespaces are not allowed"]


def _kills(servers: HarmedServers) -> list[Fault]:
    embedded, server = servers.stack, servers.server
    found: list[tuple[str, int, Callable[[], list[Seen]]]] = [
        ("session killed", 6, partial(sessions, servers)),
        ("compile process killed", 3, partial(compiling, servers)),
        ("program killed", 6, partial(programs, servers)),
        ("zygote killed", 4, partial(zygotes, servers)),
        ("pool process killed", 3, partial(pools, servers)),
        ("worker killed", 1, partial(_alive, server.worker)),
        ("far worker killed", 1, partial(_alive, servers.far_worker)),
        ("Valkey killed", 2, partial(_alive, embedded.valkey.process)),
        ("postmaster killed", 1, partial(_alive, embedded.postgres.process)),
        ("database backend killed", 3, partial(backends, servers)),
        ("web server killed", 2, partial(web, servers)),
        ("sweeper killed", 2, partial(_alive, server.sweeper)),
        ("relay killed", 1, partial(_alive, servers.relay)),
    ]
    return [Fault(name, weight, partial(_kill, find)) for name, weight, find in found]


def _pauses(servers: HarmedServers) -> list[Fault]:
    def freeze(name: str, find: Callable[[], list[Seen]], shortest: float, longest: float) -> Fault:
        return Fault(name, 1, partial(_freeze, find), shortest, longest)

    stack = servers.stack
    found = [
        freeze("database paused", partial(_with_children, stack.postgres.process), 1.0, 10.0),
        freeze("Valkey paused", partial(_with_children, stack.valkey.process), 1.0, 5.0),
        freeze(
            "worker frozen past its lease",
            partial(_busy_worker, servers),
            FROZEN_SECONDS,
            FROZEN_SECONDS + LEASE_SECONDS,
        ),
    ]
    if servers.network is None:
        # Without a network of its own, the worker's packets wait in a relay that is stopped.
        found.append(freeze("relay paused", partial(_alive, servers.relay), 2.0, LEASE_SECONDS * 2))
    return found


def _losses(servers: HarmedServers) -> list[Fault]:
    if not servers.apart:
        return []
    cut = partial(_take, servers.cut_network, servers.mend_network)
    return [
        Fault("network of a worker cut", 1, cut, 2.0, LEASE_SECONDS * 2),
        *(
            Fault(f"disk of {what} full", 1, partial(_take, disk.fill, disk.free), 1.0, 6.0)
            for what, disk in (
                ("database, broker and programs", servers.state),
                ("working folders", servers.work),
            )
        ),
    ]


def _alive(process: Process) -> list[Seen]:
    seen = look_at(process.pid) if process.running else None
    return [] if seen is None else [seen]


def _with_children(process: Process) -> list[Seen]:
    return family(process.pid) if process.running else []


def _busy_worker(servers: HarmedServers) -> list[Seen]:
    """All processes of a worker that has a lease: one with a session."""
    for session in sessions(servers):
        for worker in servers.workers:
            own = family(worker.pid) if worker.running else []
            if any(one.pid == session.pid for one in own):
                return own
    return []


class Schedule:
    """The faults of one run, in random order, spread over the work by its progress.

    Args:
        servers: What they are done to.
        number: How many there are at least; each kind comes once in any case.
        work: The number of replays over which they are spread.
        seed: Draws their order, their times and their victims.
    """

    def __init__(self, servers: HarmedServers, *, number: int, work: int, seed: int) -> None:
        self._rng = random.Random(seed)  # noqa: S311 - to be drawn again, not to be secret
        every = kinds(servers)
        more = self._rng.choices(every, [one.weight for one in every], k=max(0, number - len(every)))
        self.planned: list[Fault] = self._rng.sample([*every, *more], len(every) + len(more))
        self._times = sorted(self._rng.uniform(0, work * _SPREAD) for _ in self.planned)
        self._active: list[Fault] = []
        self._hunting_since: float | None = None
        self.begun: Counter[str] = Counter({one.name: 0 for one in every})
        self.missed: Counter[str] = Counter()

    @property
    def over(self) -> bool:
        return not self.planned and not self._active

    @property
    def hunts(self) -> bool:
        return self._hunting_since is not None

    def step(self, ended: int) -> None:
        """Undo what lasted long enough, and begin what is due.

        Args:
            ended: How many replays have ended.
        """
        self._active = [one for one in self._active if not one.end()]
        if not self.planned or ended < self._times[len(self._times) - len(self.planned)]:
            return
        due = self.planned[0]
        if due not in self._active and due.begin(self._rng):
            self._active.append(due)
            self.begun[due.name] += 1
            self._hunting_since = None
            del self.planned[0]
        else:
            self._postpone(due)

    def _postpone(self, due: Fault) -> None:
        """Hunt on for a while; then let the next fault go first."""
        now = time.monotonic()
        self._hunting_since = self._hunting_since or now
        if now - self._hunting_since < HUNT_SECONDS:
            return
        self._hunting_since = None
        del self.planned[0]
        if self.missed[due.name] < self.begun[due.name] + 2:
            self.planned.append(due)
        self.missed[due.name] += 1

    def undo(self) -> None:
        for one in self._active:
            one.undo()
        self._active = []
