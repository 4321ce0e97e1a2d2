"""Clients that hold a web server's connections: they send slowly, send nothing, or do not read."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

HEAD: Final = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
BODY: Final = (
    b"POST /api/v1/auth/signup/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 1000\r\n\r\n{"
)
GARBAGE: Final = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" + b"\x00\xff{}\r\n\r\n" * 50


def read_to_end(client: socket.socket) -> bytes:
    """Everything until the server closes; a reset is an end too."""
    pieces = []
    with suppress(ConnectionResetError):
        while piece := client.recv(65536):
            pieces.append(piece)
    return b"".join(pieces)


def closed_by_server(client: socket.socket) -> bool:
    """Whether the server ends the connection while the client waits; its answer, if any, is read."""
    client.settimeout(90)
    try:
        read_to_end(client)
    except TimeoutError:
        return False
    return True


def answers(port: int, path: str, count: int = 20) -> list[int]:
    """The statuses of requests one after the other, each on a connection of its own."""
    statuses = []
    for _ in range(count):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        statuses.append(answer.status)
        connection.close()
    return statuses


def connect(port: int, source: str = "127.0.0.1") -> socket.socket:
    """A connection, from one of this machine's many addresses."""
    return socket.create_connection(("127.0.0.1", port), timeout=30, source_address=(source, 0))


def next_answer(client: socket.socket) -> bool:
    """Whether the application's answer arrives on a connection that stays open."""
    received = b""
    while not received.endswith(b"ok"):
        piece = client.recv(4096)
        if not piece:
            return False
        received += piece
    return True


def said(port: int, request: bytes) -> tuple[int, dict[str, Any]]:
    """The status and the problem with which the server answers what it then closes."""
    with connect(port) as client:
        client.sendall(request)
        head, _, body = read_to_end(client).partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


class Clients:
    """Connections that were opened together, and a thread that keeps them busy."""

    def __init__(self, port: int, count: int, first: bytes) -> None:
        self.port = port
        self.all = [connect(port) for _ in range(count)]
        self._end = threading.Event()
        self._threads: list[threading.Thread] = []
        for one in self.all:
            one.sendall(first)

    def drip(self, part: bytes, seconds: float) -> None:
        """Send a part on each connection again and again."""
        self._repeat(lambda: self._send(part), seconds)

    def reopen(self, seconds: float) -> None:
        """Close the oldest connection and open another, again and again."""
        self._repeat(self._replace_one, seconds)

    def close(self) -> None:
        self._end.set()
        for thread in self._threads:
            thread.join()
        for one in self.all:
            one.close()

    def _repeat(self, act: Callable[[], None], seconds: float) -> None:
        def run() -> None:
            while not self._end.wait(seconds):
                act()

        self._threads.append(threading.Thread(target=run, daemon=True))
        self._threads[-1].start()

    def _send(self, part: bytes) -> None:
        for one in self.all:
            with suppress(OSError):
                one.sendall(part)

    def _replace_one(self) -> None:
        self.all.pop(0).close()
        with suppress(OSError):
            self.all.append(connect(self.port))


@contextmanager
def attack(port: int, kind: str, count: int = 50, *, large: str = "/") -> Iterator[Clients]:
    """An attack that goes on for as long as the block runs.

    Args:
        port: The server's.
        kind: ``stall``, ``head``, ``body``, ``idle``, ``reader``, ``half-closed`` or ``garbage``.
        count: Number of connections.
        large: A path with a large answer, which ``reader`` does not read.
    """
    asked = f"GET {large} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    first = {
        "stall": b"G",
        "head": HEAD,
        "body": BODY,
        "reader": asked,
        "garbage": GARBAGE,
        "half-closed": HEAD,
    }
    clients = Clients(port, count, first.get(kind, b""))
    try:
        if kind == "head":
            clients.drip(b"x", 1.0)
        elif kind == "body":
            clients.drip(b" ", 3.0)
        elif kind == "idle":
            clients.reopen(0.05)
        elif kind == "half-closed":
            for one in clients.all:
                one.shutdown(socket.SHUT_WR)
        yield clients
    finally:
        clients.close()
