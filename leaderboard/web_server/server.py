"""The loop: accepts connections, shares them out, and closes those that miss a deadline."""

from __future__ import annotations

import math
import resource
import threading
import time
from collections import Counter, deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.conf import settings
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer

from leaderboard.web_server.connection import WebConnection
from leaderboard.web_server.limits import ConnectionLimits
from leaderboard.web_server.requests import RefusedRequest, without_bodies
from leaderboard.web_server.shares import costliest, of_the_greediest
from leaderboard.web_server.turns import FairDispatcher

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

THREADS: Final = 4
_PROBE_THREADS: Final = 2
"""One may wait for what it checks."""
_SPARE_DESCRIPTORS: Final = 512
_ANSWER_BYTES: Final = 4 * 1024**2
"""Bytes of an answer in memory; the application waits until the client has read the rest."""
_CHECK_SECONDS: Final = 1.0
_RECEIVE_BYTES: Final = 64 * 1024
_log = structlog.get_logger(__name__)


class WebServer(TcpWSGIServer):  # type: ignore[misc] # waitress ships no types
    """One web server on one listening socket.

    Args:
        application: The WSGI application.
        listener: A bound socket.
        limits: The limits of the connections.
        threads: Requests that the application works on at the same time.
        at_rest: Called about once a second while no request is being answered, with the seconds since the
            last one.
    """

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
        self._held: dict[WebConnection, None] = {}
        """The connections for which a thread waits; the one that has not moved for longest comes first."""
        self._working: set[WebConnection] = set()
        """The connections whose request is with the application; the client may have left."""
        self._ended = time.monotonic()
        """When the application last had done with one."""
        self._given_up: deque[WebConnection] = deque()
        self._lock = threading.Lock()
        self._closed: Counter[str] = Counter()
        dispatcher = FairDispatcher()
        dispatcher.set_thread_count(threads)
        self._probes = FairDispatcher()
        """Answers health checks, also while every other thread waits for something."""
        self._probes.set_thread_count(_PROBE_THREADS)
        super().__init__(
            without_bodies(application),
            _sock=listener,
            dispatcher=dispatcher,
            adj=_adjustments(limits),
            sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
            bind_socket=False,
        )

    def run(self) -> None:
        """Serve until ``stop`` is called; then end what has begun."""
        _raise_descriptor_limit(self.limits.connections)
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
        while self._close_what_waits() and time.monotonic() < until:
            wasyncore.poll2(0.1, self._map)
        self.task_dispatcher.shutdown(timeout=0.1)
        self._probes.shutdown(timeout=0.1)
        wasyncore.close_all(self._map)

    def stop(self) -> None:
        """End the loop; a handler of signals or another thread may call it."""
        self._stopping = True
        with suppress(OSError):  # the loop has noticed already, and ended
            self.pull_trigger()

    def add_task(self, task: WebConnection) -> None:
        """Give a complete request to the next free thread."""
        task.queued = time.monotonic()
        # What answers health checks waits for nobody, such as a client that does not read.
        if task.requests[0].is_probe and not task.total_outbufs_len:
            self._probes.add_task(task)
        else:
            super().add_task(task)

    def handle_accept(self) -> None:
        """Accept a connection; if there are too many, one of the greediest network is closed for it."""
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
        """Refuse bodies until the others fit: the largest and latest of the network that costs most."""
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
        """A connection is closed: what has not been begun for it is dropped."""
        if connection.queued is not None and self._take_back(connection):
            connection.forget_queued()

    def begin(self, connection: WebConnection) -> None:
        """The application gets a request, and its body."""
        with self._lock:
            self._working.add(connection)

    def end(self, connection: WebConnection) -> None:
        """The application has done with it."""
        with self._lock:
            self._working.discard(connection)
            self._ended = time.monotonic()

    def give_up(self, connection: WebConnection) -> None:
        """Have the loop close a connection; by itself it would wait until the client reads more."""
        connection.will_close = True
        self._given_up.append(connection)

    def thread_waits(self, connection: WebConnection) -> None:
        """Have another thread serve while one waits for a client; the client that reads least is given up."""
        with self._lock:
            self._held[connection] = None
            held = [one for one in self._held if not one.will_close]
            if len(held) > self.limits.waiting_threads:
                self.give_up(of_the_greediest(held)[0])
                self._closed["stream"] += 1
            self.task_dispatcher.set_thread_count(self._threads + len(self._held))
        self.pull_trigger()

    def thread_goes_on(self, connection: WebConnection) -> None:
        """The client has read enough, or is gone."""
        with self._lock:
            self._held.pop(connection, None)
            self.task_dispatcher.set_thread_count(self._threads + len(self._held))

    def _close_overdue(self) -> None:
        """Close what has missed its deadline.

        Waitress's own place for this is between asking which sockets to watch and watching them. A new
        connection could get the number of one that is closed there, and with it the news of its end.
        """
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
        """Close the connection whose client is latest; of several, the newest."""
        now = time.monotonic()
        self._closed["evicted"] += 1
        max(reversed(among), key=lambda one: one.lateness(now)).handle_close()

    def _held_bytes(self) -> int:
        with self._lock:
            working = set(self._working)
        return sum(one.held for one in working.union(self.active_channels.values()))

    def _take_back(self, connection: WebConnection) -> bool:
        """Take a request out of the queue, unless a thread has it already."""
        for dispatcher in (self.task_dispatcher, self._probes):
            with dispatcher.lock:
                if connection in dispatcher.queue:
                    dispatcher.queue.remove(connection)
                    return True
        return False

    def _answer_what_waits_too_long(self, now: float) -> None:
        """Answer 503 to requests for which no thread became free: each may wait for something that hangs."""
        most = self.limits.queue_seconds
        late: list[WebConnection] = []
        for dispatcher in (self.task_dispatcher, self._probes):
            with dispatcher.lock:
                found = [one for one in dispatcher.queue if now - (one.queued or now) > most]
                for connection in found:
                    dispatcher.queue.remove(connection)
            late += found
        for connection in late:
            self._closed["queue"] += 1
            connection.refuse_queued(
                RefusedRequest("unavailable", "The server is too busy to answer in time.")
            )

    def _free_memory(self) -> None:
        """Close connections with unread answers while these are too many, chosen as for bodies."""
        pending = {one: one.pending_bytes for one in self.active_channels.values()}
        costs = {one: size * (1 + one.late) for one, size in pending.items()}
        while sum(pending.values()) > self.limits.buffered_bytes:
            connection = costliest(costs)
            del pending[connection], costs[connection]
            self._closed["memory"] += 1
            connection.handle_close()

    def _close_what_waits(self) -> bool:
        """Close the connections without a request in work; whether others are left."""
        for connection in list(self.active_channels.values()):
            if connection.waits_for_client:
                connection.handle_close()
        return bool(self.active_channels)


def make_server(
    application: Callable[..., Any], listener: socket.socket, *, at_rest: Callable[[float], None]
) -> WebServer:
    """A server whose limits fit the settings."""
    return WebServer(application, listener, limits=configured_limits(), at_rest=at_rest)


def configured_limits() -> ConnectionLimits:
    """The limits that fit the settings: behind a proxy all clients share the proxy's address."""
    behind_proxy = bool(settings.REST_FRAMEWORK["NUM_PROXIES"])
    return ConnectionLimits(
        body_bytes=settings.DATA_UPLOAD_MAX_MEMORY_SIZE or ConnectionLimits.body_bytes,
        per_network=None if behind_proxy else ConnectionLimits.per_network,
        waiting_threads=_waiting_threads(),
    )


def _waiting_threads() -> int:
    """Each thread may hold a connection to the database; one more is left for the health checks."""
    most = ConnectionLimits.waiting_threads
    pool = settings.DATABASES["default"]["OPTIONS"].get("pool")
    return max(1, min(most, pool["max_size"] - THREADS - 1)) if pool else most


def _adjustments(limits: ConnectionLimits) -> Adjustments:
    return Adjustments(
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
    )


def _raise_descriptor_limit(connections: int) -> None:
    """Allow a file for each connection, besides its socket."""
    wanted = 2 * connections + _SPARE_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
