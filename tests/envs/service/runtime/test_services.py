"""The services below a transport, in one process and isolated: status codes, parallel sessions, ends."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from fake_compiler import OBSERVATIONS, FakeSession, action

from optarena.errors import (
    InvalidInput,
    ServiceClosed,
    SessionCrashed,
    SessionLimitExceeded,
    SessionNotFound,
    SessionTimeout,
    TooManySessions,
)
from optarena.limits import MAX_BENCHMARK_BYTES
from optarena.service.client.zygote import Zygote
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.status import RpcError, StatusCode, status_of
from optarena.service.runtime.serving import MAX_WAITING, IsolatedService
from optarena.service.session_process.compiler_gym_service import CompilerGymService
from tests.kit.processes import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    Service = CompilerGymService | IsolatedService
    Serve = Callable[..., IsolatedService]

INVALID, MISSING = StatusCode.INVALID_ARGUMENT, StatusCode.NOT_FOUND
FAKE = "fake_compiler:FakeSession"
URI = "benchmark://numbers-v0/three"


class Context:
    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = seconds

    def time_remaining(self) -> float | None:
        return self.seconds


PATIENT = Context()


@pytest.fixture
def local(tmp_path: Path) -> CompilerGymService:
    return knowing(CompilerGymService(tmp_path, FakeSession))


@pytest.fixture
def serve() -> Iterator[Serve]:
    made: list[IsolatedService] = []

    def make(**options: Any) -> IsolatedService:
        made.append(IsolatedService(FAKE, **options))
        return knowing(made[-1])

    yield make
    for service in made:
        service.close()


@pytest.fixture
def service(serve: Serve) -> IsolatedService:
    return serve()


def knowing(service: Any) -> Any:
    known = pb.Benchmark(uri=URI, program=pb.File(contents=bytes([5, 6, 7])))
    service.AddBenchmark(pb.AddBenchmarkRequest(benchmark=[known]), PATIENT)
    return service


def start(service: Service, context: Context = PATIENT, **request: Any) -> int:
    request = {"benchmark": pb.Benchmark(uri=URI), **request}
    return service.StartSession(pb.StartSessionRequest(**request), context).session_id


def step(
    service: Service, session: int, *names: str, see: str = "length", context: Context = PATIENT
) -> pb.StepReply:
    request = pb.StepRequest(
        session_id=session,
        action=[action(name) for name in names],
        observation_space=[OBSERVATIONS.index(see)],
    )
    return service.Step(request, context)


def observe(service: Service, session: int, see: str = "length", *names: str) -> int:
    return step(service, session, *names, see=see).observation[0].int64_value


def fork(service: Service, session: int) -> int:
    return service.ForkSession(pb.ForkSessionRequest(session_id=session), PATIENT).session_id


def end(service: Service, session: int) -> int:
    return service.EndSession(pb.EndSessionRequest(session_id=session), PATIENT).remaining_sessions


def send(service: Service, session: int, *parameters: tuple[str, str]) -> list[str]:
    request = pb.SendSessionParameterRequest(
        session_id=session, parameter=[pb.SessionParameter(key=key, value=value) for key, value in parameters]
    )
    return list(service.SendSessionParameter(request, PATIENT).reply)


def refusal(code: StatusCode, message: str, call: Callable[[], object]) -> None:
    with pytest.raises(RpcError, match=message) as caught:
        call()
    assert caught.value.code is code


def gone(service: Service, session: int) -> None:
    refusal(MISSING, f"^Session not found: {session}", lambda: observe(service, session))


def test_the_end_skips_later_actions_and_still_observes(local: CompilerGymService) -> None:
    reply = step(local, start(local), "append", "finish", "append", "append")
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
    local: CompilerGymService, names: list[str], *, no_effect: bool
) -> None:
    assert step(local, start(local), *names).action_had_no_effect is no_effect


def test_a_new_action_space_is_announced_and_holds(local: CompilerGymService) -> None:
    session = start(local)
    assert not step(local, session, "append").HasField("new_action_space")
    assert step(local, session, "new-space").new_action_space.name == "harmless"
    refusal(INVALID, "expected 0 to 2", lambda: step(local, session, "sleep"))
    assert observe(local, session) == 4


APPLIED = (StatusCode.INTERNAL, "1 actions were applied")


@pytest.mark.parametrize(
    ("names", "see", "code", "message"),
    [
        (("append", "fail"), "length", StatusCode.INTERNAL, "RuntimeError: a bug"),
        (("append", "grow"), "length", StatusCode.RESOURCE_EXHAUSTED, "2,000,000 instructions"),
        (("append", "refuse"), "length", *APPLIED),
        (("new-space", "write-file"), "length", *APPLIED),  # which is not in the new space
        (("append",), "broken", StatusCode.INTERNAL, "its actions were applied"),
    ],
)
def test_a_session_that_fails_is_over(
    local: CompilerGymService, names: tuple[str, ...], see: str, code: StatusCode, message: str
) -> None:
    session = start(local)
    refusal(code, message, lambda: step(local, session, *names, see=see))
    gone(local, session)


def test_what_fails_before_anything_is_applied_leaves_the_session(local: CompilerGymService) -> None:
    session = start(local)
    refusal(INVALID, "refused by apply_action", lambda: step(local, session, "refuse"))
    refusal(INVALID, "never works", lambda: step(local, session, see="broken"))
    refusal(StatusCode.UNIMPLEMENTED, "no linker", lambda: step(local, session, see="no-linker"))
    send(local, session, ("fake.parameter", "strict"))
    refusal(INVALID, "refuse is not allowed", lambda: step(local, session, "append", "refuse"))
    assert observe(local, session) == 3


def test_a_copy_in_process_replays_actions_and_parameters(local: CompilerGymService) -> None:
    session = start(local)
    send(local, session, ("fake.parameter", "strict"))
    step(local, session, "append", "append")
    copy = fork(local, session)
    refusal(INVALID, "not allowed when strict", lambda: step(local, copy, "refuse"))
    step(local, copy, "append")
    assert (observe(local, session), observe(local, copy), observe(local, fork(local, copy))) == (5, 6, 6)


def test_a_call_whose_time_is_over_stops_between_actions(local: CompilerGymService) -> None:
    session = start(local)
    late = partial(step, local, session, *["append"] * 3, context=Context(0.0))
    refusal(StatusCode.DEADLINE_EXCEEDED, "time", late)
    gone(local, session)


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


def test_a_session_may_begin_in_an_action_space_of_its_own(local: CompilerGymService, tmp_path: Path) -> None:
    request = pb.StartSessionRequest(benchmark=pb.Benchmark(uri=URI, program=pb.File(contents=b"1")))
    assert not local.StartSession(request, PATIENT).HasField("new_action_space")
    choosy = CompilerGymService(tmp_path, ChoosySession)
    reply = choosy.StartSession(request, PATIENT)
    assert reply.new_action_space == FakeSession.action_spaces[1]
    for session in (reply.session_id, fork(choosy, reply.session_id)):
        refusal(INVALID, "4 is out of range", partial(step, choosy, session, "spin"))


def test_the_actions_of_a_step_are_checked_together_before_the_first(tmp_path: Path) -> None:
    choosy = CompilerGymService(tmp_path, ChoosySession)
    session = start(choosy, benchmark=pb.Benchmark(uri=URI, program=pb.File(contents=b"1")))
    refusal(INVALID, "once in a step", lambda: step(choosy, session, "append", "nothing", "append"))
    assert observe(choosy, session) == 1


@pytest.mark.parametrize("options", [{"max_sessions": 0}, {"idle_seconds": 0.0}])
def test_limits_must_be_positive(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=f"{next(iter(options))} must be more than 0"):
        IsolatedService(FAKE, **options)


def test_a_bad_index_starts_no_process(
    service: IsolatedService, children: Callable[[int], list[int]]
) -> None:
    zygote = Zygote.shared(FAKE).pid
    before = children(zygote)
    refusal(INVALID, "action space: 2 is out of range", lambda: start(service, action_space=2))
    refusal(INVALID, "observation space: -1 is out of", lambda: start(service, observation_space=[-1]))
    assert children(zygote) == before


def test_a_failed_start_leaves_nothing(serve: Serve) -> None:
    service = serve(max_sessions=1)
    bad = pb.Benchmark(uri="benchmark://numbers-v0/bad", program=pb.File(contents=b"does not parse"))
    for _ in range(3):
        with pytest.raises(InvalidInput, match="numbers-v0/bad: not a list of numbers"):
            start(service, benchmark=bad)
        with pytest.raises(InvalidInput, match="never works"):
            start(service, observation_space=[OBSERVATIONS.index("broken")])
    assert end(service, start(service)) == 0


@pytest.mark.parametrize(
    ("name", "error"), [("crash", SessionCrashed), ("grow", SessionLimitExceeded), ("exit", SessionCrashed)]
)
def test_a_sessions_end_is_reported_and_leaves_the_others(
    service: IsolatedService, name: str, error: type[Exception]
) -> None:
    doomed, other = start(service), start(service)
    with pytest.raises(error):
        step(service, doomed, "append", name)
    gone(service, doomed)
    assert observe(service, other) == 3
    assert end(service, other) == 0


def test_a_session_killed_while_nobody_called_is_reported_too(service: IsolatedService) -> None:
    session = start(service)
    os.kill(observe(service, session, "pid"), signal.SIGKILL)
    with pytest.raises(SessionCrashed, match="SIGKILL"):
        observe(service, session)
    gone(service, session)


def test_sessions_start_again_after_the_death_of_their_zygote(
    service: IsolatedService, ends: Callable[[int], bool]
) -> None:
    session = start(service)
    pid = observe(service, session, "pid")
    os.kill(Zygote.shared(FAKE).pid, signal.SIGKILL)
    assert ends(pid)
    with pytest.raises(SessionCrashed):
        observe(service, session)
    assert observe(service, start(service)) == 3


def test_sessions_step_in_parallel_and_can_be_ended_meanwhile(service: IsolatedService) -> None:
    slow, quick = start(service), start(service)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(step, service, slow, "sleep")
        for _ in range(3):
            step(service, quick, "append")
        assert not waiting.done()
        assert end(service, slow) == 1
        refusal(MISSING, f"Session not found: {slow}", waiting.result)
    assert observe(service, quick) == 6


def test_forks_and_ends_from_many_threads_lose_nothing(service: IsolatedService) -> None:
    root = start(service)

    def breed(_: int) -> list[int]:
        made = [fork(service, root) for _ in range(3)]
        made.append(fork(service, made[0]))
        for session in made:
            step(service, session, "append")
        lengths = [observe(service, session) for session in made]
        for session in made:
            end(service, session)
        return lengths

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(breed, range(4))) == [[4, 4, 4, 4]] * 4
    assert observe(service, root) == 3
    assert end(service, root) == 0


def test_there_is_no_room_beyond_the_limit(serve: Serve) -> None:
    service = serve(max_sessions=2)
    first, _ = start(service), start(service)
    for call in (lambda: start(service), lambda: fork(service, first)):
        with pytest.raises(TooManySessions, match=r"has 2 sessions.*--max-sessions"):
            call()
    end(service, first)
    assert observe(service, start(service)) == 3


@pytest.mark.parametrize(
    ("memory", "most", "why"),
    [(16 << 20, 2, "its limit on 0.0 GiB of memory, at 6 MiB"), (1, 1, "--max-sessions"), (0, 2000, "")],
)
def test_without_a_number_memory_limits_the_sessions(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, memory: int, most: int, why: str
) -> None:
    monkeypatch.setattr("optarena.service.runtime.serving.usable_memory", lambda: memory)
    service = serve()
    assert service._max_sessions == most
    if why:
        started = [start(service) for _ in range(most)]
        with pytest.raises(TooManySessions, match=f"has {most} sessions.*{why}"):
            fork(service, started[0])
    assert serve(max_sessions=5000)._max_sessions == 5000, "A number that is given holds."


def test_idle_sessions_end(serve: Serve) -> None:
    service = serve(idle_seconds=0.3)
    session = start(service)
    wait_until(lambda: not service._sessions)
    refusal(MISSING, r"ended after 0\.3 s without a call", lambda: observe(service, session))


def test_a_working_session_is_not_idle(serve: Serve) -> None:
    service = serve(idle_seconds=1.0)
    with pytest.raises(SessionTimeout):  # not the end of an idle session
        step(service, start(service), "sleep", context=Context(2.5))


def test_the_callers_patience_is_respected(service: IsolatedService) -> None:
    session, busy = start(service), start(service)
    refusal(
        StatusCode.DEADLINE_EXCEEDED, "time", lambda: step(service, session, "append", context=Context(0))
    )
    refusal(StatusCode.DEADLINE_EXCEEDED, "time", lambda: start(service, Context(0)))
    assert observe(service, session) == 3
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(step, service, busy, "sleep")
        while not service._sessions[busy].lock.locked():
            time.sleep(0.01)
        refusal(
            StatusCode.DEADLINE_EXCEEDED,
            f"Session {busy} was busy",
            lambda: step(service, busy, context=Context(0.1)),
        )
        end(service, busy)
        with pytest.raises(RpcError):
            waiting.result()
    with pytest.raises(SessionTimeout):
        step(service, session, "sleep", context=Context(0.2))
    gone(service, session)


def test_parameters_of_cache_and_session_are_answered_in_order(service: IsolatedService) -> None:
    session = start(service)
    limit = "service.benchmark_cache.set_max_size_in_bytes"
    size = "service.benchmark_cache.get_size_in_bytes"
    given = [("fake.parameter", "x"), (size, ""), (limit, "1000"), ("fake.parameter", "y"), (limit, "0")]
    known = pb.Benchmark(uri=URI, program=pb.File(contents=bytes(3)))
    assert send(service, session, *given) == ["was x", str(known.ByteSize()), "1000", "was y", "0"]
    refusal(MISSING, "Benchmark not found", lambda: start(service))
    assert send(service, session) == []


def test_files_and_large_programs_may_be_refused(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "three").write_bytes(bytes(3))
    benchmark = pb.Benchmark(uri=URI, program=pb.File(uri=f"file://{tmp_path}/three"))
    service = serve()
    assert observe(service, start(service, benchmark=benchmark)) == 3
    refusal(INVALID, "reads no files.*--allow-files", lambda: start(serve(files=False), benchmark=benchmark))
    large = pb.Benchmark(uri=URI, program=pb.File(contents=bytes(MAX_BENCHMARK_BYTES + 1)))
    for call in (
        lambda: start(service, benchmark=large),
        lambda: service.AddBenchmark(pb.AddBenchmarkRequest(benchmark=[large]), PATIENT),
    ):
        refusal(INVALID, f"Too large: {URI} has 8000001 bytes, at most 8000000", call)


def test_the_close_ends_everything_even_during_calls(serve: Serve, ends: Callable[[int], bool]) -> None:
    service = serve()
    working, resting = start(service), start(service)
    pids = [observe(service, session, "pid") for session in (working, resting)]
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(step, service, working, "sleep")
        while not service._sessions[working].lock.locked():
            time.sleep(0.01)
        service.close()
        with pytest.raises(ServiceClosed):
            waiting.result()
    assert all(ends(pid) for pid in pids)
    for call in (lambda: start(service), lambda: observe(service, resting), lambda: fork(service, resting)):
        with pytest.raises(ServiceClosed, match="is ending"):
            call()


def test_sessions_that_start_during_the_close_end_too(
    serve: Serve, children: Callable[[int], list[int]], ends: Callable[[int], bool]
) -> None:
    service, stop = serve(), threading.Event()

    def start_some() -> None:
        while not stop.is_set():
            try:
                start(service)
            except ServiceClosed:
                return

    with ThreadPoolExecutor(4) as pool:
        starters = [pool.submit(start_some) for _ in range(4)]
        while len(service._sessions) < 4:
            time.sleep(0.01)
        service.close()
        stop.set()
        for starter in starters:
            starter.result()
    assert service._sessions == {}
    assert all(ends(pid) for pid in children(Zygote.shared(FAKE).pid))


def test_sessions_leave_no_descriptor(service: IsolatedService, descriptors: Callable[[], int]) -> None:
    end(service, start(service))
    before = descriptors()
    for _ in range(2):
        sessions = [start(service) for _ in range(3)]
        sessions += [fork(service, session) for session in sessions]
        for session in sessions:
            end(service, session)
    assert descriptors() <= before


def test_confined_sessions_are_copied_and_ended_like_others(serve: Serve) -> None:
    service = serve(sandbox=True)
    session = start(service)
    step(service, session, "append")
    assert observe(service, fork(service, session)) == 4


def kill(service: IsolatedService, *sessions: int) -> None:
    for session in sessions:
        os.kill(observe(service, session, "pid"), signal.SIGKILL)
    for session in sessions:
        connection = service._sessions[session].connection
        wait_until(lambda connection=connection: not connection.is_alive())


def test_only_a_few_calls_wait_for_one_session(serve: Serve) -> None:
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
        assert observe(service, other, "length", "append") == 4
        assert end(service, session) == 1
        for call in waiting:
            with pytest.raises((RpcError, SessionNotFound), match=f"Session not found: {session}"):
                call.result(20)
    assert observe(service, other, "length", "append") == 5


def test_a_session_can_be_called_again_when_the_crowd_has_gone(service: IsolatedService) -> None:
    session = start(service)
    with ThreadPoolExecutor(MAX_WAITING) as pool:
        list(pool.map(lambda _: step(service, session, "append"), range(5 * MAX_WAITING)))
    assert service._sessions[session].calls == 0
    assert observe(service, session) == 3 + 5 * MAX_WAITING


def test_dead_sessions_make_room_for_new_ones(serve: Serve) -> None:
    service = serve(max_sessions=2)
    first, second = start(service), start(service)
    kill(service, first)
    third = start(service)
    assert observe(service, second) == observe(service, third) == 3
    with pytest.raises(RpcError, match=f"Session not found: {first}"):
        step(service, first)
    with pytest.raises(TooManySessions):
        start(service)


def test_dead_sessions_are_forgotten_before_they_are_idle(
    serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "optarena")
    service = serve(idle_seconds=4.0)
    session = start(service)
    os.kill(observe(service, session, "pid"), signal.SIGKILL)
    told = f"session {session}: its process has ended"
    wait_until(lambda: not service._sessions and told in caplog.text)
