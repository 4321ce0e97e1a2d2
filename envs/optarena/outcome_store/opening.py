"""The store of a URL."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from optarena.errors import InvalidInput
from optarena.outcome_store.memory import MemoryStore
from optarena.outcome_store.sqlite import SqliteStore
from optarena.outcome_store.store import OutcomeStore
from optarena.outcome_store.valkey import ValkeyStore
from optarena.suggestions import did_you_mean

_SERVERS: Final = {"valkey": "redis", "valkeys": "rediss", "valkey+unix": "unix"}
"""Schemes of servers, and those of the client's library."""
SCHEMES: Final = ("memory", "sqlite", *_SERVERS)
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_DATABASE: Final = re.compile(r"/?[0-9]{0,9}")
FORMS: Final = (
    "memory:, sqlite:PATH, valkey://HOST:PORT/NUMBER, valkeys://… with TLS, or valkey+unix:///PATH; "
    "a path alone is a file of SQLite"
)


def open_store(url: str | OutcomeStore) -> OutcomeStore:
    """The store of a URL: ``memory:``, ``sqlite:PATH``, ``valkey://HOST:PORT/NUMBER``; a path is SQLite's.

    Args:
        url: The URL; a store is returned as it is.

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
    """The URL of a server as it may be shown: without a password, and without options, which may have one.

    Raises:
        InvalidInput: It is not one.
    """
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
