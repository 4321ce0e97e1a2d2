"""The users of the server meanwhile: one submits, and one counts replays in the database."""

from __future__ import annotations

import threading
import time
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import psycopg

from optarena.client import ApiProblem, Client, ClientError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.kit.faults.servers import HarmedServers
    from tests.kit.faults.work import Piece

WAITING: Final = 24
"""So many replays wait at most: more are submitted as they end, so that requests meet faults too."""
_ITEMS: Final = 8
_POLL_SECONDS: Final = 0.2
_TRANSIENT: Final = frozenset({429, 502, 503, 504})
_INTERNAL_ERROR: Final = 500
_COUNTS: Final = """
SELECT count(*) FILTER (WHERE finished_at IS NOT NULL), count(*) FILTER (WHERE finished_at IS NULL)
FROM runner_verification
"""


class Watcher:
    """Counts replays in the database, from a thread of its own: the database may be paused for long."""

    def __init__(self, servers: HarmedServers) -> None:
        self._servers = servers
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self.ended = self.waiting = 0

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End with the next answer of the database."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            with suppress(psycopg.Error), self._servers.stack.postgres.connect() as connection:
                while not self._stop.wait(_POLL_SECONDS):
                    row = connection.execute(_COUNTS).fetchone()
                    if row is not None:
                        self.ended, self.waiting = row
            self._stop.wait(_POLL_SECONDS)


class Submitter:
    """Submits pieces of work in small submissions and repeats every request until it is answered.

    Every fourth submission is sent twice: with the same key, which must make no second one, and by another
    user, who must share its replays.
    """

    def __init__(self, servers: HarmedServers, watcher: Watcher, name: str) -> None:
        self._servers = servers
        self._watcher = watcher
        self._name = name
        self._stop = threading.Event()
        self._tokens: dict[str, str] = {}
        self._thread: threading.Thread | None = None
        self.submissions: dict[str, list[Piece]] = {}
        """The pieces of each submission that the server has accepted, by its id."""
        self.answers: Counter[int] = Counter()
        """Refusals by HTTP status; 0 where no answer came."""
        self.problems: list[str] = []

    def start(self, pieces: Sequence[Piece]) -> None:
        self._thread = threading.Thread(target=self._run, args=(pieces,), name=self._name, daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        return self._thread is not None and not self._thread.is_alive()

    def stop(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self, pieces: Sequence[Piece]) -> None:
        try:
            for number, group in enumerate(_groups(pieces)):
                while self._watcher.waiting >= WAITING and not self._stop.wait(_POLL_SECONDS):
                    pass
                made = self._submit(f"{self._name}-ada", group, number)
                if number % 4 == 0:
                    if (again := self._submit(f"{self._name}-ada", group, number)) != made:
                        self.problems.append(f"one key made two submissions: {made} and {again}")
                    self._submit(f"{self._name}-bob", group, number)
        except _Stopped:
            return
        except ClientError as error:
            self.problems.append(f"a submission was refused: {error}")

    def _submit(self, user: str, group: Sequence[Piece], number: int) -> str:
        document = {
            "board": group[0].board,
            "agent": f"agent {number}",
            "items": [piece.item for piece in group],
        }
        key = f"{user}-{number}"
        made = self._insist(lambda: self._post(user, document, key))
        self.submissions[str(made["id"])] = list(group)
        return str(made["id"])

    def _post(self, user: str, document: dict[str, Any], key: str) -> dict[str, Any]:
        if user not in self._tokens:
            self._tokens[user] = self._sign_up(user)
        with Client(self._servers.server.url, self._tokens[user]) as client:
            return client.submit(document, key=key)

    def _sign_up(self, user: str) -> str:
        """A token; the answer to an earlier request may have been lost."""
        password = f"correct horse {user} staple"
        with Client(self._servers.server.url, "") as stranger:
            try:
                return str(stranger.signup(user, password)["token"])
            except ApiProblem as error:
                if error.status in _TRANSIENT or error.status >= _INTERNAL_ERROR:
                    raise
                return str(stranger.make_token(user, password)["token"])

    def _insist(self, request: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        while not self._stop.is_set():
            try:
                return request()
            except ApiProblem as error:
                self.answers[error.status] += 1
                if error.status not in _TRANSIENT and error.status < _INTERNAL_ERROR:
                    raise
            except ClientError:
                self.answers[0] += 1
            time.sleep(_POLL_SECONDS)
        raise _Stopped


class _Stopped(Exception):
    """The run ends."""


def _groups(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces in submissions: each of one board, and with one item for a program."""
    made: list[list[Piece]] = []
    unfilled: dict[str, list[list[Piece]]] = {}
    for piece in pieces:
        options = unfilled.setdefault(piece.board, [])
        fitting = next((group for group in options if all(one.uri != piece.uri for one in group)), None)
        if fitting is None:
            fitting = []
            options.append(fitting)
            made.append(fitting)
        fitting.append(piece)
        if len(fitting) == _ITEMS:
            options.remove(fitting)
    return made
