"""Modules of compilers, findable by this process and, through its ``sys.path``, by sessions."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from plain_client import options, start

from optarena.isolation.limits import ProcessLimits
from optarena.service.client.connection import ManagedConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol import frames
from tests.kit import processes
from tests.kit.processes import is_running

if TYPE_CHECKING:
    from plain_server import PlainServer

    from optarena.service.client.grpc_connection import GrpcConnection

SESSION_TYPE = "fake_compiler:FakeSession"


@pytest.fixture
def benchmark() -> pb.Benchmark:
    return pb.Benchmark(uri="benchmark://numbers-v0/three", program=pb.File(contents=bytes([5, 6, 7])))


@pytest.fixture
def open_connection() -> Iterator[Callable[..., ManagedConnection]]:
    opened: list[ManagedConnection] = []

    def open_one(
        session_type: str = SESSION_TYPE, *, sandbox: bool = False, **limits: Any
    ) -> ManagedConnection:
        connection = ManagedConnection.open(
            session_type, limits=ProcessLimits(**limits) if limits else None, sandbox=sandbox
        )
        opened.append(connection)
        return connection

    yield open_one
    for connection in opened:
        connection.close()


@pytest.fixture
def connection(open_connection: Callable[..., ManagedConnection]) -> ManagedConnection:
    return open_connection()


@pytest.fixture
def session(connection: ManagedConnection, benchmark: pb.Benchmark) -> int:
    return start(connection, benchmark)


@pytest.fixture
def serve() -> Iterator[Callable[..., PlainServer]]:
    """Starts plain gRPC servers of the fake compiler and stops them in the end."""
    from plain_server import PlainServer, fake_service  # noqa: PLC0415 - brings grpc

    started: list[PlainServer] = []

    def start_one(address: str = "127.0.0.1:0", **more: Any) -> PlainServer:
        started.append(PlainServer(fake_service(), address, **more))
        return started[-1]

    yield start_one
    for server in started:
        server.stop()


@pytest.fixture
def dial() -> Iterator[Callable[..., GrpcConnection]]:
    from optarena.service.client.grpc_connection import GrpcConnection  # noqa: PLC0415 - as above

    opened: list[GrpcConnection] = []

    def open_one(endpoint: str, **more: Any) -> GrpcConnection:
        opened.append(GrpcConnection.open(endpoint, options(**more)))
        return opened[-1]

    yield open_one
    for connection in opened:
        connection.close()


@pytest.fixture
def start_program() -> Iterator[Callable[..., tuple[subprocess.Popen[str], list[str]]]]:
    """Starts programs, which are killed in the end; answers each and the words of its first line."""
    started: list[subprocess.Popen[str]] = []

    def start_one(code: str, *prefix: str) -> tuple[subprocess.Popen[str], list[str]]:
        process = subprocess.Popen([*prefix, sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout is not None
        return process, process.stdout.readline().split()

    yield start_one
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()  # what it has forked may still have the other end


@pytest.fixture
def ends() -> Callable[[int], bool]:
    def ends_soon(pid: int) -> bool:
        deadline = time.monotonic() + 8  # some processes of tests end after 10 s or more by themselves
        while is_running(pid) and time.monotonic() < deadline:
            time.sleep(0.01)
        return not is_running(pid)

    return ends_soon


@pytest.fixture
def children() -> Callable[[int], list[int]]:
    return lambda pid: sorted(processes.children(pid))


@pytest.fixture
def descriptors() -> Callable[[], int]:
    """Counts this process's open descriptors; what earlier tests have left is closed before."""
    gc.collect()
    frames.loads_file()  # is opened when this process first waits for an answer, and stays open
    return lambda: len(list(Path("/proc/self/fd").iterdir()))
