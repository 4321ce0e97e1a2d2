"""Which addresses belong to one customer of a network provider, and so count as one."""

from __future__ import annotations

import ipaddress
from typing import Final

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
