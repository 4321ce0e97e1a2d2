"""The gRPC server and callers that mean no good: files, tokens, messages, and sessions that hang."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from fake_compiler import FakeSession, action

from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.runtime import grpc_server
from optarena.service.runtime.grpc_server import GrpcServer
from optarena.service.session_process.compiler_gym_service import CompilerGymService

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

THREE = pb.Benchmark(uri="benchmark://numbers-v0/three", program=pb.File(contents=bytes([5, 6, 7])))
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


@pytest.fixture
def listen(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Starts servers on a TCP port of this machine, and stops them in the end."""
    started: list[GrpcServer] = []

    def start_one(
        session_type: type[FakeSession] = FakeSession, address: str = "127.0.0.1", **options: Any
    ) -> str:
        server = GrpcServer(CompilerGymService(tmp_path, session_type), **options)
        started.append(server)
        endpoint = server.bind(address, 0)
        server.start()
        return endpoint

    yield start_one
    for server in started:
        server.stop(0)


def start(client: Any, **request: Any) -> int:
    return int(client.StartSession(pb.StartSessionRequest(**{"benchmark": THREE, **request})).session_id)


def from_a_file(tmp_path: Path) -> pb.Benchmark:
    (tmp_path / "numbers").write_bytes(bytes(4))
    return pb.Benchmark(uri=THREE.uri, program=pb.File(uri=f"file://{tmp_path}/numbers"))


def refusal(call: Callable[[], object], code: grpc.StatusCode, *parts: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        call()
    assert caught.value.code() is code, caught.value
    assert all(part in caught.value.details() for part in parts), caught.value.details()


def test_files_are_read_for_processes_of_the_same_user(
    listen: Callable[..., str], dial: Callable[..., Any], tmp_path: Path
) -> None:
    client = dial(listen())
    assert start(client, benchmark=from_a_file(tmp_path)) == 1
    client.AddBenchmark(pb.AddBenchmarkRequest(benchmark=[from_a_file(tmp_path)]))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("files_for_all", [False, True])
def test_files_are_read_for_other_users_only_if_allowed(
    listen: Callable[..., str], tmp_path: Path, *, files_for_all: bool
) -> None:
    endpoint = listen(files_for_all=files_for_all)
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


def test_without_the_token_no_message_is_received(
    listen: Callable[..., str], dial: Callable[..., Any]
) -> None:
    client = dial(listen(token="secret-3"))  # noqa: S106 # known to this test alone
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
    """Works until it is let go."""

    let_go = threading.Event()

    def apply_action(self, action: pb.Event) -> tuple[bool, pb.ActionSpace | None, bool]:
        """Wait."""
        self.let_go.wait(60)
        return super().apply_action(action)


def test_sessions_can_be_ended_while_all_threads_hang(
    listen: Callable[..., str], dial: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grpc_server, "THREADS", 2)
    client = dial(listen(Hanging))
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


def test_messages_of_errors_hold_no_control_characters(
    listen: Callable[..., str], dial: Callable[..., Any]
) -> None:
    client, unknown = dial(listen()), pb.Benchmark(uri="x\x1b[31m\x00\u202e\ny")
    refusal(lambda: start(client, benchmark=unknown), grpc.StatusCode.NOT_FOUND, "x\\x1b[31m\\x00\\u202e\ny")
