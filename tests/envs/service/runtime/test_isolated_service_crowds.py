"""The service with a process for each session, when many call one session or sessions die unnoticed."""

from __future__ import annotations

import logging
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from fake_compiler import OBSERVATIONS, action

from optarena.errors import SessionNotFound, TooManySessions
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.status import RpcError, StatusCode, status_of
from optarena.service.runtime.serving import MAX_WAITING, IsolatedService

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FAKE = "fake_compiler:FakeSession"
THREE = pb.Benchmark(uri="benchmark://numbers-v0/three", program=pb.File(contents=bytes([5, 6, 7])))


class Patient:
    """A caller who waits for ever."""

    def time_remaining(self) -> None:
        """No limit."""


PATIENT = Patient()


@pytest.fixture
def serve() -> Iterator[Callable[..., IsolatedService]]:
    """Makes services, and closes them in the end."""
    made: list[IsolatedService] = []

    def make(**options: Any) -> IsolatedService:
        made.append(IsolatedService(FAKE, **options))
        return made[-1]

    yield make
    for service in made:
        service.close()


def start(service: IsolatedService) -> int:
    return service.StartSession(pb.StartSessionRequest(benchmark=THREE), PATIENT).session_id


def step(service: IsolatedService, session: int, *names: str, see: str = "length") -> int:
    request = pb.StepRequest(
        session_id=session,
        action=[action(name) for name in names],
        observation_space=[OBSERVATIONS.index(see)],
    )
    return service.Step(request, PATIENT).observation[0].int64_value


def end(service: IsolatedService, session: int) -> int:
    return service.EndSession(pb.EndSessionRequest(session_id=session), PATIENT).remaining_sessions


def kill(service: IsolatedService, *sessions: int) -> None:
    """Kill the processes of sessions, and wait until it can be known."""
    for session in sessions:
        os.kill(step(service, session, see="pid"), signal.SIGKILL)
    for session in sessions:
        connection, deadline = service._sessions[session].connection, time.monotonic() + 20
        while connection.is_alive() and time.monotonic() < deadline:
            time.sleep(0.01)


def test_only_a_few_calls_wait_for_one_session(serve: Callable[..., IsolatedService]) -> None:
    service = serve()
    session, other = start(service), start(service)
    with ThreadPoolExecutor(MAX_WAITING + 1) as pool:
        waiting = [pool.submit(step, service, session, "sleep") for _ in range(MAX_WAITING + 1)]
        while service._sessions[session].calls <= MAX_WAITING:
            time.sleep(0.01)
        with pytest.raises(
            TooManySessions, match=f"Session {session} is busy: {MAX_WAITING} calls"
        ) as caught:
            step(service, session)
        assert status_of(caught.value)[0] is StatusCode.RESOURCE_EXHAUSTED
        assert step(service, other, "append") == 4
        assert end(service, session) == 1
        for call in waiting:
            with pytest.raises((RpcError, SessionNotFound), match=f"Session not found: {session}"):
                call.result(20)
    assert step(service, other, "append") == 5


def test_a_session_can_be_called_again_when_the_crowd_has_gone(serve: Callable[..., IsolatedService]) -> None:
    service = serve()
    session = start(service)
    with ThreadPoolExecutor(MAX_WAITING) as pool:
        list(pool.map(lambda _: step(service, session, "append"), range(5 * MAX_WAITING)))
    assert service._sessions[session].calls == 0
    assert step(service, session) == 3 + 5 * MAX_WAITING


def test_dead_sessions_make_room_for_new_ones(serve: Callable[..., IsolatedService]) -> None:
    service = serve(max_sessions=2)
    first, second = start(service), start(service)
    kill(service, first)
    third = start(service)
    assert step(service, second) == step(service, third) == 3
    with pytest.raises(RpcError, match=f"Session not found: {first}"):
        step(service, first)
    with pytest.raises(TooManySessions):
        start(service)


def test_only_living_sessions_remain(serve: Callable[..., IsolatedService]) -> None:
    service = serve()
    sessions = [start(service) for _ in range(4)]
    kill(service, *sessions[:2])
    assert end(service, sessions[2]) == 1


def test_dead_sessions_are_forgotten_before_they_are_idle(
    serve: Callable[..., IsolatedService], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "optarena")
    service = serve(idle_seconds=4.0)
    session = start(service)
    os.kill(step(service, session, see="pid"), signal.SIGKILL)
    told = f"session {session}: its process has ended"
    deadline = time.monotonic() + 20
    while (service._sessions or told not in caplog.text) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert told in caplog.text
