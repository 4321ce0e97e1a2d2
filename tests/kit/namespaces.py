"""Machines for tests: network namespaces, each connected to this machine by a cable of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from tests.kit.tools import IP


@dataclass(frozen=True)
class Namespace:
    """One of the machines.

    Attributes:
        name: Its name for ``ip netns``.
        server: The address of this machine, as it sees it.
        own: Its own address.
    """

    name: str
    server: str
    own: str

    @property
    def cable(self) -> str:
        """The name of this machine's end of the cable."""
        return f"v{self.name[-13:]}"

    def command(self, argv: Sequence[str]) -> list[str]:
        return ["ip", "netns", "exec", self.name, *argv]

    def remove(self) -> None:
        subprocess.run(["ip", "link", "del", self.cable], check=False, capture_output=True)
        subprocess.run(["ip", "netns", "del", self.name], check=False, capture_output=True)


def make_namespace(number: int) -> Namespace:
    """A machine; the number tells those of one test apart.

    Raises:
        OSError: This machine does not allow it; the message says why.
    """
    if IP.find() is None:
        raise OSError("The program `ip` is missing (Debian: iproute2).")
    network = f"10.{os.getpid() % 200 + 20}.{number}"
    made = Namespace(f"arena-{os.getpid()}-{number}", f"{network}.1", f"{network}.2")
    try:
        _ip("netns", "add", made.name)
        _ip("link", "add", made.cable, "type", "veth", "peer", "name", "eth0", "netns", made.name)
        _ip("addr", "add", f"{made.server}/24", "dev", made.cable)
        _ip("link", "set", made.cable, "up")
        for words in (["addr", "add", f"{made.own}/24", "dev", "eth0"], ["link", "set", "eth0", "up"]):
            _ip("-n", made.name, *words)
    except OSError:
        made.remove()
        raise
    return made


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], check=False, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")
