"""The kinds of fault: what each needs, does, and ends with."""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from faults import victims
from faults.arena import LEASE_SECONDS

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from faults.arena import Arena
    from faults.rooms import Disk
    from faults.victims import Seen
    from leaderboard.embedded.process import Process

FROZEN_SECONDS: Final = LEASE_SECONDS + 3.0
"""Longer than a lease: the sweeper has given the work to somebody else."""


class Fault(Protocol):
    """One kind of fault."""

    name: str
    weight: int

    def begin(self, rng: random.Random) -> bool:
        """Do the harm; False if what is to be harmed does not exist just now."""

    def end(self) -> bool:
        """Undo it if its time is up; whether it has ended."""

    def undo(self) -> None:
        """Undo it at once."""


@dataclass
class Kill:
    """A process is killed by SIGKILL."""

    name: str
    weight: int
    find: Callable[[], list[Seen]]

    def begin(self, rng: random.Random) -> bool:
        """Kill one of those that there are."""
        found = self.find()
        return bool(found) and rng.choice(found).signal(signal.SIGKILL)

    def end(self) -> bool:
        """The supervisor starts it again."""
        return True

    def undo(self) -> None:
        """As ``end``."""


@dataclass
class Freeze:
    """Processes are stopped for a while, and go on as if nothing had been."""

    name: str
    weight: int
    find: Callable[[], list[Seen]]
    shortest: float
    longest: float
    _stopped: list[Seen] = field(default_factory=list)
    _until: float = 0.0

    def begin(self, rng: random.Random) -> bool:
        """Stop them; what they start meanwhile cannot be."""
        found = self.find()
        if not found:
            return False
        self._stopped = [one for one in found if one.signal(signal.SIGSTOP)]
        self._until = time.monotonic() + rng.uniform(self.shortest, self.longest)
        return True

    def end(self) -> bool:
        """Let them go on once the time is up."""
        if time.monotonic() < self._until:
            return False
        self.undo()
        return True

    def undo(self) -> None:
        """Let them go on."""
        for one in self._stopped:
            one.signal(signal.SIGCONT)
        self._stopped = []


@dataclass
class Lasting:
    """Something is taken away for a while."""

    name: str
    weight: int
    take: Callable[[], None]
    give: Callable[[], None]
    shortest: float
    longest: float
    _until: float = 0.0

    def begin(self, rng: random.Random) -> bool:
        """Take it away."""
        self._until = time.monotonic() + rng.uniform(self.shortest, self.longest)
        self.take()
        return True

    def end(self) -> bool:
        """Give it back once the time is up."""
        if time.monotonic() < self._until:
            return False
        self.give()
        return True

    def undo(self) -> None:
        """Give it back."""
        self.give()


def kinds(arena: Arena) -> list[Fault]:
    """Every kind that is possible here."""
    return [*_kills(arena), *_pauses(arena), *_losses(arena)]


def impossible(arena: Arena) -> list[str]:
    """What this machine does not allow to be tried."""
    if arena.apart:
        return []
    return ["a full disk: mounting is not allowed", "a cut network: network namespaces are not allowed"]


def _kills(arena: Arena) -> list[Fault]:
    embedded, server = arena.stack, arena.server
    found: list[tuple[str, int, Callable[[], list[Seen]]]] = [
        ("session killed", 6, partial(victims.sessions, arena)),
        ("compile process killed", 3, partial(victims.compiling, arena)),
        ("program killed", 6, partial(victims.programs, arena)),
        ("zygote killed", 4, partial(victims.zygotes, arena)),
        ("pool process killed", 3, partial(victims.pools, arena)),
        ("worker killed", 1, partial(_alive, server.worker)),
        ("far worker killed", 1, partial(_alive, arena.far_worker)),
        ("Valkey killed", 2, partial(_alive, embedded.valkey.process)),
        ("postmaster killed", 1, partial(_alive, embedded.postgres.process)),
        ("database backend killed", 3, partial(victims.backends, arena)),
        ("web server killed", 2, partial(victims.web, arena)),
        ("sweeper killed", 2, partial(_alive, server.sweeper)),
        ("relay killed", 1, partial(_alive, arena.relay)),
    ]
    return [Kill(name, weight, find) for name, weight, find in found]


def _pauses(arena: Arena) -> list[Fault]:
    return [
        Freeze("database paused", 1, partial(_with_children, arena.stack.postgres.process), 1.0, 10.0),
        Freeze("Valkey paused", 1, partial(_with_children, arena.stack.valkey.process), 1.0, 5.0),
        Freeze(
            "worker frozen past its lease",
            1,
            partial(_busy_worker, arena),
            FROZEN_SECONDS,
            FROZEN_SECONDS + LEASE_SECONDS,
        ),
    ]


def _losses(arena: Arena) -> list[Fault]:
    if arena.network is None:
        # Without a network of its own, the worker's packets wait in a relay that is stopped.
        return [Freeze("relay paused", 1, partial(_alive, arena.relay), 2.0, LEASE_SECONDS * 2)]
    cut, mend = arena.network.cut, arena.network.mend
    return [
        Lasting("network of a worker cut", 1, cut, mend, 2.0, LEASE_SECONDS * 2),
        _full("disk of database, broker and programs full", arena.state),
        _full("disk of working folders full", arena.work),
    ]


def _full(name: str, disk: Disk) -> Fault:
    return Lasting(name, 1, disk.fill, disk.free, 1.0, 6.0)


def _alive(process: Process) -> list[Seen]:
    seen = victims.look_at(process.pid) if process.running else None
    return [] if seen is None else [seen]


def _with_children(process: Process) -> list[Seen]:
    return victims.family(process.pid) if process.running else []


def _busy_worker(arena: Arena) -> list[Seen]:
    """All processes of a worker that has a lease: one with a session."""
    for session in victims.sessions(arena):
        for worker in arena.workers:
            own = victims.family(worker.pid) if worker.running else []
            if any(one.pid == session.pid for one in own):
                return own
    return []
