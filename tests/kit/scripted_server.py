"""An HTTP server that answers by script and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = tuple[int, str, bytes]
JSON = "application/json"


class Server:
    """Answers by script and remembers what it was asked."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.asked: list[tuple[str, str, str | None]] = []
        self.bodies: list[bytes] = []


@contextmanager
def serving(script: Callable[[int, str], Answer], port: int = 0) -> Iterator[Server]:
    """A server, on a free port if none is given; ``script`` gives the answer to the n-th request."""

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(length)
            known.bodies.append(body)
            known.asked.append((self.command, self.path, self.headers.get("Authorization")))
            status, kind, body = script(len(known.asked), self.path)
            with suppress(ConnectionError):  # who asked may wait no longer
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        do_GET = do_POST = answer  # noqa: N815 - the names the base class looks for

        def log_message(self, *_: object) -> None:
            """Nothing on standard error."""

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        known = Server(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield known
        finally:
            server.shutdown()
            thread.join()


def ok(body: object) -> Answer:
    return 200, JSON, json.dumps(body).encode()
