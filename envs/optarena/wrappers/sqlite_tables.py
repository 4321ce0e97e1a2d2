"""The database of ``SynchronousSqliteLogger``: its tables, and writing to them from many processes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from optarena.errors import InvalidInput, OptArenaError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VERSION: Final = 1
"""``PRAGMA user_version`` of a database with these tables."""
_WAIT_SECONDS: Final = 60.0
"""Seconds that a process waits for the others' transactions, which take milliseconds."""
_LARGEST: Final = 2**63 - 1
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS Episodes (
    episode TEXT PRIMARY KEY, parent TEXT, parent_step INTEGER,
    environment TEXT NOT NULL, benchmark TEXT NOT NULL, reward_space TEXT, started REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS Steps (
    episode TEXT NOT NULL, step INTEGER NOT NULL, actions TEXT NOT NULL, state TEXT, reward REAL,
    terminated INTEGER NOT NULL, truncated INTEGER NOT NULL, error_type TEXT, error_details TEXT,
    walltime REAL NOT NULL, PRIMARY KEY (episode, step)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS States (
    environment TEXT NOT NULL, state TEXT NOT NULL, benchmark TEXT NOT NULL, commandline TEXT NOT NULL,
    PRIMARY KEY (environment, state)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS Observations (
    environment TEXT NOT NULL, state TEXT NOT NULL, name TEXT NOT NULL, value,
    PRIMARY KEY (environment, state, name)
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRow:
    """A row of ``Episodes``: ``started`` is Unix time; a fork has its parent's id and number of steps."""

    episode: str
    parent: str | None
    parent_step: int | None
    environment: str
    benchmark: str
    reward_space: str | None
    started: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRow:
    """A row of ``Steps``: step 0 is ``reset()``; ``actions`` is JSON; ``walltime`` is seconds so far."""

    episode: str
    step: int
    actions: str
    state: str | None
    reward: float | None
    terminated: bool
    truncated: bool
    error_type: str | None
    error_details: str | None
    walltime: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StateRow:
    """A row of ``States``: how a state was reached when it was first seen."""

    environment: str
    state: str
    benchmark: str
    commandline: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationRow:
    """A row of ``Observations``: a number, a text or bytes as such, anything else as JSON."""

    environment: str
    state: str
    name: str
    value: Any


Row = EpisodeRow | StepRow | StateRow | ObservationRow
_TABLES: Final[dict[type[Any], str]] = {
    EpisodeRow: "Episodes",
    StepRow: "Steps",
    StateRow: "States",
    ObservationRow: "Observations",
}


@dataclass(slots=True)
class Database:
    """A file of SQLite. It is opened for each transaction, so that forks and threads share nothing.

    Attributes:
        path: The file.
        rows: What is still to be written.
    """

    path: Path
    rows: list[Row] = field(default_factory=list)

    def prepare(self) -> None:
        """Make the file and its tables, if they do not exist.

        Raises:
            InvalidInput: The file is something else, or cannot be created.
        """
        remedy = "Give the path of a new file, or of one that this version created."
        if "\0" in str(self.path):
            message = f"The database's path {str(self.path)!r:.200} contains the character NUL."
            raise InvalidInput(message, field="database", value=str(self.path), remedy=remedy)
        try:
            with self._open() as connection:
                connection.execute("PRAGMA journal_mode=WAL")  # readers do not wait for writers
                [(version,)] = connection.execute("PRAGMA user_version")
                [(tables,)] = connection.execute("SELECT count(*) FROM sqlite_schema")
                if version not in (0, VERSION) or (tables and not version):
                    message = f"{self.path} is not a database of this version's logger (version {version})."
                    raise InvalidInput(message, field="database", value=str(self.path), remedy=remedy)
                connection.executescript(f"BEGIN IMMEDIATE;{_SCHEMA}PRAGMA user_version={VERSION};COMMIT;")
        except sqlite3.Error as error:
            message = f"The database {self.path} cannot be used: {error}."
            raise InvalidInput(message, field="database", value=str(self.path), remedy=remedy) from error

    def write(self) -> None:
        """Write all rows in one transaction. An existing row is not changed.

        Raises:
            OptArenaError: The database cannot be written; the rows are kept for the next time.
        """
        if not self.rows:
            return
        try:
            with self._open() as connection:
                connection.execute("BEGIN IMMEDIATE")
                for kind, table in _TABLES.items():
                    marks = ",".join("?" * len(fields(kind)))
                    rows = [astuple(row) for row in self.rows if isinstance(row, kind)]
                    statement = f"INSERT OR IGNORE INTO {table} VALUES ({marks})"  # noqa: S608 # of this module
                    connection.executemany(statement, rows)
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise OptArenaError(
                f"{len(self.rows)} rows cannot be written to {self.path}: {error}. "
                "Free some space or make it writable, then call flush()."
            ) from error
        self.rows = []

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, timeout=_WAIT_SECONDS, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous=NORMAL")  # with WAL, only a loss of power loses rows
            yield connection


def sql_value(value: Any) -> str | bytes | float | int | None:  # noqa: ANN401 # of any observation space
    """A value as SQLite keeps it: numbers, texts and bytes as such, anything else as JSON."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if isinstance(value, int) and abs(value) > _LARGEST:
        return str(value)
    return value if value is None or isinstance(value, (int, float, str, bytes)) else json_text(value)


def json_text(value: Any) -> str:  # noqa: ANN401 # plain data and arrays
    """Plain data, arrays and tuples as JSON; bytes as Latin-1."""
    return json.dumps(value, default=_plain, separators=(",", ":"))


def _plain(value: object) -> object:
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return list(value) if isinstance(value, Sequence) else str(value)
