"""Tests of the child processes that try actions: their answers are whole, in order, and bounded."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from optarena.errors import ServiceError
from optarena.isolation.limits import ProcessLimits
from optarena.isolation.sandbox import SandboxReport
from optarena.service.client.connection import look_ahead
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.proto.envelope_pb2 import Envelope
from optarena.service.protocol.status import in_order, pack
from optarena.service.session_process import session_main
from optarena.service.session_process.session_main import LookAhead

if TYPE_CHECKING:
    import pytest

WORKER: Any = SimpleNamespace(sandbox=SandboxReport())
LONG = 8 << 20


def test_the_answers_come_in_the_order_of_the_actions() -> None:
    told = LookAhead(range(40), lambda index, _: str(index).encode(), 20).answers()
    assert in_order(told) == [str(index).encode() for index in range(40)]


def test_no_more_are_tried_than_fit_into_memory() -> None:
    answers = in_order(LookAhead(range(64), lambda index, _: bytes([index]) * LONG, 20).answers())
    assert 1 <= len(answers) < 64
    for index, answer in enumerate(answers):
        assert answer == bytes([index]) * LONG


def test_an_answer_that_is_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_main, "MAX_MESSAGE_BYTES", session_main._ENOUGH_BYTES + LONG)
    told = LookAhead(range(2), lambda index, _: bytes([index]) * (LONG if index else 1), 20).answers()
    assert told[0] == b"\0"
    request = pb.StepRequest(action=[pb.Event()])
    (error,) = look_ahead(
        WORKER, ProcessLimits(), request, None, lambda *_: Envelope(payload=pack([told[1]]))
    )
    assert isinstance(error, ServiceError)
    assert "longer than" in str(error)
