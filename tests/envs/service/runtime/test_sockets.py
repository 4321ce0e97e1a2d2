"""Sockets of a service: private, never put over another's; and whose process is at the other end."""

from __future__ import annotations

import fcntl
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from optarena.errors import InvalidInput
from optarena.service import timeouts
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.runtime.grpc_server import GrpcServer, is_own_user

if TYPE_CHECKING:
    from pathlib import Path

    Dial = Callable[..., Any]
    Unstarted = Callable[[], GrpcServer]


@pytest.mark.parametrize("name", ["socket", "with space", "100%25 ?#", "ünï"])
def test_a_socket_is_private_and_goes_with_its_service(
    unstarted: Unstarted, dial: Dial, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "made" / name
    server = unstarted()
    assert server.bind_unix(path) == f"unix:{path}"
    server.start()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [entry.name for entry in path.parent.iterdir()] == [name]
    if name == "socket":
        assert dial(f"unix:{path}").GetVersion(pb.GetVersionRequest()).compiler_version == "fake 1.0"
        with pytest.raises(InvalidInput, match="is taken: a service listens there"):
            unstarted().bind_unix(path)
    server.stop(0)
    assert not path.exists()


def test_a_dead_services_socket_is_replaced(unstarted: Unstarted, dial: Dial, tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
        dead.listen()
    server = unstarted()
    server.bind_unix(path)
    server.start()
    assert dial(f"unix:{path}").GetVersion(pb.GetVersionRequest()).compiler_version == "fake 1.0"


def test_sockets_are_put_over_nothing_and_where_nobody_else_can_write(
    unstarted: Unstarted, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InvalidInput, match="exists and is not a socket"):
        unstarted().bind_unix(tmp_path / "file")
    with pytest.raises(InvalidInput, match="longer than the 107 bytes"):
        unstarted().bind_unix(tmp_path / ("x" * 120))
    with pytest.raises(InvalidInput, match="cannot be made"):
        unstarted().bind_unix(tmp_path / "file" / "socket")
    tmp_path.chmod(0o777)
    with pytest.raises(InvalidInput, match="in a folder to which other users can write"):
        unstarted().bind_unix(tmp_path / "socket")
    tmp_path.chmod(0o700)
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_that_stays_locked_is_no_reason_to_hang(
    unstarted: Unstarted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timeouts, "SOCKET_LOCK_SECONDS", 0.1)
    folder = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    with pytest.raises(InvalidInput, match="another process has locked"):
        unstarted().bind_unix(tmp_path / "socket")
    os.close(folder)


NOBODY = 65_534
AS_NOBODY = """
import socket, sys
"localhost".encode("idna")  # loads it while the interpreter's files can be read
__import__("os").setuid(int(sys.argv[2]))
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as connection:
    print(connection.getsockname()[1], flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def connected(stack: ExitStack, host: str) -> tuple[socket.socket, int, int]:
    """The client's end of a connection to this process, its port, and the server's."""
    six, mapped = ":" in host, "." in host and ":" in host
    family = socket.AF_INET6 if six else socket.AF_INET
    server = stack.enter_context(
        socket.create_server(("::" if mapped else host, 0), family=family, dualstack_ipv6=mapped)
    )
    client = stack.enter_context(socket.create_connection((host, server.getsockname()[1])))
    stack.enter_context(server.accept()[0])
    return client, client.getsockname()[1], server.getsockname()[1]


@pytest.mark.parametrize(
    ("host", "peer"),
    [
        ("127.0.0.1", "ipv4:127.0.0.1:{}"),
        ("::ffff:127.0.0.1", "ipv4:127.0.0.1:{}"),
        ("::ffff:127.0.0.1", "ipv6:%5B::ffff:127.0.0.1%5D:{}"),
        ("::1", "ipv6:%5B::1%5D:{}"),
    ],
)
def test_a_process_of_the_same_user_is_known(stack: ExitStack, host: str, peer: str) -> None:
    if ":" in host and not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    client, port, ours = connected(stack, host)
    assert is_own_user(peer.format(port), {ours})
    assert not is_own_user(peer.format(port), {ours + 1})
    assert not is_own_user(peer.format(ours), {port + 1})
    client.close()  # the system then says of the connection that it is root's
    assert not is_own_user(peer.format(port), {ours})


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_process_of_another_user_is_not(stack: ExitStack) -> None:
    server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    ours = server.getsockname()[1]
    for user, known in ((NOBODY, False), (0, True)):
        command = [sys.executable, "-c", AS_NOBODY, str(ours), str(user)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            port = int(process.stdout.readline())
            stack.enter_context(server.accept()[0])
            assert is_own_user(f"ipv4:127.0.0.1:{port}", {ours}) is known
            process.communicate()


@pytest.mark.parametrize(
    "peer", ["", "ipv4:", "ipv4:10.0.0.1:80", "ipv4:localhost:80", "ipv4:127.0.0.1:x", "vsock:1:2", "unknown"]
)
def test_whoever_cannot_be_found_is_somebody_else(peer: str) -> None:
    assert not is_own_user(peer, range(65_536))


def test_a_unix_socket_is_reached_by_its_user_alone() -> None:
    assert is_own_user("unix:", ())
    assert is_own_user("unix:/a/socket", ())
