"""Streams from the database that nobody reads: each holds a connection, and requests need others."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from psycopg_pool import ConnectionPool, PoolTimeout

from leaderboard.web_server.server import ConnectionLimits, configured_limits
from tests.kit.slow_clients import answers, connect, read_to_end
from tests.kit.small_server import serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import psycopg

    Pool = ConnectionPool[psycopg.Connection[tuple[Any, ...]]]


@pytest.fixture(params=[8, pytest.param(13, marks=pytest.mark.soak)])
def pool(request: pytest.FixtureRequest, transactional_db: None) -> Iterator[Pool]:
    parameters = connection.get_connection_params()
    with ConnectionPool(kwargs=parameters, min_size=1, max_size=request.param, timeout=1) as pool:
        yield pool


def rows_of(pool: Pool) -> Callable[..., Iterator[bytes]]:
    """An application that streams rows, or asks for one."""

    def application(environ: dict[str, Any], start: Callable[..., object]) -> Iterator[bytes]:
        rows = 1_000_000 if environ["PATH_INFO"] == "/stream" else 1
        try:
            with pool.connection() as used, used.cursor("rows") as cursor:
                cursor.execute("SELECT repeat('x', 1000) FROM generate_series(1, %s)", [rows])
                start("200 OK", [])
                for (text,) in cursor:
                    yield text.encode()
        except PoolTimeout:
            start("503 Service Unavailable", [])

    return application


def test_streams_that_nobody_reads_leave_connections_for_the_others(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(connection.settings_dict["OPTIONS"], "pool", {"max_size": pool.max_size})
        limits = replace(configured_limits(), stop_seconds=0.1)
    with serving(rows_of(pool), limits) as (_, port), ExitStack() as opened:
        for number in range(16):
            client = opened.enter_context(connect(port, f"127.0.0.{number + 1}"))
            client.sendall(b"GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        time.sleep(2)
        assert answers(port, "/", 10) == [200] * 10


def failing(rows: int) -> Callable[..., Iterator[bytes]]:
    """An application whose database ends the connection after some rows."""

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
