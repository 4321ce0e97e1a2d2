"""One connection: which deadline it is under, and how fast its answer leaves.

The thread of the loop calls everything here but ``service`` and what the application writes.
"""

from __future__ import annotations

import fcntl
import math
import socket
import sys
import termios
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from django.db import close_old_connections
from waitress.buffers import ReadOnlyFileBasedBuffer
from waitress.channel import HTTPChannel

from leaderboard.common.networks import network
from leaderboard.web_server.requests import ApplicationTask, RefusalTask, RefusedRequest, RequestReader

if TYPE_CHECKING:
    from leaderboard.web_server.limits import ConnectionLimits

_TURN_BYTES: Final = 1024 * 1024
"""What one connection may send before the others have their turn."""
_MOST_AHEAD: Final = 16
"""Requests of one connection that may wait for the answer to the first."""


class WebConnection(HTTPChannel):  # type: ignore[misc] # waitress ships no types
    """A client's connection."""

    parser_class = RequestReader
    task_class = ApplicationTask
    error_task_class = RefusalTask
    request: RequestReader | None
    requests: list[RequestReader]
    close_when_flushed: bool
    will_close: bool

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - as inherited
        now = time.monotonic()
        self.since = now
        """When the present wait for the client began: for a head, a body, or the next request."""
        self.queued: float | None = None
        self.held = 0
        """The bytes of its bodies in memory, in whole pieces; those that wait for a thread are included."""
        self.late = 0.0
        """For how many seconds the client has kept the server waiting that its bytes have not paid for."""
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
        means_something = self.addr and self.limits.per_network is not None
        self.network = network(str(self.addr[0])) if means_something else ""

    @property
    def limits(self) -> ConnectionLimits:
        """The server's limits."""
        limits: ConnectionLimits = self.server.limits
        return limits

    @property
    def waits_for_client(self) -> bool:
        """Whether the server has nothing to do for it until more bytes arrive."""
        return not self.requests and not self.total_outbufs_len

    @property
    def pending_bytes(self) -> int:
        """The bytes of its answers in memory; a file that is being sent is not."""
        return sum(len(one) for one in list(self.outbufs) if not isinstance(one, ReadOnlyFileBasedBuffer))

    def lateness(self, now: float) -> float:
        """How late the client is, in seconds; minus infinity while it waits for the server."""
        if self.total_outbufs_len or (self._in_body and not self.requests):
            return self.late
        return -math.inf if self.requests else now - self.since

    # --- reading ---

    def handle_read(self) -> None:
        """Read what has arrived; what follows a refused head is forgotten."""
        if self._drain_until is None:
            super().handle_read()
        else:
            with suppress(OSError):
                self.recv(self.adj.recv_bytes)

    def received(self, data: bytes) -> bool:
        """Take what has arrived, and notice the beginning of a head and of a body."""
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
        """Answer the request that is being received without the application, and close."""
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
        """Answer the request that waited for a thread, and is in no queue any more; and close."""
        first = self.requests[0]
        first.error, first.unread = reason, True
        self._answer_in_loop()

    def _answer_in_loop(self) -> None:
        """Answer a refused request in the thread of the loop, which must never wait for a client.

        To write more than a little could take until the client has read what it has not read yet.
        """
        if self.total_outbufs_len > _TURN_BYTES:
            self.server.give_up(self)
        else:
            self.service()

    def forget_queued(self) -> None:
        """Free the memory of requests that nobody waits for any more."""
        for request in self.requests:
            request.forget_body()
        self.requests = []

    def handle_close(self) -> None:
        """Close; what waits for a thread is forgotten."""
        super().handle_close()
        self.server.forget(self)

    def _refuse_the_rest(self) -> None:
        """Answer some of the requests that came at once; the others would only fill the memory."""
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
        """Count its bodies again; in pieces, so that a client that sends single bytes changes nothing."""
        piece = self.limits.small_bytes
        with self.requests_lock:
            parts = [*self.requests, *([self.request] if self.request else [])]
            self.held = -(-sum(one.body_bytes_received for one in parts) // piece) * piece

    # --- the application ---

    def service(self) -> None:
        """Run the application for one request."""
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

    # --- writing ---

    def send(self, data: bytes, do_close: bool = True) -> int:  # noqa: FBT001, FBT002 - inherited
        """Send as much as the client takes, and as much as the turn allows."""
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
        """Send; a connection with an unread body is closed only after the client has read the answer.

        Closing it at once would reset it, and the client would see a broken connection and no answer.
        """
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

    # --- deadlines ---

    def overdue(self, now: float) -> str | None:
        """The deadline that it has missed: ``head``, ``body``, ``idle``, ``answer`` or ``drain``."""
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
            return "body" if waited > self.limits.body_time(self._partial.content_length) else None
        if self._partial is not None or not self._served:
            return "head" if waited > self.limits.head_seconds else None
        return "idle" if waited > self.limits.idle_seconds else None

    def close_overdue(self, deadline: str) -> None:
        """Close it; a client that has sent too slowly is told."""
        if deadline in {"head", "body"} and self._partial is not None:
            self.refuse(RefusedRequest("body-timeout", f"The request's {deadline} did not arrive in time."))
        else:
            self.handle_close()

    def _wait_for_client(self) -> None:
        """Begin to wait for the client."""
        self.since = now = time.monotonic()
        self.late, self._measured = 0.0, (now, self._received + self._taken())

    def _measure(self, now: float) -> None:
        """Each second makes a client a second late, and each 100,000 bytes make up for one; none is early."""
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
        """The bytes that the client's machine has acknowledged.

        What the kernel still holds is not progress; it may be megabytes, and makes room for more in leaps.
        """
        try:
            held = fcntl.ioctl(self.socket, termios.TIOCOUTQ, bytes(4))
        except (OSError, TypeError, ValueError):  # it has just been closed
            return self._sent
        return self._sent - int.from_bytes(held, sys.byteorder)
