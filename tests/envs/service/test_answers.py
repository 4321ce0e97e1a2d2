"""Tests of the answers to a look ahead, whole and malformed."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.errors import ServiceError, SessionCrashed, SessionTimeout
from optarena.isolation.limits import ProcessLimits
from optarena.isolation.sandbox import SandboxReport
from optarena.service.client.connection import BrokenAnswers, look_ahead
from optarena.service.processes.exit_status import ExitStatus
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.proto.envelope_pb2 import Envelope
from optarena.service.protocol.frames import PlainOutcome
from optarena.service.protocol.status import ENDED, TRIED, Malformed, TrialEnd, pack, unpack

WORKER: Any = SimpleNamespace(sandbox=SandboxReport())


def understood(payload: bytes, number: int) -> list[PlainOutcome | ServiceError]:
    request = pb.StepRequest(action=[pb.Event()] * number)
    return look_ahead(WORKER, ProcessLimits(), request, None, lambda *_: Envelope(payload=payload))


@given(st.lists(st.binary(max_size=40), max_size=5))
def test_what_is_packed_is_unpacked(answers: list[bytes]) -> None:
    assert unpack(pack(answers), len(answers)) == answers


@given(st.binary(max_size=60), st.integers(0, 5))
def test_any_bytes_are_answers_or_refused(data: bytes, number: int) -> None:
    with contextlib.suppress(Malformed):
        assert pack(unpack(data, number)) == data


@given(st.lists(st.binary(max_size=20), min_size=1, max_size=3), st.data())
def test_a_payload_that_is_cut_or_longer_is_refused(answers: list[bytes], data: Any) -> None:
    whole = pack(answers)
    cut = data.draw(st.integers(0, len(whole) - 1))
    for wrong in (whole[:cut], whole + b"\0"):
        with pytest.raises(Malformed):
            unpack(wrong, len(answers))
        with pytest.raises(BrokenAnswers):
            understood(wrong, len(answers))


@given(st.lists(st.binary(max_size=40), min_size=1, max_size=3))
def test_an_answer_that_cannot_be_read_is_an_error_of_its_action(answers: list[bytes]) -> None:
    for answer in understood(pack(answers), len(answers)):
        assert isinstance(answer, (PlainOutcome, ServiceError))


@given(
    st.one_of(st.none(), st.integers(0, 255)),
    st.one_of(st.none(), st.integers(1, 64)),
    st.integers(0, 5),
    st.text(max_size=30),
)
def test_the_end_of_a_process_is_told(code: int | None, signal: int | None, unit: int, output: str) -> None:
    ended = TrialEnd(ExitStatus(code, signal, 1.5), unit, output)
    assert TrialEnd.unpacked(Envelope.FromString(ended.packed())) == ended
    (error,) = understood(pack([ended.packed()]), 1)
    assert cast("ServiceError", error).unit == unit


@given(st.lists(st.text(min_size=1, max_size=9), min_size=1, max_size=9), st.integers(1, 4))
def test_what_was_not_answered_is_asked_again(texts: list[str], at_a_time: int) -> None:
    replies = [PlainOutcome.of(pb.StepReply(observation=[pb.Event(string_value=text)])) for text in texts]
    answers = [reply.packed(TRIED) for reply in replies]

    def call(method: str, request: pb.StepRequest, kind: type[Envelope], timeout: float | None) -> Envelope:
        first = request.action[0].int64_value
        return Envelope(payload=pack(answers[first : first + at_a_time]))

    request = pb.StepRequest(action=[pb.Event(int64_value=index) for index in range(len(texts))])
    assert look_ahead(WORKER, ProcessLimits(), request, None, call) == replies


def test_a_process_that_took_too_long_is_a_timeout() -> None:
    (error,) = understood(pack([TrialEnd(ExitStatus(None, 9), 1, "", 3.0).packed()]), 1)
    assert isinstance(error, SessionTimeout)
    assert str(error) == "no answer within 3 s"


@pytest.mark.parametrize(
    "said", ["", "{}", "[]", "null", '{"code": "1"}', "[" * 100_000, '{"code":1,"signal":1,"cpu_seconds":[]}']
)
def test_an_end_that_is_not_one_is_a_crash(said: str) -> None:
    (error,) = understood(pack([Envelope(method=ENDED, payload=said.encode()).SerializeToString()]), 1)
    assert isinstance(error, SessionCrashed)
