"""The eight calls in a gRPC server of somebody else's, called by the generated stub."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from fake_compiler import ACTIONS, OBSERVATIONS, FakeSession, action

from optarena.datasets import Benchmark
from optarena.env import CompilerEnv
from optarena.errors import SessionCrashed
from optarena.service.client.grpc_connection import GrpcConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.proto import compiler_gym_service_pb2_grpc as pb_grpc
from optarena.service.runtime.grpc_server import GrpcServicer
from optarena.service.runtime.serving import IsolatedService
from optarena.service.session_process.compiler_gym_service import CompilerGymService
from optarena.specs import EnvironmentSpec, Metric, NamedActions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

THREE = pb.Benchmark(uri="benchmark://numbers-v0/three", program=pb.File(contents=bytes([5, 6, 7])))
LENGTH = OBSERVATIONS.index("length")
STATUS = grpc.StatusCode


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[Any], str]]:
    """Puts a service into a plain gRPC server, as any program can; answers its endpoint."""
    servers: list[tuple[grpc.Server, Any]] = []

    def serve_one(service: Any) -> str:
        server = grpc.server(ThreadPoolExecutor(4))
        pb_grpc.add_CompilerGymServiceServicer_to_server(GrpcServicer(service), server)
        endpoint = f"unix:{tmp_path / f'socket{len(servers)}'}"
        server.add_insecure_port(endpoint)
        server.start()
        servers.append((server, service))
        return endpoint

    yield serve_one
    for server, service in servers:
        server.stop(0).wait()
        service.close()


@pytest.fixture(params=["in one process", "isolated"])
def stub(
    request: pytest.FixtureRequest, serve: Callable[[Any], str], tmp_path: Path
) -> Iterator[pb_grpc.CompilerGymServiceStub]:
    """The generated client of a service of each kind."""
    isolated = request.param == "isolated"
    service: Any = (
        IsolatedService("fake_compiler:FakeSession")
        if isolated
        else CompilerGymService(tmp_path, FakeSession)
    )
    with grpc.insecure_channel(serve(service)) as channel:
        yield pb_grpc.CompilerGymServiceStub(channel)


def step(session_id: int, *names: str) -> pb.StepRequest:
    return pb.StepRequest(
        session_id=session_id, action=[action(name) for name in names], observation_space=[LENGTH]
    )


def refusal(call: Callable[[Any], object], request: object) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.RpcError) as caught:
        call(request)
    return caught.value.code(), caught.value.details()


def test_all_eight_calls_are_answered(stub: pb_grpc.CompilerGymServiceStub) -> None:
    assert stub.GetVersion(pb.GetVersionRequest()).compiler_version == "fake 1.0"
    spaces = stub.GetSpaces(pb.GetSpacesRequest())
    assert spaces.action_space_list == FakeSession.action_spaces
    assert stub.AddBenchmark(pb.AddBenchmarkRequest(benchmark=[THREE])) == pb.AddBenchmarkReply()
    session = stub.StartSession(pb.StartSessionRequest(benchmark=pb.Benchmark(uri=THREE.uri))).session_id
    assert stub.Step(step(session, "append")).observation[0].int64_value == 4
    fork = stub.ForkSession(pb.ForkSessionRequest(session_id=session)).session_id
    assert stub.Step(step(fork, "append", "append")).observation[0].int64_value == 6
    parameter = pb.SessionParameter(key="service.benchmark_cache.get_size_in_bytes")
    replies = stub.SendSessionParameter(
        pb.SendSessionParameterRequest(session_id=session, parameter=[parameter])
    )
    assert replies.reply == [str(THREE.ByteSize())]
    assert stub.EndSession(pb.EndSessionRequest(session_id=fork)).remaining_sessions == 1


def test_what_the_service_raises_is_the_status_of_the_call(stub: pb_grpc.CompilerGymServiceStub) -> None:
    session = stub.StartSession(pb.StartSessionRequest(benchmark=THREE)).session_id
    wrong = pb.StepRequest(session_id=session, action=[pb.Event(int64_value=99)])
    empty = pb.Benchmark(uri="benchmark://x-v0/y", program=pb.File())
    unknown = pb.Benchmark(uri="benchmark://x-v0/y")
    for call, request, code, text in (
        (stub.StartSession, pb.StartSessionRequest(), STATUS.INVALID_ARGUMENT, "No benchmark URI"),
        (stub.StartSession, pb.StartSessionRequest(benchmark=unknown), STATUS.NOT_FOUND, "not found"),
        (
            stub.AddBenchmark,
            pb.AddBenchmarkRequest(benchmark=[empty]),
            STATUS.INVALID_ARGUMENT,
            "No program set",
        ),
        (stub.Step, step(session + 9), STATUS.NOT_FOUND, f"Session not found: {session + 9}"),
        (stub.ForkSession, pb.ForkSessionRequest(session_id=99), STATUS.NOT_FOUND, "Session not found: 99"),
        (stub.EndSession, pb.EndSessionRequest(session_id=99), STATUS.NOT_FOUND, "Session not found: 99"),
        (stub.Step, wrong, STATUS.INVALID_ARGUMENT, f"0 to {len(ACTIONS) - 1}"),
        (stub.Step, step(session, "fail"), STATUS.INTERNAL, ""),
    ):
        refused, details = refusal(call, request)
        assert (refused, text in details) == (code, True), (request, details)
    assert stub.GetVersion(pb.GetVersionRequest()).compiler_version == "fake 1.0"


def test_our_own_clients_raise_the_error_that_the_service_raised(serve: Callable[[Any], str]) -> None:
    with GrpcConnection.open(serve(IsolatedService("fake_compiler:FakeSession"))) as connection:
        session = connection.start_session(pb.StartSessionRequest(benchmark=THREE)).session_id
        with pytest.raises(SessionCrashed) as caught:
            connection.step(step(session, "crash"))
    assert caught.value.signal == 11


def test_an_environment_can_use_it(serve: Callable[[Any], str], tmp_path: Path) -> None:
    spec = EnvironmentSpec(
        slug="fake-v0",
        title="",
        service="fake_compiler:FakeSession",
        digest_observation="files",
        dataset="",
        action_table=NamedActions("all", ACTIONS, "fake"),
        metrics=(Metric(name="length", title="", unit="", observation="length"),),
    )
    numbers = Benchmark.from_bytes(THREE.uri, THREE.program.contents)
    endpoint = serve(CompilerGymService(tmp_path, FakeSession))
    with CompilerEnv(spec, benchmark=numbers, service=endpoint) as env:
        env.reset()
        env.step(ACTIONS.index("append"))
        with env.fork() as fork:
            fork.step(ACTIONS.index("append"))
            assert (env.observation["length"], fork.observation["length"]) == (4, 5)
