"""Whose process is at the other end of a connection, by real connections."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from optarena.service.runtime.grpc_server import is_own_user

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """Closes sockets in the end."""
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
