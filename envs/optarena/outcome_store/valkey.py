"""A store on a Valkey server, or any other that speaks its protocol, for several machines."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from optarena.errors import InvalidInput, StoreFault, ToolMissing
from optarena.outcome_store.store import OutcomeStore

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from redis import Redis

EXTRA: Final = "store"
"""The extra of the package that brings the client's library."""
_PREFIX: Final = b"optarena:outcome:"
_SECONDS: Final = 5.0
"""How long a call may take; one of 100 rows takes about 2 ms."""


class ValkeyStore(OutcomeStore):
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
        self._client: Redis | None = None
        self._owner = 0
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

    def close(self) -> None:
        """See ``OutcomeStore``."""
        with self._lock:
            if self._client is not None and self._owner == os.getpid():
                self._client.close()
            self._client = None

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

    def _connected(self) -> Redis:
        """This process's client."""
        if self._client is None or self._owner != os.getpid():
            self._client = _library().Redis.from_url(
                self._address, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS
            )
            self._owner = os.getpid()
        return self._client

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_client": None}


def _library() -> ModuleType:
    try:
        import redis  # noqa: PLC0415 # an extra
    except ImportError as error:
        message = "A store on a Valkey server needs the package redis, which is missing."
        remedy = f"Install it: pip install 'optarena[{EXTRA}]'."
        raise ToolMissing(message, field="store", value="redis", remedy=remedy) from error
    return redis
