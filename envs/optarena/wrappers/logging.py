"""Writing every step to an SQLite database, also from many processes."""

from __future__ import annotations

import json
import sqlite3
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Unpack

import numpy as np
from gymnasium.utils import RecordConstructorArgs

from optarena.errors import InvalidInput, OptArenaError, ServiceError
from optarena.wrappers.base import CompilerEnvWrapper, First, SpaceNames, Step, positive_integer

if TYPE_CHECKING:
    from gymnasium import Env


VERSION: Final = 1  # `PRAGMA user_version` of a database with these tables
_WAIT_SECONDS: Final = 60.0  # for the others' transactions, which take milliseconds
_LARGEST: Final = 2**63 - 1
# Step 0 is `reset()`; `actions` is JSON, and a `value` is a number, a text or bytes as such, else JSON.
# `started` is Unix time, `walltime` the episode's seconds so far, in a fork with those of its parent. A fork
# has its parent's id and number of steps.
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
_TABLES: Final = ("Episodes", "Steps", "States", "Observations")


@dataclass(slots=True)
class Database:
    """A file of SQLite. It is opened for each transaction, so that forks and threads share nothing.

    Attributes:
        path: The file.
        rows: What is still to be written: the table of each row, and its values by column.
    """

    path: Path
    rows: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def prepare(self) -> None:
        """Make the file and its tables, if they do not exist."""
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
        """Write all rows in one transaction, or keep them. An existing row is not changed."""
        if not self.rows:
            return
        try:
            with self._open() as connection:
                connection.execute("BEGIN IMMEDIATE")
                for table in _TABLES:
                    if rows := [row for name, row in self.rows if name == table]:
                        marks = f"({', '.join(rows[0])}) VALUES (:{', :'.join(rows[0])})"
                        statement = f"INSERT OR IGNORE INTO {table} {marks}"
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


class SynchronousSqliteLogger(CompilerEnvWrapper):
    """Writes episodes, steps, and the resulting states, with observations of each, to an SQLite database.

    Tables: ``Episodes``, ``Steps`` (step 0 is ``reset()``), ``States`` (each program once) and
    ``Observations`` (of each state once). ``state`` is the environment's digest of the program, which is read
    after each step that changed it. Values are numbers, texts and bytes, or JSON. A step that raises an error
    although its actions were applied has a row with the error and without a reward. A program that a
    parameter has changed has no row in ``States``, since no command line leads to it.

    Rows are kept in memory and written in one transaction: by ``flush()``, ``close()``, and when there are
    ``flush_every`` of them. Any number of processes may write to one file of a local disk. Each fork is an
    episode of its own, which names its parent.

    Args:
        database: Path of the file; made if it does not exist.
        observations: Names of what to observe of each new state.
        flush_every: The most rows to keep in memory.

    Raises:
        InvalidInput: The file cannot be used, or a number is out of range.
        UnknownName: There is no such observation.
        OptArenaError: From ``flush()`` and its callers: the rows cannot be written, and are kept.
    """

    def __init__(
        self,
        env: Env[Any, Any],
        database: str | Path,
        observations: Sequence[str] = (),
        *,
        flush_every: int = 1000,
    ) -> None:
        if isinstance(observations, str) or not isinstance(observations, Iterable):
            message = f"observations is {observations!r:.100}."
            raise InvalidInput(
                message, field="observations", value=observations, remedy="Give a list of names."
            )
        RecordConstructorArgs.__init__(
            self, database=str(database), observations=list(observations), flush_every=flush_every
        )
        super().__init__(env)
        self._observed = tuple(self.observations[name].name for name in observations)
        self._flush_every = positive_integer("flush_every", flush_every)
        self._database = Database(Path(database).absolute())
        self._database.prepare()
        self._seen: set[str] = set()
        self._unwritten: dict[str, Any] | None = None
        self._episode = ""
        self._step = 0
        self._state: str | None = None

    @property
    def episode(self) -> str:
        """The id of this episode in the database; empty before the first ``reset()``."""
        return self._episode

    def flush(self) -> None:
        """Write the rows that are kept in memory.

        Raises:
            OptArenaError: The database cannot be written; the rows are kept.
        """
        self._database.write()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> First:
        first = super().reset(seed=seed, options=options)
        self._begin(parent=None)
        self._state = None
        info: dict[str, Any] = {}
        try:
            self._state = self._look()
        except OptArenaError as error:
            info = _told(error)
            raise
        finally:
            self._log([], None, terminated=self.error is not None, truncated=False, info=info)
        return first

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        before = self._count_taken()
        try:
            step = super().multistep(actions, **spaces)
        except OptArenaError as error:
            if self._count_taken() > before:  # they were applied, but a value cannot be had
                self._log_step(before, (None, [], False, False, {}), error)
            raise
        unread = self._log_step(before, step)
        if unread is None:
            return step
        failure = _told(unread)
        if self.error is not unread:
            raise unread
        observation, reward, _, truncated, info = step
        return observation, reward, True, truncated, info | failure

    def peek(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> list[Step]:
        return self.env.peek(actions, **spaces)

    def close(self) -> None:
        try:
            self.flush()
        finally:
            super().close()

    def _log_step(self, before: int, step: Step, error: OptArenaError | None = None) -> OptArenaError | None:
        # Returns the error of reading the new state.
        _, reward, terminated, truncated, info = step
        unread = None
        try:
            if self.error is not None:
                self._state = None
            elif self._state is None or not info.get("action_had_no_effect"):
                self._state = self._look()
        except OptArenaError as problem:
            self._state, unread = None, problem
        if (shown := error or unread) is not None:
            info = info | _told(shown)
        self._step += 1
        self._log(
            self.unwrapped.actions[before:],
            None if isinstance(reward, list) else float(reward),
            terminated=terminated or self.error is not None,
            truncated=truncated,
            info=info,
        )
        return unread

    def _look(self) -> str:
        state = str(self.observe(self.environment.digest_observation))
        if state not in self._seen:
            there = {"environment": self.environment.id, "state": state}
            values = {name: sql_value(self.observe(name)) for name in self._observed}
            self._database.rows += [
                ("Observations", {**there, "name": name, "value": value}) for name, value in values.items()
            ]
            with suppress(InvalidInput):  # a parameter has changed the program: no command line leads here
                found = self.env.state
                row = {**there, "benchmark": found.benchmark, "commandline": found.commandline}
                self._database.rows.append(("States", row))
                self._seen.add(state)  # else it is looked at again, as an episode of actions may lead here
        return state

    def _log(
        self,
        actions: list[Any],
        reward: float | None,
        *,
        terminated: bool,
        truncated: bool,
        info: dict[str, Any],
    ) -> None:
        row = {
            "episode": self._episode,
            "step": self._step,
            "actions": json_text(actions),
            "state": self._state,
            "reward": reward,
            "terminated": terminated,
            "truncated": truncated,
            "error_type": info.get("error_type"),
            "error_details": info.get("error_details"),
            "walltime": self.episode_walltime,
        }
        if self._unwritten is not None:
            self._database.rows.append(("Episodes", self._unwritten))
            self._unwritten = None
        self._database.rows.append(("Steps", row))
        if len(self._database.rows) >= self._flush_every:
            self.flush()

    def _begin(self, parent: str | None) -> None:
        self._episode = uuid.uuid4().hex
        self._unwritten = {  # until the first step: many forks never have one
            "episode": self._episode,
            "parent": parent,
            "parent_step": None if parent is None else self._step,
            "environment": self.environment.id,
            "benchmark": self.benchmark.uri,
            "reward_space": self.reward_space_name,
            "started": time.time(),
        }
        self._step = 0 if parent is None else self._step

    def on_fork(self) -> None:
        self._database = Database(self._database.path)
        self._seen = set(self._seen)
        if self._episode:
            self._begin(parent=self._episode)

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.on_fork()  # the original writes its own rows


def _told(error: OptArenaError) -> dict[str, Any]:
    kind = error.error_type if isinstance(error, ServiceError) else ServiceError.error_type
    return {"error_type": kind, "error_details": str(error)}
