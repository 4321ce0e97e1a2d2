"""A Valkey server of a test's own, which it may kill."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from leaderboard.embedded.state import find_binaries


@contextmanager
def valkey_server() -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A server on a Unix socket that keeps nothing: the URL of a store on it, and its process."""
    with tempfile.TemporaryDirectory() as folder:  # pytest's own paths may be too long for a socket
        path = Path(folder) / "socket"
        options = ("--port", "0", "--unixsocket", str(path), "--dir", folder, "--save", "")
        with subprocess.Popen(
            [find_binaries().valkey, *options], stdout=subprocess.DEVNULL, env={"PATH": os.environ["PATH"]}
        ) as process:
            try:
                while not _answers(path):
                    assert process.poll() is None
                    time.sleep(0.02)
                yield f"valkey+unix://{path}", process
            finally:
                process.kill()


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0  # the file is there before the server listens
