"""Addresses of health checks, of what a page has many of, and the networks of clients."""

from __future__ import annotations

import ipaddress
import uuid
from functools import lru_cache
from typing import Final
from urllib.parse import quote

from django.urls import get_script_prefix, reverse

# Health checks: asked for often, and answered whatever else is wrong.
PROBES: Final = frozenset({"/healthz", "/readyz"})
PROBE_METHODS: Final = frozenset({"GET", "HEAD"})
_SUBMISSION: Final = uuid.UUID(int=0)
_POSITION: Final = 987_654_321  # In the place of an item's position.
_NOBODY: Final = "nobody"  # In the place of a user name.


def submission_address(view: str, submission_id: uuid.UUID) -> str:
    return _of_none(view, get_script_prefix()).replace(str(_SUBMISSION), str(submission_id))


def item_address(view: str, submission_id: uuid.UUID, position: int) -> str:
    found = _of_none(view, get_script_prefix(), _POSITION).replace(str(_SUBMISSION), str(submission_id))
    return found.replace(str(_POSITION), str(position))


def person_address(username: str) -> str:
    return _of_nobody("leaderboard:person", get_script_prefix()).replace(_NOBODY, quote(username, safe=""))


def agent_address(username: str, agent: str) -> str:
    address = _of_nobody("leaderboard:agent", get_script_prefix()).replace(_NOBODY, quote(username, safe=""))
    return f"{address}?name={quote(agent, safe='')}"


@lru_cache
def _of_nobody(view: str, prefix: str) -> str:  # noqa: ARG001 - as below
    return reverse(view, args=[_NOBODY])


@lru_cache
def _of_none(view: str, prefix: str, *position: int) -> str:  # noqa: ARG001 - the lookup reads the prefix itself
    return reverse(view, args=[_SUBMISSION, *position])


_NETWORK_BITS: Final = 64  # One customer has a whole network of IPv6 addresses.


# An IPv4 address may be written as IPv6.
def network(address: str) -> str:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, _NETWORK_BITS), strict=False).network_address)
