"""Which of the waiting requests is next: networks take turns, so that none waits behind all of another's."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from waitress.task import ThreadedTaskDispatcher

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leaderboard.web_server.connection import WebConnection


class Turns:
    """Waiting connections; the first ones of all networks come before the second ones."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[WebConnection]] = {}
        """By network; the one whose turn is next comes first."""

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def __iter__(self) -> Iterator[WebConnection]:
        for own in self._waiting.values():
            yield from own

    def __contains__(self, connection: WebConnection) -> bool:
        return connection in self._waiting.get(connection.network, ())

    def append(self, connection: WebConnection) -> None:
        """Have a connection wait behind those of its network."""
        self._waiting.setdefault(connection.network, deque()).append(connection)

    def popleft(self) -> WebConnection:
        """Take the next one; its network then waits until every other has had a turn.

        Raises:
            IndexError: Nothing waits.
        """
        network = next(iter(self._waiting), None)
        if network is None:
            raise IndexError("nothing waits")
        own = self._waiting.pop(network)
        connection = own.popleft()
        if own:
            self._waiting[network] = own
        return connection

    def remove(self, connection: WebConnection) -> None:
        """Take one out of its turn.

        Raises:
            ValueError: It does not wait.
        """
        own = self._waiting.get(connection.network, deque())
        own.remove(connection)
        if not own:
            del self._waiting[connection.network]


class FairDispatcher(ThreadedTaskDispatcher):  # type: ignore[misc] # waitress ships no types
    """Waitress's threads, for which the requests of different networks wait in turns."""

    def __init__(self) -> None:
        super().__init__()
        self.queue = Turns()
