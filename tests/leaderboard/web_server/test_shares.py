"""What is full is shared by networks: nobody who holds much of it locks out those who hold little."""

from __future__ import annotations

import select
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from psycopg_pool import ConnectionPool, PoolTimeout

from leaderboard.web_server.server import THREADS, ConnectionLimits, WebServer, configured_limits
from tests.kit.processes import wait_until
from tests.kit.slow_clients import HEAD, answers, connect, next_answer, read_to_end
from tests.kit.small_server import Application, serving

if TYPE_CHECKING:
    import psycopg

    Pool = ConnectionPool[psycopg.Connection[tuple[Any, ...]]]


ATTACKERS = [f"127.0.0.{number}" for number in range(2, 6)]
PROXY_OR_NOT = pytest.mark.parametrize(
    "per_network",
    [pytest.param(64, id="direct", marks=pytest.mark.soak), pytest.param(None, id="behind a proxy")],
)


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def post(length: int, path: str = "/") -> bytes:
    return f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n".encode()


def begin(opened: ExitStack, port: int, source: str, data: bytes) -> socket.socket:
    client = opened.enter_context(connect(port, source))
    with suppress(OSError):  # it may have been refused meanwhile
        client.sendall(data)
    return client


def uploaded(port: int, size: int, source: str = "127.0.1.1") -> bool:
    with connect(port, source) as client:
        client.sendall(post(size))
        time.sleep(0.1)
        client.sendall(b"x" * size)
        return next_answer(client)


def waiting(server: WebServer) -> Counter[str]:
    """The requests that have no thread yet, by network."""
    with server.task_dispatcher.lock:
        return Counter(one.network for one in server.task_dispatcher.queue)


def reads_slowly(opened: ExitStack, port: int, source: str) -> socket.socket:
    client = opened.enter_context(socket.socket())
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.bind((source, 0))
    client.connect(("127.0.0.1", port))
    client.sendall(b"GET /file HTTP/1.1\r\nHost: a\r\n\r\n")
    return client


def still_open(clients: list[socket.socket]) -> list[bool]:
    states = []
    for one in clients:
        one.setblocking(False)
        try:
            states.append(bool(one.recv(1)))
        except BlockingIOError:
            states.append(True)
        except ConnectionResetError:
            states.append(False)
    return states


def test_a_body_that_is_only_announced_holds_nothing(application: Application, opened: ExitStack) -> None:
    with serving(application, ConnectionLimits()) as (_, port):
        for source in ATTACKERS:
            for _ in range(7):  # 8 bytes less than the memory of all bodies
                begin(opened, port, source, post(4_793_490))
        time.sleep(0.5)
        assert uploaded(port, 30)
        assert uploaded(port, 1_000_000)


@PROXY_OR_NOT
def test_the_latest_large_bodies_give_way(
    application: Application, opened: ExitStack, per_network: int | None
) -> None:
    """Each attacker sends all but the last byte, waits, and comes again when it was refused."""
    limits = ConnectionLimits(body_bytes=1_000_000, buffered_bytes=4_000_000, per_network=per_network)
    with serving(application, limits) as (_, port):
        for source in ATTACKERS * 3:
            begin(opened, port, source, post(500_000) + b"x" * 499_999)
        time.sleep(2.5)  # the server notices once a second who is late
        for size in (30, 60_000, 900_000):
            assert uploaded(port, size)


@pytest.mark.soak
def test_bodies_that_do_not_move_give_way(application: Application, opened: ExitStack) -> None:
    """Although each network holds less than the one that uploads."""
    limits = ConnectionLimits(body_bytes=1_000_000, buffered_bytes=4_000_000)
    with serving(application, limits) as (_, port):
        for number in range(30):
            begin(opened, port, f"127.0.2.{number + 1}", post(200_000) + b"x" * 125_000)
        time.sleep(8)
        assert uploaded(port, 900_000)


def test_bodies_that_wait_for_a_thread_count(application: Application, opened: ExitStack) -> None:
    limits = ConnectionLimits(body_bytes=200_001, buffered_bytes=1_000_000)
    with serving(application, limits) as (server, port):
        for _ in range(THREADS):
            begin(opened, port, "127.0.0.1", b"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
        wait_until(lambda: len(server._working) == THREADS)
        clients = [begin(opened, port, "127.0.0.2", post(200_000) + b"x" * 200_000) for _ in range(40)]

        def settled() -> int:
            return waiting(server).total() + len(select.select(clients, [], [], 0)[0])

        wait_until(lambda: settled() == 40)
        small = begin(opened, port, "127.0.0.2", post(30) + b"x" * 30)
        other = begin(opened, port, "127.0.0.3", post(200_000) + b"x" * 200_000)
        wait_until(lambda: settled() == 42)
        application.wait.set()
        assert next_answer(other)
        assert next_answer(small)
        statuses = Counter(one.recv(65536).split()[1] for one in clients)
    held = [size for size in application.bodies if size]
    assert sum(held) <= limits.buffered_bytes + 30
    assert statuses == {b"200": held.count(200_000) - 1, b"503": 41 - held.count(200_000)}


def test_single_bytes_are_received_as_well(application: Application) -> None:
    """A body that trickles, of several pieces, and two requests behind it."""
    limits = ConnectionLimits(body_bytes=1000, buffered_bytes=2000, small_bytes=10)
    with serving(application, limits) as (_, port), connect(port) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in post(100) + b"x" * 100 + post(50) + b"y" * 50 + HEAD:
            client.sendall(bytes([byte]))
        client.sendall(b"Connection: close\r\n\r\n")
        assert read_to_end(client).count(b"200 OK") == 3
    assert application.bodies == [100, 50, 0]


def test_pipelined_requests_are_bounded(application: Application) -> None:
    """Thousands of short requests in one packet would take megabytes."""
    with serving(application, ConnectionLimits()) as (server, port), connect(port) as client:
        client.sendall(b"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n" + (HEAD + b"\r\n") * 3000)
        wait_until(lambda: any(len(one.requests) == 16 for one in list(server.active_channels.values())))
        application.wait.set()
        text = read_to_end(client)
    assert text.count(b"200 OK") == 15
    assert text.count(b"400 Bad Request") == 1
    assert b"More than 16 requests" in text


@pytest.mark.parametrize(("connections", "per_network"), [(8, 8), (40, None)])
def test_the_oldest_silent_connection_of_an_address_gives_way(
    application: Application, opened: ExitStack, connections: int, per_network: int | None
) -> None:
    limits = ConnectionLimits(
        connections=connections if per_network is None else 128, per_network=per_network
    )
    with serving(application, limits) as (_, port):
        silent = [opened.enter_context(connect(port)) for _ in range(connections)]
        assert answers(port, "/", 3) == [200, 200, 200]
        silent[0].settimeout(60)
        assert silent[0].recv(1) == b""
        silent[-1].sendall(HEAD + b"\r\n")
        assert next_answer(silent[-1])


@PROXY_OR_NOT
def test_who_does_not_read_gives_way(
    application: Application, opened: ExitStack, per_network: int | None
) -> None:
    with serving(
        application, ConnectionLimits(stop_seconds=0.1, connections=32, per_network=per_network)
    ) as (_, port):
        for source in ATTACKERS:
            for _ in range(8):
                reads_slowly(opened, port, source)
        time.sleep(2.5 if per_network is None else 0.5)
        for number in range(10):
            assert uploaded(port, 30, f"127.0.1.{number + 1}")


def test_who_reads_nothing_gives_way_although_no_network_has_more_than_another(
    application: Application, opened: ExitStack
) -> None:
    with serving(application, ConnectionLimits(stop_seconds=0.1, connections=32)) as (_, port):
        for number in range(32):
            reads_slowly(opened, port, f"127.0.2.{number + 1}")
        time.sleep(2.5)
        clients = [opened.enter_context(connect(port, f"127.0.1.{number + 1}")) for number in range(10)]
        for one in clients:
            one.sendall(HEAD + b"\r\n")
            assert next_answer(one)


def test_who_reads_fast_is_not_closed_for_others(application: Application, opened: ExitStack) -> None:
    with serving(application, ConnectionLimits(per_network=6)) as (_, port):
        reader = opened.enter_context(connect(port))
        reader.sendall(b"GET /file HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        with ThreadPoolExecutor(1) as pool:
            received = pool.submit(read_to_end, reader)
            for _ in range(20):
                assert answers(port, "/", 1) == [200]
                opened.enter_context(connect(port))
        assert len(received.result()) >= application.file.stat().st_size


def test_a_queued_request_of_the_greediest_gives_way(application: Application, opened: ExitStack) -> None:
    limits = ConnectionLimits(connections=THREADS + 12, body_bytes=200_001)
    with serving(application, limits) as (server, port):
        for _ in range(THREADS):
            begin(opened, port, "127.0.0.1", b"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
        wait_until(lambda: len(server._working) == THREADS)
        for _ in range(12):
            begin(opened, port, "127.0.0.2", post(200_000) + b"x" * 200_000)
        wait_until(lambda: waiting(server) == {"127.0.0.2": 12})
        fresh = [begin(opened, port, f"127.0.1.{number}", HEAD + b"\r\n") for number in range(1, 9)]
        each = {f"127.0.1.{number}": 1 for number in range(1, 9)}
        wait_until(lambda: waiting(server) == {"127.0.0.2": 4, **each})
        application.wait.set()
        assert all(next_answer(one) for one in fresh)
    assert application.bodies.count(200_000) == 4


def test_an_ipv4_address_in_ipv6_is_a_network_of_its_own(application: Application, opened: ExitStack) -> None:
    listener = socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True)
    with serving(application, ConnectionLimits(per_network=2), listener) as (_, port):
        clients = [opened.enter_context(connect(port, source)) for source in ("127.0.0.2", "127.0.0.3") * 2]
        assert answers(port, "/", 1) == [200]
        assert still_open(clients) == [True] * 4
        clients.append(opened.enter_context(connect(port, "127.0.0.2")))
        assert answers(port, "/", 1) == [200]
        assert still_open(clients) == [False, True, True, True, True]


@pytest.fixture(params=[8, pytest.param(12, marks=pytest.mark.soak)])
def pool(request: pytest.FixtureRequest, transactional_db: None) -> Iterator[Pool]:
    parameters = connection.get_connection_params()
    with ConnectionPool(kwargs=parameters, min_size=1, max_size=request.param, timeout=1) as pool:
        yield pool


def rows_of(pool: Pool) -> Callable[..., Iterator[bytes]]:
    def application(environ: dict[str, Any], start: Callable[..., object]) -> Iterator[bytes]:
        rows = 1_000 if environ["PATH_INFO"] == "/stream" else 1
        try:
            with pool.connection() as used, used.cursor("rows") as cursor:
                cursor.execute("SELECT repeat('x', 50000) FROM generate_series(1, %s)", [rows])
                start("200 OK", [])
                for (text,) in cursor:
                    yield text.encode()
        except PoolTimeout:
            start("503 Service Unavailable", [])

    return application


def test_unread_streams_leave_connections_for_others(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(connection.settings_dict["OPTIONS"], "pool", {"max_size": pool.max_size})
        limits = replace(configured_limits(), stop_seconds=0.1)
    with serving(rows_of(pool), limits) as (_, port), ExitStack() as opened:
        for number in range(16):
            client = opened.enter_context(connect(port, f"127.0.0.{number + 1}"))
            client.sendall(b"GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        # Before an answer that nobody reads is given up for that reason alone.
        wait_until(lambda: answers(port, "/", 10) == [200] * 10, limits.stall_seconds * 0.75)


def failing(rows: int) -> Callable[..., Iterator[bytes]]:
    def application(_: dict[str, Any], start: Callable[..., object]) -> Iterator[bytes]:
        start("200 OK", [])
        yield from [b"row"] * rows
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    return application


@pytest.mark.parametrize("rows", [0, 3])
def test_a_stream_that_loses_the_database_is_refused_or_broken_off(
    rows: int, transactional_db: None, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(failing(rows), ConnectionLimits()) as (_, port), connect(port) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        answer = read_to_end(client)
    if rows:
        assert answer.count(b"row") == rows
        assert not answer.endswith(b"0\r\n\r\n"), "the client sees that the end is missing"
        assert "an answer was broken off" in caplog.text
    else:
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b"Retry-After" in answer
    assert "Traceback" not in caplog.text
