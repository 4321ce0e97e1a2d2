"""A store in a file of SQLite, for the processes of one machine."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from optarena.errors import InvalidInput, StoreFault
from optarena.outcome_store.store import OutcomeStore

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VERSION: Final = 1
"""``PRAGMA user_version`` of a file with this table."""
APPLICATION: Final = 0x6F61_6F73
"""``PRAGMA application_id``: it tells a store from any other file of SQLite."""
_WAIT_SECONDS: Final = 20.0
"""How long one waits for others' transactions, which take milliseconds."""
_RETRY_SECONDS: Final = 0.01
_AT_A_TIME: Final = 500
"""Keys in one statement; SQLite allows 32,766 parameters."""


class SqliteStore(OutcomeStore):
    """A store in a file, which is made if it does not exist. Several processes may use it at a time.

    Args:
        path: The file.

    Raises:
        InvalidInput: The file is something else, or cannot be made.
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__(f"sqlite:{path}")
        self._path = Path(path).absolute()  # a copy may be used in another working folder
        self._mode = "rwc"
        self._connection: sqlite3.Connection | None = None
        self._owner = 0
        remedy = "Give the path of a new file, or of one that this version made."
        if not Path(path).name or "\0" in str(path):
            message = f"{str(path)!r:.200} does not name a file for a store."
            raise InvalidInput(message, field="store", value=str(path), remedy=remedy)
        try:
            self._prepare(self._opened())
        except (sqlite3.Error, StoreFault) as error:
            self.close()
            message = f"{self._path} cannot be used as a store: {error}."
            raise InvalidInput(message, field="store", value=str(path), remedy=remedy) from error
        self._mode = "rw"  # a file without the table would be of no use

    def close(self) -> None:
        """See ``OutcomeStore``."""
        with self._lock:
            if self._connection is not None and self._owner == os.getpid():
                with suppress(sqlite3.Error):
                    self._connection.close()
            self._connection = None

    def _find(self, keys: Sequence[bytes]) -> list[bytes | None]:
        found: dict[bytes, bytes] = {}
        try:
            for first in range(0, len(keys), _AT_A_TIME):
                some = keys[first : first + _AT_A_TIME]
                marks = ",".join("?" * len(some))
                statement = f"SELECT key, value FROM Outcomes WHERE key IN ({marks})"  # noqa: S608 # of marks
                found.update(self._opened().execute(statement, some))
        except sqlite3.Error as error:
            raise StoreFault(f"{error}.") from error
        rows = (found.get(key) for key in keys)
        return [row if isinstance(row, bytes) else None for row in rows]

    def _keep(self, rows: Mapping[bytes, bytes]) -> None:
        self._change("INSERT OR REPLACE INTO Outcomes VALUES (?, ?)", list(rows.items()))

    def _remove(self, keys: Sequence[bytes]) -> None:
        self._change("DELETE FROM Outcomes WHERE key = ?", [(key,) for key in keys])

    def _change(self, statement: str, values: Sequence[tuple[bytes, ...]]) -> None:
        try:
            with self._opened() as transaction:
                transaction.execute("BEGIN IMMEDIATE")
                transaction.executemany(statement, values)
        except sqlite3.Error as error:
            raise StoreFault(f"{error}.") from error

    def _opened(self) -> sqlite3.Connection:
        """This process's connection: SQLite's must not be used after a fork."""
        if self._connection is None or self._owner != os.getpid():
            self._connection = sqlite3.connect(
                f"{self._path.as_uri()}?mode={self._mode}",
                timeout=_WAIT_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                uri=True,
            )
            self._owner = os.getpid()
            self._connection.execute("PRAGMA synchronous=NORMAL")  # with WAL, only a loss of power loses rows
        return self._connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Make the table if the file is new.

        Raises:
            StoreFault: The file is not a store of this version.
        """
        connection.execute("BEGIN")  # or another process could make the table between the three questions
        [(version,)] = connection.execute("PRAGMA user_version")
        [(application,)] = connection.execute("PRAGMA application_id")
        [(tables,)] = connection.execute("SELECT count(*) FROM sqlite_schema")
        connection.execute("COMMIT")
        is_new = not tables and not version
        if not is_new and (version, application) != (VERSION, APPLICATION):
            raise StoreFault("it is a database of something else, or of another version")
        if is_new:
            _let_readers_go_on(connection)
            connection.executescript(
                "BEGIN IMMEDIATE;"
                "CREATE TABLE IF NOT EXISTS Outcomes"
                " (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;"
                f"PRAGMA user_version={VERSION};PRAGMA application_id={APPLICATION};COMMIT;"
            )

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_connection": None}


def _let_readers_go_on(connection: sqlite3.Connection) -> None:
    """Have readers not wait for writers. SQLite itself does not wait here for others who make the same file.

    Raises:
        sqlite3.Error: The file cannot be written.
    """
    end = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(_RETRY_SECONDS)
        else:
            return
