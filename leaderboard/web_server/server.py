"""The loop: accepts connections, shares them out, and closes those that miss a deadline."""

from __future__ import annotations

import math
import resource
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.conf import settings
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from leaderboard.web_server.connection import WebConnection
from leaderboard.web_server.limits import ConnectionLimits
from leaderboard.web_server.requests import RefusedRequest

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

THREADS: Final = 4
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
    ) -> None:
        self.limits = limits = limits or ConnectionLimits()
        self._threads = threads
        self._stopping = False
        self._held: dict[WebConnection, None] = {}
        """The connections for which a thread waits; the one that has not moved for longest comes first."""
        self._held_lock = threading.Lock()
        self._closed: Counter[str] = Counter()
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(threads)
        super().__init__(
            application,
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
            if time.monotonic() - checked >= _CHECK_SECONDS:
                self._close_overdue()
                checked = time.monotonic()
        self.accepting = False
        self.del_channel()
        until = time.monotonic() + self.limits.stop_seconds
        while self._close_what_waits() and time.monotonic() < until:
            wasyncore.poll2(0.1, self._map)
        self.task_dispatcher.shutdown(timeout=0.1)
        wasyncore.close_all(self._map)

    def stop(self) -> None:
        """End the loop; a handler of signals or another thread may call it."""
        self._stopping = True
        self.pull_trigger()

    def add_task(self, task: WebConnection) -> None:
        """Give a complete request to the next free thread."""
        task.queued = time.monotonic()
        super().add_task(task)

    def handle_accept(self) -> None:
        """Accept a connection; if there are too many, the one that has waited longest is closed for it."""
        super().handle_accept()
        if not self.active_channels:
            return
        newest = next(reversed(self.active_channels.values()))
        most = self.limits.per_address
        if most is not None:
            own = [one for one in self.active_channels.values() if one.address == newest.address]
            if len(own) > most:
                self._evict(own, newest)
        if len(self.active_channels) > self.limits.connections:
            self._evict(self._of_the_greediest(), newest)

    def has_room_for(self, connection: WebConnection) -> bool:
        """Whether the body of a connection, whose head is complete, may be received."""
        everybody = own = 0
        for one in self.active_channels.values():
            everybody += one.body_on_its_way
            own += one.body_on_its_way if one.address == connection.address else 0
        return everybody <= self.limits.buffered_bytes and own <= self.limits.body_share()

    def thread_waits(self, connection: WebConnection) -> None:
        """Have another thread serve while one waits for a client; the client that reads least is given up."""
        with self._held_lock:
            self._held[connection] = None
            if len(self._held) > self.limits.waiting_threads:
                slowest = next(iter(self._held))
                slowest.will_close = True
                self._closed["stream"] += 1
            self.task_dispatcher.set_thread_count(self._threads + len(self._held))
        self.pull_trigger()

    def thread_goes_on(self, connection: WebConnection) -> None:
        """The client has read enough, or is gone."""
        with self._held_lock:
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

    def _evict(self, among: list[WebConnection], newest: WebConnection) -> None:
        """Close the connection that has kept the server waiting longest; the newest if none does."""
        waiting = [one for one in among if one is not newest and one.waits_for_client]
        victim = min(waiting, key=lambda one: one.since, default=newest)
        self._closed["evicted"] += 1
        victim.handle_close()

    def _of_the_greediest(self) -> list[WebConnection]:
        """The connections of the address that has most; all of them where addresses mean nothing."""
        everybody = list(self.active_channels.values())
        if self.limits.per_address is None:
            return everybody
        waiting = Counter(one.address for one in everybody if one.waits_for_client)
        greediest = max(waiting, key=lambda address: waiting[address], default="")
        return [one for one in everybody if one.address == greediest]

    def _answer_what_waits_too_long(self, now: float) -> None:
        """Answer 503 to requests for which no thread became free: each may wait for something that hangs."""
        dispatcher = self.task_dispatcher
        with dispatcher.lock:
            late = [one for one in dispatcher.queue if now - one.queued > self.limits.queue_seconds]
            for connection in late:
                dispatcher.queue.remove(connection)
        for connection in late:
            self._closed["queue"] += 1
            connection.requests[0].error = RefusedRequest(
                "unavailable", "The server is too busy to answer in time."
            )
            connection.service()

    def _free_memory(self) -> None:
        """Close the connections with the most unread answers while these are too many."""
        pending = {one: one.pending_bytes for one in self.active_channels.values()}
        excess = sum(pending.values()) - self.limits.buffered_bytes
        for connection in sorted(pending, key=lambda one: pending[one], reverse=True):
            if excess <= 0:
                return
            excess -= pending[connection]
            self._closed["memory"] += 1
            connection.handle_close()

    def _close_what_waits(self) -> bool:
        """Close the connections without a request in work; whether others are left."""
        for connection in list(self.active_channels.values()):
            if connection.waits_for_client:
                connection.handle_close()
        return bool(self.active_channels)


def make_server(application: Callable[..., Any], listener: socket.socket) -> WebServer:
    """A server whose limits fit the settings: behind a proxy all clients share the proxy's address."""
    behind_proxy = bool(settings.REST_FRAMEWORK["NUM_PROXIES"])
    share = None if behind_proxy else ConnectionLimits.per_address
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE or ConnectionLimits.body_bytes
    return WebServer(application, listener, limits=ConnectionLimits(body_bytes=most, per_address=share))


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
