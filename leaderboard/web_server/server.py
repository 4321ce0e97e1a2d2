"""Waitress with a deadline for everything that a client does, and shares of what is scarce.

The thread of the loop calls everything here but ``WebConnection.service``, what the application writes, and
what ``WebServer`` guards by a lock.
"""

from __future__ import annotations

import fcntl
import json
import math
import socket
import sys
import termios
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import structlog
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import close_old_connections
from django.utils.encoding import escape_uri_path
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.buffers import ReadOnlyFileBasedBuffer
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError, TransferEncodingNotImplemented
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher, WSGITask

from leaderboard.common import problems
from leaderboard.common.addresses import PROBE_METHODS, PROBES, network

THREADS: Final = 3  # More of them make each page wait longer for a processor and the interpreter.
_PROBE_THREADS: Final = 2  # One may wait for what it checks.
# Bytes of an answer in memory; the application waits until the client has read the rest.
_ANSWER_BYTES: Final = 4 * 1024**2
_TURN_BYTES: Final = 1024 * 1024  # What one connection may send before the others have their turn.
_MOST_AHEAD: Final = 16  # Requests of one connection that may wait for the answer to the first.
_CHECK_SECONDS: Final = 1.0
_RECEIVE_BYTES: Final = 64 * 1024
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, kw_only=True)
class ConnectionLimits:
    # For all of a request's head, from its first byte; for the first byte as well.
    head_seconds: float = 10.0
    body_seconds: float = 10.0  # For a body, besides what its length adds.
    # Bytes of a body for each further second; who is slower, also in reading, is late.
    body_rate: int = 100_000
    idle_seconds: float = 20.0  # Between two requests of a connection.
    stall_seconds: float = 20.0  # An answer must make progress within this time ...
    answer_rate: int = 1_000  # ... of so many bytes per second.
    queue_seconds: float = 20.0  # That a request waits for a thread.
    drain_seconds: float = 2.0  # In which the rest of a refused body is read and forgotten.
    stop_seconds: float = 4.0  # For what still runs when the server is stopped.
    connections: int = 512  # At the same time.
    per_network: int | None = 64  # None behind a proxy, whose clients share its address.
    # Threads that wait until a client reads more of a streamed answer; each is replaced.
    waiting_threads: int = 8
    head_bytes: int = 32 * 1024
    body_bytes: int = 6_000_000  # Size of a body that is read at all.
    # Size of a body that is always received; larger ones are counted in such pieces.
    small_bytes: int = 64 * 1024
    buffered_bytes: int = 128 * 1024**2  # Size of all bodies, and of all answers, in memory at the same time.


@dataclass(frozen=True)
class RefusedRequest:
    # A request that is not given to the application: a key of `PROBLEM_TYPES`, and the detail.
    type_id: str
    detail: str


class RequestReader(HTTPRequestParser):  # type: ignore[misc] # waitress ships no types
    # Refuses a head that can be understood in two ways. A body that the application refuses by its head alone
    # is left unread: one without a length, or one over the limit.
    unread = False
    command = ""
    path = ""
    chunked: bool
    version: str
    content_length: int
    body_rcv: Any
    body_bytes_received: int

    def parse_header(self, header_plus: bytes) -> None:
        if b"\0" in header_plus:
            line = next(one for one in header_plus.split(b"\n") if b"\0" in one)
            name = line.partition(b":")[0].decode("latin-1") if b":" in line else "The first line"
            raise ParsingError(f"{name[:80]!r} has a NUL character. Remove it.")
        try:
            super().parse_header(header_plus)
        except TransferEncodingNotImplemented:
            self.headers["TRANSFER_ENCODING"] = "unknown"
        except ValueError as error:  # more digits than Python reads
            raise ParsingError("Content-Length is invalid") from error
        if self.chunked:
            self.headers["TRANSFER_ENCODING"] = "chunked"
        self._check_version_and_host()
        if "TRANSFER_ENCODING" in self.headers or self.content_length >= self.adj.max_request_body_size:
            self.unread = True
            self.chunked = self.expect_continue = False
            self.content_length = 0
            self.body_rcv = None
            self.headers["CONNECTION"] = "close"
        elif self.body_rcv is None:
            self.expect_continue = False

    @property
    def is_probe(self) -> bool:
        return self.path in PROBES and self.command in PROBE_METHODS and not self.body_bytes_received

    def forget_body(self) -> None:
        self.close()
        self.body_bytes_received = 0

    def _check_version_and_host(self) -> None:
        if self.version not in {"1.0", "1.1"}:
            raise ParsingError(f"The request's version of HTTP is {self.version[:20]!r}. Use HTTP/1.1.")
        host = self.headers.get("HOST")
        if host is None and self.version == "1.1":
            raise ParsingError(
                "The header Host is missing. HTTP/1.1 requires it: send the name of the server, once."
            )
        if host is not None and "," in host:
            raise ParsingError(f"The header Host is {host[:80]!r}. Send the name of one server, once.")


class ApplicationTask(WSGITask):  # type: ignore[misc] # waitress ships no types
    def set_close_on_finish(self) -> None:
        # Not for the want of a length, as waitress would, where an answer has no body: such as 304 (RFC 9112,
        # section 6.3).
        asked = self.request.headers.get("CONNECTION", "").lower() == "close"
        if self.has_body or asked or self.version == "1.0":
            super().set_close_on_finish()

    def service(self) -> None:
        # A stream whose database is lost is broken off, or refused where nothing was sent yet.
        try:
            super().service()
        except DatabaseError as error:
            reason = problems.missing(error)
            if reason is None:
                raise
            self.close_on_finish = True
            if self.wrote_header:
                _log.warning("an answer was broken off", path=self.request.path, reason=reason)
                raise ClientDisconnected from error
            self.request.error = RefusedRequest("unavailable", reason)
            RefusalTask(self.channel, self.request).service()

    def finish(self) -> None:
        # The answer to HEAD has no chunks, so none of them is the last.
        if self.request.command == "HEAD":
            self.write(b"")
            self.chunked_response = False
        super().finish()


class RefusalTask(ErrorTask):  # type: ignore[misc] # waitress ships no types
    # Answers a request that the application never sees, with a problem document; then closes.

    def execute(self) -> None:
        error = self.request.error
        if isinstance(error, RefusedRequest):
            kind, detail = problems.PROBLEM_TYPES[error.type_id], error.detail
        else:
            kind, detail = problems.type_for_status(error.code), str(error.body)
        problem = problems.document(kind, detail=detail, instance=escape_uri_path(self.request.path))
        body = json.dumps(problem).encode()
        self.status = f"{kind.status.value} {kind.status.phrase}"
        self.response_headers.append(("Content-Type", problems.CONTENT_TYPE))
        if kind.id == "unavailable":
            self.response_headers.append(("Retry-After", str(problems.RETRY_SECONDS)))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(b"" if self.request.command == "HEAD" else body)


def without_bodies(application: Callable[..., Any]) -> Callable[..., Any]:
    # A client takes what follows the head of an answer to HEAD for the next answer of the connection. The
    # body is not even made, if it is a stream or a file.

    def answer(environ: dict[str, Any], start_response: Callable[..., object]) -> Any:  # noqa: ANN401 # as WSGI
        body = application(environ, start_response)
        if environ["REQUEST_METHOD"] != "HEAD":
            return body
        if hasattr(body, "close"):
            body.close()
        return []

    return answer


class WebConnection(HTTPChannel):  # type: ignore[misc] # waitress ships no types
    parser_class = RequestReader
    task_class = ApplicationTask
    error_task_class = RefusalTask
    request: RequestReader | None
    requests: list[RequestReader]
    close_when_flushed: bool
    will_close: bool

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - as inherited
        now = time.monotonic()
        # When the present wait for the client began: for a head, a body, or the next request.
        self.since = now
        self.queued: float | None = None
        # The bytes of its bodies in memory, in whole pieces; those that wait for a thread are included.
        self.held = 0
        # For how many seconds the client has kept the server waiting that its bytes have not paid for.
        self.late = 0.0
        self._served = 0
        self._partial: RequestReader | None = None
        self._in_body = False
        self._unread = False
        self._drain_until: float | None = None
        self._turn = 0
        self._sent = 0
        self._received = 0
        self._window = self._measured = (now, 0)
        super().__init__(*arguments, **options)
        self.limits: ConnectionLimits = self.server.limits
        means_something = self.addr and self.limits.per_network is not None
        self.network = network(str(self.addr[0])) if means_something else ""

    def lateness(self, now: float) -> float:
        # Return seconds; minus infinity while the client waits for the server.
        if self.total_outbufs_len or (self._in_body and not self.requests):
            return self.late
        return -math.inf if self.requests else now - self.since

    def handle_read(self) -> None:
        # What follows a refused head is forgotten.
        if self._drain_until is None:
            super().handle_read()
        else:
            with suppress(OSError):
                self.recv(self.adj.recv_bytes)

    def received(self, data: bytes) -> bool:
        taken = bool(super().received(data))
        self._received += len(data)
        if self.request is not self._partial:
            self._partial, self._in_body = self.request, False
            self._wait_for_client()
        if self._partial is not None and self._partial.headers_finished and not self._in_body:
            self._in_body = True
            self._wait_for_client()
        self._refuse_the_rest()
        held = self.held
        self._weigh()
        if self.held > held:
            self.server.make_room()
        return taken

    def refuse(self, reason: RefusedRequest) -> None:
        # Answers the request that is being received without the application, and closes.
        request = self.request or RequestReader(self.adj)
        request.error, request.completed = reason, True
        request.forget_body()
        self.request = self._partial = None
        self._in_body, request.unread = False, True
        with self.requests_lock:
            self.requests.append(request)
            first = len(self.requests) == 1
        self._weigh()
        if first or self.total_outbufs_len > _TURN_BYTES:
            self._answer_in_loop()

    def refuse_queued(self, reason: RefusedRequest) -> None:
        # The request waited for a thread, and is in no queue any more.
        first = self.requests[0]
        first.error, first.unread = reason, True
        self._answer_in_loop()

    def _answer_in_loop(self) -> None:
        # The thread of the loop must never wait for a client. To write more than a little could take until
        # the client has read what it has not read yet.
        if self.total_outbufs_len > _TURN_BYTES:
            self.server.give_up(self)
        else:
            self.service()

    def handle_close(self) -> None:
        super().handle_close()
        self.server.forget(self)

    def _refuse_the_rest(self) -> None:
        # Of many requests that came at once some are answered; the others would only fill the memory.
        with self.requests_lock:
            if len(self.requests) <= _MOST_AHEAD:
                return
            last = self.requests[_MOST_AHEAD - 1]
            last.error = RefusedRequest("bad-request", f"More than {_MOST_AHEAD} requests came at once.")
            last.unread = True  # more may be on its way, and must not break the connection
            del self.requests[_MOST_AHEAD:]
            self.request = self._partial = None
            self._in_body = False

    def _weigh(self) -> None:
        # In pieces, so that a client that sends single bytes changes nothing.
        piece = self.limits.small_bytes
        with self.requests_lock:
            parts = [*self.requests, *([self.request] if self.request else [])]
            self.held = -(-sum(one.body_bytes_received for one in parts) // piece) * piece

    def service(self) -> None:
        self.queued, self.late = None, 0.0
        self._unread = self.requests[0].unread
        self.server.begin(self)
        try:
            super().service()
        finally:
            # The end of a file's answer, at which Django would do this, comes in another thread.
            close_old_connections()
            self._served += 1
            self._weigh()
            self.server.end(self)
            self._wait_for_client()

    def _flush_outbufs_below_high_watermark(self) -> None:
        if self.total_outbufs_len <= self.adj.outbuf_high_watermark:
            return
        self.server.thread_waits(self)
        try:
            super()._flush_outbufs_below_high_watermark()
        finally:
            self.server.thread_goes_on(self)

    def send(self, data: bytes, do_close: bool = True) -> int:  # noqa: FBT001, FBT002 - inherited
        if self._turn <= 0:
            return 0
        sent = int(super().send(data, do_close=do_close))
        self._turn -= sent
        self._sent += sent
        return sent

    def _flush_some(self, do_close: bool = True) -> bool:  # noqa: FBT001, FBT002 - inherited
        self._turn = _TURN_BYTES
        return bool(super()._flush_some(do_close=do_close))

    def handle_write(self) -> None:
        # A connection with an unread body is closed only after the client has read the answer. Closing it at
        # once would reset it, and the client would see a broken connection and no answer.
        lingers = self._unread and self.close_when_flushed
        if lingers:
            self.close_when_flushed = False
        super().handle_write()
        if lingers and self.total_outbufs_len:
            self.close_when_flushed = True
        elif lingers and self.connected and not self.will_close:
            self._drain_until = time.monotonic() + self.limits.drain_seconds
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_WR)

    def overdue(self, now: float) -> str | None:
        # The deadline that it has missed: `head`, `body`, `idle`, `answer` or `drain`.
        if self._drain_until is not None:
            return "drain" if now > self._drain_until else None
        self._measure(now)
        if self.total_outbufs_len:
            self.since = now  # nothing is read before the answer has left
            return "answer" if self._stalled(now) else None
        self._window = (now, self._taken())
        if self.requests:
            return None
        waited = now - self.since
        if self._in_body and self._partial is not None:
            longer = self._partial.content_length / self.limits.body_rate
            return "body" if waited > self.limits.body_seconds + longer else None
        if self._partial is not None or not self._served:
            return "head" if waited > self.limits.head_seconds else None
        return "idle" if waited > self.limits.idle_seconds else None

    def close_overdue(self, deadline: str) -> None:
        # A client that has sent too slowly is told.
        if deadline in {"head", "body"} and self._partial is not None:
            self.refuse(RefusedRequest("body-timeout", f"The request's {deadline} did not arrive in time."))
        else:
            self.handle_close()

    def _wait_for_client(self) -> None:
        self.since = now = time.monotonic()
        self.late, self._measured = 0.0, (now, self._received + self._taken())

    def _measure(self, now: float) -> None:
        # Each second makes a client a second late, and each 100,000 bytes make up for one; none is early.
        before, moved = self._measured
        self._measured = (now, self._received + self._taken())
        gained = (self._measured[1] - moved) / self.limits.body_rate
        waits = self.total_outbufs_len or not self.requests
        self.late = max(0.0, self.late + now - before - gained) if waits else 0.0

    def _stalled(self, now: float) -> bool:
        began, taken = self._window
        if now - began < self.limits.stall_seconds:
            return False
        self._window = (now, self._taken())
        return self._window[1] - taken < self.limits.answer_rate * (now - began)

    def _taken(self) -> int:
        # The bytes that the client's machine has acknowledged. What the kernel still holds is not progress;
        # it may be megabytes, and makes room for more in leaps.
        try:
            held = fcntl.ioctl(self.socket, termios.TIOCOUTQ, bytes(4))
        except (OSError, TypeError, ValueError):  # it has just been closed
            return self._sent
        return self._sent - int.from_bytes(held, sys.byteorder)


class Turns:
    # The first waiting connections of all networks come before the second ones.

    def __init__(self) -> None:
        # By network; the one whose turn is next comes first.
        self._waiting: dict[str, deque[WebConnection]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def __iter__(self) -> Iterator[WebConnection]:
        for own in self._waiting.values():
            yield from own

    def append(self, connection: WebConnection) -> None:
        self._waiting.setdefault(connection.network, deque()).append(connection)

    def popleft(self) -> WebConnection:
        if not self._waiting:
            raise IndexError("nothing waits")
        first = next(iter(self._waiting))
        own = self._waiting.pop(first)
        connection = own.popleft()
        if own:
            self._waiting[first] = own
        return connection

    def remove(self, connection: WebConnection) -> None:
        own = self._waiting.get(connection.network, deque())
        own.remove(connection)
        if not own:
            del self._waiting[connection.network]


class FairDispatcher(ThreadedTaskDispatcher):  # type: ignore[misc] # waitress ships no types
    def __init__(self) -> None:
        super().__init__()
        self.queue = Turns()


class WebServer(TcpWSGIServer):  # type: ignore[misc] # waitress ships no types
    # `at_rest` is called about once a second while no request is being answered, with the seconds since the
    # last one.
    channel_class = WebConnection
    next_channel_cleanup = math.inf

    def __init__(
        self,
        application: Callable[..., Any],
        listener: socket.socket,
        *,
        limits: ConnectionLimits | None = None,
        threads: int = THREADS,
        at_rest: Callable[[float], None] = lambda _: None,
    ) -> None:
        self._at_rest = at_rest
        self.limits = limits = limits or ConnectionLimits()
        self._threads = threads
        self._stopping = False
        # The connections for which a thread waits; the one that has not moved for longest comes first.
        self._held: dict[WebConnection, None] = {}
        # The connections whose request is with the application; the client may have left.
        self._working: set[WebConnection] = set()
        self._ended = time.monotonic()  # When the application last had done with one.
        self._given_up: deque[WebConnection] = deque()
        self._lock = threading.Lock()
        self._closed: Counter[str] = Counter()
        dispatcher = FairDispatcher()
        dispatcher.set_thread_count(threads)
        self._probes = FairDispatcher()
        self._probes.set_thread_count(_PROBE_THREADS)
        super().__init__(
            without_bodies(application),
            _sock=listener,
            dispatcher=dispatcher,
            adj=Adjustments(
                # Whom to believe about the client's address is a setting of the application.
                clear_untrusted_proxy_headers=False,
                ident=None,
                server_name="localhost",
                asyncore_use_poll=True,
                log_socket_errors=False,
                # Connections are closed for new ones below this number, at which none would be accepted.
                connection_limit=limits.connections + 16,
                max_request_header_size=limits.head_bytes,
                max_request_body_size=limits.body_bytes + 1,
                recv_bytes=_RECEIVE_BYTES,
                # In memory, since a folder for temporary files may be full; `buffered_bytes` bounds the sum.
                inbuf_overflow=2 * limits.body_bytes,
                outbuf_overflow=2 * _ANSWER_BYTES,
                outbuf_high_watermark=_ANSWER_BYTES,
            ),
            sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
            bind_socket=False,
        )

    def run(self) -> None:
        # Ends what has begun once `stop` was called.
        checked = 0.0
        while not self._stopping:
            wasyncore.poll2(_CHECK_SECONDS, self._map)
            while self._given_up:
                self._given_up.popleft().handle_close()
            if time.monotonic() - checked >= _CHECK_SECONDS:
                self._close_overdue()
                if not self._working:
                    self._at_rest(time.monotonic() - self._ended)
                checked = time.monotonic()
        self.accepting = False
        self.del_channel()
        self.socket.close()  # who connects from now on is told at once, or waits for the next server
        until = time.monotonic() + self.limits.stop_seconds
        while self.active_channels and time.monotonic() < until:
            for connection in list(self.active_channels.values()):
                if not connection.requests and not connection.total_outbufs_len:
                    connection.handle_close()
            wasyncore.poll2(0.1, self._map)
        self.task_dispatcher.shutdown(timeout=0.1)
        self._probes.shutdown(timeout=0.1)
        wasyncore.close_all(self._map)

    def stop(self) -> None:
        # A handler of signals or another thread may call it.
        self._stopping = True
        with suppress(OSError):  # the loop has noticed already, and ended
            self.pull_trigger()

    def add_task(self, task: WebConnection) -> None:
        task.queued = time.monotonic()
        # What answers health checks waits for nobody, such as a client that does not read.
        if task.requests[0].is_probe and not task.total_outbufs_len:
            self._probes.add_task(task)
        else:
            super().add_task(task)

    def handle_accept(self) -> None:
        # If there are too many, one connection of the greediest network is closed for the new one.
        super().handle_accept()
        if not self.active_channels:
            return
        everybody = list(self.active_channels.values())
        most = self.limits.per_network
        own = [one for one in everybody if one.network == everybody[-1].network]
        if most is not None and len(own) > most:
            self._evict(own)
        elif len(everybody) > self.limits.connections:
            self._evict(of_the_greediest(everybody))

    def make_room(self) -> None:
        # Refuses bodies until the others fit: the largest and latest of the network that costs most.
        while self._held_bytes() > self.limits.buffered_bytes:
            with self.task_dispatcher.lock:
                queued = set(self.task_dispatcher.queue)
            now = time.monotonic()
            costs = {
                one: one.held * (1 + max(0.0, one.lateness(now)))
                for one in self.active_channels.values()
                if one.held > self.limits.small_bytes and (one in queued or not one.requests)
            }
            if not costs:
                return  # threads work on the others
            victim = costliest(costs)
            reason = RefusedRequest("unavailable", "Too many bodies are being received at the moment.")
            if not victim.requests:
                victim.refuse(reason)
            elif self._take_back(victim):
                victim.refuse_queued(reason)
            self._closed["body-memory"] += 1

    def forget(self, connection: WebConnection) -> None:
        # What has not been begun for a closed connection is dropped.
        if connection.queued is not None and self._take_back(connection):
            for request in connection.requests:
                request.forget_body()
            connection.requests = []

    def begin(self, connection: WebConnection) -> None:
        with self._lock:
            self._working.add(connection)

    def end(self, connection: WebConnection) -> None:
        with self._lock:
            self._working.discard(connection)
            self._ended = time.monotonic()

    def give_up(self, connection: WebConnection) -> None:
        # The loop closes it; by itself it would wait until the client reads more.
        connection.will_close = True
        self._given_up.append(connection)

    def thread_waits(self, connection: WebConnection) -> None:
        # Another thread serves while one waits for a client; the client that reads least is given up.
        with self._lock:
            self._held[connection] = None
            held = [one for one in self._held if not one.will_close]
            if len(held) > self.limits.waiting_threads:
                self.give_up(of_the_greediest(held)[0])
                self._closed["stream"] += 1
            self.task_dispatcher.set_thread_count(self._threads + len(self._held))
        self.pull_trigger()

    def thread_goes_on(self, connection: WebConnection) -> None:
        with self._lock:
            self._held.pop(connection, None)
            self.task_dispatcher.set_thread_count(self._threads + len(self._held))

    def _close_overdue(self) -> None:
        # Waitress's own place for this is between asking which sockets to watch and watching them. A new
        # connection could get the number of one that is closed there, and with it the news of its end.
        now = time.monotonic()
        for connection in list(self.active_channels.values()):
            deadline = connection.overdue(now)
            if deadline is not None:
                self._closed[deadline] += 1
                connection.close_overdue(deadline)
        self._answer_what_waits_too_long(now)
        self._free_memory()
        closed, self._closed = self._closed, Counter()  # threads may add to it meanwhile
        if closed:
            _log.info("connections closed", **closed)

    def _evict(self, among: list[WebConnection]) -> None:
        # Close the connection of the latest client; of several, the newest.
        now = time.monotonic()
        self._closed["evicted"] += 1
        max(reversed(among), key=lambda one: one.lateness(now)).handle_close()

    def _held_bytes(self) -> int:
        with self._lock:
            working = set(self._working)
        return sum(one.held for one in working.union(self.active_channels.values()))

    def _take_back(self, connection: WebConnection) -> bool:
        # Take the connection out of its queue, unless a thread has it already.
        for dispatcher in (self.task_dispatcher, self._probes):
            with dispatcher.lock:
                if connection in dispatcher.queue:
                    dispatcher.queue.remove(connection)
                    return True
        return False

    def _answer_what_waits_too_long(self, now: float) -> None:
        # Each thread may wait for something that hangs.
        reason = RefusedRequest("unavailable", "The server is too busy to answer in time.")
        for connection in list(self.active_channels.values()):
            waited = now - (connection.queued or now)
            if waited > self.limits.queue_seconds and self._take_back(connection):
                self._closed["queue"] += 1
                connection.refuse_queued(reason)

    def _free_memory(self) -> None:
        # Drop unread answers, chosen as bodies are.
        pending = {
            one: sum(len(part) for part in list(one.outbufs) if not isinstance(part, ReadOnlyFileBasedBuffer))
            for one in self.active_channels.values()
        }
        costs = {one: size * (1 + one.late) for one, size in pending.items()}
        while sum(pending.values()) > self.limits.buffered_bytes:
            connection = costliest(costs)
            del pending[connection], costs[connection]
            self._closed["memory"] += 1
            connection.handle_close()


def of_the_greediest(connections: Collection[WebConnection]) -> list[WebConnection]:
    # Return the connections of the network that has most of them, or of several such networks.
    number = Counter(one.network for one in connections)
    most = max(number.values())
    return [one for one in connections if number[one.network] == most]


def costliest(costs: Mapping[WebConnection, float]) -> WebConnection:
    # Return the costliest connection of the network whose connections cost most together.
    total: defaultdict[str, float] = defaultdict(float)
    for connection, cost in costs.items():
        total[connection.network] += cost
    return max(costs, key=lambda one: (total[one.network], costs[one]))


def configured_limits() -> ConnectionLimits:
    # Behind a proxy all clients share the proxy's address.
    behind_proxy = bool(settings.REST_FRAMEWORK["NUM_PROXIES"])
    waiting_threads = ConnectionLimits.waiting_threads
    if pool := settings.DATABASES["default"]["OPTIONS"].get("pool"):
        # Each thread may hold a connection to the database; one more is left for the health checks.
        waiting_threads = max(1, min(waiting_threads, pool["max_size"] - THREADS - 1))
    return ConnectionLimits(
        body_bytes=settings.DATA_UPLOAD_MAX_MEMORY_SIZE or ConnectionLimits.body_bytes,
        per_network=None if behind_proxy else ConnectionLimits.per_network,
        waiting_threads=waiting_threads,
    )
