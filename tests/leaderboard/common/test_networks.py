"""What counts as one customer of a network provider."""

from __future__ import annotations

import pytest

from leaderboard.common.networks import network


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:0:1:2:3:4:5", "2001:db8:0:1::"),
        ("2001:DB8::1", "2001:db8::"),
        ("fe80::1%eth0", "fe80::"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("::ffff:cb00:7107", "203.0.113.7"),
        ("", ""),
        ("unknown", "unknown"),
    ],
)
def test_addresses_of_one_customer_have_one_network(address: str, expected: str) -> None:
    assert network(address) == expected
