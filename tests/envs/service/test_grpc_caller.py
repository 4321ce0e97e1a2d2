"""Reaching a service over gRPC: who is there, what is repeated, and what is never done twice."""

from __future__ import annotations

import socket
import threading
import time
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from plain_client import start, step
from plain_server import PlainServer, fails_with

from optarena.errors import (
    InvalidInput,
    ServiceError,
    SessionNotFound,
    TransportError,
)
from optarena.service.client.grpc_connection import GrpcConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

IDLE_SECONDS = 1.1
"""After this long without a call, a channel is proved before a call that changes something."""


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


def test_endpoints_are_unix_sockets_and_ipv6_too(
    serve: Callable[..., PlainServer],
    dial: Callable[..., GrpcConnection],
    state_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
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


def test_the_words_of_a_service_are_shortened_and_give_a_terminal_no_orders(
    serve: Callable[..., PlainServer], dial: Callable[..., GrpcConnection]
) -> None:
    fails = fails_with(grpc.StatusCode.INTERNAL, "line\n\x1b[31m" + "x" * 100_000)
    connection = dial(serve(overrides={"GetSpaces": fails}).endpoint)
    with pytest.raises(ServiceError, match=r"line\n\\x1b\[31mxxx") as caught:
        connection.get_spaces(pb.GetSpacesRequest())
    assert len(str(caught.value)) < 10_000


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def test_a_dead_endpoint_is_named_with_attempts_and_seconds(
    dial: Callable[..., GrpcConnection], tmp_path: Path
) -> None:
    endpoint = f"127.0.0.1:{free_port()}"
    with pytest.raises(TransportError, match=rf"at {endpoint}: no process listens.*2 attempts in 0\.\d s"):
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
    dial: Callable[..., GrpcConnection], stranger: Callable[..., str], serve: Callable[..., PlainServer]
) -> None:
    def sleep(*_: object) -> bytes:
        time.sleep(2)
        return b""

    with pytest.raises(TransportError, match=r"does not answer within 0\.3 s; 2 attempts"):
        dial(stranger())
    slow = serve(overrides={"GetVersion": sleep})
    with pytest.raises(TransportError, match=r"does not answer within 0\.3 s; 1 attempts"):
        dial(slow.endpoint, init_max_attempts=9, init_max_seconds=0.3)


@pytest.mark.parametrize("says", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-OpenSSH\r\n", b"\0" * 99])
def test_something_else_that_listens_is_no_compiler_service(
    dial: Callable[..., GrpcConnection], stranger: Callable[..., str], says: bytes
) -> None:
    with pytest.raises(TransportError, match=r"The process at .* is not a compiler service"):
        dial(stranger(says))


def test_a_grpc_server_of_something_else_is_no_compiler_service(
    dial: Callable[..., GrpcConnection], serve: Callable[..., PlainServer]
) -> None:
    with pytest.raises(TransportError, match=r"speaks gRPC but has no compiler_gym\.CompilerGymService"):
        dial(serve(name="other.Service").endpoint)
    with pytest.raises(TransportError, match="not a GetVersionReply"):
        dial(serve(overrides={"GetVersion": lambda *_: b"\xff"}).endpoint)
    with pytest.raises(TransportError, match="not a compiler service: what"):
        dial(serve(overrides={"GetVersion": fails_with(grpc.StatusCode.INTERNAL, "what?")}).endpoint)


def test_a_token_is_sent_from_options_or_the_environment(
    dial: Callable[..., GrpcConnection], serve: Callable[..., PlainServer], monkeypatch: pytest.MonkeyPatch
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
    dial: Callable[..., GrpcConnection], serve: Callable[..., PlainServer]
) -> None:
    server = serve(overrides={"GetSpaces": unavailable_at_first(4)})
    assert dial(server.endpoint).get_spaces(pb.GetSpacesRequest()) == pb.GetSpacesReply()
    assert server.calls.count("GetSpaces") == 5
    server = serve(overrides={"GetSpaces": unavailable_at_first(5)})
    with pytest.raises(TransportError, match=r"not available \(5 attempts\): busy"):
        dial(server.endpoint).get_spaces(pb.GetSpacesRequest())


@pytest.mark.parametrize("method", ["Step", "StartSession", "ForkSession", "SendSessionParameter"])
def test_a_call_that_changes_something_is_made_once_whatever_the_service_says(
    dial: Callable[..., GrpcConnection], serve: Callable[..., PlainServer], method: str
) -> None:
    forged = "failed to connect to all addresses; last error: UNKNOWN: Connection refused"
    server = serve(overrides={method: unavailable_at_first(1, forged)})
    connection = dial(server.endpoint)
    calls: dict[str, Callable[[], object]] = {
        "Step": lambda: step(connection, 1, "append"),
        "StartSession": lambda: connection.start_session(pb.StartSessionRequest()),
        "ForkSession": lambda: connection.fork(1),
        "SendSessionParameter": lambda: connection.send_session_parameter(
            pb.SendSessionParameterRequest(session_id=1)
        ),
    }
    with pytest.raises(TransportError, match="it is unknown whether the call took effect"):
        calls[method]()
    assert server.calls.count(method) == 1


def test_after_a_break_a_change_waits_until_the_service_is_back(
    serve: Callable[..., PlainServer],
    dial: Callable[..., GrpcConnection],
    state_folder: Path,
    benchmark: pb.Benchmark,
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
