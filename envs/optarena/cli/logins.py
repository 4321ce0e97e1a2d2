"""Tokens that ``optarena login`` keeps for the user, by server, in a file that nobody else can read."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Final

from optarena.client import TOKEN_VARIABLE, Client, server_url
from optarena.errors import InvalidInput
from optarena.paths import site_data

if TYPE_CHECKING:
    from pathlib import Path

_OWN: Final = 0o600


def client(url: str | None, token: str | None) -> Client:
    """A client with the given token, or else with the one that is kept for the server, if any."""
    return Client(url, kept(url) if token is None else token)


def require_token(client: Client, what: str = "Submitting") -> None:
    """Refuse without a token what only a user can do.

    Raises:
        InvalidInput: The client has none.
    """
    if not client.token:
        raise InvalidInput(
            f"{what} needs a token.",
            field="token",
            remedy=f"Run `optarena login NAME`, or set ${TOKEN_VARIABLE}; `optarena signup NAME` prints one.",
        )


def file() -> Path:
    """Where the tokens are."""
    return site_data() / "logins.json"


def kept(url: str | None) -> str:
    """The token that is kept for a server; empty if there is none."""
    return _read().get(server_url(url), "")


def keep(url: str | None, token: str) -> None:
    """Keep a token for a server, in the place of an earlier one."""
    _write(_read() | {server_url(url): token})


def forget(url: str | None) -> None:
    """Drop the token of a server."""
    server = server_url(url)
    _write({one: token for one, token in _read().items() if one != server})


def _read() -> dict[str, str]:
    try:
        data = json.loads(file().read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise _unusable() from error
    if not isinstance(data, dict) or not all(isinstance(one, str) for one in data.values()):
        raise _unusable()
    return data


def _unusable() -> InvalidInput:
    path = str(file())
    return InvalidInput(
        f"{path} does not have tokens by server.",
        field="logins",
        value=path,
        remedy="Delete it, and run `optarena login NAME` again.",
    )


def _write(tokens: dict[str, str]) -> None:
    """Replace the file at once: a reader sees the old tokens or the new ones."""
    path = file()
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.unlink(missing_ok=True)
    new.touch(_OWN, exist_ok=False)
    new.write_text(json.dumps(tokens, indent=2), encoding="utf-8")
    new.replace(path)
