"""The service with a process for each session: what it answers, and what a session's end does to others."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from fake_compiler import OBSERVATIONS, action

from optarena.errors import (
    InvalidInput,
    ServiceClosed,
    SessionCrashed,
    SessionLimitExceeded,
    SessionTimeout,
    TooManySessions,
    UnknownName,
)
from optarena.limits import MAX_BENCHMARK_BYTES
from optarena.service.client.zygote import Zygote
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.status import RpcError, StatusCode
from optarena.service.runtime.serving import IsolatedService

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FAKE = "fake_compiler:FakeSession"
URI = "benchmark://numbers-v0/three"
INVALID, MISSING = StatusCode.INVALID_ARGUMENT, StatusCode.NOT_FOUND


class Context:
    """A caller with this much patience."""

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = seconds

    def time_remaining(self) -> float | None:
        """Always the same."""
        return self.seconds


PATIENT = Context()


@pytest.fixture
def serve() -> Iterator[Callable[..., IsolatedService]]:
    """Makes services that know one benchmark, and closes them in the end."""
    made: list[IsolatedService] = []

    def make(session_type: str = FAKE, **options: Any) -> IsolatedService:
        service = IsolatedService(session_type, **options)
        made.append(service)
        known = pb.Benchmark(uri=URI, program=pb.File(contents=bytes([5, 6, 7])))
        service.AddBenchmark(pb.AddBenchmarkRequest(benchmark=[known]), PATIENT)
        return service

    yield make
    for service in made:
        service.close()


@pytest.fixture
def service(serve: Callable[..., IsolatedService]) -> IsolatedService:
    """A service of the fake compiler."""
    return serve()


def start(service: IsolatedService, context: Context = PATIENT, **request: Any) -> int:
    request = {"benchmark": pb.Benchmark(uri=URI), **request}
    return service.StartSession(pb.StartSessionRequest(**request), context).session_id


def step(
    service: IsolatedService, session: int, *names: str, see: str = "length", context: Context = PATIENT
) -> pb.StepReply:
    request = pb.StepRequest(
        session_id=session,
        action=[action(name) for name in names],
        observation_space=[OBSERVATIONS.index(see)],
    )
    return service.Step(request, context)


def observe(service: IsolatedService, session: int, see: str = "length") -> int:
    return step(service, session, see=see).observation[0].int64_value


def fork(service: IsolatedService, session: int) -> int:
    return service.ForkSession(pb.ForkSessionRequest(session_id=session), PATIENT).session_id


def end(service: IsolatedService, session: int) -> int:
    return service.EndSession(pb.EndSessionRequest(session_id=session), PATIENT).remaining_sessions


def send(service: IsolatedService, session: int, *parameters: tuple[str, str]) -> list[str]:
    request = pb.SendSessionParameterRequest(
        session_id=session, parameter=[pb.SessionParameter(key=key, value=value) for key, value in parameters]
    )
    return list(service.SendSessionParameter(request, PATIENT).reply)


def refusal(code: StatusCode, message: str, call: Callable[[], object]) -> None:
    with pytest.raises(RpcError, match=message) as caught:
        call()
    assert caught.value.code is code


def gone(service: IsolatedService, session: int) -> None:
    refusal(MISSING, f"^Session not found: {session}", lambda: observe(service, session))


def test_versions_and_spaces_are_the_compilers(service: IsolatedService) -> None:
    assert service.GetVersion(pb.GetVersionRequest(), PATIENT).compiler_version == "fake 1.0"
    spaces = service.GetSpaces(pb.GetSpacesRequest(), PATIENT)
    assert [space.name for space in spaces.action_space_list] == ["all", "harmless"]
    assert [space.name for space in spaces.observation_space_list] == list(OBSERVATIONS)


def test_an_unknown_session_type_is_an_error_at_once() -> None:
    with pytest.raises(UnknownName, match="no_such_module"):
        IsolatedService("no_such_module:Session")


@pytest.mark.parametrize("options", [{"max_sessions": 0}, {"idle_seconds": 0.0}])
def test_limits_must_be_positive(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=f"{next(iter(options))} must be more than 0"):
        IsolatedService(FAKE, **options)


def test_each_session_has_a_process_and_a_number_of_its_own(service: IsolatedService) -> None:
    first, second = start(service), start(service)
    assert observe(service, first, "pid") != observe(service, second, "pid")
    assert end(service, second) == 1
    assert len({0, first, second, start(service), fork(service, first)}) == 5
    step(service, first, "append")
    assert observe(service, first) == 4
    gone(service, second)
    refusal(MISSING, f"Session not found: {second}", lambda: end(service, second))


def test_a_bad_index_starts_no_process(
    service: IsolatedService, children: Callable[[int], list[int]]
) -> None:
    zygote = Zygote.shared(FAKE).pid
    before = children(zygote)
    refusal(INVALID, "action space: 2 is out of range", lambda: start(service, action_space=2))
    refusal(INVALID, "observation space: -1 is out of", lambda: start(service, observation_space=[-1]))
    assert children(zygote) == before


def test_a_failed_start_leaves_nothing(serve: Callable[..., IsolatedService]) -> None:
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


@pytest.mark.parametrize("session_type", [FAKE, "fake_compiler:ReplayedSession"])
def test_a_fork_is_in_the_same_state_and_lives_alone(
    serve: Callable[..., IsolatedService], session_type: str
) -> None:
    service = serve(session_type)
    session = start(service)
    step(service, session, "append", "append")
    copy = fork(service, session)
    assert observe(service, copy) == 5
    step(service, copy, "append")
    assert (observe(service, session), observe(service, copy)) == (5, 6)
    assert end(service, session) == 1
    assert observe(service, fork(service, copy)) == 6


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

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(breed, range(6))) == [[4, 4, 4, 4]] * 6
    assert observe(service, root) == 3
    assert end(service, root) == 0


def test_a_session_waits_for_itself_alone(service: IsolatedService) -> None:
    session = start(service)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: step(service, session, "append"), range(40)))
    assert observe(service, session) == 43


def test_there_is_no_room_beyond_the_limit(serve: Callable[..., IsolatedService]) -> None:
    service = serve(max_sessions=2)
    first, _ = start(service), start(service)
    for call in (lambda: start(service), lambda: fork(service, first)):
        with pytest.raises(TooManySessions, match=r"has 2 sessions.*--max-sessions"):
            call()
    end(service, first)
    assert observe(service, start(service)) == 3


def test_idle_sessions_end(serve: Callable[..., IsolatedService]) -> None:
    service = serve(idle_seconds=0.3)
    session = start(service)
    deadline = time.monotonic() + 20
    while service._sessions and time.monotonic() < deadline:
        time.sleep(0.02)
    refusal(MISSING, r"ended after 0\.3 s without a call", lambda: observe(service, session))


def test_a_working_session_is_not_idle(serve: Callable[..., IsolatedService]) -> None:
    service = serve(idle_seconds=0.1)
    with pytest.raises(SessionTimeout):  # not the end of an idle session
        step(service, start(service), "sleep", context=Context(0.6))


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
    refusal(INVALID, "expected a number of bytes", lambda: send(service, session, (limit, "x")))
    refusal(INVALID, "Unknown parameter: service.benchmark_cache.x",
            lambda: send(service, session, ("service.benchmark_cache.x", "")))  # fmt: skip
    with pytest.raises(InvalidInput, match="Unknown parameter: x"):
        send(service, session, ("x", ""))
    refusal(MISSING, "Session not found: 99", lambda: send(service, 99))


def test_files_and_large_programs_may_be_refused(
    serve: Callable[..., IsolatedService], tmp_path: Path
) -> None:
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


def test_the_close_ends_everything_even_during_calls(
    serve: Callable[..., IsolatedService], ends: Callable[[int], bool]
) -> None:
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
    serve: Callable[..., IsolatedService], children: Callable[[int], list[int]], ends: Callable[[int], bool]
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


def test_two_hundred_sessions_leave_no_descriptor(
    service: IsolatedService, descriptors: Callable[[], int]
) -> None:
    end(service, start(service))
    before = descriptors()
    for _ in range(2):
        sessions = [start(service) for _ in range(50)]
        sessions += [fork(service, session) for session in sessions]
        for session in sessions:
            end(service, session)
    assert descriptors() == before


def test_confined_sessions_are_copied_and_ended_like_others(serve: Callable[..., IsolatedService]) -> None:
    service = serve(sandbox=True)
    session = start(service)
    step(service, session, "append")
    assert observe(service, fork(service, session)) == 4
