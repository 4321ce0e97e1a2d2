"""What session code raises, in a process of its own and in ours."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
import unruly

from optarena.errors import DeviceUnavailable, InvalidInput, ServiceError
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.status import RpcError, StatusCode, Translated
from tests.kit import every_service

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.service.client.connection import ManagedConnection

RAISED = [
    ("system-exit", "SystemExit: 3"),
    ("keyboard", "KeyboardInterrupt: kb"),
    ("generator-exit", "GeneratorExit"),
    ("custom", "Custom: own"),
    ("mute", "Mute: (no text: its __str__ raises RuntimeError)"),
    ("all-is-well", "RpcError: fine"),
]


def translate(name: str) -> None:
    with Translated():
        unruly.DEEDS[name]()


@pytest.mark.parametrize(("name", "message"), RAISED)
def test_whatever_session_code_raises_becomes_a_status(name: str, message: str) -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(RpcError) as caught:
        pool.submit(translate, name).result()
    assert (caught.value.code, caught.value.message) == (StatusCode.INTERNAL, message)


def test_an_interrupt_of_the_main_thread_is_the_users() -> None:
    with pytest.raises(KeyboardInterrupt):
        translate("keyboard")


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("half", StatusCode.INVALID_ARGUMENT, "bad \\udcff value"),
        ("another-session", StatusCode.NOT_FOUND, "FileNotFoundError: Session not found: 7"),
    ],
)
def test_texts_that_would_mislead_or_cannot_be_sent(name: str, code: StatusCode, message: str) -> None:
    with pytest.raises(RpcError) as caught:
        translate(name)
    assert (caught.value.code, caught.value.message) == (code, message)


@pytest.mark.parametrize(("name", "message"), RAISED)
def test_a_process_tells_what_its_session_raised_and_is_over(
    open_connection: Callable[..., ManagedConnection], benchmark: pb.Benchmark, name: str, message: str
) -> None:
    connection = open_connection("unruly:Unruly")
    session = connection.start_session(pb.StartSessionRequest(benchmark=benchmark)).session_id
    with pytest.raises(ServiceError) as caught:
        connection.step(pb.StepRequest(session_id=session, action=[unruly.deed(name)]))
    assert str(caught.value) == message
    assert connection.closed


@pytest.mark.parametrize("reached", ["managed", "in_process", "script"])
def test_what_this_machine_lacks_is_named_over_every_carrier(reached: str) -> None:
    service = getattr(every_service, reached.title() if reached == "managed" else reached)("unruly:Unruly")
    try:
        program = pb.Benchmark(uri="benchmark://b-v0/x", program=pb.File(contents=b"no-device"))
        with pytest.raises(DeviceUnavailable, match="no driver"):
            service.connect().start_session(pb.StartSessionRequest(benchmark=program))
    finally:
        service.close()


def test_half_a_character_in_an_error_does_not_end_the_session(
    open_connection: Callable[..., ManagedConnection], benchmark: pb.Benchmark
) -> None:
    connection = open_connection("unruly:Unruly")
    session = connection.start_session(pb.StartSessionRequest(benchmark=benchmark)).session_id
    with pytest.raises(InvalidInput, match=r"bad \\udcff value"):
        connection.step(pb.StepRequest(session_id=session, action=[unruly.deed("half")]))
    connection.step(pb.StepRequest(session_id=session, action=[unruly.deed("fine")]))
