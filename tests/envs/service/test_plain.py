"""Plain frames and answers to a look ahead: whole, cut, changed, and sent to a real process."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from answering import UNIT
from fake_compiler import ACTIONS, OBSERVATIONS
from hypothesis import given
from hypothesis import strategies as st
from plain_client import start

from optarena.errors import InvalidInput, ServiceError, SessionCrashed, SessionTimeout
from optarena.isolation.limits import ProcessLimits
from optarena.isolation.sandbox import SandboxReport
from optarena.service.client.connection import ManagedConnection, look_ahead
from optarena.service.processes.exit_status import ExitStatus
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.proto.envelope_pb2 import Envelope
from optarena.service.protocol import frames
from optarena.service.protocol.frames import (
    MARK,
    VERSION,
    MalformedFrame,
    PlainCall,
    PlainOutcome,
    PlainStep,
    is_plain,
)
from optarena.service.protocol.status import (
    ENDED,
    TRIED,
    Malformed,
    StatusCode,
    TrialEnd,
    in_order,
    pack,
    unpack,
)
from optarena.service.session_process import session_main
from optarena.service.session_process.session_main import LookAhead

if TYPE_CHECKING:
    Open = Callable[..., ManagedConnection]


SECONDS = 20.0

numbers = st.lists(st.integers(-(1 << 63), (1 << 63) - 1), max_size=5)
steps = st.builds(
    PlainStep,
    st.integers(0, 1 << 40),
    numbers.map(tuple),
    st.lists(st.integers(0, 1 << 31), max_size=5).map(tuple),
)
values = st.one_of(st.binary(max_size=30), st.builds(lambda text: pb.Event(string_value=text), st.text()))
outcomes = st.builds(
    PlainOutcome,
    st.booleans(),
    st.booleans(),
    st.lists(values, max_size=4),
    st.one_of(st.none(), st.builds(lambda name: pb.ActionSpace(name=name), st.text())),
)


@given(steps, st.integers(0, 1 << 50), st.integers(0, 1 << 30), st.integers(0, 1 << 30))
def test_a_step_is_read_as_it_was_sent(step: PlainStep, call_id: int, deadline: int, cpu: int) -> None:
    frame = step.packed(call_id, deadline, cpu)
    assert is_plain(frame)
    assert PlainCall.unpacked(frame) == PlainCall(step, call_id, deadline, cpu)


@given(outcomes, st.integers(0, 1 << 50))
def test_a_reply_is_read_as_it_was_sent(outcome: PlainOutcome, call_id: int) -> None:
    frame = outcome.packed(call_id)
    assert is_plain(frame)
    assert PlainOutcome.unpacked(frame, call_id) == outcome


@given(steps, outcomes, st.data())
def test_frames_that_are_cut_or_longer_are_refused(step: PlainStep, outcome: PlainOutcome, data: Any) -> None:
    for whole, read in ((step.packed(1, 2, 3), PlainCall.unpacked), (outcome.packed(1), reply_to_the_first)):
        cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
        for wrong in (cut, whole + b"\0"):
            if (
                wrong == whole[: len(wrong)]
                and outcome.new_action_space is not None
                and read != PlainCall.unpacked
            ):
                continue  # an action space is the rest of its frame
            with pytest.raises(MalformedFrame):
                read(wrong)


@given(st.binary(max_size=80))
def test_any_bytes_are_a_plain_frame_or_refused(data: bytes) -> None:
    for frame in (MARK + data, MARK + bytes([VERSION]) + data):
        with contextlib.suppress(MalformedFrame):
            PlainCall.unpacked(frame)
        with contextlib.suppress(MalformedFrame):
            reply_to_the_first(frame)


@given(steps, outcomes)
def test_frames_of_another_version_or_call_are_refused(step: PlainStep, outcome: PlainOutcome) -> None:
    with pytest.raises(MalformedFrame, match="version 2"):
        PlainCall.unpacked(MARK + b"\2" + step.packed(1, 2, 3)[2:])
    with pytest.raises(MalformedFrame, match="version 2"):
        reply_to_the_first(MARK + b"\2" + outcome.packed(1)[2:])
    with pytest.raises(MalformedFrame, match="to call 2"):
        reply_to_the_first(outcome.packed(2))


def reply_to_the_first(frame: bytes) -> PlainOutcome:
    return PlainOutcome.unpacked(frame, 1)


def numbered(*names: str) -> list[int]:
    return [ACTIONS.index(name) for name in names]


def ask(connection: ManagedConnection, frame: bytes) -> bytes:
    frames.send(connection.worker.channel, frame)
    reply = frames.receive(connection.worker.channel, time.monotonic() + SECONDS)
    assert reply is not None
    return reply


@pytest.mark.parametrize("sandbox", [False, True])
def test_a_plain_step_gives_what_a_message_gives(
    open_connection: Open, benchmark: pb.Benchmark, *, sandbox: bool
) -> None:
    taken = []
    for plainly in (True, False):
        connection = open_connection(sandbox=sandbox)
        session = start(connection, benchmark)
        for names in (["append"], ["nothing"], [], ["append", "nothing"], ["finish", "append"]):
            observed = [OBSERVATIONS.index("length"), OBSERVATIONS.index("history")]
            step = PlainStep(session, numbered(*names), observed)
            taken.append(
                connection.step_plainly(step) if plainly else PlainOutcome.of(connection.step(step.message()))
            )
    assert taken[:5] == taken[5:]
    assert [outcome.had_no_effect for outcome in taken[:5]] == [False, True, True, False, False]
    assert taken[4].end_of_session


def test_a_new_action_space_comes_with_a_plain_reply(connection: ManagedConnection, session: int) -> None:
    outcome = connection.step_plainly(
        PlainStep(session, numbered("new-space"), [OBSERVATIONS.index("length")])
    )
    assert outcome.new_action_space is not None
    assert outcome.new_action_space.name == "harmless"
    with pytest.raises(InvalidInput, match="out of range, expected 0 to 2"):
        connection.step_plainly(PlainStep(session, numbered("crash"), []))


def test_a_copy_by_replay_repeats_plain_steps(open_connection: Open, benchmark: pb.Benchmark) -> None:
    connection = open_connection(sandbox=True)
    session = start(connection, benchmark)
    connection.step_plainly(PlainStep(session, numbered("append", "append"), []))
    copy, copied = connection.fork(session)
    with copy:
        seen = copy.step_plainly(PlainStep(copied, [], [OBSERVATIONS.index("length")]))
        assert seen == connection.step_plainly(PlainStep(session, [], [OBSERVATIONS.index("length")]))


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (PlainStep(1, [len(ACTIONS)], []), "out of range"),
        (PlainStep(1, [0, -1], []), r"action\[1\]: -1 is out of range"),
        (PlainStep(1, [0], [99]), "No such observation space: 99"),
        (PlainStep(1, [1 << 63], []), "A number is too large"),
    ],
)
def test_what_does_not_exist_is_refused_before_anything_changes(
    connection: ManagedConnection, session: int, step: PlainStep, message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        connection.step_plainly(step)
    seen = connection.step_plainly(PlainStep(session, [], [OBSERVATIONS.index("length")]))
    assert seen.values == [pb.Event(int64_value=3)]


def test_malformed_frames_get_an_error_and_the_session_lives(
    connection: ManagedConnection, session: int
) -> None:
    whole = PlainStep(session, numbered("append"), [1]).packed(9, 1000, 1000)
    wrong = [whole[:cut] for cut in range(1, len(whole), 7)]
    wrong += [whole + b"\0", MARK + b"\2" + whole[2:], b"\xff" * 40, MARK * 200, b"\x0a"]
    for frame in wrong:
        refused = Envelope.FromString(ask(connection, frame))
        assert refused.status == StatusCode.INVALID_ARGUMENT, frame
        assert refused.message
    reply = PlainOutcome.unpacked(ask(connection, whole), 9)
    assert reply.values == [pb.Event(int64_value=4)]


def test_a_session_may_answer_steps_by_itself_and_all_else_goes_the_usual_way(
    open_connection: Open, benchmark: pb.Benchmark
) -> None:
    connection = open_connection("answering:AnsweringSession", cpu_seconds_per_call=12.5)
    session = start(connection, benchmark)
    length, append = [OBSERVATIONS.index("length")], numbered("append")
    for _ in range(3):
        (told,) = connection.step_plainly(PlainStep(session, append, length)).values
        assert isinstance(told, pb.Event)
        assert json.loads(told.string_value) == [session, 12.5, 12_500]
        assert connection._progress() == UNIT
        (told,) = connection.step_plainly(PlainStep(session, append * 2, length)).values
        assert told != pb.Event()
        assert connection._progress() == len(append * 2 + length)
        request = pb.StepRequest(session_id=session, observation_space=length)
        assert [told] == list(connection.step(request).observation)
    assert told == pb.Event(int64_value=3 + 2 * 3)


@pytest.mark.parametrize("part", [b"\1", b"\xff\xff\xff\xff", b"\x30\0\0\0\0\1"])
def test_a_frame_that_is_too_long_or_never_ends_ends_the_process_alone(
    open_connection: Open, benchmark: pb.Benchmark, part: bytes
) -> None:
    broken, other = open_connection(), open_connection()
    session = start(other, benchmark)
    broken.worker.channel.sendall(part)
    broken.worker.hang_up()
    assert broken.worker.wait(SECONDS) is not None
    assert other.step_plainly(PlainStep(session, numbered("append"), [])).had_no_effect is False


WORKER: Any = SimpleNamespace(sandbox=SandboxReport())


def understood(payload: bytes, number: int) -> list[PlainOutcome | ServiceError]:
    request = pb.StepRequest(action=[pb.Event()] * number)
    return look_ahead(WORKER, ProcessLimits(), request, None, lambda *_: Envelope(payload=payload))


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
        with pytest.raises(Malformed):
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


LONG = 8 << 20


def test_the_answers_come_in_the_order_of_the_actions() -> None:
    told = LookAhead(range(5), lambda index, _: str(index).encode(), 20).answers()
    assert in_order(told) == [str(index).encode() for index in range(5)]


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
