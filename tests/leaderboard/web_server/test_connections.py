"""Clients that are slow, silent, greedy or unclear: the others are served, and these are closed."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from leaderboard.web_server.limits import ConnectionLimits
from leaderboard.web_server.server import WebServer
from tests.kit.slow_clients import HEAD, answers, attack, closed_by_server, connect, read_to_end

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

LARGE = 64 * 1024**2
SHORT = ConnectionLimits(
    head_seconds=2.0,
    body_seconds=2.0,
    idle_seconds=2.0,
    stall_seconds=2.0,
    drain_seconds=1.0,
    connections=128,
    per_address=96,
    body_bytes=100_000,
)


class Application:
    """Streams, sends files, counts bodies, waits, and answers ``ok`` to everything else."""

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
def serving(application: Application, limits: ConnectionLimits) -> Iterator[tuple[WebServer, int]]:
    listener = socket.create_server(("127.0.0.1", 0))
    server = WebServer(application, listener, limits=limits)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server, listener.getsockname()[1]
    finally:
        server.stop()
        thread.join()


@pytest.fixture
def application(tmp_path: Path) -> Iterator[Application]:
    file = tmp_path / "large"
    with file.open("wb") as stream:
        stream.truncate(LARGE)
    application = Application(file)
    yield application
    application.wait.set()


@pytest.fixture
def served(application: Application) -> Iterator[int]:
    with serving(application, SHORT) as (_, port):
        yield port


def next_answer(client: socket.socket) -> bool:
    """Whether the application's answer arrives on a connection that stays open."""
    received = b""
    while not received.endswith(b"ok"):
        piece = client.recv(4096)
        if not piece:
            return False
        received += piece
    return True


def said(port: int, request: bytes) -> tuple[int, dict[str, Any]]:
    """The status and the problem with which the server answers what it then closes."""
    with connect(port) as client:
        client.sendall(request)
        head, _, body = read_to_end(client).partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


@pytest.mark.parametrize("kind", ["stall", "head", "body", "half-closed"])
def test_who_never_finishes_a_request_stops_nobody_and_is_closed(served: int, kind: str) -> None:
    with attack(served, kind) as clients:
        assert Counter(answers(served, "/")) == {200: 20}
        assert all(closed_by_server(one) for one in clients.all)


def test_idle_connections_stop_nobody(served: int) -> None:
    with attack(served, "idle") as clients:
        assert Counter(answers(served, "/")) == {200: 20}
    with attack(served, "none") as clients:
        assert all(closed_by_server(one) for one in clients.all)


def test_garbage_after_a_request_stops_nobody_and_is_closed(served: int) -> None:
    with attack(served, "garbage") as clients:
        assert Counter(answers(served, "/")) == {200: 20}
        text = read_to_end(clients.all[0])
    assert text.startswith(b"HTTP/1.1 200")
    assert b"400 Bad Request" in text


@pytest.mark.parametrize("path", ["/stream", "/file"])
def test_who_does_not_read_an_answer_stops_nobody_and_is_closed(
    served: int, application: Application, path: str
) -> None:
    with attack(served, "reader", large=path) as clients:
        assert Counter(answers(served, "/")) == {200: 20}
        # The kernel keeps what was sent before; but it is not the whole answer.
        clients.all[0].settimeout(60)
        time.sleep(SHORT.stall_seconds * 3)
        assert len(read_to_end(clients.all[0])) < LARGE
    if path == "/stream":
        assert application.left


@pytest.mark.parametrize("path", ["/stream", "/file"])
def test_who_reads_gets_the_whole_answer(served: int, path: str) -> None:
    with connect(served) as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        received = read_to_end(client)
    assert len(received) >= LARGE


def test_a_body_in_many_parts_arrives_whole(served: int, application: Application) -> None:
    with connect(served) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n")
        for _ in range(10):
            client.sendall(b"x" * 100)
            time.sleep(0.05)
        assert read_to_end(client).endswith(b"ok")
    assert application.bodies == [1000]


def test_a_connection_is_kept_for_further_requests(served: int) -> None:
    with connect(served) as client:
        for _ in range(3):
            client.sendall(HEAD + b"\r\n")
            assert next_answer(client)


@pytest.mark.parametrize(
    ("request_", "status", "kind", "word"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", 400, "bad-request", "Host is missing"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "bad-request", "Host is 'a, b'"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400, "bad-request", "once"),
        (b"\x16\x03\x01\x02\r\n\r\n", 400, "bad-request", ""),
        (
            b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
            400,
            "bad-request",
            "",
        ),
        (
            b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            400,
            "bad-request",
            "",
        ),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 40_000 + b"\r\n\r\n", 431, "head-too-large", ""),
    ],
)
def test_an_unclear_head_is_a_problem(
    served: int, request_: bytes, status: int, kind: str, word: str
) -> None:
    code, problem = said(served, request_)
    assert (code, problem["type"]) == (status, f"/problems/#{kind}")
    assert word in problem["detail"]
    assert problem["remedy"]


def test_http_1_0_needs_no_host(served: int) -> None:
    with connect(served) as client:
        client.sendall(b"GET / HTTP/1.0\r\n\r\n")
        assert read_to_end(client).endswith(b"ok")


@pytest.mark.parametrize("header", [b"Content-Length: 5000000", b"Transfer-Encoding: chunked"])
def test_a_body_that_will_be_refused_is_not_read(
    served: int, application: Application, header: bytes
) -> None:
    """The application answers by the head; the client gets this answer although it goes on sending."""
    with connect(served) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: a\r\n" + header + b"\r\n\r\n")
        client.sendall(b"x" * 2_000_000)
        assert read_to_end(client).endswith(b"ok")
    assert application.bodies == [0]


def test_a_late_body_is_told(served: int) -> None:
    code, problem = said(served, b"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx")
    assert (code, problem["type"], problem["instance"]) == (408, "/problems/#body-timeout", "/x")


def test_the_oldest_silent_connection_of_an_address_gives_way(application: Application) -> None:
    limits = ConnectionLimits(connections=128, per_address=8)
    with serving(application, limits) as (_, port):
        silent = [connect(port) for _ in range(8)]
        assert answers(port, "/", 3) == [200, 200, 200]
        silent[0].settimeout(10)
        assert silent[0].recv(1) == b""
        silent[-1].sendall(HEAD + b"\r\n")
        assert next_answer(silent[-1])
        for one in silent:
            one.close()


def test_behind_a_proxy_all_connections_may_come_from_one_address(application: Application) -> None:
    limits = ConnectionLimits(connections=40, per_address=None)
    with serving(application, limits) as (_, port):
        kept = [connect(port) for _ in range(40)]
        assert answers(port, "/", 3) == [200, 200, 200]
        kept[0].settimeout(10)
        assert kept[0].recv(1) == b""
        for one in kept:
            one.close()


def test_bodies_share_the_memory(application: Application) -> None:
    limits = ConnectionLimits(body_bytes=100_000, buffered_bytes=1_000_000)
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n"
    with serving(application, limits) as (_, port):
        begun = [connect(port) for _ in range(2)]
        for one in begun:
            one.sendall(head + b"x")
        time.sleep(0.5)
        code, problem = said(port, head)
        assert (code, problem["type"]) == (503, "/problems/#unavailable")
        begun[0].sendall(b"x" * 99_999)
        assert next_answer(begun[0])
        for one in begun:
            one.close()


def test_a_request_for_which_no_thread_is_free_is_told_to_come_again(application: Application) -> None:
    with serving(application, ConnectionLimits(queue_seconds=1.0)) as (_, port):
        stuck = [connect(port) for _ in range(4)]
        for one in stuck:
            one.sendall(b"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
        time.sleep(0.5)
        code, problem = said(port, HEAD + b"\r\n")
        assert (code, problem["type"]) == (503, "/problems/#unavailable")
        application.wait.set()
        for one in stuck:
            assert next_answer(one)
            one.close()
        assert answers(port, "/", 1) == [200]


def test_a_request_in_work_is_answered_before_the_server_stops(application: Application) -> None:
    with serving(application, ConnectionLimits()) as (server, port):
        client = connect(port)
        client.sendall(b"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
        idle = connect(port)
        time.sleep(0.5)
        server.stop()
        idle.settimeout(10)
        assert idle.recv(1) == b""
        application.wait.set()
        assert next_answer(client)
        client.close()
