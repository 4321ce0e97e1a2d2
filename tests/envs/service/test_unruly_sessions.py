"""What session code may not give, raise or leave behind: told as its fault, and the session is over."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
import unruly
from plain_client import start

from optarena.errors import DeviceUnavailable, InvalidInput, ServiceError, SessionCrashed
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.frames import PlainStep
from optarena.service.protocol.messages import RUN_PROGRAM, VERIFY
from optarena.service.protocol.status import RpcError, StatusCode, Translated
from optarena.service.session_process.compiler_gym_service import CompilerGymService
from tests.kit import every_service
from tests.kit.processes import is_running

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.service.client.connection import ManagedConnection

    Open = Callable[..., ManagedConnection]


APPLIED = r", expected a tuple \(bool, ActionSpace or None, bool\)$"


class Patient:
    def time_remaining(self) -> None:
        """For ever."""


@pytest.fixture
def service(tmp_path: Path) -> CompilerGymService:
    return CompilerGymService(tmp_path, unruly.Unruly)


def start_unruly(service: CompilerGymService, program: str = "fine", *observations: int) -> int:
    benchmark = pb.Benchmark(uri="benchmark://a/b", program=pb.File(contents=program.encode()))
    request = pb.StartSessionRequest(benchmark=benchmark, observation_space=observations)
    return service.StartSession(request, Patient()).session_id


@pytest.fixture
def connection(open_connection: Open) -> ManagedConnection:
    return open_connection("unruly:Unruly")


def act(connection: ManagedConnection, session: int, name: str) -> None:
    connection.step(pb.StepRequest(session_id=session, action=[unruly.deed(name)]))


def look(connection: ManagedConnection, program: str) -> list[Any]:
    benchmark = pb.Benchmark(uri="benchmark://a/b", program=pb.File(contents=program.encode()))
    session = start(connection, benchmark)
    whole = list(unruly.GIVEN).index("whole")
    return connection.look_ahead(
        pb.StepRequest(session_id=session, action=[unruly.deed("fine")], observation_space=[whole])
    )


def refusal(code: StatusCode, message: str, call: Callable[[], object]) -> None:
    with pytest.raises(RpcError, match=message) as caught:
        call()
    assert caught.value.code is code
    assert "Traceback" not in caught.value.message


def is_over(service: CompilerGymService, session: int) -> bool:
    try:
        service.Step(pb.StepRequest(session_id=session), Patient())
    except RpcError as error:
        return error.code is StatusCode.NOT_FOUND
    return False


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("nothing", "None"),
        ("two", r"\(False, None\)"),
        ("four", r"\(False, None, False, 1\)"),
        ("words", r"\('no', None, 'x'\)"),
        ("space", ""),
    ],
)
def test_apply_action_must_return_three_values_of_their_types(
    service: CompilerGymService, name: str, shown: str
) -> None:
    session = start_unruly(service)
    request = pb.StepRequest(session_id=session, action=[unruly.deed(name)])
    message = rf"^Unruly\.apply_action returned {shown}.*{APPLIED}"
    refusal(StatusCode.INTERNAL, message, lambda: service.Step(request, Patient()))
    assert is_over(service, session)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("kind", "expected int64_tensor, got string_value"),
        ("shape", r"expected shape \[2\], got \[1, 2\] with 2 values"),
        ("empty", "expected int64_tensor, got no value"),
        ("number", "5, expected an Event"),
    ],
)
def test_an_observation_must_be_of_the_kind_and_shape_of_its_space(
    service: CompilerGymService, name: str, message: str
) -> None:
    index = list(unruly.GIVEN).index(name)
    whole = rf"^Unruly\.get_observation\('{name}'\) returned .*{message}"
    refusal(StatusCode.INTERNAL, whole, lambda: start_unruly(service, "fine", index))
    session = start_unruly(service)
    request = pb.StepRequest(session_id=session, observation_space=[index])
    refusal(StatusCode.INTERNAL, whole, lambda: service.Step(request, Patient()))
    assert is_over(service, session)


def test_numbers_are_given_instead_of_a_message(service: CompilerGymService) -> None:
    names = list(unruly.GIVEN)
    step = PlainStep(start_unruly(service), [], [names.index("whole"), names.index("right")])
    _, observed = service.step_plainly(step, Patient())
    assert observed == [unruly.NUMBERS["whole"], unruly.GIVEN["right"]]


@pytest.mark.parametrize(("name", "shown"), [("short", "8 bytes"), ("words", "'two'")])
def test_numbers_must_be_as_many_as_the_space_has(service: CompilerGymService, name: str, shown: str) -> None:
    step = PlainStep(start_unruly(service), [], [list(unruly.GIVEN).index(name)])
    message = rf"^Unruly\.get_numbers\('{name}'\) returned .*{shown}.*, expected 16 bytes or None$"
    refusal(StatusCode.INTERNAL, message, lambda: service.step_plainly(step, Patient()))
    assert is_over(service, step.session_id)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("tries nothing", r"try_walks returned None, expected a mapping"),
        ("tries others", r"try_walks has an answer for 7, expected indices below 1"),
        ("tries names", r"try_walks has an answer for '0', expected indices below 1"),
        ("tries once", r"try_walks\(\)\[0\] is .*, expected a list of 1 steps"),
        ("tries twice", r"try_walks\(\)\[0\] is .*, expected a list of 1 steps"),
        ("tries alone", r"try_walks\(\)\[0\]\[0\] is .*, expected a tuple \(bool, list of 1 observations\)"),
        ("tries words", r"try_walks\(\)\[0\]\[0\] is .*, expected a tuple \(bool, list of 1 observations\)"),
        ("tries none", r"try_walks\(\)\[0\]\[0\] is .*, expected a tuple \(bool, list of 1 observations\)"),
        ("tries short", r"try_walks\(\)\[0\]\[0\] for 'whole' returned '8 bytes', expected 16 bytes"),
        ("tries events", r"try_walks\(\)\[0\]\[0\] for 'whole' returned .*, expected 16 bytes"),
    ],
)
def test_a_look_ahead_must_give_answers_to_its_actions(
    connection: ManagedConnection, program: str, message: str
) -> None:
    with pytest.raises(ServiceError, match=message):
        look(connection, program)


def test_right_answers_of_a_look_ahead_are_passed_on(connection: ManagedConnection) -> None:
    (answer,) = look(connection, "tries right")
    assert (answer.had_no_effect, answer.values) == (True, [unruly.NUMBERS["whole"]])


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("number", r"handle_session_parameter\('number'\) returned 5, expected a str or None"),
        (VERIFY, "verify returned None, expected a str"),
        (RUN_PROGRAM, r"run_program returned \('text', 0\), expected a tuple \(bytes, int\)"),
    ],
)
def test_replies_to_parameters_must_be_text(service: CompilerGymService, key: str, message: str) -> None:
    session = start_unruly(service)
    request = pb.SendSessionParameterRequest(session_id=session)
    request.parameter.add(key=key, value='{"arguments": []}')
    refusal(
        StatusCode.INTERNAL, rf"^Unruly\.{message}$", lambda: service.SendSessionParameter(request, Patient())
    )
    assert is_over(service, session)


def test_half_a_character_in_a_reply_is_written_out(service: CompilerGymService) -> None:
    request = pb.SendSessionParameterRequest(session_id=start_unruly(service))
    request.parameter.add(key="half", value="!")
    assert list(service.SendSessionParameter(request, Patient()).reply) == ["\\udcff!"]


def test_a_session_must_have_an_action_space(service: CompilerGymService) -> None:
    message = r"^Unruly\.action_space is None, expected an ActionSpace$"
    refusal(StatusCode.INTERNAL, message, lambda: start_unruly(service, "no space"))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("it is broken", "benchmark://a/b: it is broken"),
        ("benchmark://a/b, line 3: broken", "benchmark://a/b, line 3: broken"),
        ("benchmark://a/b2 is another", "benchmark://a/b: benchmark://a/b2 is another"),
    ],
)
def test_an_error_about_a_program_names_it_once(service: CompilerGymService, said: str, told: str) -> None:
    refusal(StatusCode.INVALID_ARGUMENT, f"^{told}$", lambda: start_unruly(service, f"error {said}"))


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


def test_an_interrupt_of_the_main_thread_is_the_users_and_a_session_names_no_other() -> None:
    with pytest.raises(KeyboardInterrupt):
        translate("keyboard")
    with pytest.raises(RpcError) as caught:
        translate("another-session")
    assert caught.value.code is StatusCode.NOT_FOUND
    assert caught.value.message == "FileNotFoundError: Session not found: 7"


@pytest.mark.parametrize(("name", "message"), RAISED)
def test_a_process_tells_what_its_session_raised_and_is_over(
    connection: ManagedConnection, session: int, name: str, message: str
) -> None:
    with pytest.raises(ServiceError) as caught:
        act(connection, session, name)
    assert str(caught.value) == message
    assert connection.closed


@pytest.mark.parametrize("reached", ["managed", "in_process", pytest.param("script", marks=pytest.mark.soak)])
def test_what_this_machine_lacks_is_named_over_every_carrier(reached: str) -> None:
    service = getattr(every_service, reached.title() if reached == "managed" else reached)("unruly:Unruly")
    try:
        program = pb.Benchmark(uri="benchmark://b-v0/x", program=pb.File(contents=b"no-device"))
        with pytest.raises(DeviceUnavailable, match="no driver"):
            service.connect().start_session(pb.StartSessionRequest(benchmark=program))
    finally:
        service.close()


def test_half_a_character_in_an_error_does_not_end_the_session(
    connection: ManagedConnection, session: int
) -> None:
    with pytest.raises(InvalidInput, match=r"bad \\udcff value"):
        act(connection, session, "half")
    act(connection, session, "fine")


def start_daemon(connection: ManagedConnection, session: int) -> int:
    request = pb.StepRequest(
        session_id=session,
        action=[unruly.deed("daemon")],
        observation_space=[list(unruly.GIVEN).index("daemon")],
    )
    return int(connection.step(request).observation[0].int64_tensor.value[0])


@pytest.mark.parametrize("way", ["closed", "killed"])
def test_a_process_that_left_its_group_ends_with_its_session_and_no_other(
    open_connection: Open, benchmark: pb.Benchmark, ends: Callable[[int], bool], way: str
) -> None:
    one, other = open_connection("unruly:Unruly"), open_connection("unruly:Unruly")
    pids = [start_daemon(each, start(each, benchmark)) for each in (one, other)]
    if way == "closed":
        one.close()
    else:
        os.kill(one.worker.pid, signal.SIGKILL)
    assert ends(pids[0])
    assert is_running(pids[1])


def test_a_copys_processes_are_its_own(
    connection: ManagedConnection, session: int, ends: Callable[[int], bool]
) -> None:
    copy, copied = connection.fork(session)
    with copy:
        pid = start_daemon(copy, copied)
        connection.close()
        act(copy, copied, "fine")
        assert is_running(pid)
    assert ends(pid)


def test_everything_ends_with_the_zygote(
    connection: ManagedConnection, session: int, ends: Callable[[int], bool]
) -> None:
    pid = start_daemon(connection, session)
    connection.worker.zygote.close()
    assert ends(pid)


def test_a_talkative_session_lives_on(connection: ManagedConnection, session: int) -> None:
    for _ in range(3):  # 90 MB, which is more than any file may have
        act(connection, session, "spill")
    assert connection.worker.stderr_tail().endswith("e\nthe last words\n")


def test_a_client_is_told_the_last_words_and_the_log_has_the_traceback(
    connection: ManagedConnection, session: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "optarena"), pytest.raises(SessionCrashed) as caught:
        act(connection, session, "collapse")
    told = "The session's process ended by exit code 4: the compiler is sad | KeyError: 'hidden'"
    assert str(caught.value) == told
    assert "    | Traceback (most recent call last):" in caplog.text
    assert "unruly.py" in caplog.text
