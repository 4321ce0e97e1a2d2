"""The embedded Valkey, Celery's broker: on a Unix socket, with an append-only file."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING, Final

from leaderboard.embedded.process import Process

if TYPE_CHECKING:
    from leaderboard.embedded.placement import Placement

START_SECONDS: Final = 60
_PONG: Final = b"+PONG"


class Valkey:
    """One server.

    Args:
        placement: Its files' place and the user that it runs as.
        sockets: Folder of its socket.
        log: The server's log file.
    """

    def __init__(self, placement: Placement, *, sockets: Path, log: Path) -> None:
        self._placement = placement
        self._socket = sockets / "valkey.sock"
        self._home = Path(placement.home) / "valkey"
        options = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": ".",
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "maxmemory-policy": "noeviction",
        }
        argv = [str(placement.binaries.valkey)]
        for name, value in options.items():
            argv += [f"--{name}", value]
        self.process = Process(
            name="Valkey",
            argv=placement.command(argv),
            environment={"LC_ALL": "C", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
            log=log,
            options={"cwd": str(self._home), **placement.popen_options()},
        )

    @property
    def url(self) -> str:
        """The address, in the form of ``OPTARENA_BROKER_URL``."""
        return f"redis+socket://{self._socket}?virtual_host=0"

    def start(self) -> None:
        """Start and wait until it answers.

        Raises:
            EmbeddedError: The server does not start; the message has the end of its log.
        """
        self._placement.folder(self._home)
        self.process.start()
        self.process.wait_until(self._answers, seconds=START_SECONDS)

    def _answers(self) -> bool:
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(5)
                client.connect(str(self._socket))
                client.sendall(b"PING\r\n")
                # While Valkey loads its file it answers with an error.
                return client.recv(64).startswith(_PONG)
        except OSError:
            return False
