"""The gRPC server as foreign clients meet it, good and bad: statuses, tokens, sizes, and what it survives."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from fake_compiler import OBSERVATIONS, FakeSession, action

from optarena.errors import InvalidInput
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.proto import compiler_gym_service_pb2_grpc as pb_grpc
from optarena.service.protocol.status import ERROR_KEY, SIGNAL_KEY
from optarena.service.runtime import grpc_server
from optarena.service.runtime.grpc_server import MAX_METADATA_BYTES, GrpcServer, GrpcServicer
from optarena.service.runtime.serving import IsolatedService
from optarena.service.session_process.compiler_gym_service import CompilerGymService

if TYPE_CHECKING:
    from pathlib import Path

    Dial = Callable[..., Any]
    Listen = Callable[..., str]

FAKE = "fake_compiler:FakeSession"
URI = "benchmark://numbers-v0/three"
THREE = pb.Benchmark(uri=URI, program=pb.File(contents=bytes([5, 6, 7])))
INVALID, MISSING = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND


@pytest.fixture
def listen(tmp_path: Path) -> Iterator[Listen]:
    started: list[tuple[GrpcServer, Any]] = []

    def start_one(service: Any, *, host: str = "", **options: Any) -> str:
        server = GrpcServer(service, **options)
        started.append((server, service))
        endpoint = server.bind(host, 0) if host else server.bind_unix(tmp_path / f"socket{len(started)}")
        server.start()
        return endpoint

    yield start_one
    for server, service in started:
        server.stop(0)
        service.close()


@pytest.fixture
def reach(listen: Listen, dial: Dial, tmp_path: Path) -> Dial:
    """A client of a service in this process."""
    return lambda kind, **options: dial(listen(CompilerGymService(tmp_path, kind), **options))


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
def client(isolated: str, dial: Dial) -> Any:
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


def send(client: Any, session: int, key: str, value: str = "") -> list[str]:
    request = pb.SendSessionParameterRequest(session_id=session)
    request.parameter.add(key=key, value=value)
    return list(client.SendSessionParameter(request).reply)


def benchmark(**program: Any) -> pb.Benchmark:
    return pb.Benchmark(uri="benchmark://numbers-v0/new", program=pb.File(**program))


def test_bad_input_is_answered_by_code_and_meaning_and_changes_nothing(client: Any) -> None:
    session, unknown = start(client), 4711
    refusal(lambda: start(client, benchmark=pb.Benchmark()), INVALID, "No benchmark URI")
    stranger = pb.Benchmark(uri="benchmark://x-v0/y")
    refusal(lambda: start(client, benchmark=stranger), MISSING, "Benchmark not found", stranger.uri)
    for program, code, part in (
        ({"contents": b""}, INVALID, "No program set"),
        ({"uri": "file:///nowhere/x.bc"}, MISSING, "/nowhere/x.bc"),
    ):
        adding = pb.AddBenchmarkRequest(benchmark=[benchmark(**program)])
        refusal(partial(client.AddBenchmark, adding), code, part)
    for name, kind in (
        ("Step", pb.StepRequest),
        ("ForkSession", pb.ForkSessionRequest),
        ("SendSessionParameter", pb.SendSessionParameterRequest),
        ("EndSession", pb.EndSessionRequest),
    ):
        request = kind(session_id=unknown)
        refusal(partial(getattr(client, name), request), MISSING, f"Session not found: {unknown}")
    wrong = pb.StepRequest(session_id=session, action=[action("append"), pb.Event(string_value="append")])
    refusal(lambda: client.Step(wrong), INVALID, "int64_value", "string_value")
    refusal(lambda: send(client, session, "x"), INVALID, "Unknown parameter: x")
    refusal(lambda: send(client, session, "fake.parameter", "bad"), INVALID, "anything but 'bad'")
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
    reach: Dial, headers: tuple[tuple[str, str], ...], message: str
) -> None:
    client = reach(FakeSession, token="secret-1")  # noqa: S106 # known to this test alone
    for call, request in (
        (client.GetVersion, pb.GetVersionRequest()),
        (client.StartSession, pb.StartSessionRequest(benchmark=THREE)),
    ):
        refusal(lambda c=call, r=request: c(r, metadata=headers), grpc.StatusCode.UNAUTHENTICATED, message)
    right = (("authorization", "Bearer secret-1"),)
    assert client.GetVersion(pb.GetVersionRequest(), metadata=right).compiler_version == "fake 1.0"


def test_messages_beyond_the_limit_are_refused_in_both_directions(reach: Dial) -> None:
    client = reach(FakeSession, max_message_bytes=20_000)
    exhausted = grpc.StatusCode.RESOURCE_EXHAUSTED
    refusal(lambda: start(client, benchmark=benchmark(contents=bytes(30_000))), exhausted, "larger than max")
    session = start(client, benchmark=benchmark(contents=b"\xff" * 12_000))
    refusal(lambda: step(client, session, see="history"), exhausted, "larger than max")
    assert step(client, session).observation[0].int64_value == 12_000


def test_large_messages_and_metadata_pass(isolated: str, dial: Dial) -> None:
    unlimited = {"grpc.max_send_message_length": -1, "grpc.max_receive_message_length": -1}
    client = dial(isolated, **unlimited)
    session = start(client, benchmark=benchmark(contents=bytes(4_500_000)))
    reply = step(client, session, see="history")
    assert len(reply.observation[0].int64_tensor.value) == 4_500_000
    headers = (("x-long", "x" * (MAX_METADATA_BYTES // 2)),)
    assert client.GetVersion(pb.GetVersionRequest(), metadata=headers).compiler_version == "fake 1.0"


class Faulty(FakeSession):
    def apply_action(self, action: pb.Event) -> Any:
        if action.int64_value == 0:
            raise MemoryError
        return None

    def get_observation(self, observation_space: pb.ObservationSpace) -> pb.Event:
        raise ValueError("first words " + "\ud800x\n" * 5000 + " last words")


def test_the_server_survives_what_goes_wrong_inside(reach: Dial) -> None:
    client = reach(Faulty)
    session = start(client)
    error = refusal(lambda: step(client, session), INVALID, "first words", "last words")
    assert len(error.details()) < 3000
    refusal(lambda: step(client, session, "append"), grpc.StatusCode.RESOURCE_EXHAUSTED, "out of memory")
    refusal(lambda: step(client, session), MISSING, "Session not found")
    refusal(lambda: step(client, start(client), "nothing"), grpc.StatusCode.INTERNAL, "None")
    assert client.GetVersion(pb.GetVersionRequest()).compiler_version == "fake 1.0"


class Together(FakeSession):
    everybody = threading.Barrier(200)

    def apply_action(self, action: pb.Event) -> tuple[bool, pb.ActionSpace | None, bool]:
        self.everybody.wait(60)
        return super().apply_action(action)


def test_two_hundred_sessions_step_at_once(reach: Dial) -> None:
    client = reach(Together)
    sessions = [start(client) for _ in range(200)]
    calls = [
        client.Step.future(pb.StepRequest(session_id=session, action=[action("append")]))
        for session in sessions
    ]
    assert all(isinstance(call.result(90), pb.StepReply) for call in calls)


class Slow(FakeSession):
    entered = threading.Event()
    begin = threading.Event()
    ended = threading.Event()

    def __init__(self, *arguments: Any) -> None:
        self.entered.set()
        self.begin.wait(60)
        super().__init__(*arguments)

    def close(self) -> None:
        self.ended.set()


def test_a_session_whose_client_has_given_up_is_ended(reach: Dial) -> None:
    client = reach(Slow)
    request = pb.StartSessionRequest(benchmark=THREE)
    while not Slow.entered.is_set():  # a busy machine may not even begin with the first
        refusal(lambda: client.StartSession(request, timeout=0.3), grpc.StatusCode.DEADLINE_EXCEEDED)
    time.sleep(1.0)  # the server hears a little later that its client has given up
    Slow.begin.set()
    assert Slow.ended.wait(20)
    assert client.EndSession(pb.EndSessionRequest(session_id=start(client))).remaining_sessions == 0


def test_a_port_is_used_by_one_service_only(unstarted: Callable[[], GrpcServer], dial: Dial) -> None:
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


PATH = "/compiler_gym.CompilerGymService/"
AS_ANOTHER_USER = """
import os, sys
import grpc
grpc.insecure_channel("127.0.0.1:1").close()  # loads what it needs while that can be read
os.setuid(65534)
channel = grpc.insecure_channel(sys.argv[1])
for path, message in zip(sys.argv[2::2], sys.argv[3::2]):
    try:
        channel.unary_unary(path)(bytes.fromhex(message), timeout=20)
        print("answered")
    except grpc.RpcError as error:
        print(error.code().name, error.details())
"""


def from_a_file(tmp_path: Path) -> pb.Benchmark:
    (tmp_path / "numbers").write_bytes(bytes(4))
    return pb.Benchmark(uri=THREE.uri, program=pb.File(uri=f"file://{tmp_path}/numbers"))


def test_files_are_read_for_processes_of_the_same_user(reach: Dial, tmp_path: Path) -> None:
    client = reach(FakeSession, host="127.0.0.1")
    assert start(client, benchmark=from_a_file(tmp_path)) == 1
    client.AddBenchmark(pb.AddBenchmarkRequest(benchmark=[from_a_file(tmp_path)]))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("files_for_all", [False, True])
def test_files_are_read_for_other_users_only_if_allowed(
    listen: Listen, tmp_path: Path, *, files_for_all: bool
) -> None:
    service = CompilerGymService(tmp_path, FakeSession)
    endpoint = listen(service, host="127.0.0.1", files_for_all=files_for_all)
    known = from_a_file(tmp_path)
    starting = pb.StartSessionRequest(benchmark=known).SerializeToString().hex()
    adding = pb.AddBenchmarkRequest(benchmark=[THREE, known]).SerializeToString().hex()
    calls = [f"{PATH}StartSession", starting, f"{PATH}AddBenchmark", adding]
    command = [sys.executable, "-c", AS_ANOTHER_USER, endpoint, *calls]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    if files_for_all:
        assert lines == ["answered"] * 2
        return
    assert len(lines) == 2
    for line in lines:
        assert line.startswith(f"INVALID_ARGUMENT Program 'file://{tmp_path}/numbers'"), line
        assert "only for its own user's" in line
        assert "contents" in line
        assert "--allow-files" in line


def test_without_the_token_no_message_is_received(reach: Dial) -> None:
    client = reach(FakeSession, token="secret-3")  # noqa: S106 # known to this test alone
    never = threading.Event()

    def message() -> Iterator[bytes]:
        never.wait(60)
        yield b""

    call = client.channel.stream_unary(f"{PATH}AddBenchmark")
    try:
        refusal(
            lambda: call(message(), timeout=20, metadata=(("authorization", "Bearer x"),)),
            grpc.StatusCode.UNAUTHENTICATED,
            "not the service's",
        )
    finally:
        never.set()


class Hanging(FakeSession):
    let_go = threading.Event()

    def apply_action(self, action: pb.Event) -> tuple[bool, pb.ActionSpace | None, bool]:
        self.let_go.wait(60)
        return super().apply_action(action)


def test_sessions_can_be_ended_while_all_threads_hang(reach: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grpc_server, "THREADS", 2)
    client = reach(Hanging)
    sessions = [start(client) for _ in range(3)]
    calls = [
        client.Step.future(pb.StepRequest(session_id=session, action=[action("append")]))
        for session in sessions[:2]
    ]
    try:
        time.sleep(0.1)
        assert client.GetVersion(pb.GetVersionRequest(), timeout=20).compiler_version == "fake 1.0"
        assert client.GetSpaces(pb.GetSpacesRequest(), timeout=20).action_space_list
        assert client.EndSession(pb.EndSessionRequest(session_id=sessions[2]), timeout=20)
        assert not any(call.done() for call in calls)
    finally:
        Hanging.let_go.set()
    assert all(isinstance(call.result(20), pb.StepReply) for call in calls)


def test_messages_of_errors_hold_no_control_characters(reach: Dial) -> None:
    client, unknown = reach(FakeSession), pb.Benchmark(uri="x\x1b[31m\x00\u202e\ny")
    refusal(lambda: start(client, benchmark=unknown), grpc.StatusCode.NOT_FOUND, "x\\x1b[31m\\x00\\u202e\ny")


@pytest.fixture(params=["in one process", "isolated"])
def stub(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[pb_grpc.CompilerGymServiceStub]:
    """A client of a service in a plain gRPC server, into which any program can put it."""
    is_isolated = request.param == "isolated"
    service = IsolatedService(FAKE) if is_isolated else CompilerGymService(tmp_path, FakeSession)
    server = grpc.server(ThreadPoolExecutor(4))
    pb_grpc.add_CompilerGymServiceServicer_to_server(GrpcServicer(service), server)
    server.add_insecure_port(f"unix:{tmp_path}/socket")
    server.start()
    with grpc.insecure_channel(f"unix:{tmp_path}/socket") as channel:
        yield pb_grpc.CompilerGymServiceStub(channel)
    server.stop(0).wait()
    service.close()


def test_all_eight_calls_are_answered(stub: pb_grpc.CompilerGymServiceStub) -> None:
    assert stub.GetVersion(pb.GetVersionRequest()).compiler_version == "fake 1.0"
    assert stub.GetSpaces(pb.GetSpacesRequest()).action_space_list == FakeSession.action_spaces
    assert stub.AddBenchmark(pb.AddBenchmarkRequest(benchmark=[THREE])) == pb.AddBenchmarkReply()
    session = start(stub, benchmark=pb.Benchmark(uri=URI))
    assert step(stub, session, "append").observation[0].int64_value == 4
    fork = stub.ForkSession(pb.ForkSessionRequest(session_id=session)).session_id
    assert step(stub, fork, "append", "append").observation[0].int64_value == 6
    size = send(stub, session, "service.benchmark_cache.get_size_in_bytes")
    assert size == [str(THREE.ByteSize())]
    assert stub.EndSession(pb.EndSessionRequest(session_id=fork)).remaining_sessions == 1
