"""The gRPC server as a foreign client meets it: statuses, sockets, tokens, sizes, and what it survives."""

from __future__ import annotations

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from fake_compiler import ACTIONS, OBSERVATIONS, FakeSession, action

from optarena.errors import InvalidInput
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.status import ERROR_KEY, SIGNAL_KEY
from optarena.service.runtime.grpc_server import MAX_METADATA_BYTES, GrpcServer
from optarena.service.runtime.serving import IsolatedService
from optarena.service.session_process.compiler_gym_service import CompilerGymService

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FAKE = "fake_compiler:FakeSession"
URI = "benchmark://numbers-v0/three"
THREE = pb.Benchmark(uri=URI, program=pb.File(contents=bytes([5, 6, 7])))
INVALID, MISSING = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND


@pytest.fixture
def listen(tmp_path: Path) -> Iterator[Callable[..., tuple[GrpcServer, str]]]:
    """Starts servers on Unix sockets, and stops them in the end."""
    started: list[tuple[GrpcServer, Any]] = []

    def start_one(service: Any, **options: Any) -> tuple[GrpcServer, str]:
        server = GrpcServer(service, **options)
        started.append((server, service))
        endpoint = server.bind_unix(tmp_path / f"socket{len(started)}")
        server.start()
        return server, endpoint

    yield start_one
    for server, service in started:
        server.stop(0)
        service.close()


@pytest.fixture(scope="module")
def isolated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The endpoint of a service of the fake compiler, each session in a process."""
    with IsolatedService(FAKE) as service:
        server = GrpcServer(service)
        endpoint = server.bind_unix(tmp_path_factory.mktemp("service") / "socket")
        server.start()
        yield endpoint
        server.stop(0)


@pytest.fixture
def client(isolated: str, dial: Callable[..., Any]) -> Any:
    """A client of it; the service knows one benchmark."""
    client = dial(isolated)
    client.AddBenchmark(pb.AddBenchmarkRequest(benchmark=[THREE]))
    return client


def start(client: Any, **request: Any) -> int:
    return int(client.StartSession(pb.StartSessionRequest(**{"benchmark": THREE, **request})).session_id)


def step(client: Any, session: int, *names: str, see: str = "length") -> pb.StepReply:
    request = pb.StepRequest(
        session_id=session,
        action=[action(name) for name in names],
        observation_space=[OBSERVATIONS.index(see)],
    )
    reply: pb.StepReply = client.Step(request)
    return reply


def refusal(call: Callable[[], object], code: grpc.StatusCode, *parts: str) -> grpc.RpcError:
    with pytest.raises(grpc.RpcError) as caught:
        call()
    assert caught.value.code() is code, caught.value
    details = caught.value.details()
    assert all(part in details for part in parts), details
    assert "Traceback" not in details
    return caught.value


def benchmark(**program: Any) -> pb.Benchmark:
    return pb.Benchmark(uri="benchmark://numbers-v0/new", program=pb.File(**program))


def starting(**request: Any) -> tuple[str, pb.StartSessionRequest]:
    return "StartSession", pb.StartSessionRequest(**request)


def adding(**program: Any) -> tuple[str, pb.AddBenchmarkRequest]:
    return "AddBenchmark", pb.AddBenchmarkRequest(benchmark=[benchmark(**program)])


def stepping(*actions: pb.Event, **request: Any) -> tuple[str, pb.StepRequest]:
    return "Step", pb.StepRequest(action=actions, **request)


def sending(key: str, value: str = "", **request: Any) -> tuple[str, pb.SendSessionParameterRequest]:
    parameter = pb.SessionParameter(key=key, value=value)
    return "SendSessionParameter", pb.SendSessionParameterRequest(parameter=[parameter], **request)


CACHE_LIMIT = "service.benchmark_cache.set_max_size_in_bytes"
UNKNOWN = 4711
LAST = len(ACTIONS) - 1
TABLE = {
    "start without a URI": (starting(), INVALID, ("No benchmark URI",)),
    "start with an unknown URI": (
        starting(benchmark=pb.Benchmark(uri="benchmark://x-v0/y")),
        MISSING,
        ("Benchmark not found", "benchmark://x-v0/y"),
    ),
    "start with a program that does not parse": (
        starting(benchmark=benchmark(contents=b"does not parse")),
        INVALID,
        ("benchmark://numbers-v0/new", "not a list of numbers"),
    ),
    "an empty program": (adding(contents=b""), INVALID, ("No program set",)),
    "no program": (adding(), INVALID, ("No program set",)),
    "a file that is not there": (adding(uri="file:///nowhere/x.bc"), MISSING, ("/nowhere/x.bc",)),
    "a program elsewhere": (adding(uri="http://x.org/x.bc"), INVALID, ("http://x.org", "only file:///")),
    "an action space out of range": (starting(benchmark=THREE, action_space=9), INVALID, ("9", "0 to 1")),
    "an observation space out of range": (
        starting(benchmark=THREE, observation_space=[-3]),
        INVALID,
        ("-3", f"0 to {len(OBSERVATIONS) - 1}"),
    ),
    "a step's observation space": (stepping(observation_space=[77]), INVALID, ("77",)),
    "a step of an unknown session": (
        stepping(session_id=UNKNOWN),
        MISSING,
        (f"Session not found: {UNKNOWN}",),
    ),
    "a fork of an unknown session": (
        ("ForkSession", pb.ForkSessionRequest(session_id=UNKNOWN)),
        MISSING,
        (f"Session not found: {UNKNOWN}",),
    ),
    "a parameter of an unknown session": (
        sending("fake.parameter", session_id=UNKNOWN),
        MISSING,
        (f"Session not found: {UNKNOWN}",),
    ),
    "the end of an unknown session": (
        ("EndSession", pb.EndSessionRequest(session_id=UNKNOWN)),
        MISSING,
        (f"Session not found: {UNKNOWN}",),
    ),
    "an action out of range": (stepping(pb.Event(int64_value=99)), INVALID, ("99", f"0 to {LAST}")),
    "an action below the range": (stepping(pb.Event(int64_value=-1)), INVALID, ("-1", f"0 to {LAST}")),
    "an action of the wrong type": (
        stepping(action("append"), pb.Event(string_value="append")),
        INVALID,
        ("int64_value", "string_value"),
    ),
    "an unknown parameter": (sending("x"), INVALID, ("Unknown parameter: x",)),
    "a value that is no number": (sending(CACHE_LIMIT, "many"), INVALID, ("number of bytes", "'many'")),
    "a value that is refused": (sending("fake.parameter", "bad"), INVALID, ("anything but 'bad'",)),
}


@pytest.mark.parametrize("case", TABLE)
def test_bad_input_is_answered_by_code_and_meaning_and_changes_nothing(client: Any, case: str) -> None:
    (name, request), code, parts = TABLE[case]
    session = start(client)
    if hasattr(request, "session_id") and not request.session_id:
        request.session_id = session
    refusal(lambda: getattr(client, name)(request), code, *parts)
    assert step(client, session).observation[0].int64_value == 3


@pytest.mark.parametrize(
    ("name", "code", "metadata"),
    [
        ("crash", grpc.StatusCode.INTERNAL, {ERROR_KEY: "SessionCrashed", SIGNAL_KEY: "11"}),
        ("grow", grpc.StatusCode.RESOURCE_EXHAUSTED, {ERROR_KEY: "SessionLimitExceeded"}),
        ("allocate", grpc.StatusCode.RESOURCE_EXHAUSTED, {ERROR_KEY: "SessionOutOfMemory"}),
        ("fail", grpc.StatusCode.INTERNAL, {}),
    ],
)
def test_a_sessions_death_is_told_and_leaves_the_others(
    client: Any, name: str, code: grpc.StatusCode, metadata: dict[str, str]
) -> None:
    doomed, other = start(client), start(client)
    error = refusal(lambda: step(client, doomed, "append", name), code)
    assert dict(error.trailing_metadata()) == metadata
    refusal(lambda: step(client, doomed), MISSING, f"Session not found: {doomed}")
    assert step(client, other).observation[0].int64_value == 3


def test_forks_live_alone_and_ends_are_counted(client: Any) -> None:
    session = start(client)
    step(client, session, "append")
    copy = client.ForkSession(pb.ForkSessionRequest(session_id=session)).session_id
    before = client.EndSession(pb.EndSessionRequest(session_id=session)).remaining_sessions
    assert step(client, copy, "append").observation[0].int64_value == 5
    assert client.EndSession(pb.EndSessionRequest(session_id=copy)).remaining_sessions == before - 1


def test_malformed_requests_and_unknown_calls_are_refused(client: Any) -> None:
    path = "/compiler_gym.CompilerGymService/"
    refusal(lambda: client.channel.unary_unary(f"{path}Step")(b"\xff\xff"), INVALID, "Malformed", "Step")
    refusal(lambda: client.channel.unary_unary(f"{path}Fly")(b""), grpc.StatusCode.UNIMPLEMENTED)
    assert client.channel.unary_unary(f"{path}GetVersion")(b"")


@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ((), "requires a token"),
        ((("authorization", "Bearer wrong"),), "not the service's"),
        ((("authorization", "Bearer "),), "not the service's"),
        ((("authorization", "secret-1"),), "not the service's"),
        ((("authorization", "Basic secret-1"),), "not the service's"),
    ],
)
def test_without_the_token_nothing_is_answered(
    listen: Callable[..., tuple[GrpcServer, str]],
    dial: Callable[..., Any],
    tmp_path: Path,
    headers: tuple[tuple[str, str], ...],
    message: str,
) -> None:
    client = dial(listen(CompilerGymService(tmp_path, FakeSession), token="secret-1")[1])  # noqa: S106 # known to this test alone
    for call, request in (
        (client.GetVersion, pb.GetVersionRequest()),
        (client.StartSession, pb.StartSessionRequest(benchmark=THREE)),
    ):
        refusal(lambda c=call, r=request: c(r, metadata=headers), grpc.StatusCode.UNAUTHENTICATED, message)
    right = (("authorization", "Bearer secret-1"),)
    assert client.GetVersion(pb.GetVersionRequest(), metadata=right).compiler_version == "fake 1.0"


def test_messages_beyond_the_limit_are_refused_in_both_directions(
    listen: Callable[..., tuple[GrpcServer, str]], dial: Callable[..., Any], tmp_path: Path
) -> None:
    client = dial(listen(CompilerGymService(tmp_path, FakeSession), max_message_bytes=20_000)[1])
    exhausted = grpc.StatusCode.RESOURCE_EXHAUSTED
    refusal(lambda: start(client, benchmark=benchmark(contents=bytes(30_000))), exhausted, "larger than max")
    session = start(client, benchmark=benchmark(contents=b"\xff" * 12_000))
    refusal(lambda: step(client, session, see="history"), exhausted, "larger than max")
    assert step(client, session).observation[0].int64_value == 12_000


def test_large_messages_and_metadata_pass(isolated: str, dial: Callable[..., Any]) -> None:
    unlimited = {"grpc.max_send_message_length": -1, "grpc.max_receive_message_length": -1}
    client = dial(isolated, **unlimited)
    session = start(client, benchmark=benchmark(contents=bytes(7_000_000)))
    reply = step(client, session, see="history")
    assert len(reply.observation[0].int64_tensor.value) == 7_000_000
    headers = (("x-long", "x" * (MAX_METADATA_BYTES // 2)),)
    assert client.GetVersion(pb.GetVersionRequest(), metadata=headers).compiler_version == "fake 1.0"


class Faulty(FakeSession):
    """Fails where the compiler should not."""

    def apply_action(self, action: pb.Event) -> Any:
        """Memory ends at the first action, or a mistake is met at the second."""
        if action.int64_value == 0:
            raise MemoryError
        return None

    def get_observation(self, observation_space: pb.ObservationSpace) -> pb.Event:
        """A message that is long, and no text."""
        raise ValueError("first words " + "\ud800x\n" * 5000 + " last words")


def test_the_server_survives_what_goes_wrong_inside(
    listen: Callable[..., tuple[GrpcServer, str]], dial: Callable[..., Any], tmp_path: Path
) -> None:
    client = dial(listen(CompilerGymService(tmp_path, Faulty))[1])
    session = start(client)
    error = refusal(lambda: step(client, session), INVALID, "first words", "last words")
    assert len(error.details()) < 3000
    refusal(lambda: step(client, session, "append"), grpc.StatusCode.RESOURCE_EXHAUSTED, "out of memory")
    refusal(lambda: step(client, session), MISSING, "Session not found")
    refusal(lambda: step(client, start(client), "nothing"), grpc.StatusCode.INTERNAL, "None")
    assert client.GetVersion(pb.GetVersionRequest()).compiler_version == "fake 1.0"


class Together(FakeSession):
    """Waits in each action until everybody is there."""

    everybody = threading.Barrier(200)

    def apply_action(self, action: pb.Event) -> tuple[bool, pb.ActionSpace | None, bool]:
        """Wait."""
        self.everybody.wait(60)
        return super().apply_action(action)


def test_two_hundred_sessions_step_at_once(
    listen: Callable[..., tuple[GrpcServer, str]], dial: Callable[..., Any], tmp_path: Path
) -> None:
    client = dial(listen(CompilerGymService(tmp_path, Together))[1])
    sessions = [start(client) for _ in range(200)]
    calls = [
        client.Step.future(pb.StepRequest(session_id=session, action=[action("append")]))
        for session in sessions
    ]
    assert all(isinstance(call.result(90), pb.StepReply) for call in calls)


class Slow(FakeSession):
    """Begins when it is let."""

    entered = threading.Event()
    begin = threading.Event()
    ended = threading.Event()

    def __init__(self, *arguments: Any) -> None:
        """Wait."""
        self.entered.set()
        self.begin.wait(60)
        super().__init__(*arguments)

    def close(self) -> None:
        """Say that it was ended."""
        self.ended.set()


def test_a_session_whose_client_has_given_up_is_ended(
    listen: Callable[..., tuple[GrpcServer, str]], dial: Callable[..., Any], tmp_path: Path
) -> None:
    client = dial(listen(CompilerGymService(tmp_path, Slow))[1])
    request = pb.StartSessionRequest(benchmark=THREE)
    while not Slow.entered.is_set():  # a busy machine may not even begin with the first
        refusal(lambda: client.StartSession(request, timeout=0.3), grpc.StatusCode.DEADLINE_EXCEEDED)
    time.sleep(1.0)  # the server hears a little later that its client has given up
    Slow.begin.set()
    assert Slow.ended.wait(20)
    assert client.EndSession(pb.EndSessionRequest(session_id=start(client))).remaining_sessions == 0


def test_many_threads_of_one_client_fork_step_and_end(client: Any) -> None:
    root = start(client)

    def breed(_: int) -> int:
        copy = client.ForkSession(pb.ForkSessionRequest(session_id=root)).session_id
        length = step(client, copy, "append", "append").observation[0].int64_value
        client.EndSession(pb.EndSessionRequest(session_id=copy))
        return int(length)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(breed, range(24))) == [5] * 24
    assert step(client, root).observation[0].int64_value == 3


def test_a_port_is_used_by_one_service_only(
    unstarted: Callable[[], GrpcServer], dial: Callable[..., Any]
) -> None:
    server = unstarted()
    endpoint = server.bind("127.0.0.1", 0)
    server.start()
    port = int(endpoint.removeprefix("127.0.0.1:"))
    with pytest.raises(InvalidInput, match=rf"Port {port} of 127\.0\.0\.1 cannot be used: it is taken"):
        unstarted().bind("127.0.0.1", port)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(InvalidInput, match="it is taken"):
            unstarted().bind("127.0.0.1", other.getsockname()[1])
    assert dial(endpoint).GetVersion(pb.GetVersionRequest()).compiler_version == "fake 1.0"


def test_an_address_of_another_machine_is_refused(unstarted: Callable[[], GrpcServer]) -> None:
    with pytest.raises(InvalidInput, match=r"192\.0\.2\.1 cannot be used: Cannot assign"):
        unstarted().bind("192.0.2.1", 0)
