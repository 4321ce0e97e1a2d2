"""Clients that are slow, silent, greedy or unclear: the others are served, and these are closed."""

from __future__ import annotations

import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from leaderboard.web_server.server import _ANSWER_BYTES as WATERMARK
from leaderboard.web_server.server import THREADS, ConnectionLimits, WebServer
from tests.kit.processes import wait_until
from tests.kit.slow_clients import (
    HEAD,
    answers,
    attack,
    closed_by_server,
    connect,
    next_answer,
    read_to_end,
    said,
)
from tests.kit.small_server import LARGE, Application, serving

SHORT = ConnectionLimits(
    head_seconds=2.0,
    body_seconds=2.0,
    idle_seconds=2.0,
    stall_seconds=2.0,
    drain_seconds=1.0,
    stop_seconds=0.5,
    connections=128,
    per_network=96,
    body_bytes=100_000,
)


@pytest.fixture
def served(application: Application) -> Iterator[int]:
    with serving(application, SHORT) as (_, port):
        yield port


def refuses(port: int) -> bool:
    for _ in range(100):
        try:
            connect(port).close()
        except ConnectionRefusedError:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("kind", ["none", "stall", "head", "body", "half-closed"])
def test_who_never_finishes_a_request_stops_nobody_and_is_closed(served: int, kind: str) -> None:
    with attack(served, kind) as clients:
        assert Counter(answers(served, "/")) == {200: 20}
        assert all(closed_by_server(one) for one in clients.all)


def test_idle_connections_and_garbage_after_a_request_stop_nobody(served: int) -> None:
    with attack(served, "idle"):
        assert Counter(answers(served, "/")) == {200: 20}
    with attack(served, "garbage") as clients:
        assert Counter(answers(served, "/")) == {200: 20}
        text = read_to_end(clients.all[0])
    assert text.startswith(b"HTTP/1.1 200")
    assert b"400 Bad Request" in text


@pytest.mark.parametrize("path", ["/stream", pytest.param("/file", marks=pytest.mark.soak)])
def test_who_does_not_read_is_closed_and_stops_nobody(application: Application, path: str) -> None:
    with serving(application, SHORT) as (server, port), attack(port, "reader", large=path) as clients:
        assert Counter(answers(port, "/")) == {200: 20}
        wait_until(lambda: not server.active_channels)
        # The kernel keeps what was sent before; but it is not the whole answer.
        clients.all[0].settimeout(60)
        assert len(read_to_end(clients.all[0])) < LARGE
    if path == "/stream":
        assert application.left


@pytest.mark.parametrize("path", ["/stream", "/file"])
def test_who_reads_gets_the_whole_answer(served: int, path: str) -> None:
    with connect(served) as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        assert len(read_to_end(client)) >= LARGE


@pytest.mark.parametrize("path", ["/", "/file", "/stream"])
def test_an_answer_to_head_has_no_body(served: int, application: Application, path: str) -> None:
    with connect(served) as client:
        client.sendall(f"HEAD {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        head = client.recv(4096)
        assert head.startswith(b"HTTP/1.1 200 OK\r\n")
        assert head.endswith(b"\r\n\r\n")
        if path == "/stream":  # without a length, the server closes such a connection after GET too
            assert read_to_end(client) == b""
        else:
            assert b"Content-Length: " in head
            client.sendall(HEAD + b"\r\n")
            assert next_answer(client)
    assert not application.left  # the stream was never begun


def test_a_refusal_of_head_and_an_answer_without_a_body(served: int) -> None:
    with connect(served) as client:
        client.sendall(b"HEAD / HTTP/1.1\r\n\r\n")
        answer = read_to_end(client)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.endswith(b"\r\n\r\n")
    with connect(served) as client:
        client.sendall(b"GET /unchanged HTTP/1.1\r\nHost: a\r\n\r\n" * 2 + HEAD + b"\r\n")
        assert next_answer(client), "it keeps the connection"
    for line in (b"GET /unchanged HTTP/1.0", b"GET /unchanged HTTP/1.1\r\nConnection: close"):
        with connect(served) as client:
            client.sendall(line + b"\r\nHost: a\r\n\r\n")
            assert b"304 Not Modified" in (head := read_to_end(client))
        assert b"Connection: close" in head


def test_a_connection_is_idle_only_when_its_answer_has_left(application: Application) -> None:
    with serving(application, ConnectionLimits(idle_seconds=1.5)) as (_, port), connect(port) as client:
        client.sendall(b"GET /file HTTP/1.1\r\nHost: a\r\n\r\n")
        left = LARGE
        while left > 0:
            left -= len(client.recv(2**20, socket.MSG_WAITALL if left > 2**20 else 0))
            time.sleep(0.04)
        time.sleep(0.5)
        client.sendall(HEAD + b"\r\n")
        assert next_answer(client)


def test_a_client_that_sends_no_more_gets_its_answer(served: int) -> None:
    with connect(served) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\n" + b"x" * 90_000)
        client.shutdown(socket.SHUT_WR)
        assert read_to_end(client).endswith(b"ok")
    with connect(served) as client:  # nor does HTTP/1.0 need a host
        client.sendall(b"GET / HTTP/1.0\r\n\r\n")
        assert read_to_end(client).endswith(b"ok")


@pytest.mark.parametrize(
    ("request_", "status", "kind", "word"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", 400, "bad-request", "Host is missing"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "bad-request", "Host is 'a, b'"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400, "bad-request", "once"),
        (b"\x16\x03\x01\x02\r\n\r\n", 400, "bad-request", ""),
        (b"GET / HTTP/9.9\r\nHost: a\r\n\r\n", 400, "bad-request", "'9.9'. Use HTTP/1.1"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n", 400, "bad-request", "'X-A' has a NUL"),
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
def test_an_unclear_head_is_told(served: int, request_: bytes, status: int, kind: str, word: str) -> None:
    code, problem = said(served, request_)
    assert (code, problem["type"]) == (status, f"/problems/#{kind}")
    assert word in problem["detail"]
    assert problem["remedy"]


@pytest.mark.parametrize("header", [b"Content-Length: 5000000", b"Transfer-Encoding: chunked"])
def test_a_body_to_be_refused_is_not_read(served: int, application: Application, header: bytes) -> None:
    """The application answers by the head; the client gets this answer although it goes on sending."""
    with connect(served) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: a\r\n" + header + b"\r\n\r\n")
        client.sendall(b"x" * 2_000_000)
        assert read_to_end(client).endswith(b"ok")
    assert application.bodies == [0]


def test_a_late_body_is_told(served: int) -> None:
    code, problem = said(served, b"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx")
    assert (code, problem["type"], problem["instance"]) == (408, "/problems/#body-timeout", "/x")


def test_a_request_for_which_no_thread_is_free_is_told_to_come_again(application: Application) -> None:
    with serving(application, ConnectionLimits(queue_seconds=1.0)) as (server, port):
        stuck = [connect(port) for _ in range(THREADS)]
        for one in stuck:
            one.sendall(b"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
        wait_until(lambda: len(server._working) == THREADS)
        code, problem = said(port, HEAD + b"\r\n")
        assert (code, problem["type"]) == (503, "/problems/#unavailable")
        application.wait.set()
        for one in stuck:
            assert next_answer(one)
            one.close()
        assert answers(port, "/", 1) == [200]


def test_a_request_in_work_is_answered_before_the_server_stops(application: Application) -> None:
    with serving(application, ConnectionLimits(stop_seconds=30)) as (server, port):
        client = connect(port)
        client.sendall(b"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
        idle = connect(port)
        wait_until(lambda: server._working and len(server.active_channels) == 2)
        server.stop()
        idle.settimeout(60)
        assert idle.recv(1) == b""
        assert refuses(port)
        application.wait.set()
        assert next_answer(client)
        client.close()


SOON = ConnectionLimits(queue_seconds=1.0, stop_seconds=0.1)


def asked(path: str, method: str = "GET") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def deaf(port: int) -> socket.socket:
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
    with serving(filling, SOON, threads=1) as (server, port), connect(port) as stuck:
        stuck.sendall(asked("/wait"))
        wait_until(lambda: server._working)
        assert answers(port, "/healthz", 1) == [200]
        code, problem = said(port, asked("/healthz", "POST"))
        assert (code, problem["type"]) == (503, "/problems/#unavailable")


def test_a_health_check_for_which_no_thread_is_free_is_told(filling: Filling) -> None:
    def slow(environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        return filling({**environ, "PATH_INFO": "/wait"}, start)

    with serving(slow, SOON) as (server, port), connect(port) as first, connect(port) as second:
        for one in (first, second):
            one.sendall(asked("/readyz"))
        wait_until(lambda: len(server._working) == 2)
        assert said(port, asked("/readyz"))[0] == 503
        filling.wait.set()
        assert all(next_answer(one) for one in (first, second))


REQUEST = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
GREEDY, SMALL, OTHER = "127.0.0.2", "127.0.0.3", "127.0.0.4"


class Held:
    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.asked: list[str] = []

    def __call__(self, environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        self.asked.append(environ["REMOTE_ADDR"])
        self.go_on.wait(60)
        start("200 OK", [("Content-Length", "2")])
        return [b"ok"]


def test_a_network_with_many_requests_keeps_another_waiting_for_one_of_them_only() -> None:
    application = Held()
    with serving(application, ConnectionLimits()) as (server, port), ExitStack() as opened:
        clients = []
        for source in [GREEDY] * 40 + [SMALL, OTHER, SMALL]:
            clients.append(opened.enter_context(connect(port, source)))
            clients[-1].sendall(REQUEST)
            while len(server.task_dispatcher.queue) + len(application.asked) < len(clients):
                time.sleep(0.001)
        application.go_on.set()
        assert all(read_to_end(client).endswith(b"ok") for client in clients)
    waited = application.asked[THREADS:]
    assert waited.count(GREEDY) == 40 - THREADS
    assert sorted(waited[:3]) == [GREEDY, SMALL, OTHER]
    assert waited.index(SMALL, waited.index(SMALL) + 1) <= 5
