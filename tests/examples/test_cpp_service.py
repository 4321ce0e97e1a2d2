"""The service in C++ and the one in Python are the same compiler, and the former's process behaves."""

from __future__ import annotations

import os
import re
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.errors import InvalidInput, ServiceClosed, ServiceError, SessionCrashed
from optarena.service.client.executable import ServiceProcess
from optarena.service.client.grpc_connection import GrpcConnection
from optarena.service.client.in_process import InProcessConnection
from optarena.service.client.options import ConnectionOptions
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.messages import RUN_PROGRAM, VERIFY, program_order, program_run
from optarena.service.session_process.compiler_gym_service import CompilerGymService
from stack_compiler.session import INSTRUCTIONS, MAX_INSTRUCTIONS, REWRITES, StackSession

if TYPE_CHECKING:
    from optarena.env import CompilerEnv
    from optarena.service.client.interface import Connection

pytestmark = pytest.mark.soak

URI = "benchmark://tests-v0/program"
EVERYTHING = range(len(StackSession.observation_spaces))
NUMBERS = st.sampled_from([0, 0, 1, 1, 2, -1, 3, 2**62, 2**63 - 1, -(2**63)]) | st.integers(
    -(2**63), 2**63 - 1
)
NAMES = st.sampled_from(["x", "y", "total"])
LINES = st.one_of(
    st.sampled_from([name for name in INSTRUCTIONS if name not in {"push", "load"}]),
    NUMBERS.map("push {}".format),
    NAMES.map("load {}".format),
)
ODD_LINES = (
    "", "#", "# only a comment", "push 1# one", "\tpush\t1 ", "push 1\r", "\u00a0push\u20031", "\u2028push 1",
    "push 1\x1c", "push\x0b1", "push\x001", "\ufeffpush 1", "\u200bpush 1", "\u180epush 1", "\x85",
    "PUSH 1", "push", "push 1 2", "push +1", "push 1_0", "push 0x1", "push --1", "push -", "push \u0663",
    "push 007", "push -0", "push 9223372036854775807", "push 9223372036854775808",
    "push -9223372036854775808", "push -9223372036854775809", "push 18446744073709551617",
    "push 00000000000000000001", "push 000000000000000000001", "push 99999999999999999999",
    "load", "load X", "load a1", "load ä", "load x y", "drop", "dup 1", "adds", "print;", "'", '"', "é" * 100,
)  # fmt: skip


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Well-formed programs, with the short sequences that rewrites look for."""
    lines = ["# a program without any instruction is not empty\n"]
    depth = 0
    for line in draw(st.lists(LINES, max_size=60)):
        taken, given_back, _ = INSTRUCTIONS[line.partition(" ")[0]]
        if depth >= taken:
            lines.append(f"{line}\n")
            depth += given_back - taken
    return "".join(lines)


@pytest.fixture(scope="module")
def cpp(cpp_service: Path) -> Iterator[Connection]:
    process = ServiceProcess.start(cpp_service)
    with GrpcConnection.open(process.endpoint, process=process) as connection:
        yield connection


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Connection:
    return InProcessConnection(CompilerGymService(tmp_path_factory.mktemp("python"), StackSession))


def start(connection: Connection, program: bytes) -> pb.StartSessionReply:
    benchmark = pb.Benchmark(uri=URI, program=pb.File(contents=program))
    request = pb.StartSessionRequest(benchmark=benchmark, observation_space=EVERYTHING)
    return connection.start_session(request)


def walk(connection: Connection, program: str, actions: list[int]) -> Iterator[object]:
    """Everything that a session answers on its way, but its id."""
    started = start(connection, program.encode())
    yield list(started.observation)
    for action in actions:
        request = pb.StepRequest(
            session_id=started.session_id,
            action=[pb.Event(int64_value=action)],
            observation_space=EVERYTHING,
        )
        yield connection.step(request)
    yield send(connection, started.session_id, VERIFY, "")
    connection.end(started.session_id)


def send(connection: Connection, session_id: int, key: str, value: str) -> str:
    parameter = pb.SessionParameter(key=key, value=value)
    request = pb.SendSessionParameterRequest(session_id=session_id, parameter=[parameter])
    return str(connection.send_session_parameter(request).reply[0])


def run(connection: Connection, source: str, arguments: list[str]) -> tuple[object, ...]:
    """What a program does, and whether it could be run."""
    session_id = start(connection, source.encode()).session_id
    order = program_order(arguments, b"", seconds=1, output_bytes=50)
    done = program_run(send(connection, session_id, RUN_PROGRAM, order))
    connection.end(session_id)
    return done.stdout, done.exit_code, done.output_truncated, bool(done.failure)


def refusal(connection: Connection, program: bytes) -> tuple[str, list[str]]:
    """How a program is refused, and the lines and numbers named; or its code."""
    try:
        started = start(connection, program)
    except (ValueError, OSError) as error:
        return type(error).__name__, re.findall(
            r"line \d+|does not fit|holds \d+|is not one of|at most", str(error)
        )
    connection.end(started.session_id)
    return started.observation[0].string_value, []


def test_both_offer_the_same(cpp: Connection, python: Connection) -> None:
    assert cpp.get_spaces(pb.GetSpacesRequest()) == python.get_spaces(pb.GetSpacesRequest())
    versions = [one.get_version(pb.GetVersionRequest()).compiler_version for one in (cpp, python)]
    assert versions == [StackSession.compiler_version] * 2


@given(program=programs(), actions=st.lists(st.integers(0, len(REWRITES) - 1), max_size=12))
def test_rewrites_agree(cpp: Connection, python: Connection, program: str, actions: list[int]) -> None:
    assert list(walk(cpp, program, actions)) == list(walk(python, program, actions))


@pytest.mark.parametrize("line", ODD_LINES)
def test_each_odd_line_is_read_alike(cpp: Connection, python: Connection, line: str) -> None:
    program = f"push 1\n{line}\n".encode()
    assert refusal(cpp, program) == refusal(python, program)


def test_the_longest_program_is_the_same(cpp: Connection, python: Connection) -> None:
    longest = b"push 1\n" * MAX_INSTRUCTIONS
    assert refusal(cpp, longest) == refusal(python, longest) == (longest.decode(), [])
    assert refusal(cpp, longest + b"drop") == refusal(python, longest + b"drop")
    assert refusal(cpp, longest + b"drop")[0] == InvalidInput.__name__


@given(
    program=programs(),
    x=NUMBERS | st.integers(),
    arguments=st.lists(
        st.sampled_from(["y=-7", "total=0", "x=12", "x=", "x", "=1", "z=1", "x=1.5"]) | st.text(max_size=8),
        max_size=3,
    ),
)
def test_runs_agree(cpp: Connection, python: Connection, program: str, x: int, arguments: list[str]) -> None:
    source = f"{program}\nload x\nprint\n"
    assert run(cpp, source, [f"x={x}", *arguments]) == run(python, source, [f"x={x}", *arguments])


@pytest.mark.parametrize(
    "order",
    ["", "[]", "{}", "{", '{"arguments": "x"}', '{"arguments": [1]}', '{"arguments": [], "seconds": 0}',
     '{"arguments": [], "seconds": "1"}', '{"arguments": [], "output_bytes": 1e9}',
     '{"arguments": [], "stdin": "?"}', '{"arguments": ["x\\ud800=7"]}', '{"arguments": ["\\udc00\\ud800"]}'],
)  # fmt: skip
def test_orders_to_run_are_refused_alike(cpp: Connection, python: Connection, order: str) -> None:
    for connection in (cpp, python):
        session_id = start(connection, b"push 1\n").session_id
        with pytest.raises(InvalidInput):
            send(connection, session_id, RUN_PROGRAM, order)
        connection.end(session_id)


@pytest.mark.parametrize("size", ["", "-1", "+5", " 5", "1_000", "\u0663", "9" * 16, "9" * 4000])
def test_sizes_of_the_cache_are_refused_alike(cpp: Connection, python: Connection, size: str) -> None:
    for connection in (cpp, python):
        session_id = start(connection, b"push 1\n").session_id
        with pytest.raises(InvalidInput, match="at most 15 digits"):
            send(connection, session_id, "service.benchmark_cache.set_max_size_in_bytes", size)
        connection.end(session_id)


def test_messages_that_cannot_be_read_are_the_callers_fault(cpp_service: Path) -> None:
    with ServiceProcess.start(cpp_service) as process, grpc.insecure_channel(process.endpoint) as channel:
        for name in ("Step", "StartSession", "SendSessionParameter"):
            call = channel.unary_unary(f"/compiler_gym.CompilerGymService/{name}")
            with pytest.raises(grpc.RpcError) as caught:
                call(b"\xff" * 100, timeout=30)
            assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
            assert "cannot be read" in caught.value.details()


def test_its_cache_evicts_half_and_keeps_what_is_too_large(cpp: Connection) -> None:
    prefix = "service.benchmark_cache."
    session_id = start(cpp, b"push 1\n").session_id

    def sizes_after(*contents: int) -> list[int]:
        sizes = []
        for number, size in enumerate(contents):
            program = pb.File(contents=b"#" * size)
            benchmark = pb.Benchmark(uri=f"benchmark://cache-v0/{number}", program=program)
            cpp.add_benchmark(pb.AddBenchmarkRequest(benchmark=[benchmark]))
            sizes.append(int(send(cpp, session_id, f"{prefix}get_size_in_bytes", "")))
        return sizes

    try:
        send(cpp, session_id, f"{prefix}set_max_size_in_bytes", "0")
        send(cpp, session_id, f"{prefix}set_max_size_in_bytes", "1000")
        one, *others = sizes_after(*[200] * 12)
        assert 200 < one < 250
        assert [size // one for size in others[:3]] == [2, 3, 4]
        assert others[3] <= 500 + one
        assert max(others) <= 1000
        assert sizes_after(3000)[0] > 3000
        assert sizes_after(200) == [one]
    finally:
        send(cpp, session_id, f"{prefix}set_max_size_in_bytes", "54525952")
        cpp.end(session_id)


def test_an_environment_runs_on_it(cpp_service: Path, make: Callable[..., CompilerEnv]) -> None:
    environments = [make("stack-v0"), make("stack-v0", service=cpp_service)]
    for env in environments:
        env.reset(seed=1)
    for action in (*range(len(REWRITES)), 0, 4):
        (first, *rest), (second, *others) = (env.step(action) for env in environments)
        assert (first == second).all()
        assert rest == others
    first, second = environments
    assert first.observation["digest"] == second.observation["digest"]
    assert first.commandline() == second.commandline()


def test_a_killed_service_is_a_crash_and_another_can_be_started(cpp_service: Path) -> None:
    process = ServiceProcess.start(cpp_service)
    with GrpcConnection.open(process.endpoint, process=process) as connection:
        session_id = start(connection, b"push 1\n").session_id
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(SessionCrashed) as caught:
            connection.step(pb.StepRequest(session_id=session_id))
        assert caught.value.signal == signal.SIGKILL
        with pytest.raises(ServiceClosed):
            start(connection, b"push 1\n")
    process = ServiceProcess.start(cpp_service)
    with GrpcConnection.open(process.endpoint, process=process) as connection:
        assert start(connection, b"push 1\n").session_id


def test_it_ends_when_asked_with_sessions_open(cpp_service: Path) -> None:
    with ServiceProcess.start(cpp_service) as process:
        connection = GrpcConnection.open(process.endpoint)
        start(connection, b"push 1\n")
        os.kill(process.pid, signal.SIGTERM)
        status = process.wait(30)
        connection.close()
        assert not list(Path(process.directory).glob("p*.txt"))
    assert status.code == 0


def test_it_writes_its_files_and_listens_on_one_address_only(cpp_service: Path) -> None:
    with ServiceProcess.start(cpp_service) as process:
        host, _, port = process.endpoint.partition(":")
        folder = Path(process.directory)
        assert (folder / "port.txt").read_text() == port
        assert (folder / "pid.txt").read_text() == str(process.pid)
        socket.create_connection((host, int(port))).close()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", int(port)))


def test_arguments_that_cannot_be_used_are_shown(cpp_service: Path) -> None:
    with ServiceProcess.start(cpp_service) as process:
        taken = process.endpoint.partition(":")[2]
        for arguments, message in (
            (("--port", taken), f"cannot listen on 127.0.0.1:{taken}"),
            (("--port=x",), "--port: expected 0 to 65535, got 'x'"),
            (("--nonsense",), "unknown argument '--nonsense'"),
        ):
            with pytest.raises(ServiceError, match=message):
                ServiceProcess.start(cpp_service, ConnectionOptions(script_args=arguments))
