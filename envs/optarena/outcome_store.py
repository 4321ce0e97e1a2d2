"""Stores of what sequences of actions gave, so that nothing deterministic is computed twice.

A row is found by the environment's digest, the program, the action space and the exact actions. Searches use
them (``optarena.agents``), and so does ``optarena.wrappers.StoredEnv``.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
import sqlite3
import struct
import threading
import time
import warnings
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlsplit

from optarena.errors import InvalidInput, StoreFault, StoreWarning, ToolMissing
from optarena.specs.benchmark import Benchmark, canonical_json
from optarena.suggestions import did_you_mean

if TYPE_CHECKING:
    from redis import Redis

    from optarena.specs import EnvironmentSpec

__all__ = [
    "MemoryStore", "OutcomeStore", "OutcomeTrace", "ProgramKeys", "SqliteStore", "ValkeyStore", "open_store",
]  # fmt: skip

T = TypeVar("T")


class OutcomeStore(ABC):
    """A store. Thread-safe, and picklable: a copy in another process opens it again.

    Attributes:
        url: Where it is, for messages: no passwords.
        is_readable: Whether it is still asked; False after a fault.
        is_writable: Whether it still gets rows; False after a fault, such as a full disk.
        on_warning: Called with the text of a warning; None for a :class:`StoreWarning`.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.is_readable = True
        self.is_writable = True
        self.on_warning: Callable[[str], None] | None = None
        self._lock = threading.RLock()

    def find(self, keys: Sequence[bytes]) -> list[bytes | None]:
        """The rows of some keys, None for each that has none."""
        nothing: list[bytes | None] = [None] * len(keys)
        if not keys or not self.is_readable:
            return nothing
        return self._trying(lambda: self._find(keys), nothing, reads=True)

    def keep(self, rows: Mapping[bytes, bytes]) -> None:
        """Add rows, in the place of former ones of the same keys."""
        if rows and self.is_writable:
            self._trying(lambda: self._keep(rows), None)

    def remove(self, keys: Sequence[bytes]) -> None:
        """Remove rows; keys that have none are left out."""
        if keys and self.is_writable:
            self._trying(lambda: self._remove(keys), None)

    def warn(self, text: str) -> None:
        """Say what is wrong with the store; the work goes on."""
        if self.on_warning is None:
            warnings.warn(text, StoreWarning, stacklevel=2)
        else:
            self.on_warning(text)

    def close(self) -> None:  # noqa: B027 # a store in memory has nothing to close
        """Give up connections. May be called again; the next call opens it again."""

    @abstractmethod
    def _find(self, keys: Sequence[bytes]) -> list[bytes | None]:
        """See ``find``; raises ``StoreFault``."""

    @abstractmethod
    def _keep(self, rows: Mapping[bytes, bytes]) -> None:
        """See ``keep``; raises ``StoreFault``."""

    @abstractmethod
    def _remove(self, keys: Sequence[bytes]) -> None:
        """See ``remove``; raises ``StoreFault``."""

    def _trying(self, work: Callable[[], T], otherwise: T, *, reads: bool = False) -> T:
        with self._lock:
            try:
                return work()
            except StoreFault as error:
                is_first = self.is_readable and self.is_writable
                self.is_writable = False
                self.is_readable = self.is_readable and not reads  # after a fault of writing it is still read
                rest = "goes on without it" if reads else "keeps nothing more in it"
                if is_first:
                    self.warn(f"The store {self.url} failed, and the work {rest}: {error}")
        return otherwise

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_lock", "on_warning")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.RLock(), on_warning=None)


MOST_BYTES: Final = 256 * 1024**2  # What a store in memory holds, if it is not told another size
# What Python takes for a row besides its value: key, two objects and the place in the table; measured.
_ROW_BYTES: Final = 250


class MemoryStore(OutcomeStore):
    """A store in memory, of about ``most_bytes``. A copy in another process begins empty."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        super().__init__("memory:")
        self._most_bytes = most_bytes
        self._rows: OrderedDict[bytes, bytes] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._rows)

    def _find(self, keys: Sequence[bytes]) -> list[bytes | None]:
        found = [self._rows.get(key) for key in keys]
        for key, row in zip(keys, found, strict=True):
            if row is not None:
                self._rows.move_to_end(key)
        return found

    def _keep(self, rows: Mapping[bytes, bytes]) -> None:
        self._remove(list(rows))
        for key, row in rows.items():
            self._rows[key] = row
            self._bytes += _ROW_BYTES + len(row)
        while self._bytes > self._most_bytes and self._rows:
            _, row = self._rows.popitem(last=False)
            self._bytes -= _ROW_BYTES + len(row)

    def _remove(self, keys: Sequence[bytes]) -> None:
        for key in keys:
            row = self._rows.pop(key, None)
            if row is not None:
                self._bytes -= _ROW_BYTES + len(row)

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_rows": OrderedDict(), "_bytes": 0}


FORMAT: Final = 1  # Part of every key and row; raise it when rows change their meaning
_KEY_BYTES: Final = 16
# Format, whether the last action ended the episode, how many actions ran, how many metrics were measured.
_HEAD: Final = struct.Struct("<BBIB")
_NUMBER: Final = struct.Struct("<d")
_LONGEST: Final = 2**20  # Actions of a row that are read


class ProgramKeys:
    """The keys of sequences on one program, for rows of one kind (``what``, JSON data)."""

    def __init__(
        self, environment: EnvironmentSpec, benchmark: Benchmark, action_space: str, what: object
    ) -> None:
        parts = [FORMAT, what, environment.digest, benchmark.sha256, action_space]
        self._begun = hashlib.blake2b(canonical_json(parts).encode(), digest_size=_KEY_BYTES).digest()

    def key(self, actions: Sequence[int]) -> bytes:
        """The key of a sequence."""
        text = self._begun + struct.pack(f"<{len(actions)}I", *actions)
        return hashlib.blake2b(text, digest_size=_KEY_BYTES).digest()


@dataclass(frozen=True, slots=True)
class OutcomeTrace:
    """What a sequence gave, all of it deterministic.

    Attributes:
        costs: The environment's cost before any action, and after each action that ran.
        effects: Whether each action that ran had an effect.
        error: Why the action after these failed; empty if none did.
        is_final: Whether the last action that ran ended the episode.
        measured: Exact metrics that were measured at the end, by name.
    """

    costs: tuple[float, ...]
    effects: tuple[bool, ...]
    error: str = ""
    is_final: bool = False
    measured: Mapping[str, float] = field(default_factory=dict)

    def ends(self, actions: Sequence[int]) -> bool:
        """Whether it tells all that there is to know of the course of a sequence."""
        rest = len(actions) - len(self.effects)
        if len(self.costs) != len(self.effects) + 1 or rest < 0:
            return False
        return rest > 0 if self.error else rest == 0 or self.is_final

    def same_course(self, other: OutcomeTrace) -> bool:
        """Whether another one differs in nothing but the wording of an error, and in what was measured."""
        mine, others = ((one.costs, one.effects, bool(one.error), one.is_final) for one in (self, other))
        return mine == others

    def contradicts(self, other: OutcomeTrace) -> bool:
        """Whether another one differs, in its course or in a metric that both know."""
        shared = self.measured.keys() & other.measured.keys()
        return not self.same_course(other) or any(self.measured[one] != other.measured[one] for one in shared)

    def to_row(self) -> bytes:
        """The trace as bytes."""
        return b"".join(
            (
                _HEAD.pack(FORMAT, self.is_final, len(self.effects), len(self.measured)),
                struct.pack(f"<{len(self.costs)}d", *self.costs),
                bytes(self.effects),
                *(
                    bytes([len(name.encode())]) + name.encode() + _NUMBER.pack(value)
                    for name, value in self.measured.items()
                ),
                self.error.encode("utf-8", "replace"),
            )
        )

    @classmethod
    def of_row(cls, row: bytes) -> OutcomeTrace | None:
        """The trace in a row; None if it is not one."""
        try:
            return cls._read(row)
        except (struct.error, UnicodeDecodeError, IndexError):
            return None

    @classmethod
    def _read(cls, row: bytes) -> OutcomeTrace | None:
        version, is_final, length, metrics = _HEAD.unpack_from(row)
        if version != FORMAT or length > _LONGEST:
            return None
        at = _HEAD.size
        costs = struct.unpack_from(f"<{length + 1}d", row, at)
        at += (length + 1) * _NUMBER.size
        effects, at = row[at : at + length], at + length
        if len(effects) != length:
            return None
        measured: dict[str, float] = {}
        for _ in range(metrics):
            end = at + 1 + row[at]
            name, at = row[at + 1 : end].decode(), end + _NUMBER.size
            [measured[name]] = _NUMBER.unpack_from(row, end)
        if not all(map(math.isfinite, (*costs, *measured.values()))):
            return None
        return cls(costs, tuple(map(bool, effects)), row[at:].decode(), bool(is_final), measured)


VERSION: Final = 1  # ``PRAGMA user_version`` of a file with this table
APPLICATION: Final = 0x6F61_6F73  # ``PRAGMA application_id``: it tells a store from any other file of SQLite
_WAIT_SECONDS: Final = 20.0  # How long one waits for others' transactions, which take milliseconds
_RETRY_SECONDS: Final = 0.01
_AT_A_TIME: Final = 500  # Keys in one statement; SQLite allows 32,766 parameters


class _ConnectedStore(OutcomeStore):
    # Its connection must not be used after a fork.
    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._connection: Any = None
        self._owner = 0

    @abstractmethod
    def _connect(self) -> Any:  # noqa: ANN401 # of any library
        """Open the connection."""

    def _connected(self) -> Any:  # noqa: ANN401 # of any library
        if self._connection is None or self._owner != os.getpid():
            self._connection, self._owner = self._connect(), os.getpid()
        return self._connection

    def close(self) -> None:
        with self._lock:
            if self._connection is not None and self._owner == os.getpid():
                with suppress(sqlite3.Error):
                    self._connection.close()
            self._connection = None

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_connection": None}


class SqliteStore(_ConnectedStore):
    """A store in a file, which is made if it does not exist. Several processes may use it at a time.

    Raises:
        InvalidInput: The file is something else, or cannot be made.
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__(f"sqlite:{path}")
        self._path = Path(path).absolute()  # a copy may be used in another working folder
        self._mode = "rwc"
        remedy = "Give the path of a new file, or of one that this version made."
        if not Path(path).name or "\0" in str(path):
            message = f"{str(path)!r:.200} does not name a file for a store."
            raise InvalidInput(message, field="store", value=str(path), remedy=remedy)
        try:
            self._prepare(self._connected())
        except (sqlite3.Error, StoreFault) as error:
            self.close()
            message = f"{self._path} cannot be used as a store: {error}."
            raise InvalidInput(message, field="store", value=str(path), remedy=remedy) from error
        self._mode = "rw"  # a file without the table would be of no use

    def _find(self, keys: Sequence[bytes]) -> list[bytes | None]:
        found: dict[bytes, bytes] = {}
        try:
            for first in range(0, len(keys), _AT_A_TIME):
                some = keys[first : first + _AT_A_TIME]
                marks = ",".join("?" * len(some))
                statement = f"SELECT key, value FROM Outcomes WHERE key IN ({marks})"  # noqa: S608 # of marks
                found.update(self._connected().execute(statement, some))
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
            with self._connected() as transaction:
                transaction.execute("BEGIN IMMEDIATE")
                transaction.executemany(statement, values)
        except sqlite3.Error as error:
            raise StoreFault(f"{error}.") from error

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{self._path.as_uri()}?mode={self._mode}",
            timeout=_WAIT_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            uri=True,
        )
        try:
            connection.execute("PRAGMA synchronous=NORMAL")  # with WAL, only a loss of power loses rows
        except sqlite3.Error:  # the file is something else
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
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


def _let_readers_go_on(connection: sqlite3.Connection) -> None:
    # SQLite itself does not wait here for others who make the same file.
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


EXTRA: Final = "store"  # The extra of the package that brings the client's library
_PREFIX: Final = b"optarena:outcome:"
_SECONDS: Final = 5.0  # How long a call may take; one of 100 rows takes about 2 ms


class ValkeyStore(_ConnectedStore):
    """A store on a server. How many rows it holds, and which give way, is for the server's settings to say.

    Args:
        url: The address as the client's library writes it: ``redis://``, ``rediss://`` or ``unix://``.
        shown: The address as the user wrote it, without a password.

    Raises:
        ToolMissing: The client's library is not installed.
        InvalidInput: The address cannot be used, or the server does not answer.
    """

    def __init__(self, url: str, shown: str) -> None:
        super().__init__(shown)
        self._address = url
        library = _library()
        try:
            self._connected().ping()
        except TypeError as error:  # what the library says of options that it does not know
            message = f"The store {shown} has an option that is not known: {error}."
            raise InvalidInput(message, field="store", value=shown, remedy="Leave it out.") from error
        except (library.RedisError, ValueError, OSError) as error:
            self.close()
            message = f"The store {shown} does not answer: {str(error).rstrip('.')}."
            remedy = "Start the server, or correct the address."
            raise InvalidInput(message, field="store", value=shown, remedy=remedy) from error

    def _find(self, keys: Sequence[bytes]) -> list[bytes | None]:
        found: Any = self._asked("mget", [_PREFIX + key for key in keys])
        return [row if isinstance(row, bytes) else None for row in found]

    def _keep(self, rows: Mapping[bytes, bytes]) -> None:
        self._asked("mset", {_PREFIX + key: row for key, row in rows.items()})

    def _remove(self, keys: Sequence[bytes]) -> None:
        self._asked("delete", *(_PREFIX + key for key in keys))

    def _asked(self, command: str, *arguments: Any) -> object:  # noqa: ANN401 # of any command
        library = _library()
        try:
            return getattr(self._connected(), command)(*arguments)
        except (library.RedisError, OSError) as error:
            raise StoreFault(f"{error}.") from error

    def _connect(self) -> Redis:
        limits = {"socket_timeout": _SECONDS, "socket_connect_timeout": _SECONDS}
        client: Redis = _library().Redis.from_url(self._address, **limits)
        return client


def _library() -> ModuleType:
    try:
        import redis  # noqa: PLC0415 # an extra
    except ImportError as error:
        message = "A store on a Valkey server needs the package redis, which is missing."
        remedy = f"Install it: pip install 'optarena[{EXTRA}]'."
        raise ToolMissing(message, field="store", value="redis", remedy=remedy) from error
    return redis


# Schemes of servers, and those of the client's library.
_SERVERS: Final = {"valkey": "redis", "valkeys": "rediss", "valkey+unix": "unix"}
SCHEMES: Final = ("memory", "sqlite", *_SERVERS)
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_DATABASE: Final = re.compile(r"/?[0-9]{0,9}")
FORMS: Final = (
    "memory:, sqlite:PATH, valkey://HOST:PORT/NUMBER, valkeys://… with TLS, or valkey+unix:///PATH; "
    "a path alone is a file of SQLite"
)


def open_store(url: str | OutcomeStore) -> OutcomeStore:
    """The store of a URL: ``memory:``, ``sqlite:PATH``, ``valkey://HOST:PORT/NUMBER``; a path is SQLite's.

    A store is returned as it is.

    Raises:
        InvalidInput: It is not the URL of a store, or the store cannot be used.
        ToolMissing: The library for it is not installed.
    """
    if isinstance(url, OutcomeStore):
        return url
    if not isinstance(url, str) or not url.strip():
        raise _unknown(url, "")
    found = _SCHEME.match(url)
    scheme = found[1].lower() if found else ""
    rest = url[found.end() :] if found else url
    if not scheme or scheme == "sqlite":
        if scheme and rest.startswith("//") and not rest.startswith("///"):  # a name there would be a host
            raise _unknown(url, "")
        return SqliteStore(rest.removeprefix("//") if scheme else rest)
    if scheme == "memory":
        if rest not in ("", "//"):
            raise _unknown(url, "")
        return MemoryStore()
    if scheme not in _SERVERS:
        raise _unknown(url, scheme)
    return ValkeyStore(_SERVERS[scheme] + url[len(scheme) :], _shown(url))


def _shown(url: str) -> str:
    # Without a password, and without options, which may have one.
    try:
        parts = urlsplit(url)
        password = parts.password
        _ = parts.port
    except ValueError as error:
        message = f"The address of the store is wrong: {error}."
        raise InvalidInput(message, field="store", remedy=f"Give {FORMS}.") from error
    if not parts.scheme.endswith("unix") and not _DATABASE.fullmatch(parts.path):
        message = f"{parts.path[1:]!r:.100} is not the number of a database of the store."
        raise InvalidInput(message, field="store", remedy=f"Give {FORMS}.")
    whole = url.partition("?")[0]
    return whole if password is None else whole.replace(f":{password}@", ":***@", 1)


def _unknown(url: object, scheme: str) -> InvalidInput:
    hint = did_you_mean(scheme, SCHEMES, otherwise=f"Give {FORMS}.") if scheme else f"Give {FORMS}."
    what = (
        f"{scheme}: is not the scheme of a store." if scheme else f"{url!r:.200} is not the URL of a store."
    )
    return InvalidInput(what, field="store", value=scheme or url, remedy=hint)
