"""What slow clients cost the others: the time of a request during an attack, and its ratio to that without.

    python benchmarks/front_door.py [--clients 50] [--requests 60]

It starts a whole server of its own. Each attack opens as many connections and keeps them busy. The time of a
request is the median; requests with and without the attack come in turns of the same length.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import statistics
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from measuring import aim, milliseconds, show

from leaderboard.embedded import EmbeddedStack
from leaderboard.embedded.server import Server, listen
from tests.kit.slow_clients import attack

if TYPE_CHECKING:
    from collections.abc import Sequence

ATTACKS: Final = {
    "stall": "one byte and silence",
    "head": "a head of one byte per second",
    "body": "a body of one byte per 3 seconds",
    "idle": "idle connections, reopened",
    "reader": "an archive that is not read",
    "garbage": "a request followed by garbage",
    "half-closed": "half a head, and the end of the sender",
}
PATHS: Final = ("/healthz", "/api/v1/boards/")
AIM_RATIO: Final = 3.0
_PORT: Final = 18800


def times(address: str, count: int) -> list[float]:
    """The milliseconds of requests; each must be answered well."""

    def ask() -> None:
        with urllib.request.urlopen(address, timeout=60) as answer:  # noqa: S310 - our own address
            answer.read()

    return [milliseconds(ask) for _ in range(count)]


def compare(server: Server, kind: str, clients: int, requests: int) -> dict[str, tuple[float, float]]:
    """The median milliseconds of each path without an attack and with it."""
    without: dict[str, list[float]] = {path: [] for path in PATHS}
    during: dict[str, list[float]] = {path: [] for path in PATHS}
    for _ in range(2):
        for path in PATHS:
            without[path] += times(server.url + path, requests // 2)
        with attack(server.port, kind, clients, large="/api/v1/datasets/kernels-v0/archive/"):
            time.sleep(0.5)
            for path in PATHS:
                during[path] += times(server.url + path, requests // 2)
    return {path: (statistics.median(without[path]), statistics.median(during[path])) for path in PATHS}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure all attacks."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clients", type=int, default=50, help="connections of an attack")
    parser.add_argument("--requests", type=int, default=60, help="requests of each median")
    options = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix="optarena-benchmark-"))
    folder.chmod(0o711)
    print(f"front door, Python {platform.python_version()}; {options.clients} connections for each attack")
    try:
        with EmbeddedStack(folder / "state", durable=False) as stack:
            server = Server(stack, listener=listen(_PORT))
            try:
                server.bootstrap()
                server.start()
                for kind, meaning in ATTACKS.items():
                    print(f"{kind}: {meaning}")
                    for path, (without, during) in compare(
                        server, kind, options.clients, options.requests
                    ).items():
                        ratio = during / without
                        show(path, during, f"{ratio:.2f} x {without:.1f} ms without; {aim(ratio, AIM_RATIO)}")
            finally:
                server.stop()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
