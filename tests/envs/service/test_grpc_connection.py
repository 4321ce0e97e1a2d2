"""Sessions of a service over gRPC, ours or foreign: answers, errors, ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from typing import TYPE_CHECKING

import grpc
import pytest
from fake_compiler import action
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
from optarena.service.client.grpc_connection import GrpcConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb
from tests.kit.folders import PLUGINS

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def server(serve: Callable[..., PlainServer]) -> PlainServer:
    """A server that behaves."""
    return serve()


@pytest.fixture
def connection(server: PlainServer, dial: Callable[..., GrpcConnection]) -> GrpcConnection:
    """A connection to it."""
    return dial(server.endpoint)


@pytest.fixture
def session(connection: GrpcConnection, benchmark: pb.Benchmark) -> int:
    """A session started on it."""
    return start(connection, benchmark)


def test_a_round_trip_gives_versions_spaces_and_observations(
    connection: GrpcConnection, benchmark: pb.Benchmark
) -> None:
    assert connection.get_version(pb.GetVersionRequest()).service_version == "plain 1"
    assert len(connection.get_spaces(pb.GetSpacesRequest()).action_space_list) == 2
    first, second = start(connection, benchmark), start(connection, benchmark)
    assert step(connection, first, "append", "append") == 5
    assert step(connection, second) == 3
    parameter = pb.SessionParameter(key="fake.parameter", value="x")
    sent = pb.SendSessionParameterRequest(session_id=first, parameter=[parameter])
    assert list(connection.send_session_parameter(sent).reply) == ["was x"]
    assert connection.end_session(pb.EndSessionRequest(session_id=first)).remaining_sessions == 1
    assert not connection.closed


def test_a_copy_is_on_the_same_connection_and_independent(connection: GrpcConnection, session: int) -> None:
    step(connection, session, "append")
    same, copied = connection.fork(session)
    assert same is connection
    assert step(connection, copied, "append") == 5
    connection.end(copied)
    assert step(connection, session) == 4


def test_a_benchmark_that_is_not_there_is_added_and_started(
    connection: GrpcConnection, benchmark: pb.Benchmark
) -> None:
    by_uri = pb.StartSessionRequest(benchmark=pb.Benchmark(uri=benchmark.uri))
    with pytest.raises(FileNotFoundError, match="Benchmark not found"):
        connection.start_session(by_uri)
    connection.add_benchmark(pb.AddBenchmarkRequest(benchmark=[benchmark]))
    assert step(connection, connection.start_session(by_uri).session_id) == 3


def test_bad_input_changes_nothing(connection: GrpcConnection, session: int) -> None:
    bad = pb.StepRequest(session_id=session, action=[action("append"), pb.Event(int64_value=999)])
    with pytest.raises(InvalidInput, match=r"action\[1\]: 999 is out of range"):
        connection.step(bad)
    assert step(connection, session) == 3


@pytest.mark.parametrize("call", ["step", "fork", "end_session", "send_session_parameter"])
def test_not_found_in_a_session_is_about_the_session_whatever_a_service_says(
    dial: Callable[..., GrpcConnection], serve: Callable[..., PlainServer], call: str
) -> None:
    lost = fails_with(grpc.StatusCode.NOT_FOUND, "never heard of it")
    names = ("Step", "ForkSession", "EndSession", "SendSessionParameter")
    connection = dial(serve(overrides=dict.fromkeys(names, lost)).endpoint)
    requests: dict[str, Callable[[], object]] = {
        "step": lambda: step(connection, 7, "append"),
        "fork": lambda: connection.fork(7),
        "end_session": lambda: connection.end_session(pb.EndSessionRequest(session_id=7)),
        "send_session_parameter": lambda: connection.send_session_parameter(
            pb.SendSessionParameterRequest(session_id=7)
        ),
    }
    with pytest.raises(SessionNotFound, match="never heard of it"):
        requests[call]()
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
    dial: Callable[..., GrpcConnection],
    serve: Callable[..., PlainServer],
    code: grpc.StatusCode,
    kind: type[Exception],
) -> None:
    connection = dial(serve(overrides={"GetSpaces": fails_with(code)}).endpoint)
    with pytest.raises(kind, match=r"."):
        connection.get_spaces(pb.GetSpacesRequest())
    assert not connection.closed


def test_errors_of_our_own_services_keep_their_class_and_signal(
    dial: Callable[..., GrpcConnection], serve: Callable[..., PlainServer], benchmark: pb.Benchmark
) -> None:
    told = (("optarena-error", "SessionCrashed"), ("optarena-signal", "11"))
    crash = fails_with(grpc.StatusCode.INTERNAL, "it crashed", *told)
    connection = dial(serve(overrides={"Step": crash}).endpoint)
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
    dial: Callable[..., GrpcConnection],
    serve: Callable[..., PlainServer],
    benchmark: pb.Benchmark,
    code: grpc.StatusCode,
    lost: bool,  # noqa: FBT001 # a parameter of the test
) -> None:
    fails = fails_with(code, "no", ("optarena-error", "FileNotFoundError"))
    connection = dial(serve(overrides={"Step": fails}).endpoint)
    session = start(connection, benchmark)
    for attempt in range(2):
        with pytest.raises((ServiceError, OSError, TypeError)) as caught:
            step(connection, session, "append")
        assert isinstance(caught.value, ServiceClosed) == (lost and attempt == 1)
        assert isinstance(caught.value, FileNotFoundError) == (code is grpc.StatusCode.NOT_FOUND)


def test_metadata_of_foreign_services_may_be_anything(
    dial: Callable[..., GrpcConnection], serve: Callable[..., PlainServer]
) -> None:
    odd = (
        ("optarena-error", "__doc__"),
        ("optarena-signal", "9" * 5000),
        ("trace-bin", b"\xff\x00"),
        ("long", "x" * 100_000),
    )
    for error in ("__doc__", "InvalidDocument", "Problem", "SessionCrashed"):
        told = (("optarena-error", error), *odd[1:])
        behaviour = fails_with(grpc.StatusCode.INTERNAL, "odd", *told)
        connection = dial(serve(overrides={"GetSpaces": behaviour}).endpoint)
        with pytest.raises(ServiceError, match="odd"):
            connection.get_spaces(pb.GetSpacesRequest())


def test_an_answer_that_is_no_message_is_a_transport_error(
    dial: Callable[..., GrpcConnection], serve: Callable[..., PlainServer]
) -> None:
    connection = dial(serve(overrides={"GetSpaces": lambda *_: b"\xff"}).endpoint)
    with pytest.raises(TransportError, match="is not a GetSpacesReply"):
        connection.get_spaces(pb.GetSpacesRequest())


def test_messages_of_many_megabytes_go_both_ways_up_to_the_limit(
    dial: Callable[..., GrpcConnection], serve: Callable[..., PlainServer]
) -> None:
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
    dial: Callable[..., GrpcConnection], serve: Callable[..., PlainServer], benchmark: pb.Benchmark
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
    chosen = options(script_args=arguments, rpc_init_max_seconds=5.0)
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


def test_a_service_killed_between_two_calls_is_a_crash(benchmark: pb.Benchmark) -> None:
    with open_process() as connection:
        session = start(connection, benchmark)
        assert connection.process is not None
        os.kill(connection.process.pid, signal.SIGKILL)
        with pytest.raises(SessionCrashed, match="SIGKILL"):
            step(connection, session)


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


def test_close_in_another_thread_ends_a_running_call(
    dial: Callable[..., GrpcConnection], serve: Callable[..., PlainServer], benchmark: pb.Benchmark
) -> None:
    entered, leave = threading.Event(), threading.Event()
    connection = dial(serve(overrides={"Step": answers_late(leave, entered)}).endpoint)
    session = start(connection, benchmark)
    closer = threading.Thread(target=lambda: (entered.wait(), connection.close()))
    closer.start()
    with pytest.raises(ServiceClosed):
        step(connection, session, "append")
    closer.join()
    leave.set()


def test_a_signal_handler_may_close_during_a_call(
    dial: Callable[..., GrpcConnection], serve: Callable[..., PlainServer], benchmark: pb.Benchmark
) -> None:
    leave = threading.Event()
    connection = dial(serve(overrides={"Step": answers_late(leave)}).endpoint)
    session = start(connection, benchmark)
    before = signal.signal(signal.SIGALRM, lambda *_: connection.close())
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(ServiceClosed):
            step(connection, session, "append")
    finally:
        signal.signal(signal.SIGALRM, before)
        leave.set()


def test_an_interrupt_gives_up_the_session_alone(
    dial: Callable[..., GrpcConnection], serve: Callable[..., PlainServer], benchmark: pb.Benchmark
) -> None:
    leave = threading.Event()
    connection = dial(serve(overrides={"Step": answers_late(leave)}).endpoint)
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


def test_threads_share_a_connection(connection: GrpcConnection, benchmark: pb.Benchmark) -> None:
    sessions = [start(connection, benchmark) for _ in range(4)]

    def walk(session: int) -> None:
        for _ in range(25):
            step(connection, session, "append")

    threads = [threading.Thread(target=walk, args=(session,)) for session in sessions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [step(connection, session) for session in sessions] == [28] * 4


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


def test_the_package_imports_no_grpc_until_it_is_needed() -> None:
    program = (
        "import sys, optarena, optarena.service.client.executable, optarena.service.client.in_process;"
        "print('grpc' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
