"""A service over gRPC, ours or foreign: who is there, answers, errors, what is done once only, and ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from forking import in_forked_process
from plain_client import options, start, step
from plain_server import PlainServer, answers_late, fails_with

from optarena.errors import (
    InvalidInput,
    ServiceClosed,
    ServiceError,
    SessionCrashed,
    SessionNotFound,
    SessionTimeout,
    TransportError,
)
from optarena.service.client.executable import ServiceProcess
from optarena.service.client.grpc_connection import GrpcConnection, SessionToucher
from optarena.service.client.options import ConnectionOptions
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.runtime.grpc_server import GrpcServer
from optarena.service.runtime.serving import IsolatedService
from tests.kit.folders import PLUGINS
from tests.kit.processes import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    Dial = Callable[..., GrpcConnection]
    Serve = Callable[..., PlainServer]


@pytest.fixture
def server(serve: Serve) -> PlainServer:
    return serve()


@pytest.fixture
def connection(server: PlainServer, dial: Dial) -> GrpcConnection:
    return dial(server.endpoint)


@pytest.fixture
def session(connection: GrpcConnection, benchmark: pb.Benchmark) -> int:
    return start(connection, benchmark)


@pytest.fixture
def reach(dial: Dial, serve: Serve) -> Dial:
    return lambda **overrides: dial(serve(overrides=overrides).endpoint)


def calls_of(connection: GrpcConnection, session: int = 7) -> dict[str, Callable[[], object]]:
    sent = pb.SendSessionParameterRequest(session_id=session)
    ended = pb.EndSessionRequest(session_id=session)
    return {
        "StartSession": lambda: connection.start_session(pb.StartSessionRequest()),
        "Step": lambda: step(connection, session, "append"),
        "ForkSession": lambda: connection.fork(session),
        "SendSessionParameter": lambda: connection.send_session_parameter(sent),
        "EndSession": lambda: connection.end_session(ended),
    }


def test_not_found_in_a_session_is_about_the_session_whatever_a_service_says(reach: Dial) -> None:
    lost = fails_with(grpc.StatusCode.NOT_FOUND, "never heard of it")
    names = ("Step", "ForkSession", "EndSession", "SendSessionParameter")
    for name in names:
        connection = reach(**{name: lost, "EndSession": lost})
        with pytest.raises(SessionNotFound, match="never heard of it"):
            calls_of(connection)[name]()
        connection.end(7)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (grpc.StatusCode.INVALID_ARGUMENT, ValueError),
        (grpc.StatusCode.UNIMPLEMENTED, NotImplementedError),
        (grpc.StatusCode.FAILED_PRECONDITION, TypeError),
        (grpc.StatusCode.DEADLINE_EXCEEDED, TimeoutError),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, ServiceError),
        (grpc.StatusCode.UNKNOWN, ServiceError),
        (grpc.StatusCode.INTERNAL, ServiceError),
        (grpc.StatusCode.DATA_LOSS, ServiceError),
        (grpc.StatusCode.CANCELLED, ServiceError),
        (grpc.StatusCode.UNAVAILABLE, TransportError),
    ],
)
def test_each_status_is_an_error_of_the_package_even_without_words(
    reach: Dial, code: grpc.StatusCode, kind: type[Exception]
) -> None:
    connection = reach(GetSpaces=fails_with(code))
    with pytest.raises(kind, match=r"."):
        connection.get_spaces(pb.GetSpacesRequest())
    assert not connection.closed


def test_errors_of_our_own_services_keep_their_class_and_signal(reach: Dial, benchmark: pb.Benchmark) -> None:
    told = (("optarena-error", "SessionCrashed"), ("optarena-signal", "11"))
    crash = fails_with(grpc.StatusCode.INTERNAL, "it crashed", *told)
    connection = reach(Step=crash)
    with pytest.raises(SessionCrashed, match="it crashed") as caught:
        step(connection, start(connection, benchmark), "append")
    assert caught.value.signal == signal.SIGSEGV


@pytest.mark.parametrize(
    ("code", "lost"),
    [
        (grpc.StatusCode.PERMISSION_DENIED, False),
        (grpc.StatusCode.NOT_FOUND, False),
        (grpc.StatusCode.FAILED_PRECONDITION, False),
        (grpc.StatusCode.INTERNAL, True),
        (grpc.StatusCode.CANCELLED, True),
    ],
)
def test_what_loses_a_session_is_the_same_as_over_every_carrier(
    reach: Dial, benchmark: pb.Benchmark, code: grpc.StatusCode, *, lost: bool
) -> None:
    fails = fails_with(code, "no", ("optarena-error", "FileNotFoundError"))
    connection = reach(Step=fails)
    session = start(connection, benchmark)
    for attempt in range(2):
        with pytest.raises((ServiceError, OSError, TypeError)) as caught:
            step(connection, session, "append")
        assert isinstance(caught.value, ServiceClosed) == (lost and attempt == 1)
        assert isinstance(caught.value, FileNotFoundError) == (code is grpc.StatusCode.NOT_FOUND)


def test_metadata_of_foreign_services_may_be_anything(reach: Dial) -> None:
    odd = (
        ("optarena-error", "__doc__"),
        ("optarena-signal", "9" * 5000),
        ("trace-bin", b"\xff\x00"),
        ("long", "x" * 100_000),
    )
    for error in ("__doc__", "InvalidDocument", "Problem", "SessionCrashed"):
        told = (("optarena-error", error), *odd[1:])
        behaviour = fails_with(grpc.StatusCode.INTERNAL, "odd", *told)
        connection = reach(GetSpaces=behaviour)
        with pytest.raises(ServiceError, match="odd"):
            connection.get_spaces(pb.GetSpacesRequest())


def test_messages_of_many_megabytes_go_both_ways_up_to_the_limit(dial: Dial, serve: Serve) -> None:
    reply = pb.StepReply(observation=[pb.Event(string_value="x" * 5_000_000)]).SerializeToString()
    server = serve(overrides={"Step": lambda *_: reply})
    large = pb.Benchmark(uri="benchmark://numbers-v0/large", program=pb.File(contents=bytes(5_000_000)))
    connection = dial(server.endpoint)
    request = pb.StepRequest(session_id=start(connection, large), observation_space=[0])
    assert len(connection.step(request).observation[0].string_value) == 5_000_000
    small = dial(server.endpoint, max_message_bytes=1_000_000)
    with pytest.raises(InvalidInput, match="StartSession: The message has 5000"):
        start(small, large)
    with pytest.raises(ServiceError, match="larger than max"):
        small.step(request)


def test_a_call_that_takes_too_long_names_the_seconds_and_gives_the_session_up(
    dial: Dial, serve: Serve, benchmark: pb.Benchmark
) -> None:
    def sleep(*_: object) -> bytes:
        time.sleep(1)
        return b""

    server = serve(overrides={"Step": sleep})
    connection = dial(server.endpoint)
    session, other = start(connection, benchmark), start(connection, benchmark)
    with pytest.raises(SessionTimeout, match=r"Step: no answer within 0\.1 s"):
        step(connection, session, "append", timeout=0.1)
    with pytest.raises(ServiceClosed, match=r"given up: Step: no answer within 0\.1 s"):
        step(connection, session)
    connection.end(session)
    assert server.calls[-1] == "EndSession"
    assert connection.end_session(pb.EndSessionRequest(session_id=other)).remaining_sessions == 0


def open_process(*arguments: str) -> GrpcConnection:
    chosen = options(script_args=arguments)
    process = ServiceProcess.start(PLUGINS / "plain_server.py", chosen)
    return GrpcConnection.open(process.endpoint, chosen, process=process)


def test_a_service_that_dies_in_the_middle_is_a_crash_and_is_asked_once(benchmark: pb.Benchmark) -> None:
    with open_process() as connection:
        session = start(connection, benchmark)
        with pytest.raises(SessionCrashed, match=r"plain_server\.py ended by SIGABRT.*LLVM ERROR") as caught:
            step(connection, session, "append", "abort")
        assert caught.value.signal == signal.SIGABRT
        assert connection.closed
        with pytest.raises(ServiceClosed, match="SIGABRT"):
            step(connection, session)
        connection.end(session)


def test_close_ends_the_process_and_may_come_twice(
    benchmark: pb.Benchmark, ends: Callable[[int], bool]
) -> None:
    connection = open_process()
    session = start(connection, benchmark)
    process = connection.process
    assert process is not None
    connection.close()
    connection.close()
    assert ends(process.pid)
    for use in (lambda: step(connection, session), lambda: connection.get_version(pb.GetVersionRequest())):
        with pytest.raises(ServiceClosed, match="was closed"):
            use()
    connection.end(session)


def test_a_signal_handler_may_close_during_a_call(reach: Dial, benchmark: pb.Benchmark) -> None:
    leave = threading.Event()
    connection = reach(Step=answers_late(leave))
    session = start(connection, benchmark)
    before = signal.signal(signal.SIGALRM, lambda *_: connection.close())
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(ServiceClosed):
            step(connection, session, "append")
    finally:
        signal.signal(signal.SIGALRM, before)
        leave.set()


def test_an_interrupt_gives_up_the_session_alone(reach: Dial, benchmark: pb.Benchmark) -> None:
    leave = threading.Event()
    connection = reach(Step=answers_late(leave))
    session = start(connection, benchmark)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            step(connection, session, "append")
    finally:
        signal.signal(signal.SIGALRM, before)
        leave.set()
    with pytest.raises(ServiceClosed, match="KeyboardInterrupt"):
        step(connection, session)
    connection.end(session)
    start(connection, benchmark)


def test_a_forked_process_may_not_use_it_but_may_open_its_own(
    server: PlainServer, connection: GrpcConnection, session: int
) -> None:
    for use in (lambda: step(connection, session, "append"), lambda: connection.fork(session)):
        said = in_forked_process(use)
        assert said.startswith("ServiceClosed: ")
        assert "which was forked from it" in said
    assert in_forked_process(lambda: connection.close() or connection.end(session) or "closed") == "closed"
    assert in_forked_process(lambda: connection.is_answering(60.0, ask=True)) == "False"
    assert step(connection, session, "append") == 4

    program = """
        import multiprocessing, sys
        from optarena.service.client.grpc_connection import GrpcConnection
        from optarena.service.proto import compiler_gym_service_pb2 as pb
        def ask():
            with GrpcConnection.open(sys.argv[1]) as connection:
                print(connection.get_version(pb.GetVersionRequest()).service_version, flush=True)
        ask()
        with GrpcConnection.open(sys.argv[1]):
            child = multiprocessing.get_context("fork").Process(target=ask)
            child.start()
            child.join()
        ask()
    """
    command = [sys.executable, "-c", textwrap.dedent(program), server.endpoint]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split("\n") == ["plain 1"] * 3 + [""]


IDLE_SECONDS = 1.1
"""After this long without a call, a channel is proved before a call that changes something."""


def test_endpoints_are_unix_sockets_and_ipv6_too(
    serve: Serve, dial: Dial, state_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "grpc_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    unix = serve(f"unix:{state_folder}/a.sock")
    (state_folder / "a.sock").rename(state_folder / "b %41?.sock")
    assert dial(f"unix:{state_folder}/b %41?.sock").get_version(pb.GetVersionRequest()).service_version
    assert unix.calls == ["GetVersion"] * 2
    dial(serve("[::1]:0").endpoint)
    dial(serve().endpoint.replace("127.0.0.1", "localhost"))


@pytest.mark.parametrize(
    "endpoint",
    [
        *("", "nonsense", "a:b:c", "host:99999", "os:getpid", "/bin/true"),
        *(".:1", "a..b:80", "a" * 300 + ":1", "localhost:\N{ARABIC-INDIC DIGIT THREE}", "unix:/a\0b"),
    ],
)
def test_an_endpoint_that_is_none_is_named(endpoint: str) -> None:
    with pytest.raises(InvalidInput, match=r"Give 'host:port'"):
        GrpcConnection.open(endpoint)


def test_a_socket_path_that_is_too_long_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"has 10\d bytes; at most 107 .* shorter path"):
        GrpcConnection.open(f"unix:/{'x' * 107}")


def test_the_words_of_a_service_are_shortened_and_give_a_terminal_no_orders(reach: Dial) -> None:
    fails = fails_with(grpc.StatusCode.INTERNAL, "line\n\x1b[31m" + "x" * 100_000)
    connection = reach(GetSpaces=fails)
    with pytest.raises(ServiceError, match=r"line\n\\x1b\[31mxxx") as caught:
        connection.get_spaces(pb.GetSpacesRequest())
    assert len(str(caught.value)) < 10_000


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def test_a_dead_endpoint_is_named_with_attempts_and_seconds(dial: Dial, tmp_path: Path) -> None:
    endpoint = f"127.0.0.1:{free_port()}"
    with pytest.raises(TransportError, match=rf"at {endpoint}: no process listens.*2 attempts in \d+\.\d s"):
        dial(endpoint)
    with pytest.raises(
        TransportError, match=r"unix:.*no process listens there \(No such file or directory\)"
    ):
        dial(f"unix:{tmp_path}/missing")
    with pytest.raises(TransportError, match="the host is unknown"):
        dial("no-such-host.invalid:1")


@pytest.fixture
def stranger() -> Iterator[Callable[..., str]]:
    """Starts TCP servers that accept connections and say one thing, or nothing."""
    sockets: list[socket.socket] = []

    def listen(says: bytes = b"") -> str:
        listening = socket.create_server(("127.0.0.1", 0))
        sockets.append(listening)

        def accept() -> None:
            try:
                while True:
                    accepted, _ = listening.accept()
                    sockets.append(accepted)
                    accepted.sendall(says)
            except OSError:
                return

        threading.Thread(target=accept, daemon=True).start()
        return f"127.0.0.1:{listening.getsockname()[1]}"

    yield listen
    for each in sockets:
        each.close()


def test_something_that_never_answers_is_told_from_nobody(
    dial: Dial, stranger: Callable[..., str], serve: Serve
) -> None:
    def sleep(*_: object) -> bytes:
        time.sleep(1)
        return b""

    with pytest.raises(TransportError, match=r"does not answer within 0\.3 s; 2 attempts"):
        dial(stranger(), rpc_init_max_seconds=0.3)
    slow = serve(overrides={"GetVersion": sleep})
    with pytest.raises(TransportError, match=r"does not answer within 0\.3 s; 1 attempts"):
        dial(slow.endpoint, init_max_attempts=9, init_max_seconds=0.3, rpc_init_max_seconds=0.3)


@pytest.mark.parametrize("says", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-OpenSSH\r\n", b"\0" * 99])
def test_something_else_that_listens_is_no_compiler_service(
    dial: Dial, stranger: Callable[..., str], says: bytes
) -> None:
    with pytest.raises(TransportError, match=r"The process at .* is not a compiler service"):
        dial(stranger(says))


def test_a_grpc_server_of_something_else_is_no_compiler_service(
    reach: Dial, dial: Dial, serve: Serve
) -> None:
    with pytest.raises(TransportError, match=r"speaks gRPC but has no compiler_gym\.CompilerGymService"):
        dial(serve(name="other.Service").endpoint)
    with pytest.raises(TransportError, match="is not a GetSpacesReply"):
        reach(GetSpaces=lambda *_: b"\xff").get_spaces(pb.GetSpacesRequest())
    with pytest.raises(TransportError, match="not a GetVersionReply"):
        reach(GetVersion=lambda *_: b"\xff")
    with pytest.raises(TransportError, match="not a compiler service: what"):
        reach(GetVersion=fails_with(grpc.StatusCode.INTERNAL, "what?"))


def test_a_token_is_sent_from_options_or_the_environment(
    dial: Dial, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(token="sesame")  # noqa: S106 # the test's
    dial(server.endpoint, token="sesame")  # noqa: S106 # as above
    assert server.metadata["authorization"] == "Bearer sesame"
    with pytest.raises(ServiceError, match=r"requires a token .*OPTARENA_SERVICE_TOKEN"):
        dial(server.endpoint)
    monkeypatch.setenv("OPTARENA_SERVICE_TOKEN", "sesame")
    dial(server.endpoint)
    with pytest.raises(ServiceError, match="rejects the token"):
        dial(server.endpoint, token="wrong")  # noqa: S106 # as above
    for unusable in ("two\nlines", "naïve"):
        with pytest.raises(InvalidInput, match="characters that cannot be sent"):
            dial(server.endpoint, token=unusable)


def unavailable_at_first(times: int, text: str = "busy") -> Any:
    """A call's behaviour: to be unavailable so often, then to answer an empty message."""
    left = [times]

    def behave(_: bytes, context: grpc.ServicerContext) -> bytes:
        if left[0]:
            left[0] -= 1
            context.abort(grpc.StatusCode.UNAVAILABLE, text)
        return b""

    return behave


def test_a_call_that_changes_nothing_is_repeated_while_the_service_is_unavailable(
    dial: Dial, serve: Serve
) -> None:
    server = serve(overrides={"GetSpaces": unavailable_at_first(4)})
    assert dial(server.endpoint).get_spaces(pb.GetSpacesRequest()) == pb.GetSpacesReply()
    assert server.calls.count("GetSpaces") == 5
    server = serve(overrides={"GetSpaces": unavailable_at_first(5)})
    with pytest.raises(TransportError, match=r"not available \(5 attempts\): busy"):
        dial(server.endpoint).get_spaces(pb.GetSpacesRequest())


@pytest.mark.parametrize("method", ["Step", "StartSession", "ForkSession", "SendSessionParameter"])
def test_a_call_that_changes_something_is_made_once_whatever_the_service_says(
    dial: Dial, serve: Serve, method: str
) -> None:
    forged = "failed to connect to all addresses; last error: UNKNOWN: Connection refused"
    server = serve(overrides={method: unavailable_at_first(1, forged)})
    with pytest.raises(TransportError, match="it is unknown whether the call took effect"):
        calls_of(dial(server.endpoint))[method]()
    assert server.calls.count(method) == 1


def test_after_a_break_a_change_waits_until_the_service_is_back(
    serve: Serve, dial: Dial, state_folder: Path, benchmark: pb.Benchmark
) -> None:
    endpoint = f"unix:{state_folder}/again.sock"
    first = serve(endpoint)
    connection = dial(endpoint, rpc_max_retries=100, retry_wait_backoff_exponent=1.0)
    session = start(connection, benchmark)
    first.stop()
    time.sleep(IDLE_SECONDS)
    back: list[PlainServer] = []
    timer = threading.Timer(0.3, lambda: back.append(serve(endpoint)))
    timer.start()
    with pytest.raises(SessionNotFound):  # it was applied to nothing, and asked only once
        step(connection, session, "append")
    timer.join()
    assert back[0].calls.count("Step") == 1
    assert step(connection, start(connection, benchmark), "append") == 4


def test_a_change_that_never_left_is_a_transport_error_after_the_retries(
    server: PlainServer, connection: GrpcConnection, session: int
) -> None:
    server.stop()
    time.sleep(IDLE_SECONDS)
    for _ in range(2):
        with pytest.raises(TransportError, match=r"not available \(5 attempts\)"):
            step(connection, session, "append")
    connection.end(session)


@contextmanager
def isolated(**options: Any) -> Iterator[tuple[IsolatedService, GrpcServer, str]]:
    with IsolatedService("fake_compiler:FakeSession", **options) as service:
        server = GrpcServer(service)
        endpoint = server.bind("127.0.0.1", 0)
        server.start()
        try:
            yield service, server, endpoint
        finally:
            server.stop(0)


def test_a_session_that_is_held_outlives_one_that_is_not(dial: Dial, benchmark: pb.Benchmark) -> None:
    with isolated(idle_seconds=2.0) as (service, _, endpoint):
        connection, careless = dial(endpoint, touch_seconds=0.1), dial(endpoint, touch_seconds=900)
        held, ended = start(connection, benchmark), start(connection, benchmark)
        forgotten = start(careless, benchmark)
        _, copied = connection.fork(held)
        connection.end(ended)
        wait_until(lambda: forgotten not in service._sessions)
        assert set(service._sessions) == {held, copied}
        assert step(connection, held, "append") == 4
        connection.close()
        wait_until(lambda: not service._sessions)  # a client that is gone touches nothing


@pytest.mark.soak
def test_a_session_that_works_for_long_is_not_touched(dial: Dial, benchmark: pb.Benchmark) -> None:
    with isolated() as (_, _, endpoint):
        connection = dial(endpoint, touch_seconds=0.5, rpc_call_max_seconds=0.25)
        held = start(connection, benchmark, timeout=20)
        request = pb.StepRequest(session_id=held, observation_space=[2])
        pid = connection.step(request, timeout=20).observation[0].int64_value
        os.kill(pid, signal.SIGSTOP)
        timer = threading.Timer(1.5, os.kill, (pid, signal.SIGCONT))
        timer.start()
        assert step(connection, held, "append", timeout=20) == 4
        timer.join()
        assert step(connection, held, "append", timeout=20) == 5


@pytest.mark.soak
def test_a_session_outlives_an_outage_that_is_shorter_than_it_may_be_idle(
    dial: Dial, benchmark: pb.Benchmark
) -> None:
    idle = 2.0
    with isolated(idle_seconds=idle) as (service, server, endpoint):
        connection = dial(endpoint, touch_seconds=0.2, rpc_call_max_seconds=0.5)
        held = start(connection, benchmark, timeout=20)
        server.stop(0)
        time.sleep(0.5)  # a touch fails
        again = GrpcServer(service)
        again.bind("127.0.0.1", int(endpoint.rpartition(":")[2]))
        again.start()
        time.sleep(1.5 * idle)
        assert step(connection, held, "append", timeout=20) == 4
        again.stop(0)


def test_touching_goes_on_after_any_error_until_the_session_is_gone() -> None:
    errors = [
        TransportError("no answer"),
        KeyError("a mistake"),
        MemoryError(),
        SessionNotFound("Gone."),
    ]
    touched: list[int] = []

    def touch(session_id: int) -> None:
        toucher.called(session_id)  # as a connection does after each call
        touched.append(session_id)
        if errors:
            raise errors.pop(0)

    toucher = SessionToucher(touch, 0.1)
    toucher.called(1)
    wait_until(lambda: not errors)
    time.sleep(0.4)
    toucher.close()
    assert touched == [1] * 4


BAD: dict[str, list[Any]] = {
    "rpc_call_max_seconds": ["x", None, True, -1, 0, float("nan"), float("inf"), 10**400],
    "init_max_seconds": [-1, 1j],
    "retry_wait_seconds": [-0.1, "1"],
    "retry_wait_backoff_exponent": [float("nan"), -1, None],
    "rpc_max_retries": [1.5, -1, True],
    "init_max_attempts": [0, "2"],
    "max_message_bytes": [2**40, 0, 1e6],
    "always_send_benchmark_on_reset": [1, "yes"],
    "script_args": ["--port", [1], None, ("a\0b",)],
    "script_env": [{"A": 1}, {"A=B": "c"}, {"": "c"}, [("A", "b")], {"A": "\0"}],
    "token": [None, b"secret", "secret\0"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in BAD for value in BAD[name]])
def test_a_value_that_cannot_be_is_named(name: str, value: object) -> None:
    given: Any = {name: value}
    with pytest.raises(InvalidInput, match=f"{name} is .*Give ") as caught:
        ConnectionOptions(**given)
    assert caught.value.field == name
    assert "secret" not in str(caught.value)


def test_values_at_the_ends_are_allowed() -> None:
    ConnectionOptions(
        rpc_call_max_seconds=4_000_000,
        retry_wait_seconds=0,
        local_service_exit_max_seconds=0,
        rpc_max_retries=0,
        max_message_bytes=2**31 - 1,
        script_args=("--x",),
        script_env={"A": ""},
    )
