"""Live sessions behind some prefixes, so that only what follows must be run; bounded in number and memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from optarena.agents.prefixes import PrefixNode
    from optarena.env import CompilerEnv

MOST_COPIES: Final = 24
"""So many live sessions an evaluator keeps, if it is not told another number."""
MOST_BYTES: Final = 1024**3
"""So much memory they may have to themselves together."""
_FIRST_FORK_SECONDS: Final = 0.004
"""What a fork takes until one has been timed; see ``benchmarks/agents.py``."""
_WEIGHT: Final = 0.1


@dataclass(slots=True, eq=False)
class LiveCopy:
    """A session in the state of a prefix.

    Attributes:
        env: The environment; whoever uses it holds the lock.
        bytes: The most memory that its process can have to itself; 0 where that is not known.
        lock: Held while the environment is used.
    """

    env: CompilerEnv
    bytes: int
    lock: threading.Lock = field(default_factory=threading.Lock)


class CopyPool:
    """The live copies of one evaluator; those that were not used for longest give way. Thread-safe.

    Args:
        most: How many there may be.
        most_bytes: How much memory they may have to themselves.
    """

    def __init__(self, most: int = MOST_COPIES, most_bytes: int = MOST_BYTES) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._nodes: OrderedDict[PrefixNode, LiveCopy] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()
        self._fork_seconds = _FIRST_FORK_SECONDS

    def __len__(self) -> int:
        return len(self._nodes)

    @property
    def bytes(self) -> int:
        """The memory that the copies can have to themselves."""
        return self._bytes

    def worth(self, path_seconds: float) -> float:
        """Seconds of repeated actions that a new copy must have been able to save.

        A copy costs a fork, so one pays once it could have saved as much. And it takes the place of another:
        the copies along two sequences of this duration should find room.
        """
        room = max(1, min(self._most, self._fitting()) // 2)
        return max(self._fork_seconds, path_seconds / room)

    def timed(self, seconds: float) -> None:
        """Count how long a fork took."""
        self._fork_seconds += _WEIGHT * (seconds - self._fork_seconds)

    def deepest(self, path: list[PrefixNode]) -> tuple[PrefixNode, LiveCopy] | None:
        """The longest of some prefixes that has a live copy, and the copy; None if none has one."""
        with self._lock:
            for node in reversed(path):
                copy = self._nodes.get(node)
                if copy is not None:
                    self._nodes.move_to_end(node)
                    return node, copy
        return None

    def keep(self, node: PrefixNode, env: CompilerEnv) -> None:
        """Keep an environment in the state of a prefix; it is closed when it gives way."""
        copy = LiveCopy(env, env.memory_bytes or 0)
        with self._lock:
            leaving = [] if node not in self._nodes else [self._remove(node)]
            self._nodes[node] = copy
            self._bytes += copy.bytes
            while len(self._nodes) > 1 and (len(self._nodes) > self._most or self._bytes > self._most_bytes):
                leaving.append(self._remove(next(iter(self._nodes))))
        _close(leaving)

    def drop(self, node: PrefixNode, copy: LiveCopy) -> None:
        """Give up a copy that can no longer be used."""
        with self._lock:
            leaving = [self._remove(node)] if self._nodes.get(node) is copy else []
        _close(leaving)

    def clear(self) -> None:
        """Close all copies, even those that are in use: whoever uses one gets an error."""
        with self._lock:
            leaving = [self._remove(node) for node in list(self._nodes)]
        for copy in leaving:
            copy.env.close()

    def _fitting(self) -> int:
        """How many copies of the present size the memory has room for."""
        if not self._bytes:
            return self._most
        return max(1, self._most_bytes * len(self._nodes) // self._bytes)

    def _remove(self, node: PrefixNode) -> LiveCopy:
        copy = self._nodes.pop(node)
        self._bytes -= copy.bytes
        return copy


def _close(copies: list[LiveCopy]) -> None:
    for copy in copies:
        with copy.lock:  # somebody may be copying it
            copy.env.close()
