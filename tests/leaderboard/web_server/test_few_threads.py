"""What a client must not do to others: hold the loop, or the threads that answer health checks."""

from __future__ import annotations

import socket
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from leaderboard.web_server.server import _ANSWER_BYTES as WATERMARK
from leaderboard.web_server.server import ConnectionLimits
from tests.kit.slow_clients import answers, connect, next_answer, said
from tests.kit.small_server import serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from leaderboard.web_server.server import WebServer

SOON = ConnectionLimits(queue_seconds=1.0, stop_seconds=0.1)


def asked(path: str, method: str = "GET") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def deaf(port: int) -> socket.socket:
    """A client that reads nothing, and whose system takes little."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    return client


class Filling:
    """Answers so much that what a client has not read lies just below the mark at which a writer waits."""

    def __init__(self) -> None:
        self.server: WebServer | None = None
        self.wait = threading.Event()
        self.other: socket.socket | None = None

    def __call__(self, environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        body = b"ok"
        if environ["PATH_INFO"] == "/much":
            body = bytes(WATERMARK - 1000)
        elif environ["PATH_INFO"] == "/rest":
            body = self._rest(int(environ["SERVER_PORT"]))
        elif environ["PATH_INFO"] == "/wait":
            self.wait.wait(60)
        start("200 OK", [("Content-Length", str(len(body)))])
        return [body]

    def _rest(self, port: int) -> bytes:
        self.other = connect(port)  # has the only thread next
        self.other.sendall(asked("/wait"))
        time.sleep(1)
        assert self.server is not None
        pending = max(one.total_outbufs_len for one in self.server.active_channels.values())
        return bytes(WATERMARK - pending - 200)


@pytest.fixture
def filling() -> Iterator[Filling]:
    application = Filling()
    yield application
    application.wait.set()
    if application.other is not None:
        application.other.close()


def test_the_loop_refuses_nobody_who_reads_nothing(filling: Filling) -> None:
    with serving(filling, SOON, threads=1) as (filling.server, port), deaf(port) as client:
        client.sendall(asked("/much") + asked("/rest") + asked("/late"))
        time.sleep(3)
        assert answers(port, "/healthz", 1) == [200]
        filling.wait.set()
        assert answers(port, "/", 1) == [200]


def test_only_what_reads_has_the_threads_of_health_checks(filling: Filling) -> None:
    with serving(filling, SOON, threads=1) as (_, port), connect(port) as stuck:
        stuck.sendall(asked("/wait"))
        time.sleep(0.5)
        assert answers(port, "/healthz", 1) == [200]
        code, problem = said(port, asked("/healthz", "POST"))
        assert (code, problem["type"]) == (503, "/problems/#unavailable")


def test_a_health_check_for_which_no_thread_is_free_is_told(filling: Filling) -> None:
    def slow(environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        return filling({**environ, "PATH_INFO": "/wait"}, start)

    with serving(slow, SOON) as (_, port), connect(port) as first, connect(port) as second:
        for one in (first, second):
            one.sendall(asked("/readyz"))
        time.sleep(0.5)
        assert said(port, asked("/readyz"))[0] == 503
        filling.wait.set()
        assert all(next_answer(one) for one in (first, second))
