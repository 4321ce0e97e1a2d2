"""A web server with a small application, for tests of connections."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from leaderboard.web_server.server import THREADS, ConnectionLimits, WebServer

if TYPE_CHECKING:
    from pathlib import Path


LARGE: Final = 64 * 1024**2


class Application:
    """Streams, sends files, counts bodies, waits, has not changed, and answers ``ok`` to everything else."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.bodies: list[int] = []
        self.wait = threading.Event()
        self.left: list[str] = []

    def __call__(self, environ: dict[str, Any], start: Callable[..., object]) -> Any:
        path = environ["PATH_INFO"]
        if path == "/stream":
            start("200 OK", [])
            return self._stream()
        if path == "/file":
            start("200 OK", [("Content-Length", str(LARGE))])
            return environ["wsgi.file_wrapper"](self.file.open("rb"))
        if path == "/unchanged":
            start("304 Not Modified", [("Content-Length", "0"), ("ETag", '"e"')])
            return [b""]
        if path == "/wait":
            self.wait.wait(60)
        body = environ["wsgi.input"].read()
        self.bodies.append(len(body))
        start("200 OK", [("Content-Length", "2")])
        return [b"ok"]

    def _stream(self) -> Iterator[bytes]:
        try:
            for _ in range(LARGE // 65536):
                yield b"x" * 65536
        finally:
            self.left.append("stream")


@contextmanager
def serving(
    application: Callable[..., Any],
    limits: ConnectionLimits,
    listener: socket.socket | None = None,
    threads: int = THREADS,
) -> Iterator[tuple[WebServer, int]]:
    """A server in a thread, and its port."""
    listener = listener or socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    server = WebServer(application, listener, limits=limits, threads=threads)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server, port
    finally:
        server.stop()
        thread.join()
