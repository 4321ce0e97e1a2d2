"""Sessions that a client holds are touched, so that a service ends only those that nobody holds."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import TYPE_CHECKING

import pytest
from plain_client import start, step

from optarena.errors import ServiceClosed, SessionNotFound, TransportError
from optarena.service.client.grpc_connection import SessionToucher
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.runtime.grpc_server import GrpcServer
from optarena.service.runtime.serving import IsolatedService

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.service.client.grpc_connection import GrpcConnection


def test_a_session_that_is_held_outlives_one_that_is_not(
    dial: Callable[..., GrpcConnection], benchmark: pb.Benchmark
) -> None:
    with IsolatedService("fake_compiler:FakeSession", idle_seconds=1.0) as service:
        server = GrpcServer(service)
        endpoint = server.bind("127.0.0.1", 0)
        server.start()
        try:
            connection, careless = dial(endpoint, touch_seconds=0.2), dial(endpoint, touch_seconds=900)
            held, forgotten, ended = (
                start(connection, benchmark),
                start(careless, benchmark),
                start(connection, benchmark),
            )
            _, copied = connection.fork(held)
            connection.end(ended)
            deadline = time.monotonic() + 30
            while forgotten in service._sessions:
                assert time.monotonic() < deadline
                time.sleep(0.05)
            assert set(service._sessions) == {held, copied}
            assert step(connection, held, "append") == 4
            connection.close()
            while service._sessions:  # a client that is gone touches nothing
                assert time.monotonic() < deadline
                time.sleep(0.05)
        finally:
            server.stop(0)


def test_a_session_that_works_for_long_is_not_touched(
    dial: Callable[..., GrpcConnection], benchmark: pb.Benchmark
) -> None:
    with IsolatedService("fake_compiler:FakeSession") as service:
        server = GrpcServer(service)
        endpoint = server.bind("127.0.0.1", 0)
        server.start()
        try:
            connection = dial(endpoint, touch_seconds=1.0, rpc_call_max_seconds=0.5)
            held = start(connection, benchmark)
            request = pb.StepRequest(session_id=held, observation_space=[2])
            pid = connection.step(request).observation[0].int64_value
            os.kill(pid, signal.SIGSTOP)
            timer = threading.Timer(3, os.kill, (pid, signal.SIGCONT))
            timer.start()
            assert step(connection, held, "append", timeout=20) == 4
            timer.join()
            assert step(connection, held, "append", timeout=20) == 5
        finally:
            server.stop(0)


def test_a_session_outlives_an_outage_that_is_shorter_than_it_may_be_idle(
    dial: Callable[..., GrpcConnection], benchmark: pb.Benchmark
) -> None:
    idle = 4.0
    with IsolatedService("fake_compiler:FakeSession", idle_seconds=idle) as service:
        server = GrpcServer(service)
        endpoint = server.bind("127.0.0.1", 0)
        server.start()
        try:
            connection = dial(endpoint, touch_seconds=0.2, rpc_call_max_seconds=0.5)
            held = start(connection, benchmark)
            server.stop(0)
            time.sleep(0.5)  # a touch fails
            server = GrpcServer(service)
            server.bind("127.0.0.1", int(endpoint.rpartition(":")[2]))
            server.start()
            time.sleep(1.5 * idle)
            assert step(connection, held, "append", timeout=5) == 4
        finally:
            server.stop(0)


@pytest.mark.parametrize("gone", [SessionNotFound("It does not exist."), ServiceClosed("It was given up.")])
def test_touching_goes_on_after_any_error_until_the_session_is_gone(gone: Exception) -> None:
    errors = [TransportError("no answer"), KeyError("a mistake"), MemoryError(), gone]
    touched: list[int] = []

    def touch(session_id: int) -> None:
        toucher.called(session_id)  # as a connection does after each call
        touched.append(session_id)
        if errors:
            raise errors.pop(0)

    toucher = SessionToucher(touch, 0.4)
    toucher.called(1)
    deadline = time.monotonic() + 20
    while errors:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(1)
    toucher.close()
    assert touched == [1] * 4
