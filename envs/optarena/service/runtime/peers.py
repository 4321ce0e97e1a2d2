"""Identifies callers: whether the process at the other end of a connection belongs to the service's user.

Only the service's user can reach its Unix socket. Any user of this machine can connect to its TCP port; Linux
lists the owner of each connection in ``/proc/net``. An unknown owner counts as another user.
"""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

_TABLES: Final = ("/proc/net/tcp", "/proc/net/tcp6")
_ESTABLISHED: Final = "01"
_ROOT: Final = 0
_FIELDS: Final = 10


class _Connection(NamedTuple):
    """One end of an established connection; of the other end, the port."""

    address: str
    port: int
    other_port: int
    owner: int


def is_own_user(peer: str, ports: Container[int]) -> bool:
    """Whether a caller is a process of this process's user, or of root, on this machine.

    Args:
        peer: The caller's address as gRPC writes it: ``unix:/path``, ``ipv4:127.0.0.1:4711``,
            ``ipv6:%5B::1%5D:4711``.
        ports: The TCP ports on which this process listens.
    """
    kind, _, rest = unquote(peer).partition(":")
    if kind == "unix":
        return True
    host, _, port = rest.rpartition(":")
    try:
        address, number = ipaddress.ip_address(_unmapped(host.strip("[]"))), int(port)
    except ValueError:
        return False
    if not address.is_loopback:
        return False
    owners = {
        one.owner
        for one in _connections()
        if (one.address, one.port) == (str(address), number) and one.other_port in ports
    }
    return bool(owners) and owners <= {_ROOT, os.geteuid()}


def _connections() -> Iterator[_Connection]:
    for table in _TABLES:
        try:
            lines = Path(table).read_text(encoding="ascii").splitlines()[1:]
        except OSError:  # no IPv6, or no /proc
            continue
        for line in lines:
            fields = line.split()
            # Linux reports root as the owner of connections in any other state.
            if len(fields) >= _FIELDS and fields[3] == _ESTABLISHED and fields[9] != "0":
                address, _, port = fields[1].partition(":")
                other_port = fields[2].rpartition(":")[2]
                yield _Connection(_address(address), int(port, 16), int(other_port, 16), int(fields[7]))


def _address(digits: str) -> str:
    """The address from the table's hexadecimal words of four bytes, each in the machine's byte order."""
    words = bytes.fromhex(digits)
    data = b"".join(words[start : start + 4][::-1] for start in range(0, len(words), 4))
    return _unmapped(str(ipaddress.ip_address(data)))


def _unmapped(text: str) -> str:
    """An address; an IPv4 address written as IPv6 becomes IPv4."""
    address = ipaddress.ip_address(text)
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)
