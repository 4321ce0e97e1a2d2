"""Ids that people give as they have them: alone, or in the address of a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from optarena.client import Client

_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def submission_id(client: Client, text: str) -> str:
    """The id of a submission; see ``_identifier``."""
    return _identifier(client, text, field="submission", what="a submission", listing="optarena status")


def portable_entry_id(client: Client, text: str) -> str:
    """The id of a portable entry; see ``_identifier``."""
    listing = "optarena portfolio status"
    return _identifier(client, text, field="entry", what="a portable entry", listing=listing)


def _identifier(client: Client, text: str, *, field: str, what: str, listing: str) -> str:
    """The id in an id, or in an address of the client's server.

    Args:
        client: The client.
        text: The id or the address.
        field: What it is, for the error.
        what: The same in a sentence.
        listing: The command that lists one's own.

    Raises:
        InvalidInput: There is none, or the address is of another server.
    """
    if "://" in text and not text.startswith(f"{client.url}/"):
        raise InvalidInput(
            f"{text[:100]!r} is not an address of the server {client.url}.",
            field=field,
            value=text,
            remedy="Give its server with --url.",
        )
    found = _UUID.search(text)
    if found is None:
        raise InvalidInput(
            f"{text[:100]!r} is not {what}.",
            field=field,
            value=text,
            remedy=f"Give its id, or the address of its page; `{listing}` lists yours.",
        )
    return found[0]
