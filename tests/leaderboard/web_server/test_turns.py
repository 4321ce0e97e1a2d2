"""Requests that wait for a thread: networks take turns."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from leaderboard.web_server.server import THREADS, ConnectionLimits
from tests.kit.slow_clients import connect, read_to_end
from tests.kit.small_server import serving

if TYPE_CHECKING:
    from collections.abc import Callable

REQUEST = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
GREEDY, SMALL, OTHER = "127.0.0.2", "127.0.0.3", "127.0.0.4"


class Held:
    """An application that answers nothing before it is told to, and notes who asked in which order."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.asked: list[str] = []

    def __call__(self, environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        self.asked.append(environ["REMOTE_ADDR"])
        self.go_on.wait(60)
        start("200 OK", [("Content-Length", "2")])
        return [b"ok"]


def test_a_network_with_many_requests_keeps_another_waiting_for_one_of_them_only() -> None:
    application = Held()
    with serving(application, ConnectionLimits()) as (server, port), ExitStack() as opened:
        clients = []
        for source in [GREEDY] * 40 + [SMALL, OTHER, SMALL]:
            clients.append(opened.enter_context(connect(port, source)))
            clients[-1].sendall(REQUEST)
            while len(server.task_dispatcher.queue) + len(application.asked) < len(clients):
                time.sleep(0.001)
        application.go_on.set()
        assert all(read_to_end(client).endswith(b"ok") for client in clients)
    waited = application.asked[THREADS:]
    assert waited.count(GREEDY) == 40 - THREADS
    assert sorted(waited[:3]) == [GREEDY, SMALL, OTHER]
    assert waited.index(SMALL, waited.index(SMALL) + 1) <= 5
