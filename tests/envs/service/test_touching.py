"""Sessions that a client holds are touched, so that a service ends only those that nobody holds."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import TYPE_CHECKING

from plain_client import start, step

from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.runtime.grpc_server import GrpcServer
from optarena.service.runtime.isolated_service import IsolatedService

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
