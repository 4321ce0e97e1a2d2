"""Who gives way when something is full: always somebody of the network that has most of it.

Nobody is refused for having come last, or an attacker who holds everything would lock all others out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from leaderboard.web_server.connection import WebConnection


def of_the_greediest(connections: Collection[WebConnection]) -> list[WebConnection]:
    """The connections of the network that has most of them, or of the networks."""
    number = Counter(one.network for one in connections)
    most = max(number.values())
    return [one for one in connections if number[one.network] == most]


def costliest(costs: Mapping[WebConnection, float]) -> WebConnection:
    """The connection that costs most, of the network whose connections cost most together."""
    total: defaultdict[str, float] = defaultdict(float)
    for connection, cost in costs.items():
        total[connection.network] += cost
    return max(costs, key=lambda one: (total[one.network], costs[one]))
