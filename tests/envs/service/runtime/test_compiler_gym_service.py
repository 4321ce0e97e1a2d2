"""The service in process: its status codes, its all-or-nothing steps, its parallel sessions."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from fake_compiler import ACTIONS, OBSERVATIONS, FakeSession, action

from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.status import RpcError, StatusCode
from optarena.service.session_process.compiler_gym_service import CompilerGymService

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

INVALID, MISSING = StatusCode.INVALID_ARGUMENT, StatusCode.NOT_FOUND
URI = "benchmark://numbers-v0/three"


class Context:
    """A caller with this much patience."""

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = seconds

    def time_remaining(self) -> float | None:
        """Always the same."""
        return self.seconds


PATIENT = Context()


@pytest.fixture
def service(tmp_path: Path) -> CompilerGymService:
    """A service that knows one benchmark."""
    service = CompilerGymService(tmp_path, FakeSession)
    known = pb.Benchmark(uri=URI, program=pb.File(contents=bytes([5, 6, 7])))
    service.AddBenchmark(pb.AddBenchmarkRequest(benchmark=[known]), PATIENT)
    return service


def start(service: CompilerGymService, **request: Any) -> int:
    request = {"benchmark": pb.Benchmark(uri=URI), **request}
    return service.StartSession(pb.StartSessionRequest(**request), PATIENT).session_id


def step(service: CompilerGymService, session: int, *names: str, observe: str = "length") -> pb.StepReply:
    request = pb.StepRequest(
        session_id=session,
        action=[action(name) for name in names],
        observation_space=[OBSERVATIONS.index(observe)],
    )
    return service.Step(request, PATIENT)


def length(service: CompilerGymService, session: int) -> int:
    return step(service, session).observation[0].int64_value


def add(service: CompilerGymService, **program: Any) -> None:
    benchmark = pb.Benchmark(uri="benchmark://numbers-v0/new", program=pb.File(**program))
    service.AddBenchmark(pb.AddBenchmarkRequest(benchmark=[benchmark]), PATIENT)


def refusal(code: StatusCode, message: str, call: Callable[[], object]) -> None:
    with pytest.raises(RpcError, match=message) as caught:
        call()
    assert caught.value.code is code


def test_start_without_uri_is_invalid(service: CompilerGymService) -> None:
    refusal(INVALID, "No benchmark URI", lambda: start(service, benchmark=pb.Benchmark()))


def test_start_with_an_unknown_uri_is_not_found(service: CompilerGymService) -> None:
    unknown = pb.Benchmark(uri="benchmark://numbers-v0/nine")
    refusal(MISSING, "Benchmark not found: .*/nine", lambda: start(service, benchmark=unknown))


def test_a_program_that_does_not_parse_is_invalid_and_named(service: CompilerGymService) -> None:
    bad = pb.Benchmark(uri="benchmark://numbers-v0/bad", program=pb.File(contents=b"does not parse"))
    refusal(INVALID, "numbers-v0/bad: not a list of numbers", lambda: start(service, benchmark=bad))


@pytest.mark.parametrize("program", [{}, {"contents": b""}])
def test_an_empty_program_is_invalid(service: CompilerGymService, program: dict[str, bytes]) -> None:
    refusal(INVALID, "No program set", lambda: add(service, **program))


def test_an_empty_file_is_invalid(service: CompilerGymService, tmp_path: Path) -> None:
    (tmp_path / "empty.bc").touch()
    refusal(INVALID, "No program set", lambda: add(service, uri=f"file://{tmp_path}/empty.bc"))


def test_a_file_that_is_not_there_is_not_found_and_named(service: CompilerGymService) -> None:
    refusal(MISSING, "/nowhere/x.bc", lambda: add(service, uri="file:///nowhere/x.bc"))


@pytest.mark.parametrize("uri", ["http://example.com/x.bc", "file://host/x.bc", "/etc/passwd", ""])
def test_only_local_files_are_supported(service: CompilerGymService, uri: str) -> None:
    refusal(INVALID, "only file:/// is supported", lambda: add(service, uri=uri))


@pytest.mark.parametrize("path", ["/dev/zero", "/usr"])
def test_devices_and_folders_are_no_programs(service: CompilerGymService, path: str) -> None:
    refusal(INVALID, f"Not a file: {path}", lambda: add(service, uri=f"file://{path}"))


def test_a_file_beyond_the_limit_is_invalid(service: CompilerGymService, tmp_path: Path) -> None:
    with (tmp_path / "large.bc").open("wb") as file:
        file.truncate(8_000_001)
    refusal(
        INVALID, "8000001 bytes, at most 8000000", lambda: add(service, uri=f"file://{tmp_path}/large.bc")
    )


def test_a_file_is_read_when_it_is_added(service: CompilerGymService, tmp_path: Path) -> None:
    path = tmp_path / "with space.bc"
    path.write_bytes(bytes(4))
    add(service, uri=f"file://{tmp_path}/with%20space.bc")
    path.unlink()
    assert length(service, start(service, benchmark=pb.Benchmark(uri="benchmark://numbers-v0/new"))) == 4


def test_benchmarks_are_added_all_or_none(service: CompilerGymService) -> None:
    good = pb.Benchmark(uri="benchmark://numbers-v0/good", program=pb.File(contents=b"x"))
    bad = pb.Benchmark(uri="benchmark://numbers-v0/bad", program=pb.File())
    request = pb.AddBenchmarkRequest(benchmark=[good, bad])
    refusal(INVALID, "No program set", lambda: service.AddBenchmark(request, PATIENT))
    refusal(MISSING, "Benchmark not found", lambda: start(service, benchmark=pb.Benchmark(uri=good.uri)))


@pytest.mark.parametrize("index", [-1, 2])
def test_an_action_space_out_of_range_is_invalid(service: CompilerGymService, index: int) -> None:
    refusal(INVALID, f"action space: {index} .*0 to 1", lambda: start(service, action_space=index))


@pytest.mark.parametrize("index", [-1, len(OBSERVATIONS)])
def test_an_observation_space_out_of_range_is_invalid(service: CompilerGymService, index: int) -> None:
    message = f"observation space: {index} is out of range"
    refusal(INVALID, message, lambda: start(service, observation_space=[index]))
    request = pb.StepRequest(session_id=start(service), action=[action("append")], observation_space=[index])
    refusal(INVALID, message, lambda: service.Step(request, PATIENT))
    assert length(service, 1) == 3


def test_unknown_sessions_are_not_found_by_any_call(service: CompilerGymService) -> None:
    message = "Session not found: 9"
    refusal(MISSING, message, lambda: service.Step(pb.StepRequest(session_id=9), PATIENT))
    refusal(MISSING, message, lambda: service.ForkSession(pb.ForkSessionRequest(session_id=9), PATIENT))
    refusal(MISSING, message, lambda: service.EndSession(pb.EndSessionRequest(session_id=9), PATIENT))
    request = pb.SendSessionParameterRequest(session_id=9)
    refusal(MISSING, message, lambda: service.SendSessionParameter(request, PATIENT))


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (pb.Event(int64_value=99), f"99 is out of range, expected 0 to {len(ACTIONS) - 1}"),
        (pb.Event(int64_value=-1), "-1 is out of range"),
        (pb.Event(string_value="append"), "expected int64_value, got string_value"),
        (pb.Event(), "expected int64_value, got no value"),
    ],
)
def test_a_bad_action_names_value_and_range_or_both_types(
    service: CompilerGymService, bad: pb.Event, message: str
) -> None:
    session = start(service)
    for actions in ([bad], [action("append"), bad], [bad, action("append")]):
        request = pb.StepRequest(session_id=session, action=actions)
        refusal(INVALID, message, lambda request=request: service.Step(request, PATIENT))
    assert length(service, session) == 3


def test_a_sessions_own_check_is_made_before_anything_is_applied(service: CompilerGymService) -> None:
    session = start(service)
    send(service, session, "fake.parameter", "strict")
    refusal(INVALID, "refuse is not allowed", lambda: step(service, session, "append", "refuse"))
    assert length(service, session) == 3


def send(service: CompilerGymService, session: int, key: str, value: str) -> list[str]:
    parameter = pb.SessionParameter(key=key, value=value)
    request = pb.SendSessionParameterRequest(session_id=session, parameter=[parameter])
    return list(service.SendSessionParameter(request, PATIENT).reply)


def test_unknown_parameters_and_values_are_invalid(service: CompilerGymService) -> None:
    session = start(service)
    refusal(INVALID, "Unknown parameter: x", lambda: send(service, session, "x", ""))
    refusal(INVALID, "expected anything but 'bad'", lambda: send(service, session, "fake.parameter", "bad"))


def test_the_cache_parameters_work(service: CompilerGymService) -> None:
    session = start(service)
    prefix = "service.benchmark_cache."
    assert send(service, session, f"{prefix}get_max_size_in_bytes", "") == ["54525952"]
    size = service.benchmark_cache.size_in_bytes
    assert send(service, session, f"{prefix}get_size_in_bytes", "") == [str(size)]
    assert send(service, session, f"{prefix}set_max_size_in_bytes", "10") == ["10"]
    assert send(service, session, f"{prefix}get_max_size_in_bytes", "") == ["10"]
    assert send(service, session, f"{prefix}get_size_in_bytes", "") == ["0"]


@pytest.mark.parametrize("value", ["many", "-1", "", "1.5"])
def test_a_cache_size_that_is_no_number_is_invalid_and_says_no_more(
    service: CompilerGymService, value: str
) -> None:
    key = "service.benchmark_cache.set_max_size_in_bytes"
    message = f"^{key}: expected a number of bytes, at most 15 digits, got {value!r}$"
    refusal(INVALID, message, lambda: send(service, start(service), key, value))


def test_the_end_skips_later_actions_and_still_observes(service: CompilerGymService) -> None:
    reply = step(service, start(service), "append", "finish", "append", "append")
    assert reply.end_of_session
    assert reply.observation[0].int64_value == 4


@pytest.mark.parametrize(
    ("names", "no_effect"),
    [
        (["nothing"], True),
        (["nothing", "nothing"], True),
        (["nothing", "append", "nothing"], False),
        ([], True),
    ],
)
def test_no_effect_means_that_no_action_had_one(
    service: CompilerGymService, names: list[str], *, no_effect: bool
) -> None:
    assert step(service, start(service), *names).action_had_no_effect is no_effect


def test_a_new_action_space_is_announced_and_holds(service: CompilerGymService) -> None:
    session = start(service)
    assert not step(service, session, "append").HasField("new_action_space")
    assert step(service, session, "new-space").new_action_space.name == "harmless"
    refusal(INVALID, "expected 0 to 2", lambda: step(service, session, "sleep"))
    assert length(service, session) == 4


def test_actions_after_a_new_space_must_be_in_it(service: CompilerGymService) -> None:
    session = start(service)
    assert not step(service, session, "new-space", "append").action_had_no_effect
    fresh = start(service)
    refusal(
        StatusCode.INTERNAL, "1 actions were applied", lambda: step(service, fresh, "new-space", "write-file")
    )
    refusal(MISSING, "not found", lambda: length(service, fresh))


def test_sessions_are_independent_and_counted(service: CompilerGymService) -> None:
    first, second = start(service), start(service)
    step(service, first, "append")
    assert (length(service, first), length(service, second)) == (4, 3)
    reply = service.EndSession(pb.EndSessionRequest(session_id=first), PATIENT)
    assert reply.remaining_sessions == 1
    refusal(MISSING, f"Session not found: {first}", lambda: length(service, first))
    assert length(service, second) == 3


def test_a_copy_in_process_replays_actions_and_parameters(service: CompilerGymService) -> None:
    session = start(service)
    send(service, session, "fake.parameter", "strict")
    step(service, session, "append", "append")
    copy = service.ForkSession(pb.ForkSessionRequest(session_id=session), PATIENT).session_id
    assert copy not in {0, session}
    assert length(service, copy) == 5
    refusal(INVALID, "not allowed when strict", lambda: step(service, copy, "refuse"))
    step(service, copy, "append")
    assert (length(service, session), length(service, copy)) == (5, 6)
    again = service.ForkSession(pb.ForkSessionRequest(session_id=copy), PATIENT).session_id
    assert length(service, again) == 6


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("fail", StatusCode.INTERNAL, "RuntimeError: a bug"),
        ("grow", StatusCode.RESOURCE_EXHAUSTED, "2,000,000 instructions"),
    ],
)
def test_a_session_that_fails_is_over(
    service: CompilerGymService, name: str, code: StatusCode, message: str
) -> None:
    session = start(service)
    refusal(code, message, lambda: step(service, session, "append", name))
    refusal(MISSING, "Session not found", lambda: length(service, session))


def test_a_refusal_after_applied_actions_ends_the_session(service: CompilerGymService) -> None:
    session = start(service)
    refusal(INVALID, "refused by apply_action", lambda: step(service, session, "refuse"))
    assert length(service, session) == 3
    refusal(StatusCode.INTERNAL, "1 actions were applied", lambda: step(service, session, "append", "refuse"))
    refusal(MISSING, "Session not found", lambda: length(service, session))


def test_an_observation_that_fails_alone_leaves_the_session(service: CompilerGymService) -> None:
    session = start(service)
    refusal(INVALID, "never works", lambda: step(service, session, observe="broken"))
    refusal(StatusCode.UNIMPLEMENTED, "no linker", lambda: step(service, session, observe="no-linker"))
    assert length(service, session) == 3
    refusal(
        StatusCode.INTERNAL,
        "its actions were applied",
        lambda: step(service, session, "append", observe="broken"),
    )
    refusal(MISSING, "Session not found", lambda: length(service, session))


def test_a_failed_first_observation_leaves_no_session(service: CompilerGymService) -> None:
    broken = [OBSERVATIONS.index("broken")]
    refusal(INVALID, "never works", lambda: start(service, observation_space=broken))
    service.EndSession(pb.EndSessionRequest(session_id=start(service)), PATIENT)


def test_a_call_whose_time_is_over_stops_between_actions(service: CompilerGymService) -> None:
    session = start(service)
    request = pb.StepRequest(session_id=session, action=[action("append")] * 3)
    refusal(StatusCode.DEADLINE_EXCEEDED, "time", lambda: service.Step(request, Context(0.0)))
    refusal(MISSING, "Session not found", lambda: length(service, session))


def test_sessions_step_in_parallel(service: CompilerGymService) -> None:
    slow, fast = start(service), start(service)
    entered, release = threading.Event(), threading.Event()
    session = service.session(slow)
    assert isinstance(session, FakeSession)

    def wait() -> None:
        entered.set()
        release.wait(20)

    session.do_nothing = wait  # type: ignore[attr-defined] # a misdeed of this test's own
    thread = threading.Thread(target=lambda: step(service, slow, "nothing"))
    thread.start()
    assert entered.wait(20)
    assert step(service, fast, "append").observation[0].int64_value == 4
    release.set()
    thread.join()


def test_memory_errors_pass_through_to_the_carrier(
    service: CompilerGymService, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(FakeSession, "get_observation", exhausted)
    with pytest.raises(MemoryError):
        length(service, start(service))


class ChoosySession(FakeSession):
    """One with an action space of its own, in which an action is valid only once in a step."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.action_space = self.action_spaces[1]

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        raise ValueError(f"There is no parameter {key!r} for {value!r}.")  # as sessions of others do

    def check_actions(self, actions: Sequence[pb.Event]) -> None:
        if len({one.int64_value for one in actions}) < len(actions):
            raise ValueError("an action may be used once in a step")


def test_a_session_may_begin_in_an_action_space_of_its_own(
    service: CompilerGymService, tmp_path: Path
) -> None:
    request = pb.StartSessionRequest(benchmark=pb.Benchmark(uri=URI, program=pb.File(contents=b"1")))
    assert not service.StartSession(request, PATIENT).HasField("new_action_space")
    choosy = CompilerGymService(tmp_path, ChoosySession)
    reply = choosy.StartSession(request, PATIENT)
    assert reply.new_action_space == FakeSession.action_spaces[1]
    fork = pb.ForkSessionRequest(session_id=reply.session_id)
    for session in (reply.session_id, choosy.ForkSession(fork, PATIENT).session_id):
        refusal(INVALID, "4 is out of range", partial(step, choosy, session, "spin"))


def test_the_actions_of_a_step_are_checked_together_before_the_first(tmp_path: Path) -> None:
    choosy = CompilerGymService(tmp_path, ChoosySession)
    session = start(choosy, benchmark=pb.Benchmark(uri=URI, program=pb.File(contents=b"1")))
    refusal(INVALID, "once in a step", lambda: step(choosy, session, "append", "nothing", "append"))
    assert length(choosy, session) == 1
