"""A service in the caller's own process: the same answers, errors and ends as over any other transport."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from fake_compiler import FakeSession, action
from forking import in_forked_process
from plain_client import start, step

from optarena.errors import (
    ServiceClosed,
    ServiceError,
    SessionNotFound,
)
from optarena.service.client.in_process import InProcessConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.session_process.compiler_gym_service import CompilerGymService

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Event

GATE = threading.Event()
ENDED: list[str] = []


class Sessions(FakeSession):
    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        """As the fake compiler, but ``sleep`` waits for the test."""
        if action.int64_value == 9:
            GATE.wait(20)
            return False, None, True
        return super().apply_action(action)

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        if key == "broken":
            raise RuntimeError("a bug")
        return super().handle_session_parameter(key, value)

    def close(self) -> None:
        ENDED.append("ended")
        if self.parameter == "stubborn":
            raise RuntimeError("I will not end")


@pytest.fixture
def connection(tmp_path: Path) -> InProcessConnection:
    GATE.clear()
    ENDED.clear()
    return InProcessConnection(CompilerGymService(tmp_path, Sessions, service_version="1"))


@pytest.fixture
def session(connection: InProcessConnection, benchmark: pb.Benchmark) -> int:
    return start(connection, benchmark)


def test_a_bug_in_a_parameter_ends_the_session(connection: InProcessConnection, session: int) -> None:
    parameter = pb.SessionParameter(key="broken")
    with pytest.raises(ServiceError, match="RuntimeError: a bug"):
        connection.send_session_parameter(
            pb.SendSessionParameterRequest(session_id=session, parameter=[parameter])
        )
    with pytest.raises(SessionNotFound):
        step(connection, session)


def test_a_program_belongs_to_the_service_once_it_is_sent(
    connection: InProcessConnection, benchmark: pb.Benchmark
) -> None:
    request = pb.StartSessionRequest(benchmark=benchmark)
    connection.start_session(request)
    request.benchmark.program.contents = b"something longer"
    by_uri = pb.StartSessionRequest(benchmark=pb.Benchmark(uri=benchmark.uri))
    assert step(connection, connection.start_session(by_uri).session_id) == 3


def test_close_ends_every_session_and_may_come_twice(
    connection: InProcessConnection, session: int, benchmark: pb.Benchmark
) -> None:
    start(connection, benchmark)
    connection.close()
    connection.close()
    assert connection.closed
    assert ENDED == ["ended"] * 2
    with pytest.raises(ServiceClosed):
        step(connection, session)
    replies, error = connection.steps(pb.StepRequest(session_id=session, action=[action("append")]))
    assert (replies, type(error)) == ([], ServiceClosed)
    connection.end(session)


def test_a_session_that_does_not_end_well_is_no_error(connection: InProcessConnection, session: int) -> None:
    stubborn = pb.SessionParameter(key="fake.parameter", value="stubborn")
    connection.send_session_parameter(
        pb.SendSessionParameterRequest(session_id=session, parameter=[stubborn])
    )
    connection.end(session)
    assert ENDED == ["ended"]


def test_close_during_a_call_waits_with_the_end_of_the_session(
    connection: InProcessConnection, session: int
) -> None:
    raised: list[BaseException] = []

    def call() -> None:
        try:
            step(connection, session, "append", "sleep")
        except ServiceClosed as error:
            raised.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    connection.close()
    assert not ENDED or not thread.is_alive()
    GATE.set()
    thread.join()
    assert ENDED == ["ended"]
    assert "closed" in str(raised[0])


def test_a_forked_process_may_not_use_it(connection: InProcessConnection, session: int) -> None:
    assert in_forked_process(lambda: step(connection, session)).startswith("ServiceClosed: ")
    assert in_forked_process(lambda: connection.close() or "closed") == "closed"
    assert step(connection, session) == 3
